// SPDX-License-Identifier: MIT
/// From outputs of 16 vertices to vertices in the cache: viewport transform, clip flags, attributes transposed from rows to structures.
/// Follows hw/radeon/ref/vap/viewport.cpp, clip.cpp and outputs.cpp.
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/vertex/routines_simd.h"

namespace pumice::hw::fast::vertex::PUMICE_SIMD {

using namespace pumice::hw::fast::PUMICE_SIMD;

namespace {

/// Vertices closer to w = 0 than this are left to the reference: for larger w the differences below have the right sign, and the
/// reference's smallest w (2^-80) is far below.
constexpr float kSafeW = 0x1p-60f;

Mask finite(F16 v) { return lt(as_int(as_uint(v) & 0x7F800000u), splat(int32_t{0x7F800000})); }
F16 canonical(F16 v) { return select(eq(v, v), v, as_float(splat(0x7FC00000u))); }
I16 flag(Mask m, uint32_t bit) { return select(m, splat(int32_t(bit)), I16{}); }

/// Rows of x, y, z, w to one quarter vector per vertex.
void turn(F16 x, F16 y, F16 z, F16 w, U4 (&out)[kLanes]) {
  U16 r[4];
  transpose({as_uint(x), as_uint(y), as_uint(z), as_uint(w)}, r);
  for (int i = 0; i < 4; ++i)
    out[i] = quarter<0>(r[i]), out[4 + i] = quarter<1>(r[i]), out[8 + i] = quarter<2>(r[i]), out[12 + i] = quarter<3>(r[i]);
}

/// sign * coordinate > adjust * w. The difference is rounded once, and to zero only when it is zero (see kSafeW).
Mask beyond(F16 w, F16 coordinate, float adjust, float sign) { return lt(fma(splat(adjust), w, coordinate * splat(-sign)), F16{}); }

}  // namespace

void emit(const EmitPlan& plan, const Batch& batch, Vertex* const* slot, uint32_t n) {
  const auto output = [&](int row) {
    const F16 v = load(batch.row[row]);
    return plan.canonical ? canonical(v) : v;
  };
  F16 position[4];
  I16 flags = {};
  Mask usable = mask_from(0xFFFF);
  for (int c = 0; c < 4; ++c) {
    position[c] = output(plan.position_row + c);
    if (!plan.canonical)
      position[c] = select(eq(as_uint(position[c]) & 0x7F800000u, U16{}), as_float(as_uint(position[c]) & 0x80000000u), position[c]);
    usable = usable & finite(position[c]);
  }
  flags = flags | flag(~usable, kUnusable);
  const F16 x = position[0], y = position[1], z = position[2], w = position[3];
  if (plan.careful) flags = flags | splat(int32_t{kCareful});
  if (plan.clip) {
    flags = flags | flag(lt(w, splat(kSafeW)), kCareful);
    flags = flags | flag(plan.dx_near ? lt(z, F16{}) : lt(z, -w), 1);
    flags = flags | flag(gt(z, w), 2);
    for (int axis = 0; axis < 2; ++axis) {
      const F16 v = axis ? y : x;
      if (plan.has_clip[axis])
        flags = flags | flag(beyond(w, v, plan.clip_adjust[axis], -1), 4u << (2 * axis)) |
                flag(beyond(w, v, plan.clip_adjust[axis], 1), 8u << (2 * axis));
      if (plan.has_discard[axis])
        flags = flags | flag(beyond(w, v, plan.discard_adjust[axis], -1), 1u << (kDiscardShift + 2 * axis)) |
                flag(beyond(w, v, plan.discard_adjust[axis], 1), 2u << (kDiscardShift + 2 * axis));
    }
  }
  const F16 inv_w = plan.invert_w ? splat(1.0f) / w : w;
  Mask all_finite = finite(inv_w);
  F16 window[3];
  for (int i = 0; i < 3; ++i) {
    F16 v = position[i];
    if (!plan.divided[i]) v = v * inv_w;
    if (plan.scale_enabled[i]) v = v * splat(plan.scale[i]);
    if (plan.offset_enabled[i]) v = v + splat(plan.offset[i]);
    window[i] = v;
    all_finite = all_finite & finite(v);
  }
  flags = flags | flag(~all_finite, kNotFinite);

  U4 column[kLanes];
  turn(window[0], window[1], window[2], inv_w, column);
  for (uint32_t i = 0; i < n; ++i) std::memcpy(slot[i]->window, &column[i], 16);
  turn(x, y, z, w, column);
  for (uint32_t i = 0; i < n; ++i) {
    slot[i]->flags = uint32_t(flags[int(i)]);
    std::memcpy(slot[i]->position, &column[i], 16);
  }
  if (plan.point_size_row >= 0) {
    const F16 size = output(plan.point_size_row);
    for (uint32_t i = 0; i < n; ++i) {
      const float one = size[int(i)];
      std::memcpy(slot[i]->window + kWindowPointSize, &one, 4);
    }
  }
  for (uint32_t k = 0; k < plan.attributes; ++k) {
    const EmitPlan::Attribute& a = plan.attribute[k];
    F16 v[4] = {F16{}, F16{}, F16{}, splat(1.0f)};
    for (int c = 0; c < a.components; ++c) v[c] = output(a.row + c);
    turn(v[0], v[1], v[2], v[3], column);
    for (uint32_t i = 0; i < n; ++i) std::memcpy(slot[i]->window + a.offset, &column[i], 16);
  }
}

const Routines kVertexRoutines = {load_rows, convert, emit};

}  // namespace pumice::hw::fast::vertex::PUMICE_SIMD
