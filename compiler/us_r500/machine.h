// SPDX-License-Identifier: MIT
/// One R5xx US slot as plain data (us-isa A1..A9), and its six dwords. Numbers in the fields are the codes of the
/// instruction words (regs::US_*), so that decode(encode(x)) == x for every legal x.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/chip.h"

namespace pumice::compiler::us {

/// How many the fields of instruction words can name; what a chip has is ChipLimits.
inline constexpr unsigned kSlotNames = 512, kTempNames = 128, kConstantNames = 256, kUnitNames = 16, kTargetNames = 4,
                          kLoopConstantNames = 32, kRoundNames = 255;

using Words = std::array<uint32_t, 6>;

enum class Type : uint8_t { alu, out, flow, tex };

/// Swizzle codes of ALU operands.
namespace swz {
inline constexpr uint8_t r = 0, g = 1, b = 2, a = 3, zero = 4, half = 5, one = 6, unused = 7;
}

/// One of the three addresses of a unit. `value` is a temp or constant index, or the 7-bit code of an inline constant.
struct Address {
  enum class File : uint8_t { temp, constant, inline_float } file = File::inline_float;
  uint8_t value = 0;
  bool relative = false;
  bool operator==(const Address&) const = default;
};

/// `swizzle` has three channels in the RGB unit; the alpha unit uses the first.
struct Operand {
  uint8_t select = 0;
  std::array<uint8_t, 3> swizzle{swz::zero, swz::zero, swz::zero};
  uint8_t modifier = 0;  ///< bit 0 negate, bit 1 absolute (absolute first)
  bool operator==(const Operand&) const = default;
};

/// What one of the two units does.
struct Unit {
  uint8_t op = 0;
  std::array<Address, 3> address;
  uint8_t presubtract = 0;
  std::array<Operand, 3> operand;
  uint8_t omod = 0, target = 0, dest = 0;
  bool dest_relative = false;
  uint8_t write = 0, output = 0;  ///< channel masks (RGB 3 bits, alpha 1 bit): temp write; target or predicate write
  bool clamp = false;
  bool operator==(const Unit&) const = default;
};

struct Texture {
  uint8_t unit = 0, inst = 0;
  bool acquire = false, ignore_uncovered = false, unscaled = false;
  /// A temp and a channel for each of S, T, R, Q (sources) or r, g, b, a (destination).
  struct Port {
    uint8_t temp = 0;
    bool relative = false;
    std::array<uint8_t, 4> swizzle{0, 1, 2, 3};
    bool operator==(const Port&) const = default;
  } source, dest, dx, dy;
  bool operator==(const Texture&) const = default;
};

struct Flow {
  uint8_t op = 0, address_op = 0, jump_func = 0, pop_count = 0, branch_op0 = 0, branch_op1 = 0;
  bool is_else = false, jump_any = false, ignore_uncovered = false, global = false;
  uint8_t bool_address = 0, int_address = 0;
  uint16_t target = 0;
  bool operator==(const Flow&) const = default;
};

struct Instruction {
  Type type = Type::alu;
  bool tex_sem_wait = false, write_inactive = false, last = false, nop = false, alu_wait = false;
  uint8_t rgb_predicate = 0, alpha_predicate = 0;
  bool rgb_predicate_invert = false, alpha_predicate_invert = false;
  bool result_write = false, result_alpha = false;  ///< ALU result bit: written; from alpha instead of red
  uint8_t result_op = 0;
  bool depth_write = false;
  Unit rgb, alpha;  ///< texture instructions use the write masks of both
  Texture tex;
  Flow flow;
  bool operator==(const Instruction&) const = default;
};

Words encode(const Instruction& instruction);
Instruction decode(const Words& words);

/// Value of an inline constant code (us-isa A3), and the code of a value that has one (sign excluded), else -1.
float inline_value(uint8_t code);
int inline_code(float value);

/// One line of text without the slot number, e.g. `MAD r0.rgb, t1.rgb, c0.rrr, -0 | RCP ...`.
std::string disassemble(const Instruction& instruction);
/// The whole program, one slot a line.
std::string disassemble(std::span<const Words> code);

/// Everything the documents forbid (us-isa A2..A9), one message each; empty = the program obeys.
struct CheckInput {
  std::span<const Words> code;
  unsigned frame_size = kR500.fragment.temps;  ///< temps the driver will grant (US_PIXSIZE + 1)
  bool full_flow_control = false;
  const ChipLimits* chip = &kR500;
};
std::vector<std::string> check(const CheckInput& input);
/// The same for slots that are not words yet; input.code is not looked at.
std::vector<std::string> check(std::span<const Instruction> code, const CheckInput& input);

}  // namespace pumice::compiler::us
