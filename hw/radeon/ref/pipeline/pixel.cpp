// SPDX-License-Identifier: MIT
/// The pixel pipe for one quad: depth before or after the shader, fragment program, fog and alpha test, blending (pipeline s.7, s.8). When
/// multisampled, the program, fog and the alpha test still run once per pixel; depth, stencil and colour are processed per sample.
#include "hw/radeon/decode/zb/depth_format.h"
#include "hw/radeon/draw/inspector.h"

namespace pumice::hw::pixel {

namespace {

/// q.samples, or the same structure for a single-sampled quad: the code below handles both alike.
struct Masks {
  explicit Masks(const Quad& q) : count(q.samples ? q.samples->count : 1) {
    for (uint32_t s = 0; s < count; ++s) of[s] = q.samples ? q.samples->coverage[s] : q.coverage;
  }
  uint8_t any() const {
    uint32_t all = 0;
    for (uint32_t s = 0; s < count; ++s) all |= of[s];
    return static_cast<uint8_t>(all);
  }
  void keep(uint8_t pixels) {
    for (uint32_t s = 0; s < count; ++s) of[s] &= pixels;
  }
  std::span<const uint8_t> all() const { return {of.data(), count}; }
  const uint32_t count;
  std::array<uint8_t, 6> of{};
};

uint8_t depth_test(DrawContext& ctx, const PixelQuad& q, const Masks& mask, const std::array<float, 4>& z, uint32_t s) {
  if (ctx.inspector) ctx.inspector->begins(ctx, PixelStage::depth, q, mask.all(), s, &z);
  const uint8_t passed = zb::test_and_write(ctx, q.quad, mask.of[s], z, s);
  if (ctx.inspector) ctx.inspector->ends(ctx, PixelStage::depth, q, {&passed, 1}, s);
  return passed;
}

}  // namespace

/// RS has filled q.temp. The fragment program runs on all four pixels, covered or not, for its derivatives.
void quad(DrawContext& ctx, PixelQuad& q) {
  Masks mask(q.quad);
  const auto z_of = [&](uint32_t s) -> const std::array<float, 4>& { return q.quad.samples ? q.quad.samples->z[s] : q.quad.z; };
  const bool early = ctx.state.get<regs::ZB_ZTOP>().ZTOP() == regs::ZB_ZTOP::ZTOP__EARLY_AFTER_SC;
  if (early) {
    for (uint32_t s = 0; s < mask.count; ++s) {
      if (mask.of[s]) mask.of[s] = depth_test(ctx, q, mask, z_of(s), s);
    }
  }
  uint8_t pixels = mask.any();
  if (pixels == 0) return;

  q.killed = 0;
  if (ctx.inspector) ctx.inspector->begins(ctx, PixelStage::shader, q, mask.all(), 0, nullptr);
  us::run(ctx, q);
  if (ctx.counters.hung) return;
  pixels &= static_cast<uint8_t>(~q.killed);
  if (ctx.inspector) ctx.inspector->ends(ctx, PixelStage::shader, q, {&pixels, 1}, 0);
  if (pixels == 0) return;
  if (ctx.inspector) ctx.inspector->begins(ctx, PixelStage::fog_alpha, q, {&pixels, 1}, 0, nullptr);
  pixels = fg::run(ctx, q, pixels);
  if (ctx.inspector) ctx.inspector->ends(ctx, PixelStage::fog_alpha, q, {&pixels, 1}, 0);
  if (pixels == 0) return;
  mask.keep(pixels);
  if (mask.count > 1) {
    for (uint32_t s = 0; s < mask.count; ++s) mask.of[s] &= fg::sample_mask(ctx, q, s);
  }

  // A killed pixel must not write depth or stencil, so drivers use early Z only for programs that cannot kill.
  if (!early) {
    std::array<float, 4> shader_z;
    const bool from_shader = ctx.state.get<regs::FG_DEPTH_SRC>().DEPTH_SRC() == regs::FG_DEPTH_SRC::DEPTH_SRC__FOUR_VALUES_FROM_SHADER;
    using Format = regs::US_W_FMT;
    const auto format = ctx.state.get<Format>();
    if (from_shader && format.W_SRC() == Format::W_SRC__RASTERIZER) q.depth = q.w;
    if (from_shader && format.W_FMT() == Format::W_FMT__ZERO) q.depth = {};
    for (int i = 0; i < 4; ++i) shader_z[i] = q.depth[i] >= 0 ? (q.depth[i] <= 1 ? q.depth[i] : 1.0f) : 0.0f;  // not a number: 0
    if (from_shader && format.W_FMT() == Format::W_FMT__N24_BIT_FLOAT)
      for (int i = 0; i < 4; ++i) shader_z[i] = zb::depth_of_w24_float(q.depth[i]);
    for (uint32_t s = 0; s < mask.count; ++s) {
      if (mask.of[s]) mask.of[s] = depth_test(ctx, q, mask, from_shader ? shader_z : z_of(s), s);
    }
  }
  if (!mask.any()) return;
  if (ctx.inspector) ctx.inspector->begins(ctx, PixelStage::color, q, mask.all(), 0, nullptr);
  rb3d::write(ctx, q, mask.all());
  if (ctx.inspector) ctx.inspector->ends(ctx, PixelStage::color, q, mask.all(), 0);
}

}  // namespace pumice::hw::pixel
