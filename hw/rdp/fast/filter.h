// SPDX-License-Identifier: MIT
/// SIMD texture filter and colour convert: one TEXEL of all lanes. Steps as in filter.cpp. The usual settings have a short way with
/// three texels; YUV, mid_texel and colour conversion go the long way with the whole footprint.
#pragma once
#include "hw/rdp/fast/texcoord.h"
#include "hw/rdp/fast/texel.h"

namespace pumice::hw::rdp::fast {
namespace {

typedef int16_t Channels[4][kAll];

/// Which settings: bi_lerp of the cycle; convert_one, with the texel it converts.
struct SampleMode {
  bool bi_lerp, by_previous;
  const Channels* previous;
};

PUMICE_STEP void sample_point(const Mode& m, const Shape& p, const TileInfo& tile, Chunk& c, Channels& out) {
  const Unit unit = unit_of(tile.texel);
  const int16_t mask = address_mask(tile.texel);
  for (int i = kFront; i < c.end; i += kH) {
    const H s = place(tile.s, load(c.coord_s + i), -1).index, t = place(tile.t, load(c.coord_t + i), 0xFF).index;
    store(c.at[0] + i, address(tile, unit, mask, s, t));
    if (unit == Unit::nibble) store(c.parity[0] + i, -(s & 1));
  }
  fetch(p.tmem, tile, 1, false, c);
  with_decoder(
      m, tile, [&]<Texel kTexel>() __attribute__((always_inline)) {
        for (int i = kFront; i < c.end; i += kH) {
          const Rgba v = decode<kTexel>(tile, load(c.raw[0] + i), load(c.raw_low[0] + i));
          for (int k = 0; k < 4; ++k) store(out[k] + i, v.c[k]);
        }
      });
}

/// With filtering only three of the four texels matter: the corner of the triangle the position lies in and its two
/// neighbours. Their table copies are 0, 1, 2 in either triangle.
PUMICE_STEP void sample_filtered(const Mode& m, const Shape& p, const TileInfo& tile, Chunk& c, Channels& out) {
  const Unit unit = unit_of(tile.texel);
  const int16_t mask = address_mask(tile.texel);
  for (int i = kFront; i < c.end; i += kH) {
    const Placed s = place(tile.s, load(c.coord_s + i), -1), t = place(tile.t, load(c.coord_t + i), 0xFF);
    const H upper = s.fraction + t.fraction >= 32;
    store(c.fraction_s + i, upper ? 32 - s.fraction : s.fraction);
    store(c.fraction_t + i, upper ? 32 - t.fraction : t.fraction);
    const H s1 = m.filter ? s.index + s.next : s.index, t1 = m.filter ? t.index + t.next : t.index;
    const H near_s = upper ? s1 : s.index, near_t = upper ? t1 : t.index;
    const H far_s = upper ? s.index : s1, far_t = upper ? t.index : t1;
    store(c.at[0] + i, address(tile, unit, mask, near_s, near_t));
    store(c.at[1] + i, address(tile, unit, mask, far_s, near_t));
    store(c.at[2] + i, address(tile, unit, mask, near_s, far_t));
    if (unit != Unit::nibble) continue;
    store(c.parity[0] + i, -(near_s & 1));
    store(c.parity[1] + i, -(far_s & 1));
    store(c.parity[2] + i, -(near_s & 1));
  }
  fetch(p.tmem, tile, 3, false, c);
  with_decoder(
      m, tile, [&]<Texel kTexel>() __attribute__((always_inline)) {
        for (int i = kFront; i < c.end; i += kH) {
          const Rgba a = decode<kTexel>(tile, load(c.raw[0] + i), load(c.raw_low[0] + i));
          const Rgba b = decode<kTexel>(tile, load(c.raw[1] + i), load(c.raw_low[1] + i));
          const Rgba d = decode<kTexel>(tile, load(c.raw[2] + i), load(c.raw_low[2] + i));
          const H fs = load(c.fraction_s + i), ft = load(c.fraction_t + i);
          for (int k = 0; k < 4; ++k) store(out[k] + i, a.c[k] + ((fs * (b.c[k] - a.c[k]) + ft * (d.c[k] - a.c[k]) + 16) >> 5));
        }
      });
}

/// All four texels of the footprint, decoded.
PUMICE_STEP void fetch_footprint(const Mode& m, const Shape& p, const TileInfo& tile, int texels, Chunk& c) {
  const bool yuv = tile.texel == Texel::yuv;
  const Unit unit = unit_of(tile.texel);
  const int16_t mask = address_mask(tile.texel);
  for (int i = kFront; i < c.end; i += kH) {
    const Placed s = place(tile.s, load(c.coord_s + i), -1), t = place(tile.t, load(c.coord_t + i), 0xFF);
    store(c.fraction_s + i, s.fraction);
    store(c.fraction_t + i, t.fraction);
    store(c.chroma_s + i, tile.yuv ? (s.fraction >> 1) | (s.index & 1) << 4 : s.fraction);
    store(c.upper + i, s.fraction + t.fraction >= 32);
    for (int k = 0; k < texels; ++k) {
      const H ds = m.filter && (k & 1) ? s.next : splat(0), dt = m.filter && (k & 2) ? t.next : splat(0);
      const H sk = s.index + ds, tk = t.index + dt;
      if (yuv) {
        store(c.at[k] + i, address(tile, Unit::byte, 0x7FF, sk, tk) | 0x800);
        const H row = (tk & 0xFF) * static_cast<int16_t>(tile.line) + static_cast<int16_t>(tile.tmem);
        store(c.chroma[k] + i, ((H)((HU)(row * 8 + s.index + 2 * ds) >> 1) ^ (-(tk & 1) & 2)) & 0x3FF);
      } else {
        store(c.at[k] + i, address(tile, unit, mask, sk, tk));
        store(c.parity[k] + i, -(sk & 1));
      }
    }
  }
  if (yuv) {
    const int n = (c.end - kFront + kH - 1) / kH * kH;
    for (int k = 0; k < texels; ++k) {
      gather_bytes(p.tmem, c.at[k] + kFront, c.raw[k] + kFront, n);
      gather_halves(p.tmem, c.chroma[k] + kFront, c.raw_low[k] + kFront, n);
      for (int i = kFront; i < c.end; i += kH) {
        const H uv = load(c.raw_low[k] + i), y = load(c.raw[k] + i);  // still in TMEM's byte order
        store(c.footprint[k][0] + i, (uv & 255) - 128);
        store(c.footprint[k][1] + i, (H)((HU)uv >> 8) - 128);
        store(c.footprint[k][2] + i, y);
        store(c.footprint[k][3] + i, y);
      }
    }
    return;
  }
  fetch(p.tmem, tile, texels, true, c);
  with_decoder(
      m, tile, [&]<Texel kTexel>() __attribute__((always_inline)) {
        for (int k = 0; k < texels; ++k)
          for (int i = kFront; i < c.end; i += kH) {
            const Rgba v = decode<kTexel>(tile, load(c.raw[k] + i), load(c.raw_low[k] + i));
            for (int n = 0; n < 4; ++n) store(c.footprint[k][n] + i, v.c[n]);
          }
      });
}

/// Channel n of the 2x2 filter.
PUMICE_INLINE void interpolate(const Mode& m, Chunk& c, int n, int16_t* out) {
  for (int i = kFront; i < c.end; i += kH) {
    const H t0 = load(c.footprint[0][n] + i), t1 = load(c.footprint[1][n] + i), t2 = load(c.footprint[2][n] + i),
            t3 = load(c.footprint[3][n] + i);
    const H fs = load((n < 2 ? c.chroma_s : c.fraction_s) + i), ft = load(c.fraction_t + i);
    const H high = t3 + (((32 - fs) * (t2 - t3) + (32 - ft) * (t1 - t3) + 16) >> 5);
    const H low = t0 + ((fs * (t1 - t0) + ft * (t2 - t0) + 16) >> 5);
    H v = fs + ft >= 32 ? high : low;
    if (m.mid_texel) {
      const H middle = t3 + ((t1 + t2 - 2 * t3 + ~t3 + t0 + 3) >> 2);
      v = ((fs == 16) & (ft == 16)) ? middle : v;
    }
    store(out + i, ext9(v));
  }
}

PUMICE_INLINE W sign9(W v) { return v << 23 >> 23; }

/// convert_one with bi_lerp: the previous texel's chroma takes the place of the fractions.
PUMICE_INLINE void interpolate_by_previous(const Mode& m, Chunk& c, const Channels& previous, int n, int16_t* out) {
  for (int i = kFront; i < c.end; i += kW) {
    const W t0 = widen(c.footprint[0][n] + i), t1 = widen(c.footprint[1][n] + i), t2 = widen(c.footprint[2][n] + i),
            t3 = widen(c.footprint[3][n] + i);
    const W fs = widen((n < 2 ? c.chroma_s : c.fraction_s) + i), ft = widen(c.fraction_t + i);
    const W pr = sign9(widen(previous[0] + i)), pg = sign9(widen(previous[1] + i)), pb = sign9(widen(previous[2] + i));
    const W middle = m.mid_texel ? (fs == 16) & (ft == 16) : splat_w(0);
    const W d = middle & (64 * (~t3 + t0) + 64);
    const W high = (pr * (t2 - t3) + pg * (t1 - t3) + 128 + d) >> 8, low = (pr * (t1 - t0) + pg * (t2 - t0) + 128) >> 8;
    const W v = pb + (((fs + ft >= 32) | middle) != 0 ? high : low);
    narrow(out + i, ((v + 0x80) & 0x1FF) - 0x80);
  }
}

/// YUV to RGB, first half.
PUMICE_INLINE void convert(const Mode& m, int i, W u, W v, W y, Channels& out) {
  const int32_t* f = m.filter_k;
  const W rgb[4] = {y + ((f[0] * v + 128) >> 8), y + ((f[1] * u + f[2] * v + 128) >> 8), y + ((f[3] * u + 128) >> 8), y};
  for (int n = 0; n < 4; ++n) narrow(out[n] + i, ((rgb[n] + 0x80) & 0x1FF) - 0x80);
}

PUMICE_STEP void sample_long(const Mode& m, const Shape& p, const TileInfo& tile, const SampleMode& how, Chunk& c, Channels& out) {
  const bool point = !m.filter && !m.tlut;
  fetch_footprint(m, p, tile, point ? 1 : 4, c);
  if (how.bi_lerp && !point) {
    for (int n = 0; n < 4; ++n) {
      if (how.by_previous)
        interpolate_by_previous(m, c, *how.previous, n, out[n]);
      else
        interpolate(m, c, n, out[n]);
    }
    return;
  }
  for (int i = kFront; i < c.end; i += kW) {
    W texel[3];
    for (int n = 0; n < 3; ++n) {
      texel[n] = how.by_previous ? sign9(widen((*how.previous)[n] + i)) : widen(c.footprint[0][n] + i);
      if (point || how.by_previous) continue;
      const W fs = widen((n < 2 ? c.chroma_s : c.fraction_s) + i), ft = widen(c.fraction_t + i);
      // Red's fraction determines the triangle for chroma.
      texel[n] = fs + ft >= 32 ? widen(c.footprint[3][n] + i) : texel[n];
    }
    if (!how.bi_lerp) {
      convert(m, i, texel[0], texel[1], texel[2], out);
    } else {
      for (int n = 0; n < 4; ++n) {
        const W v = how.by_previous ? texel[2] : widen(c.footprint[0][n] + i);
        narrow(out[n] + i, ((v + 0x80) & 0x1FF) - 0x80);
      }
    }
  }
}

PUMICE_INLINE void sample_tile(const Mode& m, const Shape& p, uint32_t tile, const SampleMode& how, Chunk& c, Channels& out) {
  const TileInfo& t = m.tile[tile & 7];
  const bool filtered = m.filter || m.tlut;
  if (!how.bi_lerp || how.by_previous || t.yuv || (filtered && m.mid_texel)) return sample_long(m, p, t, how, c, out);
  if (filtered) return sample_filtered(m, p, t, c, out);
  sample_point(m, p, t, c, out);
}

/// One TEXEL with a tile for each lane: every tile that occurs is sampled for all lanes.
PUMICE_STEP void sample_tiles(const Mode& m, const Shape& p, const int16_t* tiles, const SampleMode& how, Chunk& c, Channels& out) {
  uint32_t set = 0;
  for (int i = kFront; i < c.end; ++i) set |= 1u << (tiles[i] & 7);
  bool first = true;
  for (uint32_t tile = 0; tile < 8; ++tile) {
    if (!(set >> tile & 1)) continue;
    sample_tile(m, p, tile, how, c, first ? out : c.spare);
    if (!first)
      for (int n = 0; n < 4; ++n)
        for (int i = kFront; i < c.end; i += kH)
          store(out[n] + i, load(tiles + i) == static_cast<int16_t>(tile) ? load(c.spare[n] + i) : load(out[n] + i));
    first = false;
  }
}

/// TEXEL0, TEXEL1 and LOD_FRAC of all lanes.
PUMICE_STEP void texture(const Mode& m, const Shape& p, Chunk& c) {
  if (m.lod) m.cycle == Cycle::one ? lod_one_cycle(m, p, c) : lod_two_cycles(m, p, c);
  const bool texel1 = m.uses_texel1 && m.cycle == Cycle::two;
  if (m.uses_texel0 || texel1) coordinates(m, c);
  const SampleMode first{m.bi_lerp_0, false, nullptr}, second{m.bi_lerp_1, m.convert_one, &c.texel0};
  const bool tiles = m.lod && m.lod_tiles;
  if (m.uses_texel0) tiles ? sample_tiles(m, p, c.tile0, first, c, c.texel0) : sample_tile(m, p, p.tile, first, c, c.texel0);
  if (texel1) tiles ? sample_tiles(m, p, c.tile1, second, c, c.texel1) : sample_tile(m, p, p.tile + 1, second, c, c.texel1);
  for (int i = 0; i < c.patches; ++i) {
    const Patch& at = c.patch[i];
    int32_t a[4], b[4], lod;
    p.slow_texels(p.context, at.y, at.k, a, b, &lod);
    for (int n = 0; n < 4; ++n) {
      c.texel0[n][at.lane] = static_cast<int16_t>(((a[n] + 0x80) & 0x1FF) - 0x80);
      c.texel1[n][at.lane] = static_cast<int16_t>(((b[n] + 0x80) & 0x1FF) - 0x80);
    }
    c.lod[at.lane] = static_cast<int16_t>(lod);
  }
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
