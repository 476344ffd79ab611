// SPDX-License-Identifier: MIT
/// See fragment.h (docs/r5x.md, sections 4 and 5).
#include "hw/radeon/ref/xr/fragment.h"

#include <bit>

#include "hw/common/numerics/arithmetic.h"

namespace pumice::hw::xr {

namespace r = regs::r5x;

namespace {

/// Modes of LDV.
enum : uint32_t { kDeclared, kCentre, kCentroid, kSample, kOffset };

}  // namespace

Varyings::Varyings(const ChipState& state, const Shape& shape, const su::Planes& planes) : state_(state), shape_(shape), planes_(planes) {
  for (uint32_t i = 0; i < 3; ++i) inv_w_[i] = double(num::flush_denormal(shape.vertex[i]->inv_w));
}

/// In double at the first pixel of the block, from there in float.
float Varyings::evaluate(const su::Plane& plane, int32_t px, int32_t py, Offset o) const {
  const int32_t half = shape_.unit / 2;
  const double bx = (px & ~3) * shape_.unit + half - shape_.at[0].x, by = (py & ~3) * shape_.unit + half - shape_.at[0].y;
  const float base = su::narrow(plane.at(bx, by)), step_x = su::narrow(plane.dx * shape_.unit), step_y = su::narrow(plane.dy * shape_.unit);
  const float x = num::add(float(px & 3), o.x), y = num::add(float(py & 3), o.y);
  return num::fma(x, step_x, num::fma(y, step_y, base));
}

float Varyings::linear(const std::array<double, 3>& v, int32_t px, int32_t py, Offset o) const {
  return evaluate(planes_.through(v[0], v[1], v[2]), px, py, o);
}

float Varyings::inv_w(int32_t px, int32_t py, Offset o) const { return linear(inv_w_, px, py, o); }

std::array<float, 2> Varyings::point_coord(int32_t px, int32_t py, Offset o) const {
  if (shape_.kind != PrimitiveKind::point) return {};
  return {linear({0, 1, 0}, px, py, o), linear({0, 0, 1}, px, py, o)};
}

uint32_t Varyings::at(uint32_t n, uint32_t c, int32_t px, int32_t py, Offset o) const {
  const auto how = state_.get<r::X_RS_VARYING>(n);
  if (how.FLAT() >> c & 1u) return num::bits(x::extended(*shape_.provoking).varying[n][c]);
  std::array<float, 3> v;
  std::array<double, 3> p;
  for (uint32_t i = 0; i < 3; ++i) p[i] = double(v[i] = num::flush_denormal(x::extended(*shape_.vertex[i]).varying[n][c]));
  if (how.NOPERSPECTIVE() >> c & 1u) return num::bits(num::canonical(linear(p, px, py, o)));
  // What is the same at all points is exact, infinity too.
  const auto slope = [&](uint32_t i) { return p[i] == p[0] ? 0.0 : (p[i] - p[0]) * inv_w_[i]; };
  const float change = evaluate(planes_.through(0, slope(1), slope(2)), px, py, o), w = num::div(1.0f, inv_w(px, py, o));
  return num::bits(num::canonical(num::fma(change, w, v[0])));
}

Offset FragmentLink::of_sample(uint32_t sample) const {
  if (samples_.count == 1) return {};
  const sc::Samples::Position& p = samples_.at[sample % samples_.count];
  return {float(p.x - 8) / 16, float(p.y - 8) / 16};
}

Offset FragmentLink::centroid(uint32_t lane) const {
  const uint32_t covered = quad_.covered[lane], all = (1u << samples_.count) - 1u;
  return covered == all || covered == 0 ? Offset{} : of_sample(uint32_t(std::countr_zero(covered)));
}

Bits4 FragmentLink::varying(uint32_t lane, uint32_t number, uint32_t mode, const Bits4& where) {
  if (number >= x::kVaryings) return {};
  const auto how = ctx_.state.get<r::X_RS_VARYING>(number);
  Offset o;
  switch (mode) {
    case kDeclared: o = sample_ >= 0 && (how.SAMPLE() || !how.CENTROID()) ? own() : how.CENTROID() ? centroid(lane) : Offset{}; break;
    case kCentroid: o = centroid(lane); break;
    case kSample: o = of_sample(where[0]); break;
    case kOffset: o = {num::from_bits(where[0]), num::from_bits(where[1])}; break;
    default: break;
  }
  Bits4 v;
  for (uint32_t c = 0; c < 4; ++c) v[c] = varyings_.at(number, c, px(lane), py(lane), o);
  return v;
}

Bits4 FragmentLink::system(uint32_t lane, uint32_t number) {
  const auto truth = [](bool b) { return b ? ~0u : 0u; };
  const uint32_t sample = sample_ < 0 ? 0 : uint32_t(sample_);
  const Offset o = own();
  switch (number) {
    case 0: {
      const float x = float(px(lane)) + 0.5f + o.x, y = float(py(lane)) + 0.5f + o.y;
      return {num::bits(x), num::bits(y), num::bits(quad_.z[sample][lane]),
              num::bits(num::canonical(varyings_.inv_w(px(lane), py(lane), o)))};
    }
    case 1: return {truth(!quad_.back_facing), 0, 0, 0};
    case 2: return {sample, 0, 0, 0};
    case 3: return {num::bits(0.5f + o.x), num::bits(0.5f + o.y), 0, 0};
    case 4: return {quad_.rasterized[lane] & own_samples(), 0, 0, 0};
    case 5: {
      const std::array<float, 2> p = varyings_.point_coord(px(lane), py(lane), o);
      return {num::bits(num::canonical(p[0])), num::bits(num::canonical(p[1])), 0, 0};
    }
    case 6: return {quad_.primitive, 0, 0, 0};
    case 7: return {quad_.layer, 0, 0, 0};
    case 8: return {quad_.viewport, 0, 0, 0};
    case 9: return {truth(!(quad_.covered[lane] & own_samples()) || (killed >> lane & 1u)), 0, 0, 0};
    case 10: return {quad_.covered[lane] & own_samples(), 0, 0, 0};
    default: return {};
  }
}

void FragmentLink::write(uint32_t lane, uint32_t slot, uint32_t mask, const Bits4& value) {
  if (slot >= out.size()) return;
  for (uint32_t c = 0; c < 4; ++c)
    if (mask >> c & 1u) out[slot][lane][c] = value[c];
}

}  // namespace pumice::hw::xr
