// SPDX-License-Identifier: MIT
/// From outputs of 16 vertices to vertices of the pool: tests against the clip planes, divide, viewport, transposition of rows to
/// structures. Follows hw/radeon/ref/xv/clip.cpp and primitive.cpp.
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/extended/vertex_pool.h"

namespace pumice::hw::fast::extended {

using namespace pumice::hw::fast::PUMICE_SIMD;

namespace {

/// Vertices closer to w = 0 than this are left to the reference. Above, w is no denormal and the reference's smallest w (2^-80) is far
/// away.
constexpr float kSafeW = 0x1p-60f;

Mask finite(F16 v) { return lt(as_int(as_uint(v) & 0x7F800000u), splat(int32_t{0x7F800000})); }
/// !(v >= 0), denormals included.
Mask negative(F16 v) {
  const U16 bits = as_uint(v);
  return lt(splat(0x80000000u), bits) | (lt(splat(0x7F800000u), bits) & lt(bits, splat(0x80000000u)));
}
U16 flag(Mask m, uint32_t bit) { return select(m, splat(bit), U16{}); }

/// Four rows to one quarter vector per vertex.
void turn(F16 x, F16 y, F16 z, F16 w, U4 (&out)[kLanes]) {
  U16 r[4];
  transpose({as_uint(x), as_uint(y), as_uint(z), as_uint(w)}, r);
  for (int i = 0; i < 4; ++i)
    out[i] = quarter<0>(r[i]), out[4 + i] = quarter<1>(r[i]), out[8 + i] = quarter<2>(r[i]), out[12 + i] = quarter<3>(r[i]);
}

/// Left and right, or bottom and top, in double as the reference: one product, one sum, each rounded.
U16 sides(const EmitPlan& plan, U16 viewport, F16 v, F16 w, int axis) {
  Lanes vs, ws;
  store(vs, v), store(ws, w);
  alignas(64) uint32_t out[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const double guarded = plan.viewport[plan.viewports ? viewport[l] : 0].guard[axis] * double(ws.v[l]), at = vs.v[l];
    out[l] = uint32_t(!(guarded + at >= 0)) << (2 + 2 * axis) | uint32_t(!(guarded - at >= 0)) << (3 + 2 * axis);
  }
  return load_unaligned<U16>(out);
}

void store_rows(const Lanes* rows, uint32_t n, const EmitTo& to, float (Distances::*into)[8]) {
  U4 column[kLanes];
  for (uint32_t half = 0; half < 2; ++half) {
    const Lanes* r = rows + 4 * half;
    turn(load(r[0]), load(r[1]), load(r[2]), load(r[3]), column);
    for (uint32_t i = 0; i < n; ++i) std::memcpy(to.distances[to.first + i].*into + 4 * half, &column[i], 16);
  }
}

PUMICE_INLINE void put_flags(U16 flags, const EmitTo& to, uint32_t n) {
  if (n == uint32_t(kLanes)) return store_unaligned(to.flags + to.first, flags);
  alignas(64) uint32_t of[kLanes];
  std::memcpy(of, &flags, sizeof of);
  for (uint32_t i = 0; i < n; ++i) to.flags[to.first + i] = of[i];
}

/// `n` is the constant 16 for most batches.
__attribute__((always_inline)) inline void emit(const EmitPlan& plan, const OutputRows& rows, const EmitTo& to, const uint32_t n) {
  PoolVertex* const slot = to.pool + to.first;
  const auto output = [&](uint32_t r) __attribute__((always_inline)) { return load(rows.row[r]); };
  const F16 x = output(row::position), y = output(row::position + 1), z = output(row::position + 2), w = output(row::position + 3);
  const Mask usable = finite(x) & finite(y) & finite(z) & finite(w);
  const Mask careful = lt(w, splat(kSafeW));
  U16 flags = flag(~usable, kUnusable) | flag(careful, kCareful);
  U16 viewport = {};
  if (plan.viewports) {
    viewport = as_uint(output(row::viewport));
    viewport = select(lt(viewport, splat(16u)), viewport, U16{});
  }
  if (plan.clips_depth) flags |= flag(plan.negative_depth ? lt(z, -w) : negative(z), 1) | flag(gt(z, w), 2);
  // Inside the volume is inside the guard band, which is no smaller.
  bool guarded = true;  // by all
  for (int axis = 0; axis < 2; ++axis)
    if (const F16 v = axis ? y : x, within = plan.viewports ? w : w * splat(plan.viewport[0].within[axis]);
        any(usable & ~careful & ~le(abs(v), within))) {
      flags |= sides(plan, viewport, v, w, axis);
      guarded = false;
    }
  for (uint32_t d = 0; (plan.clips | plan.culls) >> d; ++d) {
    if (plan.clips >> d & 1) flags |= flag(negative(output(row::clip_distance + d)), 1u << (kDistanceShift + d));
    if (plan.culls >> d & 1) flags |= flag(negative(output(row::cull_distance + d)), 1u << (kCullShift + d));
  }
  if (plan.flags_only && guarded && !plan.viewports) {
    // Without the division and the viewport. Windows of such vertices are finite but for z where depth is not clipped, which drops
    // primitives, too.
    for (int i = 0; i < 2; ++i) {
      const F16 v = i ? y : x, limit = w * splat(plan.viewport[0].beyond[i]);
      const bool turned = plan.viewport[0].scale[i] < 0;
      const uint32_t low = 1u << kBeyondShift << 2 * i;
      flags |= flag(lt(v, -limit), turned ? 2 * low : low) | flag(gt(v, limit), turned ? low : 2 * low);
    }
    put_flags(flags, to, n);
    return;
  }
  const F16 inv_w = splat(1.0f) / w;
  Mask all_finite = finite(inv_w);
  const F16 position[3] = {x, y, z};
  F16 window[3];
  for (int i = 0; i < 3; ++i) {
    F16 scale = splat(plan.viewport[0].scale[i]), offset = splat(plan.viewport[0].offset[i]);
    if (plan.viewports) {
      scale = by_lane([&](int l) { return plan.viewport[viewport[l]].scale[i]; });
      offset = by_lane([&](int l) { return plan.viewport[viewport[l]].offset[i]; });
    }
    window[i] = position[i] * inv_w * scale + offset;
    all_finite = all_finite & finite(window[i]);
  }
  flags |= flag(~all_finite, kNotFinite);
  for (int i = 0; i < 2 && !plan.viewports; ++i) {
    const float scale = __builtin_fabsf(plan.viewport[0].scale[i]) + 2, offset = plan.viewport[0].offset[i];
    const uint32_t low = 1u << kBeyondShift << 2 * i;
    flags |= flag(lt(window[i], splat(offset - scale)), low) | flag(gt(window[i], splat(offset + scale)), 2 * low);
  }

  put_flags(flags, to, n);
  if (plan.flags_only) return;
  U4 column[kLanes];
  turn(window[0], window[1], window[2], inv_w, column);
  for (uint32_t i = 0; i < n; ++i) std::memcpy(slot[i].window, &column[i], 16);
  turn(x, y, z, w, column);
  for (uint32_t i = 0; i < n; ++i) {
    std::memcpy(slot[i].position, &column[i], 16);
    std::memcpy(slot[i].window + kWindowPointSize, &rows.row[row::point_size].v[i], 4);
  }
  if (plan.layers || plan.viewports)
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t where[2] = {0, viewport[int(i)]};
      if (plan.layers) std::memcpy(where, &rows.row[row::layer].v[i], 4);
      std::memcpy(slot[i].window + kWindowLayer, where, 8);
    }
  for (uint32_t left = plan.varyings; left; left &= left - 1) {
    const auto k = uint32_t(__builtin_ctz(left));
    const uint32_t r = row::varying + 4 * k;
    turn(output(r), output(r + 1), output(r + 2), output(r + 3), column);
    for (uint32_t i = 0; i < n; ++i) std::memcpy(slot[i].window + kWindowVarying + 16 * k, &column[i], 16);
  }
  if (plan.clips) store_rows(rows.row + row::clip_distance, n, to, &Distances::clip);
  if (plan.culls) store_rows(rows.row + row::cull_distance, n, to, &Distances::cull);
}

}  // namespace

namespace PUMICE_SIMD {

void emit_vertices(const EmitPlan& plan, const OutputRows& rows, const EmitTo& to, uint32_t n) {
  if (n == uint32_t(kLanes))
    emit(plan, rows, to, kLanes);
  else
    emit(plan, rows, to, n);
}

void common_flags(const uint32_t* flags, uint32_t n, CommonFlags& common) {
  U16 all = splat(~0u), any = {};
  uint32_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const auto f = load_unaligned<U16>(flags + i);
    all &= f, any |= f;
  }
  uint32_t one_all[kLanes], one_any[kLanes];
  std::memcpy(one_all, &all, sizeof one_all), std::memcpy(one_any, &any, sizeof one_any);
  for (int l = 0; l < kLanes; ++l) common.all &= one_all[l], common.any |= one_any[l];
  for (; i < n; ++i) common.all &= flags[i], common.any |= flags[i];
}

}  // namespace PUMICE_SIMD
}  // namespace pumice::hw::fast::extended
