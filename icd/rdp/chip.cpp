// SPDX-License-Identifier: MIT
/// Properties of an RDP device: memory that can be copied and presented, a queue for command lists and transfers, nothing else.
#include "icd/rdp/chip.h"

#include <pumice/vulkan_pumice_rdp.h>

#include "hw/rdp/card.h"
#include "icd/chip_tables.h"
#include "icd/debug.h"
#include "icd/formats.h"
#include "icd/rdp/command_buffer.h"
#include "icd/rdp/device.h"

namespace pumice::icd {
namespace {

static_assert(hw::rdp::Card::kMaxRdram == 16 * kRdramUnit, "the range of PUMICE_RDRAM in debug.cpp");

static_assert(kRdp_VkPhysicalDeviceLimits.maxImageDimension2D == kMaxImage && kRdp_VkPhysicalDeviceLimits.maxFramebufferWidth == kMaxDraw);

/// Bytes move whatever they mean; a colour image of the RDP is four bytes R, G, B, A.
VkFormatProperties format_properties(const FormatInfo& f) {
  if (is_depth_stencil(f) || properties_of(f).optimalTilingFeatures == 0) return {};
  VkFormatFeatureFlags image = VK_FORMAT_FEATURE_TRANSFER_SRC_BIT_KHR | VK_FORMAT_FEATURE_TRANSFER_DST_BIT_KHR;
  if (f.format == VK_FORMAT_R8G8B8A8_UNORM) image |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
  return {image, image, 0};
}

void more_properties(const ChipInfo& chip, void* chain) {
  for (auto* b = static_cast<VkBaseOutStructure*>(chain); b; b = b->pNext) {
    if (b->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RDP_PROPERTIES_PUMICE) continue;
    auto* p = reinterpret_cast<VkPhysicalDeviceRdpPropertiesPUMICE*>(b);
    p->rdramSize = static_cast<uint32_t>(chip.heap_bytes);
    p->maxRdramSize = hw::rdp::Card::kMaxRdram;
    p->listAlignment = 8;
    p->imageAlignment = 64;
    p->maxDrawExtent[0] = p->maxDrawExtent[1] = kMaxDraw;
  }
}

Device* create_device(PhysicalDevice& physical, const DeviceExtensions& enabled, const VkAllocationCallbacks* a) {
  static_assert(alignof(RdpDevice) == alignof(Device), "vkDestroyDevice frees a Device");
  return create<RdpDevice>(a, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE, physical, enabled);
}
Commands* create_commands(Device& device, CommandPool& pool, VkCommandBufferLevel level) {
  static_assert(alignof(RdpCommandBuffer) == alignof(Commands), "pools free Commands");
  return create<RdpCommandBuffer>(nullptr, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, pool, level);
}

constexpr VkFormat kSurfaceFormats[] = {VK_FORMAT_R8G8B8A8_UNORM};

}  // namespace

ChipInfo rdp_chip() {
  // The vendor is Silicon Graphics' PCI number because the chip is a model of theirs.
  return {.name = "rdp",
          .device_name = "Pumice Ultra64 RDP",
          .api_version = device_version(ChipFamily::rdp),
          .vendor_id = 0x10A9,
          .device_id = 0xFF64,  // XOR the vendor's it is above every Radeon's
          .family = ChipFamily::rdp,
          .limits = kRdp_VkPhysicalDeviceLimits,
          .features = kRdp_VkPhysicalDeviceFeatures,
          .heap_bytes = uint64_t{environment().rdram_mib} * kRdramUnit,
          .queue_flags = VK_QUEUE_TRANSFER_BIT,
          .surface_formats = kSurfaceFormats,
          .surface_usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
          .format_properties = format_properties,
          .more_properties = more_properties,
          .create_device = create_device,
          .create_commands = create_commands};
}

}  // namespace pumice::icd
