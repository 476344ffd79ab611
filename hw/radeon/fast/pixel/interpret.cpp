// SPDX-License-Identifier: MIT
/// The reference interpreter inside a ShadeRoutine.
#include <algorithm>

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/pixel/shade.h"

namespace pumice::hw::fast::us {
namespace {

float interpolate(const ShadeArgs& args, const RsLayout& layout, const RsSource& source, int lane, float w) {
  switch (source.kind) {
    case RsSource::Kind::zero: return 0.0f;
    case RsSource::Kind::one: return 1.0f;
    case RsSource::Kind::pixel_x: return float(args.x + lane_x(lane));
    case RsSource::Kind::pixel_y: return float(args.y + lane_y(lane));
    case RsSource::Kind::back_facing: return args.back_facing ? 1.0f : 0.0f;
    case RsSource::Kind::interpolant: break;
  }
  float v = num::add(args.base[source.index], args.offset[source.index].v[lane]);
  if (layout.perspective && source.perspective && args.factor[source.index]) v = num::mul(v, w);
  return num::canonical(v);
}

}  // namespace

void interpret(ShadeArgs& args) {
  const OrdinaryFloats ordinary;  // the reference, textures included, is written for IEEE denormals
  const ShadeUser& user = *static_cast<const ShadeUser*>(args.user);
  DrawContext& ctx = *user.context;
  const RsLayout& layout = user.shade->layout();
  // Another thread may concurrently set the budget to 0, to end the draw.
  const int64_t budget = std::max<int64_t>(__atomic_load_n(&args.instructions_left, __ATOMIC_RELAXED), 0);
  ctx.counters.instructions_left = uint64_t(budget);
  args.killed = args.stopped = 0;
  for (auto& target : args.color)
    for (Lanes& channel : target) channel = {};
  args.depth = {};
  for (int quad = 0; quad < 4; ++quad) {
    const int first = quad * 4;
    const uint32_t covered = args.covered >> first & 15u;
    if (!covered) continue;
    PixelQuad q;
    q.quad.x = args.x + lane_x(first);
    q.quad.y = args.y + lane_y(first);
    q.quad.coverage = uint8_t(covered);
    q.quad.back_facing = args.back_facing;
    for (int p = 0; p < 4; ++p) {
      const int lane = first + p;
      const float w = layout.perspective ? num::div(1.0f, num::add(args.base_w, args.offset_w->v[lane])) : 1.0f;
      for (int r = 0; r < layout.count; ++r)
        for (int c = 0; c < 4; ++c)
          q.temp[layout.reg[size_t(r)].address & 127u][size_t(p)][size_t(c)] =
              interpolate(args, layout, layout.reg[size_t(r)].channel[size_t(c)], lane, w);
    }
    hw::us::run(ctx, q);
    if (ctx.counters.hung) {
      args.stopped = 1;
      ctx.counters.hung = false;
    }
    for (int p = 0; p < 4; ++p) {
      for (int t = 0; t < 4; ++t)
        for (int c = 0; c < 4; ++c) args.color[t][c].v[first + p] = q.color[size_t(t)][size_t(p)][size_t(c)];
      args.depth.v[first + p] = q.depth[size_t(p)];
    }
    args.killed |= uint32_t(q.killed) << first;
  }
  __atomic_sub_fetch(&args.instructions_left, budget - int64_t(ctx.counters.instructions_left), __ATOMIC_RELAXED);
}

}  // namespace pumice::hw::fast::us
