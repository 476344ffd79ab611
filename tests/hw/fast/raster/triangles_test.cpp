// SPDX-License-Identifier: MIT
/// The short way for filled triangles (hw/radeon/fast/raster/triangles.h) against GA, SU and SC (setup.h): the same Records, field by
/// field, over random registers and vertices. Which cases: tests/fuzz.h.
#include "hw/radeon/fast/raster/triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "hw/radeon/draw/extended.h"
#include "hw/radeon/fast/raster/setup.h"
#include "hw/radeon/ref/xr/raster.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"

namespace pumice::hw::fast::raster {
namespace {

using namespace regs;

class Maker {
 public:
  explicit Maker(uint32_t seed) : rng_(seed) {}
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }

  /// Registers that leave the short way open, mostly.
  void registers(ChipState& s) {
    reset(s, Profile::r500);
    s.set(GB_TILE_CONFIG().ENABLE(1).SUBPIXEL(!one_in(16)).Z_EXTENDED(one_in(4)));
    s.set(GA_ROUND_MODE().GEOMETRY_ROUND(below(2)).GEOMETRY_MASK(one_in(16) ? below(16) : 0));
    if (one_in(4)) s.set(GA_OFFSET().X_OFFSET(below(65536)).Y_OFFSET(below(65536)));
    s.set(SU_CULL_MODE{static_cast<uint32_t>(rng_()) & 7});
    s.set(SC_EDGERULE{static_cast<uint32_t>(rng_())});
    s.set(SC_SCISSOR0().XS0(below(300)).YS0(below(300)));
    s.set(SC_SCISSOR1().XS1(one_in(4) ? 8191 : below(600)).YS1(one_in(4) ? 8191 : below(600)));
    s.set(SC_CLIP_RULE().CLIP_RULE(one_in(4) ? 0xAAAA : 0xFFFF));
    s.set(SC_SCREENDOOR().SCREENDOOR(0xFFFFFF));
    if (one_in(3)) s.set(GB_AA_CONFIG().AA_ENABLE(1).NUM_AA_SUBSAMPLES(below(4)));
    s.set(GB_MSPOS0{static_cast<uint32_t>(rng_())});
    s.set(GB_MSPOS1{static_cast<uint32_t>(rng_())});
    s.set(SC_CLIP_0_A().XS0(below(300)).YS0(below(300)));
    s.set(SC_CLIP_0_B().XS1(below(600)).YS1(below(600)));
    if (one_in(16)) s.set(GA_POLY_MODE().POLY_MODE(1).FRONT_PTYPE(below(3)).BACK_PTYPE(below(3)));
    s.reg[SU_DEPTH_SCALE::offset / 4] = std::bit_cast<uint32_t>(one_in(2) ? 16777215.0f : value(1e8f));
    s.reg[SU_DEPTH_OFFSET::offset / 4] = std::bit_cast<uint32_t>(one_in(2) ? 0.0f : value(1e7f));
    s.set(SU_POLY_OFFSET_ENABLE{one_in(2) ? static_cast<uint32_t>(rng_()) & 7 : 0});
    for (const uint32_t r : {SU_POLY_OFFSET_FRONT_SCALE::offset, SU_POLY_OFFSET_FRONT_OFFSET::offset, SU_POLY_OFFSET_BACK_SCALE::offset,
                             SU_POLY_OFFSET_BACK_OFFSET::offset})
      s.reg[r / 4] = std::bit_cast<uint32_t>(value(1000));
    s.set(PS3_ENABLE().PS3_MODE(1));
    s.set(VAP_OUT_VTX_FMT_0().VTX_POS_PRESENT(1));
    const uint32_t counts[2] = {1 + below(4), below(5)};
    s.set(VAP_OUT_VTX_FMT_1().TEX_0_COMP_CNT(counts[0]).TEX_1_COMP_CNT(counts[1]));
    s.set(PS3_VTX_FMT().TEX_0_COMP_CNT(counts[0]).TEX_1_COMP_CNT(counts[1]));
    s.set(GA_COLOR_CONTROL_PS3().TEX0_SHADING_PS3(below(4)).TEX1_SHADING_PS3(below(4)));
    if (one_in(16)) s.set(SU_TEX_WRAP{static_cast<uint32_t>(rng_()) & 0xFF});
    s.set(GB_SELECT().W_SELECT(below(2)));
    s.set(RS_INST_COUNT().INST_COUNT(1));
    const uint32_t slots = (counts[0] == 1 ? 2 : counts[0]) + (counts[1] == 1 ? 2 : counts[1]) + one_in(16);
    for (uint32_t i = 0; i < 2; ++i) {
      s.set(RS_IP().TEX_PTR_S(below(slots)).TEX_PTR_T(below(slots)).TEX_PTR_R(62 + below(2)).TEX_PTR_Q(below(slots)), i);
      s.set(RS_INST().TEX_ID(i).TEX_CN(1).TEX_ADDR(i), i);
    }
  }
  float value(float extent) { return (static_cast<float>(below(65537)) / 32768 - 1) * extent; }
  float any() {
    switch (below(12)) {
      case 0: return std::bit_cast<float>(static_cast<uint32_t>(rng_()));
      case 1: return std::bit_cast<float>(static_cast<uint32_t>(rng_()) & 0x807FFFFFu);  // denormal
      case 2: return one_in(2) ? -0.0f : 0.0f;
      default: return value(2);
    }
  }
  float coordinate() {
    for (;;) {
      float v = 0;
      switch (below(12)) {
        case 0: v = std::bit_cast<float>(static_cast<uint32_t>(rng_())); break;
        case 1: v = static_cast<float>(below(1200)) / 2; break;
        case 2: v = value(100000); break;
        case 3: v = std::bit_cast<float>(static_cast<uint32_t>(rng_()) & 0x807FFFFFu); break;
        case 4: v = 100 + value(2); break;
        default: v = 300 + value(330); break;
      }
      if (std::isfinite(v)) return v;  // others never get here (hw/radeon/fast/vertex)
    }
  }
  void vertex(WindowVertex& v) {
    v.x = coordinate(), v.y = coordinate();
    v.z = any(), v.inv_w = any();
    const bool alike = one_in(4);
    for (auto& set : v.tex)
      for (int c = 0; c < 4; ++c) set[c] = alike ? 0.5f : any();
  }
  void triangle(WindowVertex (&v)[3]) {
    for (WindowVertex& each : v) vertex(each);
    if (one_in(2)) return;
    const float x = 300 + value(330), y = 300 + value(330), extent = static_cast<float>(1 + below(8));  // a small one
    for (WindowVertex& each : v) each.x = x + value(extent), each.y = y + value(extent);
    if (one_in(4))
      for (WindowVertex& each : v) each.x = std::round(each.x) + 0.5f, each.y = std::round(each.y) + 0.5f;  // edges through pixels
  }

