// SPDX-License-Identifier: MIT
/// See triangles.h.
#include "hw/radeon/fast/raster/triangles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/simd/choose.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/ref/ga/packet.h"
#include "hw/radeon/ref/sc/sc.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw::fast {

namespace portable {
LaneMask set_up_triangles(const raster::SetupPlan& plan, const raster::Triangle* triangles, uint32_t count, raster::Lot& lot);
}
namespace avx2 {
LaneMask set_up_triangles(const raster::SetupPlan& plan, const raster::Triangle* triangles, uint32_t count, raster::Lot& lot);
}
namespace avx512 {
LaneMask set_up_triangles(const raster::SetupPlan& plan, const raster::Triangle* triangles, uint32_t count, raster::Lot& lot);
}

namespace raster {

namespace {

constexpr uint32_t kVarying = (sizeof(WindowVertex) + offsetof(x::Vertex, varying)) / 4;
static_assert(sizeof(x::Window) == sizeof(WindowVertex) + sizeof(x::Vertex));
static_assert(kVarying + 4 * x::kVaryings <= 256);  // TrianglePlan::Run::dword
constexpr uint32_t kInvW = offsetof(WindowVertex, inv_w) / 4, kTex = offsetof(WindowVertex, tex) / 4;
static_assert(offsetof(WindowVertex, x) == 0 && offsetof(WindowVertex, y) == 4 && offsetof(WindowVertex, z) == 8);  // load_points()

bool filled(const ChipState& state) {
  using Mode = regs::GA_POLY_MODE;
  const auto mode = state.get<Mode>();
  if (mode.POLY_MODE() != Mode::POLY_MODE__DUAL) return true;
  for (const uint32_t type : {uint32_t{mode.FRONT_PTYPE()}, uint32_t{mode.BACK_PTYPE()}})
    if (type == Mode::FRONT_PTYPE__POINTS || type == Mode::FRONT_PTYPE__LINES) return false;
  return true;
}

/// Component `n` comes from this dword of the vertices.
void add_run(TrianglePlan& plan, uint32_t n, uint32_t dword, bool flat) {
  if (plan.runs > 0) {
    TrianglePlan::Run& last = plan.run[plan.runs - 1];
    if (last.flat == flat && last.dword + last.count == static_cast<int>(dword) && last.count < 4) {
      ++last.count;
      return;
    }
  }
  plan.run[plan.runs++] = {static_cast<uint8_t>(n), static_cast<uint8_t>(dword), 1, flat, false};
}

/// `dwords`: of a vertex.
void end_runs(TrianglePlan& plan, uint32_t dwords) {
  for (uint32_t i = 0; i < plan.runs; ++i) {
    TrianglePlan::Run& r = plan.run[i];
    r.four = r.first + 4u <= plan.stride && r.dword + 4u <= dwords;
  }
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
    if (!s.present || s.generated || s.wraps || s.fog) return false;
    add_run(plan, n, kTex + 4u * s.set + s.component, s.flat);
  }
  end_runs(plan, sizeof(WindowVertex) / 4);
  return true;
}

void read_inputs(const PixelInputs& inputs, TrianglePlan& plan) {
  plan.interpolants = static_cast<uint32_t>(inputs.planes.size());
  plan.stride = inputs.stride();
  const auto dword = [](const PixelInputs::Component& c) { return kVarying + 4u * c.varying + c.component; };
  uint32_t n = 0;
  for (; n < plan.interpolants && inputs.planes[n].varying < x::kVaryings; ++n) add_run(plan, n, dword(inputs.planes[n]), false);
  end_runs(plan, sizeof(x::Window) / 4);
  if (n + 8 < plan.stride) plan.cleared = 16;  // point coordinates, which triangles do not have
  for (const PixelInputs::Component& c : inputs.flat) plan.flat_at[plan.flats++] = static_cast<uint8_t>(dword(c));
  plan.more = Extended::dwords(plan.flats);
}

/// Constants of edge `e` through the point (x, y) by sample: sc::prepare's constant_at(), with the steps per pixel divided out.
void sample_edges(const TrianglePlan& plan, Record& r, int e, int32_t dx, int32_t dy, int32_t x, int32_t y, bool out) {
  const auto edges = [&](auto steps, auto divide) {
    const int64_t origin = steps * (int64_t{dy} * x - int64_t{dx} * y) - (out ? 1 : 0);
    for (uint32_t s = 0; s < plan.lot.samples; ++s)
      r.sample_edges()[s][e] = divide(origin + plan.lot.unit() * (int64_t{dx} * plan.lot.at[s].y - int64_t{dy} * plan.lot.at[s].x));
  };
  if (plan.lot.steps == 16) return edges(int64_t{16}, [shift = 4 + plan.lot.log2](int64_t n) { return n >> shift; });
  edges(int64_t{sc::Samples::kSteps}, [](int64_t n) {
    constexpr int64_t kPixel = sc::Samples::kSteps * kUnit;
    const int64_t q = n / kPixel;
    return q - (q * kPixel > n);
  });
}

/// Lanes of a column and of a row of a block.
template <class F>
constexpr std::array<LaneMask, 4> lanes_at(F f) {
  std::array<LaneMask, 4> t{};
  for (int lane = 0; lane < kLanes; ++lane) t[size_t(f(lane))] |= static_cast<LaneMask>(1u << lane);
  return t;
}
constexpr auto kColumn = lanes_at(lane_x), kRow = lanes_at(lane_y);

/// Clears pixels outside the box from the n x n blocks of a small record; false if none remain.
template <int n>
bool cut_to_box(const Record& r, LaneMask (&block)[n * n]) {
  const auto within = [](const std::array<LaneMask, 4>& of, int32_t from, int32_t first, int32_t last) {
    uint32_t in = 0;
    for (int32_t i = 0; i < 4; ++i) in |= from + i >= first && from + i <= last ? of[size_t(i)] : 0;
    return in;
  };
  const int32_t x = r.x0 & ~3, y = r.y0 & ~3;
  uint32_t across[n], any = 0;
  for (int i = 0; i < n; ++i) across[i] = within(kColumn, x + 4 * i, r.x0, r.x1);
  for (int k = 0; k < n; ++k) {
    const uint32_t down = within(kRow, y + 4 * k, r.y0, r.y1);
    for (int i = 0; i < n; ++i) any |= block[n * k + i] &= static_cast<LaneMask>(across[i] & down);
  }
  return any != 0;
}

/// Coverage of a small triangle; false if the scissor leaves nothing. Call after Record::stride is set.
bool copy_blocks(const Lot& lot, uint32_t samples, uint32_t i, Record& r) {
  const auto copy = [&](const Lot::Covered& covered, LaneMask(&block)[4]) {
    for (uint32_t k = 0; k < 4; ++k) block[k] = static_cast<LaneMask>(covered.rows[k / 2][i] >> (k & 1) * 16);
    return !r.boxed || cut_to_box<2>(r, block);
  };
  if (r.small == 3) {
    const uint32_t* const column[] = {&lot.third_column[0][i], &lot.third_column[1][i]};
    const uint32_t rows[] = {lot.covered[0].rows[0][i], lot.covered[0].rows[1][i], lot.third_row[i]};
    LaneMask block[9];
    for (uint32_t k = 0; k < 3; ++k) {
      block[3 * k] = static_cast<LaneMask>(rows[k]);
      block[3 * k + 1] = static_cast<LaneMask>(rows[k] >> 16);
      block[3 * k + 2] = static_cast<LaneMask>(*column[k / 2] >> k % 2 * 16);
    }
    if (r.boxed && !cut_to_box<3>(r, block)) return false;
    uint32_t covered = 0;
    for (uint32_t k = 0; k < 9; ++k) covered |= uint32_t{block[k] != 0} << k;
    r.block[0] = static_cast<LaneMask>(covered);
    std::memcpy(r.blocks(), block, sizeof block);
    return true;
  }
  if (samples == 1) return copy(lot.covered[0], r.block);
  bool any = false;
  for (LaneMask& block : r.block) block = 0;
  for (uint32_t s = 0; s < samples; ++s) {
    LaneMask(&block)[4] = r.sample_blocks()[s];
    any |= copy(lot.covered[s], block);
    for (uint32_t k = 0; k < 4; ++k) r.block[k] |= block[k];
  }
  return any;
}

typedef uint32_t Four __attribute__((vector_size(16)));
constexpr Four kFirst[5] = {{}, {~0u}, {~0u, ~0u}, {~0u, ~0u, ~0u}, {~0u, ~0u, ~0u, ~0u}};  ///< the first n of four

/// Record::values() of a triangle.
void copy_values(const TrianglePlan& plan, const Triangle& t, float* value) {
  if (plan.runs == 0) {
    std::memset(value, 0, 3 * plan.stride * sizeof(float));
    return;
  }
  for (int k = 0; k < 3; ++k, value += plan.stride) {
    std::memset(value + plan.stride - 8, 0, 8 * sizeof(float));  // after the last
    if (plan.cleared > 8) std::memset(value + plan.stride - 16, 0, 8 * sizeof(float));
    for (uint32_t i = 0; i < plan.runs; ++i) {
      const TrianglePlan::Run& run = plan.run[i];
      const float* const from = (run.flat ? t.provoking : t.vertex[k]) + run.dword;
      float* const to = value + run.first;
      if (run.four) {
        Four v;
        std::memcpy(&v, from, sizeof v);
        v &= kFirst[run.count];
        std::memcpy(to, &v, sizeof v);
      } else {
        for (uint32_t n = 0; n < run.count; ++n) to[n] = from[n];
      }
    }
  }
}

void copy_flat(const TrianglePlan& plan, const Triangle& t, Extended& to) {
  for (uint32_t i = 0; i < plan.flats; ++i) std::memcpy(&to.flat[i], t.provoking + plan.flat_at[i], sizeof to.flat[i]);
}

bool same_everywhere(const TrianglePlan& plan, const float* value) {
  bool same = true;
  for (uint32_t n = 0; n < plan.interpolants; ++n) same &= value[n] == value[plan.stride + n] && value[n] == value[2 * plan.stride + n];
  return same;
}

}  // namespace

