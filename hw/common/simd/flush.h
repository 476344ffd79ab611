// SPDX-License-Identifier: MIT
/// Flush-to-zero and denormals-are-zero for the calling thread while the object lives (README.md, Numerics).
#pragma once
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace pumice::hw::fast {

/// The thread's float state, for as long as the object lives. Rounding is to nearest, nothing traps.
class FloatState {
 public:
  explicit FloatState(bool flush) : saved_(get()) { set(flush ? kFlush : kOrdinary); }
  ~FloatState() { set(saved_); }
  FloatState(const FloatState&) = delete;
  FloatState& operator=(const FloatState&) = delete;

#if defined(__x86_64__)
  static constexpr unsigned kFlush = 0x9FC0u, kOrdinary = 0x1F80u;  // FTZ, DAZ, all exceptions masked

 private:
  static unsigned get() { return _mm_getcsr(); }
  static void set(unsigned v) { _mm_setcsr(v); }
#elif defined(__aarch64__)
  static constexpr unsigned kFlush = 1u << 24, kOrdinary = 0;  // FZ: operands too; what it does otherwise: simd/native.h

 private:
  static unsigned get() { return __builtin_aarch64_get_fpcr(); }
  static void set(unsigned v) { __builtin_aarch64_set_fpcr(v); }
#else
  static constexpr unsigned kFlush = 0, kOrdinary = 0;  // the fast executor is not built for these

 private:
  static unsigned get() { return 0; }
  static void set(unsigned) {}
#endif
  unsigned saved_;
};

struct FlushDenormals : FloatState {
  FlushDenormals() : FloatState(true) {}
};
/// The opposite: IEEE denormals, as the reference blocks expect them, inside a thread that flushes.
struct OrdinaryFloats : FloatState {
  OrdinaryFloats() : FloatState(false) {}
};

}  // namespace pumice::hw::fast