 private:
  std::mt19937 rng_;
};

/// What the long way makes of a triangle.
struct LongWay final : ShapeSink {
  const Routing& routing;
  alignas(Record) std::byte room[kMaxRecordBytes] = {};
  bool alive = false;
  explicit LongWay(const Routing& r) : routing(r) {}
  Record& record() { return *reinterpret_cast<Record*>(room); }
  void shape(DrawContext& ctx, const Shape& shape) override { alive = set_up(ctx.state, routing, shape, record()); }
};

::testing::AssertionResult same(const Record& a, const Record& b, uint32_t samples) {
#define PUMICE_FIELD(f) \
  if (std::memcmp(&a.f, &b.f, sizeof a.f) != 0) return ::testing::AssertionFailure() << #f
  PUMICE_FIELD(x0);
  PUMICE_FIELD(y0);
  PUMICE_FIELD(x1);
  PUMICE_FIELD(y1);
  PUMICE_FIELD(edges);
  PUMICE_FIELD(wide);
  PUMICE_FIELD(back_facing);
  PUMICE_FIELD(stride);
  PUMICE_FIELD(inv_w);
  PUMICE_FIELD(flat);
  for (int e = 0; e < 3 && !b.small; ++e) {
    PUMICE_FIELD(edge[e].a);
    PUMICE_FIELD(edge[e].b);
    PUMICE_FIELD(edge[e].c);
    for (uint32_t k = 0; k < samples && samples > 1; ++k)
      if (a.sample_edges()[k][e] != b.sample_edges()[k][e]) return ::testing::AssertionFailure() << "edge " << e << ", sample " << k;
  }
  PUMICE_FIELD(unit);
  PUMICE_FIELD(from_x);
  PUMICE_FIELD(from_y);
  PUMICE_FIELD(b1x);
  PUMICE_FIELD(b1y);
  PUMICE_FIELD(b2x);
  PUMICE_FIELD(b2y);
#undef PUMICE_FIELD
  const double planes[][2] = {{a.z, b.z}, {a.z_dx, b.z_dx}, {a.z_dy, b.z_dy}};
  for (const auto& p : planes)
    if (!(p[0] == p[1] || (std::isnan(p[0]) && std::isnan(p[1])))) return ::testing::AssertionFailure() << "depth " << p[0] << ' ' << p[1];
  if (std::memcmp(a.values(), b.values(), 3 * a.stride * sizeof(float)) != 0) return ::testing::AssertionFailure() << "interpolants";
  return ::testing::AssertionSuccess();
}

/// Of the n x n blocks from the box's first pixel on. `sample`: null where there is one.
std::vector<LaneMask> coverage(const Record& r, int n, const int64_t* sample) {
  std::vector<LaneMask> blocks(static_cast<size_t>(n * n));
  for (int y = r.y0; y <= r.y1; ++y)
    for (int x = r.x0; x <= r.x1; ++x) {
      bool inside = true;
      for (int e = 0; e < 3; ++e) inside &= int64_t{r.edge[e].a} * x + int64_t{r.edge[e].b} * y + (sample ? sample[e] : r.edge[e].c) >= 0;
      const int dx = x - (r.x0 & ~3), dy = y - (r.y0 & ~3);
      if (inside) blocks.at(static_cast<size_t>(dx / 4 + dy / 4 * n)) |= static_cast<LaneMask>(1u << lane_of(dx % 4, dy % 4));
    }
  return blocks;
}

TEST(FastRaster, TheShortWayMakesTheSameRecords) {
  const FuzzRange range = fuzz_range(20000, 1);
  auto state = std::make_unique<ChipState>(Profile::r500);
  const auto memory = Memory::create();
  Listener config;
  uint32_t usable = 0, drawn = 0, small = 0, several = 0;
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    Maker make(seed);
    make.registers(*state);
    const Routing routing = read_routing(*state);
    const TrianglePlan plan = plan_triangles(*state, routing);
    if (!plan.usable) continue;
    ++usable;
    WindowVertex vertex[kLanes][3];
    Triangle triangle[kLanes];
    const uint32_t n = 1 + make.below(kLanes);
    for (uint32_t i = 0; i < n; ++i) {
      make.triangle(vertex[i]);
      const auto floats = [](const WindowVertex& v) { return reinterpret_cast<const float*>(&v); };
      triangle[i] = {{floats(vertex[i][0]), floats(vertex[i][1]), floats(vertex[i][2])}, floats(vertex[i][make.below(3)])};
    }
    std::vector<SetupRoutine> ways{set_up_few};
    for (const Cpu cpu : cpus()) ways.push_back(setup_routine(cpu));
    for (const SetupRoutine way : ways) {
      Lot lot;
      const uint32_t alive = way(plan.lot, triangle, n, lot);
      ASSERT_LT(alive, 1u << n);
      for (uint32_t i = 0; i < n; ++i) {
        LongWay expected(routing);
        DrawCounters counters;
        DrawContext ctx{*state, *memory, counters, config};
        ctx.sink = &expected;
        Primitive p{PrimitiveKind::triangle};
        p.v = {&vertex[i][0], &vertex[i][1], &vertex[i][2]};
        p.provoking = reinterpret_cast<const WindowVertex*>(triangle[i].provoking);
        ga::primitive(ctx, p);
        alignas(Record) std::byte room[kMaxRecordBytes] = {};
        auto& record = *reinterpret_cast<Record*>(room);
        const bool here = (alive >> i & 1) != 0 && set_up(plan, triangle[i], lot, i, true, true, record);
        if (lot.small >> i & 1) {
          ASSERT_TRUE(expected.alive);
          std::array<LaneMask, 4> any{};
          for (uint32_t k = 0; k < plan.lot.samples; ++k) {
            const bool one = plan.lot.samples == 1;
            const auto covered = coverage(expected.record(), 2, one ? nullptr : expected.record().sample_edges()[k]);
            for (size_t b = 0; b < 4; ++b) {
              any.at(b) |= covered.at(b);
              if (here) {
                ASSERT_EQ((one ? record.block : record.sample_blocks()[k])[b], covered.at(b)) << "triangle " << i << rerun(seed);
              }
            }
          }
          small += here;
          ASSERT_EQ(here, std::ranges::count(any, 0) < 4) << "triangle " << i << rerun(seed);
          for (size_t b = 0; b < 4 && here; ++b) ASSERT_EQ(record.block[b], any.at(b)) << "triangle " << i << rerun(seed);
        } else {
          ASSERT_EQ(expected.alive, here) << "triangle " << i << rerun(seed);
        }
        if (!here) continue;
        ++drawn;
        several += plan.lot.samples > 1;
        ASSERT_TRUE(same(expected.record(), record, plan.lot.samples)) << "triangle " << i << rerun(seed);
      }
    }
  }
  if (!range.usual) return;
  EXPECT_GT(usable, range.count / 2);
  EXPECT_GT(drawn, usable);
  EXPECT_GT(several, drawn / 10);
  EXPECT_GT(small, range.count / 20);  // on each instruction set
}

