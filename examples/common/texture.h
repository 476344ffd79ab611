// SPDX-License-Identifier: MIT
/// Textures made by arithmetic, so that the examples need no files.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "examples/common/context.h"

namespace example {

struct Rgba {
  uint8_t r, g, b, a;
};

/// A checkerboard of `cells` x `cells` in two colours with a thin line between the cells; size x size texels, RGBA8.
inline std::vector<uint8_t> checkerboard(uint32_t size, uint32_t cells, Rgba even, Rgba odd) {
  std::vector<uint8_t> pixels;
  pixels.reserve(size_t{4} * size * size);
  const uint32_t cell = size / cells;
  for (uint32_t y = 0; y < size; ++y)
    for (uint32_t x = 0; x < size; ++x) {
      const bool line = cell > 4 && (x % cell == 0 || y % cell == 0);
      const Rgba c = line ? Rgba{20, 20, 20, 255} : ((x / cell + y / cell) % 2 ? odd : even);
      pixels.insert(pixels.end(), {c.r, c.g, c.b, c.a});
    }
  return pixels;
}

struct SamplerInfo {
  VkFilter filter = VK_FILTER_LINEAR;
  VkSamplerMipmapMode mipmap = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  VkSamplerAddressMode address = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  float max_lod = 0.0f;
};
inline VkSampler create_sampler(Context& context, const SamplerInfo& in = {}) {
  const VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                 .magFilter = in.filter,
                                 .minFilter = in.filter,
                                 .mipmapMode = in.mipmap,
                                 .addressModeU = in.address,
                                 .addressModeV = in.address,
                                 .addressModeW = in.address,
                                 .maxLod = in.max_lod};
  VkSampler sampler;
  VK_CHECK(vkCreateSampler(context.device, &info, nullptr, &sampler));
  return sampler;
}

/// A square RGBA8 texture with all its mip levels, each the average of four texels of the level before.
inline Image create_mipmapped(Context& context, uint32_t size, std::vector<uint8_t> pixels) {
  const auto levels = static_cast<uint32_t>(std::bit_width(size));
  const Image image = context.create_image(
      {.width = size, .height = size, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, .mip_levels = levels});
  for (uint32_t level = 0; level < levels; ++level) {
    context.upload(image, pixels, level);
    const size_t across = size >> level, half = across / 2;
    for (size_t i = 0; i < half * half * 4; ++i) {
      const size_t at = (i / 4 / half * 2 * across + i / 4 % half * 2) * 4 + i % 4, below = at + across * 4;
      pixels[i] = static_cast<uint8_t>((pixels[at] + pixels[at + 4] + pixels[below] + pixels[below + 4] + 2) / 4);
    }
    pixels.resize(half * half * 4);
  }
  return image;
}

}  // namespace example
