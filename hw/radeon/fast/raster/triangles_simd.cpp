// SPDX-License-Identifier: MIT
/// See triangles_simd.h. Integers stay below 2^24 (su::snap), differences of products are exact in double. Computations in double are
/// written as loops over 16 that the compiler vectorises.
#include "hw/radeon/fast/raster/triangles_simd.h"

#include "hw/common/simd/simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

using raster::kUnit;
using raster::Lot;
using raster::SetupPlan;
using raster::Triangle;

namespace {

/// Grid steps: edges of triangles up to this size have values below 2^31 around them. At 1/16 pixel samples make them 16 times larger.
template <int kLog2>
constexpr int32_t kSmall = kLog2 == 4 ? 4096 : 16384;

/// x, y and z of point `k` of sixteen triangles.
struct Points {
  F16 x, y, z;
};
Points load_points(const Triangle* t, uint32_t count, int k) {
  const float* p[kLanes];
  for (uint32_t i = 0; i < uint32_t{kLanes}; ++i) p[i] = t[i < count ? i : 0].vertex[k];
  const auto rows = [&](int i) {
    return concatenate(load_unaligned<U4>(p[i]), load_unaligned<U4>(p[i + 4]), load_unaligned<U4>(p[i + 8]), load_unaligned<U4>(p[i + 12]));
  };
  U16 column[4];
  transpose({rows(0), rows(1), rows(2), rows(3)}, column);
  return {as_float(column[0]), as_float(column[1]), as_float(column[2])};
}

/// su::snap_one.
template <int kLog2>
void snap(int32_t* __restrict out, const float* __restrict in, bool nearest, int32_t offset) {
  constexpr double kLimit = double{1 << 15} * (1 << kLog2);  // su::kGridPixels
  const double bias = nearest ? 0.5 : 0.0;
  for (int i = 0; i < kLanes; ++i) {
    double s = static_cast<double>(in[i]) * (1 << kLog2);
    s = s > kLimit ? kLimit : s < -kLimit ? -kLimit : s;
    s += bias;
    const auto whole = static_cast<int32_t>(s);
    out[i] = whole - (static_cast<double>(whole) > s) + offset;
  }
}

/// su::Planes, and the sign of the area: 1 turns clockwise. Undefined for triangles without area.
void make_planes(Lot& lot, int32_t (&area)[kLanes]) {
  for (int i = 0; i < kLanes; ++i) {
    const double x1 = lot.x[1][i] - lot.x[0][i], y1 = lot.y[1][i] - lot.y[0][i];
    const double x2 = lot.x[2][i] - lot.x[0][i], y2 = lot.y[2][i] - lot.y[0][i];
    const double det = x1 * y2 - x2 * y1;
    area[i] = (det > 0 ? 1 : 0) - (det < 0 ? 1 : 0);
    lot.b1x[i] = y2 / det;
    lot.b1y[i] = -x2 / det;
    lot.b2x[i] = -y1 / det;
    lot.b2y[i] = x1 / det;
  }
}

/// A point's depth as su::depth has it.
void depth(const SetupPlan& plan, double* __restrict out, const float* __restrict in) {
  const double low = plan.z_low, high = plan.z_high, scale = plan.z_scale, offset = plan.z_offset;
  if (plan.z_as_it_is)
    for (int i = 0; i < kLanes; ++i) out[i] = in[i];
  else
    for (int i = 0; i < kLanes; ++i) out[i] = (in[i] * scale + offset) / raster::kFixedOne;
  for (int i = 0; i < kLanes; ++i) {
    const double v = out[i], not_above = v <= high ? v : high, below = v < low ? low : 0.0;  // NaN becomes 0
    out[i] = v >= low ? not_above : below;
  }
}

void make_depth(const SetupPlan& plan, const Points (&points)[3], Lot& lot) {
  alignas(64) double z[3][kLanes];
  for (int k = 0; k < 3; ++k) {
    const U16 bits = as_uint(points[k].z);
    Lanes flushed;
    store(flushed, as_float(select(eq(bits & 0x7F800000u, U16{}), bits & 0x80000000u, bits)));
    depth(plan, z[k], flushed.v);
  }
  for (int i = 0; i < kLanes; ++i) {
    const double d1 = z[1][i] - z[0][i], d2 = z[2][i] - z[0][i];
    lot.z[i] = z[0][i];
    lot.z_dx[i] = d1 * lot.b1x[i] + d2 * lot.b2x[i];
    lot.z_dy[i] = d1 * lot.b1y[i] + d2 * lot.b2y[i];
  }
}

/// -1, 0, 1.
I16 sign(I16 v) { return (v >> 31) | as_int(as_uint(-v) >> 31); }

/// An edge of sixteen small triangles (raster::Edge): values at the first pixels of four columns, and the step per row.
struct Edges {
  I16 column[4], row[4];
};
/// floor(n / (16 * steps)) for |n| < 2^29 where steps is 12.
I16 floor_steps(I16 n, int32_t steps) {
  static_assert(kUnit == 16);
  if (steps == 16) return n >> 8;
  const I16 third = n >> 6;
  const I16 near = round_to_int(to_float(third) * splat(1.0f / 3.0f)), rest = third - near * splat(3);  // -2 .. 2, perhaps 3
  static_assert(sc::Samples::kSteps * kUnit == 3 << 6);
  return near + (rest >> 31) - ((splat(2) - rest) >> 31);
}

/// At the sample `at` of pixels; null: their centres, if single-sampled.
template <int kLog2>
void make_edge(const SetupPlan& plan, const Lot& lot, int e, I16 left, I16 top, const sc::Samples::Position* at, Edges& out) {
  const int n = e == 2 ? 0 : e + 1;
  const I16 x = load_unaligned<I16>(lot.x[e]), y = load_unaligned<I16>(lot.y[e]);
  const I16 turn = load_unaligned<I16>(lot.clockwise) - splat(1);  // -1 reverses the direction
  const I16 dx = ((load_unaligned<I16>(lot.x[n]) - x) ^ turn) - turn, dy = ((load_unaligned<I16>(lot.y[n]) - y) ^ turn) - turn;
  const U16 rule = as_uint((sign(dx) + splat(1)) * splat(3) + sign(dy) + splat(1));
  const U16 outside = shift_right(splat(plan.edge_out), rule) & 1u;
  // Unsigned: values of triangles that are not small may overflow, but are not used.
  if (at && kLog2 == 4) {
    const I16 from_x = ((left << 4) - x) * splat(plan.steps) + splat(at->x * kUnit),
              from_y = ((top << 4) - y) * splat(plan.steps) + splat(at->y * kUnit);
    out.column[0] = floor_steps(as_int(as_uint(dx) * as_uint(from_y) - as_uint(dy) * as_uint(from_x) - outside), plan.steps);
  } else {
    // Samples of extended draws lie on the grid.
    const int32_t from_x = at ? at->x << (kLog2 - 4) : 1 << (kLog2 - 1), from_y = at ? at->y << (kLog2 - 4) : 1 << (kLog2 - 1);
    const I16 origin_x = (left << kLog2) + splat(from_x), origin_y = (top << kLog2) + splat(from_y);
    const U16 c = as_uint(dx) * as_uint(origin_y - y) - as_uint(dy) * as_uint(origin_x - x) - outside;
    out.column[0] = as_int(c) >> kLog2;
  }
  out.row[0] = I16{};
  for (int i = 1; i < 4; ++i) {
    out.column[i] = as_int(as_uint(out.column[i - 1]) - as_uint(dy));
    out.row[i] = as_int(as_uint(out.row[i - 1]) + as_uint(dx));
  }
}

/// The LaneMasks of the block (4 * kRight, 4 * kDown) pixels from where the edges begin.
template <int kRight, int kDown>
PUMICE_INLINE U16 block(const Edges (&edge)[3]) {
  I16 column[3][4];
  for (int e = 0; e < 3; ++e) {
    I16 more = {};
    if constexpr (kRight > 0) more = more + ((edge[e].column[1] - edge[e].column[0]) << (1 + kRight));
    if constexpr (kDown > 0) more = more + (edge[e].row[1] << (1 + kDown));
    for (int x = 0; x < 4; ++x) column[e][x] = edge[e].column[x] + more;
  }
  U16 outside = {};
#pragma GCC unroll 16
  for (int lane = kLanes - 1; lane >= 0; --lane) {
    const int x = lane_x(lane), y = lane_y(lane);
    const I16 any = (column[0][x] + edge[0].row[y]) | (column[1][x] + edge[1].row[y]) | (column[2][x] + edge[2].row[y]);
    outside = outside << 1 | as_uint(any) >> 31;
  }
  return outside ^ 0xFFFFu;
}

/// The blocks of 3x3 besides the first 2x2. Returns all of them together.
U16 more_blocks(const Edges (&edge)[3], bool right, bool down, bool far_right, bool far_down, Lot& lot) {
  U16 row = {}, column[2] = {};
  if (far_down) {
    row = block<0, 2>(edge);
    if (right) row |= block<1, 2>(edge) << 16;
  }
  if (far_right) {
    column[0] = block<2, 0>(edge);
    if (down) column[0] |= block<2, 1>(edge) << 16;
    if (far_down) column[1] = block<2, 2>(edge);
  }
  store_unaligned(lot.third_row, row);
  for (int i = 0; i < 2; ++i) store_unaligned(lot.third_column[i], column[i]);
  return row | column[0] | column[1];
}

template <int kLog2>
LaneMask set_up(const SetupPlan& plan, const Triangle* t, uint32_t count, Lot& lot) {
  constexpr int32_t kLast = (1 << kLog2) - 1;
  Points points[3];
  for (int k = 0; k < 3; ++k) {
    points[k] = load_points(t, count, k);
    Lanes x, y;
    store(x, points[k].x);
    store(y, points[k].y);
    snap<kLog2>(lot.x[k], x.v, plan.nearest, plan.offset_x);
    snap<kLog2>(lot.y[k], y.v, plan.nearest, plan.offset_y);
  }
  alignas(64) int32_t area[kLanes];
  make_planes(lot, area);
  make_depth(plan, points, lot);
  const auto of = [](const int32_t(&v)[kLanes]) { return load_unaligned<I16>(v); };
  const Mask clockwise = lt(splat(0), of(area));
  store_unaligned(lot.clockwise, select(clockwise, splat(1), splat(0)));
  const I16 low_x = min(min(of(lot.x[0]), of(lot.x[1])), of(lot.x[2])), high_x = max(max(of(lot.x[0]), of(lot.x[1])), of(lot.x[2]));
  const I16 low_y = min(min(of(lot.y[0]), of(lot.y[1])), of(lot.y[2])), high_y = max(max(of(lot.y[0]), of(lot.y[1])), of(lot.y[2]));
  // Pixels that have a sample in the closed box.
  const I16 x0 = max((low_x + splat(kLast - plan.right)) >> kLog2, splat(plan.x0)),
            x1 = min((high_x - splat(plan.left)) >> kLog2, splat(plan.x1));
  const I16 y0 = max((low_y + splat(kLast - plan.bottom)) >> kLog2, splat(plan.y0)),
            y1 = min((high_y - splat(plan.top)) >> kLog2, splat(plan.y1));
  store_unaligned(lot.x0, x0), store_unaligned(lot.y0, y0), store_unaligned(lot.x1, x1), store_unaligned(lot.y1, y1);
  const LaneMask culled = static_cast<LaneMask>((plan.culled[1] ? bits_of(clockwise) : 0) | (plan.culled[0] ? ~bits_of(clockwise) : 0));
  const auto alive = static_cast<LaneMask>(bits_of(~(lt(x1, x0) | lt(y1, y0) | eq(of(area), splat(0)))) & ~culled & ((1u << count) - 1));

  const I16 left = x0 & splat(~3), top = y0 & splat(~3);
  const I16 width = x1 - left, height = y1 - top, limit = splat(4 * plan.across);
  const Mask small =
      lt(width, limit) & lt(height, limit) & lt(high_x - low_x, splat(kSmall<kLog2>)) & lt(high_y - low_y, splat(kSmall<kLog2>));
  lot.small = static_cast<LaneMask>(bits_of(small) & alive);
  lot.larger = 0;
  if (lot.small == 0) return alive;
  // Blocks outside the box have no coverage.
  const bool right = (bits_of(lt(splat(3), width)) & lot.small) != 0, down = (bits_of(lt(splat(3), height)) & lot.small) != 0;
  const bool far_right = (bits_of(lt(splat(7), width)) & lot.small) != 0, far_down = (bits_of(lt(splat(7), height)) & lot.small) != 0;
  U16 any = {};
  for (uint32_t s = 0; s < plan.samples; ++s) {
    Edges edge[3];
    for (int e = 0; e < 3; ++e) make_edge<kLog2>(plan, lot, e, left, top, plan.samples > 1 ? &plan.at[s] : nullptr, edge[e]);
    U16 covered[2] = {block<0, 0>(edge), U16{}};
    if (right) covered[0] |= block<1, 0>(edge) << 16;
    if (down) covered[1] = block<0, 1>(edge);
    if (right && down) covered[1] |= block<1, 1>(edge) << 16;
    store_unaligned(lot.covered[s].rows[0], covered[0]);
    store_unaligned(lot.covered[s].rows[1], covered[1]);
    any |= covered[0] | covered[1];
    if (far_right || far_down) {
      lot.larger = static_cast<LaneMask>(lot.small & bits_of(lt(splat(7), max(width, height))));
      any |= more_blocks(edge, right, down, far_right, far_down, lot);
    }
  }
  return static_cast<LaneMask>(alive & ~(lot.small & bits_of(eq(any, U16{}))));
}

}  // namespace

LaneMask set_up_triangles(const SetupPlan& plan, const Triangle* t, uint32_t count, Lot& lot) {
  return plan.log2 == 4 ? set_up<4>(plan, t, count, lot) : set_up<8>(plan, t, count, lot);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
