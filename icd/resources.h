// SPDX-License-Identifier: MIT
/// VkDeviceMemory, VkBuffer, VkImage and their views, VkSampler.
#pragma once
#include <atomic>

#include "icd/device.h"
#include "icd/external.h"
#include "icd/formats.h"
#include "icd/image_layout.h"

namespace pumice::icd {

class DeviceMemory : public DeviceObject {
 public:
  using Handle = VkDeviceMemory;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DEVICE_MEMORY;
  /// `shared`: its pages, of at least as many bytes as the heap rounds to; or none.
  DeviceMemory(Device& d, uint64_t bytes, FileDescriptor shared)
      : DeviceObject(d, kType), range(*d.heap, bytes, shared.get()), file(std::move(shared)) {}
  ~DeviceMemory() {
    if (counted_) --device.mapped_surfaces;
  }
  GpuRange range;
  FileDescriptor file;  ///< of memory that is or may be exported

  /// The host may write it from now on.
  void map() {
    mapped_ = true;
    if (numbered_) count();
  }
  /// Whether an image in it may have an Image::surface: nothing but the chip has written it so far. It is told when the host may.
  bool take_surface() {
    if (file || mapped_) return false;
    numbered_ = true;
    if (mapped_) count();
    return true;
  }

 private:
  void count() {
    if (!counted_.exchange(true)) ++device.mapped_surfaces;
  }
  std::atomic<bool> mapped_{false}, numbered_{false}, counted_{false};
};

class Buffer : public DeviceObject {
 public:
  using Handle = VkBuffer;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_BUFFER;
  Buffer(Device& d, const VkBufferCreateInfo& i) : DeviceObject(d, kType), size(i.size), usage(i.usage) {}
  uint64_t size;
  VkBufferUsageFlags usage;
  hw::GpuAddress address = 0;  ///< 0 until bound

  VkMemoryRequirements requirements() const;
  /// Bytes of [offset, offset+range) that exist; VK_WHOLE_SIZE is the rest.
  uint64_t bytes(uint64_t offset, uint64_t range) const {
    if (offset >= size) return 0;
    return range > size - offset ? size - offset : range;
  }
};

/// A level, face and slice of an image as a surface.
struct Plane {
  hw::GpuAddress address = 0;
  uint32_t pitch_bytes = 0, pitch_units = 0;
  uint32_t width = 0, height = 0;  ///< texels
  bool micro_tiled = false;
  uint32_t samples = 1;  ///< sample s of row y is row y * samples + s in memory
  uint32_t surface = 0;  ///< Image::surface
  /// From one row to the next.
  uint32_t row_bytes() const { return pitch_bytes * samples; }
};

class Image : public DeviceObject {
 public:
  using Handle = VkImage;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_IMAGE;
  Image(Device& d, const VkImageCreateInfo& info, const FormatInfo& f);

  VkImageCreateInfo info;
  const FormatInfo& format;
  uint32_t unit_bytes;
  VkExtent2D block;  ///< texels of a unit: 1x1 of plain formats
  bool cube;         ///< faces of a level follow one another (strict chips)
  bool micro_tiled;  ///< accessed by ZB only: a depth attachment that is neither sampled nor used in transfers
  ImageLayout layout;
  uint64_t layer_stride;  ///< of array layers; of strict chips' cubes
  uint64_t bytes;
  hw::GpuAddress address = 0;
  /// Not 0: a number for memory that nothing but the chip writes, unless Device::mapped_surfaces says so (X_FILL_ROWS; docs/r5x.md,
  /// section 9); others of the device have other numbers.
  uint32_t surface = 0;

  VkMemoryRequirements requirements() const;
  VkExtent3D extent(uint32_t level) const;
  Plane plane(uint32_t level, uint32_t layer, uint32_t slice) const;
  /// VK_REMAINING_* resolved.
  VkImageSubresourceRange resolve(VkImageSubresourceRange r) const;
};

class ImageView : public DeviceObject {
 public:
  using Handle = VkImageView;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_IMAGE_VIEW;
  ImageView(Device& d, Image& i, const VkImageViewCreateInfo& info, const FormatInfo& f);
  Image& image;
  const FormatInfo& format;
  VkImageViewType view_type;
  VkImageSubresourceRange range;
  std::array<uint8_t, 4> select;   ///< texture component for r, g, b, a after the view's swizzle
  std::array<uint8_t, 4> swizzle;  ///< the view's: 0..3 component, 4 zero, 5 one
  /// The attachment this view names.
  Plane plane() const {
    return image.plane(range.baseMipLevel, volume_slice() ? 0 : range.baseArrayLayer, volume_slice() ? range.baseArrayLayer : 0);
  }

 private:
  bool volume_slice() const { return image.info.imageType == VK_IMAGE_TYPE_3D; }
};

class Sampler : public DeviceObject {
 public:
  using Handle = VkSampler;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SAMPLER;
  Sampler(Device& d, const VkSamplerCreateInfo& i);
  VkSamplerCreateInfo info;
  std::optional<VkClearColorValue> border;  ///< VK_EXT_custom_border_color
  VkSamplerReductionMode reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
};

}  // namespace pumice::icd
