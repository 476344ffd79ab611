// SPDX-License-Identifier: MIT
/// The first light of the chip: a triangle by packets alone, and the proof that there is no back door: one damaged word of
/// microcode or one damaged register changes the picture.
#include <gtest/gtest.h>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

constexpr uint32_t kTriangles = 4;
const TestVertex kTriangle[] = {
    {{-0.8f, -0.8f, 0.5f, 1}, {1, 0, 0, 1}}, {{0.8f, -0.8f, 0.5f, 1}, {0, 1, 0, 1}}, {{0, 0.8f, 0.5f, 1}, {0, 0, 1, 1}}};

std::vector<uint32_t> picture(Chip& chip, const Target& t) {
  return {chip.memory(t.color), chip.memory(t.color) + size_t{t.width} * t.height};
}

std::vector<uint32_t> draw_triangle(const Packets& extra) {
  Chip chip;
  const Target t = make_target(chip);
  Packets p = plain_state(t);
  p.append(extra);
  p.append(draw(kTriangles, kTriangle));
  EXPECT_TRUE(chip.run(p));
  return picture(chip, t);
}

TEST(ChipTriangle, CoversItsPixelsWithInterpolatedColours) {
  Chip chip;
  const Target t = make_target(chip);
  Packets p = plain_state(t);
  p.append(draw(kTriangles, kTriangle));
  ASSERT_TRUE(chip.run(p));
  for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  const auto pixels = picture(chip, t);
  const auto at = [&](uint32_t x, uint32_t y) { return pixels[y * t.width + x]; };
  EXPECT_EQ(at(0, 0), 0u);
  EXPECT_EQ(at(32, 62), 0u);
  // Near the corners each primary dominates; ARGB8888 is blue in the lowest byte.
  EXPECT_GT(at(9, 8) >> 16 & 0xFF, 200u);
  EXPECT_GT(at(54, 8) >> 8 & 0xFF, 200u);
  EXPECT_GT(at(31, 54) & 0xFF, 200u);
  size_t covered = 0;
  for (const uint32_t v : pixels)
    if (v) {
      ++covered;
      EXPECT_EQ(v >> 24, 255u);
      // The three weights add up to one.
      EXPECT_NEAR((v & 0xFF) + (v >> 8 & 0xFF) + (v >> 16 & 0xFF), 255.0, 2.0);
    }
  // Corners (6.4, 6.4), (57.6, 6.4), (32, 57.6) snapped to 1/16: no pixel centre lies on an edge.
  size_t inside = 0;
  for (uint32_t y = 0; y < t.height; ++y)
    for (uint32_t x = 0; x < t.width; ++x) {
      const double px = x + 0.5, py = y + 0.5, low = 6.375;
      if (py > low && px > 6.375 + (py - low) / 2 && px < 57.625 - (py - low) / 2) ++inside;
    }
  EXPECT_EQ(covered, inside);
}

TEST(ChipTriangle, OneDamagedWordChangesThePicture) {
  const auto good = draw_triangle({});
  EXPECT_EQ(draw_triangle({}), good) << "the picture must be the same every time";

  Packets microcode;
  auto slot = out_slot(0);
  slot[3] ^= 1u << 2;  // red reads green
  const std::array<uint32_t, 6> slots[] = {slot};
  microcode.append(fragment_program(slots, 1));
  EXPECT_NE(draw_triangle(microcode), good);

  Packets vertex;
  auto instruction = move_instruction(2, 0, 1, 0);
  instruction[1] ^= 1u << 25;  // negate x
  const std::array<uint32_t, 4> program[] = {instruction, move_instruction(2, 1, 1, 1)};
  vertex.append(vertex_program(program));
  EXPECT_NE(draw_triangle(vertex), good);

  const struct {
    const char* name;
    uint32_t offset, value;
  } registers[] = {
      {"SC_SCISSOR1", regs::SC_SCISSOR1::offset, regs::SC_SCISSOR1().XS1(20).YS1(20).raw},
      {"VAP_VPORT_XSCALE", regs::VAP_VPORT_XSCALE::offset, bits(16.0f)},
      {"VAP_VTE_CNTL", regs::VAP_VTE_CNTL::offset, 0},
      {"RS_IP_0", regs::RS_IP::at(0), regs::RS_IP().TEX_PTR_S(1).TEX_PTR_T(1).TEX_PTR_R(2).TEX_PTR_Q(3).raw},
      {"RB3D_COLOR_CHANNEL_MASK", regs::RB3D_COLOR_CHANNEL_MASK::offset, 0xE},
      {"RB3D_COLORPITCH0", regs::RB3D_COLORPITCH::at(0), regs::RB3D_COLORPITCH().COLORFORMAT(4).raw | 64},
      {"US_OUT_FMT_0", regs::US_OUT_FMT::at(0), regs::US_OUT_FMT().OUT_FMT(0).C0_SEL(1).C1_SEL(2).C2_SEL(3).raw},
      {"SU_CULL_MODE", regs::SU_CULL_MODE::offset, 3},
      {"VAP_OUT_VTX_FMT_1", regs::VAP_OUT_VTX_FMT_1::offset, 0},
  };
  for (const auto& r : registers) {
    Packets p;
    p.write(r.offset, {&r.value, 1});
    EXPECT_NE(draw_triangle(p), good) << r.name;
  }
}

TEST(ChipTriangle, TwoChipsInOneProcessDoNotShareAnything) {
  Chip a, b;
  const Target ta = make_target(a), tb = make_target(b);
  Packets pa = plain_state(ta), pb = plain_state(tb);
  pa.append(draw(kTriangles, kTriangle));
  ASSERT_TRUE(a.run(pa));
  ASSERT_TRUE(b.run(pb));  // state only
  EXPECT_NE(picture(a, ta), picture(b, tb));
  EXPECT_EQ(picture(b, tb), std::vector<uint32_t>(size_t{tb.width} * tb.height, 0));
}

}  // namespace
}  // namespace pumice::hw::test
