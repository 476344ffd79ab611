// SPDX-License-Identifier: MIT
/// Footprints of draws, from registers: which surfaces, textures and vertices, read or written.
#include <gtest/gtest.h>

#include <memory>

#include "hw/radeon/footprint/draw.h"

namespace pumice::hw::footprint {
namespace {

using Vf = regs::VAP_VF_CNTL;

constexpr uint32_t kColor = 0x100000, kDepth = 0x200000, kTexture = 0x300000, kVertices = 0x400000;

class FootprintOfDraw : public testing::Test {
 protected:
  FootprintOfDraw() {
    set(regs::SC_CLIP_RULE{}.CLIP_RULE(0xFFFF));
    box(0, 0, 15, 7);
  }
  template <class R>
  void set(R r, uint32_t i = 0) {
    state_->set(r, i);
  }
  /// Both corners included.
  void box(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    set(regs::SC_SCISSOR0{}.XS0(x0).YS0(y0));
    set(regs::SC_SCISSOR1{}.XS1(x1).YS1(y1));
  }
  void target(uint32_t i, uint32_t address) {
    set(regs::US_OUT_FMT{}.OUT_FMT(regs::US_OUT_FMT::OUT_FMT__C4_8), i);
    set(regs::RB3D_COLORPITCH{}.COLORPITCH(32).COLORFORMAT(regs::RB3D_COLORPITCH::COLORFORMAT__ARGB8888), i);
    set(regs::RB3D_COLOROFFSET{}.COLOROFFSET(address >> 5), i);
    set(regs::RB3D_COLOR_CHANNEL_MASK{}.BLUE_MASK(1));
    for (uint32_t k = 1; k < 4; ++k)
      if (k != i && !state_->raw(regs::RB3D_COLOROFFSET::at(k))) set(regs::US_OUT_FMT{}.OUT_FMT(regs::US_OUT_FMT::OUT_FMT__UNUSED), k);
  }
  void depth(bool writes) {
    set(regs::ZB_CNTL{}.Z_ENABLE(1).ZWRITEENABLE(writes));
    set(regs::ZB_FORMAT{}.DEPTHFORMAT(2));
    set(regs::ZB_DEPTHPITCH{}.DEPTHPITCH(16));
    set(regs::ZB_DEPTHOFFSET{}.DEPTHOFFSET(kDepth >> 5));
  }
  std::vector<Use> uses(Vf vf, std::vector<uint32_t> data = {}) {
    Listener config;
    DrawCounters counters;
    const DrawContext ctx{*state_, *memory_, counters, config};
    std::vector<Use> out{Use{What::texture, true, {}}};  // goes
    draw(ctx, {vf, data}, out);
    return out;
  }
  std::unique_ptr<ChipState> state_ = std::make_unique<ChipState>(Profile::r500);
  std::unique_ptr<Memory> memory_ = Memory::create();
};

TEST_F(FootprintOfDraw, TargetsAndDepth) {
  target(0, kColor);
  depth(true);
  const Surfaces s = surfaces(*state_);
  ASSERT_EQ(s.count, 2u);
  EXPECT_EQ(s.surface[0].what, What::depth);
  EXPECT_TRUE(s.surface[0].writes);
  EXPECT_EQ(s.surface[0].rows(), (Rows{kDepth, 64, 256, 8}));
  EXPECT_EQ(s.surface[1].what, What::color);
  EXPECT_EQ(s.surface[1].rows(), (Rows{kColor, 64, 256, 8}));
  EXPECT_EQ(s.surface[1].bytes(), (ByteRange{kColor, kColor + 7 * 256 + 64}));
  depth(false);
  EXPECT_FALSE(surfaces(*state_).surface[0].writes) << "tested only";
  box(8, 2, 8191, 8191);
  EXPECT_EQ(surfaces(*state_).surface[1].rows().count, 8190u);
  box(5, 5, 4, 4);
  EXPECT_EQ(surfaces(*state_).count, 0u) << "no pixels";
}

TEST_F(FootprintOfDraw, TheScreenOfAStrictChipEndsAt8192) {
  for (const Profile p : {Profile::r300, Profile::r500}) {
    state_->profile = p;
    const uint32_t bias = capabilities(p).scissor_bias;
    box(bias, bias, 8191, 8191);
    const Box b = pixels(*state_);
    EXPECT_EQ(b.x1, 8192 - static_cast<int32_t>(bias));
    EXPECT_LE(b.y1, 8192);
  }
}

TEST_F(FootprintOfDraw, UsesAreReadOrWritten) {
  target(0, kColor);
  depth(false);
  set(regs::TX_ENABLE{1u << 3});
  set(regs::TX_FORMAT0{}.TXWIDTH(15).TXHEIGHT(15), 3);
  set(regs::TX_FORMAT1{}.TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8), 3);
  set(regs::TX_OFFSET{kTexture}, 3);
  const std::vector<Use> all = uses(Vf{}.PRIM_WALK(Vf::PRIM_WALK__VERTICES_IN_STREAM));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].what, What::texture);
  EXPECT_EQ(all[0].rows, (Rows{kTexture, 16 * 16 * 4}));
  EXPECT_FALSE(all[0].writes);
  EXPECT_EQ(all[1].what, What::depth);
  EXPECT_FALSE(all[1].writes);
  EXPECT_EQ(all[2].what, What::color);
  EXPECT_TRUE(all[2].writes);
  EXPECT_EQ(texture(*state_, 3), (ByteRange{kTexture, kTexture + 16 * 16 * 4}));
}

