// SPDX-License-Identifier: MIT
/// The number of processors available to this process, and the one that runs the calling thread.
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

/// The number of the processor that runs the calling thread, which may change at any moment; -1: unknown.
inline int current_processor() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

}  // namespace pumice
