// SPDX-License-Identifier: MIT
/// The rarer ways of a vertex into the chip, by packets: vertices from state registers (PRIM_WALK 0), two indices a vertex
/// (DUAL_INDEX_MODE), triangles with flag words (primitive type 7), and vector and math operation in one instruction.
#include <gtest/gtest.h>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

using Psc = regs::VAP_PROG_STREAM_CNTL;
using Vf = regs::VAP_VF_CNTL;
using Vector = std::array<float, 4>;

constexpr Vector kCorners[] = {{-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {1, 1, 0.5f, 1}, {-1, 1, 0.5f, 1}};

class VapChip : public testing::Test {
 protected:
  VapChip() : target(make_target(chip)) { packets.append(plain_state(target)); }
  uint32_t pixel(uint32_t x, uint32_t y) { return chip.memory(target.color)[y * target.width + x]; }
  template <class R>
  void put(float value, uint32_t i = 0) {
    packets.set_float<R>(value, i);
  }
  void begin(uint32_t type, uint32_t walk, uint32_t count) { packets.set(Vf().PRIM_TYPE(type).PRIM_WALK(walk).NUM_VERTICES(count)); }
  /// Array 0: one position, array 1: attribute, both FLOAT_4.
  void arrays(uint32_t positions, uint32_t attributes) {
    regs::VAP_VTX_AOS_ATTR attr;
    attr.VTX_AOS_COUNT0(4).VTX_AOS_STRIDE0(4).VTX_AOS_COUNT1(4).VTX_AOS_STRIDE1(4);
    packets.command(pm4::Op::N3D_LOAD_VBPNTR, std::vector<uint32_t>{2, attr.raw, positions, attributes});
  }
  uint32_t vectors(std::span<const Vector> v) {
    const uint32_t a = chip.allocate(v.size() * 4);
    for (size_t i = 0; i < v.size(); ++i)
      for (size_t c = 0; c < 4; ++c) chip.memory(a)[4 * i + c] = bits(v[i][c]);
    return a;
  }

  Chip chip;
  Target target;
  Packets packets;
};

TEST_F(VapChip, StateVerticesInEveryForm) {
  // Position and colour 0 make a vertex: vectors 0 and 2.
  packets.set(regs::VAP_VSM_VTX_ASSM().VSM_POS(1).VSM_COLOR(1));
  begin(Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_WALK__STATE_BASED, 6);
  for (const int i : {0, 1, 2}) {  // red, four components
    put<regs::VAP_VTX_ST_CLR_R>(1), put<regs::VAP_VTX_ST_CLR_G>(0), put<regs::VAP_VTX_ST_CLR_B>(0), put<regs::VAP_VTX_ST_CLR_A>(1);
    put<regs::VAP_VTX_ST_POS_0_X_4>(kCorners[i][0]), put<regs::VAP_VTX_ST_POS_0_Y_4>(kCorners[i][1]);
    put<regs::VAP_VTX_ST_POS_0_Z_4>(0.5f), put<regs::VAP_VTX_ST_POS_0_W_4>(1);
  }
  packets.set(regs::VAP_VTX_ST_CLR_PKD{0xFF00FF00});  // green, packed: stays for the two-component vertex too
  put<regs::VAP_VTX_ST_POS_0_X_3>(-1), put<regs::VAP_VTX_ST_POS_0_Y_3>(-1), put<regs::VAP_VTX_ST_POS_0_Z_3>(0.25f);
  put<regs::VAP_VTX_ST_POS_0_X_2>(1), put<regs::VAP_VTX_ST_POS_0_Y_2>(1);
  put<regs::VAP_VTX_ST_POS_0_X_2>(-1), put<regs::VAP_VTX_ST_POS_0_Y_2>(1);
  ASSERT_TRUE(chip.run(packets));
  for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  EXPECT_EQ(pixel(60, 32), 0xFFFF0000u);
  EXPECT_EQ(pixel(4, 32), 0xFF00FF00u);
}

TEST_F(VapChip, UserColourReplacesVertexColour) {
  packets.set(regs::VAP_VSM_VTX_ASSM().VSM_POS(1).VSM_COLOR(1));
  packets.set(regs::VAP_VTX_STATE_CNTL().COLOR_0_ASSEMBLY_CNTL(1));
  packets.set(regs::VAP_VTX_ST_CLR_PKD{0xFFFFFFFF});
  packets.set(regs::VAP_VTX_ST_USR_CLR_PKD{0xFFFF0000});  // A, B
  begin(Vf::PRIM_TYPE__TRIANGLE_FAN, Vf::PRIM_WALK__STATE_BASED, 100);
  for (const Vector& c : kCorners) put<regs::VAP_VTX_ST_POS_0_X_2>(c[0]), put<regs::VAP_VTX_ST_POS_0_Y_2>(c[1]);
  packets.set(regs::VAP_VTX_ST_END_OF_PKT{0});
  ASSERT_TRUE(chip.run(packets));
  EXPECT_EQ(pixel(10, 10), 0xFF0000FFu);
  EXPECT_EQ(pixel(50, 50), 0xFF0000FFu);
  const auto reports = chip.reports();
  ASSERT_EQ(reports.size(), 1u);  // the draw ended early
  EXPECT_NE(reports[0].text.find("carries data for 4"), std::string::npos) << reports[0].text;
}

/// Each vector of vertex state memory reaches the vertex whose bit is set in VAP_VSM_VTX_ASSM, component by component.
TEST_F(VapChip, EveryStateVectorReachesTheVertex) {
  struct StateVector {
    uint32_t number;
    std::array<uint32_t, 4> registers;
  };
  std::vector<StateVector> all = {
      {1,
       {regs::VAP_VTX_ST_NORM_0_X::offset, regs::VAP_VTX_ST_NORM_0_Y::offset, regs::VAP_VTX_ST_NORM_0_Z::offset,
        regs::VAP_VTX_ST_PVMS::offset}},
      {18,
       {regs::VAP_VTX_ST_PNT_SPRT_SZ::offset, regs::VAP_VTX_ST_DISC_FOG::offset, regs::VAP_VTX_ST_SHININESS_0::offset,
        regs::VAP_VTX_ST_SHININESS_1::offset}},
      {19,
       {regs::VAP_VTX_ST_BLND_WT::at(0), regs::VAP_VTX_ST_BLND_WT::at(1), regs::VAP_VTX_ST_BLND_WT::at(2),
        regs::VAP_VTX_ST_BLND_WT::at(3)}},
      {20,
       {regs::VAP_VTX_ST_POS_1_X::offset, regs::VAP_VTX_ST_POS_1_Y::offset, regs::VAP_VTX_ST_POS_1_Z::offset,
        regs::VAP_VTX_ST_POS_1_W::offset}},
      {21,
       {regs::VAP_VTX_ST_NORM_1_X::offset, regs::VAP_VTX_ST_NORM_1_Y::offset, regs::VAP_VTX_ST_NORM_1_Z::offset,
        regs::VAP_VTX_ST_EDGE_FLAGS::offset}},
      {22,
       {regs::VAP_VTX_ST_USR_CLR_R::offset, regs::VAP_VTX_ST_USR_CLR_G::offset, regs::VAP_VTX_ST_USR_CLR_B::offset,
        regs::VAP_VTX_ST_USR_CLR_A::offset}},
  };
  for (uint32_t i = 0; i < 8; ++i) {
    all.push_back(
        {2 + i,
         {regs::VAP_VTX_ST_CLR_R::at(i), regs::VAP_VTX_ST_CLR_G::at(i), regs::VAP_VTX_ST_CLR_B::at(i), regs::VAP_VTX_ST_CLR_A::at(i)}});
    all.push_back(
        {10 + i,
         {regs::VAP_VTX_ST_TEX_S::at(i), regs::VAP_VTX_ST_TEX_T::at(i), regs::VAP_VTX_ST_TEX_R::at(i), regs::VAP_VTX_ST_TEX_Q::at(i)}});
  }
  const uint32_t pixels = chip.allocate(size_t{target.width} * target.height * 4);
  packets.append(float_target(pixels, target.width));
  const auto run = [&] {
    begin(Vf::PRIM_TYPE__TRIANGLE_FAN, Vf::PRIM_WALK__STATE_BASED, 4);
    for (const Vector& c : kCorners) put<regs::VAP_VTX_ST_POS_0_X_2>(c[0]), put<regs::VAP_VTX_ST_POS_0_Y_2>(c[1]);
    ASSERT_TRUE(chip.run(packets));
    for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  };
  const auto value = [&](uint32_t c) { return std::bit_cast<float>(chip.memory(pixels)[(size_t{20} * target.width + 30) * 4 + c]); };
  float next = 0.25f;
  for (const StateVector& v : all) {
    const Vector wanted = {next, next + 1, next + 2, next + 3};
    next += 4;
    packets.set(regs::VAP_VSM_VTX_ASSM{1u | 1u << v.number});
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t word = bits(wanted[c]);
      packets.write(v.registers[c], {&word, 1});
    }
    run();
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(value(c), wanted[c]) << "vector " << v.number << ", component " << c;
  }
  packets.set(regs::VAP_VSM_VTX_ASSM{1u | 1u << 1});
  packets.set(regs::VAP_VTX_ST_NORM_0_PKD{0x00'81'40'7F});  // signed bytes over 127
  run();
  EXPECT_EQ(value(0), 1.0f);
  EXPECT_EQ(value(1), 64.0f / 127.0f);
  EXPECT_EQ(value(2), -1.0f);
}

TEST_F(VapChip, DualIndex) {
  const Vector colors[] = {{1, 0, 0, 1}, {0, 1, 0, 1}};
  arrays(vectors(kCorners), vectors(colors));
  std::vector<uint32_t> words = {Vf().PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST)
                                     .PRIM_WALK(Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY)
                                     .INDEX_SIZE(1)
                                     .DUAL_INDEX_MODE(1)
                                     .NUM_VERTICES(6)
                                     .raw};
  for (const uint32_t v : {0u, 1u, 2u}) words.push_back(v << 16);
  for (const uint32_t v : {0u, 2u, 3u}) words.push_back(v << 16 | 1);
  packets.command(pm4::Op::N3D_DRAW_INDX_2, words);
  ASSERT_TRUE(chip.run(packets));
  EXPECT_TRUE(chip.reports().empty());
  EXPECT_EQ(pixel(60, 32), 0xFFFF0000u);
  EXPECT_EQ(pixel(4, 32), 0xFF00FF00u);
}

TEST_F(VapChip, TrianglesWithFlagWords) {
  // Indices 0 1 2 F 0 2 3 F: the flag words name vertices that would cover nothing. 16 and 32 bits.
  const Vector colors[] = {{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}};
  const uint32_t positions = vectors(kCorners), attributes = vectors(colors);
  for (const bool wide : {false, true}) {
    Packets head = packets;
    arrays(positions, attributes);
    std::vector<uint32_t> words = {Vf().PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS)
                                       .PRIM_WALK(Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY)
                                       .INDEX_SIZE(wide)
                                       .NUM_VERTICES(6)
                                       .raw};
    const std::vector<uint32_t> indices = {0, 1, 2, 0xFFFF, 0, 2, 3, 0xFFFF};
    for (size_t i = 0; i < indices.size(); i += wide ? 1 : 2) words.push_back(wide ? indices[i] : indices[i] | indices[i + 1] << 16);
    packets.command(pm4::Op::N3D_DRAW_INDX_2, words);
    std::fill_n(chip.memory(target.color), target.width * target.height, 0u);
    ASSERT_TRUE(chip.run(packets));
    EXPECT_TRUE(chip.reports().empty());
    for (uint32_t i = 0; i < target.width * target.height; ++i)
      ASSERT_EQ(chip.memory(target.color)[i], 0xFF0000FFu) << "pixel " << i << (wide ? ", 32 bits" : ", 16 bits");
    packets = head;
  }
}

