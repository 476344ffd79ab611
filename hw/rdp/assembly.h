// SPDX-License-Identifier: MIT
/// Commands as text and back, to the bit: "triangle shade yl=12.5 ... | shade_coefficients red=1.25 ...". Field names and values are the
/// database's; fields that are 0 are left out; "!word0=0x40" are bits that no field has.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pumice::hw::rdp {

/// Of the command that begins `words`, which holds all of it (command_words()).
std::string command_text(std::span<const uint64_t> words);

struct AssembledCommand {
  std::vector<uint64_t> words;
  std::string error;  ///< empty: none
  size_t column = 0;  ///< of the error, from 0
  bool ok() const { return error.empty(); }
};
AssembledCommand command_from_text(std::string_view line);

}  // namespace pumice::hw::rdp
