// SPDX-License-Identifier: MIT
/// Texels of r5x formats (docs/r5x.md, section 6): bytes to four components and back.
#pragma once
#include <array>
#include <cstdint>

#include "hw/db/formats.h"

namespace pumice::hw::xt {

/// Four components as raw bits: floats, or integers.
using Bits4 = std::array<uint32_t, 4>;

/// What a format's components are in registers, and how they are filtered.
struct Decoding {
  bool integer = false;  ///< components are integers and never filtered
  bool depth = false;    ///< r is a depth: compared lookups clamp their reference where the format is fixed-point
  bool fixed_depth = false;
  bool deep = false;                       ///< unorm 24: fma(v, 2^-24, v) with v = code * 2^-24 instead of a scale
  std::array<bool, 4> present{};           ///< components that the format has; the others are 0, 0, 0, 1
  std::array<float, 4> scale{1, 1, 1, 1};  ///< of filtered codes
};
/// `stencil`: the stencil aspect of a combined format, or S8.
Decoding decoding_of(const formats::Info& format, bool stencil);
/// The code whose value is 1.
float code_of_one(const Decoding& how, uint32_t component);

/// The code of a component of a border colour, `value` being a float or an integer: limited to what the format can hold, not rounded.
uint32_t border_code(const formats::Info& format, const Decoding& how, uint32_t component, uint32_t value);

/// The texel at `bytes`, or texel (x, y) of the block there: floats before Decoding::scale (codes of unorm and snorm components, sRGB by
/// num::srgb, values of all others), or integers. Components that the format lacks are 0.
Bits4 decode_texel(const formats::Info& format, bool stencil, const uint8_t* bytes, uint32_t x, uint32_t y);
/// The scaled value of filtered codes, and 0, 0, 0, 1 for components that the format lacks.
Bits4 finish_texel(const Decoding& how, const Bits4& codes);

/// Writes a texel of a plain format. Floats: clamped to the range, rounded to nearest even, NaN of unorm and snorm is 0. Integers: the low
/// bits. With a depth or stencil aspect the other bits of the texel stay.
void encode_texel(const formats::Info& format, bool stencil, const Bits4& value, uint8_t* bytes);

/// Copies the components of `mask` (bit 0: r, or depth and stencil) of a plain format, bit by bit.
void merge_texel(const formats::Info& format, uint32_t mask, const uint8_t* from, uint8_t* to);

}  // namespace pumice::hw::xt
