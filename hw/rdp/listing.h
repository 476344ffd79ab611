// SPDX-License-Identifier: MIT
/// Readable listings of commands, from the command database.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pumice::hw::rdp {

/// One command per line (coefficient groups on lines of their own). The last command may be cut off.
std::string list_commands(const std::vector<uint64_t>& words);

/// What is wrong with a list as a whole: opcodes the RDP does not define (it ignores them), a last command that is cut off.
struct ListFindings {
  size_t commands = 0, undefined = 0;
  size_t first_undefined = 0;  ///< its word; valid when undefined != 0
  bool cut_off = false;
  bool any() const { return undefined || cut_off; }
};
ListFindings check_commands(const std::vector<uint64_t>& words);

}  // namespace pumice::hw::rdp
