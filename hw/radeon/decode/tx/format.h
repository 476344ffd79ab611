// SPDX-License-Identifier: MIT
/// Texture formats (pipeline s.6.4, s.6.7): size, fields and decoding of a texel or 4x4 block to components C0..C3.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::tx {

enum class Kind : uint8_t {
  reserved,
  fixed,  ///< bit fields
  mpeg,   ///< bit fields, always signed
  half,
  single,  ///< floats
  z24_8,   ///< C0 = bits 31:8, C1 = bits 7:0
  w24_fp,  ///< sortable 24-bit float in bits 31:8
  cxv8u8,  ///< C0, C1 and the z of a unit vector
  yuv444,
  vyuy,
  yvyu,
  bit,
  bit_reversed,
  dxt1,
  dxt3,
  dxt5,
  ati1n,
  ati2n,
};

struct Format {
  Kind kind = Kind::reserved;
  uint8_t bits = 32;  ///< of a texel or block
  uint8_t block = 1;  ///< 4: 4x4 blocks
  uint8_t components = 0;
  std::array<uint8_t, 4> width{};  ///< of C0..C3 in bits, from the least significant end
  uint8_t step = 0;                ///< distance of the fields when it is not their width
};

/// `code`: TXFORMAT plus 32 for TXFORMAT_MSB.
const Format& format_of(uint32_t code);

/// Decoding options besides the format.
struct Decoding {
  uint8_t signed_components = 0;  ///< bit i: Ci is two's complement
  bool gamma = false;             ///< sRGB to linear on components of at most 8 bits; C3 is alpha and stays
  bool divide_by_256 = false;     ///< POW2FIX2FLT
  bool dxt_rgba = false;          ///< DXTC_SWIZZLE
  bool swap_yuv = false;
  uint8_t yuv_to_rgb = 0;  ///< 0 off, 1 with clamp, 2 without
  bool codes = false;      ///< 8-bit components are returned as integers, undivided (has_codes() formats)
};

/// All components are plain 8-bit numbers, signed or not.
bool has_codes(const Format& f);
/// The divisor of each component's code: 255, 256 or, signed, 127.
std::array<float, 4> code_divisors(const Format& f, const Decoding& d);

/// Decodes the bytes of a texel, or of a block at (x, y) inside it. 4:2:2 formats: the four bytes of the pair, x = 0 or 1. 1-bit: the byte,
/// x = 0..7.
Vec4 decode(const Format& f, const Decoding& d, std::span<const uint8_t, 16> raw, uint32_t x, uint32_t y);

/// The texel in the packing of TX_CHROMA_KEY: its own bits when they are at most 32; 8-bit C0..C3 from the lowest byte for DXT; U, Y, V for
/// 4:2:2. False for all else.
bool key_bits(const Format& f, const Decoding& d, std::span<const uint8_t, 16> raw, uint32_t x, uint32_t y, uint32_t& bits, uint32_t& mask);

/// TX_BORDER_COLOR in the format's own packing.
Vec4 decode_border(const Format& f, const Decoding& d, uint32_t packed);

/// The linear value of an 8-bit sRGB code, and the table of all 256.
float srgb_to_linear(uint8_t code);
const float* srgb_table();

/// hw/radeon/decode/tx/block.cpp: one texel of a compressed block. DXT: B,G,R,A codes 0..255.
std::array<uint8_t, 4> decode_dxt(Kind kind, std::span<const uint8_t, 16> raw, uint32_t x, uint32_t y);
/// A BC4 block: -127..127 when is_signed, else 0..255.
int32_t decode_bc4(const uint8_t* block, uint32_t x, uint32_t y, bool is_signed);

}  // namespace pumice::hw::tx
