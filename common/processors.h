// SPDX-License-Identifier: MIT
/// The number of processors available to this process.
#pragma once
#include <algorithm>
#include <thread>
#if defined(__linux__)
#include <sched.h>
#endif

namespace pumice {

/// Counts the affinity mask. std::thread::hardware_concurrency() opens a file in /sys on each call.
inline unsigned processors() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace pumice