SetupRoutine setup_routine(Cpu cpu) { PUMICE_RETURN_FOR(cpu, set_up_triangles); }

namespace {

/// What does not depend on where the values come from.
void plan_setup(const ChipState& state, const su::Grid& grid, const sc::Samples& samples, TrianglePlan& p) {
  p.lot.log2 = std::countr_zero(static_cast<uint32_t>(grid.unit));
  p.lot.left = p.lot.top = p.lot.right = p.lot.bottom = grid.unit / 2;
  p.lot.nearest = grid.nearest;
  p.lot.offset_x = grid.offset.x, p.lot.offset_y = grid.offset.y;
  p.lot.samples = samples.count;
  p.lot.steps = samples.steps;
  if (samples.count > 1) {  // as in sc::prepare
    p.lot.left = p.lot.top = 2 * grid.unit, p.lot.right = p.lot.bottom = 0;
    for (uint32_t s = 0; s < samples.count; ++s) {
      const sc::Samples::Position at = p.lot.at[s] = samples.at[s];
      const int32_t steps = samples.steps;
      p.lot.left = std::min(p.lot.left, at.x * grid.unit / steps),
      p.lot.right = std::max(p.lot.right, (at.x * grid.unit + steps - 1) / steps);
      p.lot.top = std::min(p.lot.top, at.y * grid.unit / steps),
      p.lot.bottom = std::max(p.lot.bottom, (at.y * grid.unit + steps - 1) / steps);
    }
  }
  for (const int clockwise : {0, 1}) p.lot.culled[clockwise] = su::culled(state, su::back_facing(state, clockwise ? 1 : -1));
  p.clockwise_is_back = su::back_facing(state, 1);
  const uint32_t rule = state.get<regs::SC_EDGERULE>().ER_TRI();
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy) {
      p.edge_out[dx + 1][dy + 1] = sc::edge_is_out(rule, dx, dy);
      p.lot.edge_out |= uint32_t{p.edge_out[dx + 1][dy + 1]} << (3 * (dx + 1) + dy + 1);
    }
  const su::DepthRange range = su::depth_range(state);
  p.lot.z_scale = range.scale, p.lot.z_offset = range.offset, p.lot.z_low = range.low, p.lot.z_high = range.high;
  p.lot.z_as_it_is = range.scale == kFixedOne && range.offset == 0;
  for (const bool back : {false, true}) p.bias[back] = su::polygon_offset(state, back, false);
  p.refinement = grid.refinement;
  p.usable = true;
}