/// Extended draws: 256 steps per pixel, targets of 16384 pixels, positions up to the limits of the grid, 1 to 8 samples.
TEST(FastRaster, TheShortWayOfExtendedDraws) {
  struct Shapes final : ShapeSink {
    std::vector<Shape> list;
    void shape(DrawContext&, const Shape& shape) override { list.push_back(shape); }
  };
  const FuzzRange range = fuzz_range(10000, 1);
  auto state = std::make_unique<ChipState>(Profile::r5x);
  const auto memory = Memory::create();
  GpuConfig config{Profile::r5x};
  PixelInputs choices[2];
  choices[0].planes = {{0, 0}, {0, 1}, {0, 2}, {1, 3}};
  // The coordinates of points, which are 0 in triangles, lie on both sides of a border of eight.
  choices[1].planes = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {1, 3}, {PixelInputs::kPoint, 0}, {PixelInputs::kPoint, 1}};
  choices[0].flat = choices[1].flat = {{2, 1}};
  uint32_t drawn[4] = {}, small = 0, larger = 0, wide = 0;
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    Maker make(seed);
    make.registers(*state);
    const auto kept = state->reg;
    reset(*state, Profile::r5x);
    for (const uint32_t r :
         {GB_TILE_CONFIG::offset, GA_ROUND_MODE::offset, GA_OFFSET::offset, SU_CULL_MODE::offset, SC_EDGERULE::offset,
          SU_DEPTH_SCALE::offset, SU_DEPTH_OFFSET::offset, SU_POLY_OFFSET_ENABLE::offset, SU_POLY_OFFSET_FRONT_SCALE::offset,
          SU_POLY_OFFSET_FRONT_OFFSET::offset, SU_POLY_OFFSET_BACK_SCALE::offset, SU_POLY_OFFSET_BACK_OFFSET::offset})
      state->reg[r / 4] = kept[r / 4];
    state->set(regs::r5x::X_CTRL().EN(1).SHADERS(1));
    const uint32_t log2 = make.below(4);
    state->set(regs::r5x::X_RS_CTRL().SAMPLES(log2));
    ASSERT_EQ(su::grid(*state).unit, 256);
    const sc::Samples samples = xr::samples_of(*state);
    const PixelInputs& inputs = choices[make.below(2)];
    TrianglePlan plan = plan_triangles(*state, inputs, samples);
    if (!plan.usable) continue;
    const bool whole = make.one_in(2);
    const sc::Bounds bounds{{whole ? 0 : int32_t(make.below(600)), whole ? 0 : int32_t(make.below(600)),
                             whole ? 16383 : int32_t(make.below(16384)), whole ? 16383 : int32_t(make.below(16384))},
                            0xFFFF};
    set_box(plan.lot, bounds.box);
    std::array<std::array<x::Window, 3>, kLanes> vertex{};
    Triangle triangle[kLanes];
    const uint32_t n = 1 + make.below(kLanes);
    for (uint32_t i = 0; i < n; ++i) {
      WindowVertex v[3];
      make.triangle(v);
      const float extreme[] = {32768, -32768, 32767.998f, 16384, 16383.5f, 0, 1e9f, -1e9f};
      const bool far = make.one_in(3);
      const float shift = make.one_in(2) ? 16000.0f : 0.0f;
      for (uint32_t k = 0; k < 3; ++k) {
        x::Window& w = vertex[i][k];
        static_cast<WindowVertex&>(w) = v[k];
        w.x = far ? extreme[make.below(8)] : v[k].x + shift, w.y = far ? extreme[make.below(8)] : v[k].y + shift;
        for (uint32_t m = 0; m < 3; ++m)
          for (float& c : w.extended.varying[m]) c = make.value(2);
      }
      const auto floats = [](const x::Window& w) { return reinterpret_cast<const float*>(&w); };
      triangle[i] = {{floats(vertex[i][0]), floats(vertex[i][1]), floats(vertex[i][2])}, floats(vertex[i][make.below(3)])};
    }
    std::vector<SetupRoutine> ways{set_up_few};
    for (const Cpu cpu : cpus()) ways.push_back(setup_routine(cpu));
    for (const SetupRoutine way : ways) {
      Lot lot;
      const uint32_t alive = way(plan.lot, triangle, n, lot);
      for (uint32_t i = 0; i < n; ++i) {
        Shapes shapes;
        DrawCounters counters;
        DrawContext ctx{*state, *memory, counters, config};
        ctx.sink = &shapes;
        Primitive p{PrimitiveKind::triangle};
        p.v = {&vertex[i][0], &vertex[i][1], &vertex[i][2]};
        p.provoking = reinterpret_cast<const WindowVertex*>(triangle[i].provoking);
        ga::primitive(ctx, p);
        alignas(Record) std::byte rooms[2][(kMaxExtendedBytes + alignof(Record) - 1) / alignof(Record) * alignof(Record)] = {};
        std::memset(rooms[1], 0x3F, sizeof rooms[1]);  // of another record before
        auto &wanted = *reinterpret_cast<Record*>(rooms[0]), &record = *reinterpret_cast<Record*>(rooms[1]);
        const bool there = !shapes.list.empty() && set_up(*state, inputs, samples, bounds, shapes.list[0], wanted);
        const bool here = (alive >> i & 1) != 0 && set_up(plan, triangle[i], lot, i, true, false, record);
        if (lot.small >> i & 1) {
          ASSERT_TRUE(there) << "triangle " << i << rerun(seed);
          const int across = lot.larger >> i & 1 ? 3 : 2;
          std::vector<LaneMask> any(static_cast<size_t>(across * across));
          for (uint32_t k = 0; k < samples.count; ++k) {
            const bool one = samples.count == 1;
            const auto covered = coverage(wanted, across, one ? nullptr : wanted.sample_edges()[k]);
            for (size_t b = 0; b < any.size(); ++b) {
              any.at(b) |= covered.at(b);
              if (here) {
                ASSERT_EQ((one ? record.blocks() : record.sample_blocks()[k])[b], covered.at(b)) << "triangle " << i << rerun(seed);
              }
            }
          }
          ASSERT_EQ(here, std::ranges::any_of(any, [](LaneMask m) { return m != 0; })) << "triangle " << i << rerun(seed);
          if (here) {
            ASSERT_EQ(record.small, across);
          }
          (across == 3 ? larger : small) += here;
        } else {
          ASSERT_EQ(there, here) << "triangle " << i << rerun(seed);
        }
        if (!here) continue;
        ++drawn[log2];
        wide += record.wide;
        if (record.small) record.wide = wanted.wide;
        ASSERT_EQ(wanted.extended().flat[0], record.extended().flat[0]);
        ASSERT_TRUE(same(wanted, record, samples.count)) << "triangle " << i << rerun(seed);
      }
    }
  }
  if (!range.usual) return;
  for (const uint32_t each : drawn) EXPECT_GT(each, range.count / 2);
  EXPECT_GT(small, range.count / 5);
  EXPECT_GT(larger, range.count / 20);
  EXPECT_GT(wide, range.count / 10);
}

}  // namespace
}  // namespace pumice::hw::fast::raster
