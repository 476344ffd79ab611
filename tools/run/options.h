// SPDX-License-Identifier: MIT
/// The command line.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/common/simd/cpu.h"
#include "tools/run/chip.h"
#include "tools/run/compare.h"

namespace pumice::run {

struct Options {
  std::vector<std::string> files;
  std::string chip = "r500", stage, inputs, table;
  std::vector<hw::fast::Cpu> cpus{hw::fast::best_cpu()};
  float low = -2, high = 2;
  uint32_t seed = 1;
  Tolerance tolerance;
  std::optional<Flip> flip;
  Sampling sampling;
  bool values = false, cpp = false, quiet = false;
};

/// Exits for --help; false: wrong usage, which is printed.
bool parse(int argc, char** argv, Options& options);

/// What a GLSL file says of itself in its first lines: `// range: LOW HIGH`, `// precision: ULP ABSOLUTE`, `// r300: ULP ABSOLUTE` (as they
/// are, not widened), `// texture: WxH [linear] [mirror|clamp]`. `fp24`: the chip has 24-bit numbers.
struct Demands {
  float low, high;
  Tolerance tolerance;
  Sampling sampling;
  std::string wrong;  ///< a line of these that cannot be read
};
Demands demands_of(const std::string& file, const Options& options, bool fp24);

}  // namespace pumice::run
