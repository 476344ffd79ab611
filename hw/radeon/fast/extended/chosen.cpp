// SPDX-License-Identifier: MIT
/// See chosen.h.
#include "hw/radeon/fast/extended/chosen.h"

#include <algorithm>
#include <bit>

#include "hw/common/numerics/hash.h"
#include "hw/radeon/fast/extended/stage.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Instruction;
using isa::us_r500::Selector;
using isa::us_r500::selector_of;
using isa::us_r500::XOp;
using isa::us_r500::XOpInfo;

namespace {

using Words = std::array<uint32_t, xt::kImageDwords + xt::kSamplerDwords>;

bool is_buffer(XOp op) { return op == XOp::LDB || op == XOp::LDC || op == XOp::STB || op == XOp::ATB || op == XOp::LENB; }

/// The registers that choose, as rows of GroupArgs::temp; null: none does.
const Lanes* chooser(const GroupArgs& args, const SlotTemps& temps, const Selector& s) {
  if (!s.indirect) return nullptr;
  const auto n = size_t(std::find(temps.temp.begin(), temps.temp.begin() + temps.count, s.temp) - temps.temp.begin());
  return n < temps.count ? &args.temp[n][s.component] : nullptr;
}

uint32_t number_in(const Lanes* row, uint32_t lane) { return row ? std::bit_cast<uint32_t>(row->v[lane]) : 0; }

/// What is backed of the descriptors at these addresses; false: not all that the slot needs.
bool read_words(const Memory& memory, bool buffer, uint64_t resource, uint64_t sampler, Words& words) {
  words.fill(0);
  // As load_descriptor() of hw/radeon/ref/us: half of the descriptor is enough for texel buffers.
  constexpr uint64_t kShort = xt::kBufferDwords * sizeof(uint32_t), kSampler = xt::kSamplerDwords * sizeof(uint32_t);
  if (!memory.backed(resource, kShort)) return false;
  memory.read(resource, words.data(), kShort);
  if (buffer) return true;
  if (xt::Dim(words[1] >> 24 & 7u) != xt::Dim::buffer) {
    constexpr uint64_t kRest = (xt::kImageDwords - xt::kBufferDwords) * sizeof(uint32_t);
    if (!memory.backed(resource + kShort, kRest)) return false;
    memory.read(resource + kShort, &words[xt::kBufferDwords], kRest);
  }
  if (!sampler) return true;
  if (!memory.backed(sampler, kSampler)) return false;
  memory.read(sampler, &words[xt::kImageDwords], kSampler);
  return true;
}

}  // namespace

void ChosenDescriptors::fill(Entry& e, Thread& t, const Instruction& x, SlotRoutines& routines) {
  e.routine = nullptr, e.image = {}, e.view = {}, e.texture = {};
  const Instruction alone = SlotRoutines::slot_alone(x);
  if (is_buffer(x.tex.x.op)) {
    const xt::BufferDescriptor d = xt::decode_buffer(std::span(e.words).first<xt::kBufferDwords>());
    if (buffer_view(t.ctx.memory, d.address, d.size, e.view)) e.routine = routines.find(alone, t.stage, {}, {});
    return;
  }
  hw::x::Resources needs;
  needs.set[SlotRoutines::kResourceSet] = e.resource, needs.set[SlotRoutines::kSamplerSet] = e.sampler;
  const std::span<const Instruction> code(&alone, 1);
  read_textures(t.ctx, needs, texture_uses(code), decoded_, textures_);
  read_images(t.ctx, needs, image_uses(code), images_);
  const bool usable = std::any_of(textures_.keys.begin(), textures_.keys.end(), [](const TextureKey& k) { return k.native; }) ||
                      std::any_of(images_.keys.begin(), images_.keys.end(), [](const ImageKey& k) { return k.native; });
  if (!usable) return;
  if (!textures_.views.empty()) e.texture = textures_.views.front();
  if (!images_.views.empty()) e.image = images_.views.front();
  e.routine = routines.find(alone, t.stage, textures_.keys, images_.keys);
}

