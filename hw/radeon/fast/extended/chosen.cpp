// SPDX-License-Identifier: MIT
/// See chosen.h.
#include "hw/radeon/fast/extended/chosen.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

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

/// The row of GroupArgs::temp that has the registers that choose; -1: none does.
int8_t chooser(const SlotTemps& temps, const Selector& s) {
  if (!s.indirect) return -1;
  const auto n = std::find(temps.temp.begin(), temps.temp.begin() + temps.count, s.temp) - temps.temp.begin();
  return int8_t(4 * n + s.component);
}

const Lanes* row_of(const GroupArgs& args, int8_t row) { return row < 0 ? nullptr : &args.temp[row / 4][row % 4]; }

bool all_are(const Lanes* row, uint32_t number) {
  if (!row) return true;
  uint32_t differ = 0;
  for (int l = 0; l < kLanes; ++l) differ |= std::bit_cast<uint32_t>(row->v[l]) ^ number;
  return differ == 0;
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

void ChosenDescriptors::begin(Thread& thread, const hw::x::Program& program, SlotRoutines& routines) {
  thread_ = &thread, program_ = &program, routines_ = &routines;
  ++generation_;
  if (slot_.size() < program.code.size()) slot_.resize(program.code.size());
}

void ChosenDescriptors::look(uint32_t number) {
  Slot& s = slot_[number];
  const Instruction& x = program_->code[number];
  s = {.generation = generation_, .chooses = SlotRoutines::chooses(x)};
  if (!s.chooses) return;
  const isa::us_r500::Extended& e = x.tex.x;
  const XOpInfo& op = info(e.op);
  const SlotTemps temps = temps_of(x);
  s.words = &program_->shared->words[number], s.instruction = &x;
  s.samples = SlotRoutines::has_sampler(e.op), s.loads = op.loads, s.stores = op.stores, s.all = x.write_inactive;
  s.resource_row = chooser(temps, e.descriptor), s.resources = thread_->resources.descriptor(e.descriptor);
  if (!s.samples) return;
  const Selector sampler = selector_of(e.immediate);
  s.sampler_row = chooser(temps, sampler), s.samplers = thread_->resources.descriptor(sampler);
}

void ChosenDescriptors::fill(Entry& e, const Instruction& x) {
  e.routine = nullptr, e.image = {}, e.view = {}, e.texture = {};
  Thread& t = *thread_;
  const Instruction alone = SlotRoutines::slot_alone(x);
  if (is_buffer(x.tex.x.op)) {
    const xt::BufferDescriptor d = xt::decode_buffer(std::span(e.words).first<xt::kBufferDwords>());
    if (buffer_view(t.ctx.memory, d.address, d.size, e.view)) e.routine = routines_->find(alone, t.stage, {}, {});
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
  e.routine = routines_->find(alone, t.stage, textures_.keys, images_.keys);
}

/// Null: the reference's code must execute the slot. Valid until the next call.
const ChosenDescriptors::Entry* ChosenDescriptors::find(const Slot& slot, uint64_t resource, uint64_t sampler) try {
  const Instruction& x = *slot.instruction;
  const Memory& memory = thread_->ctx.memory;
  const hw::x::Stage stage = thread_->stage;
  const uint64_t map_version = memory.map_version();  // first: what changes meanwhile is found the next time
  Words words;
  if (!read_words(memory, is_buffer(x.tex.x.op), resource, sampler, words)) return nullptr;
  const std::array<uint32_t, 4> where = {uint32_t(resource), uint32_t(sampler), uint32_t(num::hash_words(*slot.words))};
  entries_.resize(kEntries);
  std::unique_ptr<Entry>& place = entries_[num::hash_words(where) % kEntries];
  if (!place) place = std::make_unique<Entry>();
  Entry& e = *place;
  const bool same = e.of == routines_ && e.slot == *slot.words && e.stage == stage && e.resource == resource && e.sampler == sampler &&
                    e.map_version == map_version && e.words == words;
  if (same) return e.routine ? &e : nullptr;
  e.of = nullptr;
  e.version = ++versions_;
  e.slot = *slot.words, e.stage = stage, e.resource = resource, e.sampler = sampler, e.map_version = map_version, e.words = words;
  fill(e, x);
  e.of = routines_;
  return e.routine ? &e : nullptr;
} catch (const std::bad_alloc&) {  // generated code lets nothing pass; the reference needs no memory
  return nullptr;
}

/// False, and nothing is done: not all lanes have chosen the same.
bool ChosenDescriptors::run_same(GroupArgs& args, Slot& s) {
  const Lanes *const resource = row_of(args, s.resource_row), *const sampler = row_of(args, s.sampler_row);
  const bool known = s.entry && s.version == s.entry->version && all_are(resource, s.resource) && all_are(sampler, s.sampler);
  if (!known) {
    const uint32_t r = number_in(resource, 0), i = number_in(sampler, 0);
    if (!all_are(resource, r) || !all_are(sampler, i)) return false;
    const Entry* const found = find(s, s.resources + r, s.samples ? s.samplers + i : 0);
    if (!found) return false;
    s.resource = r, s.sampler = i, s.entry = found, s.version = found->version;
  }
  const Entry& e = *s.entry;
  const View* const views = std::exchange(args.views, &e.view);
  const TextureView* const textures = std::exchange(args.textures, &e.texture);
  const ImageView* const images = std::exchange(args.images, &e.image);
  e.routine->run(args);
  args.views = views, args.textures = textures, args.images = images;
  return true;
}

bool ChosenDescriptors::run_parts(GroupArgs& args, const Slot& slot) {
  const Lanes *const resource = row_of(args, slot.resource_row), *const sampler = row_of(args, slot.sampler_row);
  const uint32_t exists = args.exists, active = args.call_active;
  uint32_t left = slot.all ? exists : active;
  if (slot.stores) left &= ~args.helpers;
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
    return find(slot, slot.resources + number_in(resource, l), slot.samples ? slot.samplers + number_in(sampler, l) : 0);
  };
  // All or none: the reference's code would store again.
  if (slot.stores && count > 1)
    for (size_t k = 0; k < count; ++k)
      if (!entry_of(parts[k])) return false;
  const View* const views = args.views;
  const TextureView* const textures = args.textures;
  const ImageView* const images = args.images;
  Lanes merged[4];
  bool done = true;
  for (size_t k = 0; k < count; ++k) {
    const Entry* const chosen = entry_of(parts[k]);
    done = chosen != nullptr;
    if (!done) break;
    args.views = &chosen->view, args.textures = &chosen->texture, args.images = &chosen->image;
    args.call_active = active & parts[k], args.exists = exists & parts[k];
    chosen->routine->run(args);
    if (count == 1 || !slot.loads) continue;
    for (uint32_t c = 0; c < 4; ++c)
      for (uint32_t l = 0; l < kLanes; ++l)
        if (parts[k] >> l & 1u) merged[c].v[l] = args.out[c].v[l];
  }
  if (done && count > 1 && slot.loads) std::copy(std::begin(merged), std::end(merged), args.out);
  args.views = views, args.textures = textures, args.images = images;
  args.call_active = active, args.exists = exists;
  return done;
}

}  // namespace pumice::hw::fast::extended
