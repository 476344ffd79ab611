// SPDX-License-Identifier: MIT
/// Descriptors as words in memory (docs/r5x.md, 4.1).
#pragma once
#include <array>
#include <cstdint>

#include "icd/resources.h"

namespace pumice::icd::r5x {

using BufferWords = std::array<uint32_t, 4>;
using SamplerWords = std::array<uint32_t, 8>;
using ImageWords = std::array<uint32_t, 8>;

/// How a descriptor of this type lies in a set: `bytes` of words every `stride`.
struct DescriptorShape {
  uint32_t bytes, stride;
};
DescriptorShape shape_of(VkDescriptorType type);

/// Byte offset of the sampler in a combined image sampler.
inline constexpr uint32_t kCombinedSampler = 32;

/// VK_WHOLE_SIZE is the rest; a null buffer gives a null descriptor, which reads zeros.
BufferWords buffer_words(const Buffer* buffer, uint64_t offset, uint64_t range);
/// `bytes` of the chip's memory as a buffer.
BufferWords memory_words(hw::GpuAddress address, uint32_t bytes);
/// A texel buffer: whole texels only.
BufferWords texel_words(const Buffer& buffer, uint64_t offset, uint64_t range, const FormatInfo& format);
/// The words with `offset` bytes added to the address, as a dynamic offset is; a null descriptor stays null.
BufferWords moved(BufferWords words, uint64_t offset);
SamplerWords sampler_words(const VkSamplerCreateInfo& info);
SamplerWords sampler_words(const Sampler& sampler);

/// The part of an image that a descriptor covers.
struct ImageShown {
  const FormatInfo* format;
  VkImageViewType type;
  VkImageSubresourceRange range;               ///< resolved
  std::array<uint8_t, 4> swizzle{0, 1, 2, 3};  ///< 0..3 component, 4 zero, 5 one
};
ImageWords image_words(const Image& image, const ImageShown& shown);
ImageWords image_words(const ImageView& view);

}  // namespace pumice::icd::r5x
