// SPDX-License-Identifier: MIT
/// The slots of a fragment program, each decoded when it is first executed and kept for the draw (DrawContext::us_code).
#pragma once
#include <vector>

#include "hw/db/isa_us_r500.h"

namespace pumice::hw::us {

class DecodedCode {
 public:
  /// `words` is what the slot holds now. The reference is valid until the next call.
  const isa::us_r500::Instruction& at(uint32_t slot, const isa::us_r500::Words& words) {
    if (slot >= slots_.size()) slots_.resize(slot + 1);
    Slot& s = slots_[slot];
    if (s.words != words) {
      s.words = words;
      s.instruction = isa::us_r500::unpack(words);
    }
    return s.instruction;
  }

 private:
  struct Slot {
    isa::us_r500::Words words{};
    isa::us_r500::Instruction instruction = isa::us_r500::unpack({});
  };
  std::vector<Slot> slots_;
};

}  // namespace pumice::hw::us
