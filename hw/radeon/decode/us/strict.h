// SPDX-License-Identifier: MIT
/// Fragment programs of the strict stores, decoded once: an instruction when it first runs after its words were written (R5xx), the row of
/// levels when its registers changed (R3xx). What is kept is compared with the state's words, so that it need not hear of writes.
#pragma once
#include <optional>
#include <vector>

#include "hw/radeon/decode/us/r300.h"

namespace pumice::hw::us {

/// The instruction in these words, with the codes of extended programs taken as strict chips take them (docs/r5x.md s.2).
isa::us_r500::Instruction strict_instruction(const isa::us_r500::Words& words);

/// Of one thread.
class StrictPrograms {
 public:
  /// Slot `pc` of the R5xx store, less than Capabilities::us_slots. Valid until the next call.
  const isa::us_r500::Instruction& slot(const ChipState& state, uint32_t pc);
  /// The R3xx's program. Valid until the next call.
  const us_r300::Program& levels(const ChipState& state);

 private:
  struct Slot {
    isa::us_r500::Words words;
    isa::us_r500::Instruction decoded;
  };
  std::vector<std::optional<Slot>> slots_;
  std::optional<Profile> profile_;   ///< that levels_ was made for
  std::vector<uint32_t> registers_;  ///< that it was made from
  us_r300::Program levels_;
  std::vector<isa::us_r500::Words> banks_;  ///< the same, of the R4xx
};

}  // namespace pumice::hw::us
