// SPDX-License-Identifier: MIT
/// Chips with different executors.
#pragma once
#include <cstdio>

#include "hw/radeon/gpu.h"

namespace pumice::hw::test {

/// `limit`: instructions after which the watchdog stops a draw.
inline GpuConfig config(ExecutorKind kind, uint32_t threads = 1, CpuChoice cpu = CpuChoice::best, uint64_t limit = 1ull << 26) {
  GpuConfig c{Profile::r500};
  c.executor = kind;
  c.threads = threads;
  c.cpu = cpu;
  c.instruction_limit = limit;
  return c;
}

/// Whether a machine with this choice can be tested here; says by name when not.
inline bool runs_here(const char* name, const GpuConfig& config) {
  if (available(config.cpu)) return true;
  std::printf("skipped: %s, whose instruction set this processor lacks\n", name);
  return false;
}

}  // namespace pumice::hw::test
