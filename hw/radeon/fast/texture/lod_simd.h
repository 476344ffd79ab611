// SPDX-License-Identifier: MIT
/// hw/radeon/decode/tx/lod.h and the cube faces of hw/radeon/ref/tx/lookup.cpp for 16 lanes. Included by SIMD files only.
#pragma once
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/texture/address_simd.h"
#include "hw/radeon/fast/texture/unit.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

struct Vec3 {
  F16 s, t, r;
};

/// The sampled position of each lane: coordinates of the image or of a cube's face.
struct Place {
  Vec3 at;
  I16 face = {};
  int32_t one_face = 0;                ///< of all lanes; -1: they differ, or may
  F16 inverse = {}, fs = {}, ft = {};  // cube
};

PUMICE_INLINE F16 negate(F16 v) { return -v; }

/// Converts a direction to the axes of each lane's face.
PUMICE_INLINE Vec3 on_face(F16 x, F16 y, F16 z, I16 face) {
  const Mask is_z = lt(splat(3), face), is_x = lt(face, splat(2)), negative = eq(face & 1, splat(1));
  const F16 flip = as_float(select(negative, splat(0x80000000u), splat(0u)));
  const auto flipped = [&](F16 v) { return as_float(as_uint(v) ^ as_uint(flip)); };
  Vec3 out;
  out.r = flipped(select(is_z, z, select(is_x, x, y)));                   // major
  out.s = select(is_z, flipped(x), select(is_x, negate(flipped(z)), x));  // +X -z, -X z, +-Y x, +Z x, -Z -x
  out.t = select(is_z | is_x, negate(y), flipped(z));                     // +Y z, -Y -z
  return out;
}

/// The axes of one face: which coordinates, and the bits that turn them.
struct FaceAxes {
  uint32_t s, t, major, flip_s, flip_t, flip_major;
};
inline constexpr uint32_t kMinus = 0x80000000u;
alignas(64) inline constexpr FaceAxes kFaceAxes[6] = {{2, 1, 0, kMinus, kMinus, 0}, {2, 1, 0, 0, kMinus, kMinus},
                                                      {0, 2, 1, 0, 0, 0},           {0, 2, 1, 0, kMinus, kMinus},
                                                      {0, 1, 2, 0, kMinus, 0},      {0, 1, 2, kMinus, kMinus, kMinus}};

/// Three coordinates in memory in the axes of a face.
PUMICE_INLINE Vec3 on_face(const Lanes* coordinate, const FaceAxes& axes) {
  const auto turned = [&](uint32_t i, uint32_t flip) __attribute__((always_inline)) {
    return as_float(as_uint(load(coordinate[i])) ^ flip);
  };
  return {turned(axes.s, axes.flip_s), turned(axes.t, axes.flip_t), turned(axes.major, axes.flip_major)};
}

/// The face of the first lane.
PUMICE_INLINE int32_t first_face(const Lanes* coordinate) {
  const float x = __builtin_fabsf(coordinate[0].v[0]), y = __builtin_fabsf(coordinate[1].v[0]), z = __builtin_fabsf(coordinate[2].v[0]);
  const int32_t axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  return 2 * axis + (coordinate[axis].v[0] < 0);
}
/// Whether a direction in the axes of a face goes through its inside for all lanes. Edges and NaN do not.
PUMICE_INLINE bool all_inside(const Vec3& a) { return all(gt(a.r, abs(a.s)) & gt(a.r, abs(a.t))); }

PUMICE_INLINE I16 faces_of(F16 x, F16 y, F16 z) {
  const F16 ax = abs(x), ay = abs(y), az = abs(z);
  const Mask is_z = ge(az, ax) & ge(az, ay), is_y = ge(ay, ax);
  const F16 major = select(is_z, z, select(is_y, y, x));
  return select(is_z, splat(4), select(is_y, splat(2), splat(0))) + select(lt(major, F16{}), splat(1), splat(0));
}

