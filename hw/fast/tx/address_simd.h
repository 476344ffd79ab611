// SPDX-License-Identifier: MIT
/// hw/tx/address.h and the levels' facts for 16 lanes. Included by SIMD files only.
#pragma once
#include "hw/fast/simd/simd.h"
#include "hw/fast/tx/unit.h"

// Vectors of 64 bytes travel through memory in calls that the compiler does not inline.
#if defined(__AVX512F__)
#define PUMICE_INLINE __attribute__((always_inline)) inline
#define PUMICE_OUTLINE PUMICE_INLINE
#define PUMICE_STATIC __attribute__((always_inline)) static inline
#else  // there they do anyway
#define PUMICE_INLINE inline
#define PUMICE_OUTLINE __attribute__((noinline))
#define PUMICE_STATIC static inline
#endif

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// splat() adds zero, which flushes; constants and tables go by bits.
PUMICE_INLINE F16 splat_bits(float v) {
  uint32_t b;
  __builtin_memcpy(&b, &v, 4);
  return as_float(splat(b));
}

/// To the nearest integer, ties to even; |a| < 2^31.
PUMICE_INLINE I16 round_to_int(F16 a) {
#if defined(__AVX512F__)
  return (I16)_mm512_cvtps_epi32((__m512)a);
#elif defined(__AVX2__)
  __m256 x[2];
  __m256i r[2];
  std::memcpy(x, &a, 64);
  for (int i = 0; i < 2; ++i) r[i] = _mm256_cvtps_epi32(x[i]);
  I16 out;
  std::memcpy(&out, r, 64);
  return out;
#elif defined(__x86_64__)
  __m128 x[4];
  __m128i r[4];
  std::memcpy(x, &a, 64);
  for (int i = 0; i < 4; ++i) r[i] = _mm_cvtps_epi32(x[i]);
  I16 out;
  std::memcpy(&out, r, 64);
  return out;
#else
  I16 out;
  for (int i = 0; i < kLanes; ++i) out[i] = static_cast<int32_t>(__builtin_lrintf(a[i]));
  return out;
#endif
}

/// The dwords at base + offset, an offset below 2^31.
PUMICE_INLINE U16 gather_dwords(const void* base, U16 offset) {
#if defined(__AVX512F__)
  return (U16)_mm512_i32gather_epi32((__m512i)offset, base, 1);
#elif defined(__AVX2__)
  __m256i o[2], r[2];
  std::memcpy(o, &offset, 64);
  for (int i = 0; i < 2; ++i) r[i] = _mm256_i32gather_epi32(static_cast<const int*>(base), o[i], 1);
  U16 out;
  std::memcpy(&out, r, 64);
  return out;
#else
  U16 r;
  for (int i = 0; i < kLanes; ++i) {
    uint32_t v;
    std::memcpy(&v, static_cast<const char*>(base) + offset[i], 4);
    r[i] = v;
  }
  return r;
#endif
}

/// table[index] for 16 entries of 32 bits.
PUMICE_INLINE U16 pick(const void* table, I16 index) {
#if defined(__AVX512F__)
  return (U16)_mm512_permutexvar_epi32((__m512i)index, _mm512_load_si512(table));
#elif defined(__AVX2__)
  return gather_dwords(table, as_uint(index) << 2);
#else
  U16 r;
  for (int i = 0; i < kLanes; ++i) {
    uint32_t v;
    std::memcpy(&v, static_cast<const char*>(table) + 4 * index[i], 4);
    r[i] = v;
  }
  return r;
#endif
}

/// The facts of each lane's level.
struct Level {
  F16 scale[3];
  I16 last[3], wrap[3];
  U16 offset, pitch, layer;
};

PUMICE_INLINE Level level_of(const tx::Unit& u, bool unscaled, uint32_t l, int axes) {
  const tx::LevelTable& t = u.level;
  Level out;
  for (int i = 0; i < axes; ++i) {
    out.scale[i] = splat_bits(t.scale[unscaled][i][l]);
    out.last[i] = splat(t.last[i][l]);
    out.wrap[i] = splat(t.wrap[i][l]);
  }
  out.offset = splat(t.offset[l]);
  out.pitch = splat(t.pitch[l]);
  out.layer = splat(t.layer[l]);
  return out;
}
PUMICE_INLINE Level level_of(const tx::Unit& u, bool unscaled, I16 l, int axes) {
  const tx::LevelTable& t = u.level;
  Level out;
  for (int i = 0; i < axes; ++i) {
    out.scale[i] = as_float(pick(t.scale[unscaled][i], l));
    out.last[i] = as_int(pick(t.last[i], l));
    out.wrap[i] = as_int(pick(t.wrap[i], l));
  }
  out.offset = pick(t.offset, l);
  out.pitch = pick(t.pitch, l);
  out.layer = pick(t.layer, l);
  return out;
}

/// Texel indices inside the level, and who looks at the border instead.
struct Index {
  I16 i;
  Mask border;
};

enum Clamp : uint8_t { kWrap, kMirror, kClampLast, kMirrorOnceLast, kClampBorder = 6, kMirrorOnceBorder };

template <bool kSimple>
PUMICE_INLINE Index index_of(I16 i, I16 last, I16 wrap, uint8_t clamp) {
  const I16 zero = {};
  if constexpr (kSimple) return {min(max(i & wrap, zero), last), mask_from(0)};
  switch (clamp) {
    case kMirror: {
      const I16 m = i & wrap;
      return {min(min(m, wrap - m), last), mask_from(0)};
    }
    case kMirrorOnceLast: return {min(i ^ (i >> 31), last), mask_from(0)};
    case kMirrorOnceBorder: i = i ^ (i >> 31); [[fallthrough]];
    case kClampBorder: return {min(max(i, zero), last), lt(as_uint(last), as_uint(i))};
    default: return {min(max(i & wrap, zero), last), mask_from(0)};
  }
}

/// hw/tx/address.h: limits.
PUMICE_INLINE F16 limited(F16 v, float limit) { return max(min(v, splat(limit)), splat(-limit)); }
PUMICE_INLINE I16 point_index(F16 texels) { return truncate(floor(limited(texels, 0x1p30f))); }
PUMICE_INLINE I16 linear_position(F16 texels) { return round_to_int(limited(texels, 0x1p22f) * 256.0f) - 128; }

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
