// SPDX-License-Identifier: MIT
#include "icd/r5x/words.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pumice::icd::r5x {
namespace {

uint32_t low(uint64_t v) { return static_cast<uint32_t>(v); }
uint32_t high(uint64_t v) { return static_cast<uint32_t>(v >> 32) & 0xFFFF; }

constexpr uint32_t kTexelBuffer = 7;

uint32_t dimension(VkImageViewType t) {
  switch (t) {
    case VK_IMAGE_VIEW_TYPE_1D: return 0;
    case VK_IMAGE_VIEW_TYPE_3D: return 2;
    case VK_IMAGE_VIEW_TYPE_CUBE: return 3;
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY: return 4;
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY: return 5;
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY: return 6;
    default: return 1;
  }
}

uint32_t fixed8(float lod) { return static_cast<uint32_t>(std::lrint(std::clamp(lod, 0.0f, 255.0f) * 256.0f)); }

}  // namespace

DescriptorShape shape_of(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_MUTABLE_EXT:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: return {64, 64};
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT: return {32, 32};
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK: return {1, 1};  // bytes
    default: return {16, 16};
  }
}

BufferWords buffer_words(const Buffer* b, uint64_t offset, uint64_t range) {
  if (!b || !b->address) return {};
  return memory_words(b->address + offset, low(std::min<uint64_t>(b->bytes(offset, range), UINT32_MAX)));
}

BufferWords memory_words(hw::GpuAddress address, uint32_t bytes) { return {low(address), high(address), bytes, 0}; }

BufferWords texel_words(const Buffer& b, uint64_t offset, uint64_t range, const FormatInfo& f) {
  BufferWords w = buffer_words(&b, offset, range);
  const uint32_t texels = texels_of_element(f.format);
  w[2] -= w[2] % (layout_of(f).bytes * texels);
  w[3] = texels - 1;
  w[1] |= chip_format(f) << 16 | kTexelBuffer << 24;
  return w;
}

BufferWords moved(BufferWords w, uint64_t offset) {
  if (!w[2]) return w;
  const uint64_t address = (uint64_t{w[1] & 0xFFFF} << 32 | w[0]) + offset;
  w[0] = low(address);
  w[1] = (w[1] & ~0xFFFFu) | high(address);
  return w;
}

SamplerWords sampler_words(const VkSamplerCreateInfo& i) {
  SamplerWords w{};
  w[0] = static_cast<uint32_t>(i.magFilter == VK_FILTER_LINEAR) | static_cast<uint32_t>(i.minFilter == VK_FILTER_LINEAR) << 1 |
         static_cast<uint32_t>(i.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR) << 2;
  // Address modes and compare functions have Vulkan's numbers.
  w[0] |=
      static_cast<uint32_t>(i.addressModeU) << 3 | static_cast<uint32_t>(i.addressModeV) << 6 | static_cast<uint32_t>(i.addressModeW) << 9;
  if (i.compareEnable) w[0] |= static_cast<uint32_t>(i.compareOp) << 12 | 1u << 15;
  if (i.unnormalizedCoordinates) w[0] |= 1u << 16;
  if (i.anisotropyEnable) w[0] |= static_cast<uint32_t>(std::clamp(i.maxAnisotropy, 1.0f, 16.0f)) << 17;
  // Vulkan's border colours come in pairs of a float and an integer one; custom ones are in sampler_words(Sampler).
  if (i.borderColor <= VK_BORDER_COLOR_INT_OPAQUE_WHITE) w[0] |= static_cast<uint32_t>(i.borderColor) / 2 << 22;
  w[1] = std::min(fixed8(i.minLod), 0xFFFFu) | std::min(fixed8(i.maxLod), 0xFFFFu) << 16;
  w[2] = std::bit_cast<uint32_t>(i.mipLodBias);
  return w;
}

SamplerWords sampler_words(const Sampler& s) {
  SamplerWords w = sampler_words(s.info);
  if (s.border) {
    w[0] |= 3u << 22;
    std::copy_n(s.border->uint32, 4, w.begin() + 4);
  }
  if (s.info.flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT) w[0] |= 1u << 25;
  w[0] |= static_cast<uint32_t>(s.reduction) << 26;  // Vulkan's numbers
  return w;
}

/// One level as an image of its own: of a compressed image with its blocks as texels (VK_KHR_maintenance2), or a slice of a volume.
static ImageWords level_words(const Image& image, const ImageShown& s, VkExtent2D block) {
  const bool volume = image.info.imageType == VK_IMAGE_TYPE_3D;
  const Plane p = image.plane(s.range.baseMipLevel, volume ? 0 : s.range.baseArrayLayer, volume ? s.range.baseArrayLayer : 0);
  ImageWords w{};
  w[0] = low(p.address);
  w[1] = high(p.address) | chip_format(*s.format) << 16 | dimension(s.type) << 24;
  w[2] = ((p.width + block.width - 1) / block.width - 1) | ((p.height + block.height - 1) / block.height - 1) << 16;
  w[3] = (s.range.layerCount - 1) << 16;
  for (uint32_t i = 0; i < 4; ++i) w[4] |= static_cast<uint32_t>(s.swizzle[i]) << (12 + 3 * i);
  w[5] = p.pitch_bytes;
  w[6] = static_cast<uint32_t>(image.layer_stride / 64);
  return w;
}

ImageWords image_words(const Image& image, const ImageShown& s) {
  if (image.block.width != 1 && !(s.format->flags & kCompressed)) return level_words(image, s, image.block);
  const bool volume = image.info.imageType == VK_IMAGE_TYPE_3D;
  if (volume && s.type == VK_IMAGE_VIEW_TYPE_2D) return level_words(image, s, {1, 1});
  const FormatInfo& f = *s.format;
  const bool depth = is_depth_stencil(f), both = (f.flags & kDepth) && (f.flags & kStencil);
  const bool stencil_only = s.range.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT;
  ImageWords w{};
  w[0] = low(image.address);
  w[1] = high(image.address) | chip_format(f) << 16 | dimension(s.type) << 24 |
         static_cast<uint32_t>(std::countr_zero(image.layout.samples)) << 27;
  if (depth && (!both || !stencil_only) && (f.flags & kDepth)) w[1] |= 1u << 30;
  if (depth && (f.flags & kStencil) && (!both || stencil_only)) w[1] |= 1u << 31;
  w[2] = (image.info.extent.width - 1) | (image.info.extent.height - 1) << 16;
  w[3] = volume ? image.info.extent.depth - 1 : s.range.baseArrayLayer | (s.range.layerCount - 1) << 16;
  w[4] = s.range.baseMipLevel | (s.range.baseMipLevel + s.range.levelCount - 1) << 4 | (image.info.mipLevels - 1) << 8;
  for (uint32_t i = 0; i < 4; ++i) w[4] |= static_cast<uint32_t>(s.swizzle[i]) << (12 + 3 * i);
  w[5] = image.layout.level[0].pitch_bytes;
  w[6] = static_cast<uint32_t>(image.layer_stride / 64);
  return w;
}

ImageWords image_words(const ImageView& v) { return image_words(v.image, {&v.format, v.view_type, v.range, v.swizzle}); }

}  // namespace pumice::icd::r5x
