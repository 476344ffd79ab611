// SPDX-License-Identifier: MIT
/// Which instruction set the fast executor uses. Selected once per chip, never changes results.
#pragma once
#include <cstdint>

#include "common/cpu_feature.h"

namespace pumice::hw::fast {

enum class Cpu : uint8_t { portable, avx2, avx512 };
inline constexpr int kCpus = 3;

/// Which tools are told the names of generated routines.
struct CodeNames {
  bool perf = false, gdb = false;
};

/// The best instruction set of this machine: avx512 needs F, BW, DQ, VL; avx2 needs AVX2 and FMA.
inline Cpu best_cpu() {
  if (has(CpuFeature::avx512f) && has(CpuFeature::avx512bw) && has(CpuFeature::avx512dq) && has(CpuFeature::avx512vl)) return Cpu::avx512;
  if (has(CpuFeature::avx2) && has(CpuFeature::fma)) return Cpu::avx2;
  return Cpu::portable;
}

}  // namespace pumice::hw::fast
