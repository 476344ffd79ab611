// SPDX-License-Identifier: MIT
/// Colour combiner (docs/reference/rdp.md section 15): (A - B) * C + D.
#include "hw/rdp/ref/combiner.h"

#include <algorithm>

#include "hw/rdp/ref/bits.h"

namespace pumice::hw::rdp {
namespace {

/// Inputs 0..5, common to all selectors.
int32_t common(const State& state, const CombineInputs& in, uint32_t sel, int c) {
  switch (sel) {
    case 0: return in.combined[c];
    case 1: return in.texel0[c];
    case 2: return in.texel1[c];
    case 3: return state.prim_color[c];
    case 4: return in.shade[c];
    default: return state.env_color[c];
  }
}

int32_t select_a(const State& state, const CombineInputs& in, uint32_t sel, int c) {
  return sel < 6 ? common(state, in, sel, c) : sel == 6 ? 0x100 : sel == 7 ? in.noise : 0;
}

int32_t select_b(const State& state, const CombineInputs& in, uint32_t sel, int c) {
  return sel < 6 ? common(state, in, sel, c) : sel == 6 ? state.key_center[c] : sel == 7 ? static_cast<int32_t>(state.k4) : 0;
}

int32_t select_c(const State& state, const CombineInputs& in, uint32_t sel, int c) {
  if (sel < 6) return common(state, in, sel, c);
  if (sel >= 7 && sel <= 12) return common(state, in, sel - 7, 3);
  switch (sel) {
    case 6: return state.key_scale[c];
    case 13: return static_cast<int32_t>(in.lod_frac);
    case 14: return static_cast<int32_t>(state.prim_lod_frac);
    case 15: return state.k5;
    default: return 0;
  }
}

int32_t select_d(const State& state, const CombineInputs& in, uint32_t sel, int c) {
  return sel < 6 ? common(state, in, sel, c) : sel == 6 ? 0x100 : 0;
}

int32_t select_alpha_c(const State& state, const CombineInputs& in, uint32_t sel) {
  if (sel == 0) return static_cast<int32_t>(in.lod_frac);
  if (sel < 6) return common(state, in, sel, 3);
  return sel == 6 ? static_cast<int32_t>(state.prim_lod_frac) : 0;
}

uint32_t equation(int32_t a, int32_t b, int32_t c, int32_t d) {
  const auto u = [](int32_t v) { return static_cast<uint32_t>(v); };
  return u((ext9(u(a)) - ext9(u(b))) * sign_extend<9>(u(c)) + ext9(u(d)) * 256 + 128) & 0x1FFFF;
}

int32_t key_alpha(const State& state, const Combined& c) {
  int32_t k = INT32_MAX;
  for (int i = 0; i < 3; ++i) {
    int32_t v = sign_extend<17>(static_cast<uint32_t>(c.key[i]));
    if (v > 0) v = (v & 15) == 8 ? 16 - v : -v;
    k = std::min(k, 16 * state.key_width[i] + v);
  }
  return std::clamp(k, 0, 255);
}

}  // namespace

Combined combine(const State& state, const CombineCycle& cycle, const CombineInputs& in) {
  Combined out;
  for (int c = 0; c < 3; ++c) {
    out.sub_a[c] = select_a(state, in, cycle.a_rgb, c);
    const uint32_t x = equation(out.sub_a[c], select_b(state, in, cycle.b_rgb, c), select_c(state, in, cycle.c_rgb, c),
                                select_d(state, in, cycle.d_rgb, c));
    out.key[c] = static_cast<int32_t>(x);
    out.color[c] = static_cast<int32_t>(x >> 8);
  }
  // In the alpha selectors 6 is 1.0 and 7 is 0, as in the colour selector D.
  const uint32_t x = equation(select_d(state, in, cycle.a_a, 3), select_d(state, in, cycle.b_a, 3), select_alpha_c(state, in, cycle.c_a),
                              select_d(state, in, cycle.d_a, 3));
  out.color[3] = static_cast<int32_t>(x >> 8);
  return out;
}

CombinedPixel fix_up(const State& state, const Combined& c, const Color& shade, int32_t alpha_dither, int& coverage) {
  CombinedPixel p;
  for (int i = 0; i < 3; ++i) p.color[i] = clamp9(static_cast<uint32_t>(state.modes.key_en() ? c.sub_a[i] : c.color[i]));
  int32_t alpha = clamp9(static_cast<uint32_t>(c.color[3]));
  if (alpha == 255) alpha = 256;
  int32_t scaled = 0;
  if (state.modes.cvg_times_alpha()) {
    scaled = (alpha * coverage + 4) >> 3;
    coverage = scaled >> 5 & 15;
  }
  if (state.modes.alpha_cvg_select())
    alpha = std::min(state.modes.cvg_times_alpha() ? scaled : coverage << 5, 255);
  else if (state.modes.key_en())
    alpha = key_alpha(state, c);
  else
    alpha = std::min(alpha + alpha_dither, 255);
  p.color[3] = alpha;
  p.shade_alpha = std::min(shade[3] + alpha_dither, 255);
  return p;
}

void CombineUse::add(const CombineCycle& c) {
  for (uint32_t sel : {c.a_rgb, c.b_rgb, c.c_rgb, c.d_rgb}) {
    texel0 |= sel == 1;
    texel1 |= sel == 2;
  }
  for (uint32_t sel : {c.a_a, c.b_a, c.c_a, c.d_a}) {
    texel0 |= sel == 1;
    texel1 |= sel == 2;
  }
  texel0 |= c.c_rgb == 8;
  texel1 |= c.c_rgb == 9;
  lod_frac |= c.c_rgb == 13 || c.c_a == 0;
}

}  // namespace pumice::hw::rdp
