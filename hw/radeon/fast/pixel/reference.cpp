// SPDX-License-Identifier: MIT
/// The reference blocks, quad by quad, behind the block routines' signatures.
#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/pixel/routines.h"
#include "hw/radeon/ref/fg/fg.h"
#include "hw/radeon/ref/zb/zb.h"

namespace pumice::hw::fast::output {
namespace {

constexpr LaneMask kQuadMask = 0xF;

int32_t quad_x(int q) { return 2 * (q & 1); }
int32_t quad_y(int q) { return 2 * (q >> 1); }

/// Calls f(quad, its mask) for the quads that have pixels; f returns the pixels that remain.
template <class F>
LaneMask for_quads(LaneMask mask, F f) {
  const OrdinaryFloats ordinary;  // the reference flushes denormals explicitly
  LaneMask out = 0;
  for (int q = 0; q < 4; ++q) {
    const auto m = static_cast<uint8_t>(mask >> 4 * q & kQuadMask);
    if (m) out = static_cast<LaneMask>(out | f(q, m) << 4 * q);
  }
  return out;
}

std::array<float, 4> quad_of(const Lanes& lanes, int q) {
  return {lanes.v[4 * q], lanes.v[4 * q + 1], lanes.v[4 * q + 2], lanes.v[4 * q + 3]};
}

std::array<Vec4, 4> quad_of(const Lanes (&lanes)[4], int q) {
  std::array<Vec4, 4> out;
  for (size_t i = 0; i < 4; ++i)
    for (size_t c = 0; c < 4; ++c) out[i][c] = lanes[c].v[4 * static_cast<size_t>(q) + i];
  return out;
}

LaneMask refuse_depth(const State& state, int32_t, int32_t, LaneMask mask, const Lanes&, bool) {
  const Unsupported what = state.zb.reserved_format ? Unsupported::zb_format : Unsupported::sample_tiles;
  if (mask) state.raise(1u << uint32_t(what));
  return 0;
}

LaneMask depth(const State& state, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool back_facing) {
  return for_quads(mask, [&](int q, uint8_t m) {
    Quad quad;
    quad.x = x + quad_x(q), quad.y = y + quad_y(q);
    quad.back_facing = back_facing;
    return zb::run_tests(state.zb, *state.memory, quad, m, quad_of(z, q));
  });
}

LaneMask fog_alpha(const State& state, LaneMask mask, const Lanes& z, Lanes (&color)[4]) {
  if (mask && state.fg.fog_refused) state.raise(1u << uint32_t(Unsupported::fog_source));
  return for_quads(mask, [&](int q, uint8_t m) {
    std::array<Vec4, 4> c = quad_of(color, q);
    const uint8_t stay = fg::run_quad(state.fg, quad_of(z, q), c, m);
    for (size_t i = 0; i < 4; ++i)
      for (size_t k = 0; k < 3; ++k) color[k].v[4 * static_cast<size_t>(q) + i] = c[i][k];
    return stay;
  });
}

void color(const State& state, const Target& target, int32_t x, int32_t y, LaneMask mask, const Lanes (&color)[4]) {
  for_quads(mask, [&](int q, uint8_t m) {
    rb3d::write_quad(state.rb3d, target.reference, *state.memory, x + quad_x(q), y + quad_y(q), m, quad_of(color, q));
    return m;
  });
}

}  // namespace

const RoutineTable kReferenceRoutines = {
    [](const State& s) -> DepthRoutine { return s.zb.reserved_format || s.zb.sample_tiles ? refuse_depth : depth; },
    [](const State&) -> DepthRoutine { return depth; },
    [](const State&) -> FogAlphaRoutine { return fog_alpha; },
    nullptr,
    [](const State&, const Target&) -> ColorRoutine { return color; },
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace pumice::hw::fast::output
