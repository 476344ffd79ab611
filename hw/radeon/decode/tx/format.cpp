// SPDX-License-Identifier: MIT
/// The format table and the decoders of pipeline s.6.4. Choices behind UNCONFIRMED lines are listed in hw/radeon/ref/tx/README.md.
#include "hw/radeon/decode/tx/format.h"

#include <cmath>

#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::tx {
namespace {

using F1 = regs::TX_FORMAT1;

constexpr std::array<Format, 64> make_table() {
  std::array<Format, 64> t{};
  const auto put = [&t](uint32_t code, Kind kind, uint8_t bits, std::array<uint8_t, 4> width, uint8_t step = 0, uint8_t block = 1) {
    uint8_t n = 0;
    while (n < 4 && width[n]) ++n;
    t[code] = {kind, bits, block, n, width, step};
  };
  put(F1::TXFORMAT__N8, Kind::fixed, 8, {8});
  put(F1::TXFORMAT__N16, Kind::fixed, 16, {16});
  put(F1::TXFORMAT__N4_4, Kind::fixed, 8, {4, 4});
  put(F1::TXFORMAT__N8_8, Kind::fixed, 16, {8, 8});
  put(F1::TXFORMAT__N16_16, Kind::fixed, 32, {16, 16});
  put(F1::TXFORMAT__N3_3_2, Kind::fixed, 8, {2, 3, 3});
  put(F1::TXFORMAT__N5_6_5, Kind::fixed, 16, {5, 6, 5});
  put(F1::TXFORMAT__N6_5_5, Kind::fixed, 16, {5, 5, 6});
  put(F1::TXFORMAT__N11_11_10, Kind::fixed, 32, {10, 11, 11});
  put(F1::TXFORMAT__N10_11_11, Kind::fixed, 32, {11, 11, 10});
  put(F1::TXFORMAT__N4_4_4_4, Kind::fixed, 16, {4, 4, 4, 4});
  put(F1::TXFORMAT__N1_5_5_5, Kind::fixed, 16, {5, 5, 5, 1});
  put(F1::TXFORMAT__N8_8_8_8, Kind::fixed, 32, {8, 8, 8, 8});
  put(F1::TXFORMAT__N2_10_10_10, Kind::fixed, 32, {10, 10, 10, 2});
  put(F1::TXFORMAT__N16_16_16_16, Kind::fixed, 64, {16, 16, 16, 16});
  put(F1::TXFORMAT__DXT1, Kind::dxt1, 64, {8, 8, 8, 8}, 0, 4);
  put(F1::TXFORMAT__DXT3, Kind::dxt3, 128, {8, 8, 8, 8}, 0, 4);
  put(F1::TXFORMAT__DXT5, Kind::dxt5, 128, {8, 8, 8, 8}, 0, 4);
  put(F1::TXFORMAT__Y8, Kind::cxv8u8, 16, {8, 8});
  put(F1::TXFORMAT__AVYU444, Kind::yuv444, 32, {8, 8, 8, 8});
  put(F1::TXFORMAT__VYUY422, Kind::vyuy, 16, {8, 8, 8});
  put(F1::TXFORMAT__YVYU422, Kind::yvyu, 16, {8, 8, 8});
  put(F1::TXFORMAT__N16_MPEG, Kind::mpeg, 16, {16});
  put(F1::TXFORMAT__N16_16_MPEG, Kind::mpeg, 32, {16, 16});
  put(F1::TXFORMAT__N16F, Kind::half, 16, {16});
  put(F1::TXFORMAT__N16F_16F, Kind::half, 32, {16, 16});
  put(F1::TXFORMAT__N16F_16F_16F_16F, Kind::half, 64, {16, 16, 16, 16});
  put(F1::TXFORMAT__N32F, Kind::single, 32, {32});
  put(F1::TXFORMAT__N32F_32F, Kind::single, 64, {32, 32});
  put(F1::TXFORMAT__N32F_32F_32F_32F, Kind::single, 128, {32, 32, 32, 32});
  put(F1::TXFORMAT__W24_FP, Kind::w24_fp, 32, {24});
  put(F1::TXFORMAT__ATI2N, Kind::ati2n, 128, {8, 8}, 0, 4);
  put(F1::TXFORMAT__N1, Kind::bit, 1, {1});
  put(F1::TXFORMAT__N1_REVERSE, Kind::bit_reversed, 1, {1});
  put(F1::TXFORMAT__N10, Kind::fixed, 16, {10}, 16);
  put(F1::TXFORMAT__N10_10, Kind::fixed, 32, {10, 10}, 16);
  put(F1::TXFORMAT__N10_10_10_10, Kind::fixed, 64, {10, 10, 10, 10}, 16);
  put(F1::TXFORMAT__ATI1N, Kind::ati1n, 64, {8}, 0, 4);
  put(F1::TXFORMAT__N24_8, Kind::z24_8, 32, {24, 8});
  return t;
}
constexpr std::array<Format, 64> kFormats = make_table();

/// ((c + 0.055) / 1.055) ^ 2.4 as x^2 * (x^(1/5))^2, the root by Newton's method: the same bits everywhere.
constexpr std::array<float, 256> make_srgb() {
  std::array<float, 256> t{};
  for (uint32_t i = 0; i < 256; ++i) {
    const double c = i / 255.0;
    if (c <= 0.04045) {
      t[i] = float(c / 12.92);
      continue;
    }
    const double x = (c + 0.055) / 1.055;
    double root = 1.0;
    for (int n = 0; n < 40; ++n) root -= (root - x / (root * root * root * root)) / 5.0;
    t[i] = float(x * x * root * root);
  }
  return t;
}
alignas(64) constexpr std::array<float, 256> kSrgb = make_srgb();

/// A fixed-point field: v/(2^n-1), or two's complement v/(2^(n-1)-1) not below -1.
float fixed(uint32_t v, uint32_t width, uint32_t component, const Decoding& d) {
  if (d.signed_components >> component & 1u) {
    if (width < 2) return v ? -1.0f : 0.0f;
    const int32_t s = int32_t(v << (32 - width)) >> (32 - width);
    const int32_t limit = int32_t(1u << (width - 1)) - 1;
    const float f = float(s < -limit ? -limit : s);
    return d.codes ? f : f / float(limit);
  }
  if (d.codes) return float(v);
  const uint32_t max = (1u << width) - 1;
  if (d.gamma && width <= 8 && component < 3) return kSrgb[(v * 255 + max / 2) / max];
  if (d.divide_by_256 && width == 8) return float(v) / 256.0f;
  return float(v) / float(max);
}

uint64_t little_endian(std::span<const uint8_t, 16> raw, uint32_t first, uint32_t bytes) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < bytes; ++i) v |= uint64_t(raw[first + i]) << 8 * i;
  return v;
}

