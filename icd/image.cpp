// SPDX-License-Identifier: MIT
/// VkImage, VkImageView, VkSampler. All images but depth that only ZB sees are stored linear; "optimal" is the same storage.
#include <algorithm>
#include <bit>

#include "icd/debug.h"
#include "icd/names.h"
#include "icd/resources.h"

namespace pumice::icd {
namespace {

bool only_depth_attachment(const VkImageCreateInfo& i) {
  return environment().on(Debug::zmask) && i.tiling == VK_IMAGE_TILING_OPTIMAL && i.imageType == VK_IMAGE_TYPE_2D &&
         i.samples == VK_SAMPLE_COUNT_1_BIT && (i.usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) &&
         (i.usage & ~VkImageUsageFlags{VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT}) == 0;
}

LayoutInput layout_input(const VkImageCreateInfo& i, const FormatInfo& f) {
  LayoutInput in;
  in.width = i.extent.width;
  in.height = i.extent.height;
  in.depth = i.extent.depth;
  in.levels = i.mipLevels;
  in.cube = i.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  in.volume = i.imageType == VK_IMAGE_TYPE_3D;
  in.bytes_per_unit = layout_of(f).bytes;
  in.block_width = block_of(f).width;
  in.block_height = block_of(f).height;
  in.samples = i.samples;
  in.drawn_to = i.tiling == VK_IMAGE_TILING_OPTIMAL &&
                (i.usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT));
  in.micro_tiled = only_depth_attachment(i);
  return in;
}

uint8_t swizzled(const std::array<uint8_t, 4>& select, VkComponentSwizzle s, uint32_t identity) {
  switch (s) {
    case VK_COMPONENT_SWIZZLE_ZERO: return 4;
    case VK_COMPONENT_SWIZZLE_ONE: return 5;
    case VK_COMPONENT_SWIZZLE_R: return select[0];
    case VK_COMPONENT_SWIZZLE_G: return select[1];
    case VK_COMPONENT_SWIZZLE_B: return select[2];
    case VK_COMPONENT_SWIZZLE_A: return select[3];
    default: return select[identity];
  }
}

}  // namespace

Image::Image(Device& d, const VkImageCreateInfo& i, const FormatInfo& f)
    : DeviceObject(d, kType),
      info(i),
      format(f),
      unit_bytes(layout_of(f).bytes),
      block(block_of(f)),
      cube((i.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) && !has_descriptors(d.chip)),
      micro_tiled(only_depth_attachment(i) && !has_descriptors(d.chip)),
      layout(has_descriptors(d.chip) ? make_r5x_layout(layout_input(i, f)) : make_layout(layout_input(i, f))),
      layer_stride(layout.bytes),
      bytes(cube ? layout.bytes * (i.arrayLayers / 6) : layout.bytes * i.arrayLayers) {
  info.usage = all_usage(i.usage, i.pNext);
  info.pNext = nullptr;
  info.pQueueFamilyIndices = nullptr;
}

VkExtent3D Image::extent(uint32_t level) const {
  return {std::max(1u, info.extent.width >> level), std::max(1u, info.extent.height >> level), std::max(1u, info.extent.depth >> level)};
}

Plane Image::plane(uint32_t level, uint32_t layer, uint32_t slice) const {
  const LevelLayout& l = layout.level[level];
  uint64_t at = address + l.offset;
  if (cube)
    at += layer % 6 * l.layer_bytes + layer / 6 * layer_stride;
  else
    at += layer * layer_stride;
  at += slice * l.layer_bytes;
  const VkExtent3D e = extent(level);
  return {static_cast<hw::GpuAddress>(at), l.pitch_bytes, l.pitch_units, e.width, e.height, micro_tiled, info.samples, surface};
}

VkImageSubresourceRange Image::resolve(VkImageSubresourceRange r) const {
  if (r.levelCount == VK_REMAINING_MIP_LEVELS) r.levelCount = info.mipLevels - r.baseMipLevel;
  if (r.layerCount == VK_REMAINING_ARRAY_LAYERS) r.layerCount = info.arrayLayers - r.baseArrayLayer;
  return r;
}

