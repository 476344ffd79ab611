// SPDX-License-Identifier: MIT
/// vap::run end to end: index walks, decomposition, provoking vertex, outputs, viewport, watchdog.
#include <algorithm>
#include <tuple>

#include "hw/radeon/ref/vap/assemble.h"
#include "tests/hw/vap/fixture.h"

namespace pumice::hw::test {
namespace {

class Draw : public VapTest {
 protected:
  /// Vertex i at x = i/16 (inside the volume), so that a primitive shows which vertices it has.
  Draw() {
    std::vector<Vec4> v;
    for (int i = 0; i < 16; ++i) v.push_back({float(i) / 16, 0, 0.5f, 1});
    vertices(v);
  }
  static int number(const WindowVertex& v) { return int(v.x * 16); }
  std::vector<std::vector<int>> numbers() const {
    std::vector<std::vector<int>> r;
    for (const Collected& c : collector.primitives) {
      r.emplace_back();
      for (uint32_t i = 0; i < (c.kind == PrimitiveKind::point ? 1u : c.kind == PrimitiveKind::line ? 2u : 3u); ++i)
        r.back().push_back(number(c.v[i]));
    }
    return r;
  }
};
using Numbers = std::vector<std::vector<int>>;

TEST_F(Draw, AutoIndexTriangle) {
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 3));
  EXPECT_EQ(numbers(), (Numbers{{0, 1, 2}}));
  const Collected& c = collector.primitives.at(0);
  EXPECT_EQ(c.v[1].x, 1 / 16.0f);
  EXPECT_EQ(c.v[1].z, 0.5f);
  EXPECT_EQ(c.v[1].inv_w, 1.0f);
  EXPECT_TRUE(reports.empty());
  EXPECT_FALSE(counters.hung);
}

TEST_F(Draw, IndexWalks) {
  const std::vector<uint32_t> packed = {0x00050003, 0x00000009};
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 3, Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY), packed);
  const std::vector<uint32_t> wide = {3, 5, 9};
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 3, Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY).INDEX_SIZE(1), wide);
  EXPECT_EQ(numbers(), (Numbers{{3, 5, 9}, {3, 5, 9}}));
}

TEST_F(Draw, EmbeddedVertices) {
  element(0, Psc::DATA_TYPE_0__FLOAT_1, 0, true, 0, 0, kIdentity | 0xF000);
  state.set(regs::VAP_VTX_SIZE{}.DWORDS_PER_VTX(2));
  std::vector<uint32_t> data;
  for (int i : {2, 4, 6}) data.insert(data.end(), {num::bits(float(i) / 16), 77});
  arrays(0);
  state.set(regs::VAP_INDEX_OFFSET{}.INDEX_OFFSET(5));  // means nothing here
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 3, Vf::PRIM_WALK__VERTICES_IN_STREAM), data);
  EXPECT_EQ(numbers(), (Numbers{{2, 4, 6}}));
}

TEST_F(Draw, OffsetFirstThenClamp) {
  state.set(regs::VAP_INDEX_OFFSET{}.INDEX_OFFSET(0x1FFFFFE));  // -2
  state.set(regs::VAP_VF_MIN_VTX_INDX{}.MIN_INDX(1));
  state.set(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(4));
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 8));
  EXPECT_EQ(numbers(), (Numbers{{1}, {1}, {1}, {1}, {2}, {3}, {4}, {4}}));
}

TEST_F(Draw, AltVertexCountAndR300) {
  state.set(regs::VAP_ALT_NUM_VERTICES{}.NUM_VERTICES(2));
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 5).USE_ALT_NUM_VERTS(1));
  EXPECT_EQ(collector.count, 2u);
}

TEST_F(Draw, ShortDataShortensAndReports) {
  const std::vector<uint32_t> packed = {0x00010000};
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 100, Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY), packed);
  EXPECT_EQ(numbers(), (Numbers{{0}, {1}}));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::bad_packet);
}

TEST_F(Draw, ReservedTypeReports) {
  run(draw(9, 3));
  EXPECT_EQ(collector.count, 0u);
  EXPECT_EQ(reports.size(), 1u);
}

