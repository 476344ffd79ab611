// SPDX-License-Identifier: MIT
#include "icd/physical_device.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "icd/debug.h"
#include "icd/formats.h"
#include "icd/image_layout.h"
#include "icd/instance.h"
#include "icd/journal.h"
#include "icd/names.h"
#include "icd/pipeline_cache.h"
#include "icd/version.h"

namespace pumice::icd {
namespace {

constexpr std::string_view kDefaultChip = "r5x";

VkPhysicalDeviceProperties properties(const ChipInfo& chip) {
  VkPhysicalDeviceProperties p{};
  p.apiVersion = chip.api_version;
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

VkQueueFamilyProperties queue_family(const ChipInfo& chip) {
  VkQueueFlags flags = chip.queue_flags;
  // Many applications look for a family with both and use the graphics half only.
  if (environment().compute && (flags & VK_QUEUE_GRAPHICS_BIT)) flags |= VK_QUEUE_COMPUTE_BIT;
  journal("queue family", "", names_of<VkQueueFlagBits>(flags) + " (" + chip.name + ")", true);
  return {flags, 1, chip.timestamp_bits, {1, 1, 1}};
}

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
  const VkFormatProperties p = f ? chip.format_properties(*f) : VkFormatProperties{};
  if (journal_wanted()) {
    const bool any = p.linearTilingFeatures | p.optimalTilingFeatures | p.bufferFeatures;
    journal("format", name_of(format), any ? "yes" : "no", any);
  }
  return p;
}

/// Structures in a chain that this driver does not fill: the application looks for something that is not here.
void write_chain(const void* chain, const char* why) {
  if (!journal_wanted()) return;
  for (auto* b = static_cast<const VkBaseInStructure*>(chain); b; b = b->pNext) journal("structure", name_of(b->sType), why, false);
}

}  // namespace

void make_physical_devices(Instance& instance) {
  const std::string& wanted = environment().chip;
  for (uint32_t i = 0; i < chip_count(); ++i)
    if (wanted == "all" || (wanted.empty() ? kDefaultChip : wanted) == chip_at(i).name)
      instance.physical_devices.push_back(std::make_unique<PhysicalDevice>(&instance, chip_at(i)));
  for (const auto& p : instance.physical_devices) journal("device", p->chip.device_name, p->chip.name, true);
  if (!instance.physical_devices.empty()) return;
  std::vector<std::string> words;
  for (uint32_t i = 0; i < chip_count(); ++i) words.push_back(chip_at(i).name);
  words.push_back("all");
  const std::string text = bad_value("PUMICE_CHIP", wanted, alternatives(words), "there is no device");
  journal("device", "PUMICE_CHIP=" + wanted, text, false);
  warn_once(&instance, "%s", text.c_str());
}

std::string image_text(VkFormat format, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage, VkImageCreateFlags flags) {
  return "format " + name_of(format) + ", type " + name_of(type) + ", tiling " + name_of(tiling) + ", usage " +
         names_of<VkImageUsageFlagBits>(usage) + ", flags " + names_of<VkImageCreateFlagBits>(flags);
}

namespace {

/// For the query: applications try many combinations, so only the first few that are refused are printed.
VkResult query_image_format(const PhysicalDevice& device, VkFormat format, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage,
                            VkImageCreateFlags flags, VkImageFormatProperties* out) {
  const VkResult result = image_format_properties(device.chip, format, type, tiling, usage, flags, out);
  if (result == VK_SUCCESS) return result;
  constexpr int kShown = 8;  // unless PUMICE_DEBUG=reports
  static std::atomic<int> shown = 0;
  const std::string text = image_text(format, type, tiling, usage, flags);
  journal("image", text, "no", false);
  if (shown < kShown || environment().on(Debug::reports)) {
    ++shown;
    warn_once(&device, "%s is not available on this device (%s)", text.c_str(), device.chip.name);
  }
  return result;
}

}  // namespace

namespace {

/// What r5x makes of a format it has: everything is linear memory (docs/r5x.md, 4.1), so little depends on the combination.
void r5x_image_limits(const ChipInfo& chip, VkFormatFeatureFlags have, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage,
                      VkImageCreateFlags flags, VkImageFormatProperties& p) {
  const VkPhysicalDeviceLimits& l = chip.limits;
  const bool simple = tiling == VK_IMAGE_TILING_LINEAR;
  p.maxMipLevels = simple ? 1 : static_cast<uint32_t>(std::bit_width(std::max({p.maxExtent.width, p.maxExtent.height, p.maxExtent.depth})));
  p.maxArrayLayers = simple || type == VK_IMAGE_TYPE_3D ? 1 : l.maxImageArrayLayers;
  p.sampleCounts = VK_SAMPLE_COUNT_1_BIT;
  constexpr VkFormatFeatureFlags kAttachment = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  // storageImageSampleCounts holds for every storage image, whether or not it could be an attachment; but not where only views of another
  // format are storage images (extended usage of compressed formats).
  const bool storage = usage & VK_IMAGE_USAGE_STORAGE_BIT;
  const bool multisampled = (have & kAttachment) || (storage && (have & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT));
  if (!simple && type == VK_IMAGE_TYPE_2D && !(flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) && multisampled)
    p.sampleCounts = storage ? l.storageImageSampleCounts : l.framebufferColorSampleCounts;
}

}  // namespace

VkImageUsageFlags all_usage(VkImageUsageFlags usage, const void* next) {
  const auto* stencil = find_next<VkImageStencilUsageCreateInfo>(next, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
  return stencil ? usage | stencil->stencilUsage : usage;
}

VkResult image_format_properties(const ChipInfo& chip, VkFormat format, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage,
                                 VkImageCreateFlags flags, VkImageFormatProperties* out) {
  *out = {};
  VkImageFormatProperties p{};
  const FormatInfo* f = find_format(format);
  if (!f) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  const VkFormatFeatureFlags have = chip.format_properties(*f).optimalTilingFeatures;
  VkFormatFeatureFlags need = 0;
  if (usage & (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT)) need |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
  if (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT) need |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
  if (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) need |= VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  if (usage & VK_IMAGE_USAGE_STORAGE_BIT) need |= VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
  const bool descriptors = has_descriptors(chip);
  // Usages that only views in other formats have (VK_KHR_maintenance2).
  if (descriptors && (flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT_KHR)) need = 0;
  if (!have || (have & need) != need) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  VkImageCreateFlags known =
      VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT_KHR;
  // ALIAS (Vulkan 1.1): images of the same parameters lie in memory the same way.
  if (descriptors)
    known |= VK_IMAGE_CREATE_EXTENDED_USAGE_BIT_KHR | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT_KHR | VK_IMAGE_CREATE_ALIAS_BIT_KHR;
  if (descriptors && type == VK_IMAGE_TYPE_3D) known |= VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
  if (flags & ~known) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  const bool cube = flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  if (cube && type != VK_IMAGE_TYPE_2D) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (is_depth_stencil(*f) && type != VK_IMAGE_TYPE_2D && !(descriptors && type == VK_IMAGE_TYPE_1D)) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  const bool block_volume = descriptors && type == VK_IMAGE_TYPE_3D;
  if (type != VK_IMAGE_TYPE_2D && !block_volume && (f->flags & kCompressed)) return VK_ERROR_FORMAT_NOT_SUPPORTED;

  const VkPhysicalDeviceLimits& l = chip.limits;
  switch (type) {
    case VK_IMAGE_TYPE_1D: p.maxExtent = {l.maxImageDimension1D, 1, 1}; break;
    case VK_IMAGE_TYPE_2D: p.maxExtent = {l.maxImageDimension2D, l.maxImageDimension2D, 1}; break;
    case VK_IMAGE_TYPE_3D: p.maxExtent = {l.maxImageDimension3D, l.maxImageDimension3D, l.maxImageDimension3D}; break;
    default: return VK_ERROR_FORMAT_NOT_SUPPORTED;
  }
  // Linear tiling is the same storage, but Vulkan lets a driver keep it simple: one 2D level.
  const bool simple = tiling == VK_IMAGE_TILING_LINEAR;
  if (simple && type == VK_IMAGE_TYPE_3D) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  p.maxResourceSize = chip.heap_bytes;
  if (descriptors) {
    r5x_image_limits(chip, have, type, tiling, usage, flags, p);
    *out = p;
    return VK_SUCCESS;
  }
  // Levels need power-of-two extents (pipeline s.6.3); vkCreateImage refuses the others by name.
  p.maxMipLevels = simple ? 1 : static_cast<uint32_t>(std::bit_width(p.maxExtent.width));
  p.maxArrayLayers = cube ? 6 : l.maxImageArrayLayers;
  // Textures have one sample. Vulkan requires all attachment sample counts for images that may be input attachments too ("Supported Sample
  // Counts"); using a multisampled one that way is not possible and is refused by vkCreateRenderPass.
  p.sampleCounts = VK_SAMPLE_COUNT_1_BIT;
  const VkImageUsageFlags single = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
  if (!simple && !cube && type == VK_IMAGE_TYPE_2D && !(usage & single)) {
    if (have & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) p.sampleCounts |= l.framebufferColorSampleCounts;
    if (have & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) p.sampleCounts |= l.framebufferDepthSampleCounts;
  }
  *out = p;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_EnumeratePhysicalDevices(VkInstance instance, uint32_t* count, VkPhysicalDevice* out) {
  auto* owner = from<Instance>(instance);
  std::vector<VkPhysicalDevice> list;
  for (auto& p : owner->physical_devices) list.push_back(to_handle(p.get()));
  return write_list(count, out, list.data(), static_cast<uint32_t>(list.size()));
}

/// Each device is a group of its own.
VKAPI_ATTR VkResult VKAPI_CALL pm_EnumeratePhysicalDeviceGroups(VkInstance instance, uint32_t* count,
                                                                VkPhysicalDeviceGroupProperties* out) {
  const auto& devices = from<Instance>(instance)->physical_devices;
  const auto size = static_cast<uint32_t>(devices.size());
  const uint32_t n = out ? std::min(*count, size) : size;
  for (uint32_t i = 0; out && i < n; ++i) {
    out[i].physicalDeviceCount = 1;  // sType and pNext are the application's
    out[i].physicalDevices[0] = to_handle(devices[i].get());
    out[i].subsetAllocation = VK_FALSE;
  }
  *count = n;
  return n < size ? VK_INCOMPLETE : VK_SUCCESS;
}

namespace {
/// Loaders (1.3.239: terminator_EnumerateDeviceExtensionProperties) copy a list of extensions to memory of 32 times its size, four times
/// while a process starts. malloc clears such memory, a megabyte here, where it has been used before and not where the kernel gives it
/// anew: with the end of the heap given back a start takes 250 page faults less. `kept`: of it, for the next list (another 14 less).
void give_heap_back(size_t kept) {
#ifdef __GLIBC__
  malloc_trim(kept);
#endif
}
}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL pm_EnumerateDeviceExtensionProperties(VkPhysicalDevice device, const char* layer, uint32_t* count,
                                                                     VkExtensionProperties* out) {
  if (layer) return VK_ERROR_LAYER_NOT_PRESENT;
  if (out) give_heap_back(*count * sizeof *out);
  // Loaders ask several times while a process starts: nothing is copied twice.
  const ChipFamily family = from<PhysicalDevice>(device)->chip.family;
  const uint32_t room = out ? *count : ~0u;
  uint32_t have = 0, written = 0;
  for (size_t i = 0; i < std::size(kDeviceExtensions); ++i) {
    if (!extension_of(family, static_cast<DeviceExtension>(i))) continue;
    ++have;
    if (written == room) continue;
    if (out) out[written] = kDeviceExtensions[i];
    ++written;
  }
  *count = written;
  return written < have ? VK_INCOMPLETE : VK_SUCCESS;
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
  if (chip.more_properties)
    chip.more_properties(chip, out->pNext);
  else
    write_chain(out->pNext, "not known to this driver");
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceFeatures(VkPhysicalDevice device, VkPhysicalDeviceFeatures* out) {
  *out = from<PhysicalDevice>(device)->chip.features;
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* out) {
  const ChipInfo& chip = from<PhysicalDevice>(device)->chip;
  if (chip.more_features)
    chip.more_features(out->pNext);
  else
    write_chain(out->pNext, "not known to this driver");
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
/// What the host could still give away without swapping; 0: unknown.
static uint64_t available_bytes() {
  const std::unique_ptr<FILE, int (*)(FILE*)> info(std::fopen("/proc/meminfo", "r"), std::fclose);
  char line[256];
  while (info && std::fgets(line, sizeof line, info.get())) {
    unsigned long long kib = 0;
    if (std::sscanf(line, "MemAvailable: %llu kB", &kib) == 1) return uint64_t{kib} * 1024;
  }
  return 0;
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice handle, VkPhysicalDeviceMemoryProperties2* out) {
  const auto& device = *from<PhysicalDevice>(handle);
  out->memoryProperties = memory_properties(device.chip);
  for (auto* b = static_cast<VkBaseOutStructure*>(out->pNext); b; b = b->pNext) {
    if (b->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) continue;
    auto& p = *reinterpret_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(b);
    // A device's memory is the host's, which other programs use, too.
    std::fill(std::begin(p.heapBudget), std::end(p.heapBudget), 0);
    std::fill(std::begin(p.heapUsage), std::end(p.heapUsage), 0);
    const uint64_t used = device.heap_used, available = available_bytes();
    p.heapUsage[0] = used;
    p.heapBudget[0] = available ? std::min(device.chip.heap_bytes, used + available) : device.chip.heap_bytes;
  }
}

/// The same features in 64 bits (VK_KHR_format_feature_flags2), and those that have bits there only.
static void write_wide_features(const ChipInfo& chip, VkFormat format, const VkFormatProperties& p, VkFormatProperties3& out) {
  const FormatInfo* f = find_format(format);
  const auto wide = [&](VkFormatFeatureFlags features) {
    VkFormatFeatureFlags2 w = features;
    const bool storage = features & (VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT);
    if (storage && chip.features.shaderStorageImageReadWithoutFormat) w |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
    if (storage && chip.features.shaderStorageImageWriteWithoutFormat) w |= VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    const bool depth = f && (f->flags & kDepth) && (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
    if (depth) w |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
    return w;
  };
  out.linearTilingFeatures = wide(p.linearTilingFeatures);
  out.optimalTilingFeatures = wide(p.optimalTilingFeatures);
  out.bufferFeatures = wide(p.bufferFeatures);
}

VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceFormatProperties(VkPhysicalDevice device, VkFormat format, VkFormatProperties* out) {
  *out = format_properties(from<PhysicalDevice>(device)->chip, format);
}
VKAPI_ATTR void VKAPI_CALL pm_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice device, VkFormat format, VkFormatProperties2* out) {
  const ChipInfo& chip = from<PhysicalDevice>(device)->chip;
  out->formatProperties = format_properties(chip, format);
  for (auto* b = static_cast<VkBaseOutStructure*>(out->pNext); b; b = b->pNext)
    if (b->sType == VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3)
      write_wide_features(chip, format, out->formatProperties, *reinterpret_cast<VkFormatProperties3*>(b));
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice device, VkFormat format, VkImageType type,
                                                                         VkImageTiling tiling, VkImageUsageFlags usage,
                                                                         VkImageCreateFlags flags, VkImageFormatProperties* out) {
  return query_image_format(*from<PhysicalDevice>(device), format, type, tiling, usage, flags, out);
}
VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice device,
                                                                          const VkPhysicalDeviceImageFormatInfo2* i,
                                                                          VkImageFormatProperties2* out) {
  const PhysicalDevice& physical = *from<PhysicalDevice>(device);
  if (const VkResult r = external_image_properties(physical.chip, i->pNext, out->pNext); r != VK_SUCCESS) {
    out->imageFormatProperties = {};
    return r;
  }
  return query_image_format(physical, i->format, i->type, i->tiling, all_usage(i->usage, i->pNext), i->flags, &out->imageFormatProperties);
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
