// SPDX-License-Identifier: MIT
/// Lookups inside one level: address modes, the linear filter (hw/radeon/ref/xt/filter.cpp).
#include <limits>

#include "hw/radeon/jit/x/texture_code.h"

namespace pumice::hw::fast::extended {

namespace {
constexpr float kMostCoordinate = 0x1p22f;
}  // namespace

/// NaN counts as the positive limit.
TextureCode::Value TextureCode::limited(Value u, float most) { return b_.maximum(b_.minimum(u, constant(most)), constant(-most)); }

TextureCode::Index TextureCode::wrap(Value i, uint32_t axis, const Level& level) {
  const auto of = [&](size_t member) { return table(member + axis * sizeof(Lanes), level); };
  const Value last = of(offsetof(TextureView, last));
  // Remainder by `size`, which is 1 / inverse: the quotient is off by one at most.
  const auto modulo = [&](Value size, Value inverse) {
    const Value q = b_.floor(b_.mul(b_.to_float(i), inverse));
    Value r = b_.to_int(b_.fma(b_.negate(q), b_.to_float(size), b_.to_float(i)));
    r = b_.umin(r, b_.iadd(r, size));
    return b_.umin(r, b_.isub(r, size));
  };
  switch (k_.address[axis]) {
    case xt::Address::repeat:
      if (k_.power_of_two[axis]) return {b_.bit_and(i, last), {}};
      return {modulo(b_.iadd(last, integer(1)), of(offsetof(TextureView, inverse))), {}};
    case xt::Address::mirrored_repeat: {
      const Value most = b_.iadd(b_.shl(last, 1), integer(1));
      const Value m = k_.power_of_two[axis] ? b_.bit_and(i, most)
                                            : modulo(b_.iadd(most, integer(1)), b_.mul(of(offsetof(TextureView, inverse)), constant(0.5f)));
      return {b_.umin(m, b_.isub(most, m)), {}};
    }
    case xt::Address::clamp_to_edge: return {b_.imin(b_.imax(i, integer(0)), last), {}};
    case xt::Address::clamp_to_border: return {i, b_.ule(i, last), true};
    case xt::Address::mirror_clamp_to_edge: return {b_.imin(b_.bit_xor(i, b_.sar(i, 31)), last), {}};
  }
  return {i, {}};
}

TextureCode::Axis TextureCode::linear_axis(Value s, uint32_t axis, const Level& level, const Request& r) {
  const Value scaled = b_.mul(s, table(offsetof(TextureView, steps) + axis * sizeof(Lanes), level));
  const auto within_face = [&] {
    const Value size = b_.iadd(table(offsetof(TextureView, last) + axis * sizeof(Lanes), level), integer(1));
    return b_.maximum(b_.minimum(scaled, b_.to_float(b_.shl(size, 8))), constant(0.0f));
  };
  const Value from = is_cube() ? within_face() : limited(scaled, 256.0f * kMostCoordinate);
  const Value fixed = b_.isub(b_.to_int(b_.round_even(from)), integer(128));
  Axis x;
  x.position = b_.sar(fixed, 8);
  if (r.has_offset) x.position = b_.iadd(x.position, r.offset[axis]);
  x.weight = b_.bit_and(fixed, integer(255));
  x.fraction = b_.mul(b_.to_float(x.weight), constant(1.0f / 256.0f));
  x.alone = b_.ieq(x.weight, integer(0));
  x.first = wrap(x.position, axis, level);
  x.second = wrap(b_.iadd(x.position, integer(1)), axis, level);
  return x;
}

TextureCode::Index TextureCode::nearest_axis(Value s, uint32_t axis, const Level& level, const Request& r) {
  const Value u = b_.mul(s, table(offsetof(TextureView, extent) + axis * sizeof(Lanes), level));
  if (is_cube()) {
    const Value last = table(offsetof(TextureView, last) + axis * sizeof(Lanes), level), size = b_.to_float(b_.iadd(last, integer(1)));
    const Value i = b_.to_int(b_.floor(b_.maximum(b_.minimum(u, size), constant(0.0f))));
    return seamless() ? Index{b_.imin(i, last), {}} : wrap(i, axis, level);
  }
  Value i = b_.to_int(b_.floor(limited(u, kMostCoordinate)));
  if (r.has_offset) i = b_.iadd(i, r.offset[axis]);
  return wrap(i, axis, level);
}

/// Bytes from the base to the first row of the level: of layer and face.
TextureCode::Value TextureCode::first_row(const Position& p, const Level& level) {
  if (level.first_row) return level.first_row;
  Value o = table(offsetof(TextureView, offset), level);
  if (p.face) o = b_.iadd(o, b_.imul(p.face, number(offsetof(TextureView, face_pitch))));
  return p.layer ? b_.iadd(o, p.layer) : o;
}
/// To the row: of level, slice, layer too.
TextureCode::Value TextureCode::row_offset(const Position& p, const Level& level, Value j, Value k) {
  Value o = first_row(p, level);
  if (j) o = b_.iadd(o, b_.imul(b_.shr(j, block_rows_log2()), table(offsetof(TextureView, pitch), level)));
  return k ? b_.iadd(o, b_.imul(k, table(offsetof(TextureView, slice_pitch), level))) : o;
}

/// What lookups of the level take from tables, in front of a loop over them. What they do not need is dead code.
TextureCode::Level TextureCode::looked_up(const Position& p, Level level) {
  level.first_row = first_row(p, level);
  if (level.constant) return level;
  const auto look = [&](size_t member) { level.known.emplace_back(member, table(member, level)); };
  for (uint32_t a = 0; a < axes(); ++a)
    for (const size_t tables : {offsetof(TextureView, steps), offsetof(TextureView, last), offsetof(TextureView, inverse)})
      look(tables + a * sizeof(Lanes));
  for (const size_t member : {offsetof(TextureView, pitch), offsetof(TextureView, slice_pitch)}) look(member);
  return level;
}

TextureCode::Values TextureCode::nearest(const Position& p, const Level& level, const Request& r) {
  std::array<Index, 3> x;
  for (uint32_t a = 0; a < axes(); ++a) x[a] = nearest_axis(p.at[a], a, level, r);
  Texel t;
  t.i = x[0].i, t.j = axes() > 1 ? x[1].i : Value{};
  t.row = row_offset(p, level, t.j, axes() > 2 ? x[2].i : Value{});
  for (uint32_t a = 0; a < axes(); ++a)
    if (x[a].border) t.inside = t.inside ? b_.mask_and(t.inside, x[a].inside) : x[a].inside;
  find_blocks({&t, 1});
  return texel(t, r);
}

/// xt::chosen
TextureCode::Value TextureCode::chosen(Value a, Value b) {
  const Mask other = k_.reduction == xt::Reduction::min ? b_.lt(b, a) : b_.lt(a, b);
  return b_.select(never_nan() ? other : b_.mask_or(other, b_.is_nan(a)), b, a);
}

/// Only a where the weight is 0, which matters for infinity, NaN and signs of zero.
TextureCode::Values TextureCode::mix(const Values& a, const Values& b, Value weight, Mask alone, bool compare) {
  Values out = a;
  for (uint32_t c = 0; c < (compare ? 1u : 4u); ++c) {
    if (!how_.present[c] && !compare) continue;
    if (k_.reduction != xt::Reduction::average) {
      out[c] = b_.select(alone, a[c], chosen(a[c], b[c]));
      continue;
    }
    out[c] = b_.fma(weight, b_.sub(b[c], a[c]), a[c]);
    if (!compare && !never_nan()) out[c] = b_.select(alone, a[c], out[c]);
  }
  return out;
}

TextureCode::Values TextureCode::linear(const Position& p, const Level& level, const Request& r) {
  const uint32_t dims = axes();
  std::array<Axis, 3> x;
  for (uint32_t a = 0; a < dims; ++a) x[a] = linear_axis(p.at[a], a, level, r);
  const auto both = [&](const Index& a, Mask m) { return !a.border ? m : m ? b_.mask_and(m, a.inside) : a.inside; };
  // The texels in the order of x, y, z.
  std::array<Texel, 8> t;
  const uint32_t count = 1u << dims;
  for (uint32_t n = 0; n < count; ++n) {
    const auto index = [&](uint32_t a) -> const Index& { return n >> a & 1u ? x[a].second : x[a].first; };
    const Value j = dims > 1 ? index(1).i : Value{};
    Mask inside;
    for (uint32_t a = dims; a-- > 0;) inside = both(index(a), inside);
    t[n] = {index(0).i, j, row_offset(p, level, j, dims > 2 ? index(2).i : Value{}), inside, {}};
  }
  find_blocks({t.data(), count});
  if (filters_bytes(r)) {
    std::array<Weight, 3> weights;
    for (uint32_t a = 0; a < dims; ++a) weights[a] = {x[a].weight, x[a].fraction};
    return linear_bytes({t.data(), count}, {weights.data(), dims}, r);
  }
  const auto row = [&](uint32_t n) {
    const std::array<Values, 2> ends = two_texels(t[n], t[n + 1], r);
    return mix(ends[0], ends[1], x[0].fraction, x[0].alone, r.compare);
  };
  const auto slice = [&](uint32_t n) {
    const Values a = row(n);
    return dims < 2 ? a : mix(a, row(n + 2), x[1].fraction, x[1].alone, r.compare);
  };
  const Values a = slice(0);
  return dims < 3 ? a : mix(a, slice(4), x[2].fraction, x[2].alone, r.compare);
}

/// Components before the swizzle.
uint32_t TextureCode::wanted_codes(const Request& r) const {
  if (r.compare) return 1;
  uint32_t wanted = 0;
  for (uint32_t c = 0; c < 4; ++c)
    if ((r.components >> c & 1u) && k_.swizzle[c] < 4 && how_.present[k_.swizzle[c]]) wanted |= 1u << k_.swizzle[c];
  return wanted;
}

void TextureCode::in_levels(const Detail& d, std::span<const Level> levels, const Request& r, std::span<Values> out) {
  Mask linear_lanes = b_.mask_constant(k_.mag_linear ? 0xFFFF : 0);
  if (k_.mag_linear != k_.min_linear) {
    const Mask magnified = b_.le(d.clamped, constant(0.0f));
    linear_lanes = k_.mag_linear ? magnified : b_.mask_not(magnified);
  }
  const bool any_linear = k_.mag_linear || k_.min_linear;
  if (any_linear && d.probes)
    anisotropic(d, levels, r, linear_lanes, out);
  else if (any_linear)
    for (size_t n = 0; n < levels.size(); ++n) out[n] = filtered(d.position, levels[n], r);
  if (k_.mag_linear && k_.min_linear) return;
  for (size_t n = 0; n < levels.size(); ++n) {
    const Values v = nearest(d.position, levels[n], r);
    for (uint32_t c = 0; c < 4; ++c) out[n][c] = any_linear ? b_.select(linear_lanes, out[n][c], v[c]) : v[c];
  }
}

/// Probes in a loop, up to the largest number of any lane. Lanes with one probe use the position itself. Numbers of formats without NaN are
/// no denormals, and no zeros with a sign: sums with 0 and quotients by 1 are the numbers themselves.
void TextureCode::anisotropic(const Detail& d, std::span<const Level> of, const Request& request, Mask linear, std::span<Values> out) {
  const Value count = b_.select(linear, d.probes, constant(1.0f)), more = b_.add(count, constant(1.0f));
  const Mask alone = b_.eq(count, constant(1.0f));
  const uint32_t wanted = wanted_codes(request);
  const bool average = k_.reduction == xt::Reduction::average, plain = never_nan() && !request.compare;
  // What any other number is chosen before.
  const float most = k_.reduction == xt::Reduction::min ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
  const Value nothing = average ? constant(0.0f) : never_nan() ? constant(most) : integer(0x7FFFFFFFu);
  std::array<std::array<lane::Variable, 4>, 2> sum;
  for (size_t n = 0; n < of.size(); ++n)
    for (uint32_t c = 0; c < 4; ++c)
      if (wanted >> c & 1u) b_.set(sum[n][c] = b_.variable(), nothing);
  const lane::Variable number = b_.variable();
  b_.set(number, constant(1.0f));
  std::array<Value, 3> along;
  for (uint32_t a = 0; a < axes(); ++a) along[a] = b_.select(d.x_longer, d.dx[a], d.dy[a]);
  std::array<Level, 2> levels;
  for (size_t n = 0; n < of.size(); ++n) levels[n] = looked_up(d.position, of[n]);
  const Value twice = b_.add(more, more);
  const lane::Label loop = b_.make_label();
  b_.place(loop);
  const Value i = b_.get(number), next = b_.add(i, constant(1.0f));
  const Mask takes = b_.le(i, count);
  Request r = request;
  if (filters_bytes(r)) r.taken = takes;
  const Value o = b_.div(b_.sub(b_.add(i, i), more), twice);
  Position p = d.position;
  for (uint32_t a = 0; a < axes(); ++a) p.at[a] = b_.select(alone, p.at[a], b_.fma(o, along[a], p.at[a]));
  for (size_t n = 0; n < of.size(); ++n) {
    const Values probe = filtered(p, levels[n], r);
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(wanted >> c & 1u)) continue;
      const Value before = b_.get(sum[n][c]), added = average ? b_.add(before, probe[c]) : chosen(before, probe[c]);
      const Value both = average && !plain ? b_.select(alone, probe[c], added) : added;
      b_.set(sum[n][c], r.taken ? both : b_.select(takes, both, before));
    }
  }
  b_.set(number, next);
  b_.jump_any(b_.le(next, count), loop);
  for (size_t n = 0; n < of.size(); ++n) {
    out[n].fill(integer(0));
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(wanted >> c & 1u)) continue;
      const Value v = b_.get(sum[n][c]), mean = average ? b_.div(v, count) : v;
      out[n][c] = average && !plain ? b_.select(alone, v, mean) : mean;
    }
    if (r.compare) out[n].fill(out[n][0]);
  }
}

