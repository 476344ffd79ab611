// SPDX-License-Identifier: MIT
/// One-cycle mode (docs/reference/rdp.md sections 9.1, 9.3 and 11.1): second combiner settings, first blender settings.
#include "hw/rdp/ref/filter.h"
#include "hw/rdp/ref/lod.h"
#include "hw/rdp/ref/pixel.h"

namespace pumice::hw::rdp {
namespace {

/// The texture side of a span. TEXEL1 belongs to the next pixel, and LOD looks one pixel farther: at the end of a
/// span the pipeline already holds the start of the following line.
class OneCycleTexture {
 public:
  OneCycleTexture(const DrawTarget& target, const Primitive& primitive, const SpanSetup& setup, const Span& span, const Span& next,
                  const CombineUse& use)
      : target_(target),
        primitive_(primitive),
        setup_(setup),
        span_(span),
        next_(next),
        use_(use),
        lod_on_(target.state.modes.tex_lod_en() || use.lod_frac) {}

  void inputs(int k, CombineInputs& in) const {
    if (!use_.texel0 && !use_.texel1 && !lod_on_) return;
    const Lod lod = lod_at(k);
    in.lod_frac = lod.fraction;
    if (use_.texel0) in.texel0 = sample_at(setup_.texture_at(span_, k), lod);
    if (!use_.texel1) return;
    const bool at_next_line = k == span_.count - 1 && span_.run() > 7 && next_.valid;
    in.texel1 = sample_at(at_next_line ? setup_.texture_from_latch(next_, 0) : setup_.texture_at(span_, k + 1), lod_at(k + 1));
  }

 private:
  Color sample_at(const TexPosition& p, const Lod& lod) const {
    return sample(target_.state, target_.tmem, lod.tile0, divide(p, target_.state.modes.persp_tex_en()), false, {});
  }

  Lod lod_at(int k) const {
    if (!lod_on_) {
      Lod lod;
      lod.tile0 = primitive_.tile;
      return lod;
    }
    const auto here = [&](int i) { return setup_.texture_at(span_, i); };
    const auto below = [&](int i) { return setup_.texture_from_latch(next_, i); };
    const int last = span_.count - 1, run = span_.run();
    TexPosition near = here(k + 1), far = here(k + 2);
    if (next_.valid) {
      if (k == last && run > 7) {
        near = below(0);
        far = below(1);
      } else if ((k == last - 1 && run > 7) || (k == last && run == 7) || (k == last + 1 && run == 6)) {
        far = here(k - 1);
      } else if (k == last + 1 && run >= 7) {
        near = below(run > 7 ? 1 : 0);
        far = below(run > 7 ? 2 : 1);
      }
    }
    const bool perspective = target_.state.modes.persp_tex_en();
    LodMagnitude m;
    m.add(divide(near, perspective), divide(far, perspective));
    return level_of_detail(m, target_.state, primitive_.tile, primitive_.level);
  }

  const DrawTarget& target_;
  const Primitive& primitive_;
  const SpanSetup& setup_;
  const Span& span_;
  const Span& next_;
  CombineUse use_;
  bool lod_on_;
};

}  // namespace

void one_cycle_span(const DrawTarget& target, const Primitive& primitive, const SpanSetup& setup, const Span& span, const Span& next) {
  const State& state = target.state;
  const CombineCycle& cycle = state.combine[1];
  CombineUse use;
  use.add(cycle);
  const OneCycleTexture texture(target, primitive, setup, span, next, use);
  for (int k = 0; k < span.count; ++k) {
    PixelOut p;
    p.x = primitive.left_major ? span.start + k : span.start - k;
    p.y = span.y;
    const Coverage coverage = coverage_at(span, p.x);
    if (coverage.count == 0) continue;  // never written, whatever the modes
    const Attributes attributes = setup.at(span, k);
    const Noise noise(primitive.noise_seed, p.x, p.y);
    CombineInputs in;
    in.shade = setup.shade(attributes, coverage);
    in.noise = noise.combiner();
    texture.inputs(k, in);
    p.z = setup.depth(attributes, coverage);
    p.dither = dither_at(state, noise, p.x, p.y);
    p.noise_threshold = noise.alpha_threshold();
    p.coverage = coverage.count;
    p.coverage_bit = coverage.bit;
    p.combined = fix_up(state, combine(state, cycle, in), in.shade, p.dither.alpha, p.coverage);
    p.compare_alpha = p.combined.color[3];
    p.last_shade_alpha = p.combined.shade_alpha;
    finish_pixel(target, setup, p, 1);
  }
}

}  // namespace pumice::hw::rdp
