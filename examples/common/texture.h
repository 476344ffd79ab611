// SPDX-License-Identifier: MIT
/// Textures made by arithmetic, so that the examples need no files.
#pragma once
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

}  // namespace example
