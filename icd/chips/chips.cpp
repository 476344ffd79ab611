// SPDX-License-Identifier: MIT
/// The chip table: limits and features of each profile (vulkan-on-r5xx a1, a2). Values are what works, not what Vulkan wants:
/// a strict chip has no compute, no storage, no array textures.
#include <cstring>

#include "icd/command_buffer.h"
#include "icd/formats.h"
#include "icd/radeon.h"
#include "icd/rdp/chip.h"
#include "icd/version.h"

namespace pumice::icd {
namespace {

VkPhysicalDeviceFeatures r500_features() {
  VkPhysicalDeviceFeatures f{};
  f.robustBufferAccess = VK_TRUE;
  f.logicOp = VK_TRUE;
  f.fillModeNonSolid = VK_TRUE;
  f.wideLines = VK_TRUE;
  f.largePoints = VK_TRUE;
  f.samplerAnisotropy = VK_TRUE;
  f.shaderImageGatherExtended = VK_TRUE;
  f.shaderUniformBufferArrayDynamicIndexing = VK_TRUE;  // all are read and one is selected
  f.shaderSampledImageArrayDynamicIndexing = VK_TRUE;
  f.occlusionQueryPrecise = VK_TRUE;
  f.drawIndirectFirstInstance = VK_TRUE;
  f.multiDrawIndirect = VK_TRUE;
  return f;
}

VkPhysicalDeviceLimits r500_limits() {
  VkPhysicalDeviceLimits l{};
  l.maxImageDimension1D = 4096;
  l.maxImageDimension2D = 4096;
  l.maxImageDimension3D = 256;  // TX wants power-of-two depth; larger volumes hit the heap first
  l.maxImageDimensionCube = 4096;
  l.maxImageArrayLayers = 1;  // TEX_COORD_TYPE has no array; cubes have their six
  l.maxTexelBufferElements = 0;
  l.maxUniformBufferRange = 4096;  // 256 vec4 of a stage's constant file
  l.maxStorageBufferRange = 0;
  l.maxPushConstantsSize = 128;
  l.maxMemoryAllocationCount = 4096;
  l.maxSamplerAllocationCount = 4000;
  l.bufferImageGranularity = 1;
  l.sparseAddressSpaceSize = 0;
  l.maxBoundDescriptorSets = 4;
  l.maxPerStageDescriptorSamplers = 16;
  l.maxPerStageDescriptorUniformBuffers = 12;
  l.maxPerStageDescriptorStorageBuffers = 0;
  l.maxPerStageDescriptorSampledImages = 16;
  l.maxPerStageDescriptorStorageImages = 0;
  l.maxPerStageDescriptorInputAttachments = 4;
  l.maxPerStageResources = 32;
  l.maxDescriptorSetSamplers = 16;
  l.maxDescriptorSetUniformBuffers = 24;
  l.maxDescriptorSetUniformBuffersDynamic = 8;
  l.maxDescriptorSetStorageBuffers = 0;
  l.maxDescriptorSetStorageBuffersDynamic = 0;
  l.maxDescriptorSetSampledImages = 16;
  l.maxDescriptorSetStorageImages = 0;
  l.maxDescriptorSetInputAttachments = 4;
  l.maxVertexInputAttributes = 16;
  l.maxVertexInputBindings = 16;
  l.maxVertexInputAttributeOffset = 2047;
  l.maxVertexInputBindingStride = 2048;  // above 508 the driver rewrites the vertices
  l.maxVertexOutputComponents = 40;      // 10 texture coordinate sets
  l.maxFragmentInputComponents = 40;
  l.maxFragmentOutputAttachments = 4;
  l.maxFragmentDualSrcAttachments = 0;
  l.maxFragmentCombinedOutputResources = 4;
  l.subPixelPrecisionBits = 4;
  l.subTexelPrecisionBits = 8;
  l.mipmapPrecisionBits = 5;
  l.maxDrawIndexedIndexValue = (1u << 24) - 1;
  l.maxDrawIndirectCount = 65535;
  l.maxSamplerLodBias = 15.0f;
  l.maxSamplerAnisotropy = 16.0f;
  l.maxViewports = 1;
  l.maxViewportDimensions[0] = l.maxViewportDimensions[1] = 4096;
  l.viewportBoundsRange[0] = -8192.0f;
  l.viewportBoundsRange[1] = 8191.0f;
  l.viewportSubPixelBits = 4;
  l.minMemoryMapAlignment = 4096;
  l.minTexelBufferOffsetAlignment = 256;
  l.minUniformBufferOffsetAlignment = 16;
  l.minStorageBufferOffsetAlignment = 256;
  // Offsets are added in the program, to lookups of images with one level or an explicit level.
  l.minTexelOffset = l.minTexelGatherOffset = -8;
  l.maxTexelOffset = l.maxTexelGatherOffset = 7;
  // GB has 3 and 6 as well, which Vulkan has not.
  l.framebufferColorSampleCounts = l.framebufferDepthSampleCounts = l.framebufferStencilSampleCounts =
      l.framebufferNoAttachmentsSampleCounts = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT;
  l.maxFramebufferWidth = l.maxFramebufferHeight = 4096;
  l.maxFramebufferLayers = 1;
  l.maxColorAttachments = 4;
  l.sampledImageColorSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  l.sampledImageIntegerSampleCounts = 0;
  l.sampledImageDepthSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  l.sampledImageStencilSampleCounts = 0;
  l.storageImageSampleCounts = 0;
  l.maxSampleMaskWords = 1;
  l.timestampComputeAndGraphics = VK_FALSE;
  l.timestampPeriod = 1.0f;
  l.discreteQueuePriorities = 2;
  l.pointSizeRange[0] = 1.0f;
  l.pointSizeRange[1] = 2048.0f;
  l.lineWidthRange[0] = 1.0f;
  l.lineWidthRange[1] = 64.0f;
  l.pointSizeGranularity = 0.125f;
  l.lineWidthGranularity = 0.125f;
  l.strictLines = VK_TRUE;  // GA_LINE_CNTL.END_TYPE perpendicular: rectangles
  l.standardSampleLocations = VK_FALSE;
  l.optimalBufferCopyOffsetAlignment = 4;
  l.optimalBufferCopyRowPitchAlignment = 32;
  l.nonCoherentAtomSize = 1;
  return l;
}

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

// The vendor is ATI's PCI number because the chip is a model of theirs; VkPhysicalDeviceProperties::deviceType says CPU.
const std::vector<ChipInfo>& chips() {
  static const std::vector<ChipInfo> list = {{.name = "r500",
                                              .device_name = "Pumice R500 (strict)",
                                              .api_version = kVulkan10,
                                              .vendor_id = 0x1002,
                                              .device_id = 0x7100,
                                              .family = ChipFamily::radeon,
                                              .limits = r500_limits(),
                                              .features = r500_features(),
                                              .heap_bytes = 2ull << 30,
                                              .queue_flags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT,
                                              .surface_formats = kRadeonSurfaceFormats,
                                              .surface_usage = kRadeonSurfaceUsage,
                                              .format_properties = properties_of,
                                              .more_properties = nullptr,
                                              .create_device = create_radeon,
                                              .create_commands = create_radeon_commands,
                                              .profile = hw::Profile::r500,
                                              .compiler_chip = compiler::Chip::r500},
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
