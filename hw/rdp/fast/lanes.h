// SPDX-License-Identifier: MIT
/// Eight pixels in a vector. Compiler vectors, no intrinsics: the same source is compiled for each instruction set.
/// Everything here and in the files that include it has internal linkage, because those files are compiled several
/// times with different instruction sets; they must not include headers with inline functions of external linkage.
#pragma once
#include <stdint.h>

/// Large steps stay functions of their own: eight pixels a call pay for it, and the compiler is done in seconds.
#define PUMICE_STEP [[gnu::noinline]] static
#define PUMICE_INLINE static inline __attribute__((always_inline))

namespace pumice::hw::rdp::fast {
namespace {

constexpr int kLanes = 8;
typedef int32_t V __attribute__((vector_size(32)));
typedef uint32_t U __attribute__((vector_size(32)));

/// A vector in memory, for lane-wise loads.
struct alignas(32) Slots {
  int32_t v[kLanes];
};

PUMICE_INLINE V splat(int32_t x) { return V{x, x, x, x, x, x, x, x}; }
PUMICE_INLINE U splat_u(uint32_t x) { return U{x, x, x, x, x, x, x, x}; }
PUMICE_INLINE V iota() { return V{0, 1, 2, 3, 4, 5, 6, 7}; }
PUMICE_INLINE U to_u(V v) { return (U)v; }
PUMICE_INLINE V to_v(U v) { return (V)v; }
/// Masks have all bits of a lane set or none.
PUMICE_INLINE V select(V mask, V a, V b) { return (mask & a) | (~mask & b); }
PUMICE_INLINE V min(V a, V b) { return a < b ? a : b; }
PUMICE_INLINE V max(V a, V b) { return a > b ? a : b; }
PUMICE_INLINE Slots slots(V v) {
  Slots s;
  __builtin_memcpy(s.v, &v, sizeof v);
  return s;
}
PUMICE_INLINE V vector(const Slots& s) {
  V v;
  __builtin_memcpy(&v, s.v, sizeof v);
  return v;
}
PUMICE_INLINE bool any(V mask) {
  typedef int64_t W __attribute__((vector_size(32)));
  const W w = (W)mask;
  return (w[0] | w[1] | w[2] | w[3]) != 0;
}
/// Lanes one to the left; the last one comes from the first lane of `next`.
PUMICE_INLINE V following(V v, V next) { return __builtin_shuffle(v, next, V{1, 2, 3, 4, 5, 6, 7, 8}); }

template <int N>
PUMICE_INLINE V sign_extend(V v) {
  return to_v(to_u(v) << (32 - N)) >> (32 - N);
}
PUMICE_INLINE V clamp9(V v) {
  v &= 0x1FF;
  return select(v < 0x100, v, select(v < 0x180, splat(255), splat(0)));
}
PUMICE_INLINE V ext9(V v) {
  v &= 0x1FF;
  return select(v < 0x180, v, v - 512);
}

struct Rgba {
  V c[4];
};

}  // namespace
}  // namespace pumice::hw::rdp::fast
