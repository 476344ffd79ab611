// SPDX-License-Identifier: MIT
/// Two-cycle mode (docs/reference/rdp.md sections 9.2 and 9.4). The second half of a pixel runs while the first half of the next
/// one is in the pipe and sees some of its values.
#include <algorithm>

#include "hw/rdp/ref/bits.h"
#include "hw/rdp/ref/filter.h"
#include "hw/rdp/ref/lod.h"
#include "hw/rdp/ref/pixel.h"

namespace pumice::hw::rdp {
namespace {

/// A pixel after combiner cycle 0.
struct FirstHalf {
  int x = 0;
  Coverage coverage;
  Attributes attributes{};
  CombineInputs in;
  Color combined{};  // 9 bits
};

class TwoCycle {
 public:
  TwoCycle(const DrawTarget& target, const Primitive& primitive, const SpanSetup& setup, const Span& span, const Span& next)
      : target_(target), state_(target.state), primitive_(primitive), setup_(setup), span_(span), next_(next) {
    CombineUse use;
    use.add(state_.combine[0]);
    use.add(state_.combine[1]);
    textured_ = use.texel0 || use.texel1;
    lod_on_ = state_.modes.tex_lod_en() || use.lod_frac;
  }

  FirstHalf first_half(int k) const {
    FirstHalf h;
    const bool past_end = k >= span_.count;
    h.x = primitive_.left_major ? span_.start + k : span_.start - k;
    if (!past_end) h.coverage = coverage_at(span_, h.x);
    h.attributes = setup_.at(span_, k);
    h.in.shade = setup_.shade(h.attributes, h.coverage);
    h.in.noise = Noise(primitive_.noise_seed, h.x, span_.y).combiner();
    texture(k, h.in);
    h.combined = combine(state_, state_.combine[0], h.in).color;
    return h;
  }

  void texture(int k, CombineInputs& in) const {
    if (!textured_ && !lod_on_) return;
    if (k >= span_.count && next_.valid && span_.run() >= 3)
      texels_past_end(k, in);
    else
      texels(k, in);
  }

  void second_half(const FirstHalf& current, const FirstHalf& next) const {
    PixelOut p;
    p.x = current.x;
    p.y = span_.y;
    const Noise noise(primitive_.noise_seed, p.x, p.y);
    CombineInputs in = current.in;
    in.combined = current.combined;
    in.texel0 = current.in.texel1;
    in.texel1 = next.in.texel0;
    p.z = setup_.depth(current.attributes, current.coverage);
    p.dither = dither_at(state_, noise, p.x, p.y);
    p.noise_threshold = noise.alpha_threshold();
    p.coverage = current.coverage.count;
    p.coverage_bit = current.coverage.bit;
    p.combined = fix_up(state_, combine(state_, state_.combine[1], in), in.shade, p.dither.alpha, p.coverage);
    p.compare_alpha = compare_alpha(next, p.dither.alpha);
    p.last_shade_alpha = std::min(next.in.shade[3] + p.dither.alpha, 255);
    finish_pixel(target_, setup_, p, 2);
  }

 private:
  DividedCoord divided(const TexPosition& p) const { return divide(p, state_.modes.persp_tex_en()); }
  TexPosition one_line_down(const TexPosition& p) const { return {p.s + setup_.line.s, p.t + setup_.line.t, p.w + setup_.line.w}; }

  Lod lod(const LodMagnitude& m) const { return level_of_detail(m, state_, primitive_.tile, primitive_.level); }
  Lod no_lod() const {
    Lod l;
    l.tile0 = primitive_.tile;
    l.tile1 = (primitive_.tile + 1) & 7;
    return l;
  }

  void texels(int k, CombineInputs& in) const {
    const TexPosition p = setup_.texture_at(span_, k);
    const DividedCoord d = divided(p);
    Lod l = no_lod();
    if (lod_on_) {
      LodMagnitude m;
      m.add(d, divided(setup_.texture_at(span_, k + 1)));
      m.add(d, divided(one_line_down(p)));
      l = lod(m);
    }
    in.lod_frac = l.fraction;
    if (!textured_) return;
    in.texel0 = sample(state_, target_.tmem, l.tile0, d, false, {});
    in.texel1 = sample(state_, target_.tmem, l.tile1, d, true, in.texel0);
  }

  /// After the last pixel the pipe holds TEXEL0 one step farther, but already the start of the next line as TEXEL1.
  /// Its LOD is as the reference text has it; no vector tests that part.
  void texels_past_end(int k, CombineInputs& in) const {
    const DividedCoord d = divided(setup_.texture_at(span_, k));
    const TexPosition p = setup_.texture_from_latch(next_, 0);
    const DividedCoord below = divided(p);
    Lod l0 = no_lod(), l1 = no_lod();
    if (lod_on_) {
      LodMagnitude m;
      m.add(below, divided(one_line_down(p)));
      l0 = lod(m);
      m.add(below, divided(setup_.texture_from_latch(next_, 1)));
      l1 = lod(m);
    }
    in.lod_frac = l0.fraction;
    if (!textured_) return;
    in.texel0 = sample(state_, target_.tmem, l0.tile0, d, false, {});
    in.texel1 = sample(state_, target_.tmem, l1.tile0, below, false, {});
  }

  /// Alpha compare sees cycle 0 of the next pixel, dithered with this pixel's value.
  int32_t compare_alpha(const FirstHalf& next, int32_t alpha_dither) const {
    int32_t a = clamp9(static_cast<uint32_t>(next.combined[3]));
    if (a == 255) a = 256;
    if (!state_.modes.alpha_cvg_select()) return std::min(a + alpha_dither, 255);
    const int c = next.coverage.count;
    return std::min(state_.modes.cvg_times_alpha() ? (a * c + 4) >> 3 : c << 5, 255);
  }

  const DrawTarget& target_;
  const State& state_;
  const Primitive& primitive_;
  const SpanSetup& setup_;
  const Span& span_;
  const Span& next_;
  bool textured_ = false, lod_on_ = false;
};

}  // namespace

void two_cycle_texels(const DrawTarget& target, const Primitive& primitive, const SpanSetup& setup, const Span& span, const Span& next,
                      int k, CombineInputs& in) {
  TwoCycle(target, primitive, setup, span, next).texture(k, in);
}

void two_cycle_span(const DrawTarget& target, const Primitive& primitive, const SpanSetup& setup, const Span& span, const Span& next) {
  const TwoCycle pipeline(target, primitive, setup, span, next);
  FirstHalf current = pipeline.first_half(0);
  for (int k = 0; k < span.count; ++k) {
    const FirstHalf following = pipeline.first_half(k + 1);
    // A pixel without coverage is never written, whatever the modes.
    if (current.coverage.count != 0) pipeline.second_half(current, following);
    current = following;
  }
}

}  // namespace pumice::hw::rdp
