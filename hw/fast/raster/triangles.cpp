// SPDX-License-Identifier: MIT
/// See triangles.h.
#include "hw/fast/raster/triangles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hw/ga/packet.h"
#include "hw/numerics/float_bits.h"
#include "hw/sc/sc.h"
#include "hw/su/su.h"

namespace pumice::hw::fast {

namespace portable {
LaneMask snap_triangles(const raster::SnapPlan& plan, const raster::Triangle* triangles, uint32_t count, raster::Lot& lot);
}
namespace avx2 {
LaneMask snap_triangles(const raster::SnapPlan& plan, const raster::Triangle* triangles, uint32_t count, raster::Lot& lot);
}
namespace avx512 {
LaneMask snap_triangles(const raster::SnapPlan& plan, const raster::Triangle* triangles, uint32_t count, raster::Lot& lot);
}

namespace raster {

namespace {

constexpr int32_t kLastPixel = 8191;  // 13 bits
constexpr uint32_t kX = 0, kZ = offsetof(WindowVertex, z) / 4, kInvW = offsetof(WindowVertex, inv_w) / 4,
                   kTex = offsetof(WindowVertex, tex) / 4;
static_assert(offsetof(WindowVertex, x) == kX && offsetof(WindowVertex, y) == 4);
constexpr double kFixedOne = 16777215.0;

bool filled(const ChipState& state) {
  using Mode = regs::GA_POLY_MODE;
  const auto mode = state.get<Mode>();
  if (mode.POLY_MODE() != Mode::POLY_MODE__DUAL) return true;
  for (const uint32_t type : {uint32_t{mode.FRONT_PTYPE()}, uint32_t{mode.BACK_PTYPE()}})
    if (type == Mode::FRONT_PTYPE__POINTS || type == Mode::FRONT_PTYPE__LINES) return false;
  return true;
}

bool read_sources(const ChipState& state, const Routing& routing, TrianglePlan& plan) {
  static constexpr WindowVertex kVertex{};
  Shape shape;
  shape.vertex = {&kVertex, &kVertex, &kVertex};
  shape.provoking = &kVertex;
  const ga::Packet packet(state, shape);
  plan.interpolants = routing.layout.interpolants;
  plan.stride = (plan.interpolants + 7) & ~7u;
  for (uint32_t n = 0; n < plan.interpolants; ++n) {
    const auto s = routing.source[n].color ? ga::Packet::TexcoordSource{} : packet.texcoord_source(routing.source[n].index);
    if (!s.present || s.generated || s.wraps) return false;
    plan.source[n] = {static_cast<uint8_t>(kTex + 4 * s.set + s.component), s.flat};
  }
  return true;
}

}  // namespace

SnapRoutine snap_routine([[maybe_unused]] Cpu cpu) {
#if defined(__x86_64__)
  if (cpu == Cpu::avx512) return avx512::snap_triangles;
  if (cpu == Cpu::avx2) return avx2::snap_triangles;
#endif
  return portable::snap_triangles;
}

TrianglePlan plan_triangles(const ChipState& state, const Routing& routing) {
  TrianglePlan p;
  const su::Grid grid = su::grid(state);
  if (grid.unit != kUnit || grid.drop_bits || !filled(state) || state.get<regs::GB_ENABLE>().TRIANGLE_STUFF_ENABLE()) return p;
  if (sc::sample_count(state) > 1) return p;
  if (!read_sources(state, routing, p)) return p;
  const sc::Bounds bounds = sc::bounds(state);
  p.snap.nearest = grid.nearest;
  p.snap.offset_x = grid.offset.x, p.snap.offset_y = grid.offset.y;
  p.snap.x0 = std::max(0, bounds.box.x0), p.snap.y0 = std::max(0, bounds.box.y0);
  p.snap.x1 = std::min(kLastPixel, bounds.box.x1), p.snap.y1 = std::min(kLastPixel, bounds.box.y1);
  for (const int clockwise : {0, 1}) p.snap.culled[clockwise] = su::culled(state, su::back_facing(state, clockwise ? 1 : -1));
  p.clockwise_is_back = su::back_facing(state, 1);
  const uint32_t rule = state.get<regs::SC_EDGERULE>().ER_TRI();
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy) p.edge_out[dx + 1][dy + 1] = sc::edge_is_out(rule, dx, dy);
  const su::DepthRange range = su::depth_range(state);
  p.z_scale = range.scale, p.z_offset = range.offset, p.z_low = range.low, p.z_high = range.high;
  p.z_as_it_is = range.scale == kFixedOne && range.offset == 0;
  for (const bool back : {false, true}) {
    const su::Bias bias = su::polygon_offset(state, back, false);
    p.bias[back] = {bias.on, bias.factor, bias.constant};
  }
  p.usable = true;
  return p;
}

void set_up(const TrianglePlan& plan, const Triangle& t, const Lot& lot, uint32_t i, Record& r) {
  const bool clockwise = lot.clockwise[i] != 0;
  r.x0 = static_cast<int16_t>(lot.x0[i]);
  r.y0 = static_cast<int16_t>(lot.y0[i]);
  r.x1 = static_cast<int16_t>(lot.x1[i]);
  r.y1 = static_cast<int16_t>(lot.y1[i]);
  r.edges = 3;
  r.wide = false;
  r.back_facing = clockwise == plan.clockwise_is_back;
  r.boxed = r.x0 == plan.snap.x0 || r.y0 == plan.snap.y0 || r.x1 == plan.snap.x1 || r.y1 == plan.snap.y1;
  r.stride = static_cast<uint8_t>(plan.stride);
  const int32_t x[3] = {lot.x[0][i], lot.x[1][i], lot.x[2][i]}, y[3] = {lot.y[0][i], lot.y[1][i], lot.y[2][i]};
  for (int e = 0; e < 3; ++e) {
    const int p = clockwise ? e : (e + 1) % 3, q = clockwise ? (e + 1) % 3 : e;
    const int32_t dx = x[q] - x[p], dy = y[q] - y[p];
    const int64_t c = int64_t{dx} * (kUnit / 2 - y[p]) - int64_t{dy} * (kUnit / 2 - x[p]) -
                      plan.edge_out[(dx > 0) - (dx < 0) + 1][(dy > 0) - (dy < 0) + 1];
    r.edge[e] = {c >> 4, -dy, dx};
  }
  static_assert(kUnit == 16);
  r.unit = kUnit;
  r.from_x = x[0] - kUnit / 2;
  r.from_y = y[0] - kUnit / 2;

  // su::Planes.
  const double x1 = x[1] - x[0], y1 = y[1] - y[0], x2 = x[2] - x[0], y2 = y[2] - y[0];
  const double det = x1 * y2 - x2 * y1;
  r.b1x = y2 / det;
  r.b1y = -x2 / det;
  r.b2x = -y1 / det;
  r.b2y = x1 / det;

  // su::depth.
  double z[3];
  for (int k = 0; k < 3; ++k) {
    const double fixed = num::flush_denormal(t.vertex[k][kZ]);
    const double v = plan.z_as_it_is ? fixed : (fixed * plan.z_scale + plan.z_offset) / kFixedOne;
    z[k] = v >= plan.z_low ? (v <= plan.z_high ? v : plan.z_high) : (v < plan.z_low ? plan.z_low : 0);
  }
  const double d1 = z[1] - z[0], d2 = z[2] - z[0];
  r.z = z[0];
  r.z_dx = d1 * r.b1x + d2 * r.b2x;
  r.z_dy = d1 * r.b1y + d2 * r.b2y;
  const TrianglePlan::Bias& bias = plan.bias[r.back_facing];
  if (bias.on) r.z += bias.constant + bias.factor * std::max(std::fabs(r.z_dx), std::fabs(r.z_dy));

  for (int k = 0; k < 3; ++k) r.inv_w[k] = t.vertex[k][kInvW];
  float* value = r.values();
  uint32_t n = 0;
  for (; n < plan.interpolants; ++n) {
    const TrianglePlan::Source s = plan.source[n];
    for (int k = 0; k < 3; ++k) value[static_cast<uint32_t>(k) * plan.stride + n] = (s.flat ? t.provoking : t.vertex[k])[s.dword];
  }
  for (; n < plan.stride; ++n)
    for (uint32_t k = 0; k < 3; ++k) value[k * plan.stride + n] = 0;
}

}  // namespace raster
}  // namespace pumice::hw::fast
