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
  /// Before the groups of another draw or dispatch. Descriptors are taken to stay the same until the next call.
  void begin(Thread& thread, const hw::x::Program& program, SlotRoutines& routines);
  /// Executes the slot `args.slot` for the lanes and registers in `args`, once for each descriptor that lanes have chosen. False, and
  /// nothing is stored: the reference's code must. Of the thread resources, stage and memory are used.
  bool run(GroupArgs& args) {
    Slot& s = slot_[args.slot];
    if (s.generation != generation_) look(args.slot);
    return s.chooses && (run_same(args, s) || run_parts(args, s));
  }

 private:
  /// A slot with a descriptor and a sampler.
  struct Entry {
    isa::us_r500::Words slot{};
    hw::x::Stage stage{};
    uint64_t resource = 0, sampler = 0;  ///< addresses
    uint64_t map_version = 0;
    std::array<uint32_t, xt::kImageDwords + xt::kSamplerDwords> words{};  ///< of the descriptors
    const SlotRoutines* of = nullptr;
    uint64_t version = 0;                    ///< another number for each content
    std::shared_ptr<const Routine> routine;  ///< null: the reference's code
    TextureView texture;
    ImageView image;
    View view;
  };
  /// A slot of the program.
  struct Slot {
    uint64_t generation = 0;
    bool chooses = false;
    bool samples = false, loads = false, stores = false, all = false;  ///< all: of lanes that exist
    int8_t resource_row = -1, sampler_row = -1;                        ///< of GroupArgs::temp, in Lanes; -1: no register chooses
    uint64_t resources = 0, samplers = 0;                              ///< addresses that registers are added to
    const isa::us_r500::Words* words = nullptr;
    const isa::us_r500::Instruction* instruction = nullptr;
    // What was chosen last by all lanes.
    uint32_t resource = 0, sampler = 0;  ///< the registers
    const Entry* entry = nullptr;        ///< null: nothing yet
    uint64_t version = 0;                ///< of `entry`
  };
  void look(uint32_t slot);
  bool run_same(GroupArgs& args, Slot& slot);
  bool run_parts(GroupArgs& args, const Slot& slot);
  const Entry* find(const Slot& slot, uint64_t resource, uint64_t sampler);
  void fill(Entry& entry, const isa::us_r500::Instruction& x);

  Thread* thread_ = nullptr;
  const hw::x::Program* program_ = nullptr;
  SlotRoutines* routines_ = nullptr;
  uint64_t generation_ = 0, versions_ = 0;
  std::vector<Slot> slot_;  ///< of the program
  static constexpr size_t kEntries = 256;
  std::vector<std::unique_ptr<Entry>> entries_;  ///< by hash; empty before the first one
  DecodedTextures decoded_;
  Textures textures_;  ///< of fill()
  Images images_;
};

}  // namespace pumice::hw::fast::extended
