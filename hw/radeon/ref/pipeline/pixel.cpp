// SPDX-License-Identifier: MIT
/// The pixel pipe for one quad: depth before or after the shader, fragment program, fog and alpha test, blending (pipeline s.7, s.8). When
/// multisampled, the program, fog and the alpha test still run once per pixel; depth, stencil and colour are processed per sample.
#include "hw/radeon/draw/draw.h"

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
  const uint32_t count;
  std::array<uint8_t, 6> of{};
};

}  // namespace

/// RS has filled q.temp. The fragment program runs on all four pixels, covered or not, for its derivatives.
void quad(DrawContext& ctx, PixelQuad& q) {
  Masks mask(q.quad);
  const auto z_of = [&](uint32_t s) -> const std::array<float, 4>& { return q.quad.samples ? q.quad.samples->z[s] : q.quad.z; };
  const bool early = ctx.state.get<regs::ZB_ZTOP>().ZTOP() == regs::ZB_ZTOP::ZTOP__EARLY_AFTER_SC;
  if (early) {
    for (uint32_t s = 0; s < mask.count; ++s) {
      if (mask.of[s]) mask.of[s] = zb::test_and_write(ctx, q.quad, mask.of[s], z_of(s), s);
    }
  }
  uint8_t pixels = mask.any();
  if (pixels == 0) return;

  q.killed = 0;
  us::run(ctx, q);
  if (ctx.counters.hung) return;
  pixels &= static_cast<uint8_t>(~q.killed);
  if (pixels == 0) return;
  pixels = fg::run(ctx, q, pixels);
  if (pixels == 0) return;
  mask.keep(pixels);
  if (mask.count > 1) {
    for (uint32_t s = 0; s < mask.count; ++s) mask.of[s] &= fg::sample_mask(ctx, q, s);
  }

  // A killed pixel must not write depth or stencil, so drivers use early Z only for programs that cannot kill.
  if (!early) {
    std::array<float, 4> shader_z;
    const bool from_shader = ctx.state.get<regs::FG_DEPTH_SRC>().DEPTH_SRC() == regs::FG_DEPTH_SRC::DEPTH_SRC__FOUR_VALUES_FROM_SHADER;
    for (int i = 0; i < 4; ++i) shader_z[i] = q.depth[i] >= 0 ? (q.depth[i] <= 1 ? q.depth[i] : 1.0f) : 0.0f;  // not a number: 0
    for (uint32_t s = 0; s < mask.count; ++s) {
      if (mask.of[s]) mask.of[s] = zb::test_and_write(ctx, q.quad, mask.of[s], from_shader ? shader_z : z_of(s), s);
    }
  }
  if (mask.any()) rb3d::write(ctx, q, {mask.of.data(), mask.count});
}

}  // namespace pumice::hw::pixel
