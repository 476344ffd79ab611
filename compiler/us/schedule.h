// SPDX-License-Identifier: MIT
/// From Lir with registers to slots: pairs RGB and alpha operations, groups texture instructions, sets the semaphore, ALU_WAIT and NOP
/// bits (us-isa A7) and lays out flow control by the idioms of A9.
#pragma once
#include <vector>

#include "compiler/isa/slot_lines.h"
#include "compiler/us/lir.h"

namespace pumice::compiler::us {

using isa::SlotPlace;

struct Scheduled {
  Vec<Instruction> code;
  Vec<SlotPlace> places;  ///< Op::at of what each slot does
  bool full_flow_control = false;
  uint32_t paired = 0;
};
Scheduled schedule(const Lir& lir, const isa::Allocation& allocation, const ChipLimits& chip);

/// Units and idle addresses of one slot: every operand needs its register at the RGB address, the alpha address or both of the
/// same source number (A3).
struct Half {
  Unit unit;  ///< everything but addresses and selects
  uint8_t requests = 0;
  struct Request {
    uint32_t key = 0;                                ///< the address as a number, see address_key()
    bool rgb = false, alpha = false, first = false;  ///< where it is needed; must be source 0
    bool second = false;                             ///< must be source 1
  };
  static constexpr uint8_t kPresubtracted = 5;
  std::array<Request, 4> request;
  /// Per operand: 1 + the index of its request; 0: no register, any source number fits; or kPresubtracted.
  std::array<uint8_t, 3> request_of{};
  bool depth = false, condition = false, presubtracted = false;
  uint8_t condition_op = 0;
};
inline uint32_t address_key(Address::File file, uint32_t value, bool relative) {
  return static_cast<uint32_t>(file) << 16 | uint32_t{relative} << 8 | value;
}
/// Chooses source numbers for the operands of both halves (null: the unit is idle); false if three addresses a unit are not enough.
bool place_sources(const Half* rgb, const Half* alpha, Instruction& out);

}  // namespace pumice::compiler::us
