// SPDX-License-Identifier: MIT
/// Which slots of a fragment program can run, and properties of the program derived from them.
#pragma once
#include <bitset>
#include <optional>
#include <vector>

#include "hw/db/isa_us_r500.h"
#include "hw/radeon/decode/us/r300.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast::us {

struct Reach {
  uint32_t first = 0, last = 0;  ///< window of US_CODE_RANGE
  uint32_t start = 0, end = 0, offset = 0;
  std::bitset<us_r300::kMostInstructions> slot;  ///< reached along any jump; conservative
  uint32_t lowest = most::us_slots, behind = 0;  ///< slots lowest..behind - 1 hold all that are reached
  bool leaves = false;                           ///< some path leaves the window
  /// Of the R3xx, which has levels instead of slots: slots count its instructions in the order of execution.
  std::optional<us_r300::Program> levels;
};
Reach reach(const ChipState& state);
/// The slot a flow control instruction jumps to; `offset`: US_CODE_OFFSET.
inline uint32_t jump_target(const isa::us_r500::Flow& f, uint32_t offset) { return f.target + (f.global ? 0 : offset); }
/// By slot, up to the last that is reached or END; what is not reached is not decoded.
std::vector<isa::us_r500::Instruction> decode(const ChipState& state, const Reach& reach);
ShadeTraits traits(const ChipState& state, const Reach& reach);

}  // namespace pumice::hw::fast::us
