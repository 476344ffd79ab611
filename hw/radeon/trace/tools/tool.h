// SPDX-License-Identifier: MIT
/// pumice-replay in parts.
#pragma once
#include <string>
#include <vector>

#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

/// The executor: "fast", "ref", "check", and after colons a number of threads and an instruction set, as in fast:7:avx2.
struct Spec {
  std::string text;
  Execution config;
  bool available = true;  ///< false: this processor lacks the instruction set
};
/// False with a message on stderr. What this processor lacks is a good spec that is not available.
bool parse_spec(const std::string& text, Spec& out);

/// Says on stderr what the chip complains of.
void print_report(const Report& report);

/// Exit codes.
inline constexpr int kSame = 0, kOther = 1, kError = 2, kTruncated = 3, kSkipped = 77;

/// --compare: plays with each of them, several at a time, up to the first step whose bytes differ; finds the draw, the surface and the
/// pixel there. What this processor lacks is named and left out.
int compare(const std::string& file, const std::vector<Spec>& specs);

}  // namespace pumice::hw::trace
