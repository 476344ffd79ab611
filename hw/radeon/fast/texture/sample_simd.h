// SPDX-License-Identifier: MIT
/// Texture lookups for a block: hw/radeon/ref/tx/lookup.cpp and filter.cpp for 16 lanes, templates by shape, texels and address modes. The
/// kind of the lookup and the filter are uniform branches. Included by SIMD files only.
#pragma once
#include <bit>

#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/texture/address_simd.h"
#if defined(__AVX512VBMI__) && defined(__AVX512VNNI__)
#include "hw/radeon/fast/texture/bytes_simd.h"
#define PUMICE_BYTE_WINDOWS 1
#else
#define PUMICE_BYTE_WINDOWS 0
#endif
#include "hw/radeon/fast/texture/lod_simd.h"
#include "hw/radeon/fast/texture/texels_simd.h"
#include "hw/radeon/fast/texture/unit.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using tx::LookupKind;
using tx::Mip;
using tx::Mode;
using tx::SampleArgs;
using tx::Shape;
using tx::Texels;
using tx::Unit;

PUMICE_INLINE Color mix(const Color& a, const Color& b, F16 w) {
  return {{lerp(a.c[0], b.c[0], w), lerp(a.c[1], b.c[1], w), lerp(a.c[2], b.c[2], w), lerp(a.c[3], b.c[3], w)}};
}
PUMICE_INLINE Color choose(Mask m, const Color& a, const Color& b) {
  Color out;
  for (int c = 0; c < 4; ++c) out.c[c] = select(m, a.c[c], b.c[c]);
  return out;
}

/// Offset of a layer, and the lanes that sample the border color because of it.
struct Layer {
  U16 offset;
  Mask border;
};

/// A row or a column: bytes, place inside the block (compressed texels), border.
struct Line {
  U16 offset, inside;
  Mask border;
};
template <class T>
PUMICE_INLINE Line row_at(const Level& l, const Layer& layer, const Index& y) {
  const U16 i = as_uint(y.i);
  if constexpr (T::kBlocks) return {layer.offset + (i >> 2) * l.pitch, (i & 3u) << 2, layer.border | y.border};
  return {layer.offset + i * l.pitch, U16{}, layer.border | y.border};
}
template <class T>
PUMICE_INLINE Line column_at(const Unit& u, const Index& x) {
  const U16 i = as_uint(x.i);
  if constexpr (T::kBlocks) return {(i >> 2) << int(u.bytes_log2), i & 3u, x.border};
  return {i << int(u.bytes_log2), U16{}, x.border};
}
template <class T>
PUMICE_INLINE Corner corner_at(const Line& column, const Line& row) {
  return {row.offset + column.offset, row.inside + column.inside, row.border | column.border};
}

template <class T, bool kSimple>
PUMICE_OUTLINE Color in_layer_point(const Unit& u, const Level& l, const F16& s, const F16& t, const Layer& layer) {
  const I16 ix = point_index(s), iy = point_index(t);
  const Index x = index_of<kSimple>(ix, l.last[0], l.wrap[0], u.clamp[0]);
  const Index y = index_of<kSimple>(iy, l.last[1], l.wrap[1], u.clamp[1]);
  const Corner corner = corner_at<T>(column_at<T>(u, x), row_at<T>(l, layer, y));
  return point<T>(u, T::read(u, corner), corner);
}

template <class T, bool kSimple>
PUMICE_OUTLINE Color in_layer_linear(const Unit& u, const Level& l, const F16& s, const F16& t, const Layer& layer) {
  const I16 px = linear_position(s), py = linear_position(t);
  const I16 ix = px >> 8, iy = py >> 8;
  const Index x0 = index_of<kSimple>(ix, l.last[0], l.wrap[0], u.clamp[0]),
              x1 = index_of<kSimple>(ix + 1, l.last[0], l.wrap[0], u.clamp[0]);
  const Index y0 = index_of<kSimple>(iy, l.last[1], l.wrap[1], u.clamp[1]),
              y1 = index_of<kSimple>(iy + 1, l.last[1], l.wrap[1], u.clamp[1]);
  const Line top = row_at<T>(l, layer, y0), bottom = row_at<T>(l, layer, y1), left = column_at<T>(u, x0), right = column_at<T>(u, x1);
  const Corner corner[4] = {corner_at<T>(left, top), corner_at<T>(right, top), corner_at<T>(left, bottom), corner_at<T>(right, bottom)};
  typename T::Raw raw[4];
  read_corners<T>(u, corner, raw);
  return bilinear<T>(u, raw, corner, px & 255, py & 255);
}

