// SPDX-License-Identifier: MIT
/// DXT1/3/5 and ATI1N/ATI2N blocks (pipeline s.6.4): integer interpolation on 8-bit values, truncating.
#include "hw/radeon/decode/tx/format.h"

namespace pumice::hw::tx {
namespace {

uint64_t little_endian(const uint8_t* p, uint32_t bytes) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < bytes; ++i) v |= uint64_t(p[i]) << 8 * i;
  return v;
}

/// 5:6:5 to B,G,R of 8 bits by replicating the high bits.
std::array<int32_t, 3> expand_565(uint32_t c) {
  const uint32_t b = c & 31, g = c >> 5 & 63, r = c >> 11 & 31;
  return {int32_t(b << 3 | b >> 2), int32_t(g << 2 | g >> 4), int32_t(r << 3 | r >> 2)};
}

/// The colour half. Only DXT1 has the three-colour mode.
std::array<uint8_t, 4> color(const uint8_t* p, uint32_t x, uint32_t y, bool dxt1) {
  const uint32_t c0 = uint32_t(little_endian(p, 2)), c1 = uint32_t(little_endian(p + 2, 2));
  const uint32_t code = uint32_t(little_endian(p + 4, 4)) >> 2 * (4 * y + x) & 3;
  const auto a = expand_565(c0), b = expand_565(c1);
  const bool four = !dxt1 || c0 > c1;
  if (!four && code == 3) return {0, 0, 0, 0};
  std::array<uint8_t, 4> out{0, 0, 0, 255};
  for (uint32_t i = 0; i < 3; ++i) {
    int32_t v = code == 0 ? a[i] : b[i];
    if (code == 2) v = four ? (2 * a[i] + b[i]) / 3 : (a[i] + b[i]) / 2;
    if (code == 3) v = (a[i] + 2 * b[i]) / 3;
    out[i] = uint8_t(v);
  }
  return out;
}

}  // namespace

int32_t decode_bc4(const uint8_t* block, uint32_t x, uint32_t y, bool is_signed) {
  int32_t a = block[0], b = block[1];
  if (is_signed) {
    a = int8_t(block[0]) == -128 ? -127 : int8_t(block[0]);
    b = int8_t(block[1]) == -128 ? -127 : int8_t(block[1]);
  }
  const int32_t code = int32_t(little_endian(block + 2, 6) >> 3 * (4 * y + x) & 7);
  if (code == 0) return a;
  if (code == 1) return b;
  if (a > b) return (a * (8 - code) + b * (code - 1)) / 7;
  if (code < 6) return (a * (6 - code) + b * (code - 1)) / 5;
  if (code == 6) return is_signed ? -127 : 0;
  return is_signed ? 127 : 255;
}

std::array<uint8_t, 4> decode_dxt(Kind kind, std::span<const uint8_t, 16> raw, uint32_t x, uint32_t y) {
  if (kind == Kind::dxt1) return color(raw.data(), x, y, true);
  std::array<uint8_t, 4> out = color(raw.data() + 8, x, y, false);
  if (kind == Kind::dxt3)
    out[3] = uint8_t((raw[2 * y + x / 2] >> 4 * (x & 1) & 15) * 17);
  else
    out[3] = uint8_t(decode_bc4(raw.data(), x, y, false));
  return out;
}

}  // namespace pumice::hw::tx
