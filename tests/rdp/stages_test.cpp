// SPDX-License-Identifier: MIT
/// Single stages against facts that can be told without the model.
#include <gtest/gtest.h>

#include <algorithm>

#include "hw/db/rdp_commands.h"
#include "hw/rdp/rdp.h"
#include "hw/rdp/ref/bits.h"
#include "hw/rdp/ref/combiner.h"
#include "hw/rdp/ref/coverage.h"
#include "hw/rdp/ref/depth.h"
#include "hw/rdp/ref/dither.h"
#include "hw/rdp/ref/texcoord.h"
#include "hw/rdp/ref/triangle_setup.h"

namespace pumice::hw::rdp {
namespace {

TEST(RdpBits, NineBitClampAndExtension) {
  const struct {
    uint32_t v;
    int32_t clamped, extended;
  } rows[] = {{0, 0, 0}, {255, 255, 255}, {256, 255, 256}, {383, 255, 383}, {384, 0, -128}, {511, 0, -1}};
  for (const auto& r : rows) {
    EXPECT_EQ(clamp9(r.v), r.clamped);
    EXPECT_EQ(ext9(r.v), r.extended);
  }
}

/// Every stored depth survives a round trip, and the format keeps order.
TEST(RdpDepth, FormatRoundTrip) {
  uint32_t previous = 0;
  for (uint32_t stored = 0; stored < 1u << 14; ++stored) {
    const uint32_t z = expand_z(stored);
    EXPECT_EQ(compress_z(z), stored);
    EXPECT_TRUE(stored == 0 || z > previous);
    previous = z;
  }
  EXPECT_EQ(expand_z(0x3FFF), 0x3FFFFu);
}

/// With W = 0x7FFF the divide is the identity to within one unit; W <= 0 flags overflow.
TEST(RdpTexture, PerspectiveDivide) {
  for (int32_t s = -2000; s <= 2000; s += 37) {
    const DividedCoord d = divide({static_cast<uint32_t>(s) << 16, 0, 0x7FFFu << 16}, true);
    EXPECT_NEAR(sign_extend<17>(d.s), s, 1) << s;
    const DividedCoord half = divide({static_cast<uint32_t>(s) << 16, 0, 0x4000u << 16}, true);
    EXPECT_NEAR(sign_extend<17>(half.s), 2 * s, 2) << s;
  }
  EXPECT_EQ(clamp_coord(divide({5u << 16, 0, 0}, true).s), 0x7FFF);
  EXPECT_EQ(clamp_coord(divide({5u << 16, 0, 0x8000u << 16}, true).s), 0x7FFF);
}

TEST(RdpTexture, MirrorAndWrap) {
  TileAxis wrap, mirror;
  wrap.set_mask(0, 0, 2, 0);
  mirror.set_mask(0, 1, 2, 0);
  const int wrapped[] = {0, 1, 2, 3, 0, 1, 2, 3}, mirrored[] = {0, 1, 2, 3, 3, 2, 1, 0};
  for (int i = 0; i < 8; ++i) {
    const TexelAxis w = place(wrap, i * 32 + 5, -1), m = place(mirror, i * 32 + 5, -1);
    EXPECT_EQ(w.index, wrapped[i]);
    EXPECT_EQ(w.index + w.next, wrapped[(i + 1) % 8]);
    EXPECT_EQ(m.index, mirrored[i]);
    EXPECT_EQ(m.index + m.next, mirrored[(i + 1) % 8]);
    EXPECT_EQ(w.fraction, 5);
  }
}

TEST(RdpCoverage, FullHalfAndNone) {
  Span s;
  s.sub_valid = {true, true, true, true};
  s.left = {0, 0, 0, 0};
  s.right = {12, 12, 12, 12};  // one and a half pixels
  EXPECT_EQ(coverage_at(s, 0).count, 8);
  EXPECT_EQ(coverage_at(s, 1).count, 4);
  EXPECT_EQ(coverage_at(s, 2).count, 0);
  EXPECT_TRUE(coverage_at(s, 1).bit);
  s.sub_valid[0] = false;
  EXPECT_FALSE(coverage_at(s, 1).bit);
  EXPECT_EQ(coverage_at(s, 0).off_y, 1);
}

/// What docs/rdp.md says of single pixels at a silhouette: a nearer surface is not blended with what is in memory, its edge pixels have
/// the whole colour, and their share of the pixel is in the coverage bits for the video interface.
TEST(RdpCoverage, SilhouettePixelsKeepTheWholeColour) {
  constexpr uint32_t kWidth = 32, kColor = 0x1000, kDepth = 0x2000;
  std::vector<uint8_t> memory(0x4000);
  Rdp rdp(memory);
  rdp.set_execution(Execution::reference);
  std::vector<uint64_t> w;
  const auto put = [&](const auto& c) { w.insert(w.end(), c.raw.begin(), c.raw.end()); };
  put(SetScissor().xl(4 * kWidth).yl(4 * kWidth));
  put(SetOtherModes().cycle_type(kFill));
  for (const auto& [image, halfword] : {std::pair{kDepth, 0xFFFCu}, {kColor, 0x6BEBu}}) {
    put(SetColorImage().size(k16b).width(kWidth - 1).address(image));
    put(SetFillColor().color(halfword << 16 | halfword));
    put(FillRectangle().xl(4 * (kWidth - 1)).yl(4 * (kWidth - 1)));
    put(SyncPipe());
  }
  put(SetZImage().address(kDepth));
  put(SetCombineMode().sub_a_rgb_1(8).sub_b_rgb_1(8).mul_rgb_1(16).add_rgb_1(4).sub_a_a_1(7).sub_b_a_1(7).mul_a_1(7).add_a_1(4));
  put(SetOtherModes().rgb_dither_sel(3).alpha_dither_sel(3).m2a_0(1).m2b_0(1).image_read_en(1).z_update_en(1).z_compare_en(1).antialias_en(
      1));
  Vertex v[3];
  for (Vertex& c : v) c.rgba = {200, 160, 80, 255}, c.z = 0.5;
  v[0].x = 3.3, v[0].y = 2.2, v[1].x = 28.7, v[1].y = 9.6, v[2].x = 8.1, v[2].y = 29.4;
  const auto triangle = triangle_words({v[0], v[1], v[2]}, {.shade = true, .depth = true});
  w.insert(w.end(), triangle.begin(), triangle.end());
  rdp.enqueue(w);
  rdp.sync();
  const uint32_t middle = kColor / 2 + 12 * kWidth + 12, whole = rdp.rdram().read16(middle);
  EXPECT_EQ(whole & 0xFFFE, (200u / 8) << 11 | (160u / 8) << 6 | (80u / 8) << 1);
  unsigned partial = 0, least = 8;
  for (uint32_t i = kColor / 2; i < kColor / 2 + kWidth * kWidth; ++i) {
    if (rdp.rdram().read16(i) >> 1 == 0x6BEB >> 1) continue;
    EXPECT_EQ(rdp.rdram().read16(i) >> 1, whole >> 1) << "a mixture at " << i;
    const unsigned coverage = 1 + ((rdp.rdram().read16(i) & 1u) << 2 | rdp.rdram().hidden(i));
    partial += coverage < 8;
    least = std::min(least, coverage);
  }
  EXPECT_GT(partial, 20u);
  EXPECT_LE(least, 2u);
}

/// (TEXEL0 - 0) * SHADE + 0, and the wrap of a sum beyond 9 bits.
TEST(RdpCombiner, ModulateAndWrap) {
  State state;
  CombineCycle c{1, 8, 4, 7, 1, 7, 4, 7};
  CombineInputs in;
  in.texel0 = {255, 128, 0, 255};
  in.shade = {255, 128, 255, 128};
  const Combined out = combine(state, c, in);
  EXPECT_EQ(out.color, (Color{254, 64, 0, 128}));
  const CombineCycle sum{1, 8, 6, 4, 7, 7, 7, 7};  // (255 - 0) * scale + 255
  state.key_scale = {255, 255, 255};
  EXPECT_EQ(combine(state, sum, in).color[0], ((255 * 255 + 255 * 256 + 128) >> 8) & 0x1FF);
}

TEST(RdpDither, NeverLeavesEightBits) {
  for (int32_t c = 0; c < 256; ++c)
    for (int32_t d = 0; d < 8; ++d) {
      const int32_t out = dither_channel(c, d);
      EXPECT_TRUE(out == c || out == std::min((c & 0xF8) + 8, 255));
      EXPECT_EQ(out == c, (c & 7) <= d || c == 255);
    }
}

}  // namespace
}  // namespace pumice::hw::rdp