/// What a lookup by windows needs: one level and one face for all lanes. Only where `kWindows`.
struct OneLevel {
  uint32_t level;
  uint32_t face;  ///< of a cube
};
template <Shape kShape, class T>
inline constexpr bool kWindows = PUMICE_SIMD_BYTES == 64 && kShape != Shape::volume&& T::kDword;

/// The lookup in one level of an image by a window; false where no window fits. at: its s and t are read from memory too.
template <class T, bool kLinear>
PUMICE_INLINE bool in_window([[maybe_unused]] const Unit& u, [[maybe_unused]] bool unscaled, [[maybe_unused]] OneLevel where,
                             [[maybe_unused]] const Vec3& at, [[maybe_unused]] const Lanes* lanes, [[maybe_unused]] Color& out) {
#if PUMICE_SIMD_BYTES == 64
  if constexpr (T::kDword) {
    const tx::WindowFacts& facts = u.level.window[where.level];
    if (!facts.base) return false;
    const char* base = facts.base + uint64_t{where.face} * u.level.layer[where.level];
    Window w;
    const Corner inside = {{}, {}, mask_from(0)};
    if constexpr (kLinear) {
      const I16 px = round_to_int(at.s * facts.fixed[unscaled][0]) - constants().half_texel,
                py = round_to_int(at.t * facts.fixed[unscaled][1]) - constants().half_texel;
#if PUMICE_BYTE_WINDOWS
      if constexpr (std::is_same_v<T, Codes4>) {
        ByteWindow bytes;
        if (!bytes.find<true>(facts, base, unscaled, lanes[0].v, lanes[1].v, px, py)) return false;
        bytes.linear(u, out.c);
        return true;
      }
#endif
      if (!w.find<1>(facts, base, unscaled, lanes[0].v, lanes[1].v, px >> 8, py >> 8)) return false;
      const typename T::Raw raw[4] = {raw_of<T>(w.texel<0, 0>()), raw_of<T>(w.texel<1, 0>()), raw_of<T>(w.texel<0, 1>()),
                                      raw_of<T>(w.texel<1, 1>())};
      const Corner corner[4] = {inside, inside, inside, inside};
      const auto fraction = static_cast<int32_t>(constants().fraction);
      out = bilinear<T>(u, raw, corner, px & fraction, py & fraction);
    } else {
      const I16 ix = truncate(floor(at.s * facts.texels[unscaled][0])), iy = truncate(floor(at.t * facts.texels[unscaled][1]));
#if PUMICE_BYTE_WINDOWS
      if constexpr (std::is_same_v<T, Codes4>) {
        if (ByteWindow near; near.find<false>(facts, base, unscaled, lanes[0].v, lanes[1].v, ix, iy)) {
          near.point(u, out.c);
          return true;
        }
      }
#endif
      if (!w.find<0>(facts, base, unscaled, lanes[0].v, lanes[1].v, ix, iy)) return false;
      out = point<T>(u, raw_of<T>(w.texel<0, 0>()), inside);
    }
    return true;
  }
#endif
  return false;
}

