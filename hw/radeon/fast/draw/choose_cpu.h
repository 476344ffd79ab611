// SPDX-License-Identifier: MIT
/// The instruction set of an executor.
#pragma once
#include "hw/common/simd/cpu.h"
#include "hw/types.h"

namespace pumice::hw::fast {

/// The configured CPU is available() here: Gpu::create and Player::create reject others.
inline Cpu choose_cpu(CpuChoice choice) {
  switch (choice) {
    case CpuChoice::portable: return Cpu::portable;
    case CpuChoice::avx2: return Cpu::avx2;
    case CpuChoice::avx512: return Cpu::avx512;
    case CpuChoice::best: break;
  }
  return best_cpu();
}

}  // namespace pumice::hw::fast
