// SPDX-License-Identifier: MIT
/// See pixel.h (hw/radeon/ref/xr/README.md).
#include "hw/radeon/ref/xr/pixel.h"

#include <algorithm>
#include <bit>

#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/xb/write.h"
#include "hw/radeon/ref/xz/test.h"

namespace pumice::hw::xr {
namespace {

namespace n = x::slot;

class QuadRun {
 public:
  QuadRun(DrawContext& ctx, const Output& output, const sc::Samples& samples, const Varyings& varyings, QuadState& q)
      : ctx_(ctx), output_(output), samples_(samples), varyings_(varyings), q_(q) {}

  void run() {
    if (output_.fs.EARLY_TESTS()) {
      for (uint32_t p = 0; p < 4; ++p) q_.covered[p] &= test(p, q_.covered[p], nullptr);
      if (!any()) return;
    }
    if (!output_.fs.PER_SAMPLE()) return pass(-1);
    for (uint32_t s = 0; s < samples_.count && !ctx_.counters.hung; ++s)
      if ((q_.covered[0] | q_.covered[1] | q_.covered[2] | q_.covered[3]) >> s & 1u) pass(int32_t(s));
  }

 private:
  bool any() const { return q_.covered[0] | q_.covered[1] | q_.covered[2] | q_.covered[3]; }

  /// A depth as it is tested.
  float limited(float z) const {
    if (output_.rs.DEPTH_UNRESTRICTED())
      z = z == z ? z : 0.0f;
    else
      z = z > 0 ? (z <= 1 ? z : 1.0f) : 0.0f;
    return output_.rs.DEPTH_CLAMP() ? std::min(std::max(z, q_.range.low), q_.range.high) : z;
  }

  /// The samples of pixel p among `mask` that pass depth and stencil. `link`: null before the program.
  uint32_t test(uint32_t p, uint32_t mask, const FragmentLink* link) {
    uint32_t passed = 0;
    for (uint32_t s = 0; s < samples_.count; ++s) {
      if (!(mask >> s & 1u)) continue;
      const bool own = link && output_.fs.WRITES_DEPTH();
      const float z = own ? num::flush_denormal(num::from_bits(link->out[n::depth][p][0])) : q_.z[s][p];
      xz::Sample at{uint32_t(q_.x) + (p & 1), uint32_t(q_.y) + (p >> 1), q_.layer, s, limited(z), q_.back_facing};
      if (link && output_.fs.WRITES_STENCIL()) {
        at.own_reference = true;
        at.reference = uint8_t(link->out[n::stencil][p][0]);
      }
      if (ctx_.inspector) ctx_.inspector->test_begins(ctx_, p, at);
      const bool passes = xz::test(ctx_.memory, output_.depth, at);
      if (ctx_.inspector) ctx_.inspector->test_ends(ctx_, p, at, passes);
      if (passes) passed |= 1u << s;
    }
    ctx_.counters.zpass += uint32_t(std::popcount(passed));
    return passed;
  }

  /// The samples that alpha keeps.
  uint32_t alpha_mask(float alpha) const {
    const float a = alpha > 0 ? (alpha <= 1 ? alpha : 1.0f) : 0.0f;
    return (1u << uint32_t(a * float(samples_.count) + 0.5f)) - 1u;
  }

  /// Runs the program for the quad, or for its sample `sample`.
  void pass(int32_t sample) {
    FragmentLink link(ctx_, samples_, varyings_, q_, sample);
    x::Group group{.stage = x::Stage::fragment, .lanes = 4, .active = 0xF, .helpers = 0, .link = &link};
    const uint32_t own = sample < 0 ? ~0u : 1u << sample;
    for (uint32_t p = 0; p < 4; ++p)
      if (!(q_.covered[p] & own)) group.helpers |= 1u << p;
    if (output_.counts) ctx_.counters.counts.fragment_invocations += 4 - uint32_t(std::popcount(group.helpers));
    if (ctx_.inspector) ctx_.inspector->program_begins(ctx_, sample, group.helpers);
    x::run(ctx_, group);
    if (ctx_.counters.hung) return;
    if (ctx_.inspector) ctx_.inspector->program_ends(ctx_, link);
    for (uint32_t p = 0; p < 4; ++p) {
      uint32_t mask = link.killed >> p & 1u ? 0 : q_.covered[p] & own;
      if (output_.fs.WRITES_MASK()) mask &= link.out[n::sample_mask][p][0];
      if (output_.rs.ALPHA_TO_COVERAGE()) mask &= alpha_mask(num::from_bits(link.out[n::color][p][3]));
      if (mask && !output_.fs.EARLY_TESTS()) mask = test(p, mask, &link);
      if (!mask) continue;
      if (ctx_.inspector) ctx_.inspector->store_begins(ctx_, p, mask, link);
      write(p, mask, link);
      if (ctx_.inspector) ctx_.inspector->store_ends(ctx_, p, mask, link);
    }
  }

  void write(uint32_t p, uint32_t mask, FragmentLink& link) {
    for (uint32_t t = 0; t < xb::kTargets; ++t) {
      const xb::Target& target = output_.target[t];
      if (!target.enabled) continue;
      Bits4 color = link.out[n::color + t][p], second = link.out[n::second_of(t)][p];
      if (output_.rs.ALPHA_TO_ONE()) color[3] = second[3] = num::bits(1.0f);
      for (uint32_t s = 0; s < samples_.count; ++s)
        if (mask >> s & 1u)
          xb::write(ctx_.memory, target, {uint32_t(q_.x) + (p & 1), uint32_t(q_.y) + (p >> 1), q_.layer, s}, color, second);
    }
  }

  DrawContext& ctx_;
  const Output& output_;
  const sc::Samples& samples_;
  const Varyings& varyings_;
  QuadState& q_;
};

}  // namespace

Output::Output(const ChipState& state)
    : depth(xz::decode(state)),
      fs(state.get<regs::r5x::X_FS_CTRL>()),
      rs(state.get<regs::r5x::X_RS_CTRL>()),
      counts(x::counts_fragments(state)) {
  const auto cut = [&](const xt::Image& i, uint32_t most) {
    width = std::min(width, i.width), height = std::min(height, i.height), layers = std::min(layers, most);
  };
  for (uint32_t i = 0; i < xb::kTargets; ++i) {
    target[i] = xb::decode(state, i);
    if (target[i].enabled) cut(target[i].image, target[i].image.layers);
  }
  if (depth.enabled) cut(depth.image, ~0u);
}

void quad(DrawContext& ctx, const Output& output, const sc::Samples& samples, const Varyings& varyings, QuadState& q) {
  QuadRun(ctx, output, samples, varyings, q).run();
}

}  // namespace pumice::hw::xr