TEST_F(Draw, StateBasedVerticesPassTheStreamConverter) {
  state.set(regs::VAP_VSM_VTX_ASSM{0x5});  // vectors 0 and 2
  element(0, Psc::DATA_TYPE_0__FLOAT_4, 1, false);
  element(1, Psc::DATA_TYPE_0__FLOAT_4, 0, true);
  std::vector<uint32_t> data;
  for (const float x : {9, 9, 9, 9, 2, 3, 0, 1, 8, 8, 8, 8, 5, 1, 0, 1}) data.push_back(num::bits(x));
  set_clip(16), set_discard(16);
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 2, Vf::PRIM_WALK__STATE_BASED), data);
  ASSERT_EQ(collector.primitives.size(), 2u);
  EXPECT_EQ(collector.primitives[0].v[0].x, 2);
  EXPECT_EQ(collector.primitives[1].v[0].x, 5);
  EXPECT_TRUE(reports.empty());
  data.resize(15);
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 2, Vf::PRIM_WALK__STATE_BASED), data);
  EXPECT_EQ(collector.primitives.size(), 3u);
  EXPECT_EQ(reports.size(), 1u);
}

TEST_F(Draw, DualIndexAddressesArrayZeroApart) {
  // x from array 0, the rest from array 1.
  array(0, kVertexAddress, 1, 1);
  array(1, kVertexAddress + 0x1000, 3, 3);
  arrays(2);
  std::vector<float> first(256), rest;
  for (int i = 0; i < 256; ++i) first[size_t(i)] = float(i) / 256;
  for (int i = 0; i < 8; ++i) rest.insert(rest.end(), {float(i) / 8, 0, 1});
  memory->write(kVertexAddress, first.data(), first.size() * 4);
  memory->write(kVertexAddress + 0x1000, rest.data(), rest.size() * 4);
  state.set(regs::VAP_INDEX_OFFSET{}.INDEX_OFFSET(1));  // of the low part only
  const std::vector<uint32_t> data = {0x00800001, 0x00800002, 0x00400001, 0x12800001};
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 4, Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY).DUAL_INDEX_MODE(1).INDEX_SIZE(1), data);
  ASSERT_EQ(collector.primitives.size(), 4u);
  const float want[4][2] = {{0.5f, 0.25f}, {0.5f, 0.375f}, {0.25f, 0.25f}, {0.5f, 0.25f}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(collector.primitives[i].v[0].x, want[i][0]) << i;
    EXPECT_EQ(collector.primitives[i].v[0].y, want[i][1]) << i;
  }
  EXPECT_TRUE(reports.empty());
}

TEST_F(Draw, NoRenderSwallowsDraws) {
  state.set(state.get<regs::VAP_CNTL>().VAP_NO_RENDER(1));
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 3));
  EXPECT_EQ(collector.count, 0u);
}