/// a: a direction in the axes of the lanes' faces.
PUMICE_INLINE void project(Place& out, const Vec3& a) {
  const F16 half = splat(0.5f);
  out.inverse = splat(1.0f) / a.r;
  out.fs = a.s * out.inverse;
  out.ft = a.t * out.inverse;
  out.at = {fma(out.fs, half, half), fma(out.ft, half, half), F16{}};
}
/// A difference of directions, in the same axes, as a step of the place.
PUMICE_INLINE Vec3 project_step(const Place& p, const Vec3& a) {
  const F16 half = p.inverse * 0.5f;
  return {fma(negate(p.fs), a.r, a.s) * half, fma(negate(p.ft), a.r, a.t) * half, F16{}};
}

template <tx::Shape kShape>
PUMICE_INLINE F16 squared_length(const tx::Unit& u, bool unscaled, const Vec3& d) {
  const float* size = u.size[unscaled];
  const F16 s = d.s * size[0], t = d.t * size[1];
  F16 l = fma(s, s, t * t);
  if constexpr (kShape == tx::Shape::volume) {
    const F16 r = d.r * size[2];
    l = fma(r, r, l);
  }
  return max(l, splat(0x1p-64f));
}

PUMICE_INLINE F16 log2_coarse(F16 x) {
#if PUMICE_SIMD_BYTES == 64
  // Inf as the largest number, whose log2 comes out as 128 too.
  const auto v = _mm512_min_ps((__m512)x.part[0], _mm512_set1_ps(0x1.fffffep127f));
  F16 e, m;
  e.part[0] = (native::F)_mm512_getexp_ps(v);
  m.part[0] = (native::F)_mm512_sub_ps(_mm512_getmant_ps(v, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero), _mm512_set1_ps(1.0f));
#else
  const U16 b = as_uint(x);
  const F16 e = to_float(as_int(b >> 23) - 127), m = as_float((b & 0x7FFFFFu) | 0x3F800000u) - 1.0f;
#endif
  const F16 t = fma(negate(m), m, m), p = fma(fma(splat(0x1.50684ap-4f), m, splat(-0x1.e99760p-3f)), m, splat(0x1.c14152p-2f));
  return e + fma(t, p, m);
}

/// Filter and levels of each lane.
struct Lod {
  Mask linear, anisotropic;
  I16 level0, level1;
  F16 weight;  ///< of level1
  bool two_levels;
};

PUMICE_INLINE Mask everyone(bool v) { return mask_from(v ? 0xFFFF : 0); }

PUMICE_INLINE Lod select_levels(const tx::Unit& u, F16 lambda) {
  lambda = lambda + u.lod_bias;
  const Mask minify = gt(lambda, F16{});
  const I16 finest = splat(int32_t(u.finest));
  if (u.mip == tx::Mip::linear && u.tri_perf == 0 && all(minify)) {  // the usual case
    const I16 fixed = truncate(min(max(lambda, splat(float(u.finest))), splat(float(u.coarsest))) * 256.0f), w = fixed & 255;
    const Mask second = lt(I16{}, w);
    const I16 level = fixed >> 8;
    return {everyone(u.linear[0]), everyone(u.anisotropic[0]), level, select(second, level + 1, level), to_float(w) * 0x1p-8f, any(second)};
  }
  Lod out;
  out.linear = (minify & everyone(u.linear[0])) | (~minify & everyone(u.linear[1]));
  out.anisotropic = (minify & everyone(u.anisotropic[0])) | (~minify & everyone(u.anisotropic[1]));
  out.level0 = out.level1 = finest;
  out.weight = F16{};
  out.two_levels = false;
  if (u.mip == tx::Mip::none) return out;
  const F16 level = min(max(lambda, splat(float(u.finest))), splat(float(u.coarsest)));
  if (u.mip == tx::Mip::point) {
    out.level0 = out.level1 = select(minify, truncate(level + 0.5f), finest);
    return out;
  }
  const I16 fixed = truncate(level * 256.0f);
  I16 w = fixed & 255;
  switch (u.tri_perf) {
    case 1: w = select(lt(splat(32), w), (8 * w - 256) / 6, I16{}); break;
    case 2: w = 2 * w - 128; break;
    case 3: w = 4 * w - 384; break;
    default: break;
  }
  w = select(minify, min(max(w, I16{}), splat(256)), I16{});
  const Mask second = lt(I16{}, w);
  out.level0 = select(minify, fixed >> 8, finest);
  out.level1 = select(second, out.level0 + 1, out.level0);
  out.weight = to_float(w) * 0x1p-8f;
  out.two_levels = any(second);
  return out;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
