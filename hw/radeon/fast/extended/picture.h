// SPDX-License-Identifier: MIT
/// Draws of which each pixel is a texel of one texture, unchanged, stored in four opaque bytes: where the coordinates are axis-aligned they
/// are drawn by rows (hw/radeon/fast/blit). Plain data: included by files that are compiled once per instruction set.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace pumice::isa::us_r500 {
struct Instruction;
}

namespace pumice::hw::fast::extended {

struct TextureKey;
struct TextureView;
struct PixelKey;

struct Picture {
  bool is = false;
  bool linear = false;
  bool magnified = false;  ///< only where the texture is magnified: elsewhere another level or filter may be read
  /// Texels of coordinates outside of the image.
  enum class Outside : uint8_t { never, nearest, repeat, mirror, mirror_once, border };  ///< never: the primitive must not read any
  Outside outside[2] = {};
  uint8_t s = 0, t = 0;  ///< planes of the coordinates, PixelInputs::planes
  uint32_t border = 0;   ///< as a texel
  // As stretch::Plan:
  bool swizzled = false;
  uint8_t order[4] = {};
  uint32_t keep = 0, set = 0;
  int32_t width = 0, height = 0;  ///< of the target
};

/// The texture: the first level of its view.
struct PictureTexture {
  const std::byte* base = nullptr;
  float min_lod = 0;
  uint32_t pitch = 0;        ///< bytes
  float extent[2] = {1, 1};  ///< texels per unit of the coordinates
  int32_t last[2] = {};      ///< texel
};

PictureTexture picture_texture(const TextureView& view);

/// `code`: of the fragment program; `texture`: the one that it names.
Picture picture_of(std::span<const isa::us_r500::Instruction> code, const PixelKey& key, const TextureKey& texture);

}  // namespace pumice::hw::fast::extended
