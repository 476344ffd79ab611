// SPDX-License-Identifier: MIT
/// One PVS instruction as plain data (pvs-isa 2..6), and its four dwords.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/chip.h"

namespace pumice::compiler::pvs {

/// How many the fields of instruction words and flow control entries can name; what a chip has is ChipLimits.
inline constexpr unsigned kSlotNames = 1024, kTempNames = 128, kConstantNames = 256, kInputNames = 16, kLoopNames = 16, kRoundNames = 255;

using Words = std::array<uint32_t, 4>;

namespace swz {
inline constexpr uint8_t x = 0, y = 1, z = 2, w = 3, zero = 4, one = 5;
}

enum class Addressing : uint8_t { absolute = 0, a0 = 1, loop = 2, reserved = 3 };

struct Source {
  uint8_t file = 0;  ///< PVS_SRC_REG_TYPE
  uint8_t offset = 0;
  Addressing addressing = Addressing::absolute;
  uint8_t a0_lane = 0;
  std::array<uint8_t, 4> swizzle{swz::zero, swz::zero, swz::zero, swz::zero};
  uint8_t negate = 0;  ///< lane mask
  bool abs = false;
  bool operator==(const Source&) const = default;
};

enum class Engine : uint8_t { vector, math, macro };

struct Instruction {
  Engine engine = Engine::vector;
  uint8_t op = 0;
  uint8_t dst_file = 0;  ///< PVS_DST_REG_TYPE
  uint8_t dst = 0, write = 0;
  Addressing dst_addressing = Addressing::absolute;
  uint8_t dst_a0_lane = 0;
  bool vector_saturate = false, math_saturate = false, predicated = false, sense = false, dual_math = false;
  std::array<Source, 3> source;
  uint32_t dual = 0;  ///< dword 3 of a dual-issue instruction, undecoded
  bool operator==(const Instruction&) const = default;
};

Words encode(const Instruction& instruction);
Instruction decode(const Words& words);

/// Operands that the operation reads.
unsigned source_count(const Instruction& instruction);

std::string disassemble(const Instruction& instruction);
std::string disassemble(std::span<const Words> code);

/// Everything the documents forbid (pvs-isa 1, 2.3, 4..7), one message each; empty = the program obeys.
struct CheckInput {
  std::span<const Words> code;
  ChipLimits::Vertex limits = kR500.vertex;
};
std::vector<std::string> check(const CheckInput& input);

}  // namespace pumice::compiler::pvs
