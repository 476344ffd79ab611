// SPDX-License-Identifier: MIT
/// Descriptors that registers choose: which of them the lanes of a slot have chosen, and what was found out about each. One thread's.
#pragma once
#include <array>
#include <memory>

#include "hw/radeon/fast/extended/images.h"
#include "hw/radeon/fast/extended/slot_routines.h"
#include "hw/radeon/fast/extended/textures.h"
#include "hw/radeon/ref/us/group.h"

namespace pumice::hw::fast::extended {

class ChosenDescriptors {
 public:
  using Thread = hw::us::GroupThread<hw::x::kGroupLanes>;
  struct Slot {
    const isa::us_r500::Instruction& instruction;
    const isa::us_r500::Words& words;  ///< the same
  };
  /// Executes a slot of which SlotRoutines::chooses(), for the lanes and registers in `args`; once for each descriptor that lanes have
  /// chosen. Of `thread` resources, stage and memory are used. False, and nothing is stored: the reference's code must.
  bool run(GroupArgs& args, Thread& thread, const Slot& slot, SlotRoutines& routines);

 private:
  /// A slot with a descriptor and a sampler.
  struct Entry {
    isa::us_r500::Words slot{};
    hw::x::Stage stage{};
    uint64_t resource = 0, sampler = 0;  ///< addresses
    uint64_t map_version = 0;
    std::array<uint32_t, xt::kImageDwords + xt::kSamplerDwords> words{};  ///< of the descriptors
    const SlotRoutines* of = nullptr;
    std::shared_ptr<const Routine> routine;  ///< null: the reference's code
    TextureView texture;
    ImageView image;
    View view;
  };
  const Entry* find(Thread& thread, const Slot& slot, uint64_t resource, uint64_t sampler, SlotRoutines& routines);
  void fill(Entry& entry, Thread& thread, const isa::us_r500::Instruction& x, SlotRoutines& routines);

  static constexpr size_t kEntries = 256;
  std::vector<std::unique_ptr<Entry>> entries_;  ///< by hash; empty before the first one
  DecodedTextures decoded_;
  Textures textures_;  ///< of fill()
  Images images_;
};

}  // namespace pumice::hw::fast::extended