template <Shape kShape, class T, bool kSimple, bool kLinear>
PUMICE_INLINE Color in_level_by(const Unit& u, const Level& l, const Vec3& at, I16 face) {
  const F16 s = at.s * l.scale[0], t = at.t * l.scale[1];
  const auto in_layer = [&](const Layer& layer) PUMICE_IN_PLACE {
    if constexpr (kLinear)
      return in_layer_linear<T, kSimple>(u, l, s, t, layer);
    else
      return in_layer_point<T, kSimple>(u, l, s, t, layer);
  };
  if constexpr (kShape == Shape::flat) return in_layer({l.offset, mask_from(0)});
  if constexpr (kShape == Shape::cube) return in_layer({l.offset + as_uint(face) * l.layer, mask_from(0)});
  const F16 r = at.r * l.scale[2];
  const auto slice = [&](I16 i) PUMICE_IN_PLACE {
    const Index z = index_of<false>(i, l.last[2], l.wrap[2], u.clamp[2]);
    return in_layer({l.offset + as_uint(z.i) * l.layer, z.border});
  };
  const bool linear_r = u.volume_filter == 2 || (u.volume_filter == 0 && kLinear);
  const I16 position = linear_r ? linear_position(r) : I16{}, first = linear_r ? position >> 8 : point_index(r);
  Color front = {};
  for (int i = 0;; ++i) {  // a loop, for one copy of the code of a layer
    const Color color = slice(first + i);
    if (i == 1) return mix(front, color, to_float(position & 255) * 0x1p-8f);
    if (!linear_r) return color;
    front = color;
  }
}

template <Shape kShape, class T, bool kSimple>
PUMICE_INLINE Color in_level(const Unit& u, const Level& l, const Vec3& at, I16 face, Mask linear) {
  Color out;
  if constexpr (T::kFilterable) {
    if (any(linear)) out = in_level_by<kShape, T, kSimple, true>(u, l, at, face);
    if (all(linear)) return out;
  }
  const Color points = in_level_by<kShape, T, kSimple, false>(u, l, at, face);
  return T::kFilterable ? choose(linear, out, points) : points;
}

constexpr int axes(Shape s) { return s == Shape::volume ? 3 : 2; }

template <Shape kShape, class T, bool kSimple>
Color in_levels(const Unit& u, bool unscaled, const I16& level, const Vec3& at, const I16& face, const Mask& linear);
/// Lanes in different levels are rare: level by level.
template <Shape kShape, class T, bool kSimple>
[[gnu::noinline]] Color in_several_levels(const Unit& u, bool unscaled, const I16& level, const Vec3& at, const I16& face,
                                          const Mask& linear) {
  Color color = {};
  for (unsigned left = 0xFFFF; left;) {
    const I16 one = splat(level[std::countr_zero(left)]);
    const Mask here = eq(level, one);
    color = choose(here, in_levels<kShape, T, kSimple>(u, unscaled, one, at, face, linear), color);
    left &= ~unsigned{bits_of(here)};
  }
  return color;
}
template <Shape kShape, class T, bool kSimple>
[[gnu::noinline]] Color in_levels(const Unit& u, bool unscaled, const I16& level, const Vec3& at, const I16& face, const Mask& linear) {
  const int32_t first = level[0];
  if (!all(eq(level, splat(first)))) return in_several_levels<kShape, T, kSimple>(u, unscaled, level, at, face, linear);
  return in_level<kShape, T, kSimple>(u, level_of(u, unscaled, uint32_t(first), axes(kShape)), at, face, linear);
}

/// Where all lanes sample the same one or two levels of one face with one filter: by windows, if they fit.
template <class T>
[[gnu::noinline]] bool in_windows(const Unit& u, bool unscaled, const Vec3& at, int32_t face, const Lod& lod, Color& out) {
  const auto first = uint32_t(lod.level0[0]);
  if (face < 0 || !all(eq(lod.level0, splat(int32_t(first))))) return false;
  const auto* lanes = reinterpret_cast<const Lanes*>(&at);
  const OneLevel where = {first, uint32_t(face)}, next = {first + 1, uint32_t(face)};
  if constexpr (T::kFilterable) {
    if (any(lod.linear)) {
      if (!all(lod.linear) || !in_window<T, true>(u, unscaled, where, at, lanes, out)) return false;
      if (!lod.two_levels) return true;
      // Lanes that sample one level only have weight 0, and texels are finite.
      Color second;
      if (!in_window<T, true>(u, unscaled, next, at, lanes, second)) return false;
      out = mix(out, second, lod.weight);
      return true;
    }
  }
  return !lod.two_levels && in_window<T, false>(u, unscaled, where, at, lanes, out);
}