/// A 2D view of a volume counts its slices as layers (VK_KHR_maintenance1).
static VkImageSubresourceRange view_range(const Image& image, const VkImageViewCreateInfo& info) {
  VkImageSubresourceRange r = info.subresourceRange;
  if (image.info.imageType == VK_IMAGE_TYPE_3D && info.viewType != VK_IMAGE_VIEW_TYPE_3D && r.layerCount == VK_REMAINING_ARRAY_LAYERS)
    r.layerCount = image.extent(r.baseMipLevel).depth - r.baseArrayLayer;
  return image.resolve(r);
}

ImageView::ImageView(Device& d, Image& i, const VkImageViewCreateInfo& info, const FormatInfo& f)
    : DeviceObject(d, kType), image(i), format(f), view_type(info.viewType), range(view_range(i, info)) {
  std::array<uint8_t, 4> base = texture_select(f);
  if (f.format == VK_FORMAT_D24_UNORM_S8_UINT && info.subresourceRange.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT) base = {4, 4, 4, 5};
  const auto all = [&](const std::array<uint8_t, 4>& of) -> std::array<uint8_t, 4> {
    const VkComponentMapping& c = info.components;
    return {swizzled(of, c.r, 0), swizzled(of, c.g, 1), swizzled(of, c.b, 2), swizzled(of, c.a, 3)};
  };
  select = all(base);
  swizzle = all({0, 1, 2, 3});
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateImage(VkDevice handle, const VkImageCreateInfo* info, const VkAllocationCallbacks* a,
                                              VkImage* out) {
  auto& device = *from<Device>(handle);
  const FormatInfo* format = find_format(info->format);
  VkImageFormatProperties p;
  const VkImageUsageFlags usage = all_usage(info->usage, info->pNext);
  const VkResult r = image_format_properties(device.chip, info->format, info->imageType, info->tiling, usage, info->flags, &p);
  if (r != VK_SUCCESS)
    return report_once(&device, r, "vkCreateImage: %s is not available on this device (%s)",
                       image_text(info->format, info->imageType, info->tiling, usage, info->flags).c_str(), device.chip.name);
  if (info->extent.width > p.maxExtent.width || info->extent.height > p.maxExtent.height || info->extent.depth > p.maxExtent.depth ||
      info->mipLevels > p.maxMipLevels || info->arrayLayers > p.maxArrayLayers || !(info->samples & p.sampleCounts) ||
      (info->samples > 1 && info->mipLevels > 1))
    return report(
        &device, VK_ERROR_FEATURE_NOT_PRESENT,
        "vkCreateImage: %s of %ux%ux%u, %u levels, %u layers, %u samples; at most %ux%ux%u, %u, %u, and %s samples (with one level)",
        format->name.c_str(), info->extent.width, info->extent.height, info->extent.depth, info->mipLevels, info->arrayLayers,
        info->samples, p.maxExtent.width, p.maxExtent.height, p.maxExtent.depth, p.maxMipLevels, p.maxArrayLayers,
        names_of<VkSampleCountFlagBits>(p.sampleCounts).c_str());
  if (!has_descriptors(device.chip) && info->imageType == VK_IMAGE_TYPE_3D && (info->usage & VK_IMAGE_USAGE_SAMPLED_BIT) &&
      !std::has_single_bit(info->extent.depth))
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                  "vkCreateImage: a sampled volume of depth %u; TX_FORMAT0.TXDEPTH holds powers of two only", info->extent.depth);
  *out = to_handle(create<Image>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, *info, *format));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyImage(VkDevice, VkImage i, const VkAllocationCallbacks* a) { destroy(from<Image>(i), a); }

