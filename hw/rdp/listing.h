// SPDX-License-Identifier: MIT
/// Readable listings of commands, from the command database.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace pumice::hw::rdp {

/// One command a line (coefficient groups on lines of their own). The last command may be cut off.
std::string list_commands(const std::vector<uint64_t>& words);

}  // namespace pumice::hw::rdp