/// face: of all lanes; -1: they differ. `windows`: false after windows did not fit, as they would not for other probes of the lookup.
template <Shape kShape, class T, bool kSimple>
PUMICE_INLINE Color at_place(const Unit& u, bool unscaled, const Vec3& at, const I16& faces, int32_t face, const Lod& lod, bool& windows) {
  if constexpr (kWindows<kShape, T>) {
    if (windows) {
      Color out;
      windows = in_windows<T>(u, unscaled, at, face, lod, out);
      if (windows) return out;
    }
  }
  const Color first = in_levels<kShape, T, kSimple>(u, unscaled, lod.level0, at, faces, lod.linear);
  if (!lod.two_levels) return first;
  return mix(first, in_levels<kShape, T, kSimple>(u, unscaled, lod.level1, at, faces, lod.linear), lod.weight);
}

/// `n` probes (per lane) along `step`; lanes with one probe sample at the position itself.
template <Shape kShape, class T, bool kSimple>
Color anisotropic(const Unit& u, bool unscaled, const Place& p, const Vec3& step, I16 n, const Lod& lod) {
  Color sum = {};
  const Mask alone = eq(n, splat(1));
  const F16 divisor = to_float(2 * (n + 1));
  bool windows = true;
  for (int i = 1; i <= int(u.max_probes); ++i) {
    const Mask takes = ~lt(n, splat(i));
    if (!any(takes)) break;
    const F16 o = to_float(2 * i - (n + 1)) / divisor;
    const Vec3 at = {select(alone, p.at.s, fma(o, step.s, p.at.s)), select(alone, p.at.t, fma(o, step.t, p.at.t)),
                     kShape == Shape::volume ? select(alone, p.at.r, fma(o, step.r, p.at.r)) : F16{}};
    const Color probe = at_place<kShape, T, kSimple>(u, unscaled, at, p.face, p.one_face, lod, windows);
    for (int c = 0; c < 4; ++c) sum.c[c] = select(takes, sum.c[c] + probe.c[c], sum.c[c]);
  }
  for (int c = 0; c < 4; ++c) sum.c[c] = select(alone, sum.c[c], sum.c[c] / to_float(n));
  return sum;
}

/// Stores components to channels. Each component goes straight to the first channel that selects it; further channels are rare.
PUMICE_INLINE void put(const Unit& u, SampleArgs& a, const Color& color) {
  if (u.identity) {
    store(a.out[0], color.c[0]), store(a.out[1], color.c[1]), store(a.out[2], color.c[2]), store(a.out[3], color.c[3]);
    return;
  }
  Lanes nowhere;
  Lanes* const to[5] = {&a.out[0], &a.out[1], &a.out[2], &a.out[3], &nowhere};
  store(*to[u.channel_of[0]], color.c[0]), store(*to[u.channel_of[1]], color.c[1]);
  store(*to[u.channel_of[2]], color.c[2]), store(*to[u.channel_of[3]], color.c[3]);
  if (!u.more_channels) return;
  for (int c = 0; c < 4; ++c) {
    const int from = u.select[c];
    if (from < 4 && u.channel_of[from] < 4) {
      if (u.channel_of[from] != c) store(a.out[c], load(a.out[u.channel_of[from]]));
    } else {
      store(a.out[c], from == 5 ? splat(1.0f) : F16{});
    }
  }
}

/// The sampled positions, and the coordinates in the axes of the image or of each lane's face.
struct Coordinates {
  Place place;
  Vec3 own;
};
template <Shape kShape>
PUMICE_INLINE Coordinates coordinates_of(const SampleArgs& a, bool projective) {
  Coordinates out;
  if constexpr (kShape == Shape::cube) {
    if (!projective) {
      const int32_t face = first_face(a.coord);
      out.own = on_face(a.coord, kFaceAxes[face]);
      if (all_inside(out.own)) {
        out.place.face = splat(out.place.one_face = face);
        project(out.place, out.own);
        return out;
      }
    }
  }
  Vec3& c = out.own;
  c = {load(a.coord[0]), load(a.coord[1]), kShape == Shape::flat ? F16{} : load(a.coord[2])};
  if (projective) {
    const F16 q = load(a.coord[3]);
    c.s = c.s / q;
    c.t = c.t / q;
    if constexpr (kShape != Shape::flat) c.r = c.r / q;
  }
  if constexpr (kShape == Shape::cube) {
    out.place.face = faces_of(c.s, c.t, c.r);
    out.place.one_face = -1;
    c = on_face(c.s, c.t, c.r, out.place.face);
    project(out.place, c);
  } else {
    out.place.at = c;
  }
  return out;
}