TEST_F(FootprintOfDraw, Vertices) {
  set(regs::VAP_PROG_STREAM_CNTL{}.DATA_TYPE_0(regs::VAP_PROG_STREAM_CNTL::DATA_TYPE_0__FLOAT_4).LAST_VEC_0(1));
  set(regs::VAP_VTX_NUM_ARRAYS{}.VTX_NUM_ARRAYS(1));
  set(regs::VAP_VTX_AOS_ATTR{}.VTX_AOS_COUNT0(4).VTX_AOS_STRIDE0(8));
  set(regs::VAP_VTX_AOS_ADDR_EVEN{kVertices});
  set(regs::VAP_VF_MIN_VTX_INDX{}.MIN_INDX(2));
  set(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(99));
  const Vf indexed =
      Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__POINT_LIST).PRIM_WALK(Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY).NUM_VERTICES(2);
  const std::vector<Use> near = uses(indexed, {7 | 9 << 16});
  ASSERT_EQ(near.size(), 1u);
  EXPECT_EQ(near[0].rows, (Rows{kVertices + 7 * 32, 2 * 32 + 16}));

  set(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(0xFFFFFF));
  const std::vector<Use> far = uses(Vf{indexed}.INDEX_SIZE(Vf::INDEX_SIZE__N32_BIT), {7, 0xFFFFFF});
  ASSERT_EQ(far.size(), 2u) << "one by one";
  EXPECT_EQ(far[1].rows, (Rows{kVertices + uint64_t{0xFFFFFF} * 32, 16}));
}

TEST_F(FootprintOfDraw, BoundsOfVertices) {
  const Vf indexed = Vf{}.PRIM_WALK(Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY);
  set(regs::VAP_VF_MIN_VTX_INDX{}.MIN_INDX(2));
  set(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(9));
  const vap::VertexArray array{.address = uint64_t{1} << 32, .stride = 32, .dwords = 4};
  const VertexNumbers one = bounds(*state_, indexed), two = bounds(*state_, Vf{indexed}.DUAL_INDEX_MODE(1));
  const uint64_t base = array.address;
  EXPECT_EQ(vertices(array, 0, one), (ByteRange{base + 2 * 32, base + 9 * 32 + 16}));
  EXPECT_EQ(vertices(array, 1, two), vertices(array, 1, one));
  EXPECT_EQ(vertices(array, 0, two), (ByteRange{base, base + 255 * 32 + 16})) << "nothing bounds array 0's own index";
  set(regs::VAP_VF_MIN_VTX_INDX{}.MIN_INDX(20));
  EXPECT_EQ(bounds(*state_, indexed).low, 9u) << "the upper bound counts";
  EXPECT_TRUE(fetches(indexed));
  EXPECT_TRUE(fetches(Vf{}.PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY)));
  EXPECT_FALSE(fetches(Vf{}.PRIM_WALK(Vf::PRIM_WALK__VERTICES_IN_STREAM)));
  EXPECT_FALSE(fetches(Vf{}.PRIM_WALK(Vf::PRIM_WALK__STATE_BASED)));
}

}  // namespace
}  // namespace pumice::hw::footprint
