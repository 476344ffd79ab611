// SPDX-License-Identifier: MIT
/// Which instruction set the fast executor uses. Chosen once a chip, never changes results.
#pragma once
#include <cstdint>

namespace pumice::hw::fast {

enum class Cpu : uint8_t { portable, avx2, avx512 };
inline constexpr int kCpus = 3;

/// Who is told the names of generated routines.
struct CodeNames {
  bool perf = false, gdb = false;
};

/// The best this machine has: avx512 needs F, BW, DQ, VL; avx2 needs AVX2 and FMA.
inline Cpu best_cpu() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return Cpu::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Cpu::avx2;
#endif
  return Cpu::portable;
}

}  // namespace pumice::hw::fast
