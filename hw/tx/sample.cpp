// SPDX-License-Identifier: MIT
/// tx::sample: coordinates, level of detail, filtering and channel selection of a texture lookup for a quad (pipeline s.6).
#include <cmath>

#include "hw/numerics/transcendental.h"
#include "hw/tx/address.h"
#include "hw/tx/texture.h"

namespace pumice::hw::tx {
namespace {

using Filter0 = regs::TX_FILTER0;

/// A lookup position: coordinates in units of the whole image (or in texels of level 0 when unscaled), and the cube face.
struct Position {
  float s = 0, t = 0, r = 0;
  uint32_t face = 0;
};

/// Cube face of a direction, DX order; ties go to z, then y.
uint32_t cube_face(const Vec4& c) {
  const float x = std::fabs(c[0]), y = std::fabs(c[1]), z = std::fabs(c[2]);
  if (z >= x && z >= y) return c[2] < 0 ? 5 : 4;
  if (y >= x) return c[1] < 0 ? 3 : 2;
  return c[0] < 0 ? 1 : 0;
}

/// The direction on the plane of `face`: s and t 0..1 inside the face.
Position project(const Vec4& c, uint32_t face) {
  float sc = 0, tc = 0, ma = 0;
  switch (face) {
    case 0: sc = -c[2], tc = -c[1], ma = c[0]; break;
    case 1: sc = c[2], tc = -c[1], ma = c[0]; break;
    case 2: sc = c[0], tc = c[2], ma = c[1]; break;
    case 3: sc = c[0], tc = -c[2], ma = c[1]; break;
    case 4: sc = c[0], tc = -c[1], ma = c[2]; break;
    default: sc = -c[0], tc = -c[1], ma = c[2]; break;
  }
  ma = std::fabs(ma);
  return {(sc / ma + 1.0f) * 0.5f, (tc / ma + 1.0f) * 0.5f, 0, face};
}

Position locate(const Texture& tex, const Vec4& c, uint32_t face) {
  return tex.shape == Shape::cube ? project(c, face) : Position{c[0], c[1], c[2], 0};
}

Vec4 sum(const Vec4& a, const Vec4& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }

/// What a coordinate step of 1 means in texels of level 0.
struct Scale {
  float s = 1, t = 1, r = 1;
};

/// log2 of the longer of the two difference vectors, in texels of level 0. Vulkan's scale factors: the lengths are Euclidean; the
/// documents' "max extent" is silent about it. NaN differences do not count.
float lambda_of(const Texture& tex, const Scale& scale, const Position& p, const Position& px, const Position& py) {
  float rho_squared = 0.0f;
  for (const Position* n : {&px, &py}) {
    const float s = (n->s - p.s) * scale.s, t = (n->t - p.t) * scale.t, r = tex.shape == Shape::volume ? (n->r - p.r) * scale.r : 0.0f;
    const float length = (s * s + t * t) + r * r;
    if (length > rho_squared) rho_squared = length;
  }
  return 0.5f * num::log2f_(rho_squared);
}

Vec4 difference(const Vec4& a, const Vec4& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]}; }

/// Levels to read and the 8-bit weight of the second.
struct Lod {
  bool linear = false;  ///< filter in the plane
  uint32_t level0 = 0, level1 = 0;
  float weight = 0;
};

/// TRI_PERF: steeper trilinear fraction.
float shape_fraction(float f, uint32_t tri_perf) {
  switch (tri_perf & 3u) {
    case 1: f = 4.0f / 3.0f * f - 1.0f / 6.0f; break;
    case 2: f = 2.0f * f - 0.5f; break;
    case 3: f = 4.0f * f - 1.5f; break;
    default: break;
  }
  return f < 0.0f ? 0.0f : f > 1.0f ? 1.0f : f;
}

