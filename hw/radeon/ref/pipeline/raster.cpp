// SPDX-License-Identifier: MIT
/// One shape through SU, SC and RS: planes, coverage, interpolation, and the quads to the pixel pipe (pipeline s.4, s.5).
#include "hw/radeon/ref/xr/raster.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/rs/rs.h"
#include "hw/radeon/ref/sc/sc.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw {
namespace {

/// Walks the quads in rows from top to bottom, left to right, and sends each covered one down the pixel pipe.
void walk(DrawContext& ctx, const Shape& shape, const sc::Scan& scan, const su::Depth& depth, const rs::Program& program) {
  // One object for all quads of the shape: registers RS does not write keep what the previous quad left in them.
  PixelQuad q;
  q.quad.back_facing = shape.back_facing;
  q.quad.parallelogram = shape.parallelogram;
  const sc::Samples& samples = scan.samples;
  QuadSamples by_sample;
  by_sample.count = static_cast<uint8_t>(samples.count);
  if (samples.count > 1) q.quad.samples = &by_sample;
  std::array<rs::Program::Place, sc::Samples::kMost> place;
  for (uint32_t s = 0; s < samples.count; ++s)
    place[s] = {sc::offset_of(samples.at[s].x, shape.unit), sc::offset_of(samples.at[s].y, shape.unit)};
  const int32_t half = shape.unit / 2;
  for (int32_t y = scan.box.y0 & ~1; y <= scan.box.y1; y += 2) {
    int32_t first, last;
    if (!sc::row_span(scan, y, first, last)) continue;
    for (int32_t x = first; x <= last; x += 2) {
      uint8_t mask = 0;
      if (samples.count == 1) {
        mask = sc::coverage(scan, x, y);
      } else {
        for (uint32_t s = 0; s < samples.count; ++s) mask |= by_sample.coverage[s] = sc::coverage(scan, x, y, s);
      }
      if (mask == 0) continue;
      q.quad.x = x;
      q.quad.y = y;
      q.quad.coverage = mask;
      // The centre of the block's first pixel in grid steps from point 0, where the planes have their origin; exact.
      const double bx = (x & ~3) * shape.unit + half - shape.at[0].x, by = (y & ~3) * shape.unit + half - shape.at[0].y;
      const float base = depth.z.base(bx, by);
      for (int32_t i = 0; i < 4; ++i) q.quad.z[i] = depth.at(base, (x & 3) + (i & 1), (y & 3) + (i >> 1));
      if (samples.count > 1) {
        // Depth at a sample: the plane at the sample of the block's first pixel, then the pixel's offset as usual.
        for (uint32_t s = 0; s < samples.count; ++s) {
          const float base_s = depth.z.base(bx + place[s].x, by + place[s].y);
          for (int32_t i = 0; i < 4; ++i) by_sample.z[s][i] = depth.at(base_s, (x & 3) + (i & 1), (y & 3) + (i >> 1));
        }
      }
      program.run(q, bx, by, {place.data(), samples.count > 1 ? samples.count : 0});
      if (ctx.inspector) ctx.inspector->quad(ctx, q);
      pixel::quad(ctx, q);
      if (ctx.counters.hung) return;
    }
  }
}

}  // namespace

void su::run(DrawContext& ctx, const Shape& shape) {
  if (ctx.sink) return ctx.sink->shape(ctx, shape);
  if (x::shaders(ctx.state)) return xr::run(ctx, shape);
  const su::Planes planes(shape);
  if (!planes.valid()) return;
  sc::Scan scan;
  if (!sc::prepare(ctx.state, shape, scan)) return;
  if (ctx.inspector) ctx.inspector->shape(ctx, shape, scan);
  const su::Depth z = su::depth(ctx.state, shape, planes);
  const rs::Program program(ctx.state, shape, planes);
  walk(ctx, shape, scan, z, program);
}

}  // namespace pumice::hw
