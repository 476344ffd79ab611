// SPDX-License-Identifier: MIT
/// See filter.h.
#include "hw/radeon/ref/tx/filter.h"

#include <cmath>
#include <utility>

#include "hw/common/numerics/arithmetic.h"
#include "hw/radeon/draw/inspector.h"

namespace pumice::hw::tx {
namespace {

using Filter0 = regs::TX_FILTER0;

Vec4 lerp(const Vec4& a, const Vec4& b, float w) {
  Vec4 out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = std::fma(w, b[c] - a[c], a[c]);
  return out;
}

}  // namespace

Sampler::Sampler(const Memory& memory, const Filter4Kernel& kernel, const Texture& tex, bool unscaled, Inspector* inspector)
    : memory_(memory), kernel_(kernel), tex_(tex), as_codes_(tex.decoding), unscaled_(unscaled), inspector_(inspector) {
  as_codes_.codes = true;
}

Vec4 Sampler::at(const Position& p, const Lod& lod) {
  if (lod.level1 == lod.level0) return in_level(p, lod.level0, lod.filter);
  const float w = float(lod.weight) / 256.0f;
  const Vec4 first = weighted(1 - w, [&] { return in_level(p, lod.level0, lod.filter); });
  return lerp(first, weighted(w, [&] { return in_level(p, lod.level1, lod.filter); }), w);
}

bool Sampler::take_killed() { return std::exchange(killed_, false); }

const MipLevel& Sampler::level(uint32_t l) {
  Cached& slot = cache_[l & 1];
  level_ = l;
  if (slot.index != l) slot = {l, mip_level(tex_.mips, l)};
  return slot.level;
}

Vec4 Sampler::in_level(const Position& p, uint32_t l, uint32_t filter) {
  const MipLevel& m = level(l);
  const float s = num::mul(p.s, factor(m.width, tex_.mips.width)), t = num::mul(p.t, factor(m.height, tex_.mips.height));
  const uint32_t clamp_s = tex_.filter0.CLAMP_S(), clamp_t = tex_.filter0.CLAMP_T();
  const auto layer = [&](int32_t i) {
    if (filter == Filter0::MIN_FILTER__FILTER4) return filter4(m, axis_filter4(s, m.width, clamp_s), axis_filter4(t, m.height, clamp_t), i);
    if (filter == Filter0::MIN_FILTER__POINT) {
      const Axis x = axis_point(s, m.width, clamp_s), y = axis_point(t, m.height, clamp_t);
      return texel(m, x.i0, y.i0, i, tex_.decoding);
    }
    Axis x = axis_linear(s, m.width, clamp_s), y = axis_linear(t, m.height, clamp_t);
    if (tex_.filter1.MC_COORD_TRUNCATE()) x.weight &= 128, y.weight &= 128;
    return tex_.codes ? codes(m, x, y, i) : floats(m, x, y, i);
  };
  if (tex_.shape != Shape::volume) return layer(int32_t(p.face));

  bool linear_r = filter != Filter0::MIN_FILTER__POINT;
  if (tex_.filter0.VOL_FILTER() == Filter0::VOL_FILTER__POINT) linear_r = false;
  if (tex_.filter0.VOL_FILTER() == Filter0::VOL_FILTER__LINEAR) linear_r = tex_.filterable();
  const float r = num::mul(p.r, factor(m.depth, tex_.mips.depth));
  const uint32_t clamp_r = tex_.filter0.CLAMP_R();
  const Axis z = linear_r ? axis_linear(r, m.depth, clamp_r) : axis_point(r, m.depth, clamp_r);
  if (z.weight == 0) return layer(z.i0);
  const float w = float(z.weight) / 256.0f;
  const Vec4 front = weighted(1 - w, [&] { return layer(z.i0); });
  return lerp(front, weighted(w, [&] { return layer(z.i1); }), w);
}

Vec4 Sampler::codes(const MipLevel& m, const Axis& x, const Axis& y, int32_t layer) {
  Vec4 sum{};  // integers below 2^24: exact
  for (uint32_t k = 0; k < 4; ++k) {
    const uint32_t wx = k & 1 ? x.weight : 256 - x.weight, wy = k & 2 ? y.weight : 256 - y.weight;
    if (wx * wy == 0) continue;
    const Vec4 code = weighted(wx * wy / 65536.0, [&] { return texel(m, k & 1 ? x.i1 : x.i0, k & 2 ? y.i1 : y.i0, layer, as_codes_); });
    for (uint32_t c = 0; c < 4; ++c) sum[c] += code[c] * float(wx * wy);
  }
  if (tex_.filter1.MC_COORD_TRUNCATE()) {
    const float round = tex_.filter1.MC_ROUND() == regs::TX_FILTER1::MC_ROUND__N0_5 ? 0.5f : 0.25f;
    for (uint32_t c = 0; c < 4; ++c) sum[c] = std::floor(sum[c] / 65536.0f + round) / tex_.divisor[c];
    return sum;
  }
  for (uint32_t c = 0; c < 4; ++c) sum[c] /= tex_.divisor[c] * 65536.0f;
  return sum;
}

Vec4 Sampler::floats(const MipLevel& m, const Axis& x, const Axis& y, int32_t layer) {
  const auto row = [&](int32_t j) {
    if (x.weight == 0) return texel(m, x.i0, j, layer, tex_.decoding);
    const float w = float(x.weight) / 256.0f;
    const Vec4 left = weighted(1 - w, [&] { return texel(m, x.i0, j, layer, tex_.decoding); });
    return lerp(left, weighted(w, [&] { return texel(m, x.i1, j, layer, tex_.decoding); }), w);
  };
  if (y.weight == 0) return row(y.i0);
  const float w = float(y.weight) / 256.0f;
  const Vec4 top = weighted(1 - w, [&] { return row(y.i0); });
  return lerp(top, weighted(w, [&] { return row(y.i1); }), w);
}

/// The four weights at a fraction in 1/256, in 1/2^14: the phases are the kernel at multiples of 1/8, linear between them (UNCONFIRMED;
/// nine phases, both ends included, leave no other use for the last).
std::array<int32_t, 4> Sampler::taps(uint32_t direction, uint32_t fraction) const {
  const auto &low = kernel_[direction][fraction >> 5], &high = kernel_[direction][(fraction >> 5) + 1];
  const int32_t rest = int32_t(fraction & 31u);
  std::array<int32_t, 4> out;
  for (uint32_t k = 0; k < 4; ++k) out[k] = low[k] * (32 - rest) + high[k] * rest;
  return out;
}

/// The component that SEL_FILTER4 names, in all four. Sums from left to right, then from top to bottom, fused.
Vec4 Sampler::filter4(const MipLevel& m, const Axis4& x, const Axis4& y, int32_t layer) {
  const auto wx = taps(regs::TX_FILTER4::DIRECTION__HORIZONTAL, x.fraction), wy = taps(regs::TX_FILTER4::DIRECTION__VERTICAL, y.fraction);
  float sum = 0.0f;
  for (uint32_t j = 0; j < 4; ++j) {
    if (wy[j] == 0) continue;
    float row = 0.0f;
    for (uint32_t i = 0; i < 4; ++i)
      if (wx[i]) {
        const Vec4 c = weighted(wx[i] * 0x1p-14 * wy[j] * 0x1p-14, [&] { return texel(m, x.i[i], y.i[j], layer, tex_.decoding); });
        row = std::fma(float(wx[i]) * 0x1p-14f, c[tex_.sel_filter4], row);
      }
    sum = std::fma(float(wy[j]) * 0x1p-14f, row, sum);
  }
  return {sum, sum, sum, sum};
}

/// Mode 2 of the chroma key zeroes texels before they are filtered. The border colour is no texel and never the key.
Vec4 Sampler::texel(const MipLevel& m, int32_t x, int32_t y, int32_t layer, const Decoding& how) {
  const bool border = x == kBorder || y == kBorder || layer == kBorder;
  Texel t;
  if (border)
    t.c = decode_border(*tex_.format, how, tex_.border);
  else
    t = fetch(memory_, tex_, how, m, uint32_t(x), uint32_t(y), uint32_t(layer));
  if (inspector_) {
    Vec4 value = t.c;
    for (uint32_t c = 0; how.codes && c < 4; ++c) value[c] /= tex_.divisor[c];
    inspector_->texel({level_, x, y, layer, border, weight_, value});
  }
  if (!t.keyed) return t.c;
  if (tex_.key_mode == regs::TX_FILTER1::CHROMA_KEY_MODE__ZERO_MATCHING_SAMPLES) return {};
  killed_ = true;
  return t.c;
}

}  // namespace pumice::hw::tx
