// SPDX-License-Identifier: MIT
/// CPU feature detection. On x86-64 this reads what glibc has already detected: each further CPUID costs 4 us in a virtual machine, and
/// the compiler's __builtin_cpu_supports executes some fifteen of them when the library is loaded.
#pragma once
#if defined(__x86_64__)
#if __has_include(<sys/platform/x86.h>) && !defined(__clang__)  // clang has no _Bool in C++, which the header uses
#include <sys/platform/x86.h>
#define PUMICE_CPU_FEATURE(name, builtin) CPU_FEATURE_ACTIVE(name)
#define PUMICE_CPU_ERMS CPU_FEATURE_ACTIVE(ERMS)
#else
#define PUMICE_CPU_FEATURE(name, builtin) __builtin_cpu_supports(builtin)
#define PUMICE_CPU_ERMS false  // the compiler has no name for it
#endif
#endif

namespace pumice {

enum class CpuFeature {
  avx2,
  fma,
  avx512f,
  avx512bw,
  avx512dq,
  avx512vl,
  avx512cd,
  avx512_vbmi,
  avx512_vnni,
  avx512_vpopcntdq,
  gfni,
  erms
};

/// True when processor and operating system support it; false on other machines than x86-64.
inline bool has([[maybe_unused]] CpuFeature feature) {
#if defined(__x86_64__)
  switch (feature) {
    case CpuFeature::avx2: return PUMICE_CPU_FEATURE(AVX2, "avx2");
    case CpuFeature::fma: return PUMICE_CPU_FEATURE(FMA, "fma");
    case CpuFeature::avx512f: return PUMICE_CPU_FEATURE(AVX512F, "avx512f");
    case CpuFeature::avx512bw: return PUMICE_CPU_FEATURE(AVX512BW, "avx512bw");
    case CpuFeature::avx512dq: return PUMICE_CPU_FEATURE(AVX512DQ, "avx512dq");
    case CpuFeature::avx512vl: return PUMICE_CPU_FEATURE(AVX512VL, "avx512vl");
    case CpuFeature::avx512cd: return PUMICE_CPU_FEATURE(AVX512CD, "avx512cd");
    case CpuFeature::avx512_vbmi: return PUMICE_CPU_FEATURE(AVX512_VBMI, "avx512vbmi");
    case CpuFeature::avx512_vnni: return PUMICE_CPU_FEATURE(AVX512_VNNI, "avx512vnni");
    case CpuFeature::avx512_vpopcntdq: return PUMICE_CPU_FEATURE(AVX512_VPOPCNTDQ, "avx512vpopcntdq");
    case CpuFeature::gfni: return PUMICE_CPU_FEATURE(GFNI, "gfni");
    case CpuFeature::erms: return PUMICE_CPU_ERMS;
  }
#endif
  return false;
}

}  // namespace pumice

#undef PUMICE_CPU_FEATURE
#undef PUMICE_CPU_ERMS
