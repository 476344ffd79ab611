// SPDX-License-Identifier: MIT
/// Flush-to-zero and denormals-are-zero for the calling thread while the object lives (README.md, Numerics).
#pragma once
#if defined(__x86_64__)
#include <xmmintrin.h>

namespace pumice::hw::fast {
class FlushDenormals {
 public:
  FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr((saved_ & ~0x6000u) | 0x9FC0u); }  // FTZ, DAZ, all exceptions masked, to nearest
  ~FlushDenormals() { _mm_setcsr(saved_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_;
};

/// The other way: IEEE as the reference blocks expect it, inside a thread that flushes.
class OrdinaryFloats {
 public:
  OrdinaryFloats() : saved_(_mm_getcsr()) { _mm_setcsr(0x1F80u); }
  ~OrdinaryFloats() { _mm_setcsr(saved_); }
  OrdinaryFloats(const OrdinaryFloats&) = delete;
  OrdinaryFloats& operator=(const OrdinaryFloats&) = delete;

 private:
  unsigned saved_;
};
}  // namespace pumice::hw::fast
#endif
