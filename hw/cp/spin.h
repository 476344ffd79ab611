// SPDX-License-Identifier: MIT
/// Looking at something for a moment before sleeping: waking a thread costs more than most waits take.
#pragma once
#include <chrono>
#include <thread>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pumice::hw {

inline void relax_processor() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

/// Waits a bit longer from time to time and lets others run: whoever is waited for may have no processor.
class Spin {
 public:
  void pause() {
    if (++count_ % 256 == 0) return std::this_thread::yield();
    relax_processor();
  }

 private:
  unsigned count_ = 0;
};

/// True as soon as ready() holds; false after `limit`. On a machine with one processor nobody else could make it true, so nobody spins.
template <class Ready>
bool spin_until(Ready ready, std::chrono::nanoseconds limit) {
  if (ready()) return true;
  static const bool alone = std::thread::hardware_concurrency() < 2;
  if (alone) return false;
  const auto end = std::chrono::steady_clock::now() + limit;
  do {
    for (int i = 0; i < 16; ++i) {
      if (ready()) return true;
      relax_processor();
    }
  } while (std::chrono::steady_clock::now() < end);
  return ready();
}

}  // namespace pumice::hw