/// Decomposition: elements, provoking vertex for FIRST, SECOND, THIRD, LAST, edge flags.
TEST(Assemble, EveryType) {
  struct Want {
    std::array<uint32_t, 3> element;
    std::array<uint32_t, 4> provoking;
    uint8_t edges;
  };
  struct Row {
    uint32_t type, count;
    std::vector<Want> want;
  };
  const Row rows[] = {
      {Vf::PRIM_TYPE__NONE, 9, {}},
      {Vf::PRIM_TYPE__POINT_LIST, 2, {{{0, 0, 0}, {0, 0, 0, 0}, 0}, {{1, 0, 0}, {1, 1, 1, 1}, 0}}},
      {Vf::PRIM_TYPE__LINE_LIST, 5, {{{0, 1, 0}, {0, 1, 1, 1}, 1}, {{2, 3, 0}, {2, 3, 3, 3}, 1}}},
      {Vf::PRIM_TYPE__LINE_STRIP, 3, {{{0, 1, 0}, {0, 1, 1, 1}, 1}, {{1, 2, 0}, {1, 2, 2, 2}, 1}}},
      {Vf::PRIM_TYPE__LINE_LOOP, 3, {{{0, 1, 0}, {0, 1, 1, 1}, 1}, {{1, 2, 0}, {1, 2, 2, 2}, 1}, {{2, 0, 0}, {2, 0, 0, 0}, 1}}},
      {Vf::PRIM_TYPE__LINE_LOOP, 1, {}},
      {Vf::PRIM_TYPE__TRIANGLE_LIST, 8, {{{0, 1, 2}, {0, 1, 2, 2}, 7}, {{3, 4, 5}, {3, 4, 5, 5}, 7}}},
      {Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS, 3, {{{0, 1, 2}, {0, 1, 2, 2}, 7}}},
      {Vf::PRIM_TYPE__TRIANGLE_FAN, 4, {{{0, 1, 2}, {0, 1, 2, 2}, 7}, {{0, 2, 3}, {0, 2, 3, 3}, 7}}},
      {Vf::PRIM_TYPE__TRIANGLE_STRIP, 5, {{{0, 1, 2}, {0, 1, 2, 2}, 7}, {{2, 1, 3}, {1, 2, 3, 3}, 7}, {{2, 3, 4}, {2, 3, 4, 4}, 7}}},
      {Vf::PRIM_TYPE__RECTANGLE_LIST, 3, {{{0, 1, 2}, {0, 1, 2, 2}, 7}}},
      {Vf::PRIM_TYPE__QUAD_LIST, 7, {{{0, 1, 2}, {1, 1, 3, 3}, 3}, {{0, 2, 3}, {1, 1, 3, 3}, 6}}},
      {Vf::PRIM_TYPE__QUAD_STRIP,
       6,
       {{{0, 1, 3}, {1, 1, 3, 3}, 3}, {{0, 3, 2}, {1, 1, 3, 3}, 6}, {{2, 3, 5}, {3, 3, 5, 5}, 3}, {{2, 5, 4}, {3, 3, 5, 5}, 6}}},
      {Vf::PRIM_TYPE__POLYGON, 5, {{{0, 1, 2}, {1, 1, 1, 0}, 3}, {{0, 2, 3}, {1, 1, 1, 0}, 2}, {{0, 3, 4}, {1, 1, 1, 0}, 6}}},
      {Vf::PRIM_TYPE__POLYGON, 3, {{{0, 1, 2}, {1, 1, 1, 0}, 7}}},
  };
  for (const Row& r : rows)
    for (uint32_t code = 0; code < 4; ++code) {
      std::vector<vap::Assembled> got;
      EXPECT_TRUE(vap::assemble(r.type, r.count, code, [&](const vap::Assembled& a) { return got.push_back(a), true; }));
      ASSERT_EQ(got.size(), r.want.size()) << "type " << r.type;
      for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].element, r.want[i].element) << "type " << r.type << " #" << i;
        EXPECT_EQ(got[i].provoking, r.want[i].provoking[code]) << "type " << r.type << " #" << i << " code " << code;
        EXPECT_EQ(got[i].edge_flags, r.want[i].edges) << "type " << r.type << " #" << i;
        EXPECT_EQ(got[i].rectangle, r.type == Vf::PRIM_TYPE__RECTANGLE_LIST);
      }
    }
  for (uint32_t type : {9, 10, 11}) EXPECT_FALSE(vap::assemble(type, 99, 0, [](const vap::Assembled&) { return true; }));
}

TEST_F(Draw, EveryPrimitiveTypeReachesGaAsAssembled) {
  for (uint32_t type = 0; type < 16; ++type) {
    if (type == Vf::PRIM_TYPE__RECTANGLE_LIST) continue;
    collector.primitives.clear();
    run(draw(type, 9));
    Numbers want;
    vap::assemble(type, 9, 0, [&](const vap::Assembled& a) {
      want.push_back({int(a.element[0])});
      if (a.kind != PrimitiveKind::point) want.back().push_back(int(a.element[1]));
      if (a.kind == PrimitiveKind::triangle) want.back().push_back(int(a.element[2]));
      return true;
    });
    EXPECT_EQ(numbers(), want) << type;
  }
}