Lod select_levels(const Texture& tex, float lambda) {
  const uint32_t raw_bias = tex.filter1.LOD_BIAS();  // s4.5
  lambda += float(int32_t(raw_bias << 22) >> 22) / 32.0f;
  const bool magnify = !(lambda > 0.0f);
  const uint32_t filter = magnify ? tex.filter0.MAG_FILTER() : tex.filter0.MIN_FILTER();

  Lod lod;
  lod.linear = filter != Filter0::MIN_FILTER__POINT && tex.filterable();
  const uint32_t coarsest = tex.num_levels;
  const uint32_t finest = tex.filter0.MAX_MIP_LEVEL() < coarsest ? tex.filter0.MAX_MIP_LEVEL() : coarsest;
  lod.level0 = lod.level1 = finest;
  const uint32_t mip = tex.filter0.MIP_FILTER();
  if (magnify || (mip != Filter0::MIP_FILTER__POINT && mip != Filter0::MIP_FILTER__LINEAR)) return lod;

  float level = lambda < float(finest) ? float(finest) : lambda;
  if (level > float(coarsest)) level = float(coarsest);
  if (mip == Filter0::MIP_FILTER__POINT || !tex.filterable()) {
    lod.level0 = lod.level1 = uint32_t(level + 0.5f);
    return lod;
  }
  lod.level0 = uint32_t(level);
  const float fraction = std::floor((level - float(lod.level0)) * 256.0f) / 256.0f;
  lod.weight = std::floor(shape_fraction(fraction, tex.filter1.TRI_PERF()) * 256.0f) / 256.0f;
  lod.level1 = lod.weight > 0.0f ? lod.level0 + 1 : lod.level0;
  return lod;
}

Vec4 lerp(const Vec4& a, const Vec4& b, float w) {
  Vec4 out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = a[c] + (b[c] - a[c]) * w;
  return out;
}

class Sampler {
 public:
  Sampler(DrawContext& ctx, const Texture& tex, bool unscaled) : ctx_(ctx), tex_(tex), unscaled_(unscaled) {}

  Scale scale() const {
    if (unscaled_) return {};
    return {float(tex_.mips.width), float(tex_.mips.height), float(tex_.mips.depth)};
  }

  Vec4 at(const Position& p, const Lod& lod) {
    const Vec4 first = in_level(p, lod.level0, lod.linear);
    return lod.level1 == lod.level0 ? first : lerp(first, in_level(p, lod.level1, lod.linear), lod.weight);
  }

 private:
  const MipLevel& level(uint32_t l) {
    Cached& slot = cache_[l & 1];
    if (slot.index != l) slot = {l, mip_level(tex_.mips, l)};
    return slot.level;
  }

  /// Texels of the level per unit of the coordinate.
  float factor(uint32_t level_size, uint32_t size) const { return unscaled_ ? float(level_size) / float(size) : float(level_size); }

  Vec4 in_level(const Position& p, uint32_t l, bool linear) {
    const MipLevel& m = level(l);
    const float s = p.s * factor(m.width, tex_.mips.width), t = p.t * factor(m.height, tex_.mips.height);
    const uint32_t clamp_s = tex_.filter0.CLAMP_S(), clamp_t = tex_.filter0.CLAMP_T();
    const Axis x = linear ? axis_linear(s, m.width, clamp_s) : axis_point(s, m.width, clamp_s);
    const Axis y = linear ? axis_linear(t, m.height, clamp_t) : axis_point(t, m.height, clamp_t);
    if (tex_.shape != Shape::volume) return in_layer(m, x, y, int32_t(p.face));

    bool linear_r = linear;
    if (tex_.filter0.VOL_FILTER() == Filter0::VOL_FILTER__POINT) linear_r = false;
    if (tex_.filter0.VOL_FILTER() == Filter0::VOL_FILTER__LINEAR) linear_r = tex_.filterable();
    const float r = p.r * factor(m.depth, tex_.mips.depth);
    const uint32_t clamp_r = tex_.filter0.CLAMP_R();
    const Axis z = linear_r ? axis_linear(r, m.depth, clamp_r) : axis_point(r, m.depth, clamp_r);
    const Vec4 front = in_layer(m, x, y, z.i0);
    return z.weight == 0 ? front : lerp(front, in_layer(m, x, y, z.i1), float(z.weight) / 256.0f);
  }

