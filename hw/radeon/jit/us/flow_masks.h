// SPDX-License-Identifier: MIT
/// The masks that predicates and flow control make of the lanes (us-isa A9; hw/radeon/ref/us/flow.h and FlowState in thread.h are the
/// specification), for strict programs and extended ones. Where predicates are kept and where lanes jump is the translator's.
#pragma once
#include <array>

#include "hw/radeon/jit/us/arithmetic.h"

namespace pumice::hw::fast::us {

class FlowMasks : protected Arithmetic {
 protected:
  ~FlowMasks() = default;
  /// The predicate of a channel.
  virtual Mask read_predicate(uint32_t channel) = 0;
  /// The lanes where bit `address` of US_FC_BOOL_CONST is set: all or none.
  virtual Mask boolean(uint32_t address) = 0;

  /// The lanes in which a channel's predicate lets an instruction write. select, invert: US_CMN_INST's fields; 1 = the channel's own.
  Mask enabled(uint32_t select, bool invert, uint32_t channel);
  /// Of the four channels: r, g, b from the RGB unit's selection, a from the alpha unit's.
  std::array<Mask, 4> enabled_channels(const Instruction& x);
  /// The lanes whose (ALU result, predicate, bool) is set in JUMP_FUNC.
  Mask wanting(const Instruction& x);

  Mask all_, none_;
  Mask active_;  ///< lanes that write
  Mask alu_result_;
};

}  // namespace pumice::hw::fast::us