Vec4 decode_fixed(const Format& f, const Decoding& d, uint64_t word) {
  Vec4 out{};
  uint32_t shift = 0;
  for (uint32_t c = 0; c < f.components; ++c) {
    out[c] = fixed(uint32_t(word >> shift) & ((1u << f.width[c]) - 1), f.width[c], c, d);
    shift += f.step ? f.step : f.width[c];
  }
  return out;
}

/// FP24 (s1 e7 m16) with its bits transformed so that codes sort like integers: positive numbers have the top bit set.
float decode_w24(uint32_t v) {
  const bool negative = !(v & 0x800000u);
  const uint32_t magnitude = (negative ? ~v : v) & 0x7FFFFFu;
  if (magnitude == 0) return negative ? -0.0f : 0.0f;
  return num::from_bits((negative ? 0x80000000u : 0u) | (magnitude + ((127u - 63u) << 16)) << 7);
}

float unit_z(float x, float y) {
  const float v = 1.0f - x * x - y * y;
  return v > 0.0f ? std::sqrt(v) : 0.0f;
}

/// Components U, Y, V, A in C0..C3, or B, G, R, A after conversion (BT.601 video range).
Vec4 yuv(uint32_t y, uint32_t u, uint32_t v, uint32_t a, const Decoding& d) {
  if (d.swap_yuv) {
    u ^= 0x80u;
    v ^= 0x80u;
  }
  const float alpha = float(a) / 255.0f;
  if (d.yuv_to_rgb != 1 && d.yuv_to_rgb != 2) return {float(u) / 255.0f, float(y) / 255.0f, float(v) / 255.0f, alpha};
  const float luma = 1.164f * (float(int32_t(y) - 16) / 255.0f);
  const float cb = float(int32_t(u) - 128) / 255.0f, cr = float(int32_t(v) - 128) / 255.0f;
  Vec4 out{luma + 2.018f * cb, luma - 0.813f * cr - 0.391f * cb, luma + 1.596f * cr, alpha};
  if (d.yuv_to_rgb == 1)
    for (float& c : out) c = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
  return out;
}

