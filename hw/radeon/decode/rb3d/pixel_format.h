// SPDX-License-Identifier: MIT
/// Layout of the four shader output components C0..C3 in a stored pixel (us-isa A11, pipeline s.9.1), and the conversions.
#pragma once
#include <array>
#include <cstdint>

#include "hw/types.h"

namespace pumice::hw::rb3d {

using Components = std::array<float, 4>;    ///< C0..C3
using PixelBits = std::array<uint32_t, 4>;  ///< a stored pixel, little endian, the unused words zero

enum class Kind : uint8_t { unorm, snorm, fp16, fp32 };

/// One stored component. Never straddles a dword.
struct Field {
  uint8_t component, shift, width;
  Kind kind;
};

struct PixelFormat {
  uint8_t bytes = 0;
  uint8_t field_count = 0;
  std::array<Field, 4> field{};
  /// For each component: the field a destination read takes it from, kZero or kOne.
  std::array<uint8_t, 4> read_from{};
  /// By component. One that is not stored (the alpha of RGB565) still feeds the blender, in the range of the first field.
  std::array<Kind, 4> kind{};
  bool gamma = false;  ///< C4_10_GAMMA: colours are encoded before the blend

  static constexpr uint8_t kZero = 4, kOne = 5;
  bool valid() const { return bytes != 0; }
  bool is_fp32() const { return field[0].kind == Kind::fp32; }
  bool is_float() const { return field[0].kind == Kind::fp16 || is_fp32(); }
};

/// RB3D_DITHER_CTL codes; 3 is reserved and rounds.
enum class Dither : uint8_t { truncate = 0, round = 1, lut = 2 };

/// Ordered dither thresholds by y and x modulo 4, 1/16 LSB (the chip's table is not public: UNCONFIRMED).
inline constexpr uint8_t kBayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

/// The layout that OUT_FMT, OUT_SIGN and COLORFORMAT make together. Not valid() when they do not fit each other or one is reserved,
/// 2D only or YUV.
PixelFormat pixel_format(Profile profile, uint32_t out_fmt, uint32_t out_sign, uint32_t color_format);

/// YUV422 (UNCONFIRMED: C0 = U, C1 = Y, C2 = V as TX reads them, without conversion): each pixel stores its Y and one of the chroma
/// components that it shares with its neighbour, U in even columns, V in odd ones, in the byte order of the texture formats of these names.
/// Not valid() for others.
PixelFormat pair_format(uint32_t out_fmt, uint32_t color_format, bool odd);

/// v clamped to the range of the format: [0,1] (NaN gives 0), [-1,1], any half; denormals are zero. FP32: unchanged.
float clamp_to(Kind kind, float v);

/// Destination read: a code times the float nearest to 1/(2^n-1), rounded; snorm likewise with 2^(n-1)-1, not below -1. The largest code
/// gives exactly 1. Floats exact.
Components unpack(const PixelFormat& format, const PixelBits& bits);

/// The code of one field. Clamps, scales exactly (in double), then rounds once: `round` to nearest, ties to even; `truncate` keeps
/// four guard bits (to nearest, so that a destination that was read comes back unchanged) and drops them; `lut` adds an ordered 4x4
/// threshold by pixel position. Float fields always round to nearest even.
uint32_t encode(const Field& field, float v, Dither dither, uint32_t x, uint32_t y);

/// sRGB transfer function of v in [0,1] (clamped), see gamma.h.
float gamma_encode(float v);

}  // namespace pumice::hw::rb3d