TEST_F(VapChip, VectorAndMathInOneInstruction) {
  using D = regs::PVS_INST_DST;
  using S = regs::PVS_INST_SRC;
  using Dual = regs::PVS_INST_DUAL_MATH;
  using M = regs::PVS_INST_DST_MATH;
  const auto source = [](uint32_t file, uint32_t index, uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
    return S()
        .PVS_SRC_REG_TYPE(file)
        .PVS_SRC_OFFSET(index)
        .PVS_SRC_SWIZZLE_X(x)
        .PVS_SRC_SWIZZLE_Y(y)
        .PVS_SRC_SWIZZLE_Z(z)
        .PVS_SRC_SWIZZLE_W(w)
        .raw;
  };
  // temp 0 = attribute; temp 0 = temp 0 + temp 0 with alternate 1.y = 1 / temp 0.x (the old one) on the side; both make the colour.
  const D all = D().PVS_DST_WE_X(1).PVS_DST_WE_Y(1).PVS_DST_WE_Z(1).PVS_DST_WE_W(1);
  const uint32_t temp = source(S::PVS_SRC_REG_TYPE__TEMPORARY, 0, 0, 1, 2, 3);
  const uint32_t rcp = M::PVS_DST_OPCODE__RECIP_IEEE;
  const uint32_t math = Dual{}
                            .PVS_SRC_REG_TYPE(S::PVS_SRC_REG_TYPE__TEMPORARY)
                            .PVS_SRC_OFFSET(0)
                            .PVS_SRC_SWIZZLE_X(0)
                            .PVS_DST_OPCODE_MSB(rcp >> 4)
                            .PVS_DST_OPCODE(rcp & 15)
                            .DUAL_MATH_DST_OFFSET(1)
                            .PVS_DST_WE_SEL(1)
                            .raw;
  packets.append(vertex_program(
      {move_instruction(D::PVS_DST_REG_TYPE__OUTPUT, 0, S::PVS_SRC_REG_TYPE__INPUT, 0),
       move_instruction(D::PVS_DST_REG_TYPE__TEMPORARY, 0, S::PVS_SRC_REG_TYPE__INPUT, 1),
       {D(all).PVS_DST_OPCODE(D::PVS_DST_OPCODE__ADD).PVS_DST_DUAL_MATH_OP(1).raw, temp, temp, math},
       {D(all).PVS_DST_OPCODE(D::PVS_DST_OPCODE__MULTIPLY).PVS_DST_REG_TYPE(D::PVS_DST_REG_TYPE__OUTPUT).PVS_DST_OFFSET(1).raw, temp,
        source(S::PVS_SRC_REG_TYPE__ALTERNATE_TEMPORARY, 1, 5, 1, 5, 5), temp}}));
  // x: 2 * 0.5; y: 2 * 0.25 * (1 / 0.5); z: 0; w: 2 * 0.5.
  packets.append(full_quad({0.5f, 0.25f, 0, 0.5f}));
  ASSERT_TRUE(chip.run(packets));
  EXPECT_TRUE(chip.reports().empty());
  EXPECT_EQ(pixel(20, 20), 0xFFFFFF00u);
}