Vec4 dxt_components(std::array<uint8_t, 4> bgra, const Decoding& d) {
  if (d.dxt_rgba) std::swap(bgra[0], bgra[2]);
  Vec4 out;
  Decoding unsigned_only = d;
  unsigned_only.signed_components = 0;
  for (uint32_t c = 0; c < 4; ++c) out[c] = fixed(bgra[c], 8, c, unsigned_only);
  return out;
}

float bc4_component(const uint8_t* block, uint32_t x, uint32_t y, uint32_t component, const Decoding& d) {
  const bool is_signed = d.signed_components >> component & 1u;
  const int32_t v = decode_bc4(block, x, y, is_signed);
  return d.codes ? float(v) : is_signed ? float(v) / 127.0f : float(v) / 255.0f;
}

}  // namespace

const Format& format_of(uint32_t code) { return kFormats[code & 63u]; }
float srgb_to_linear(uint8_t code) { return kSrgb[code]; }
const float* srgb_table() { return kSrgb.data(); }

bool has_codes(const Format& f) {
  switch (f.kind) {
    case Kind::fixed:
      for (uint32_t c = 0; c < f.components; ++c)
        if (f.width[c] != 8) return false;
      return true;
    case Kind::dxt1:
    case Kind::dxt3:
    case Kind::dxt5:
    case Kind::ati1n:
    case Kind::ati2n: return true;
    default: return false;
  }
}

std::array<float, 4> code_divisors(const Format& f, const Decoding& d) {
  const bool dxt = f.kind == Kind::dxt1 || f.kind == Kind::dxt3 || f.kind == Kind::dxt5,
             bc4 = f.kind == Kind::ati1n || f.kind == Kind::ati2n;
  std::array<float, 4> out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = !dxt && (d.signed_components >> c & 1u) ? 127.0f : d.divide_by_256 && !bc4 ? 256.0f : 255.0f;
  return out;
}

bool key_bits(const Format& f, const Decoding& d, std::span<const uint8_t, 16> raw, uint32_t x, uint32_t y, uint32_t& bits,
              uint32_t& mask) {
  mask = ~0u;
  switch (f.kind) {
    case Kind::dxt1:
    case Kind::dxt3:
    case Kind::dxt5: {
      std::array<uint8_t, 4> c = decode_dxt(f.kind, raw, x, y);
      if (d.dxt_rgba) std::swap(c[0], c[2]);
      bits = c[0] | uint32_t(c[1]) << 8 | uint32_t(c[2]) << 16 | uint32_t(c[3]) << 24;
      return true;
    }
    case Kind::vyuy:
    case Kind::yvyu: {
      const bool first = f.kind == Kind::vyuy;  // Y0 U Y1 V or U Y0 V Y1
      bits = raw[first ? 1 : 0] | uint32_t(raw[(first ? 0 : 1) + (x & 1 ? 2 : 0)]) << 8 | uint32_t(raw[first ? 3 : 2]) << 16;
      mask = 0xFFFFFFu;
      return true;
    }
    case Kind::bit:
    case Kind::bit_reversed:
      bits = raw[0] >> (f.kind == Kind::bit ? x & 7 : 7 - (x & 7)) & 1u;
      mask = 1;
      return true;
    default: break;
  }
  if (f.kind == Kind::reserved || f.block != 1 || f.bits > 32) return false;
  bits = uint32_t(little_endian(raw, 0, f.bits / 8));
  mask = f.bits < 32 ? (1u << f.bits) - 1 : ~0u;
  return true;
}

