// SPDX-License-Identifier: MIT
/// The chip table, the most capable first (physical_device.h): names and the functions that make devices. Limits and features of each chip
/// are in gen/chips.py, what the hardware bounds in hw/db/chips.xml.
#include <algorithm>
#include <cstring>

#include "hw/db/chips.h"
#include "icd/chip_tables.h"
#include "icd/command_buffer.h"
#include "icd/formats.h"
#include "icd/r5x/chip.h"
#include "icd/radeon.h"
#include "icd/rdp/chip.h"

namespace pumice::icd {
namespace {

Device* create_radeon(PhysicalDevice& physical, const DeviceExtensions& enabled, const VkAllocationCallbacks* a) {
  static_assert(alignof(RadeonDevice) == alignof(Device), "vkDestroyDevice frees a Device");
  return create<RadeonDevice>(a, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE, physical, enabled);
}
Commands* create_radeon_commands(Device& device, CommandPool& pool, VkCommandBufferLevel level) {
  static_assert(alignof(CommandBuffer) == alignof(Commands), "pools free Commands");
  return create<CommandBuffer>(nullptr, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, radeon(device), pool, level);
}

constexpr VkFormat kRadeonSurfaceFormats[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB};
constexpr VkImageUsageFlags kRadeonSurfaceUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                  VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                                  VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;

/// A chip that has what its documents have and nothing else.
ChipInfo strict_radeon(hw::Profile profile, const char* name, const char* device_name, uint32_t device_id,
                       const VkPhysicalDeviceLimits& limits, const VkPhysicalDeviceFeatures& features,
                       VkFormatProperties (*format_properties)(const FormatInfo&), const compiler::ChipLimits& compiler_chip) {
  return {.name = name,
          .device_name = device_name,
          .api_version = device_version(ChipFamily::radeon),
          .vendor_id = 0x1002,
          .device_id = device_id,
          .family = ChipFamily::radeon,
          .limits = limits,
          .features = features,
          .heap_bytes = 2ull << 30,
          .queue_flags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT,
          .surface_formats = kRadeonSurfaceFormats,
          .surface_usage = kRadeonSurfaceUsage,
          .format_properties = format_properties,
          .more_properties = nullptr,
          .create_device = create_radeon,
          .create_commands = create_radeon_commands,
          .profile = profile,
          .compiler_chip = &compiler_chip};
}

// The vendor is ATI's PCI number because the chip is a model of theirs; VkPhysicalDeviceProperties::deviceType says CPU.
const std::vector<ChipInfo>& chips() {
  static const std::vector<ChipInfo> list = {
      r5x_chip(),
      strict_radeon(hw::Profile::r500, "r500", "Pumice R500 (strict)", 0x7100, kR500_VkPhysicalDeviceLimits, kR500_VkPhysicalDeviceFeatures,
                    properties_of, compiler::kR500),
      // The id of an RS690, whose US is of the same family; the order of the list (physical_device.h).
      strict_radeon(hw::Profile::r300, "r300", "Pumice R300 (strict)", 0x791E, kR300_VkPhysicalDeviceLimits, kR300_VkPhysicalDeviceFeatures,
                    r300_properties_of, compiler::kR300),
      rdp_chip()};
  return list;
}

}  // namespace

uint32_t chip_count() { return static_cast<uint32_t>(chips().size()); }
const ChipInfo& chip_at(uint32_t i) { return chips()[i]; }

const ChipInfo* find_chip(const char* name) {
  for (const ChipInfo& c : chips())
    if (!std::strcmp(c.name, name)) return &c;
  return nullptr;
}

}  // namespace pumice::icd
