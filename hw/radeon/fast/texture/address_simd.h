// SPDX-License-Identifier: MIT
/// hw/radeon/decode/tx/address.h and the levels' facts for 16 lanes. Included by SIMD files only.
#pragma once
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/texture/unit.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// Constants kept in memory: GCC would build each one in a general register first.
struct Constants {
  uint32_t fraction = 255, low_bytes = 0x00FF00FFu, whole = 0x01000100u, low_word = 0xFFFF;
  float unit = 0x1p-8f;
  int32_t half_texel = 128;
  uint32_t next[4] = {0, 1, 8, 9};  ///< in a window: the texel to the right, below, both
  uint32_t room[2] = {8, 7}, split[2] = {4, 3};
};
inline constexpr Constants kConstants;
PUMICE_INLINE const Constants& constants() {
  const Constants* k = &kConstants;
  asm("" : "+r"(k));
  return *k;
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
    out.scale[i] = splat(t.scale[unscaled][i][l]);
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

/// Texel indices inside the level, and the lanes that sample the border color instead.
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

/// hw/radeon/decode/tx/address.h: limits.
PUMICE_INLINE F16 limited(F16 v, float limit) { return max(min(v, splat(limit)), splat(-limit)); }
PUMICE_INLINE I16 point_index(F16 texels) { return truncate(floor(limited(texels, 0x1p30f))); }
PUMICE_INLINE I16 linear_position(F16 texels) { return round_to_int(limited(texels, 0x1p22f) * 256.0f) - 128; }

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