/// VAP_TEX_TO_COLOR_CNTL: the three bits of a texcoord set flatten r, g, b, flatten alpha, clamp; before clipping, and only the sets that
/// they name.
TEST(TextureColors, AreShadedAndClampedLikeColours) {
  using Control = regs::VAP_TEX_TO_COLOR_CNTL;
  constexpr uint32_t kSide = 16;
  const auto picture = [](uint32_t control, uint32_t provoking, float reach) {
    Chip chip;
    const uint32_t pixels = chip.allocate(kSide * kSide * 4);
    Packets p = plain_state({kSide, kSide, pixels, 0});
    p.append(float_target(pixels, kSide));
    p.set(regs::GA_COLOR_CONTROL().PROVOKING_VERTEX(provoking));
    p.set(Control{control});
    // One corner lies beyond the near plane when reach is less than 0.
    const TestVertex v[] = {{{-1, -1, 0.5f, 1}, {2, 0, 0, 0.25f}}, {{3, -1, reach, 1}, {0, -1, 0, 0.5f}}, {{-1, 3, 0.5f, 1}, {0, 0, 3, 1}}};
    p.append(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, v));
    EXPECT_TRUE(chip.run(p));
    for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
    const uint32_t* const at = chip.memory(pixels) + (5 * kSide + 3) * 4;
    return Vector{std::bit_cast<float>(at[0]), std::bit_cast<float>(at[1]), std::bit_cast<float>(at[2]), std::bit_cast<float>(at[3])};
  };
  constexpr uint32_t kLast = regs::GA_COLOR_CONTROL::PROVOKING_VERTEX__ALWAYS_LAST;
  for (const float reach : {0.5f, -3.0f}) {
    const Vector plain = picture(0, 0, reach);
    EXPECT_GT(plain[0], 1) << "beyond what a colour may be";
    EXPECT_LT(plain[1], 0);
    EXPECT_EQ(picture(Control().TEX_RGB_SHADE_FUNC_1(1).TEX_ALPHA_SHADE_FUNC_1(1).TEX_RGBA_CLAMP_1(1).raw, 0, reach), plain)
        << "another set";
    EXPECT_EQ(picture(Control().TEX_RGB_SHADE_FUNC_0(1).raw, 0, reach), (Vector{2, 0, 0, plain[3]}));
    EXPECT_EQ(picture(Control().TEX_RGB_SHADE_FUNC_0(1).raw, kLast, reach), (Vector{0, 0, 3, plain[3]}));
    EXPECT_EQ(picture(Control().TEX_ALPHA_SHADE_FUNC_0(1).raw, 0, reach), (Vector{plain[0], plain[1], plain[2], 0.25f}));
    EXPECT_EQ(picture(Control().TEX_RGB_SHADE_FUNC_0(1).TEX_ALPHA_SHADE_FUNC_0(1).TEX_RGBA_CLAMP_0(1).raw, 0, reach),
              (Vector{1, 0, 0, 0.25f}));
    const Vector clamped = picture(Control().TEX_RGBA_CLAMP_0(1).raw, 0, reach);
    EXPECT_FLOAT_EQ(clamped[0], plain[0] / 2) << "corners are clamped, not pixels";
    EXPECT_EQ(clamped[1], 0);
    EXPECT_FLOAT_EQ(clamped[2], plain[2] / 3);
  }
}

}  // namespace
}  // namespace pumice::hw::test