VkMemoryRequirements Image::requirements() const { return {(bytes + 63) & ~uint64_t{63}, 64, 1}; }
VKAPI_ATTR void VKAPI_CALL pm_GetImageMemoryRequirements(VkDevice, VkImage i, VkMemoryRequirements* out) {
  *out = from<Image>(i)->requirements();
}
VKAPI_ATTR void VKAPI_CALL pm_GetImageSparseMemoryRequirements(VkDevice, VkImage, uint32_t* count, VkSparseImageMemoryRequirements*) {
  *count = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_BindImageMemory(VkDevice handle, VkImage i, VkDeviceMemory m, VkDeviceSize offset) {
  Image& image = *from<Image>(i);
  auto& memory = *from<DeviceMemory>(m);
  image.address = memory.range.address + static_cast<hw::GpuAddress>(offset);
  // Attachments are cleared again and again.
  constexpr VkImageUsageFlags kAttachment = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  const VkImageCreateInfo& info = image.info;
  if (info.usage & kAttachment && info.imageType == VK_IMAGE_TYPE_2D && info.tiling == VK_IMAGE_TILING_OPTIMAL && info.mipLevels == 1 &&
      info.arrayLayers == 1 && memory.take_surface())
    image.surface = ++from<Device>(handle)->surfaces;
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_GetImageSubresourceLayout(VkDevice, VkImage handle, const VkImageSubresource* s, VkSubresourceLayout* out) {
  const Image& image = *from<Image>(handle);
  const LevelLayout& l = image.layout.level[s->mipLevel];
  const VkDeviceSize offset = image.plane(s->mipLevel, s->arrayLayer, 0).address - image.address;
  *out = {offset, l.layer_bytes * (image.info.imageType == VK_IMAGE_TYPE_3D ? image.extent(s->mipLevel).depth : 1), l.pitch_bytes,
          image.cube ? l.layer_bytes : image.layer_stride, l.layer_bytes};
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateImageView(VkDevice handle, const VkImageViewCreateInfo* info, const VkAllocationCallbacks* a,
                                                  VkImageView* out) {
  auto& device = *from<Device>(handle);
  Image& image = *from<Image>(info->image);
  const FormatInfo* f = find_format(info->format);
  if (!f || !device.chip.format_properties(*f).optimalTilingFeatures)
    return report_once(&device, VK_ERROR_FORMAT_NOT_SUPPORTED, "vkCreateImageView: format %s is not available on this device (%s)",
                       name_of(info->format).c_str(), device.chip.name);
  const VkImageSubresourceRange r = view_range(image, *info);
  const bool array = info->viewType == VK_IMAGE_VIEW_TYPE_1D_ARRAY || info->viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY ||
                     info->viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
  const bool attachment = image.info.usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  if (!has_descriptors(device.chip) && ((array && r.layerCount > 1 && !attachment) || info->viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY))
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateImageView: array views of %u layers; the chip has no array textures",
                  r.layerCount);
  *out = to_handle(create<ImageView>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, image, *info, *f));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyImageView(VkDevice, VkImageView v, const VkAllocationCallbacks* a) { destroy(from<ImageView>(v), a); }

Sampler::Sampler(Device& d, const VkSamplerCreateInfo& i) : DeviceObject(d, kType), info(i) {
  if (const auto* own =
          find_next<VkSamplerCustomBorderColorCreateInfoEXT>(i.pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
      own && i.borderColor > VK_BORDER_COLOR_INT_OPAQUE_WHITE)
    border = own->customBorderColor;
  if (const auto* r = find_next<VkSamplerReductionModeCreateInfo>(i.pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO))
    reduction = r->reductionMode;
  info.pNext = nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateSampler(VkDevice device, const VkSamplerCreateInfo* info, const VkAllocationCallbacks* a,
                                                VkSampler* out) {
  *out = to_handle(create<Sampler>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
// No format has planes or is converted: the feature is off.
VKAPI_ATTR VkResult VKAPI_CALL pm_CreateSamplerYcbcrConversion(VkDevice device, const VkSamplerYcbcrConversionCreateInfo* info,
                                                               const VkAllocationCallbacks*, VkSamplerYcbcrConversion* out) {
  *out = VK_NULL_HANDLE;
  return report_once(from<Device>(device), VK_ERROR_FEATURE_NOT_PRESENT,
                     "vkCreateSamplerYcbcrConversion: of format %s; conversions are not available on this device (%s)",
                     name_of(info->format).c_str(), from<Device>(device)->chip.name);
}
VKAPI_ATTR void VKAPI_CALL pm_DestroySamplerYcbcrConversion(VkDevice, VkSamplerYcbcrConversion, const VkAllocationCallbacks*) {}

VKAPI_ATTR void VKAPI_CALL pm_DestroySampler(VkDevice, VkSampler s, const VkAllocationCallbacks* a) { destroy(from<Sampler>(s), a); }

}  // namespace pumice::icd