/// Steps per pixel that set-up has a way for (triangles_simd.cpp).
bool plain(const ChipState& state, const su::Grid& grid) {
  static_assert(kUnit == 1 << 4 && kUnit * su::kExtendedRefinement == 1 << 8);
  return (grid.unit == kUnit || grid.unit == kUnit * su::kExtendedRefinement) && !grid.drop_bits && filled(state);
}

}  // namespace

TrianglePlan plan_triangles(const ChipState& state, const Routing& routing) {
  TrianglePlan p;
  const su::Grid grid = su::grid(state);
  if (!plain(state, grid) || state.get<regs::GB_ENABLE>().TRIANGLE_STUFF_ENABLE()) return p;
  if (!read_sources(state, routing, p)) return p;
  sc::Rectangle box = sc::bounds(state).box;
  const int32_t last = static_cast<int32_t>(state.chip().raster_extent) - 1;
  box.x1 = std::min(last, box.x1), box.y1 = std::min(last, box.y1);
  set_box(p.lot, box);
  plan_setup(state, grid, sc::samples(state), p);
  return p;
}

TrianglePlan plan_triangles(const ChipState& state, const PixelInputs& inputs, const sc::Samples& samples) {
  TrianglePlan p;
  const su::Grid grid = su::grid(state);
  read_inputs(inputs, p);
  if (plain(state, grid)) plan_setup(state, grid, samples, p);
  if (samples.count == 1) p.lot.across = 3;
  return p;
}

