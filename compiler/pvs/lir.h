// SPDX-License-Identifier: MIT
/// The PVS back end's own form: operations over virtual registers, one per instruction, and counted loops.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/isa/allocate.h"
#include "compiler/pvs/machine.h"

namespace pumice::compiler::pvs {

struct VSource {
  enum class Kind : uint8_t { none, reg, input, constant, relative, loop_relative } kind = Kind::none;
  uint32_t index = 0;  ///< virtual register, input register, constant slot; relative: slot of A0 = 0 or aL = 0
  uint8_t a0_lane = 0;
  /// Per slot: lane 0..3, or swz::zero, swz::one.
  std::array<uint8_t, 4> lane{swz::zero, swz::zero, swz::zero, swz::zero};
  uint8_t negate = 0;  ///< per slot
  bool abs = false;
};

struct Op {
  enum class Kind : uint8_t { alu, loop, endloop } kind = Kind::alu;
  uint8_t rounds = 0;     ///< loop: 1..255
  int8_t index_step = 0;  ///< loop: aL counts from 0 in these steps
  Engine engine = Engine::vector;
  uint8_t op = 0;
  uint8_t sources = 0, slots = 0;
  std::array<VSource, 3> source;
  enum class Dst : uint8_t { reg, output, address } dst_kind = Dst::reg;
  uint32_t dst = 0;
  std::array<uint8_t, 4> dst_lane{};
  /// Sources' slots are the four product terms or the scalar, not lanes of the result; every written lane gets the one result.
  bool replicated = false;
  bool saturate = false;
  const uint32_t* at = nullptr;  ///< ir::origin() of what it was made for, for listings
};

/// Operand slots that matter.
inline unsigned slots_read(const Op& op) { return op.replicated ? 4 : op.slots; }

struct Lir {
  Vec<Op> ops;
  Vec<isa::VirtualRegister> registers;
  uint32_t new_register(unsigned lanes) {
    isa::VirtualRegister r;
    r.lanes = static_cast<uint8_t>(lanes);
    registers.push_back(r);
    return static_cast<uint32_t>(registers.size()) - 1;
  }
};

Vec<isa::Point> points(const Lir& lir);
/// Removes dead operations and lanes.
void remove_dead(Lir& lir);
/// Lets the operations that compute a value only an output needs write the output themselves.
void write_outputs_directly(Lir& lir);
std::string print(const Lir& lir);

}  // namespace pumice::compiler::pvs
