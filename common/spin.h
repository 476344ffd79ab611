// SPDX-License-Identifier: MIT
/// Looking at something for a moment before sleeping: waking a thread costs more than most waits take.
#pragma once
#include <chrono>
#include <thread>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "common/processors.h"

namespace pumice {

inline void relax_processor() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

/// True as soon as ready() holds; false after `limit`: then sleep. Never yields: on a busy machine that gives away a whole time slice,
/// while a sleeper that is woken comes before those who have run for long. On a machine with one processor nobody else could make it true,
/// so nobody spins.
template <class Ready>
bool spin_until(Ready ready, std::chrono::nanoseconds limit) {
  if (ready()) return true;
  static const bool alone = processors() < 2;
  if (alone) return false;
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      relax_processor();
    }
    if (std::chrono::steady_clock::now() >= end) return ready();
  }
}

}  // namespace pumice
