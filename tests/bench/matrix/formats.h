// SPDX-License-Identifier: MIT
/// The formats of the matrix, one of each class, with what is needed to fill textures and to compare pictures: texels to and from floats.
#pragma once
#include <volk.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pumice::bench::matrix {

enum class Numeric { unorm, snorm, srgb, uint, sint, sfloat, ufloat, shared, depth, block };

struct Format {
  const char* name;
  VkFormat format;
  Numeric numeric;
  /// Channels and bits from bit 0 up: "b5g6r5"; "x" is unused, "d" is depth in r. Blocks: bytes of a 4x4 block.
  const char* layout;
  bool quick = false;  ///< has lines of its own in --quick
};

using Texel = std::array<float, 4>;

/// Textures of every class, then the formats of targets.
std::span<const Format> texture_formats();
std::span<const Format> color_formats();
std::span<const Format> depth_formats();
const Format& format_of(VkFormat format);

uint32_t texel_bytes(const Format& format);  ///< of a block of 4x4 for Numeric::block
bool is_integer(const Format& format);

/// Colours from 0 to 1 (integers: from 0 to 200) as texels.
void encode(const Format& format, const Texel& color, std::vector<uint8_t>& out);
/// What encode() wrote, from 0 to 1; floats as they are, depth in r.
Texel decode(const Format& format, const uint8_t* texel);

/// A level of a texture, tightly packed: a pattern of edges and slopes in normalized coordinates, the same in all levels. `layer` changes
/// it.
std::vector<uint8_t> pattern(const Format& format, VkExtent3D extent, uint32_t layer);

}  // namespace pumice::bench::matrix
