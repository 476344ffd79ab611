// SPDX-License-Identifier: MIT
/// The command database as tables, for listings. Generated from hw/db/regs/rdp.xml.
#pragma once
#include <cstdint>
#include <span>

namespace pumice::hw::rdp {

/// One field of a command: its bits and, for a value split over two words, the bits of its lower half.
struct FieldInfo {
  const char* name;
  int word, high, low;
  int frac_word, frac_high, frac_low;  // frac_high < 0: not split
  bool is_signed;
  int fraction;               // fraction bits of the value
  const char* const* values;  // names of all values, or null
};

struct CommandInfo {
  const char* name;
  unsigned words;
  std::span<const FieldInfo> fields;
};

/// By opcode. The ones that the database does not have are named kUndefinedCommand and have one word.
extern const CommandInfo kCommands[64];
inline constexpr const char* kUndefinedCommand = "undefined";
extern const CommandInfo kShadeCoefficients;
extern const CommandInfo kTextureCoefficients;
extern const CommandInfo kDepthCoefficients;

}  // namespace pumice::hw::rdp
