// SPDX-License-Identifier: MIT
/// Copies between buffers and images as rows of bytes: what every chip's transfer commands begin with.
#pragma once
#include <algorithm>

#include "icd/resources.h"

namespace pumice::icd {

/// Address of a texel's block in a plane.
inline hw::GpuAddress texel_address(const Image& i, const Plane& p, uint32_t x, uint32_t y) {
  return p.address + uint64_t{y / i.block.height} * p.row_bytes() + x / i.block.width * i.unit_bytes;
}

/// The buffer side of a buffer-image copy.
struct BufferRows {
  uint32_t row_bytes, pitch, rows;
  uint64_t layer;  ///< from one layer or slice to the next
};
inline BufferRows buffer_rows(const Image& image, const VkBufferImageCopy& r, uint32_t unit_bytes) {
  const auto columns = [&](uint32_t texels) { return (texels + image.block.width - 1) / image.block.width; };
  const auto rows = [&](uint32_t texels) { return (texels + image.block.height - 1) / image.block.height; };
  BufferRows b;
  b.row_bytes = columns(r.imageExtent.width) * unit_bytes;
  b.pitch = columns(r.bufferRowLength ? r.bufferRowLength : r.imageExtent.width) * unit_bytes;
  b.rows = rows(r.imageExtent.height);
  b.layer = uint64_t{b.pitch} * rows(r.bufferImageHeight ? r.bufferImageHeight : r.imageExtent.height);
  return b;
}

/// Calls f(plane, address in the buffer) for each layer and slice of a buffer-image copy.
template <class F>
void for_each_buffer_plane(const Buffer& buffer, const Image& image, const VkBufferImageCopy& r, const BufferRows& b, F f) {
  uint64_t n = 0;
  for (uint32_t layer = 0; layer < r.imageSubresource.layerCount; ++layer)
    for (uint32_t z = 0; z < r.imageExtent.depth; ++z, ++n)
      f(image.plane(r.imageSubresource.mipLevel, r.imageSubresource.baseArrayLayer + layer, static_cast<uint32_t>(r.imageOffset.z) + z),
        buffer.address + static_cast<hw::GpuAddress>(r.bufferOffset + n * b.layer));
}

/// Calls f(plane of a, plane of b) for each of an image copy. Layers on one side may be slices on the other (VK_KHR_maintenance1).
template <class F>
void for_each_image_plane(const Image& a, const Image& b, const VkImageCopy& r, F f) {
  const auto plane = [](const Image& image, const VkImageSubresourceLayers& s, const VkOffset3D& o, uint32_t z) {
    const bool volume = image.info.imageType == VK_IMAGE_TYPE_3D;
    return image.plane(s.mipLevel, s.baseArrayLayer + (volume ? 0 : z), volume ? static_cast<uint32_t>(o.z) + z : 0);
  };
  const uint32_t planes = std::max({r.extent.depth, r.srcSubresource.layerCount, r.dstSubresource.layerCount});
  for (uint32_t z = 0; z < planes; ++z) f(plane(a, r.srcSubresource, r.srcOffset, z), plane(b, r.dstSubresource, r.dstOffset, z));
}

/// Calls f(plane, aspects) for each plane of the ranges of an image.
template <class F>
void for_each_plane(const Image& image, uint32_t count, const VkImageSubresourceRange* ranges, F f) {
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageSubresourceRange r = image.resolve(ranges[i]);
    for (uint32_t level = r.baseMipLevel; level < r.baseMipLevel + r.levelCount; ++level)
      for (uint32_t layer = r.baseArrayLayer; layer < r.baseArrayLayer + r.layerCount; ++layer)
        for (uint32_t slice = 0; slice < image.extent(level).depth; ++slice) f(image.plane(level, layer, slice), r.aspectMask);
  }
}

}  // namespace pumice::icd