TextureCode::Values TextureCode::gather(const Request& r, uint32_t component) {
  const Value none = integer(0);
  if (k_.format == 0 || axes() != 2) return {none, none, none, none};
  const Detail d = describe(r, false);
  const Level level;
  if (seamless()) {
    const CubeFootprint f = cube_footprint(d.position, level);
    const std::array<Values, 4> t = cube_texels(f, d.position, level, r, true);
    const auto of = [&](uint32_t n) { return finish(t[n], r.compare)[component]; };
    return {of(2), of(3), of(1), of(0)};
  }
  const Axis x = linear_axis(d.position.at[0], 0, level, r), y = linear_axis(d.position.at[1], 1, level, r);
  const auto at = [&](const Index& i, const Index& j) {
    Texel t;
    t.i = i.i, t.j = j.i;
    t.row = row_offset(d.position, level, j.i, {});
    if (i.border) t.inside = i.inside;
    if (j.border) t.inside = t.inside ? b_.mask_and(t.inside, j.inside) : j.inside;
    return t;
  };
  std::array<Texel, 4> t = {at(x.first, y.second), at(x.second, y.second), at(x.second, y.first), at(x.first, y.first)};
  find_blocks(t);
  Values out;
  for (uint32_t n = 0; n < 4; ++n) out[n] = finish(texel(t[n], r), r.compare)[component];
  return out;
}

}  // namespace pumice::hw::fast::extended
