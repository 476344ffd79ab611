// SPDX-License-Identifier: MIT
/// The pixel pipe for one quad: depth before or after the shader, fragment program, fog and alpha test, blending (pipeline s.7, s.8).
#include "hw/draw/draw.h"

namespace pumice::hw::pixel {

/// RS has filled q.temp. The fragment program runs on all four pixels, covered or not, for its derivatives.
void quad(DrawContext& ctx, PixelQuad& q) {
  uint8_t mask = q.quad.coverage;
  const bool early = ctx.state.get<regs::ZB_ZTOP>().ZTOP() == regs::ZB_ZTOP::ZTOP__EARLY_AFTER_SC;
  if (early) mask = zb::test_and_write(ctx, q.quad, mask, q.quad.z);
  if (mask == 0) return;

  q.killed = 0;
  us::run(ctx, q);
  if (ctx.counters.hung) return;
  mask &= static_cast<uint8_t>(~q.killed);
  if (mask == 0) return;
  mask = fg::run(ctx, q, mask);

  // A killed pixel must not touch depth or stencil, which is why drivers use the early place only for programs that cannot kill.
  if (!early && mask) {
    std::array<float, 4> z = q.quad.z;
    if (ctx.state.get<regs::FG_DEPTH_SRC>().DEPTH_SRC() == regs::FG_DEPTH_SRC::DEPTH_SRC__FOUR_VALUES_FROM_SHADER)
      for (int i = 0; i < 4; ++i) z[i] = q.depth[i] >= 0 ? (q.depth[i] <= 1 ? q.depth[i] : 1.0f) : 0.0f;  // not a number: 0
    mask = zb::test_and_write(ctx, q.quad, mask, z);
  }
  if (mask) rb3d::write(ctx, q, mask);
}

}  // namespace pumice::hw::pixel