/// A gradient given by the instruction, as a step of the position.
template <Shape kShape>
PUMICE_INLINE Vec3 given_step(const Place& p, const Lanes* d) {
  if constexpr (kShape == Shape::cube) {
    if (p.one_face >= 0) return project_step(p, on_face(d, kFaceAxes[p.one_face]));
    return project_step(p, on_face(load(d[0]), load(d[1]), load(d[2]), p.face));
  }
  return {load(d[0]), load(d[1]), kShape == Shape::flat ? F16{} : load(d[2])};
}

/// One level and one filter regardless of the level of detail: the usual 2D texture without mips.
template <Shape kShape, class T, bool kSimple, bool kLinear>
[[gnu::noinline]] void sample_constant_gathered(const Unit& u, SampleArgs& a, bool projective, bool unscaled) {
  const Place place = coordinates_of<kShape>(a, projective).place;
  const Level l = level_of(u, unscaled, u.finest, axes(kShape));
  put(u, a, in_level_by<kShape, T, kSimple, kLinear>(u, l, place.at, place.face));
}
template <Shape kShape, class T, bool kSimple, bool kLinear, bool kProjective>
void sample_constant(const Unit& u, SampleArgs& a, bool unscaled) {
  if constexpr (kShape == Shape::flat && T::kDword && PUMICE_SIMD_BYTES == 64) {
    Vec3 at = {load(a.coord[0]), load(a.coord[1]), {}};
    const Lanes* lanes = a.coord;
    Lanes divided[2];
    if constexpr (kProjective) {
      const F16 q = load(a.coord[3]);
      at.s = at.s / q, at.t = at.t / q;
      store(divided[0], at.s), store(divided[1], at.t);
      lanes = divided;
    }
    if (Color out; in_window<T, kLinear>(u, unscaled, {u.finest, 0}, at, lanes, out)) return put(u, a, out);
  }
  sample_constant_gathered<kShape, T, kSimple, kLinear>(u, a, kProjective, unscaled);
}

/// Positions, levels and probes: what does not depend on the texel format.
struct Footprint {
  Place place;
  Lod lod;
  I16 probes;  ///< of lanes that filter anisotropically
  Vec3 along;
  bool anisotropic = false;  ///< some lane has more than one probe
};

/// The differences within each quad. Changing to the axes of a face only permutes and negates, so where all lanes share one face it may
/// be done after the subtraction.
template <Shape kShape>
PUMICE_INLINE void steps_of(const SampleArgs& a, LookupKind kind, const Coordinates& c, Vec3& dx, Vec3& dy) {
  const Place& p = c.place;
  if (kind == LookupKind::dxdy) {
    dx = given_step<kShape>(p, a.dx);
    dy = given_step<kShape>(p, a.dy);
    return;
  }
  Vec3 own = c.own;
  bool turn = false;
  if constexpr (kShape == Shape::cube) {
    turn = p.one_face < 0;
    if (turn) {
      own = {load(a.coord[0]), load(a.coord[1]), load(a.coord[2])};
      if (kind == LookupKind::proj) {
        const F16 q = load(a.coord[3]);
        own = {own.s / q, own.t / q, own.r / q};
      }
    }
  }
  const F16 zero = {};
  dx = {quad_dx(own.s), quad_dx(own.t), kShape == Shape::flat ? zero : quad_dx(own.r)};
  dy = {quad_dy(own.s), quad_dy(own.t), kShape == Shape::flat ? zero : quad_dy(own.r)};
  if constexpr (kShape == Shape::cube) {
    if (turn) dx = on_face(dx.s, dx.t, dx.r, p.face), dy = on_face(dy.s, dy.t, dy.r, p.face);
    dx = project_step(p, dx);
    dy = project_step(p, dy);
  }
}

