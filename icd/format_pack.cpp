// SPDX-License-Identifier: MIT
/// Single pixels on the host: clear colours and vertex attributes the PSC cannot read.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "icd/formats.h"

namespace pumice::icd {
namespace {

int index_of(char c) { return c == 'r' || c == 'd' ? 0 : c == 'g' ? 1 : c == 'b' ? 2 : c == 'a' ? 3 : -1; }

uint32_t half_from_float(float value) {
  const uint32_t x = std::bit_cast<uint32_t>(value), sign = x >> 16 & 0x8000, a = x & 0x7FFFFFFF;
  if (a > 0x7F800000) return sign | 0x7E00;
  if (a >= 0x477FF000) return sign | 0x7C00;
  if (a < 0x38800000) return sign | static_cast<uint32_t>(std::lrint(std::ldexp(static_cast<double>(std::bit_cast<float>(a)), 24)));
  const uint32_t odd = a >> 13 & 1;
  return sign | ((a + 0xFFF + odd - 0x38000000) >> 13);
}

float float_from_half(uint32_t h) {
  const uint32_t sign = (h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3FF;
  if (e == 31) return std::bit_cast<float>(sign | 0x7F800000 | m << 13);
  if (e == 0) return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(std::ldexp(static_cast<float>(m), -24)));
  return std::bit_cast<float>(sign | (e + 112) << 23 | m << 13);
}

uint32_t half_toward_zero(float value) {
  const uint32_t h = half_from_float(value);
  return float_from_half(h) > value ? h - 1 : h;
}

/// Floats without a sign: 5 bits of exponent and `bits` of mantissa, rounded toward zero; what is negative is 0.
uint32_t small_float(float value, uint32_t mantissa) {
  if (std::isnan(value)) return (31u << mantissa) | 1u;
  if (!(value > 0)) return 0;
  const uint32_t half = std::isinf(value) ? 0x7C00u : std::min(half_toward_zero(value), 0x7BFFu);
  return half >> (10 - mantissa);
}

float encode_srgb(float v) { return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1.0f / 2.4f) - 0.055f; }

float clamped(float v, float low) { return !(v > low) ? low : v > 1.0f ? 1.0f : v; }

uint32_t encode(Numeric n, uint32_t bits, int channel, const VkClearColorValue& color) {
  const float v = color.float32[channel];
  const double top = static_cast<double>((1ull << bits) - 1), half_top = static_cast<double>((1ull << (bits - 1)) - 1);
  switch (n) {
    case Numeric::srgb: return static_cast<uint32_t>(std::lrint((channel < 3 ? encode_srgb(clamped(v, 0)) : clamped(v, 0)) * top));
    case Numeric::snorm: return static_cast<uint32_t>(std::lrint(clamped(v, -1) * half_top));
    case Numeric::sfloat: return bits == 16 ? half_from_float(v) : std::bit_cast<uint32_t>(v);
    case Numeric::ufloat: return small_float(v, bits - 5);
    case Numeric::uint:
    case Numeric::sint: return color.uint32[channel];
    case Numeric::uscaled:
    case Numeric::sscaled: return static_cast<uint32_t>(static_cast<int64_t>(v));
    default: return static_cast<uint32_t>(std::llrint(clamped(v, 0) * top));
  }
}

float decode(Numeric n, uint32_t bits, uint32_t raw) {
  const int64_t top = (1ll << bits) - 1;
  const int64_t s = static_cast<int64_t>(static_cast<uint64_t>(raw) << (64 - bits)) >> (64 - bits);
  switch (n) {
    case Numeric::snorm: return std::fmax(-1.0f, static_cast<float>(s) / static_cast<float>(top >> 1));
    case Numeric::sfloat: return bits == 16 ? float_from_half(raw) : std::bit_cast<float>(raw);
    case Numeric::uint:
    case Numeric::uscaled: return static_cast<float>(raw);
    case Numeric::sint:
    case Numeric::sscaled: return static_cast<float>(s);
    default: return static_cast<float>(static_cast<double>(raw) / static_cast<double>(top));
  }
}

}  // namespace

float srgb_code(float v) { return encode_srgb(clamped(v, 0)) * 255.0f; }

/// E5B9G9R9: one exponent for three mantissas (Vulkan 1.0, "RGB to Shared Exponent Conversion").
static uint32_t shared_exponent(const float* rgb) {
  constexpr float kMost = 65408.0f;  // (511 / 512) * 2^16
  float c[3], top = 0;
  for (int i = 0; i < 3; ++i) {
    c[i] = rgb[i] > 0 ? std::fmin(rgb[i], kMost) : 0.0f;
    top = std::fmax(top, c[i]);
  }
  int exponent = std::max(-16, top > 0 ? std::ilogb(top) : -16) + 16;
  if (std::floor(std::ldexp(top, 24 - exponent) + 0.5f) == 512) ++exponent;
  uint32_t out = static_cast<uint32_t>(exponent) << 27;
  for (int i = 0; i < 3; ++i) out |= static_cast<uint32_t>(std::floor(std::ldexp(c[i], 24 - exponent) + 0.5f)) << (9 * i);
  return out;
}

void pack_pixel(const FormatInfo& f, const VkClearColorValue& color, uint8_t* out) {
  if (f.format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32) {
    const uint32_t word = shared_exponent(color.float32);
    std::memcpy(out, &word, sizeof word);
    return;
  }
  const Layout l = layout_of(f);
  std::memset(out, 0, l.bytes);
  for (uint8_t i = 0; i < l.count; ++i) {
    const Component c = l.component[i];
    const int channel = index_of(c.channel);
    if (channel < 0) continue;
    uint64_t v = encode(f.numeric, c.bits, channel, color) & ((1ull << c.bits) - 1);
    // Components of 8 and more bits may lie across a dword; none crosses 5 bytes.
    v <<= c.shift % 8;
    for (uint32_t b = c.shift / 8u; v; ++b, v >>= 8) out[b] = static_cast<uint8_t>(out[b] | (v & 0xFF));
  }
}

std::array<float, 4> unpack_pixel(const FormatInfo& f, const uint8_t* in) {
  std::array<float, 4> v{0, 0, 0, 1};
  const Layout l = layout_of(f);
  for (uint8_t i = 0; i < l.count; ++i) {
    const Component c = l.component[i];
    const int channel = index_of(c.channel);
    if (channel < 0) continue;
    uint64_t raw = 0;
    const uint32_t first = c.shift / 8u, last = (c.shift + c.bits - 1u) / 8u;
    for (uint32_t b = first; b <= last; ++b) raw |= static_cast<uint64_t>(in[b]) << (8 * (b - first));
    raw = raw >> (c.shift % 8) & ((1ull << c.bits) - 1);
    v[static_cast<size_t>(channel)] = decode(f.numeric, c.bits, static_cast<uint32_t>(raw));
  }
  return v;
}

}  // namespace pumice::icd
