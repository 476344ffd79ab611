// SPDX-License-Identifier: MIT
/// The subcommands of pumice-rdp; each returns the exit status.
#pragma once
#include <string>
#include <vector>

namespace pumice::hw::rdp {

int assemble(const std::vector<std::string>& args);
int bench(const std::vector<std::string>& args);
int compare(const std::vector<std::string>& args);
int disassemble(const std::vector<std::string>& args);
int fuzz(const std::vector<std::string>& args);
int play(const std::vector<std::string>& args);
int verify(const std::vector<std::string>& args);

}  // namespace pumice::hw::rdp