LaneMask set_up_few(const SetupPlan& plan, const Triangle* triangles, uint32_t count, Lot& lot) {
  const int32_t log2 = plan.log2, last = plan.unit() - 1;
  const double unit = plan.unit(), limit = su::kGridPixels * unit;
  const double half = plan.nearest ? 0.5 : 0.0;
  const auto snap = [&](float v, int32_t offset) {
    const double s = std::max(std::min(static_cast<double>(v) * unit, limit), -limit) + half;
    const auto whole = static_cast<int32_t>(s);
    return whole - (static_cast<double>(whole) > s) + offset;
  };
  const auto least = [](const int32_t(&v)[3]) { return std::min(std::min(v[0], v[1]), v[2]); };
  const auto greatest = [](const int32_t(&v)[3]) { return std::max(std::max(v[0], v[1]), v[2]); };
  const auto depth = [&](float v) {
    const double fixed = num::flush_denormal(v);
    const double z = plan.z_as_it_is ? fixed : (fixed * plan.z_scale + plan.z_offset) / kFixedOne;
    return z >= plan.z_low ? (z <= plan.z_high ? z : plan.z_high) : (z < plan.z_low ? plan.z_low : 0);
  };
  lot.small = lot.larger = 0;
  uint32_t alive = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Triangle& t = triangles[i];
    int32_t x[3], y[3];
    for (uint32_t k = 0; k < 3; ++k) {
      lot.x[k][i] = x[k] = snap(t.vertex[k][0], plan.offset_x);
      lot.y[k][i] = y[k] = snap(t.vertex[k][1], plan.offset_y);
    }
    const double x1 = x[1] - x[0], y1 = y[1] - y[0], x2 = x[2] - x[0], y2 = y[2] - y[0];
    const double det = x1 * y2 - x2 * y1;
    if (det == 0 || plan.culled[det > 0]) continue;
    lot.clockwise[i] = det > 0;
    lot.x0[i] = std::max((least(x) + last - plan.right) >> log2, plan.x0);
    lot.y0[i] = std::max((least(y) + last - plan.bottom) >> log2, plan.y0);
    lot.x1[i] = std::min((greatest(x) - plan.left) >> log2, plan.x1);
    lot.y1[i] = std::min((greatest(y) - plan.top) >> log2, plan.y1);
    if (lot.x0[i] > lot.x1[i] || lot.y0[i] > lot.y1[i]) continue;
    lot.b1x[i] = y2 / det;
    lot.b1y[i] = -x2 / det;
    lot.b2x[i] = -y1 / det;
    lot.b2y[i] = x1 / det;
    lot.z[i] = depth(t.vertex[0][2]);
    const double d1 = depth(t.vertex[1][2]) - lot.z[i], d2 = depth(t.vertex[2][2]) - lot.z[i];
    lot.z_dx[i] = d1 * lot.b1x[i] + d2 * lot.b2x[i];
    lot.z_dy[i] = d1 * lot.b1y[i] + d2 * lot.b2y[i];
    alive |= 1u << i;
  }
  return static_cast<LaneMask>(alive);
}

