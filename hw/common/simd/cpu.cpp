// SPDX-License-Identifier: MIT
/// See cpu.h.
#include "hw/common/simd/cpu.h"

#include "common/cpu_feature.h"
#include "hw/common/simd/choose.h"

namespace pumice::hw::fast {

bool runs(Cpu cpu) {
  if (!built(cpu)) return false;
  switch (cpu) {
    case Cpu::portable: return true;
    case Cpu::avx2: return has(CpuFeature::avx2) && has(CpuFeature::fma);
    case Cpu::avx512:
      return has(CpuFeature::avx512f) && has(CpuFeature::avx512bw) && has(CpuFeature::avx512dq) && has(CpuFeature::avx512vl);
  }
  return false;
}

Cpu best_cpu() {
  if (runs(Cpu::avx512)) return Cpu::avx512;
  if (runs(Cpu::avx2)) return Cpu::avx2;
  return Cpu::portable;
}

CpuExtras cpu_extras() {
  return {
      .counts_ones = has(CpuFeature::avx512_vpopcntdq), .counts_zeros = has(CpuFeature::avx512cd), .bit_matrices = has(CpuFeature::gfni)};
}

}  // namespace pumice::hw::fast
