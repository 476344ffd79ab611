// SPDX-License-Identifier: MIT
/// Coordinates, level of detail, anisotropic probes and channel selection of a texture lookup for a quad (pipeline s.6).
#include <cmath>
#include <optional>

#include "hw/common/numerics/arithmetic.h"
#include "hw/radeon/decode/tx/cube.h"
#include "hw/radeon/decode/tx/lod.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/tx/filter.h"
#include "hw/radeon/ref/tx/lookup.h"

namespace pumice::hw::tx {
namespace {

using Filter0 = regs::TX_FILTER0;

/// The lookup position of a pixel, and its derivative with respect to the coordinate. Cube: s and t are 0..1 inside the face; a step is the
/// derivative of the projection onto the pixel's own face.
class Place {
 public:
  Place(const Texture& tex, const Vec4& c) : at_{c[0], c[1], c[2], 0} {
    if (tex.shape != Shape::cube) return;
    cube_.emplace(CubeProjection::Direction{c[0], c[1], c[2]});
    at_ = {cube_->s(), cube_->t(), 0, cube_->face()};
  }
  const Position& at() const { return at_; }
  Position step(const Vec4& d) const {
    if (!cube_) return {d[0], d[1], d[2], 0};
    const auto [s, t] = cube_->step({d[0], d[1], d[2]});
    return {s, t, 0, 0};
  }

 private:
  std::optional<CubeProjection> cube_;
  Position at_;
};

Vec4 flushed(const Vec4& v) {
  Vec4 out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = num::flush_denormal(v[c]);
  return out;
}

/// Coordinate difference between two pixels.
Vec4 difference(const Vec4& a, const Vec4& b) { return {num::sub(a[0], b[0]), num::sub(a[1], b[1]), num::sub(a[2], b[2]), 0}; }

float select_component(const Vec4& c, uint32_t code) { return code < 4 ? c[code] : code == 5 ? 1.0f : 0.0f; }

/// `n` probes spread evenly along the longer step, at its fractions i/(n+1) - 1/2, averaged (EXT_texture_filter_anisotropic).
Vec4 anisotropic(Sampler& sampler, const Position& p, const Position& along, uint32_t n, const Lod& lod) {
  Vec4 sum{};
  for (uint32_t i = 1; i <= n; ++i) {
    const float o = float(int32_t(2 * i) - int32_t(n + 1)) / float(2 * (n + 1));
    const Position at{num::fma(o, along.s, p.s), num::fma(o, along.t, p.t), num::fma(o, along.r, p.r), p.face};
    const Vec4 probe = sampler.weighted(1.0 / n, [&] { return sampler.at(at, lod); });
    for (uint32_t c = 0; c < 4; ++c) sum[c] += probe[c];
  }
  for (float& c : sum) c /= float(n);
  return sum;
}

}  // namespace

uint8_t lookup(const Memory& memory, const Filter4Kernel& kernel, const Texture& tex, const Request& request, std::array<Vec4, 4>& out,
               Inspector* inspector) {
  Sampler sampler(memory, kernel, tex, request.unscaled, inspector);
  const Position scale = sampler.scale();

  std::array<Vec4, 4> coord;
  for (uint32_t p = 0; p < 4; ++p) {
    Vec4& c = coord[p] = flushed(request.coord[p]);
    if (request.lookup == Lookup::proj) c = {num::div(c[0], c[3]), num::div(c[1], c[3]), num::div(c[2], c[3]), c[3]};
  }

  // The level of detail of a pixel comes from the differences along its own row and column of the quad, unless the instruction brings
  // them or the level.
  const bool needs_steps =
      request.lookup != Lookup::lod && (tex.num_levels > 0 || tex.filter0.MAG_FILTER() != tex.filter0.MIN_FILTER() || tex.max_probes > 1);
  uint8_t killed = 0;
  for (uint32_t p = 0; p < 4; ++p) {
    const Place place(tex, coord[p]);
    float lambda = 0.0f;
    uint32_t probes = 1;
    Position along;
    if (needs_steps) {
      const uint32_t row = p & 2u, column = p & 1u;
      const bool given = request.lookup == Lookup::dxdy;
      const Position dx = place.step(given ? flushed(request.dx[p]) : difference(coord[row + 1], coord[row]));
      const Position dy = place.step(given ? flushed(request.dy[p]) : difference(coord[column + 2], coord[column]));
      const bool volume = tex.shape == Shape::volume;
      const Extent extent{squared_length(dx.s * scale.s, dx.t * scale.t, dx.r * scale.r, volume),
                          squared_length(dy.s * scale.s, dy.t * scale.t, dy.r * scale.r, volume)};
      probes = probe_count(extent, tex.max_probes);
      lambda = lambda_of(extent, probes);
      along = extent.x2 > extent.y2 ? dx : dy;
    }
    if (request.lookup == Lookup::lod_bias) lambda += coord[p][3];
    if (request.lookup == Lookup::lod) lambda = coord[p][3];

    const Lod lod = select_levels(tex, lambda);
    if (inspector)
      inspector->lookup(
          {p, coord[p], lambda, lod.level0, lod.level1, lod.level0 == lod.level1 ? 0.0f : float(lod.weight) / 256.0f, probes, lod.filter});
    const bool spread = lod.filter == Filter0::MIN_FILTER__ANISOTROPIC && probes > 1;
    const Vec4 c = spread ? anisotropic(sampler, place.at(), along, probes, lod) : sampler.at(place.at(), lod);
    if (sampler.take_killed()) killed |= uint8_t(1u << p);
    out[p] = {select_component(c, tex.format1.SEL_RED()), select_component(c, tex.format1.SEL_GREEN()),
              select_component(c, tex.format1.SEL_BLUE()), select_component(c, tex.format1.SEL_ALPHA())};
  }
  return killed;
}

}  // namespace pumice::hw::tx