  /// Texels of weight 0 are not read.
  Vec4 in_layer(const MipLevel& m, const Axis& x, const Axis& y, int32_t layer) {
    const Vec4 top = in_row(m, x, y.i0, layer);
    return y.weight == 0 ? top : lerp(top, in_row(m, x, y.i1, layer), float(y.weight) / 256.0f);
  }
  Vec4 in_row(const MipLevel& m, const Axis& x, int32_t y, int32_t layer) {
    const Vec4 left = texel(m, x.i0, y, layer);
    return x.weight == 0 ? left : lerp(left, texel(m, x.i1, y, layer), float(x.weight) / 256.0f);
  }
  Vec4 texel(const MipLevel& m, int32_t x, int32_t y, int32_t layer) const {
    if (x == kBorder || y == kBorder || layer == kBorder) return decode_border(*tex_.format, tex_.decoding, tex_.border);
    return fetch(ctx_, tex_, m, uint32_t(x), uint32_t(y), uint32_t(layer));
  }

  struct Cached {
    uint32_t index = ~0u;
    MipLevel level;
  };
  DrawContext& ctx_;
  const Texture& tex_;
  bool unscaled_;
  std::array<Cached, 2> cache_;
};

float select_component(const Vec4& c, uint32_t code) { return code < 4 ? c[code] : code == 5 ? 1.0f : 0.0f; }

}  // namespace

void sample(DrawContext& ctx, const Request& request, std::array<Vec4, 4>& out) {
  const uint32_t unit = request.unit & 15u;
  if (!(ctx.state.get<regs::TX_ENABLE>().raw >> unit & 1u)) {
    out.fill({0, 0, 0, 1});
    return;
  }
  const Texture tex = read_registers(ctx, unit);
  Sampler sampler(ctx, tex, request.unscaled);

  std::array<Vec4, 4> coord = request.coord;
  if (request.lookup == Lookup::proj)
    for (Vec4& c : coord) c = {c[0] / c[3], c[1] / c[3], c[2] / c[3], c[3]};

  // The level of detail of a pixel comes from the differences along its own row and column of the quad (taken on its own cube face),
  // unless the instruction brings it.
  const bool needs_lambda = tex.num_levels > 0 || tex.filter0.MAG_FILTER() != tex.filter0.MIN_FILTER();

  for (uint32_t p = 0; p < 4; ++p) {
    const uint32_t face = tex.shape == Shape::cube ? cube_face(coord[p]) : 0;
    const Position position = locate(tex, coord[p], face);
    float lambda = 0.0f;
    if (needs_lambda && request.lookup != Lookup::lod && request.lookup != Lookup::dxdy) {
      const uint32_t row = p & 2u, column = p & 1u;
      const Vec4 along_x = sum(coord[p], difference(coord[row + 1], coord[row])),
                 along_y = sum(coord[p], difference(coord[column + 2], coord[column]));
      lambda = lambda_of(tex, sampler.scale(), position, locate(tex, along_x, face), locate(tex, along_y, face));
    }
    if (request.lookup == Lookup::lod_bias) lambda += coord[p][3];
    if (request.lookup == Lookup::lod) lambda = coord[p][3];
    if (request.lookup == Lookup::dxdy && needs_lambda)
      lambda = lambda_of(tex, sampler.scale(), position, locate(tex, sum(coord[p], request.dx[p]), face),
                         locate(tex, sum(coord[p], request.dy[p]), face));
    const Vec4 c = sampler.at(position, select_levels(tex, lambda));
    out[p] = {select_component(c, tex.format1.SEL_RED()), select_component(c, tex.format1.SEL_GREEN()),
              select_component(c, tex.format1.SEL_BLUE()), select_component(c, tex.format1.SEL_ALPHA())};
  }
}

}  // namespace pumice::hw::tx
