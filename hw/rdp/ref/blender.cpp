// SPDX-License-Identifier: MIT
/// Blender (docs/reference/rdp.md section 17).
#include "hw/rdp/ref/blender.h"

#include <vector>

namespace pumice::hw::rdp {
namespace {

/// The serial divider: 4-bit denominator, 11-bit numerator.
constexpr uint8_t divide_serially(uint32_t d, uint32_t n) {
  const uint32_t inv = ~d & 15;
  uint32_t r = (inv + (n >> 8) + 1) & 7;
  uint32_t previous = 0, q = 0;
  for (int k = 7; k >= 0; --k) {
    const uint32_t bit = n >> k & 1;
    const uint32_t v = previous ? inv + 2 * r + bit + 1 : d + 2 * r + bit;
    r = v & 7;
    previous = v >> 4 & 1;
    q = 2 * q + previous;
  }
  return static_cast<uint8_t>(q);
}

struct Factors {
  Rgb p, m;
  int32_t a, b;  // 5 bits
};

Rgb select_color(const State& state, const BlendInputs& in, uint32_t sel) {
  switch (sel) {
    case 0: return in.pixel;
    case 1: return in.memory.rgb;
    case 2: return {state.blend_color[0], state.blend_color[1], state.blend_color[2]};
    default: return {state.fog_color[0], state.fog_color[1], state.fog_color[2]};
  }
}

Factors select(const State& state, const BlendCycle& cycle, const BlendInputs& in) {
  const int32_t alphas[4] = {in.pixel_alpha, state.fog_color[3], in.shade_alpha, 0};
  const int32_t a = alphas[cycle.a];
  const int32_t others[4] = {~a & 0xFF, in.memory.coverage << 5, 255, 0};
  Factors f{select_color(state, in, cycle.p), select_color(state, in, cycle.m), a >> 3, others[cycle.b] >> 3};
  if (cycle.b == 1) {
    f.a = f.a >> in.shift_a & 0x3C;
    f.b = f.b >> in.shift_b | 3;
  }
  return f;
}

}  // namespace

const uint8_t* divide_table() {
  static const std::vector<uint8_t> table = [] {
    std::vector<uint8_t> t(16 * 2048);
    for (uint32_t i = 0; i < t.size(); ++i) t[i] = divide_serially(i >> 11, i & 0x7FF);
    return t;
  }();
  return table.data();
}

Rgb blend_first(const State& state, const BlendCycle& cycle, const BlendInputs& in) {
  const Factors f = select(state, cycle, in);
  Rgb out;
  for (int c = 0; c < 3; ++c) out[c] = (f.p[c] * f.a + f.m[c] * (f.b + 1)) >> 5 & 0xFF;
  return out;
}

Rgb blend_last(const State& state, const BlendCycle& cycle, const BlendInputs& in, const DepthResult& depth) {
  if (state.modes.color_on_cvg() && !depth.wraps) return select_color(state, in, cycle.m);
  if (!depth.blend_en || (cycle.a == 0 && cycle.b == 0 && in.pixel_alpha >= 255)) return select_color(state, in, cycle.p);
  const Factors f = select(state, cycle, in);
  const uint8_t* table = divide_table();
  const uint32_t denominator = static_cast<uint32_t>(((f.a & ~3) + (f.b & ~3) + 4) >> 2);
  Rgb out;
  for (int c = 0; c < 3; ++c) {
    const int32_t sum = f.p[c] * f.a + f.m[c] * (f.b + 1);
    if (state.modes.force_blend())
      out[c] = sum >> 5 & 0xFF;
    else
      out[c] = table[(denominator & 15) << 11 | (static_cast<uint32_t>(sum) >> 2 & 0x7FF)];
  }
  return out;
}

}  // namespace pumice::hw::rdp
