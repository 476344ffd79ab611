// SPDX-License-Identifier: MIT
/// pumice-rdp: the RDP model on the command line.
#include <cstdio>
#include <string_view>

#include "hw/rdp/tools/tool.h"

namespace {

struct Command {
  std::string_view name;
  int (*run)(const std::vector<std::string>&);
  const char* help;
};

constexpr Command kCommands[] = {
    {"verify", pumice::hw::rdp::verify, "FOLDER             check all vectors (*.rdpv) of a folder"},
    {"play", pumice::hw::rdp::play, "FILE [options]     play a list: listing, PNG, time"},
    {"fuzz", pumice::hw::rdp::fuzz, "[SEED [COUNT]]     random lists: reference against SIMD and threads"},
    {"bench", pumice::hw::rdp::bench, "[SECONDS] [options] ns per pixel of typical workloads"},
    {"asm", pumice::hw::rdp::assemble, "[FILE]             commands as text to words"},
    {"dis", pumice::hw::rdp::disassemble, "[WORD ...]         words to text"},
    {"compare", pumice::hw::rdp::compare, "FILE FILE          do two lists leave the same memory?"},
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + (argc > 1 ? 2 : 1), argv + argc);
  for (const Command& c : kCommands)
    if (argc > 1 && c.name == argv[1]) return c.run(args);
  const bool help = argc > 1 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h");
  std::FILE* const to = help ? stdout : stderr;
  std::fprintf(to, "usage: pumice-rdp COMMAND\n");
  for (const Command& c : kCommands) std::fprintf(to, "  %-8.*s %s\n", static_cast<int>(c.name.size()), c.name.data(), c.help);
  return help ? 0 : 2;
}
