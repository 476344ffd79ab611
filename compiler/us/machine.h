// SPDX-License-Identifier: MIT
/// One R5xx US slot as plain data (us-isa A1..A9): the decoded instruction of hw/db/isa/us_r500.xml, with pack() and unpack().
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/chip.h"
#include "hw/db/isa_us_r500.h"

namespace pumice::compiler::us {

using namespace ::pumice::isa::us_r500;

/// Maximum counts that fields of instruction words can encode; what a chip has is in ChipLimits.
inline constexpr unsigned kSlotNames = 512, kTempNames = 128, kConstantNames = 256, kUnitNames = 16, kTargetNames = 4,
                          kLoopConstantNames = 32, kRoundNames = 255;

/// Where a descriptor is; a name that select_detail::Selector does not hide.
using DescriptorSelector = Selector;

/// Numbers of docs/r5x.md: SYS 9; slots of EXP; bytes from an image's descriptor to the sampler's of a combined one.
inline constexpr unsigned kHelper = 9, kClock = 49, kPointSize = 17, kVaryings = 32, kSamplerBehindImage = 32;

/// Swizzle codes of ALU operands.
namespace swz {
inline constexpr uint8_t r = 0, g = 1, b = 2, a = 3, zero = 4, half = 5, one = 6, unused = 7;
}

/// One line of text without the slot number, e.g. `MAD r0.rgb, t1.rgb, c0.rrr, -0 | RCP ...`.
std::string disassemble(const Instruction& instruction);
/// The whole program, one slot a line.
std::string disassemble(std::span<const Words> code);

/// Everything the documents forbid (us-isa A2..A9), one message each; empty = the program obeys.
struct CheckInput {
  std::span<const Words> code;
  unsigned frame_size = 0;  ///< temps the driver will grant (US_PIXSIZE + 1)
  bool full_flow_control = false;
  const ChipLimits* chip = nullptr;  ///< never null
};
std::vector<std::string> check(const CheckInput& input);
/// The same for slots that are not words yet; input.code is not looked at.
std::vector<std::string> check(std::span<const Instruction> code, const CheckInput& input);

}  // namespace pumice::compiler::us
