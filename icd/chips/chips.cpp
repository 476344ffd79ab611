// SPDX-License-Identifier: MIT
/// The chip table: names and the functions that make devices. Limits and features of each chip are in gen/chips.py.
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

/// The documented capabilities of each chip are in hw/db/chips.xml: limits in gen/chips.py and the compiler's rows must agree with them.
constexpr bool agree(const hw::Capabilities& chip, const VkPhysicalDeviceLimits& l, const compiler::ChipLimits& c) {
  const uint32_t extent = std::min(chip.texture_extent, chip.target_extent);
  const bool images = l.maxImageDimension1D == extent && l.maxImageDimension2D == extent && l.maxImageDimensionCube == extent &&
                      l.maxViewportDimensions[0] == chip.target_extent && l.maxViewportDimensions[1] == chip.target_extent &&
                      l.maxFramebufferWidth == chip.target_extent && l.maxFramebufferHeight == chip.target_extent &&
                      l.viewportBoundsRange[1] == static_cast<float>(chip.raster_extent - 1) &&
                      l.pointSizeRange[1] == static_cast<float>(chip.point_extent) &&
                      l.lineWidthRange[1] == static_cast<float>(chip.line_extent);
  const bool shaders = l.maxUniformBufferRange == std::min(chip.us_constants, chip.pvs_constants) * 16 &&
                       l.maxPerStageDescriptorSamplers == chip.texture_units &&
                       l.maxPerStageDescriptorSampledImages == chip.texture_units && l.maxVertexInputAttributes == chip.vertex_elements &&
                       l.maxVertexInputBindings == chip.vertex_arrays && l.maxVertexOutputComponents == 4 * chip.texcoord_sets &&
                       l.maxFragmentInputComponents == 4 * chip.texcoord_sets && l.maxFragmentOutputAttachments == chip.color_targets &&
                       l.maxColorAttachments == chip.color_targets;
  const bool vertex = c.vertex.slots == chip.pvs_slots && c.vertex.temps == chip.pvs_temps && c.vertex.constants == chip.pvs_constants &&
                      c.vertex.inputs == chip.pvs_inputs && c.vertex.outputs == chip.pvs_outputs &&
                      c.vertex.loops == chip.pvs_flow_entries && c.vertex.loop_depth == chip.pvs_loop_depth &&
                      c.interpolators == chip.texcoord_sets;
  const bool fragment = c.fragment.slots == chip.us_slots && c.fragment.temps == chip.us_temps &&
                        c.fragment.constants == chip.us_constants && c.fragment.texture_units == chip.texture_units &&
                        c.fragment.targets == chip.color_targets && c.fragment.loop_constants == chip.us_int_constants &&
                        c.integers == chip.us_has_integers;
  return images && shaders && vertex && fragment;
}
static_assert(agree(hw::capabilities(hw::Profile::r500), kR500_VkPhysicalDeviceLimits, compiler::kR500));

// The vendor is ATI's PCI number because the chip is a model of theirs; VkPhysicalDeviceProperties::deviceType says CPU.
const std::vector<ChipInfo>& chips() {
  static const std::vector<ChipInfo> list = {{.name = "r500",
                                              .device_name = "Pumice R500 (strict)",
                                              .api_version = device_version(ChipFamily::radeon),
                                              .vendor_id = 0x1002,
                                              .device_id = 0x7100,
                                              .family = ChipFamily::radeon,
                                              .limits = kR500_VkPhysicalDeviceLimits,
                                              .features = kR500_VkPhysicalDeviceFeatures,
                                              .heap_bytes = 2ull << 30,
                                              .queue_flags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT,
                                              .surface_formats = kRadeonSurfaceFormats,
                                              .surface_usage = kRadeonSurfaceUsage,
                                              .format_properties = properties_of,
                                              .more_properties = nullptr,
                                              .create_device = create_radeon,
                                              .create_commands = create_radeon_commands,
                                              .profile = hw::Profile::r500,
                                              .compiler_chip = &compiler::kR500},
                                             r5x_chip(),
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
