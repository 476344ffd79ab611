// SPDX-License-Identifier: MIT
/// See fragment.h (docs/r5x.md, sections 4 and 5).
#include "hw/radeon/ref/xr/fragment.h"

#include <bit>

namespace pumice::hw::xr {

namespace r = regs::r5x;

namespace {

/// Modes of LDV.
enum : uint32_t { kDeclared, kCentre, kCentroid, kSample, kOffset };

}  // namespace

Varyings::Varyings(const ChipState& state, const Shape& shape, const su::Planes& planes) : state_(state), shape_(shape), planes_(planes) {
  for (uint32_t i = 0; i < 3; ++i) inv_w_[i] = double(num::flush_denormal(shape.vertex[i]->inv_w));
  perspective_ = !(inv_w_[0] == inv_w_[1] && inv_w_[0] == inv_w_[2]);
  inv_w_plane_ = perspective_ ? su::Interpolant::along(planes.through(inv_w_[0], inv_w_[1], inv_w_[2]), shape.unit)
                              : su::Interpolant::fixed(float(inv_w_[0]));
  if (shape.kind != PrimitiveKind::point) return;
  point_s_ = su::Interpolant::along(planes.through(0, 1, 0), shape.unit);
  point_t_ = su::Interpolant::along(planes.through(0, 0, 1), shape.unit);
}

float Varyings::evaluate(const su::Interpolant& i, int32_t px, int32_t py, double dx, double dy) const {
  const int32_t half = shape_.unit / 2;
  const double bx = (px & ~3) * shape_.unit + half - shape_.at[0].x, by = (py & ~3) * shape_.unit + half - shape_.at[0].y;
  return su::flushed_sum(i.base(bx + dx, by + dy), i.offset(px & 3, py & 3));
}

float Varyings::inv_w(int32_t px, int32_t py, double dx, double dy) const { return evaluate(inv_w_plane_, px, py, dx, dy); }

std::array<float, 2> Varyings::point_coord(int32_t px, int32_t py, double dx, double dy) const {
  if (shape_.kind != PrimitiveKind::point) return {};
  return {evaluate(point_s_, px, py, dx, dy), evaluate(point_t_, px, py, dx, dy)};
}

uint32_t Varyings::at(uint32_t n, uint32_t c, int32_t px, int32_t py, double dx, double dy) const {
  const auto how = state_.get<r::X_RS_VARYING>(n);
  if (how.FLAT() >> c & 1u) return num::bits(x::extended(*shape_.provoking).varying[n][c]);
  std::array<float, 3> v;
  for (uint32_t i = 0; i < 3; ++i) v[i] = x::extended(*shape_.vertex[i]).varying[n][c];
  if (num::bits(v[0]) == num::bits(v[1]) && num::bits(v[0]) == num::bits(v[2])) return num::bits(v[0]);
  std::array<double, 3> p;
  for (uint32_t i = 0; i < 3; ++i) p[i] = double(num::flush_denormal(v[i]));
  if (!perspective_ || (how.NOPERSPECTIVE() >> c & 1u))
    return num::bits(num::canonical(evaluate(su::Interpolant::along(planes_.through(p[0], p[1], p[2]), shape_.unit), px, py, dx, dy)));
  const auto plane = su::Interpolant::along(planes_.through(p[0] * inv_w_[0], p[1] * inv_w_[1], p[2] * inv_w_[2]), shape_.unit);
  const float w = num::flush_denormal(1.0f / inv_w(px, py, dx, dy));
  return num::bits(num::canonical(su::flushed_product(evaluate(plane, px, py, dx, dy), w)));
}

FragmentLink::Offset FragmentLink::of_sample(uint32_t sample) const {
  if (samples_.count == 1) return {};
  const sc::Samples::Position& p = samples_.at[sample % samples_.count];
  return {sc::offset_of(p.x, unit_, samples_.steps), sc::offset_of(p.y, unit_, samples_.steps)};
}

FragmentLink::Offset FragmentLink::centroid(uint32_t lane) const {
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
    case kOffset: o = {double(num::from_bits(where[0])) * unit_, double(num::from_bits(where[1])) * unit_}; break;
    default: break;
  }
  Bits4 v;
  for (uint32_t c = 0; c < 4; ++c) v[c] = varyings_.at(number, c, px(lane), py(lane), o.x, o.y);
  return v;
}

Bits4 FragmentLink::system(uint32_t lane, uint32_t number) {
  const auto truth = [](bool b) { return b ? ~0u : 0u; };
  const uint32_t sample = sample_ < 0 ? 0 : uint32_t(sample_);
  const Offset o = own();
  switch (number) {
    case 0: {
      const float x = float(px(lane)) + 0.5f + float(o.x / unit_), y = float(py(lane)) + 0.5f + float(o.y / unit_);
      return {num::bits(x), num::bits(y), num::bits(quad_.z[sample][lane]), num::bits(varyings_.inv_w(px(lane), py(lane), o.x, o.y))};
    }
    case 1: return {truth(!quad_.back_facing), 0, 0, 0};
    case 2: return {sample, 0, 0, 0};
    case 3: return {num::bits(0.5f + float(o.x / unit_)), num::bits(0.5f + float(o.y / unit_)), 0, 0};
    case 4: return {sample_ < 0 ? quad_.covered[lane] : quad_.covered[lane] & 1u << sample, 0, 0, 0};
    case 5: {
      const std::array<float, 2> p = varyings_.point_coord(px(lane), py(lane), o.x, o.y);
      return {num::bits(p[0]), num::bits(p[1]), 0, 0};
    }
    case 6: return {quad_.primitive, 0, 0, 0};
    case 7: return {quad_.layer, 0, 0, 0};
    case 8: return {quad_.viewport, 0, 0, 0};
    case 9: return {truth(quad_.covered[lane] == 0 || (killed >> lane & 1u)), 0, 0, 0};
    default: return {};
  }
}

void FragmentLink::write(uint32_t lane, uint32_t slot, uint32_t mask, const Bits4& value) {
  if (slot >= out.size()) return;
  for (uint32_t c = 0; c < 4; ++c)
    if (mask >> c & 1u) out[slot][lane][c] = value[c];
}

}  // namespace pumice::hw::xr
