// SPDX-License-Identifier: MIT
/// See reference_stage.h.
#include "hw/fast/draw/reference_stage.h"

#include "hw/fast/simd/flush.h"
#include "hw/numerics/float_bits.h"

namespace pumice::hw::fast {

void reference_stage(Worker& w, const raster::Record& record, int32_t x, int32_t y, LaneMask mask) {
  const Draw& draw = *record.draw;
  DrawContext& ctx = *draw.context;
  const ShadeArgs& args = w.args;
  const RsLayout& layout = draw.routing.layout;
  PixelQuad q;
  for (int quad = 0; quad < 4; ++quad) {
    const auto covered = static_cast<uint8_t>(mask >> 4 * quad & 15);
    if (!covered || ctx.counters.hung) continue;
    q.quad.coverage = covered;
    q.quad.x = x + lane_x(4 * quad);
    q.quad.y = y + lane_y(4 * quad);
    q.quad.back_facing = record.back_facing;
    q.quad.parallelogram = record.edges == 4;
    for (int p = 0; p < 4; ++p) {
      const int lane = 4 * quad + p;
      q.quad.z[static_cast<size_t>(p)] = w.z.v[lane];
      const float factor = 1.0f / (args.base_w + args.offset_w->v[lane]);
      for (uint32_t n = 0; n < layout.count; ++n)
        for (uint32_t c = 0; c < 4; ++c) {
          const RsSource& s = layout.reg[n].channel[c];
          float v = 0;
          switch (s.kind) {
            case RsSource::Kind::zero: break;
            case RsSource::Kind::one: v = 1; break;
            case RsSource::Kind::interpolant:
              v = args.base[s.index] + args.offset[s.index].v[lane];
              if (s.perspective && args.factor[s.index]) v *= factor;
              break;
            case RsSource::Kind::pixel_x: v = static_cast<float>(x + lane_x(lane)); break;
            case RsSource::Kind::pixel_y: v = static_cast<float>(y + lane_y(lane)); break;
            case RsSource::Kind::back_facing: v = args.back_facing ? 1 : 0; break;
          }
          q.temp[layout.reg[n].address][static_cast<size_t>(p)][c] = num::canonical(v);
        }
    }
    const OrdinaryFloats ordinary;
    pixel::quad(ctx, q);
  }
}

}  // namespace pumice::hw::fast