TEST_F(Draw, TrianglesWithFlagWords) {
  const std::vector<uint32_t> packed = {0x00020001, 0xFFFF0003, 0x00050004, 0xFFFF0006};
  run(draw(Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS, 6, Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY), packed);
  EXPECT_EQ(numbers(), (Numbers{{1, 2, 3}, {4, 5, 6}}));
}

TEST_F(Draw, RectangleFourthCorner) {
  vertices({{-0.5f, -0.5f, 0.25f, 1}, {0.5f, -0.5f, 0.5f, 1}, {0.5f, 0.75f, 0.5f, 1}});
  run(draw(Vf::PRIM_TYPE__RECTANGLE_LIST, 3));
  ASSERT_EQ(collector.count, 2u);
  const Collected &a = collector.primitives[0], &b = collector.primitives[1];
  EXPECT_EQ(b.v[2].x, -0.5f);
  EXPECT_EQ(b.v[2].y, 0.75f);
  EXPECT_EQ(b.v[2].z, 0.25f);
  EXPECT_EQ(b.v[0].x, a.v[0].x);
  EXPECT_EQ(b.v[1].y, a.v[2].y);
  EXPECT_EQ(a.edge_flags, 3);
  EXPECT_EQ(b.edge_flags, 6);
}

TEST_F(Draw, ProvokingOutsideThePrimitive) {
  // A quad with FIRST shades with vertex 2, which its second triangle does not have.
  element(0, Psc::DATA_TYPE_0__FLOAT_4, 0, true);
  state.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_COLOR_0_PRESENT(1));
  program({mov(to_output(0), input(0)), mov(to_output(1), input(0, "xxxx"))});
  run(draw(Vf::PRIM_TYPE__QUAD_LIST, 4));
  ASSERT_EQ(collector.count, 2u);
  EXPECT_EQ(collector.primitives[0].provoking_slot, 1);
  EXPECT_EQ(collector.primitives[1].provoking_slot, -1);
  EXPECT_EQ(collector.primitives[1].provoking.color[0][0], 1 / 16.0f);
}

TEST_F(Draw, OutputsArePackedInOrder) {
  state.set(
      regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_PT_SIZE_PRESENT(1).VTX_COLOR_1_PRESENT(1).VTX_COLOR_2_PRESENT(1).VTX_COLOR_3_PRESENT(
          1));
  state.set(regs::VAP_OUT_VTX_FMT_1{}.TEX_1_COMP_CNT(2).TEX_7_COMP_CNT(4));
  std::vector<Words> code = {mov(to_output(0), input(0))};
  for (uint32_t i = 1; i < 7; ++i) code.push_back(mov(to_output(i), constant(i)));
  for (uint32_t i = 1; i < 7; ++i) set_constant(i, {float(i), float(10 + i), float(20 + i), float(30 + i)});
  program(code);
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 1));
  const WindowVertex v = collector.primitives.at(0).v[0];
  EXPECT_EQ(v.point_size, 1);
  EXPECT_EQ(v.color[0], Vec4{});
  EXPECT_EQ(v.color[1], (Vec4{2, 12, 22, 32}));
  EXPECT_EQ(v.color[2], (Vec4{3, 13, 23, 33}));
  EXPECT_EQ(v.color[3], (Vec4{4, 14, 24, 34}));
  EXPECT_EQ(v.tex[1], (Vec4{5, 15, 0, 1}));
  EXPECT_EQ(v.tex[7], (Vec4{6, 16, 26, 36}));

  state.set(regs::VAP_CLIP_CNTL{}.COLOR2_IS_TEXTURE(1).COLOR3_IS_TEXTURE(1));
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 1));
  const WindowVertex w = collector.primitives.at(1).v[0];
  EXPECT_EQ(w.tex[8], (Vec4{3, 13, 23, 33}));
  EXPECT_EQ(w.tex[9], (Vec4{4, 14, 24, 34}));
  EXPECT_EQ(w.color[2], Vec4{});
}