template <Shape kShape>
PUMICE_INLINE void find_footprint(const Unit& u, const SampleArgs& a, LookupKind kind, bool unscaled, Footprint& out) {
  const Coordinates c = coordinates_of<kShape>(a, kind == LookupKind::proj);
  out.place = c.place;
  F16 lambda;
  if (u.constant_level) {
    out.lod = {everyone(u.linear[0]), mask_from(0), splat(int32_t(u.finest)), splat(int32_t(u.finest)), {}, false};
    return;
  }
  if (kind == LookupKind::lod) {
    lambda = load(a.coord[3]);
  } else {
    Vec3 dx, dy;
    steps_of<kShape>(a, kind, c, dx, dy);
    const F16 x2 = squared_length<kShape>(u, unscaled, dx), y2 = squared_length<kShape>(u, unscaled, dy);
    const Mask right = gt(x2, y2);
    F16 longer = select(right, x2, y2);
    out.probes = splat(1);
    if (u.max_probes > 1) {
      const F16 shorter = select(right, y2, x2);
      for (uint32_t k = 1; k < u.max_probes; ++k) out.probes = select(lt(shorter * float(k * k), longer), out.probes + 1, out.probes);
      longer = longer / to_float(out.probes * out.probes);
      out.along = {select(right, dx.s, dy.s), select(right, dx.t, dy.t), select(right, dx.r, dy.r)};
    }
    lambda = log2_coarse(longer) * 0.5f;
    if (kind == LookupKind::lod_bias) lambda = lambda + load(a.coord[3]);
  }
  out.lod = select_levels(u, lambda);
  if (u.max_probes > 1 && kind != LookupKind::lod) {
    out.probes = select(out.lod.anisotropic, out.probes, splat(1));
    out.anisotropic = any(lt(splat(1), out.probes));
  }
}

template <Shape kShape>
[[gnu::noinline]] void footprint_of(const Unit& u, const SampleArgs& a, LookupKind kind, bool unscaled, Footprint& out) {
  find_footprint<kShape>(u, a, kind, unscaled, out);
}

template <Shape kShape, class T, bool kSimple>
[[gnu::noinline]] void sample_any(const Unit& u, SampleArgs& a, LookupKind kind, bool unscaled) {
  Footprint f;
  footprint_of<kShape>(u, a, kind, unscaled, f);
  if (f.anisotropic) return put(u, a, anisotropic<kShape, T, kSimple>(u, unscaled, f.place, f.along, f.probes, f.lod));
  bool windows = true;
  put(u, a, at_place<kShape, T, kSimple>(u, unscaled, f.place.at, f.place.face, f.place.one_face, f.lod, windows));
}

/// The usual case, entirely in registers: one face, the same one or two levels and the same filter for all lanes, windows. False, without
/// side effects, where a lane differs.
template <Shape kShape, class T>
PUMICE_INLINE bool sample_near(const Unit& u, SampleArgs& a, LookupKind kind, bool unscaled) {
  if (kind == LookupKind::proj || kind == LookupKind::dxdy || u.max_probes > 1) return false;
  Vec3 own = {load(a.coord[0]), load(a.coord[1]), {}};
  const Lanes* lanes = a.coord;
  Lanes projected[2];
  uint32_t face = 0;
  Place place;
  if constexpr (kShape == Shape::cube) {
    face = static_cast<uint32_t>(first_face(a.coord));
    own = on_face(a.coord, kFaceAxes[face]);
    if (!all_inside(own)) return false;
    project(place, own);
    store(projected[0], place.at.s), store(projected[1], place.at.t);
    lanes = projected;
  } else {
    place.at = own;
  }
  uint32_t level = u.finest;
  bool linear = u.linear[0], two = false;
  F16 weight = {};
  if (!u.constant_level) {
    F16 lambda;
    if (kind == LookupKind::lod) {
      lambda = load(a.coord[3]);
    } else {
      Vec3 dx = {quad_dx(own.s), quad_dx(own.t), quad_dx(own.r)}, dy = {quad_dy(own.s), quad_dy(own.t), quad_dy(own.r)};
      if constexpr (kShape == Shape::cube) dx = project_step(place, dx), dy = project_step(place, dy);
      lambda = log2_coarse(max(squared_length<kShape>(u, unscaled, dx), squared_length<kShape>(u, unscaled, dy))) * 0.5f;
      if (kind == LookupKind::lod_bias) lambda = lambda + load(a.coord[3]);
    }
    lambda = lambda + u.lod_bias;
    const LaneMask minify = bits_of(gt(lambda, F16{}));
    if (minify == 0) {
      linear = u.linear[1];
    } else {
      if (minify != 0xFFFF) return false;
      if (u.mip != Mip::none) {
        const F16 finer = min(max(lambda, splat(float(u.finest))), splat(float(u.coarsest)));
        const bool between = u.mip == Mip::linear;
        if (between && u.tri_perf) return false;
        const I16 fixed = between ? truncate(finer * 256.0f) : truncate(finer + 0.5f) << 8;
        const int32_t whole = fixed[0] & ~255;
        const I16 fraction = fixed - whole;
        if (!all(lt(as_uint(fraction), splat(256u)))) return false;
        level = static_cast<uint32_t>(whole) >> 8;
        two = any(lt(I16{}, fraction));
        weight = to_float(fraction) * 0x1p-8f;
      }
    }
  }
  Color out;
  if constexpr (T::kFilterable) {
    if (linear) {
      if (!in_window<T, true>(u, unscaled, {level, face}, place.at, lanes, out)) return false;
      if (two) {
        // Lanes of weight 0 get the first level unchanged: texels are finite.
        Color second;
        if (!in_window<T, true>(u, unscaled, {level + 1, face}, place.at, lanes, second)) return false;
        out = mix(out, second, weight);
      }
      put(u, a, out);
      return true;
    }
  }
  if (two || !in_window<T, false>(u, unscaled, {level, face}, place.at, lanes, out)) return false;
  put(u, a, out);
  return true;
}

