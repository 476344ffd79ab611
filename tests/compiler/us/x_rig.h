// SPDX-License-Identifier: MIT
/// Runs a compute shader, compiled for r5x, by a dispatch packet: buffers in, buffers out.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pumice::compiler::testing {

struct ComputeJob {
  std::string glsl;
  std::vector<std::vector<uint32_t>> buffers;  ///< words of binding n of set 0
  std::vector<uint32_t> push;
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::string spirv = {};  ///< text, instead of GLSL
};

struct ComputeResult {
  std::vector<std::vector<uint32_t>> buffers;
  uint32_t slots = 0, temps = 0, scratch_bytes = 0, literals = 0;
};

/// A failure of the compiler or a report of the chip is one of the test.
ComputeResult run(const ComputeJob& job);

}  // namespace pumice::compiler::testing
