// SPDX-License-Identifier: MIT
/// pumice-rdp: the RDP model on the command line.
#include <cstdio>
#include <cstring>

#include "hw/rdp/tools/tool.h"

int main(int argc, char** argv) {
  using namespace pumice::hw::rdp;
  const std::vector<std::string> args(argv + (argc > 1 ? 2 : 1), argv + argc);
  if (argc > 1 && !std::strcmp(argv[1], "verify")) return verify(args);
  std::fprintf(stderr, "usage: pumice-rdp verify FOLDER   check all vectors (*.rdpv) of a folder\n");
  return 2;
}
