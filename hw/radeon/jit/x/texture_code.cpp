// SPDX-License-Identifier: MIT
/// Coordinates, level of detail, integer accesses and queries (hw/radeon/ref/xt/lookup.cpp).
#include "hw/radeon/jit/x/texture_code.h"

#include "hw/radeon/decode/tx/lod.h"
#include "hw/radeon/decode/xt/lod.h"

namespace pumice::hw::fast::extended {

uint32_t TextureCode::axes() const {
  switch (k_.dim) {
    case xt::Dim::d1:
    case xt::Dim::d1_array: return 1;
    case xt::Dim::d3: return 3;
    default: return 2;
  }
}

TextureCode::Value TextureCode::table(size_t member, const Level& level) {
  if (level.constant) return number(member);
  for (const auto& [known, value] : level.known)
    if (known == member) return value;
  return b_.permute(b_.lanes(views_, at_ + uint32_t(member)), level.number);
}

TextureCode::Value TextureCode::squared_length(const std::array<Value, 3>& d) {
  const auto scaled = [&](uint32_t a) { return b_.mul(d[a], number(offsetof(TextureView, extent) + a * sizeof(Lanes))); };
  const Value s = scaled(0), t = axes() > 1 ? scaled(1) : constant(0.0f);
  Value l = b_.fma(s, s, b_.mul(t, t));
  if (axes() > 2) {
    const Value r = scaled(2);
    l = b_.fma(r, r, l);
  }
  return b_.maximum(l, constant(tx::kLeastSquare));
}

/// tx::log2_coarse
TextureCode::Value TextureCode::log2_coarse(Value x) {
  const Value e = b_.to_float(b_.isub(b_.shr(x, 23), integer(127)));
  const Value m = b_.sub(b_.bit_or(b_.bit_and(x, integer(0x7FFFFF)), integer(0x3F800000)), constant(1.0f));
  const Value t = b_.fma(b_.negate(m), m, m);
  const Value p = b_.fma(b_.fma(constant(tx::kLog2C2), m, constant(tx::kLog2C1)), m, constant(tx::kLog2C0));
  return b_.add(e, b_.fma(t, p, m));
}

/// tx::probe_count: the least n up to the limit with longer <= n * n * shorter. The estimate is off by one at most.
TextureCode::Value TextureCode::probe_count(Value longer, Value shorter) {
  const Value limit = constant(k_.probes);
  const Value estimate = b_.maximum(b_.minimum(limit, b_.ceil(b_.sqrt(b_.div(longer, shorter)))), constant(1.0f));
  const auto too_few = [&](Value n) { return b_.lt(b_.mul(b_.mul(n, n), shorter), longer); };
  const Value below = b_.sub(estimate, constant(1.0f));
  Value n = b_.select(too_few(estimate), b_.add(estimate, constant(1.0f)), estimate);
  n = b_.select(b_.mask_or(too_few(below), b_.eq(below, constant(0.0f))), n, below);
  return b_.minimum(n, limit);
}

TextureCode::Detail TextureCode::describe(const Request& r, bool needs_lod) {
  Detail d;
  const uint32_t given = is_cube() ? 3 : axes();
  for (uint32_t a = 0; a < axes(); ++a) d.position.at[a] = r.coord[a];
  if (is_array()) {
    const Value most = number(offsetof(TextureView, last_layer));
    const Value layer = b_.minimum(b_.maximum(b_.round_even(r.coord[given]), constant(0.0f)), most);
    d.position.layer = b_.imul(b_.to_int(layer), number(offsetof(TextureView, layer_pitch)));
  }
  d.dx = r.dx, d.dy = r.dy;
  if (is_cube()) on_face(d, r, needs_lod && r.mode != Lod::level);
  if (!needs_lod) return d;
  Value lambda = r.lod;
  if (r.mode != Lod::level) {
    const Value x2 = squared_length(d.dx), y2 = squared_length(d.dy);
    Value longer = b_.maximum(x2, y2);
    if (k_.probes) {
      d.x_longer = b_.lt(y2, x2);
      d.probes = probe_count(b_.mul(longer, constant(xt::kProbeSlack)), b_.minimum(x2, y2));
      longer = b_.div(longer, b_.mul(d.probes, d.probes));
    }
    lambda = b_.mul(constant(0.5f), log2_coarse(longer));
  }
  const Value own = number(offsetof(TextureView, bias));
  if (r.mode == Lod::bias || k_.bias) {
    Value bias = r.mode == Lod::bias ? b_.add(own, r.lod) : own;
    bias = b_.minimum(b_.maximum(bias, constant(-xt::kMostBias)), constant(xt::kMostBias));
    lambda = b_.add(lambda, bias);
  }
  d.lambda = lambda;
  const Value least = b_.maximum(lambda, number(offsetof(TextureView, min_lod)));
  d.clamped = b_.minimum(least, number(offsetof(TextureView, max_lod)));
  return d;
}

TextureCode::Values TextureCode::sample(const Request& r) {
  if (k_.format == 0) return {integer(0), integer(0), integer(0), integer(0)};
  const bool mips = k_.mips && !k_.mip_off, filters = k_.mag_linear != k_.min_linear;
  const Detail d = describe(r, mips || filters || k_.probes);
  const float scale = filters_bytes(r) ? kBytesScale : 1;
  const auto one = [&](const Level& level) {
    Values v;
    in_levels(d, {&level, 1}, r, {&v, 1});
    return finish(v, r.compare, scale);
  };
  if (!mips) return one({});
  const Value level = b_.minimum(d.clamped, number(offsetof(TextureView, top)));
  if (!k_.mip_linear) return one({false, b_.isub(b_.to_int(b_.ceil(b_.add(level, constant(0.5f)))), integer(1))});
  const Value fixed = b_.to_int(b_.mul(level, constant(256.0f)));
  const Value first = b_.shr(fixed, 8), fraction = b_.bit_and(fixed, integer(255));
  const Value second = b_.umin(b_.iadd(first, integer(1)), number(offsetof(TextureView, top_level)));
  // If all lanes use one level only (magnification above all), the second one is skipped.
  const uint32_t wanted = wanted_codes(r);
  std::array<lane::Variable, 4> result;
  const auto set = [&](const Values& v) {
    for (uint32_t c = 0; c < 4; ++c)
      if (wanted >> c & 1u) b_.set(result[c], v[c]);
  };
  for (uint32_t c = 0; c < 4; ++c)
    if (wanted >> c & 1u) result[c] = b_.variable();
  const std::array<Level, 2> levels = {Level{false, first}, Level{false, second}};
  std::array<Values, 2> v;
  const Mask alone = b_.ieq(fraction, integer(0));
  const Value weight = b_.mul(b_.to_float(fraction), constant(1.0f / 256.0f));
  const lane::Label done = b_.make_label();
  const auto look = [&](uint32_t begin, uint32_t count) {
    in_levels(d, std::span(levels).subspan(begin, count), r, std::span(v).subspan(begin, count));
  };
  if (k_.probes) {
    // The second level follows the first one: interleaving two loops gains nothing.
    look(0, 1);
    set(v[0]);
    b_.jump_none(b_.mask_not(alone), done);
    look(1, 1);
    set(mix(v[0], v[1], weight, alone, r.compare));
  } else {
    const lane::Label two = b_.make_label();
    b_.jump_any(b_.mask_not(alone), two);
    look(0, 1);
    set(v[0]);
    b_.jump(done);
    b_.place(two);
    look(0, 2);
    set(mix(v[0], v[1], weight, alone, r.compare));
  }
  b_.place(done);
  Values out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = wanted >> c & 1u ? b_.get(result[c]) : integer(0);
  return finish(out, r.compare, scale);
}

TextureCode::Values TextureCode::fetch(const Values& coord, Value level, Value sample, const Request& offsets) {
  const Values nothing = {integer(0), integer(0), integer(0), integer(0)};
  if (k_.format == 0) return nothing;
  const Level l{!k_.mips, level};
  Mask inside = b_.ule(level, number(offsetof(TextureView, top_level)));
  std::array<Value, 3> at;
  for (uint32_t a = 0; a < axes(); ++a) {
    at[a] = offsets.has_offset ? b_.iadd(coord[a], offsets.offset[a]) : coord[a];
    inside = b_.mask_and(inside, b_.ule(at[a], table(offsetof(TextureView, last) + a * sizeof(Lanes), l)));
  }
  Position p;
  if (is_array() || is_cube()) {
    inside = b_.mask_and(inside, b_.ult(coord[axes()], number(offsetof(TextureView, layers))));
    p.layer = b_.imul(coord[axes()], number(offsetof(TextureView, face_pitch)));
  }
  Value row = axes() > 1 ? at[1] : Value{};
  if (k_.samples_log2) {
    inside = b_.mask_and(inside, b_.ult(sample, integer(1u << k_.samples_log2)));
    row = row ? b_.iadd(b_.shl(row, k_.samples_log2), sample) : sample;
  }
  Texel t{at[0], row, row_offset(p, l, row, axes() > 2 ? at[2] : Value{}), inside, {}};
  find_blocks({&t, 1});
  Values v = codes(t);
  for (Value& c : v) c = b_.select(inside, c, integer(0));
  return finish(v, false);
}

TextureCode::Values TextureCode::query_size(Value level) {
  Values out = {integer(0), integer(0), integer(0), integer(0)};
  if (k_.format == 0) return out;
  const Level l{!k_.mips, level};
  const Mask exists = b_.ule(level, number(offsetof(TextureView, top_level)));
  for (uint32_t a = 0; a < axes(); ++a)
    out[a] = b_.select(exists, b_.iadd(table(offsetof(TextureView, last) + a * sizeof(Lanes), l), integer(1)), integer(0));
  if (is_array()) out[axes()] = b_.select(exists, number(offsetof(TextureView, size_layers)), integer(0));
  return out;
}

TextureCode::Values TextureCode::query_levels() {
  const Value none = integer(0);
  if (k_.format == 0) return {none, none, none, none};
  return {b_.iadd(number(offsetof(TextureView, top_level)), integer(1)), integer(1u << k_.samples_log2), none, none};
}

TextureCode::Values TextureCode::query_lod(const Request& r) {
  const Value none = integer(0);
  if (k_.format == 0) return {none, none, none, none};
  const Detail d = describe(r, true);
  Value level = none;
  if (k_.mips && !k_.mip_off) {
    const Value within = b_.minimum(d.clamped, number(offsetof(TextureView, top)));
    level = k_.mip_linear ? b_.mul(b_.to_float(b_.to_int(b_.mul(within, constant(256.0f)))), constant(1.0f / 256.0f))
                          : b_.sub(b_.ceil(b_.add(within, constant(0.5f))), constant(1.0f));
  }
  // The sum turns -0 into 0, as the reference's with a bias of 0 does.
  return {level, b_.add(d.lambda, constant(0.0f)), none, none};
}

}  // namespace pumice::hw::fast::extended
