// SPDX-License-Identifier: MIT
/// A vertex program as the list of instructions that every vertex executes: flow control depends on registers only and is resolved here.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/radeon/jit/lane/interpret.h"
#include "hw/radeon/jit/lane/routine.h"
#include "hw/radeon/jit/pvs/program.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::fast::vertex {

/// Longer programs are left to the reference.
inline constexpr uint32_t kMaxSteps = 1u << 14;
inline constexpr size_t kMaxNodes = 1u << 18;  ///< of lane IR

struct Program {
  std::vector<PvsOp> ops;
  PvsCode code;                             ///< points into ops
  uint32_t steps = 0;                       ///< instructions a vertex costs, empty ones included; 0: too long
  uint32_t inputs = 0;                      ///< registers read
  std::array<bool, kConstants> constant{};  ///< read by number
  std::vector<uint8_t> constants;           ///< all that may be read
  bool any_constant = false;                ///< read by A0
  uint32_t constant_base = 0, constant_max = 0;
  std::string complaint;
  uint64_t written_rows = 0;  ///< output rows that it writes
  lane::Program lanes;        ///< empty when there is native code
  std::unique_ptr<const lane::Interpreter> interpreter;
  std::shared_ptr<const lane::Code> native;  ///< made once enough vertices were interpreted
  uint32_t shaded = 0;                       ///< vertices by the interpreter

  // What it was made from.
  std::optional<Profile> profile;
  std::array<uint32_t, 2 + 1 + 3 * 16> registers{};
  uint32_t first_slot = 0, slots = 0;  ///< that can be reached
  std::vector<std::array<uint32_t, 4>> words;
  bool made_from(const ChipState& state) const;
};

/// The registers that the list depends on, besides the code.
std::array<uint32_t, 2 + 1 + 3 * 16> program_registers(const ChipState& state);
void make_program(const ChipState& state, Program& program);

}  // namespace pumice::hw::fast::vertex