/// Null: the reference's code must execute the slot.
const ChosenDescriptors::Entry* ChosenDescriptors::find(Thread& t, const Slot& slot, uint64_t resource, uint64_t sampler,
                                                        SlotRoutines& routines) {
  const Instruction& x = slot.instruction;
  const Memory& memory = t.ctx.memory;
  const uint64_t map_version = memory.map_version();  // first: what changes meanwhile is found the next time
  Words words;
  if (!read_words(memory, is_buffer(x.tex.x.op), resource, sampler, words)) return nullptr;
  const std::array<uint32_t, 4> where = {uint32_t(resource), uint32_t(sampler), uint32_t(num::hash_words(slot.words))};
  entries_.resize(kEntries);
  std::unique_ptr<Entry>& place = entries_[num::hash_words(where) % kEntries];
  if (!place) place = std::make_unique<Entry>();
  Entry& e = *place;
  const bool same = e.of == &routines && e.slot == slot.words && e.stage == t.stage && e.resource == resource && e.sampler == sampler &&
                    e.map_version == map_version && e.words == words;
  if (same) return e.routine ? &e : nullptr;
  e.of = nullptr;
  e.slot = slot.words, e.stage = t.stage, e.resource = resource, e.sampler = sampler, e.map_version = map_version, e.words = words;
  fill(e, t, x, routines);
  e.of = &routines;
  return e.routine ? &e : nullptr;
}

bool ChosenDescriptors::run(GroupArgs& args, Thread& t, const Slot& slot, SlotRoutines& routines) {
  const Instruction& x = slot.instruction;
  const isa::us_r500::Extended& e = x.tex.x;
  const XOpInfo& op = info(e.op);
  const SlotTemps temps = temps_of(x);
  const bool samples = SlotRoutines::has_sampler(e.op);
  const Selector of_sampler = samples ? selector_of(e.immediate) : Selector{};
  const Lanes *const resource = chooser(args, temps, e.descriptor), *const sampler = chooser(args, temps, of_sampler);
  const uint64_t resources = t.resources.descriptor(e.descriptor), samplers = samples ? t.resources.descriptor(of_sampler) : 0;
  const uint32_t exists = args.exists, active = args.call_active;
  uint32_t left = x.write_inactive ? exists : active;
  if (op.stores) left &= ~args.helpers;
  std::array<uint32_t, kLanes> parts;  // lanes
  size_t count = 0;
  for (; left; left &= ~parts[count++]) {
    const auto first = uint32_t(std::countr_zero(left));
    const uint32_t r = number_in(resource, first), s = number_in(sampler, first);
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < kLanes; ++l) lanes |= uint32_t(number_in(resource, l) == r && number_in(sampler, l) == s) << l;
    parts[count] = lanes & left;
  }
  const auto entry_of = [&](uint32_t lanes) {
    const auto l = uint32_t(std::countr_zero(lanes));
    return find(t, slot, resources + number_in(resource, l), samples ? samplers + number_in(sampler, l) : 0, routines);
  };
  // All or none: the reference's code would store again.
  if (op.stores && count > 1)
    for (size_t k = 0; k < count; ++k)
      if (!entry_of(parts[k])) return false;
  const View* const views = args.views;
  const TextureView* const textures = args.textures;
  const ImageView* const images = args.images;
  Lanes merged[4];
  bool done = true;
  for (size_t k = 0; k < count && done; ++k) {
    const Entry* const chosen = entry_of(parts[k]);  // valid until the next one is found
    done = chosen != nullptr;
    if (!done) break;
    args.views = &chosen->view, args.textures = &chosen->texture, args.images = &chosen->image;
    args.call_active = active & parts[k], args.exists = exists & parts[k];
    chosen->routine->run(args);
    if (count == 1 || !op.loads) continue;
    for (uint32_t c = 0; c < 4; ++c)
      for (uint32_t l = 0; l < kLanes; ++l)
        if (parts[k] >> l & 1u) merged[c].v[l] = args.out[c].v[l];
  }
  if (done && count > 1 && op.loads) std::copy(std::begin(merged), std::end(merged), args.out);
  args.views = views, args.textures = textures, args.images = images;
  args.call_active = active, args.exists = exists;
  return done;
}

}  // namespace pumice::hw::fast::extended
