// SPDX-License-Identifier: MIT
/// Fetches cache lines for writing before they are written: lines that another processor has read since take as long to come back as much
/// other work.
#pragma once
#include <cstdint>

namespace pumice {

/// The line of `p`, which need not be mapped.
inline void prefetch_to_write(const void* p) {
#if defined(__x86_64__)  // the compiler's builtin would fetch it for reading unless told of the processor
  asm volatile("prefetchw (%0)" : : "r"(p));
#else
  __builtin_prefetch(p, 1);
#endif
}

}  // namespace pumice