bool set_up(const TrianglePlan& plan, const Triangle& t, const Lot& lot, uint32_t i, bool planes, bool flat, Record& r) {
  const bool clockwise = lot.clockwise[i] != 0;
  r.x0 = static_cast<int16_t>(lot.x0[i]);
  r.y0 = static_cast<int16_t>(lot.y0[i]);
  r.x1 = static_cast<int16_t>(lot.x1[i]);
  r.y1 = static_cast<int16_t>(lot.y1[i]);
  r.edges = 3;
  r.wide = false;
  r.back_facing = clockwise == plan.clockwise_is_back;
  r.boxed = r.x0 == plan.lot.x0 || r.y0 == plan.lot.y0 || r.x1 == plan.lot.x1 || r.y1 == plan.lot.y1;
  r.small = static_cast<uint8_t>((lot.small >> i & 1) * (2 + (lot.larger >> i & 1)));
  r.stride = static_cast<uint8_t>(plan.stride);
  r.more = static_cast<uint8_t>(plan.more);
  const int32_t half = plan.lot.unit() / 2;
  r.from_x = lot.x[0][i] - half;
  r.from_y = lot.y[0][i] - half;
  r.z = lot.z[i];
  r.z_dx = lot.z_dx[i];
  r.z_dy = lot.z_dy[i];
  const su::Bias& bias = plan.bias[r.back_facing];
  if (bias.on) {
    const auto z = [&](int k) { return t.vertex[k][offsetof(WindowVertex, z) / sizeof(float)]; };
    r.z += bias.of(std::max(std::fabs(r.z_dx), std::fabs(r.z_dy)) * plan.refinement, z(0), z(1), z(2));
  }
  if (r.small) {
    if (!copy_blocks(lot, plan.lot.samples, i, r)) return false;
    if (!planes && plan.lot.samples == 1) {
      r.flat = flat;
      return true;
    }
  } else {
    const int32_t x[3] = {lot.x[0][i], lot.x[1][i], lot.x[2][i]}, y[3] = {lot.y[0][i], lot.y[1][i], lot.y[2][i]};
    const int32_t turn = clockwise ? 1 : -1;
    const auto edge = [&](int e, int next) __attribute__((always_inline)) {
      const int32_t dx = turn * (x[next] - x[e]), dy = turn * (y[next] - y[e]);
      const bool out = plan.edge_out[(dx > 0) - (dx < 0) + 1][(dy > 0) - (dy < 0) + 1];
      // The same through either end.
      const int64_t c = int64_t{dx} * (half - y[e]) - int64_t{dy} * (half - x[e]) - out;
      r.edge[e] = {c >> plan.lot.log2, -dy, dx};
      r.wide |= std::abs(dx) + std::abs(dy) >= 1 << 24;  // as in setup.cpp; only with 256 steps
      if (plan.lot.samples > 1) sample_edges(plan, r, e, dx, dy, x[e], y[e], out);
    };
    edge(0, 1), edge(1, 2), edge(2, 0);
  }
  r.b1x = lot.b1x[i];
  r.b1y = lot.b1y[i];
  r.b2x = lot.b2x[i];
  r.b2y = lot.b2y[i];
  r.unit = plan.lot.unit();
  for (int k = 0; k < 3; ++k) r.inv_w[k] = t.vertex[k][kInvW];
  copy_values(plan, t, r.values());
  if (plan.more) copy_flat(plan, t, r.extended());
  r.flat = flat && same_everywhere(plan, r.values());
  return true;
}

}  // namespace raster
}  // namespace pumice::hw::fast
