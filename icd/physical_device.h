// SPDX-License-Identifier: MIT
/// VkPhysicalDevice: one chip profile and what it can honestly do.
#pragma once
#include <atomic>
#include <optional>
#include <span>
#include <string>

#include "compiler/compiler.h"
#include "hw/radeon/gpu.h"
#include "icd/object.h"

namespace pumice::icd {

class CommandPool;
class Commands;
class PhysicalDevice;
struct FormatInfo;

/// A row of the chip table (chips.cpp).
struct ChipInfo {
  const char* name;         ///< word of PUMICE_CHIP
  const char* device_name;  ///< VkPhysicalDeviceProperties::deviceName
  uint32_t api_version;     ///< VkPhysicalDeviceProperties::apiVersion
  uint32_t vendor_id, device_id;
  ChipFamily family;  ///< picks the functions of its devices (gen/extensions.py)
  VkPhysicalDeviceLimits limits;
  VkPhysicalDeviceFeatures features;
  uint64_t heap_bytes;
  VkQueueFlags queue_flags;
  uint32_t timestamp_bits = 0;  ///< VkQueueFamilyProperties::timestampValidBits
  std::span<const VkFormat> surface_formats;
  VkImageUsageFlags surface_usage;
  VkFormatProperties (*format_properties)(const FormatInfo&);
  /// Fills the structures of a chip-specific extension in the pNext chain of VkPhysicalDeviceProperties2. May be null.
  void (*more_properties)(const ChipInfo&, void* chain);
  /// The same of VkPhysicalDeviceFeatures2. May be null.
  void (*more_features)(void* chain) = nullptr;
  /// Names of the structures of features in the chain of VkDeviceCreateInfo that want more than there is; empty: none. May be null.
  std::string (*lacking_features)(const void* chain) = nullptr;
  /// Whether structures of that type in the chain of VkDeviceCreateInfo mean something here. Null: none does.
  bool (*knows_structure)(VkStructureType type) = nullptr;
  Device* (*create_device)(PhysicalDevice&, const DeviceExtensions&, const VkAllocationCallbacks*);
  Commands* (*create_commands)(Device&, CommandPool&, VkCommandBufferLevel);
  // Of Radeons.
  std::optional<hw::Profile> profile;
  const compiler::ChipLimits* compiler_chip = nullptr;
};

/// Whether the chip reads descriptors from memory (docs/r5x.md s.4) and so images of any extent, in layers, with samples; others have
/// texture units and what their registers can say.
inline bool has_descriptors(const ChipInfo& chip) { return chip.compiler_chip && chip.compiler_chip->memory; }

/// The chips this driver can drive today, the most capable first, for applications that take the first device. On Linux the loader
/// (1.3.239) sorts devices of one type by deviceID XOR vendorID, so the IDs ascend that way in the same order (tests/vk/rdp_all_test.cpp).
const ChipInfo* find_chip(const char* name);
const ChipInfo& chip_at(uint32_t i);
uint32_t chip_count();

class PhysicalDevice : public Object {
 public:
  using Handle = VkPhysicalDevice;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PHYSICAL_DEVICE;
  PhysicalDevice(Instance* owner, const ChipInfo& c) : Object(owner, kType), chip(c) {}

  const ChipInfo& chip;
  std::atomic<uint64_t> heap_used = 0;  ///< bytes that this process's devices hold (VK_EXT_memory_budget)
};

void make_physical_devices(Instance& instance);

/// Shared by vkGetPhysicalDeviceImageFormatProperties and vkCreateImage's own checks.
/// Zeros and VK_ERROR_FORMAT_NOT_SUPPORTED for what cannot be made.
VkResult image_format_properties(const ChipInfo& chip, VkFormat format, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage,
                                 VkImageCreateFlags flags, VkImageFormatProperties* out);
/// An image's usage with that of its stencil aspect (VK_EXT_separate_stencil_usage): both lie in memory the same way.
VkImageUsageFlags all_usage(VkImageUsageFlags usage, const void* next);
/// The same of VkPhysicalDeviceExternalImageFormatInfo in the chain `wanted`; what it allows goes to the chain `out`.
VkResult external_image_properties(const ChipInfo& chip, const void* wanted, void* out);
/// "format D32_SFLOAT, type 2D, tiling OPTIMAL, usage SAMPLED|STORAGE, flags 0", for messages.
std::string image_text(VkFormat format, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage, VkImageCreateFlags flags);

}  // namespace pumice::icd