TEST_F(Draw, BypassTakesInputsAsOutputs) {
  state.set(regs::VAP_CNTL_STATUS{}.PVS_BYPASS(1));
  state.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_COLOR_1_PRESENT(1).VTX_PT_SIZE_PRESENT(1));
  state.set(regs::VAP_OUT_VTX_FMT_1{}.TEX_2_COMP_CNT(3));
  element(0, Psc::DATA_TYPE_0__FLOAT_4, 0, false);
  element(1, Psc::DATA_TYPE_0__FLOAT_1, 1, false);
  element(2, Psc::DATA_TYPE_0__FLOAT_1, 3, false);
  element(3, Psc::DATA_TYPE_0__FLOAT_4, 8, true);
  array(0, kVertexAddress, 10, 0);
  memory->store<float>(kVertexAddress + 16, 9.0f);
  memory->store<float>(kVertexAddress + 20, 7.0f);
  for (int i = 0; i < 4; ++i) memory->store<float>(kVertexAddress + 24 + 4 * i, float(i + 2));
  counters.instructions_left = 0;  // no program runs
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 1));
  const WindowVertex v = collector.primitives.at(0).v[0];
  EXPECT_EQ(v.point_size, 9);
  EXPECT_EQ(v.color[1], (Vec4{7, 0, 0, 1}));
  EXPECT_EQ(v.tex[2], (Vec4{2, 3, 4, 1}));
}

TEST_F(Draw, ViewportOrderAndFormats) {
  vertices({{1, -2, 3, 4}});
  state.set(regs::VAP_VTE_CNTL{}.VTX_W0_FMT(1).VPORT_X_SCALE_ENA(1).VPORT_X_OFFSET_ENA(1).VPORT_Y_SCALE_ENA(1).VPORT_Z_OFFSET_ENA(1));
  set_float<regs::VAP_VPORT_XSCALE>(320), set_float<regs::VAP_VPORT_XOFFSET>(320.5f), set_float<regs::VAP_VPORT_YSCALE>(-240);
  set_float<regs::VAP_VPORT_YOFFSET>(99), set_float<regs::VAP_VPORT_ZOFFSET>(0.125f);
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 1));
  const WindowVertex v = collector.primitives.at(0).v[0];
  EXPECT_EQ(std::tuple(v.x, v.y, v.z, v.inv_w), std::tuple(400.5f, 120.0f, 0.875f, 0.25f));

  // Screen space: coordinates pass, W is 1/W already.
  state.set(regs::VAP_VTE_CNTL{}.VTX_XY_FMT(1).VTX_Z_FMT(1));
  state.set(regs::VAP_CLIP_CNTL{}.CLIP_DISABLE(1));
  vertices({{100, 200, 7, 0.5f}});
  run(draw(Vf::PRIM_TYPE__POINT_LIST, 1));
  const WindowVertex w = collector.primitives.at(1).v[0];
  EXPECT_EQ(std::tuple(w.x, w.y, w.z, w.inv_w), std::tuple(100.0f, 200.0f, 7.0f, 0.5f));
}

TEST_F(Draw, WatchdogHangsAndStops) {
  flow(0, regs::VAP_PVS_FLOW_CNTL_OPC::PVS_FC_OPC_0__JUMP, 0, 0);
  counters.instructions_left = 500;
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 9));
  EXPECT_TRUE(counters.hung);
  EXPECT_EQ(collector.count, 0u);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::lockup);
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 9));
  EXPECT_EQ(reports.size(), 1u);
}

TEST_F(Draw, ExactBudgetIsEnough) {
  counters.instructions_left = 3;
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 3));
  EXPECT_FALSE(counters.hung);
  EXPECT_EQ(collector.count, 1u);
}

TEST_F(Draw, CacheShadesAVertexOnce) {
  const std::vector<uint32_t> packed = {0x00010000, 0x00010002, 0x00030002};
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 6, Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY), packed);
  EXPECT_EQ(numbers(), (Numbers{{0, 1, 2}, {1, 2, 3}}));
  EXPECT_EQ(counters.instructions_left, (1u << 20) - 4);
}

TEST_F(Draw, ReservedOpcodeIsReportedOnce) {
  program({mov(to_output(0), input(0)), vector_op(40, to_output(0), input(1))});
  run(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, 9));
  EXPECT_EQ(collector.count, 3u);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::bad_register);
}

}  // namespace
}  // namespace pumice::hw::test
