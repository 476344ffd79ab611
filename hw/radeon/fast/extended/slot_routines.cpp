// SPDX-License-Identifier: MIT
/// See slot_routines.h.
#include "hw/radeon/fast/extended/slot_routines.h"

#include <algorithm>

#include "hw/common/simd/flush.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Instruction;
using isa::us_r500::Selector;
using isa::us_r500::selector_of;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

namespace {

constexpr uint8_t kSets = std::tuple_size_v<decltype(hw::x::Resources::set)>;

}  // namespace

bool SlotRoutines::has_sampler(XOp op) { return (info(op).fetches && op != XOp::FETCH) || op == XOp::QLOD; }

bool SlotRoutines::chooses(const Instruction& x) {
  if (x.type != Type::TEXTURE || x.tex.inst != TexOp::X || !uses_descriptor(x.tex.x.op)) return false;
  const Selector& resource = x.tex.x.descriptor;
  const Selector sampler = has_sampler(x.tex.x.op) ? selector_of(x.tex.x.immediate) : Selector{};
  return (resource.indirect || sampler.indirect) && resource.set < kSets && sampler.set < kSets;
}

Instruction SlotRoutines::slot_alone(Instruction x) {
  x.tex.x.descriptor = {.set = kResourceSet};
  if (has_sampler(x.tex.x.op)) x.tex.x.immediate = word_of(Selector{.set = kSamplerSet});
  return x;
}

std::shared_ptr<const Routine> SlotRoutines::find(const Instruction& alone, hw::x::Stage stage, std::span<const TextureKey> textures,
                                                  std::span<const ImageKey> images) {
  Key key{};
  const isa::us_r500::Words words = pack(alone);
  static_assert(std::tuple_size_v<Key> == std::tuple_size_v<isa::us_r500::Words> + 5);
  auto* at = std::copy(words.begin(), words.end(), key.begin());
  *at++ = uint32_t(stage);
  if (!textures.empty()) {
    const auto of_texture = textures.front().words();
    std::copy(of_texture.begin(), of_texture.end(), at);
  }
  key.back() = images.empty() ? 0 : images.front().word();
  const std::lock_guard lock(mutex_);
  if (const auto known = routines_.find(key); known != routines_.end()) return known->second;
  if (routines_.size() >= kMost) routines_.clear();
  return routines_[key] = make(alone, stage, textures, images);
}

size_t SlotRoutines::usable() {
  const std::lock_guard lock(mutex_);
  return size_t(std::count_if(routines_.begin(), routines_.end(), [](const auto& r) { return r.second != nullptr; }));
}

std::shared_ptr<const Routine> SlotRoutines::make(const Instruction& alone, hw::x::Stage stage, std::span<const TextureKey> textures,
                                                  std::span<const ImageKey> images) const {
  constexpr uint32_t kAllTemps = 128;
  const OrdinaryFloats ordinary;  // constants are folded
  const hw::x::Program program(std::make_shared<const hw::x::Code>(std::vector{alone}));
  auto made = std::make_shared<const Routine>(program, hw::x::Resources{.temps = kAllTemps}, stage, GroupForm{.full = false, .slot = true},
                                              DescriptorKeys{textures, images, {}}, cpu_, names_, memory_);
  if (!made->usable() || made->calls() || made->views().size() > 1) return nullptr;
  if (!made->views().empty() && made->views().front().constants) return nullptr;
  return made;
}

}  // namespace pumice::hw::fast::extended
