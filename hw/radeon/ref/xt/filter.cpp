// SPDX-License-Identifier: MIT
/// See filter.h (hw/radeon/ref/xt/README.md).
#include "hw/radeon/ref/xt/filter.h"

#include <algorithm>
#include <cmath>

#include "hw/common/numerics/arithmetic.h"
#include "hw/radeon/draw/inspector.h"

namespace pumice::hw::xt {
namespace {

constexpr float kMostCoordinate = 0x1p22f;

/// NaN counts as the upper limit.
float limited(float u, float least, float most) {
  u = u < most ? u : most;
  return u > least ? u : least;
}

/// Texel (i, j) of a face that lies one row or column beyond it, on the face that adjoins.
struct FaceTexel {
  uint32_t face;
  int32_t i, j;
};
struct FaceBasis {
  std::array<int8_t, 3> s, t, major;
};
constexpr FaceBasis kBasis[6] = {{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
                                 {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
                                 {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};

/// One of i, j is -1 or `size`. Texel centres are odd numbers -(size-1)..size-1 in a cube of half extent `size`.
FaceTexel across(uint32_t face, int32_t i, int32_t j, int32_t size) {
  const FaceBasis& b = kBasis[face];
  const bool along_s = i < 0 || i >= size;
  const int32_t s = 2 * i + 1 - size, t = 2 * j + 1 - size;
  const int32_t out = along_s ? s : t, kept = along_s ? t : s;
  const std::array<int8_t, 3>& toward = along_s ? b.s : b.t;
  const std::array<int8_t, 3>& along = along_s ? b.t : b.s;
  std::array<int32_t, 3> v;
  for (uint32_t c = 0; c < 3; ++c) v[c] = toward[c] * (out < 0 ? -size : size) + along[c] * kept + b.major[c] * (size - 1);
  for (uint32_t f = 0; f < 6; ++f) {
    const FaceBasis& n = kBasis[f];
    const auto dot = [&](const std::array<int8_t, 3>& a) { return a[0] * v[0] + a[1] * v[1] + a[2] * v[2]; };
    if (dot(n.major) == size) return {f, (dot(n.s) + size - 1) / 2, (dot(n.t) + size - 1) / 2};
  }
  return {face, 0, 0};
}

bool compare(Compare op, float reference, float texel) {
  switch (op) {
    case Compare::never: return false;
    case Compare::less: return reference < texel;
    case Compare::equal: return reference == texel;
    case Compare::less_or_equal: return reference <= texel;
    case Compare::greater: return reference > texel;
    case Compare::not_equal: return reference != texel;
    case Compare::greater_or_equal: return reference >= texel;
    case Compare::always: return true;
  }
  return false;
}

}  // namespace

float mix(float a, float b, float weight) { return weight == 0.0f ? a : num::fma(weight, num::sub(b, a), a); }

float chosen(Reduction reduction, float a, float b) {
  if (num::is_nan(a)) return b;
  const float x = num::flush_denormal(a), y = num::flush_denormal(b);
  return (reduction == Reduction::min ? y < x : y > x) ? b : a;
}

uint32_t dimensions(const Image& image) {
  switch (image.dim) {
    case Dim::d1:
    case Dim::d1_array:
    case Dim::buffer: return 1;
    case Dim::d3: return 3;
    default: return 2;
  }
}

Bits4 read_texel(const Memory& memory, const Image& image, const Level& level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z,
                 uint32_t sample) {
  const formats::Info& f = formats::info(image.format);
  std::array<uint8_t, 16> raw{};
  memory.read(address_of(image, level, layer, x, y, z, sample), raw.data(), f.bytes);
  return decode_texel(f, image.stencil, raw.data(), x % f.block_width, y % f.block_height);
}

Bits4 swizzled(const Image& image, bool integer, const Bits4& v) {
  Bits4 out;
  for (uint32_t c = 0; c < 4; ++c) {
    const uint32_t from = image.swizzle[c];
    out[c] = from < 4 ? v[from] : from == 5 ? (integer ? 1u : num::bits(1.0f)) : 0u;
  }
  return out;
}

LevelReader::LevelReader(const Memory& memory, const Image& image, const Sampler& sampler, const Request& request, uint32_t level,
                         double share)
    : memory_(memory),
      image_(image),
      sampler_(sampler),
      request_(request),
      format_(formats::info(image.format)),
      decoding_(decoding_of(format_, image.stencil)),
      level_(level_of(image, level)),
      number_(level),
      size_{level_.width, level_.height, level_.depth},
      dims_(dimensions(image)),
      share_(share) {}

int32_t LevelReader::wrap(int32_t i, uint32_t axis) const {
  const auto size = int32_t(size_[axis]);
  switch (sampler_.address[axis]) {
    case Address::repeat: return ((i % size) + size) % size;
    case Address::mirrored_repeat: {
      const int32_t m = ((i % (2 * size)) + 2 * size) % (2 * size);
      return m < size ? m : 2 * size - 1 - m;
    }
    case Address::clamp_to_edge: return std::clamp(i, 0, size - 1);
    case Address::clamp_to_border: return i;
    case Address::mirror_clamp_to_edge: return std::min(i < 0 ? -1 - i : i, size - 1);
  }
  return i;
}

/// In texels. Of cubes within the face.
float LevelReader::texels(float s, uint32_t axis) const {
  const float size = float(size_[axis]), u = sampler_.unnormalized ? s : num::mul(s, size);
  return image_.is_cube() ? limited(u, 0.0f, size) : limited(u, -kMostCoordinate, kMostCoordinate);
}

LevelReader::Axis LevelReader::linear_axis(float s, uint32_t axis) const {
  const int32_t fixed = int32_t(std::nearbyint(texels(s, axis) * 256.0f)) - 128, i = (fixed >> 8) + request_.offset[axis];
  return {i, i + 1, float(fixed & 255) * (1.0f / 256.0f)};
}

int32_t LevelReader::nearest_axis(float s, uint32_t axis) const { return int32_t(std::floor(texels(s, axis))) + request_.offset[axis]; }

/// In codes.
Bits4 LevelReader::border() const {
  if (sampler_.border == Border::custom) {
    Bits4 out;
    for (uint32_t c = 0; c < 4; ++c) out[c] = border_code(format_, decoding_, c, sampler_.border_color[c]);
    return out;
  }
  const bool white = sampler_.border == Border::opaque_white, opaque = sampler_.border != Border::transparent_black;
  Bits4 out{};
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(c < 3 ? white : opaque)) continue;
    out[c] = decoding_.integer ? 1u : num::bits(code_of_one(decoding_, c));
  }
  return out;
}

Bits4 LevelReader::compared(const Bits4& t) const {
  float reference = num::flush_denormal(request_.reference);
  if (decoding_.fixed_depth) reference = reference > 0.0f ? std::min(reference, 1.0f) : 0.0f;
  const float depth = num::flush_denormal(num::from_bits(finish_texel(decoding_, t)[0]));
  return {num::bits(compare(sampler_.compare, reference, depth) ? 1.0f : 0.0f), 0, 0, 0};
}

void LevelReader::tell(uint32_t layer, const std::array<int32_t, 3>& at, bool border, const Bits4& texel, double weight) const {
  const Bits4 v = request_.compare ? texel : finish_texel(decoding_, texel);
  request_.inspector->texel({number_,
                             at[0],
                             at[1],
                             image_.dim == Dim::d3 ? at[2] : int32_t(layer),
                             border,
                             weight * share_,
                             {num::from_bits(v[0]), num::from_bits(v[1]), num::from_bits(v[2]), num::from_bits(v[3])},
                             decoding_.integer && !request_.compare});
}

Bits4 LevelReader::texel(const Position& p, int32_t i, int32_t j, int32_t k, double weight) const {
  uint32_t face = p.face;
  const auto width = int32_t(size_[0]);
  bool outside = false;
  if (seamless()) {
    const bool out_i = i < 0 || i >= width, out_j = j < 0 || j >= width;
    if (out_i && out_j) return cube_corner(p, i, j, weight);
    if (out_i || out_j) {
      const FaceTexel n = across(face, i, j, width);
      face = n.face;
      i = n.i;
      j = n.j;
    }
  } else {
    int32_t* const at[3] = {&i, &j, &k};
    for (uint32_t a = 0; a < dims_; ++a) {
      *at[a] = wrap(*at[a], a);
      outside |= *at[a] < 0 || *at[a] >= int32_t(size_[a]);
    }
  }
  Bits4 t = outside ? border() : read_texel(memory_, image_, level_, p.layer + face, uint32_t(i), uint32_t(j), uint32_t(k), 0);
  if (request_.compare) t = compared(t);
  if (request_.inspector) tell(p.layer + face, {i, j, k}, outside, t, weight);
  return t;
}

/// A cube has no texel beyond a corner: the three around it joined, or their mean.
Bits4 LevelReader::cube_corner(const Position& p, int32_t i, int32_t j, double weight) const {
  const auto last = int32_t(size_[0]) - 1;
  const int32_t ci = i < 0 ? 0 : last, cj = j < 0 ? 0 : last;
  const std::array<Bits4, 3> around = {texel(p, ci, cj, 0, weight / 3), texel(p, i, cj, 0, weight / 3), texel(p, ci, j, 0, weight / 3)};
  if (sampler_.reduction != Reduction::average) return join(join(around[0], around[1], 0), around[2], 0);
  Bits4 out;
  for (uint32_t c = 0; c < 4; ++c)
    out[c] = decoding_.integer ? around[0][c]
                               : num::bits(num::mul(num::add(num::add(num::from_bits(around[0][c]), num::from_bits(around[1][c])),
                                                             num::from_bits(around[2][c])),
                                                    1.0f / 3.0f));
  return out;
}

Bits4 LevelReader::join(const Bits4& a, const Bits4& b, float weight) const {
  Bits4 out;
  for (uint32_t c = 0; c < 4; ++c) {
    const float va = num::from_bits(a[c]), vb = num::from_bits(b[c]);
    out[c] = num::bits(sampler_.reduction == Reduction::average ? xt::mix(va, vb, weight) : chosen(sampler_.reduction, va, vb));
  }
  return out;
}

Bits4 LevelReader::nearest(const Position& p) const {
  std::array<int32_t, 3> i{};
  for (uint32_t a = 0; a < dims_; ++a) {
    i[a] = nearest_axis(p.at[a], a);
    if (seamless()) i[a] = std::clamp(i[a], 0, int32_t(size_[a]) - 1);
  }
  return texel(p, i[0], i[1], i[2]);
}

Bits4 LevelReader::linear(const Position& p) const {
  std::array<Axis, 3> x{};
  for (uint32_t a = 0; a < dims_; ++a) x[a] = linear_axis(p.at[a], a);
  const std::array<double, 3> w{x[0].weight, x[1].weight, x[2].weight};
  const auto row = [&](int32_t j, int32_t k, double share) {
    const Bits4 first = texel(p, x[0].i0, j, k, share * (1 - w[0]));
    return x[0].weight == 0.0f ? first : join(first, texel(p, x[0].i1, j, k, share * w[0]), x[0].weight);
  };
  const auto slice = [&](int32_t k, double share) {
    const Bits4 first = row(x[1].i0, k, share * (1 - w[1]));
    return dims_ < 2 || x[1].weight == 0.0f ? first : join(first, row(x[1].i1, k, share * w[1]), x[1].weight);
  };
  const Bits4 first = slice(x[2].i0, 1 - w[2]);
  return dims_ < 3 || x[2].weight == 0.0f ? first : join(first, slice(x[2].i1, w[2]), x[2].weight);
}

std::array<Bits4, 4> LevelReader::footprint(const Position& p) const {
  const Axis x = linear_axis(p.at[0], 0), y = linear_axis(p.at[1], 1);
  return {texel(p, x.i0, y.i1, 0), texel(p, x.i1, y.i1, 0), texel(p, x.i1, y.i0, 0), texel(p, x.i0, y.i0, 0)};
}

}  // namespace pumice::hw::xt
