// SPDX-License-Identifier: MIT
/// See raster.h (hw/radeon/ref/xr/README.md).
#include "hw/radeon/ref/xr/raster.h"

#include <algorithm>
#include <cmath>

#include "hw/extents.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/xr/pixel.h"

namespace pumice::hw::xr {

namespace r = regs::r5x;

sc::Samples samples_of(const ChipState& state) {
  using P = sc::Samples::Position;
  static constexpr std::array<P, 8> kAt[4] = {
      {P{8, 8}},
      {P{12, 12}, P{4, 4}},
      {P{6, 2}, P{14, 6}, P{2, 10}, P{10, 14}},
      {P{9, 5}, P{7, 11}, P{13, 9}, P{5, 3}, P{3, 13}, P{1, 7}, P{11, 15}, P{15, 1}},
  };
  sc::Samples s;
  const uint32_t log2 = std::min(state.get<r::X_RS_CTRL>().SAMPLES(), 3u);
  s.steps = 16;
  s.count = 1u << log2;
  s.at = kAt[log2];
  return s;
}

sc::Bounds bounds_of(const ChipState& state, uint32_t viewport, bool cut_by_viewport) {
  const auto tl = state.get<r::X_SCISSOR_TL>(viewport);
  const auto br = state.get<r::X_SCISSOR_BR>(viewport);
  const auto last = [](uint32_t exclusive) { return std::min(int32_t(exclusive), kMaxExtent) - 1; };
  sc::Bounds b{{int32_t(tl.X()), int32_t(tl.Y()), last(br.X()), last(br.Y())}, 0xFFFF};
  if (!cut_by_viewport) return b;
  // Single samples are the pixels' centres; of several each pixel that the viewport touches may have one inside.
  const bool samples = state.get<r::X_RS_CTRL>().SAMPLES() != 0;
  const auto cut = [samples](float scale, float offset, int32_t& low, int32_t& high) {
    const double half = std::fabs(double(scale)), first = samples ? std::floor(offset - half) : std::ceil(offset - half - 0.5),
                 end = samples ? std::ceil(offset + half) : std::ceil(offset + half - 0.5);
    if (!std::isfinite(first) || !std::isfinite(end)) return;
    low = std::max(low, int32_t(std::clamp(first, -32768.0, 32768.0)));
    high = std::min(high, int32_t(std::clamp(end, -32768.0, 32768.0)) - 1);
  };
  cut(state.get_float<r::X_VIEWPORT_XSCALE>(viewport), state.get_float<r::X_VIEWPORT_XOFFSET>(viewport), b.box.x0, b.box.x1);
  cut(state.get_float<r::X_VIEWPORT_YSCALE>(viewport), state.get_float<r::X_VIEWPORT_YOFFSET>(viewport), b.box.y0, b.box.y1);
  return b;
}

DepthRange depth_range(const ChipState& state, uint32_t viewport) {
  const float scale = state.get_float<r::X_VIEWPORT_ZSCALE>(viewport), offset = state.get_float<r::X_VIEWPORT_ZOFFSET>(viewport);
  const bool negative = state.get<r::X_RS_CTRL>().NEGATIVE_DEPTH();
  const float near = negative ? num::flush_denormal(offset - scale) : offset, far = num::flush_denormal(scale + offset);
  return {std::min(near, far), std::max(near, far)};
}

void run(DrawContext& ctx, const Shape& shape) {
  const ChipState& state = ctx.state;
  const su::Planes planes(shape);
  if (!planes.valid()) return;
  const x::Vertex& provoking = x::extended(*shape.provoking);
  sc::Scan scan;
  scan.samples = samples_of(state);
  const uint32_t count = scan.samples.count;
  std::array<uint8_t, sc::Samples::kMost> doors{};
  const uint32_t sample_mask = state.get<r::X_RS_SAMPLE_MASK>().MASK();
  for (uint32_t s = 0; s < count; ++s) doors[s] = sample_mask >> s & 1u ? 0xF : 0;
  const bool triangle = shape.kind == PrimitiveKind::triangle;
  const Output output(state);
  if (provoking.layer >= output.layers) return;
  sc::Bounds bounds = bounds_of(state, provoking.viewport, triangle);
  bounds.box.x1 = std::min(bounds.box.x1, int32_t(output.width) - 1), bounds.box.y1 = std::min(bounds.box.y1, int32_t(output.height) - 1);
  if (!sc::prepare(shape, bounds, doors, scan)) return;
  const su::Depth depth = su::depth(state, shape, planes);
  const Varyings varyings(state, shape, planes);
  if (ctx.inspector) ctx.inspector->shape(ctx, shape, scan);

  QuadState q;
  q.back_facing = shape.back_facing;
  q.layer = provoking.layer;
  q.viewport = provoking.viewport;
  q.range = depth_range(state, provoking.viewport);
  q.primitive = provoking.primitive;
  const int32_t half = shape.unit / 2;
  for (int32_t y = scan.box.y0 & ~1; y <= scan.box.y1; y += 2) {
    int32_t first, last;
    if (!sc::row_span(scan, y, first, last)) continue;
    for (int32_t x = first; x <= last; x += 2) {
      q.covered = {};
      for (uint32_t s = 0; s < count; ++s) {
        const uint32_t pixels = count == 1 ? sc::coverage(scan, x, y) : sc::coverage(scan, x, y, s);
        for (uint32_t p = 0; p < 4; ++p) q.covered[p] |= (pixels >> p & 1u) << s;
      }
      if (!(q.covered[0] | q.covered[1] | q.covered[2] | q.covered[3])) continue;
      q.rasterized = q.covered;
      q.x = x;
      q.y = y;
      const double bx = (x & ~3) * shape.unit + half - shape.at[0].x, by = (y & ~3) * shape.unit + half - shape.at[0].y;
      for (uint32_t s = 0; s < count; ++s) {
        const sc::Samples::Position& at = scan.samples.at[s];
        const double sx = count == 1 ? 0 : sc::offset_of(at.x, shape.unit, scan.samples.steps),
                     sy = count == 1 ? 0 : sc::offset_of(at.y, shape.unit, scan.samples.steps);
        const float base = depth.z.base(bx + sx, by + sy);
        for (int32_t p = 0; p < 4; ++p) q.z[s][size_t(p)] = depth.at(base, (x & 3) + (p & 1), (y & 3) + (p >> 1));
      }
      if (ctx.inspector) ctx.inspector->quad(ctx, q);
      quad(ctx, output, scan.samples, varyings, q);
      if (ctx.counters.hung) return;
    }
  }
}

}  // namespace pumice::hw::xr
