// SPDX-License-Identifier: MIT
/// Cubes: faces of directions, texels beyond an edge and beyond a corner (hw/radeon/ref/xt/lookup.cpp, filter.cpp).
#include "hw/radeon/jit/x/texture_code.h"

namespace pumice::hw::fast::extended {

namespace {

/// Which texel of the adjoining face lies beyond an edge, by face and edge (i < 0, i > last, j < 0, j > last). A coordinate of it is `edge`
/// of the last one (0 or all ones), plus (1) or minus (-1) the coordinate along the edge.
struct Neighbour {
  uint32_t face;
  int32_t i_along, i_edge, j_along, j_edge;
};

struct FaceBasis {
  std::array<int8_t, 3> s, t, major;
};
constexpr FaceBasis kBasis[6] = {{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
                                 {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
                                 {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
constexpr int32_t dot(const std::array<int8_t, 3>& a, const std::array<int8_t, 3>& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Half a step over the edge of a face, the direction is the other face's major axis; there the old major axis is the edge that is reached.
constexpr Neighbour neighbour(uint32_t face, uint32_t edge) {
  const FaceBasis& b = kBasis[face];
  std::array<int8_t, 3> toward = edge < 2 ? b.s : b.t;
  if (edge % 2 == 0)
    for (int8_t& v : toward) v = int8_t(-v);
  const std::array<int8_t, 3>& along = edge < 2 ? b.t : b.s;
  for (uint32_t f = 0; f < 6; ++f) {
    const FaceBasis& n = kBasis[f];
    if (dot(n.major, toward) != 1) continue;
    const auto edge_of = [&](const std::array<int8_t, 3>& axis) { return dot(axis, along) < 0 || dot(axis, b.major) > 0 ? -1 : 0; };
    return {f, dot(n.s, along), edge_of(n.s), dot(n.t, along), edge_of(n.t)};
  }
  return {};
}
/// In a dword: the face, then for i and j the factor of the coordinate along the edge + 1, whether the last one is added.
alignas(64) constexpr std::array<uint32_t, 32> kNeighbours = [] {
  std::array<uint32_t, 32> t{};
  for (uint32_t face = 0; face < 6; ++face)
    for (uint32_t edge = 0; edge < 4; ++edge) {
      const Neighbour n = neighbour(face, edge);
      t[4 * face + edge] = n.face | uint32_t(n.i_along + 1) << 4 | uint32_t(n.i_edge & 1) << 8 | uint32_t(n.j_along + 1) << 12 |
                           uint32_t(n.j_edge & 1) << 16;
    }
  return t;
}();

}  // namespace

void TextureCode::on_face(Detail& d, const Request& r, bool needs_steps) {
  const auto magnitude = [&](uint32_t a) { return b_.magnitude(r.coord[a]); };
  const Mask is_z = b_.mask_and(b_.le(magnitude(0), magnitude(2)), b_.le(magnitude(1), magnitude(2))),
             is_y = b_.le(magnitude(0), magnitude(1));
  const auto major_of = [&](const auto& v) { return b_.select(is_z, v[2], b_.select(is_y, v[1], v[0])); };
  const Mask negative = b_.lt(major_of(r.coord), constant(0.0f));
  const Value flip = b_.select(negative, integer(0x80000000u), integer(0));
  d.position.face =
      b_.iadd(b_.select(is_z, integer(4), b_.select(is_y, integer(2), integer(0))), b_.select(negative, integer(1), integer(0)));
  const auto turned = [&](const auto& v) {
    const Value x = b_.bit_xor(v[0], flip), z = b_.bit_xor(v[2], flip), minus_y = b_.negate(v[1]);
    return std::array<Value, 3>{b_.select(is_z, x, b_.select(is_y, v[0], b_.negate(z))),
                                b_.select(is_z, minus_y, b_.select(is_y, z, minus_y)), b_.bit_xor(major_of(v), flip)};
  };
  const std::array<Value, 3> a = turned(r.coord);
  const Value inverse = b_.div(constant(1.0f), a[2]), s = b_.mul(a[0], inverse), t = b_.mul(a[1], inverse), half = constant(0.5f);
  d.position.at = {b_.fma(s, half, half), b_.fma(t, half, half), Value{}};
  if (!needs_steps) return;
  const Value scale = b_.mul(half, inverse);
  for (auto* const step : {&d.dx, &d.dy}) {
    const std::array<Value, 3> f = turned(*step);
    *step = {b_.mul(b_.fma(b_.negate(s), f[2], f[0]), scale), b_.mul(b_.fma(b_.negate(t), f[2], f[1]), scale), constant(0.0f)};
  }
}

TextureCode::CubeFootprint TextureCode::cube_footprint(const Position& p, const Level& level) {
  CubeFootprint f;
  f.last = table(offsetof(TextureView, last), level);
  const Value most = b_.to_float(b_.shl(b_.iadd(f.last, integer(1)), 8)), steps = table(offsetof(TextureView, steps), level);
  const auto axis = [&](Value s, std::array<Value, 2>& i, std::array<Mask, 2>& out, Value& weight, Value& fraction, Mask& alone) {
    const Value u = b_.mul(s, steps);
    const Value fixed = b_.isub(b_.to_int(b_.round_even(b_.maximum(b_.minimum(u, most), constant(0.0f)))), integer(128));
    weight = b_.bit_and(fixed, integer(255));
    i[0] = b_.sar(fixed, 8), i[1] = b_.iadd(i[0], integer(1));
    out = {b_.ilt(i[0], integer(0)), b_.ilt(f.last, i[1])};
    fraction = b_.mul(b_.to_float(weight), constant(1.0f / 256.0f));
    alone = b_.ieq(weight, integer(0));
  };
  axis(p.at[0], f.i, f.i_out, f.x_weight, f.x_fraction, f.x_alone);
  axis(p.at[1], f.j, f.j_out, f.y_weight, f.y_fraction, f.y_alone);
  return f;
}

/// Texels (i0, j0), (i1, j0), (i0, j1), (i1, j1).
std::array<TextureCode::Texel, 4> TextureCode::cube_places(const CubeFootprint& f, const Position& p, const Level& level, bool edges) {
  std::array<Texel, 4> texels;
  for (uint32_t n = 0; n < 4; ++n) {
    const uint32_t x = n & 1, y = n >> 1;
    Value i = f.i[x], j = f.j[y];
    Position at = p;
    if (edges) {
      const Value kept_i = b_.imin(b_.imax(i, integer(0)), f.last), kept_j = b_.imin(b_.imax(j, integer(0)), f.last);
      const Mask beyond = b_.mask_or(f.i_out[x], f.j_out[y]);
      const Value edge = b_.select(f.i_out[x], integer(x), integer(2 + y));
      const Value entry = b_.look_up(kNeighbours.data(), 5, b_.iadd(b_.shl(p.face, 2), edge));
      const Value along = b_.select(f.i_out[x], kept_j, kept_i);
      const auto across = [&](uint32_t shift) {
        const Value factor = b_.isub(b_.bit_and(b_.shr(entry, shift), integer(3)), integer(1));
        const Value all = b_.isub(integer(0), b_.bit_and(b_.shr(entry, shift + 4), integer(1)));
        return b_.iadd(b_.bit_and(all, f.last), b_.imul(factor, along));
      };
      i = b_.select(beyond, across(4), kept_i), j = b_.select(beyond, across(12), kept_j);
      at.face = b_.select(beyond, b_.bit_and(entry, integer(7)), p.face);
      Level of_faces = level;
      of_faces.first_row = {};
      texels[n] = {i, j, row_offset(at, of_faces, j, {}), {}, {}};
      continue;
    }
    texels[n] = {i, j, row_offset(at, level, j, {}), {}, {}};
  }
  find_blocks(texels);
  return texels;
}

/// Their codes. One of the four at most lies beyond a corner: its neighbours are the other three.
std::array<TextureCode::Values, 4> TextureCode::cube_texels(const CubeFootprint& f, const Position& p, const Level& level, const Request& r,
                                                            bool edges) {
  const std::array<Texel, 4> texels = cube_places(f, p, level, edges);
  std::array<Values, 4> t;
  for (uint32_t n = 0; n < 4; n += 2) {
    const std::array<Values, 2> row =
        edges ? std::array{texel(texels[n], r), texel(texels[n + 1], r)} : two_texels(texels[n], texels[n + 1], r);
    t[n] = row[0], t[n + 1] = row[1];
  }
  if (!edges) return t;
  const uint32_t wanted = wanted_codes(r);
  const std::array<Values, 4> inside = t;
  for (uint32_t n = 0; n < 4; ++n) {
    const Mask corner = b_.mask_and(f.i_out[n & 1], f.j_out[n >> 1]);
    // On the face, beyond it in s, beyond it in t.
    const Values &a = inside[n ^ 3], &b = inside[n ^ 2], &c = inside[n ^ 1];
    for (uint32_t k = 0; k < 4; ++k) {
      if (!(wanted >> k & 1u)) continue;
      const Value joined = k_.reduction != xt::Reduction::average ? chosen(chosen(a[k], b[k]), c[k])
                           : how_.integer                         ? a[k]
                                                                  : b_.mul(b_.add(b_.add(a[k], b[k]), c[k]), constant(1.0f / 3.0f));
      t[n][k] = b_.select(corner, joined, t[n][k]);
    }
    if (r.compare) t[n].fill(t[n][0]);
  }
  return t;
}

/// Lanes at an edge are rare: without any, all texels are on the lanes' own faces. The code for edges finds the places again: values that
/// it needs of the other one would be stored each time.
TextureCode::Values TextureCode::cube_linear(const Position& p, const Level& level, const Request& r) {
  const uint32_t wanted = wanted_codes(r);
  std::array<lane::Variable, 4> result;
  for (uint32_t c = 0; c < 4; ++c)
    if (wanted >> c & 1u) result[c] = b_.variable();
  const lane::Label at_edge = b_.make_label(), done = b_.make_label();
  const bool bytes = filters_bytes(r);
  const auto in_codes = [&](const CubeFootprint& f, bool edges) {
    const std::array<Values, 4> t = cube_texels(f, p, level, r, edges);
    const Values top = mix(t[0], t[1], f.x_fraction, f.x_alone, r.compare), bottom = mix(t[2], t[3], f.x_fraction, f.x_alone, r.compare);
    Values v = mix(top, bottom, f.y_fraction, f.y_alone, r.compare);
    for (uint32_t c = 0; c < 4 && bytes; ++c) {
      if (!(wanted >> c & 1u)) continue;
      v[c] = b_.mul(v[c], constant(kBytesScale));
      if (r.taken) v[c] = b_.select(r.taken, v[c], integer(0));
    }
    return v;
  };
  const auto in_bytes = [&](const CubeFootprint& f) {
    const std::array<Weight, 2> weights = {{{f.x_weight, f.x_fraction}, {f.y_weight, f.y_fraction}}};
    return linear_bytes(cube_places(f, p, level, false), weights, r);
  };
  const auto filter = [&](const CubeFootprint& f, bool edges) {
    const Values v = bytes && !edges ? in_bytes(f) : in_codes(f, edges);
    for (uint32_t c = 0; c < 4; ++c)
      if (wanted >> c & 1u) b_.set(result[c], v[c]);
  };
  const CubeFootprint f = cube_footprint(p, level);
  b_.jump_any(b_.mask_or(b_.mask_or(f.i_out[0], f.i_out[1]), b_.mask_or(f.j_out[0], f.j_out[1])), at_edge);
  filter(f, false);
  b_.jump(done);
  b_.place(at_edge);
  filter(cube_footprint(p, level), true);
  b_.place(done);
  Values out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = wanted >> c & 1u ? b_.get(result[c]) : integer(0);
  if (r.compare) out.fill(out[0]);
  return out;
}

}  // namespace pumice::hw::fast::extended
