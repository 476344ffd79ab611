// SPDX-License-Identifier: MIT
/// Coordinates, level of detail, anisotropic probes (docs/r5x.md, "XT"; hw/radeon/ref/xt/README.md).
#include "hw/radeon/ref/xt/lookup.h"

#include <algorithm>
#include <cmath>

#include "hw/common/numerics/arithmetic.h"
#include "hw/radeon/decode/tx/cube.h"
#include "hw/radeon/decode/tx/lod.h"
#include "hw/radeon/decode/xt/lod.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/xt/filter.h"

namespace pumice::hw::xt {
namespace {

using num::from_bits;
using Step = std::array<float, 3>;

constexpr uint32_t kNan = 0x7FFFFFFF;  ///< of float arithmetic in programs

/// The layer that a coordinate names: nearest even, clamped; NaN is 0.
uint32_t layer_of(float c, uint32_t layers) {
  const float most = float(layers - 1);
  const float l = std::nearbyint(c);
  return l > 0.0f ? uint32_t(std::min(l, most)) : 0u;
}

/// Everything of a lookup but the texels.
struct Lookup {
  Position position;
  Step dx{}, dy{};        ///< of the position
  bool x_longer = false;  ///< of the steps, in texels
  uint32_t probes = 1;
  float lambda = 0;  ///< after bias, not clamped
  float clamped = 0;
  bool magnify = true;
};

Lookup describe(const Image& image, const Sampler& sampler, const Request& request) {
  Lookup l;
  const uint32_t dims = dimensions(image);
  Step c{}, dx = request.dx, dy = request.dy;
  const uint32_t given = image.is_cube() ? 3 : dims;
  for (uint32_t a = 0; a < given; ++a) c[a] = num::flush_denormal(from_bits(request.coord[a]));
  l.position.layer = image.first_layer;
  if (image.is_array() && given < 4) {
    const float layer = from_bits(request.coord[given]);
    l.position.layer += image.is_cube() ? 6 * layer_of(layer, std::max(image.layers / 6, 1u)) : layer_of(layer, image.layers);
  }
  if (image.is_cube()) {
    const tx::CubeProjection cube(c);
    l.position.face = cube.face();
    l.position.at = {cube.s(), cube.t(), 0};
    for (Step* d : {&dx, &dy}) {
      const auto [s, t] = cube.step(*d);
      *d = {s, t, 0};
    }
  } else {
    l.position.at = c;
  }
  l.dx = dx;
  l.dy = dy;

  float lambda = request.lod, bias = sampler.lod_bias;
  if (request.mode != Lod::level) {
    const Level base = level_of(image, image.first_level);
    const Step size = sampler.unnormalized ? Step{1, 1, 1} : Step{float(base.width), float(base.height), float(base.depth)};
    const auto length = [&](const Step& d) {
      return tx::squared_length(num::mul(d[0], size[0]), dims > 1 ? num::mul(d[1], size[1]) : 0.0f, num::mul(d[2], size[2]), dims > 2);
    };
    const tx::Extent extent{length(dx), length(dy)};
    l.x_longer = extent.x2 > extent.y2;
    l.probes = sampler.max_anisotropy ? tx::probe_count(extent, sampler.max_anisotropy, kProbeSlack) : 1;
    lambda = tx::lambda_of(extent, l.probes);
    if (request.mode == Lod::bias) bias = num::add(bias, request.lod);
  }
  bias = bias > -kMostBias ? std::min(bias, kMostBias) : -kMostBias;
  l.lambda = num::add(lambda, bias);
  const float least = l.lambda > sampler.min_lod ? l.lambda : sampler.min_lod;  // NaN: min_lod
  l.clamped = least < sampler.max_lod ? least : sampler.max_lod;
  l.magnify = !(l.clamped > 0.0f);
  return l;
}

/// The levels of a clamped lambda and the weight of the second, in 1/256.
struct Levels {
  uint32_t first = 0, second = 0;
  float weight = 0;
};
Levels levels_of(const Image& image, const Sampler& sampler, float lambda, bool integer) {
  Levels l;
  const float top = float(image.top_level());
  if (sampler.mip_off || !(lambda > 0.0f)) return l;
  const float level = std::min(lambda, top);
  if (!sampler.mip_linear || integer) {
    l.first = l.second = uint32_t(std::ceil(level + 0.5f)) - 1u;  // halves to the finer
    return l;
  }
  const auto fixed = uint32_t(level * 256.0f);
  l.first = fixed >> 8;
  l.weight = float(fixed & 255u) * (1.0f / 256.0f);
  l.second = l.first + (fixed & 255u ? 1u : 0u);
  return l;
}

/// `filter` as TX_FILTER0.MIN_FILTER.
void tell(const Request& request, const Lookup& l, const Levels& levels, uint32_t filter) {
  if (!request.inspector) return;
  const auto& at = l.position.at;
  request.inspector->lookup({request.pixel,
                             {at[0], at[1], at[2], float(l.position.face)},
                             l.clamped,
                             levels.first,
                             levels.second,
                             levels.weight,
                             l.probes,
                             filter});
}
/// Of TX_FILTER0.MIN_FILTER.
constexpr uint32_t kPoint = 1, kLinear = 2, kAnisotropic = 3;

/// One lookup with all its probes in one level, in codes; `share`: its weight in the result.
Bits4 in_level(const Memory& memory, const Image& image, const Sampler& sampler, const Request& request, const Lookup& l, uint32_t level,
               bool linear, float share) {
  const LevelReader reader(memory, image, sampler, request, image.first_level + level, double{share} / (linear ? l.probes : 1));
  if (!linear) return reader.nearest(l.position);
  if (l.probes == 1) return reader.linear(l.position);
  const Step& along = l.x_longer ? l.dx : l.dy;
  const bool average = sampler.reduction == Reduction::average;
  std::array<float, 4> sum{};
  for (uint32_t i = 1; i <= l.probes; ++i) {
    const float o = float(int32_t(2 * i) - int32_t(l.probes + 1)) / float(2 * (l.probes + 1));
    Position p = l.position;
    for (uint32_t a = 0; a < 3; ++a) p.at[a] = num::fma(o, along[a], p.at[a]);
    const Bits4 probe = reader.linear(p);
    for (uint32_t c = 0; c < 4; ++c) {
      const float v = from_bits(probe[c]);
      sum[c] = average ? num::add(sum[c], v) : i == 1 ? v : chosen(sampler.reduction, sum[c], v);
    }
  }
  Bits4 out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = num::bits(average ? num::div(sum[c], float(l.probes)) : sum[c]);
  return out;
}

Bits4 finish(const Image& image, const Decoding& how, bool compare, const Bits4& codes) {
  if (compare) return {codes[0], codes[0], codes[0], codes[0]};
  return swizzled(image, how.integer, finish_texel(how, codes));
}
/// The same of filtered texels: all NaN are one.
Bits4 finish_filtered(const Image& image, const Decoding& how, bool compare, const Bits4& codes) {
  Bits4 out = finish(image, how, compare, codes);
  if (how.integer) return out;
  for (uint32_t& v : out)
    if (num::is_nan(from_bits(v))) v = kNan;
  return out;
}

bool inside(const Level& l, const std::array<int32_t, 3>& at) {
  return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && uint32_t(at[0]) < l.width && uint32_t(at[1]) < l.height && uint32_t(at[2]) < l.depth;
}

/// Integer coordinates: place in the level and layer. False: outside.
struct Place {
  Level level;
  uint32_t layer = 0, sample = 0;
  std::array<int32_t, 3> at{};
};
bool locate(const Image& image, const std::array<int32_t, 4>& coord, uint32_t level, int32_t sample, Place& out) {
  if (image.is_null() || level > image.top_level()) return false;
  out.level = level_of(image, image.first_level + level);
  uint32_t dims = dimensions(image);
  for (uint32_t a = 0; a < dims; ++a) out.at[a] = coord[a];
  if (image.is_array() || image.is_cube()) {
    if (uint32_t(coord[dims]) >= image.layers) return false;
    out.layer = image.first_layer + uint32_t(coord[dims]);
  } else {
    out.layer = image.first_layer;
  }
  if (image.samples_log2) {
    if (uint32_t(sample) >= 1u << image.samples_log2) return false;
    out.sample = uint32_t(sample);
  }
  return inside(out.level, out.at);
}

}  // namespace

Bits4 sample(const Memory& memory, const Image& image, const Sampler& sampler, const Request& request) {
  if (image.is_null() || image.dim == Dim::buffer) return {};
  const Decoding how = decoding_of(formats::info(image.format), image.stencil);
  const Lookup l = describe(image, sampler, request);
  const bool linear = !how.integer && (l.magnify ? sampler.mag_linear : sampler.min_linear);
  const Levels levels = levels_of(image, sampler, l.clamped, how.integer);
  tell(request, l, levels, !linear ? kPoint : l.probes > 1 ? kAnisotropic : kLinear);
  const Bits4 first = in_level(memory, image, sampler, request, l, levels.first, linear, 1.0f - levels.weight);
  if (levels.weight == 0.0f) return finish_filtered(image, how, request.compare, first);
  const Bits4 second = in_level(memory, image, sampler, request, l, levels.second, linear, levels.weight);
  Bits4 codes;
  for (uint32_t c = 0; c < 4; ++c) {
    const float a = from_bits(first[c]), b = from_bits(second[c]);
    codes[c] = num::bits(sampler.reduction == Reduction::average ? mix(a, b, levels.weight) : chosen(sampler.reduction, a, b));
  }
  return finish_filtered(image, how, request.compare, codes);
}

Bits4 gather(const Memory& memory, const Image& image, const Sampler& sampler, const Request& request, uint32_t component) {
  if (image.is_null() || dimensions(image) != 2) return {};
  const Decoding how = decoding_of(formats::info(image.format), image.stencil);
  const Lookup l = describe(image, sampler, request);
  tell(request, l, {}, kLinear);
  const std::array<Bits4, 4> texels = LevelReader(memory, image, sampler, request, image.first_level).footprint(l.position);
  Bits4 out;
  for (uint32_t i = 0; i < 4; ++i) out[i] = finish_filtered(image, how, request.compare, texels[i])[component & 3u];
  return out;
}

std::array<float, 2> query_lod(const Image& image, const Sampler& sampler, const Request& request) {
  if (image.is_null()) return {};
  const Lookup l = describe(image, sampler, request);
  const Decoding how = decoding_of(formats::info(image.format), image.stencil);
  const Levels levels = levels_of(image, sampler, l.clamped, how.integer);
  return {float(levels.first) + levels.weight, l.lambda};
}

Bits4 fetch(const Memory& memory, const Image& image, const std::array<int32_t, 4>& coord, int32_t level, int32_t sample,
            const std::array<int8_t, 3>& offset) {
  std::array<int32_t, 4> at = coord;
  for (uint32_t a = 0; a < dimensions(image); ++a) at[a] = int32_t(uint32_t(at[a]) + uint32_t(int32_t{offset[a]}));
  Place p;
  if (image.is_null()) return {};
  const Decoding how = decoding_of(formats::info(image.format), image.stencil);
  if (!locate(image, at, uint32_t(level), sample, p)) return finish(image, how, false, {});
  const Bits4 t = read_texel(memory, image, p.level, p.layer, uint32_t(p.at[0]), uint32_t(p.at[1]), uint32_t(p.at[2]), p.sample);
  return finish(image, how, false, t);
}

Bits4 load(const Memory& memory, const Image& image, const std::array<int32_t, 4>& coord) {
  Place p;
  if (image.is_null()) return {};
  const Decoding how = decoding_of(formats::info(image.format), image.stencil);
  if (!locate(image, coord, 0, coord[3], p)) return finish_texel(how, {});
  return finish_texel(how, read_texel(memory, image, p.level, p.layer, uint32_t(p.at[0]), uint32_t(p.at[1]), uint32_t(p.at[2]), p.sample));
}

void store(Memory& memory, const Image& image, const std::array<int32_t, 4>& coord, const Bits4& value) {
  Place p;
  if (!locate(image, coord, 0, coord[3], p)) return;
  const formats::Info& f = formats::info(image.format);
  if (f.compressed()) return;
  const uint64_t address = address_of(image, p.level, p.layer, uint32_t(p.at[0]), uint32_t(p.at[1]), uint32_t(p.at[2]), p.sample);
  std::array<uint8_t, 16> raw{};
  encode_texel(f, image.stencil, value, raw.data());
  memory.write(address, raw.data(), f.bytes);
}

uint64_t texel_address(const Image& image, const std::array<int32_t, 4>& coord, uint32_t bytes) {
  Place p;
  if (!locate(image, coord, 0, coord[3], p) || formats::info(image.format).bytes != bytes) return 0;
  return address_of(image, p.level, p.layer, uint32_t(p.at[0]), uint32_t(p.at[1]), uint32_t(p.at[2]), p.sample);
}

Bits4 query_size(const Image& image, int32_t level) {
  if (image.is_null()) return {};
  if (image.dim == Dim::buffer) return {image.width, image.element, 0, 0};
  if (uint32_t(level) > image.top_level()) return {};
  const Level l = level_of(image, image.first_level + uint32_t(level));
  Bits4 out{l.width, l.height, l.depth, 0};
  const uint32_t dims = dimensions(image);
  for (uint32_t a = dims; a < 4; ++a) out[a] = 0;
  if (image.is_array()) out[dims] = image.is_cube() ? image.layers / 6 : image.layers;
  return out;
}

}  // namespace pumice::hw::xt
