// SPDX-License-Identifier: MIT
/// See pixel_format.h. Fixed-point outputs C4_8 and C4_10 take the layout of the colour format; the 16/32-bit and packed outputs
/// bring their own layout and need only a colour format of the same size (us-isa A11: they alias).
#include "hw/radeon/decode/rb3d/pixel_format.h"

#include <bit>
#include <cmath>

#include "hw/common/numerics/float_bits.h"
#include "hw/db/regs_r500.h"
#include "hw/radeon/decode/rb3d/gamma.h"

namespace pumice::hw::rb3d {
namespace {

using Out = regs::US_OUT_FMT;
using Color = regs::RB3D_COLORPITCH;

constexpr uint8_t kZero = PixelFormat::kZero, kOne = PixelFormat::kOne;

/// Fields lie at increasing bit positions: `component[i]` is `width[i]` bits wide and starts at `first + i*step` if step, otherwise
/// right after the one before.
struct Row {
  uint32_t code;
  uint8_t bytes, count;
  uint8_t component[4], width[4];
  uint8_t first, step;
  uint8_t read_from[4];
  Kind kind;
};

// C3 of a format without alpha reads as 1, other missing colours as 0, except where one component feeds several: I8 is an intensity,
// and UV88 pairs C1 with C2 and C3 with C0 (this is what the driver's masks for these formats imply, pipeline s.9.2).
// The 10-bit one/two/four component formats: each component in the upper bits of 16 (UNCONFIRMED, chosen like Vulkan's R10X6).
constexpr Row kColorRows[] = {
    {Color::COLORFORMAT__ARGB10101010, 8, 4, {0, 1, 2, 3}, {10, 10, 10, 10}, 6, 16, {0, 1, 2, 3}, Kind::unorm},
    {Color::COLORFORMAT__UV1010, 4, 2, {2, 0}, {10, 10}, 6, 16, {1, 0, 0, 1}, Kind::unorm},
    {Color::COLORFORMAT__ARGB1555, 2, 4, {0, 1, 2, 3}, {5, 5, 5, 1}, 0, 0, {0, 1, 2, 3}, Kind::unorm},
    {Color::COLORFORMAT__RGB565, 2, 3, {0, 1, 2}, {5, 6, 5}, 0, 0, {0, 1, 2, kOne}, Kind::unorm},
    {Color::COLORFORMAT__ARGB2101010, 4, 4, {0, 1, 2, 3}, {10, 10, 10, 2}, 0, 0, {0, 1, 2, 3}, Kind::unorm},
    {Color::COLORFORMAT__ARGB8888, 4, 4, {0, 1, 2, 3}, {8, 8, 8, 8}, 0, 0, {0, 1, 2, 3}, Kind::unorm},
    {Color::COLORFORMAT__I8, 1, 1, {2}, {8}, 0, 0, {0, 0, 0, 0}, Kind::unorm},
    {Color::COLORFORMAT__ARGB16161616, 8, 4, {0, 1, 2, 3}, {16, 16, 16, 16}, 0, 0, {0, 1, 2, 3}, Kind::unorm},
    {Color::COLORFORMAT__UV88, 2, 2, {2, 0}, {8, 8}, 0, 0, {1, 0, 0, 1}, Kind::unorm},
    {Color::COLORFORMAT__I10, 2, 1, {2}, {10}, 6, 16, {0, 0, 0, 0}, Kind::unorm},
    {Color::COLORFORMAT__ARGB4444, 2, 4, {0, 1, 2, 3}, {4, 4, 4, 4}, 0, 0, {0, 1, 2, 3}, Kind::unorm},
};

// The packed outputs have the field order of the texture formats of the same name (pipeline s.6.4).
constexpr Row kOutputRows[] = {
    {Out::OUT_FMT__C_16, 2, 1, {0}, {16}, 0, 0, {0, kZero, kZero, kOne}, Kind::unorm},
    {Out::OUT_FMT__C2_16, 4, 2, {0, 1}, {16, 16}, 0, 0, {0, 1, kZero, kOne}, Kind::unorm},
    {Out::OUT_FMT__C4_16, 8, 4, {0, 1, 2, 3}, {16, 16, 16, 16}, 0, 0, {0, 1, 2, 3}, Kind::unorm},
    {Out::OUT_FMT__C2_4, 1, 2, {0, 1}, {4, 4}, 0, 0, {0, 1, kZero, kOne}, Kind::unorm},
    {Out::OUT_FMT__C_3_3_2, 1, 3, {0, 1, 2}, {2, 3, 3}, 0, 0, {0, 1, 2, kOne}, Kind::unorm},
    {Out::OUT_FMT__C_6_5_6, 2, 3, {0, 1, 2}, {5, 6, 5}, 0, 0, {0, 1, 2, kOne}, Kind::unorm},  // 17 bits as named: taken as 5_6_5
    {Out::OUT_FMT__C_11_11_10, 4, 3, {0, 1, 2}, {10, 11, 11}, 0, 0, {0, 1, 2, kOne}, Kind::unorm},
    {Out::OUT_FMT__C_10_11_11, 4, 3, {0, 1, 2}, {11, 11, 10}, 0, 0, {0, 1, 2, kOne}, Kind::unorm},
    {Out::OUT_FMT__C_2_10_10_10, 4, 4, {0, 1, 2, 3}, {10, 10, 10, 2}, 0, 0, {0, 1, 2, 3}, Kind::unorm},
    {Out::OUT_FMT__C_16_MPEG, 2, 1, {0}, {16}, 0, 0, {0, kZero, kZero, kOne}, Kind::snorm},  // signed, as the texture formats are
    {Out::OUT_FMT__C2_16_MPEG, 4, 2, {0, 1}, {16, 16}, 0, 0, {0, 1, kZero, kOne}, Kind::snorm},
    {Out::OUT_FMT__C_16_FP, 2, 1, {0}, {16}, 0, 0, {0, kZero, kZero, kOne}, Kind::fp16},
    {Out::OUT_FMT__C2_16_FP, 4, 2, {0, 1}, {16, 16}, 0, 0, {0, 1, kZero, kOne}, Kind::fp16},
    {Out::OUT_FMT__C4_16_FP, 8, 4, {0, 1, 2, 3}, {16, 16, 16, 16}, 0, 0, {0, 1, 2, 3}, Kind::fp16},
    {Out::OUT_FMT__C_32_FP, 4, 1, {0}, {32}, 0, 0, {0, kZero, kZero, kOne}, Kind::fp32},
    {Out::OUT_FMT__C2_32_FP, 8, 2, {0, 2}, {32, 32}, 0, 0, {0, kZero, 1, kOne}, Kind::fp32},
    {Out::OUT_FMT__C4_32_FP, 16, 4, {0, 1, 2, 3}, {32, 32, 32, 32}, 0, 0, {0, 1, 2, 3}, Kind::fp32},
};

constexpr uint8_t kFp32Bytes = 16;  ///< ARGB32323232 takes FP32 only

/// Bit position of field i in the whole pixel.
uint32_t position(const Row& row, uint32_t i) {
  if (row.step) return row.first + i * row.step;
  uint32_t at = row.first;
  for (uint32_t k = 0; k < i; ++k) at += row.width[k];
  return at;
}

PixelFormat build(const Row& row, uint32_t out_sign) {
  PixelFormat f;
  f.bytes = row.bytes;
  f.field_count = row.count;
  for (uint32_t i = 0; i < row.count; ++i) {
    Kind kind = row.kind;
    if (kind == Kind::unorm && (out_sign >> row.component[i] & 1) && (row.width[i] == 8 || row.width[i] == 16)) kind = Kind::snorm;
    f.field[i] = {row.component[i], uint8_t(position(row, i)), row.width[i], kind};
  }
  for (uint32_t c = 0; c < 4; ++c) f.read_from[c] = row.read_from[c];
  f.kind.fill(f.field[0].kind);
  for (uint32_t i = 0; i < row.count; ++i) f.kind[f.field[i].component] = f.field[i].kind;
  return f;
}

bool color_format_exists(Profile profile, uint32_t code) {
  const bool of_10_bits = code == Color::COLORFORMAT__ARGB10101010 || code == Color::COLORFORMAT__UV1010 ||
                          code == Color::COLORFORMAT__ARGB2101010 || code == Color::COLORFORMAT__I10;
  return !of_10_bits || capabilities(profile).has_10_bit_targets;
}

uint32_t word_of(const Field& f) { return f.shift / 32; }
uint32_t max_code(uint32_t bits) { return bits >= 32 ? 0xFFFFFFFFu : (1u << bits) - 1; }

/// x >= 0.
double round_ties_even(double x) {
  const double whole = std::floor(x), rest = x - whole;
  if (rest != 0.5) return rest > 0.5 ? whole + 1 : whole;
  return std::floor(whole / 2) * 2 == whole ? whole : whole + 1;
}

double to_integer(double magnitude, Dither dither, uint32_t x, uint32_t y) {
  switch (dither) {
    case Dither::truncate: return std::floor(round_ties_even(magnitude * 16) / 16);
    case Dither::lut: return std::floor(round_ties_even(magnitude * 16) / 16 + kBayer[y & 3][x & 3] / 16.0);
    default: return round_ties_even(magnitude);
  }
}

}  // namespace

PixelFormat pixel_format(Profile profile, uint32_t out_fmt, uint32_t out_sign, uint32_t color_format) {
  if (!color_format_exists(profile, color_format)) return {};
  const Row* storage = nullptr;
  uint32_t bytes = color_format == Color::COLORFORMAT__ARGB32323232 ? kFp32Bytes : 0;
  for (const Row& row : kColorRows)
    if (row.code == color_format) storage = &row, bytes = row.bytes;
  switch (out_fmt) {
    case Out::OUT_FMT__C4_8: return storage ? build(*storage, out_sign) : PixelFormat{};
    case Out::OUT_FMT__C4_10: return storage ? build(*storage, 0) : PixelFormat{};
    case Out::OUT_FMT__C4_10_GAMMA: {
      PixelFormat f = storage ? build(*storage, 0) : PixelFormat{};
      f.gamma = true;
      return f;
    }
    default: break;
  }
  const bool sign_allowed = out_fmt == Out::OUT_FMT__C_16 || out_fmt == Out::OUT_FMT__C2_16 || out_fmt == Out::OUT_FMT__C4_16;
  for (const Row& row : kOutputRows)
    if (row.code == out_fmt && row.bytes == bytes) return build(row, sign_allowed ? out_sign : 0);
  return {};
}

PixelFormat pair_format(uint32_t out_fmt, uint32_t color_format, bool odd) {
  if (out_fmt != Out::OUT_FMT__C4_8) return {};
  const uint8_t chroma = odd ? 2 : 0;
  Row row{color_format, 2, 2, {}, {8, 8}, 0, 0, {kZero, kZero, kZero, kOne}, Kind::unorm};
  const bool luma_first = color_format == Color::COLORFORMAT__YUV422_VYUY;
  if (!luma_first && color_format != Color::COLORFORMAT__YUV422_YVYU) return {};
  row.component[luma_first ? 0 : 1] = 1;
  row.component[luma_first ? 1 : 0] = chroma;
  row.read_from[1] = luma_first ? 0 : 1;
  row.read_from[chroma] = luma_first ? 1 : 0;
  return build(row, 0);
}

float clamp_to(Kind kind, float v) {
  if (kind == Kind::fp32) return v;  // FP32 keeps all bits
  v = num::flush_denormal(v);
  if (kind == Kind::unorm) return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f;
  if (kind == Kind::snorm) return num::is_nan(v) ? 0.0f : v > -1.0f ? (v < 1.0f ? v : 1.0f) : -1.0f;
  return v;
}

Components unpack(const PixelFormat& format, const PixelBits& bits) {
  float value[6] = {0, 0, 0, 0, 0.0f, 1.0f};  // four fields, kZero, kOne
  for (uint32_t i = 0; i < format.field_count; ++i) {
    const Field& f = format.field[i];
    const uint32_t code = bits[word_of(f)] >> (f.shift % 32) & max_code(f.width);
    switch (f.kind) {
      case Kind::unorm: value[i] = float(code) * (1.0f / float(max_code(f.width))); break;
      case Kind::snorm: {
        const float v = float(int32_t(code << (32 - f.width)) >> (32 - f.width)) * (1.0f / float(max_code(f.width - 1)));
        value[i] = v < -1.0f ? -1.0f : v;
        break;
      }
      case Kind::fp16: value[i] = num::half_to_float(uint16_t(code)); break;
      case Kind::fp32: value[i] = std::bit_cast<float>(code); break;
    }
  }
  Components c;
  for (uint32_t i = 0; i < 4; ++i) c[i] = value[format.read_from[i]];
  return c;
}

uint32_t encode(const Field& field, float v, Dither dither, uint32_t x, uint32_t y) {
  switch (field.kind) {
    case Kind::fp16: return num::float_to_half(v);
    case Kind::fp32: return num::bits(v);
    case Kind::unorm: {
      const double max = max_code(field.width);
      const double code = to_integer(double(clamp_to(Kind::unorm, v)) * max, dither, x, y);
      return uint32_t(code < max ? code : max);
    }
    default: {
      const double max = max_code(field.width - 1);
      const float clamped = clamp_to(Kind::snorm, v);
      const double code = to_integer(std::fabs(double(clamped)) * max, dither, x, y);
      const int32_t magnitude = int32_t(code < max ? code : max);
      return uint32_t(clamped < 0 ? -magnitude : magnitude) & max_code(field.width);
    }
  }
}

float gamma_encode(float v) {
  using namespace gamma;
  v = clamp_to(Kind::unorm, v);
  if (v <= kLinearEnd) return num::flush_denormal(kLinearSlope * v);
  const uint32_t bits = num::bits(v);
  const float m = num::from_bits((bits & 0x7FFFFFu) | 0x3F800000u) - kMiddle;
  float p = kCoefficient[5];
  for (int i = 4; i >= 0; --i) p = p * m + kCoefficient[i];
  return clamp_to(Kind::unorm, kPower[int(bits >> 23) - 127 - kLowestExponent] * p - kOffset);
}

}  // namespace pumice::hw::rb3d