Vec4 decode(const Format& f, const Decoding& d, std::span<const uint8_t, 16> raw, uint32_t x, uint32_t y) {
  switch (f.kind) {
    case Kind::fixed: return decode_fixed(f, d, little_endian(raw, 0, f.bits / 8));
    case Kind::mpeg: {
      Decoding all_signed = d;
      all_signed.signed_components = 15;
      return decode_fixed(f, all_signed, little_endian(raw, 0, f.bits / 8));
    }
    case Kind::half: {
      Vec4 out{};
      for (uint32_t c = 0; c < f.components; ++c) out[c] = num::half_to_float(uint16_t(little_endian(raw, 2 * c, 2)));
      return out;
    }
    case Kind::single: {
      Vec4 out{};
      for (uint32_t c = 0; c < f.components; ++c) out[c] = num::from_bits(uint32_t(little_endian(raw, 4 * c, 4)));
      return out;
    }
    case Kind::z24_8: {
      const uint32_t v = uint32_t(little_endian(raw, 0, 4));
      return {float(v >> 8) / 16777215.0f, float(v & 255u) / 255.0f, 0.0f, 0.0f};
    }
    case Kind::w24_fp: return {decode_w24(uint32_t(little_endian(raw, 0, 4)) >> 8), 0.0f, 0.0f, 0.0f};
    case Kind::cxv8u8: {
      Vec4 out = decode_fixed(f, d, little_endian(raw, 0, 2));
      out[2] = unit_z(out[0], out[1]);
      return out;
    }
    case Kind::yuv444: return yuv(raw[1], raw[0], raw[2], raw[3], d);
    case Kind::vyuy: return yuv(raw[x & 1 ? 2 : 0], raw[1], raw[3], 255, d);
    case Kind::yvyu: return yuv(raw[x & 1 ? 3 : 1], raw[0], raw[2], 255, d);
    case Kind::bit: return {float(raw[0] >> (x & 7) & 1), 0.0f, 0.0f, 0.0f};
    case Kind::bit_reversed: return {float(raw[0] >> (7 - (x & 7)) & 1), 0.0f, 0.0f, 0.0f};
    case Kind::dxt1:
    case Kind::dxt3:
    case Kind::dxt5: return dxt_components(decode_dxt(f.kind, raw, x, y), d);
    case Kind::ati1n: return {bc4_component(raw.data(), x, y, 0, d), 0.0f, 0.0f, 0.0f};
    case Kind::ati2n: return {bc4_component(raw.data() + 8, x, y, 0, d), bc4_component(raw.data(), x, y, 1, d), 0.0f, 0.0f};
    case Kind::reserved: break;
  }
  return {};
}

Vec4 decode_border(const Format& f, const Decoding& d, uint32_t packed) {
  static constexpr Format kBytes{Kind::fixed, 32, 1, 4, {8, 8, 8, 8}, 0};
  static constexpr Format kHalves{Kind::half, 32, 1, 2, {16, 16}, 0};
  static constexpr Format kWords{Kind::fixed, 32, 1, 2, {16, 16}, 0};
  std::array<uint8_t, 16> raw{};
  for (uint32_t i = 0; i < 4; ++i) raw[i] = uint8_t(packed >> 8 * i);
  const Format* own = &kBytes;
  Decoding how = d;
  switch (f.kind) {
    case Kind::fixed:
      if (f.bits <= 32 && f.width[0] != 8) own = &f;  // packed like a texel; wider texels and bytes: 8 bits per component
      break;
    case Kind::mpeg:
      own = &kWords;
      how.signed_components = 15;
      break;
    case Kind::half:
      if (f.bits <= 32) own = &kHalves;
      break;
    case Kind::single:
      if (f.components == 1) own = &f;
      if (f.components == 2) own = &kHalves;
      break;
    case Kind::dxt1:
    case Kind::dxt3:
    case Kind::dxt5: how.signed_components = 0; break;
    case Kind::z24_8:
    case Kind::w24_fp:
    case Kind::cxv8u8:
    case Kind::yuv444: own = &f; break;
    case Kind::vyuy:
    case Kind::yvyu: return yuv(raw[1], raw[0], raw[2], raw[3], d);
    default: break;
  }
  Vec4 out = decode(*own, how, raw, 0, 0);
  for (uint32_t c = f.components; c < 4; ++c)
    if (own != &f) out[c] = 0.0f;  // a component that the format lacks
  return out;
}

}  // namespace pumice::hw::tx
