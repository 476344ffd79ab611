// SPDX-License-Identifier: MIT
/// Which instruction set the fast executor uses. Selected once per chip, never changes results.
#pragma once
#include <cstdint>

namespace pumice::hw::fast {

enum class Cpu : uint8_t { portable, avx2, avx512 };
inline constexpr int kCpus = 3;

/// Which tools are told the names of generated routines.
struct CodeNames {
  bool perf = false, gdb = false;
};

/// Whether `cpu`'s code is built and this machine can run it: avx512 needs F, BW, DQ, VL; avx2 needs AVX2 and FMA.
bool runs(Cpu cpu);

/// The best instruction set that runs(); portable if none does.
Cpu best_cpu();

/// Instructions that a machine may have beyond those of a Cpu; in generated code they take the place of sequences.
struct CpuExtras {
  bool counts_ones = false;   ///< AVX512_VPOPCNTDQ; of Cpu::avx512
  bool counts_zeros = false;  ///< AVX512CD; of Cpu::avx512
  bool bit_matrices = false;  ///< GFNI
};
/// Of this machine.
CpuExtras cpu_extras();

}  // namespace pumice::hw::fast
