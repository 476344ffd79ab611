// SPDX-License-Identifier: MIT
/// Descriptors of r5x (docs/r5x.md 4.1), decoded: where an image's levels, layers and samples lie, and how a sampler reads them.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "hw/types.h"

namespace pumice::hw::xt {

inline constexpr uint32_t kImageDwords = 8, kSamplerDwords = 8, kBufferDwords = 4;

enum class Dim : uint8_t { d1, d2, d3, cube, d1_array, d2_array, cube_array, buffer };

struct BufferDescriptor {
  uint64_t address = 0;
  uint32_t size = 0;  ///< bytes; 0: null
  uint8_t format = 0;
  bool operator==(const BufferDescriptor&) const = default;
};
BufferDescriptor decode_buffer(std::span<const uint32_t, kBufferDwords> words);

/// One level of an image. Extents are texels.
struct Level {
  uint64_t offset = 0;  ///< bytes from the layer's begin
  uint32_t width = 1, height = 1, depth = 1;
  uint32_t pitch = 0;        ///< bytes from one row of texels or blocks to the next
  uint64_t slice_pitch = 0;  ///< bytes from one slice of a volume to the next
};

struct Image {
  uint64_t base = 0;
  uint8_t format = 0;  ///< hw/db/formats.h; 0: null descriptor
  Dim dim = Dim::d2;
  uint8_t samples_log2 = 0;
  bool stencil = false;                       ///< the stencil aspect of a combined format
  uint32_t width = 1, height = 1, depth = 1;  ///< of level 0 of the image
  uint32_t first_layer = 0, layers = 1;       ///< of the view; faces count as layers
  uint8_t first_level = 0, last_level = 0;    ///< of the view, as levels of the image
  uint8_t levels = 1;                         ///< of the image
  std::array<uint8_t, 4> swizzle{0, 1, 2, 3};
  uint32_t pitch = 0;        ///< bytes, of level 0
  uint64_t layer_pitch = 0;  ///< bytes
  uint32_t element = 0;      ///< texel buffers: what QSIZE returns in y, texels of an element - 1
  bool operator==(const Image&) const = default;

  bool is_null() const { return format == 0; }
  bool is_cube() const { return dim == Dim::cube || dim == Dim::cube_array; }
  bool is_array() const { return dim == Dim::d1_array || dim == Dim::d2_array || dim == Dim::cube_array; }
  /// Levels of the view - 1.
  uint32_t top_level() const { return last_level >= first_level ? last_level - first_level : 0u; }
};
/// An image descriptor, or a texel buffer's: width is its number of texels then.
Image decode_image(std::span<const uint32_t, kImageDwords> words);
/// `level` counts from level 0 of the image.
Level level_of(const Image& image, uint32_t level);
/// Of a texel, or of the block that it lies in; `layer` counts from layer 0 of the image.
uint64_t address_of(const Image& image, const Level& level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z, uint32_t sample);
/// Bytes that the image may occupy from its base: all layers of the view that the descriptor names.
uint64_t extent_of(const Image& image);

enum class Address : uint8_t { repeat, mirrored_repeat, clamp_to_edge, clamp_to_border, mirror_clamp_to_edge };
enum class Compare : uint8_t { never, less, equal, less_or_equal, greater, not_equal, greater_or_equal, always };
enum class Border : uint8_t { transparent_black, opaque_black, opaque_white, custom };
/// How a filter joins texels.
enum class Reduction : uint8_t { average, min, max };

struct Sampler {
  bool mag_linear = false, min_linear = false, mip_linear = false, mip_off = false;
  std::array<Address, 3> address{};
  Compare compare = Compare::never;
  bool compare_enable = false, unnormalized = false;
  uint8_t max_anisotropy = 0;  ///< 0: off
  Border border = Border::transparent_black;
  std::array<uint32_t, 4> border_color{};  ///< of Border::custom: floats, or integers
  bool seams = false;                      ///< faces of cubes are images of their own
  Reduction reduction = Reduction::average;
  float min_lod = 0, max_lod = 0, lod_bias = 0;
  bool operator==(const Sampler&) const = default;
};
Sampler decode_sampler(std::span<const uint32_t, kSamplerDwords> words);

}  // namespace pumice::hw::xt
