// SPDX-License-Identifier: MIT
/// See shade_reference.h.
#include "hw/fast/draw/shade_reference.h"

#include <algorithm>

#include "hw/fast/draw/reports.h"
#include "hw/fast/draw/worker.h"
#include "hw/fast/simd/flush.h"
#include "hw/numerics/float_bits.h"

namespace pumice::hw::fast {

namespace {

float source_value(const ShadeArgs& args, const RsSource& s, int lane, float w) {
  switch (s.kind) {
    case RsSource::Kind::zero: return 0;
    case RsSource::Kind::one: return 1;
    case RsSource::Kind::interpolant: {
      const float v = args.base[s.index] + args.offset[s.index].v[lane];
      return s.perspective && args.factor[s.index] ? v * w : v;
    }
    case RsSource::Kind::pixel_x: return static_cast<float>(args.x + lane_x(lane));
    case RsSource::Kind::pixel_y: return static_cast<float>(args.y + lane_y(lane));
    case RsSource::Kind::back_facing: return args.back_facing ? 1.0f : 0.0f;
  }
  return 0;
}

}  // namespace

void shade_reference(ShadeArgs& args) {
  const auto& worker = *static_cast<const Worker*>(args.user);
  const Draw& draw = *worker.draw;
  const RsLayout& layout = draw.routing->layout;
  GpuConfig config;
  config.on_report = [&](const Report& r) { worker.reports->add(draw.number, r.kind, r.text); };
  DrawCounters counters;
  counters.instructions_left = static_cast<uint64_t>(std::max<int64_t>(__atomic_load_n(&args.instructions_left, __ATOMIC_RELAXED), 0));
  const uint32_t reported = counters.reported = draw.reported.load(std::memory_order_relaxed);
  DrawContext ctx{*draw.snapshot, *worker.memory, counters, config};
  args.killed = args.stopped = 0;
  PixelQuad q;
  for (int quad = 0; quad < 4 && !counters.hung; ++quad) {
    if (!(args.covered >> 4 * quad & 15)) continue;
    q.quad.x = args.x + lane_x(4 * quad);
    q.quad.y = args.y + lane_y(4 * quad);
    q.quad.coverage = static_cast<uint8_t>(args.covered >> 4 * quad & 15);
    q.quad.back_facing = args.back_facing != 0;
    for (int p = 0; p < 4; ++p) {
      const int lane = 4 * quad + p;
      const float w = 1.0f / (args.base_w + args.offset_w->v[lane]);
      q.quad.z[static_cast<size_t>(p)] = worker.z.v[lane];
      for (uint32_t n = 0; n < layout.count; ++n)
        for (uint32_t c = 0; c < 4; ++c)
          q.temp[layout.reg[n].address][static_cast<size_t>(p)][c] = num::canonical(source_value(args, layout.reg[n].channel[c], lane, w));
    }
    {
      const OrdinaryFloats ordinary;
      us::run(ctx, q);
    }
    for (size_t p = 0; p < 4; ++p) {
      const size_t lane = 4 * static_cast<size_t>(quad) + p;
      for (size_t t = 0; t < 4; ++t)
        for (size_t c = 0; c < 4; ++c) args.color[t][c].v[lane] = q.color[t][p][c];
      args.depth.v[lane] = q.depth[p];
    }
    args.killed |= uint32_t{q.killed} << 4 * quad;
  }
  args.stopped = counters.hung;
  __atomic_store_n(&args.instructions_left, static_cast<int64_t>(counters.instructions_left), __ATOMIC_RELAXED);
  if (counters.reported != reported) draw.reported.fetch_or(counters.reported, std::memory_order_relaxed);
}

}  // namespace pumice::hw::fast
