// SPDX-License-Identifier: MIT
/// Texture filter and colour convert (docs/reference/rdp.md section 14).
#include "hw/rdp/ref/filter.h"

#include "hw/rdp/ref/bits.h"

namespace pumice::hw::rdp {
namespace {

/// Four texels, their fractions and which triangle of the square they lie in. Chroma (r, g) of YUV has its own.
struct Footprint {
  std::array<Color, 4> texel;
  std::array<int32_t, 4> fs;  // per channel
  int32_t ft;
  std::array<bool, 4> upper;
};

Footprint fetch(const State& state, const Tmem& tmem, const Tile& tile, const TexelAxis& s, const TexelAxis& t) {
  Footprint f;
  const int32_t fs = s.fraction, fc = tile.format == kYuv ? (fs >> 1) | (s.index & 1) << 4 : fs;
  f.ft = t.fraction;
  f.fs = {fc, fc, fs, fs};
  for (int c = 0; c < 4; ++c) f.upper[c] = f.fs[c] + f.ft >= 32;
  const bool point = !state.modes.sample_type();
  for (int k = 0; k < 4; ++k) {
    const int32_t ds = !point && (k & 1) ? s.next : 0, dt = !point && (k & 2) ? t.next : 0;
    if (!state.modes.en_tlut()) {
      f.texel[k] = tmem.texel(tile, s.index + ds, t.index + dt, s.index + 2 * ds);
      continue;
    }
    const uint32_t index = tmem.tlut_index(tile, s.index + ds, t.index + dt);
    f.texel[k] = Tmem::decode_tlut(tmem.tlut_entry(index, static_cast<uint32_t>(f.upper[3] ? 3 - k : k)), state.modes.tlut_type());
  }
  return f;
}

/// YUV to RGB, first half; chroma and luma as signed numbers.
Color convert(const State& state, int32_t u, int32_t v, int32_t y) {
  const auto& f = state.filter_k;
  return {y + ((f[0] * v + 128) >> 8), y + ((f[1] * u + f[2] * v + 128) >> 8), y + ((f[3] * u + 128) >> 8), y};
}

int32_t interpolate(const Footprint& f, int c, bool mid_texel) {
  const int32_t t0 = f.texel[0][c], t1 = f.texel[1][c], t2 = f.texel[2][c], t3 = f.texel[3][c];
  const int32_t fs = f.fs[c], ft = f.ft;
  if (mid_texel && fs == 16 && ft == 16) return t3 + ((64 * (t1 + t2) - 128 * t3 + 64 * (~t3 + t0) + 192) >> 8);
  if (f.upper[c]) return t3 + (((32 - fs) * (t2 - t3) + (32 - ft) * (t1 - t3) + 16) >> 5);
  return t0 + ((fs * (t1 - t0) + ft * (t2 - t0) + 16) >> 5);
}

/// convert_one with bi_lerp: the previous texel's chroma takes the place of the fractions.
int32_t interpolate_by_previous(const Footprint& f, int c, bool mid_texel, const std::array<int32_t, 3>& prev) {
  const int32_t t0 = f.texel[0][c], t1 = f.texel[1][c], t2 = f.texel[2][c], t3 = f.texel[3][c];
  const bool mid = mid_texel && f.fs[c] == 16 && f.ft == 16;
  if (f.upper[c] || mid) {
    const int32_t d = mid ? 64 * (~t3 + t0) + 64 : 0;
    return prev[2] + ((prev[0] * (t2 - t3) + prev[1] * (t1 - t3) + 128 + d) >> 8);
  }
  return prev[2] + ((prev[0] * (t1 - t0) + prev[1] * (t2 - t0) + 128) >> 8);
}

}  // namespace

Color sample(const State& state, const Tmem& tmem, uint32_t tile_index, const DividedCoord& coord, bool second, const Color& prev) {
  const Tile& tile = state.tiles[tile_index & 7];
  const TexelAxis s = place(tile.s, clamp_coord(coord.s), -1);
  const TexelAxis t = place(tile.t, clamp_coord(coord.t), 0xFF);
  const bool bi_lerp = second ? state.modes.bi_lerp_1() : state.modes.bi_lerp_0();
  const bool by_previous = second && state.modes.convert_one();
  const std::array<int32_t, 3> p{sign_extend<9>(static_cast<uint32_t>(prev[0])), sign_extend<9>(static_cast<uint32_t>(prev[1])),
                                 sign_extend<9>(static_cast<uint32_t>(prev[2]))};
  Color out{};
  if (!state.modes.sample_type() && !state.modes.en_tlut()) {
    const Color texel = tmem.texel(tile, s.index, t.index, s.index);
    if (bi_lerp)
      out = by_previous ? Color{prev[2], prev[2], prev[2], prev[2]} : texel;
    else
      out = by_previous ? convert(state, p[0], p[1], p[2]) : convert(state, texel[0], texel[1], texel[2]);
  } else {
    const Footprint f = fetch(state, tmem, tile, s, t);
    const bool mid_texel = state.modes.mid_texel();
    if (bi_lerp) {
      for (int c = 0; c < 4; ++c) out[c] = by_previous ? interpolate_by_previous(f, c, mid_texel, p) : interpolate(f, c, mid_texel);
    } else if (by_previous) {
      out = convert(state, p[0], p[1], p[2]);
    } else {
      const Color& chroma = f.texel[f.upper[0] ? 3 : 0];
      const Color& luma = f.texel[f.upper[2] ? 3 : 0];
      out = convert(state, chroma[0], chroma[1], luma[2]);
    }
  }
  for (int32_t& c : out) c &= 0x1FF;
  return out;
}

}  // namespace pumice::hw::rdp
