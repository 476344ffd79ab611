// SPDX-License-Identifier: MIT
/// pumice-replay in parts.
#pragma once
#include <string>
#include <vector>

#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

/// Who executes: "fast", "ref", "check", and after colons a number of threads and an instruction set, as in fast:7:avx2.
struct Spec {
  std::string text;
  GpuConfig config;
};
/// False with a message on stderr.
bool parse_spec(const std::string& text, Spec& out);

/// Says on stderr what the chip complains of.
void print_report(const Report& report);

/// --compare: plays with each of them; where two differ, finds the draw, the surface and the pixel. Exit code: 0 equal, 1 not, 2 error.
int compare(const std::string& file, const std::vector<Spec>& specs);

}  // namespace pumice::hw::trace
