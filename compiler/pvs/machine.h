// SPDX-License-Identifier: MIT
/// One PVS instruction as plain data (pvs-isa 2..6): the decoded instruction of hw/db/isa/pvs.xml, with pack() and unpack().
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/chip.h"
#include "hw/db/isa_pvs.h"

namespace pumice::compiler::pvs {

using namespace ::pumice::isa::pvs;

/// Maximum counts that fields of instruction words and flow control entries can encode; what a chip has is in ChipLimits.
inline constexpr unsigned kSlotNames = 1024, kTempNames = 128, kConstantNames = 256, kInputNames = 16, kLoopNames = 16, kRoundNames = 255;

namespace swz {
inline constexpr uint8_t x = 0, y = 1, z = 2, w = 3, zero = 4, one = 5;
}

std::string disassemble(const Instruction& instruction);
std::string disassemble(std::span<const Words> code);

/// Everything the documents forbid (pvs-isa 1, 2.3, 4..7), one message each; empty = the program obeys.
struct CheckInput {
  std::span<const Words> code;
  ChipLimits::Vertex limits;
};
std::vector<std::string> check(const CheckInput& input);

}  // namespace pumice::compiler::pvs