template <Shape kShape, class T, bool kSimple>
[[gnu::noinline]] void sample(const Unit& u, SampleArgs& a, LookupKind kind, bool unscaled) {
  if constexpr (kWindows<kShape, T>) {
    if (sample_near<kShape, T>(u, a, kind, unscaled)) return;
  }
  sample_any<kShape, T, kSimple>(u, a, kind, unscaled);
}

template <Shape kShape, class T, bool kSimple, Mode kMode, bool kUnscaled, LookupKind kKind>
void entry(const Unit& u, SampleArgs& a) {
  if constexpr (kMode == Mode::general)
    sample<kShape, T, kSimple>(u, a, kKind, kUnscaled);
  else
    sample_constant<kShape, T, kSimple, kMode == Mode::linear && T::kFilterable, kKind == LookupKind::proj>(u, a, kUnscaled);
}

/// The kind whose routine serves this one: where the level is constant only the division of the coordinates matters.
template <Mode kMode>
constexpr LookupKind compiled(LookupKind kind) {
  return kMode == Mode::general || kind == LookupKind::proj ? kind : LookupKind::ld;
}

/// [mode][unscaled][kind]
template <Shape kShape, class T, bool kSimple, Mode kMode, bool kUnscaled>
constexpr tx::KindRoutines kKindRoutines = {{entry<kShape, T, kSimple, kMode, kUnscaled, LookupKind::ld>,
                                             entry<kShape, T, kSimple, kMode, kUnscaled, LookupKind::proj>,
                                             entry<kShape, T, kSimple, kMode, kUnscaled, compiled<kMode>(LookupKind::lod_bias)>,
                                             entry<kShape, T, kSimple, kMode, kUnscaled, compiled<kMode>(LookupKind::lod)>,
                                             entry<kShape, T, kSimple, kMode, kUnscaled, compiled<kMode>(LookupKind::dxdy)>}};
template <Shape kShape, class T, bool kSimple, Mode kMode>
constexpr tx::RoutineSet kOfMode = {{kKindRoutines<kShape, T, kSimple, kMode, false>, kKindRoutines<kShape, T, kSimple, kMode, true>}};
template <Shape kShape, class T, bool kSimple>
constexpr const tx::RoutineSet& routines(Mode mode) {
  if constexpr (kShape == Shape::flat && kSimple && !T::kBlocks) {
    if (mode == Mode::point) return kOfMode<kShape, T, kSimple, Mode::point>;
    if (mode == Mode::linear) return kOfMode<kShape, T, kSimple, Mode::linear>;
  }
  return kOfMode<kShape, T, kSimple, Mode::general>;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
