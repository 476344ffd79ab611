// SPDX-License-Identifier: MIT
/// Dither and noise (docs/reference/rdp.md section 18).
#include "hw/rdp/ref/dither.h"

namespace pumice::hw::rdp {
namespace {

constexpr uint8_t kMagic[4][4] = {{0, 6, 1, 7}, {4, 2, 5, 3}, {3, 5, 2, 4}, {7, 1, 6, 0}};
constexpr uint8_t kBayer[4][4] = {{0, 4, 1, 5}, {4, 0, 5, 1}, {3, 7, 2, 6}, {7, 3, 6, 2}};

enum RgbSelect : uint8_t { kRgbMagic, kRgbBayer, kRgbNoise, kRgbNone };
enum AlphaSelect : uint8_t { kPattern, kInverse, kAlphaNoise, kAlphaNone };

}  // namespace

Noise::Noise(uint32_t seed, int x, int y) {
  uint32_t h = seed * 0x9E3779B1u + static_cast<uint32_t>(y) * 0x85EBCA77u + static_cast<uint32_t>(x) * 0xC2B2AE3Du;
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  h = (h ^ h >> 12) * 0x297A2D39u;
  bits_ = h ^ h >> 15;
}

Dither dither_at(const State& state, const Noise& noise, int x, int y) {
  if (state.scissor.field) y >>= 1;
  const uint32_t rgb_sel = state.modes.rgb_dither_sel(), alpha_sel = state.modes.alpha_dither_sel();
  const int32_t magic = kMagic[y & 3][x & 3], bayer = kBayer[y & 3][x & 3];
  Dither d;
  for (int c = 0; c < 3; ++c) {
    switch (rgb_sel) {
      case kRgbMagic: d.rgb[c] = magic; break;
      case kRgbBayer: d.rgb[c] = bayer; break;
      case kRgbNoise: d.rgb[c] = noise.rgb_dither(c); break;
      default: d.rgb[c] = 7; break;
    }
  }
  const int32_t pattern = rgb_sel == kRgbMagic || rgb_sel == kRgbNoise ? magic : bayer;
  switch (alpha_sel) {
    case kPattern: d.alpha = pattern; break;
    case kInverse: d.alpha = 7 - pattern; break;
    case kAlphaNoise: d.alpha = noise.alpha_dither(); break;
    default: d.alpha = 0; break;
  }
  return d;
}

int32_t dither_channel(int32_t c, int32_t dither) {
  if ((c & 7) <= dither) return c;
  return c > 247 ? 255 : (c & 0xF8) + 8;
}

}  // namespace pumice::hw::rdp
