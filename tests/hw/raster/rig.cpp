// SPDX-License-Identifier: MIT
/// The fakes, and a register state in which primitives are drawn as in Vulkan.
#include "tests/hw/raster/rig.h"

#include "hw/radeon/ref/xr/raster.h"
#include "hw/radeon/ref/xv/draw.h"

#include <gtest/gtest.h>

namespace pumice::hw {

static test::Rig& rig(const DrawContext& ctx) { return *static_cast<const test::RigConfig&>(ctx.config).rig; }
static void log(const DrawContext& ctx, const char* block) {
  if (rig(ctx).log_calls) rig(ctx).calls.emplace_back(block);
}

void DrawContext::report(ReportKind kind, const std::string& text) const { rig(*this).reports.emplace_back(kind, text); }

void vap::run(DrawContext& ctx, const DrawInput&) {
  log(ctx, "vap");
  if (rig(ctx).vertices) rig(ctx).vertices(ctx);
}
// Extended draws are tested elsewhere (tests/hw/x, tests/vk).
void xv::run(DrawContext&, const DrawInput&) { ADD_FAILURE() << "an extended draw"; }
void xr::run(DrawContext&, const Shape&) { ADD_FAILURE() << "an extended shape"; }

void us::run(DrawContext& ctx, PixelQuad& q) {
  log(ctx, "us");
  test::Seen s{q.quad, {}};
  for (uint32_t i = 0; i < s.temp.size(); ++i) s.temp[i] = q.temp[i];
  rig(ctx).seen.push_back(s);
  if (rig(ctx).shader) rig(ctx).shader(q);
}
uint8_t zb::test_and_write(DrawContext& ctx, const Quad&, uint8_t mask, const std::array<float, 4>& z, uint32_t) {
  log(ctx, "zb");
  rig(ctx).tested_z = z;
  return rig(ctx).depth_test ? rig(ctx).depth_test(mask) : mask;
}
uint8_t fg::run(DrawContext& ctx, PixelQuad&, uint8_t mask) {
  log(ctx, "fg");
  return rig(ctx).alpha_test ? rig(ctx).alpha_test(mask) : mask;
}
uint8_t fg::sample_mask(DrawContext&, const PixelQuad&, uint32_t) { return 15; }
void rb3d::write(DrawContext& ctx, const PixelQuad&, std::span<const uint8_t> mask) {
  log(ctx, "rb3d");
  for (const uint8_t m : mask) rig(ctx).written |= m;
}

namespace test {

Rig::Rig() {
  config.rig = this;
  set(regs::GB_TILE_CONFIG{}.SUBPIXEL(1));
  set(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND(1));
  scissor(0, 0, 8191, 8191);
  set(regs::SC_CLIP_RULE{}.CLIP_RULE(0xFFFF));
  set(regs::SC_SCREENDOOR{}.SCREENDOOR(0xFFFFFF));
  set(regs::SC_EDGERULE{0x2DA49525});
  set_float<regs::SU_DEPTH_SCALE>(16777215.0f);
  set(regs::GA_POINT_SIZE{}.WIDTH(8).HEIGHT(8));
  set(regs::GA_POINT_MINMAX{}.MIN_SIZE(0).MAX_SIZE(0xFFFF));
  set(regs::GA_LINE_CNTL{}.WIDTH(8).END_TYPE(3));
  set(regs::PS3_ENABLE{}.PS3_MODE(1));
  set(regs::PS3_VTX_FMT{}.TEX_0_COMP_CNT(4).TEX_1_COMP_CNT(4));
  set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_COLOR_0_PRESENT(1));
  set(regs::VAP_OUT_VTX_FMT_1{}.TEX_0_COMP_CNT(4).TEX_1_COMP_CNT(4));
  set(regs::GA_COLOR_CONTROL{}.RGB0_SHADING(2).ALPHA0_SHADING(2));
  set(regs::GA_COLOR_CONTROL_PS3{}.TEX0_SHADING_PS3(2).TEX1_SHADING_PS3(2));
  set(regs::RS_COUNT{}.IT_COUNT(8).IC_COUNT(1));
  // Texcoord 0 -> register 0, colour 0 -> register 1.
  set(regs::RS_IP{}.TEX_PTR_S(0).TEX_PTR_T(1).TEX_PTR_R(2).TEX_PTR_Q(3));
  set(regs::RS_INST{}.TEX_CN(1).TEX_ADDR(0).COL_CN(1).COL_ADDR(1));
}

std::map<std::pair<int, int>, int> Rig::take_coverage() {
  std::map<std::pair<int, int>, int> out;
  for (const Seen& s : seen)
    for (int i = 0; i < 4; ++i)
      if ((s.quad.coverage >> i) & 1) ++out[{s.quad.x + (i & 1), s.quad.y + (i >> 1)}];
  seen.clear();
  return out;
}

static const Seen* find(const std::vector<Seen>& seen, int x, int y) {
  for (const Seen& s : seen)
    if (s.quad.x == (x & ~1) && s.quad.y == (y & ~1)) return &s;
  ADD_FAILURE() << "no quad at " << x << "," << y;
  return nullptr;
}

Vec4 Rig::at(int x, int y, uint32_t reg) const {
  const Seen* s = find(seen, x, y);
  return s ? s->temp[reg][(x & 1) + 2 * (y & 1)] : Vec4{};
}
float Rig::z_at(int x, int y) const {
  const Seen* s = find(seen, x, y);
  return s ? s->quad.z[(x & 1) + 2 * (y & 1)] : -1;
}

}  // namespace test
}  // namespace pumice::hw
