// SPDX-License-Identifier: MIT
/// Routines of single slots whose descriptors a register chooses (docs/r5x.md 4): one for each slot and kind of descriptor. Programs call
/// them through Caller::slot; a program itself cannot have code for descriptors that are found while it runs.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "hw/radeon/fast/extended/routine.h"

namespace pumice::hw::fast::extended {

class SlotRoutines {
 public:
  /// Of the descriptors in the slots that slot_alone() returns.
  static constexpr uint8_t kResourceSet = 0, kSamplerSet = 1;
  SlotRoutines(Cpu cpu, CodeNames names, std::shared_ptr<lane::CodeMemory> memory) : cpu_(cpu), names_(names), memory_(std::move(memory)) {}
  /// Whether a register chooses a descriptor of the slot.
  static bool chooses(const isa::us_r500::Instruction& x);
  static bool has_sampler(isa::us_r500::XOp op);
  /// The same slot with a descriptor, and a sampler, at the beginning of a set of its own.
  static isa::us_r500::Instruction slot_alone(isa::us_r500::Instruction x);
  /// The routine of a slot from slot_alone(): registers from GroupArgs::temp to GroupArgs::out, as Callbacks::slot; at most one texture,
  /// image and view each. The keys are of its descriptors, where it has them. Null: the reference's code must execute it. Any thread.
  std::shared_ptr<const Routine> find(const isa::us_r500::Instruction& alone, hw::x::Stage stage, std::span<const TextureKey> textures,
                                      std::span<const ImageKey> images);
  /// How many slots have a routine.
  size_t usable();

 private:
  static constexpr size_t kMost = 1024;  ///< then all are dropped
  using Key = std::array<uint32_t, 11>;
  std::shared_ptr<const Routine> make(const isa::us_r500::Instruction& alone, hw::x::Stage stage, std::span<const TextureKey> textures,
                                      std::span<const ImageKey> images) const;

  const Cpu cpu_;
  const CodeNames names_;
  const std::shared_ptr<lane::CodeMemory> memory_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Routine>> routines_;
};

}  // namespace pumice::hw::fast::extended
