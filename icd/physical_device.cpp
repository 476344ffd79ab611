// SPDX-License-Identifier: MIT
#include "icd/physical_device.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string_view>

#include "icd/debug.h"
#include "icd/formats.h"
#include "icd/image_layout.h"
#include "icd/instance.h"
#include "icd/pipeline_cache.h"

namespace pumice::icd {
namespace {

constexpr std::string_view kDefaultChip = "r500";
constexpr uint32_t kDriverVersion = PUMICE_VERSION;

VkPhysicalDeviceProperties properties(const ChipInfo& chip) {
  VkPhysicalDeviceProperties p{};
  p.apiVersion = VK_MAKE_API_VERSION(0, 1, 0, VK_HEADER_VERSION);
  p.driverVersion = kDriverVersion;
  p.vendorID = chip.vendor_id;
  p.deviceID = chip.device_id;
  p.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
  std::snprintf(p.deviceName, sizeof p.deviceName, "%s", chip.device_name);
  const CacheUuid uuid = pipeline_cache_uuid(chip);
  std::copy(uuid.begin(), uuid.end(), p.pipelineCacheUUID);
  p.limits = chip.limits;
  return p;
}

VkQueueFamilyProperties queue_family(const ChipInfo& chip) { return {chip.queue_flags, 1, 0, {1, 1, 1}}; }

VkPhysicalDeviceMemoryProperties memory_properties(const ChipInfo& chip) {
  VkPhysicalDeviceMemoryProperties m{};
  m.memoryTypeCount = 1;
  m.memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                          VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                      0};
  m.memoryHeapCount = 1;
  m.memoryHeaps[0] = {chip.heap_bytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  return m;
}

VkFormatProperties format_properties(const ChipInfo& chip, VkFormat format) {
  const FormatInfo* f = find_format(format);
  return f ? chip.format_properties(*f) : VkFormatProperties{};
}

}  // namespace

void make_physical_devices(Instance& instance) {
  const std::string& wanted = environment().chip;
  for (uint32_t i = 0; i < chip_count(); ++i)
    if (wanted == "all" || (wanted.empty() ? kDefaultChip : wanted) == chip_at(i).name)
      instance.physical_devices.push_back(std::make_unique<PhysicalDevice>(&instance, chip_at(i)));
  if (instance.physical_devices.empty())
    report(&instance, VK_ERROR_INITIALIZATION_FAILED, "PUMICE_CHIP=%s names no chip this driver has: no physical device", wanted.c_str());
}

VkResult image_format_properties(const ChipInfo& chip, VkFormat format, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage,
                                 VkImageCreateFlags flags, VkImageFormatProperties* out) {
  *out = {};
  const FormatInfo* f = find_format(format);
  if (!f) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  const VkFormatFeatureFlags have = chip.format_properties(*f).optimalTilingFeatures;
  VkFormatFeatureFlags need = 0;
  if (usage & (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT)) need |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
  if (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT) need |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
  if (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) need |= VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  if (usage & VK_IMAGE_USAGE_STORAGE_BIT) need |= VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
  if (!have || (have & need) != need) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (flags & ~(VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT_KHR))
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  const bool cube = flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  if (cube && type != VK_IMAGE_TYPE_2D) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (type != VK_IMAGE_TYPE_2D && (is_depth_stencil(*f) || (f->flags & kCompressed))) return VK_ERROR_FORMAT_NOT_SUPPORTED;

  const VkPhysicalDeviceLimits& l = chip.limits;
  switch (type) {
    case VK_IMAGE_TYPE_1D: out->maxExtent = {l.maxImageDimension1D, 1, 1}; break;
    case VK_IMAGE_TYPE_2D: out->maxExtent = {l.maxImageDimension2D, l.maxImageDimension2D, 1}; break;
    case VK_IMAGE_TYPE_3D: out->maxExtent = {l.maxImageDimension3D, l.maxImageDimension3D, l.maxImageDimension3D}; break;
    default: return VK_ERROR_FORMAT_NOT_SUPPORTED;
  }
  // Linear tiling is the same storage, but Vulkan lets a driver keep it simple: one 2D level.
  const bool simple = tiling == VK_IMAGE_TILING_LINEAR;
  if (simple && type == VK_IMAGE_TYPE_3D) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  // Levels need power-of-two extents (pipeline s.6.3); vkCreateImage refuses the others by name.
  out->maxMipLevels = simple ? 1 : static_cast<uint32_t>(std::bit_width(out->maxExtent.width));
  out->maxArrayLayers = cube ? 6 : l.maxImageArrayLayers;
  // Textures have one sample. Vulkan wants every count of attachments for images that may be input attachments too ("Supported Sample
  // Counts"); what cannot be done is to use one so, and vkCreateRenderPass says it.
  out->sampleCounts = VK_SAMPLE_COUNT_1_BIT;
  const VkImageUsageFlags single = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
  if (!simple && !cube && type == VK_IMAGE_TYPE_2D && !(usage & single)) {
    if (have & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) out->sampleCounts |= l.framebufferColorSampleCounts;
    if (have & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) out->sampleCounts |= l.framebufferDepthSampleCounts;
  }
  out->maxResourceSize = chip.heap_bytes;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_EnumeratePhysicalDevices(VkInstance instance, uint32_t* count, VkPhysicalDevice* out) {
  auto* owner = from<Instance>(instance);
  std::vector<VkPhysicalDevice> list;
  for (auto& p : owner->physical_devices) list.push_back(to_handle(p.get()));
  return write_list(count, out, list.data(), static_cast<uint32_t>(list.size()));
}

VKAPI_ATTR VkResult VKAPI_CALL pm_EnumerateDeviceExtensionProperties(VkPhysicalDevice device, const char* layer, uint32_t* count,
                                                                     VkExtensionProperties* out) {
  if (layer) return VK_ERROR_LAYER_NOT_PRESENT;
  std::vector<VkExtensionProperties> list;
  for (size_t i = 0; i < std::size(kDeviceExtensions); ++i)
    if (extension_of(from<PhysicalDevice>(device)->chip.family, static_cast<DeviceExtension>(i))) list.push_back(kDeviceExtensions[i]);
  return write_list(count, out, list.data(), static_cast<uint32_t>(list.size()));
}

VKAPI_ATTR VkResult VKAPI_CALL pm_EnumerateDeviceLayerProperties(VkPhysicalDevice, uint32_t* count, VkLayerProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties* out) {
  *out = properties(from<PhysicalDevice>(device)->chip);
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
  const ChipInfo& chip = from<PhysicalDevice>(device)->chip;
  out->properties = properties(chip);
  if (chip.more_properties) chip.more_properties(chip, out->pNext);
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceFeatures(VkPhysicalDevice device, VkPhysicalDeviceFeatures* out) {
  *out = from<PhysicalDevice>(device)->chip.features;
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* out) {
  out->features = from<PhysicalDevice>(device)->chip.features;
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice device, uint32_t* count,
                                                                     VkQueueFamilyProperties* out) {
  const VkQueueFamilyProperties q = queue_family(from<PhysicalDevice>(device)->chip);
  (void)write_list(count, out, &q, 1);
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice device, uint32_t* count,
                                                                      VkQueueFamilyProperties2* out) {
  if (out && *count) out->queueFamilyProperties = queue_family(from<PhysicalDevice>(device)->chip);
  *count = out && !*count ? 0 : 1;
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties* out) {
  *out = memory_properties(from<PhysicalDevice>(device)->chip);
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2* out) {
  out->memoryProperties = memory_properties(from<PhysicalDevice>(device)->chip);
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceFormatProperties(VkPhysicalDevice device, VkFormat format, VkFormatProperties* out) {
  *out = format_properties(from<PhysicalDevice>(device)->chip, format);
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice device, VkFormat format, VkFormatProperties2* out) {
  out->formatProperties = format_properties(from<PhysicalDevice>(device)->chip, format);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice device, VkFormat format, VkImageType type,
                                                                         VkImageTiling tiling, VkImageUsageFlags usage,
                                                                         VkImageCreateFlags flags, VkImageFormatProperties* out) {
  return image_format_properties(from<PhysicalDevice>(device)->chip, format, type, tiling, usage, flags, out);
}
VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice device,
                                                                          const VkPhysicalDeviceImageFormatInfo2* i,
                                                                          VkImageFormatProperties2* out) {
  return image_format_properties(from<PhysicalDevice>(device)->chip, i->format, i->type, i->tiling, i->usage, i->flags,
                                 &out->imageFormatProperties);
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice, VkFormat, VkImageType, VkSampleCountFlagBits,
                                                                           VkImageUsageFlags, VkImageTiling, uint32_t* count,
                                                                           VkSparseImageFormatProperties*) {
  *count = 0;
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice, const VkPhysicalDeviceSparseImageFormatInfo2*,
                                                                            uint32_t* count, VkSparseImageFormatProperties2*) {
  *count = 0;
}

}  // namespace pumice::icd
