// SPDX-License-Identifier: MIT
/// Choosing code by instruction set, among the sets that are built: all of them, or the best one of the machine that builds
/// (-Dinstruction-sets=host; meson.build of this folder).
#pragma once
#include <cstdlib>

#include "hw/common/simd/cpu.h"
#include "hw/common/simd/simd_sets.h"  // generated: PUMICE_BUILT_PORTABLE, _AVX2, _AVX512

namespace pumice::hw::fast {

constexpr bool built(Cpu cpu) {
  switch (cpu) {
    case Cpu::portable: return PUMICE_BUILT_PORTABLE;
    case Cpu::avx2: return PUMICE_BUILT_AVX2;
    case Cpu::avx512: return PUMICE_BUILT_AVX512;
  }
  return false;
}

}  // namespace pumice::hw::fast

/// Returns the function, call or object `...` of the namespace of `cpu`'s set from the function that uses it. `cpu` is one of those that
/// are built and that the processor has (best_cpu(), available()). Names of sets that are not built are declared and never linked.
#if defined(__x86_64__)
#define PUMICE_RETURN_FOR(cpu, ...)                                   \
  do {                                                                \
    if constexpr (built(Cpu::avx512))                                 \
      if ((cpu) == Cpu::avx512) return avx512::__VA_ARGS__;           \
    if constexpr (built(Cpu::avx2))                                   \
      if ((cpu) == Cpu::avx2) return avx2::__VA_ARGS__;               \
    if constexpr (built(Cpu::portable)) return portable::__VA_ARGS__; \
    std::abort();                                                     \
  } while (false)
#else
#define PUMICE_RETURN_FOR(cpu, ...) \
  do {                              \
    static_cast<void>(cpu);         \
    return portable::__VA_ARGS__;   \
  } while (false)
#endif
