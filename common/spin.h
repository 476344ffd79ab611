// SPDX-License-Identifier: MIT
/// Bounded polling before sleeping: waking a thread takes longer than most waits.
#pragma once
#include <chrono>
#include <thread>
#include <type_traits>
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

/// True as soon as ready() holds; false after `limit`, when the caller should sleep. Never yields: on a busy machine that gives away a
/// whole time slice, while a woken sleeper is scheduled before threads that have run for long. With one processor no other thread could
/// make ready() true meanwhile, so there is no spinning. `in_vain` ends it early: whether the thread that will make ready() true cannot run
/// before this one sleeps, as when the system has put both on one processor.
template <class Ready, class InVain = std::false_type>
bool spin_until(Ready ready, std::chrono::nanoseconds limit, InVain in_vain = {}) {
  if (ready()) return true;
  static const bool alone = processors() < 2;
  if (alone) return false;
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      relax_processor();
    }
    if (in_vain() || std::chrono::steady_clock::now() >= end) return ready();
  }
}

}  // namespace pumice
