// SPDX-License-Identifier: MIT
/// Compares results: executors to the bit, the reference with the judge by the rule of README.md.
#pragma once
#include <algorithm>
#include <optional>
#include <span>

#include "tools/run/inputs.h"

namespace pumice::run {

/// How far a result may be from the judge's: `ulp` units in the last place of FP32, or `absolute`; on a chip whose fragment program has
/// 24-bit numbers both are for_fp24().
struct Tolerance {
  uint32_t ulp = 64;
  float absolute = 1e-5f;
  float step = 0x1p-22f;  ///< of inputs that count as the same where the result jumps
  uint32_t jump = 4096;   ///< what is no jump, in units
  /// A unit of the 17-bit fraction is 2^7 of FP32's; an operation that is exact there is rounded here. `absolute` grows to 2^-8 at most:
  /// what is coarser than that, the sines of Vulkan, is so without any rounding.
  Tolerance for_fp24() const {
    const float wide = std::clamp(absolute * 128, 0x1p-16f, std::max(absolute, 0x1p-8f));
    return {std::max(ulp, 1u) * 128, wide, 0x1p-15f, 4096 * 128};
  }
};

struct Difference {
  uint32_t invocation = 0, slot = 0, channel = 0;
  bool killed = false;  ///< one discards, the other does not
  float have = 0, want = 0;
  uint32_t ulp = 0;
};

/// Steps between two floats.
uint32_t ulps(float a, float b);

/// The name of an output slot of a stage: "out_color", "gl_Position".
std::string slot_name(const Module& module, uint32_t slot);

/// The first output that differs to the bit.
std::optional<Difference> same_bits(const Module& module, const Results& a, const Results& b);

struct Judgement {
  std::optional<Difference> first;  ///< beyond the tolerance
  uint32_t compared = 0, open = 0;  ///< values; `open`: the judge has an infinity or NaN, for which Vulkan demands nothing
  uint32_t jumps = 0;               ///< of `compared`: right for a neighbour only
  uint32_t worst_ulp = 0;           ///< of what is farther off than `absolute`
  float worst_absolute = 0;
};
/// `wanted`: the judge's results, then those for neighbours of the inputs. Where the result jumps (comparisons, floor) an error within
/// the tolerance leads to the other side: then one of the neighbours must agree, and be farther from the judge's own result than `jump`.
/// More than one value in 16 of that kind is a difference.
Judgement judge(const Module& module, const Results& chip, std::span<const Results> wanted, const Tolerance& tolerance);

}  // namespace pumice::run
