// SPDX-License-Identifier: MIT
/// Block alpha tests: the reference is hw/radeon/ref/fg/fg.cpp, which also does fog (Vulkan has none).
#include "hw/radeon/fast/pixel/simd_convert.h"
#include "hw/radeon/fast/pixel/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using Func = regs::FG_ALPHA_FUNC;

Mask compare(uint32_t func, F16 alpha, F16 reference) {
  switch (func & 7) {
    case Func::AF_FUNC__NEVER: return mask_from(0);
    case Func::AF_FUNC__LESS: return lt(alpha, reference);
    case Func::AF_FUNC__EQUAL: return eq(alpha, reference);
    case Func::AF_FUNC__LESS_OR_EQUAL: return le(alpha, reference);
    case Func::AF_FUNC__GREATER: return gt(alpha, reference);
    case Func::AF_FUNC__NOT_EQUAL: return ne(alpha, reference);
    case Func::AF_FUNC__GREATER_OR_EQUAL: return ge(alpha, reference);
    default: return mask_from(0xFFFF);
  }
}

F16 quantise(fg::Setup::Precision precision, F16 alpha) {
  switch (precision) {
    case fg::Setup::Precision::half: return half_to_float(float_to_half(alpha));
    case fg::Setup::Precision::bits8: return floor(saturate(alpha) * splat(255.0f) + splat(0.5f));
    default: return floor(saturate(alpha) * splat(1023.0f) + splat(0.5f));
  }
}

LaneMask alpha_tests(const output::State& s, LaneMask mask, const Lanes&, Lanes (&color)[4]) {
  const F16 alpha = load(color[3]) + splat(s.fg.offset);
  Mask stay = mask_from(mask);
  if (s.fg.alpha_test) stay = stay & compare(s.fg.compare, quantise(s.fg.precision, alpha), splat(s.fg.reference));
  if (s.fg.alpha_to_mask && s.fg.samples == 1) stay = stay & ge(alpha, splat(0.5f));
  if (s.fg.alpha_to_mask && s.fg.samples > 1) stay = stay & mask_from(sample_mask(s, color, 0));
  return bits_of(stay);
}

}  // namespace

/// fg::sample_stays.
LaneMask sample_mask(const output::State& s, const Lanes (&color)[4], uint32_t sample) {
  const F16 scaled = (load(color[3]) + splat(s.fg.offset)) * splat(static_cast<float>(s.fg.steps)) + splat(0.5f);
  if (sample >= s.fg.steps) sample %= s.fg.steps;  // rare, and a division costs more than the rest
  return bits_of(ge(scaled, splat(static_cast<float>(sample + 1))));
}

output::FogAlphaRoutine fog_alpha_routine(const output::State& s) { return s.fg.fog || s.fg.fog_refused ? nullptr : alpha_tests; }

}  // namespace pumice::hw::fast::PUMICE_SIMD
