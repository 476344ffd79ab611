// SPDX-License-Identifier: MIT
#include "icd/r5x/chip.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "compiler/float_modes.h"
#include "hw/db/chips.h"
#include "icd/chip_tables.h"
#include "icd/formats.h"
#include "icd/names.h"
#include "icd/pipeline_cache.h"
#include "icd/r5x/command_buffer.h"
#include "icd/r5x/descriptor.h"
#include "icd/version.h"

namespace pumice::icd {
namespace {

constexpr const VkPhysicalDeviceLimits& kLimits = kR5x_VkPhysicalDeviceLimits;
static_assert(kLimits.maxUniformBufferRange == r5x::kMostInlineBytes && kLimits.minUniformBufferOffsetAlignment <= 16);
static_assert(kLimits.maxBoundDescriptorSets == r5x::kSets && kLimits.maxPushConstantsSize == r5x::kPushBytes);
static_assert(kLimits.maxColorAttachments == r5x::kTargets && kLimits.maxViewports <= r5x::kViewportCount);
static_assert(kLimits.maxVertexInputBindings == r5x::kVertexBufferCount &&
              kLimits.maxVertexInputAttributes == hw::capabilities(hw::Profile::r5x).x_attributes);
static_assert(kLimits.maxComputeSharedMemorySize == hw::capabilities(hw::Profile::r5x).local_memory);

Device* create_device(PhysicalDevice& physical, const DeviceExtensions& enabled, const VkAllocationCallbacks* a) {
  static_assert(alignof(r5x::R5xDevice) == alignof(Device), "vkDestroyDevice frees a Device");
  return create<r5x::R5xDevice>(a, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE, physical, enabled);
}
Commands* create_commands(Device& device, CommandPool& pool, VkCommandBufferLevel level) {
  static_assert(alignof(r5x::CommandBuffer) == alignof(Commands), "pools free Commands");
  return create<r5x::CommandBuffer>(nullptr, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, r5x::r5x_of(device), pool, level);
}

/// The host's memory, limited to the 4 GiB that packets of the R5xx can address.
uint64_t heap_bytes() {
  constexpr uint64_t kMost = 3584ull << 20;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? std::min(kMost, static_cast<uint64_t>(pages) * static_cast<uint64_t>(page)) : kMost;
}

/// A structure of features: VkBool32 behind its place in a chain.
struct FeatureRow {
  VkStructureType type;
  const VkBool32* first;
  uint32_t count;
};
/// `last`: the last member; padding follows, which applications leave uninitialised.
template <class T>
FeatureRow row(const T& values, const VkBool32 T::*last) {
  const auto* first = reinterpret_cast<const VkBool32*>(&values) + sizeof(VkBaseOutStructure) / sizeof(VkBool32);
  return {values.sType, first, static_cast<uint32_t>(&(values.*last) - first) + 1};
}
std::span<const FeatureRow> feature_rows() {
  static const FeatureRow kRows[] = {
      row(kR5x_VkPhysicalDevice8BitStorageFeatures, &VkPhysicalDevice8BitStorageFeatures::storagePushConstant8),
      row(kR5x_VkPhysicalDevice16BitStorageFeatures, &VkPhysicalDevice16BitStorageFeatures::storageInputOutput16),
      row(kR5x_VkPhysicalDeviceShaderFloat16Int8Features, &VkPhysicalDeviceShaderFloat16Int8Features::shaderInt8),
      row(kR5x_VkPhysicalDeviceVariablePointersFeatures, &VkPhysicalDeviceVariablePointersFeatures::variablePointers),
      row(kR5x_VkPhysicalDeviceMultiviewFeatures, &VkPhysicalDeviceMultiviewFeatures::multiviewTessellationShader),
      row(kR5x_VkPhysicalDeviceShaderDrawParametersFeatures, &VkPhysicalDeviceShaderDrawParametersFeatures::shaderDrawParameters),
      row(kR5x_VkPhysicalDeviceProtectedMemoryFeatures, &VkPhysicalDeviceProtectedMemoryFeatures::protectedMemory),
      row(kR5x_VkPhysicalDeviceSamplerYcbcrConversionFeatures, &VkPhysicalDeviceSamplerYcbcrConversionFeatures::samplerYcbcrConversion),
      row(kR5x_VkPhysicalDeviceTimelineSemaphoreFeatures, &VkPhysicalDeviceTimelineSemaphoreFeatures::timelineSemaphore),
      row(kR5x_VkPhysicalDeviceSynchronization2Features, &VkPhysicalDeviceSynchronization2Features::synchronization2),
      row(kR5x_VkPhysicalDeviceDynamicRenderingFeatures, &VkPhysicalDeviceDynamicRenderingFeatures::dynamicRendering),
      row(kR5x_VkPhysicalDeviceExtendedDynamicStateFeaturesEXT, &VkPhysicalDeviceExtendedDynamicStateFeaturesEXT::extendedDynamicState),
      row(kR5x_VkPhysicalDeviceExtendedDynamicState2FeaturesEXT,
          &VkPhysicalDeviceExtendedDynamicState2FeaturesEXT::extendedDynamicState2PatchControlPoints),
      row(kR5x_VkPhysicalDeviceImagelessFramebufferFeatures, &VkPhysicalDeviceImagelessFramebufferFeatures::imagelessFramebuffer),
      row(kR5x_VkPhysicalDeviceHostQueryResetFeatures, &VkPhysicalDeviceHostQueryResetFeatures::hostQueryReset),
      row(kR5x_VkPhysicalDeviceIndexTypeUint8FeaturesEXT, &VkPhysicalDeviceIndexTypeUint8FeaturesEXT::indexTypeUint8),
      row(kR5x_VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures,
          &VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures::separateDepthStencilLayouts),
      row(kR5x_VkPhysicalDeviceUniformBufferStandardLayoutFeatures,
          &VkPhysicalDeviceUniformBufferStandardLayoutFeatures::uniformBufferStandardLayout),
      row(kR5x_VkPhysicalDeviceScalarBlockLayoutFeatures, &VkPhysicalDeviceScalarBlockLayoutFeatures::scalarBlockLayout),
      row(kR5x_VkPhysicalDeviceDescriptorIndexingFeatures, &VkPhysicalDeviceDescriptorIndexingFeatures::runtimeDescriptorArray),
      row(kR5x_VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures,
          &VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures::shaderDemoteToHelperInvocation),
      row(kR5x_VkPhysicalDeviceShaderTerminateInvocationFeatures,
          &VkPhysicalDeviceShaderTerminateInvocationFeatures::shaderTerminateInvocation),
      row(kR5x_VkPhysicalDeviceVulkanMemoryModelFeatures,
          &VkPhysicalDeviceVulkanMemoryModelFeatures::vulkanMemoryModelAvailabilityVisibilityChains),
      row(kR5x_VkPhysicalDeviceSubgroupSizeControlFeatures, &VkPhysicalDeviceSubgroupSizeControlFeatures::computeFullSubgroups),
      row(kR5x_VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures,
          &VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures::shaderZeroInitializeWorkgroupMemory),
      row(kR5x_VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures,
          &VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures::shaderSubgroupExtendedTypes),
      row(kR5x_VkPhysicalDeviceShaderIntegerDotProductFeatures, &VkPhysicalDeviceShaderIntegerDotProductFeatures::shaderIntegerDotProduct),
      row(kR5x_VkPhysicalDeviceShaderClockFeaturesKHR, &VkPhysicalDeviceShaderClockFeaturesKHR::shaderDeviceClock),
      row(kR5x_VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR,
          &VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR::workgroupMemoryExplicitLayout16BitAccess),
      row(kR5x_VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, &VkPhysicalDeviceShaderAtomicFloatFeaturesEXT::sparseImageFloat32AtomicAdd),
      row(kR5x_VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT,
          &VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT::sparseImageFloat32AtomicMinMax),
      row(kR5x_VkPhysicalDeviceShaderAtomicInt64Features, &VkPhysicalDeviceShaderAtomicInt64Features::shaderSharedInt64Atomics),
      row(kR5x_VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT,
          &VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT::sparseImageInt64Atomics),
      row(kR5x_VkPhysicalDeviceBufferDeviceAddressFeatures, &VkPhysicalDeviceBufferDeviceAddressFeatures::bufferDeviceAddressMultiDevice),
      row(kR5x_VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT,
          &VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT::primitiveTopologyPatchListRestart),
      row(kR5x_VkPhysicalDeviceImageRobustnessFeatures, &VkPhysicalDeviceImageRobustnessFeatures::robustImageAccess),
      row(kR5x_VkPhysicalDeviceInlineUniformBlockFeatures,
          &VkPhysicalDeviceInlineUniformBlockFeatures::descriptorBindingInlineUniformBlockUpdateAfterBind),
      row(kR5x_VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT,
          &VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT::vertexInputDynamicState),
      row(kR5x_VkPhysicalDeviceMaintenance4Features, &VkPhysicalDeviceMaintenance4Features::maintenance4),
      row(kR5x_VkPhysicalDevicePrivateDataFeatures, &VkPhysicalDevicePrivateDataFeatures::privateData),
      row(kR5x_VkPhysicalDevicePipelineCreationCacheControlFeatures,
          &VkPhysicalDevicePipelineCreationCacheControlFeatures::pipelineCreationCacheControl),
      row(kR5x_VkPhysicalDeviceColorWriteEnableFeaturesEXT, &VkPhysicalDeviceColorWriteEnableFeaturesEXT::colorWriteEnable),
      row(kR5x_VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
          &VkPhysicalDeviceExtendedDynamicState3FeaturesEXT::extendedDynamicState3ShadingRateImageEnable),
      row(kR5x_VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT,
          &VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT::graphicsPipelineLibrary),
      row(kR5x_VkPhysicalDeviceMultiDrawFeaturesEXT, &VkPhysicalDeviceMultiDrawFeaturesEXT::multiDraw),
      row(kR5x_VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT, &VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT::texelBufferAlignment),
      row(kR5x_VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT,
          &VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT::vertexAttributeInstanceRateZeroDivisor),
      row(kR5x_VkPhysicalDeviceConditionalRenderingFeaturesEXT,
          &VkPhysicalDeviceConditionalRenderingFeaturesEXT::inheritedConditionalRendering),
      row(kR5x_VkPhysicalDeviceCustomBorderColorFeaturesEXT, &VkPhysicalDeviceCustomBorderColorFeaturesEXT::customBorderColorWithoutFormat),
      row(kR5x_VkPhysicalDeviceBorderColorSwizzleFeaturesEXT, &VkPhysicalDeviceBorderColorSwizzleFeaturesEXT::borderColorSwizzleFromImage),
      row(kR5x_VkPhysicalDeviceRobustness2FeaturesEXT, &VkPhysicalDeviceRobustness2FeaturesEXT::nullDescriptor),
      row(kR5x_VkPhysicalDeviceDepthClipEnableFeaturesEXT, &VkPhysicalDeviceDepthClipEnableFeaturesEXT::depthClipEnable),
      row(kR5x_VkPhysicalDeviceDepthClipControlFeaturesEXT, &VkPhysicalDeviceDepthClipControlFeaturesEXT::depthClipControl),
      row(kR5x_VkPhysicalDeviceDepthClampZeroOneFeaturesEXT, &VkPhysicalDeviceDepthClampZeroOneFeaturesEXT::depthClampZeroOne),
      row(kR5x_VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT, &VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT::mutableDescriptorType),
      row(kR5x_VkPhysicalDevicePipelineRobustnessFeaturesEXT, &VkPhysicalDevicePipelineRobustnessFeaturesEXT::pipelineRobustness),
      row(kR5x_VkPhysicalDeviceProvokingVertexFeaturesEXT,
          &VkPhysicalDeviceProvokingVertexFeaturesEXT::transformFeedbackPreservesProvokingVertex),
      row(kR5x_VkPhysicalDevice4444FormatsFeaturesEXT, &VkPhysicalDevice4444FormatsFeaturesEXT::formatA4B4G4R4),
      row(kR5x_VkPhysicalDeviceLineRasterizationFeaturesEXT, &VkPhysicalDeviceLineRasterizationFeaturesEXT::stippledSmoothLines),
      row(kR5x_VkPhysicalDeviceImage2DViewOf3DFeaturesEXT, &VkPhysicalDeviceImage2DViewOf3DFeaturesEXT::sampler2DViewOf3D),
      row(kR5x_VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT, &VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT::nonSeamlessCubeMap),
      row(kR5x_VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT,
          &VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT::rasterizationOrderStencilAttachmentAccess),
      row(kR5x_VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT,
          &VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT::attachmentFeedbackLoopLayout),
  };
  return kRows;
}
const FeatureRow* find_features(VkStructureType type) {
  const std::span<const FeatureRow> rows = feature_rows();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const FeatureRow& r) { return r.type == type; });
  return at == rows.end() ? nullptr : &*at;
}

void more_features(void* chain) {
  for (auto* b = static_cast<VkBaseOutStructure*>(chain); b; b = b->pNext)
    if (const FeatureRow* r = find_features(b->sType)) std::copy_n(r->first, r->count, reinterpret_cast<VkBool32*>(b + 1));
}

bool knows_structure(VkStructureType type) {
  return find_features(type) || type == VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO ||
         type == VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO;
}

std::string lacking_features(const void* chain) {
  std::string out;
  for (auto* b = static_cast<const VkBaseInStructure*>(chain); b; b = b->pNext) {
    const FeatureRow* r = find_features(b->sType);
    const auto* wanted = reinterpret_cast<const VkBool32*>(b + 1);
    bool lacks = false;
    for (uint32_t i = 0; r && i < r->count; ++i) lacks |= wanted[i] && !r->first[i];
    if (lacks) out += (out.empty() ? "" : ", ") + std::string("one of ") + name_of(b->sType);
  }
  return out;
}

/// Sets are memory, which draws read when they run, and every lane chooses its own descriptors. The limits are those of eight full sets.
void descriptor_indexing(const ChipInfo& chip, VkPhysicalDeviceDescriptorIndexingProperties& p) {
  constexpr uint32_t kMost = r5x::kSets * r5x::kMostPerSet;
  p.maxUpdateAfterBindDescriptorsInAllPools =
      static_cast<uint32_t>(std::min<uint64_t>(chip.heap_bytes / r5x::kDescriptorBytes, UINT32_MAX));
  // Where the code does not name the descriptor, fast fetches lane by lane (translate_memory.cpp, translate_texture.cpp).
  p.shaderUniformBufferArrayNonUniformIndexingNative = p.shaderSampledImageArrayNonUniformIndexingNative =
      p.shaderStorageBufferArrayNonUniformIndexingNative = p.shaderStorageImageArrayNonUniformIndexingNative =
          p.shaderInputAttachmentArrayNonUniformIndexingNative = VK_FALSE;
  p.robustBufferAccessUpdateAfterBind = VK_TRUE;
  p.quadDivergentImplicitLod = VK_FALSE;
  p.maxPerStageDescriptorUpdateAfterBindSamplers = p.maxPerStageDescriptorUpdateAfterBindUniformBuffers =
      p.maxPerStageDescriptorUpdateAfterBindStorageBuffers = p.maxPerStageDescriptorUpdateAfterBindSampledImages =
          p.maxPerStageDescriptorUpdateAfterBindStorageImages = p.maxPerStageDescriptorUpdateAfterBindInputAttachments =
              p.maxPerStageUpdateAfterBindResources = kMost;
  p.maxDescriptorSetUpdateAfterBindSamplers = p.maxDescriptorSetUpdateAfterBindUniformBuffers =
      p.maxDescriptorSetUpdateAfterBindStorageBuffers = p.maxDescriptorSetUpdateAfterBindSampledImages =
          p.maxDescriptorSetUpdateAfterBindStorageImages = p.maxDescriptorSetUpdateAfterBindInputAttachments = kMost;
  p.maxDescriptorSetUpdateAfterBindUniformBuffersDynamic = chip.limits.maxDescriptorSetUniformBuffersDynamic;
  p.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic = chip.limits.maxDescriptorSetStorageBuffersDynamic;
}

constexpr VkShaderStageFlags kSubgroupStages = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;

void float_controls(VkPhysicalDeviceFloatControlsProperties& p) {
  constexpr const compiler::FloatModes& kModes = compiler::kFloatModes;
  const auto has = [](uint32_t widths, uint32_t width) -> VkBool32 { return (widths & width) != 0; };
  // A width's modes are the only ones that it has, so that all combinations of what is reported can be asked for.
  p.denormBehaviorIndependence = p.roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
  p.shaderSignedZeroInfNanPreserveFloat16 = has(kModes.signed_zero_inf_nan_preserve, 16);
  p.shaderSignedZeroInfNanPreserveFloat32 = has(kModes.signed_zero_inf_nan_preserve, 32);
  p.shaderSignedZeroInfNanPreserveFloat64 = has(kModes.signed_zero_inf_nan_preserve, 64);
  p.shaderDenormPreserveFloat16 = has(kModes.denorm_preserve, 16);
  p.shaderDenormPreserveFloat32 = has(kModes.denorm_preserve, 32);
  p.shaderDenormPreserveFloat64 = has(kModes.denorm_preserve, 64);
  p.shaderDenormFlushToZeroFloat16 = has(kModes.denorm_flush_to_zero, 16);
  p.shaderDenormFlushToZeroFloat32 = has(kModes.denorm_flush_to_zero, 32);
  p.shaderDenormFlushToZeroFloat64 = has(kModes.denorm_flush_to_zero, 64);
  p.shaderRoundingModeRTEFloat16 = has(kModes.rounding_rte, 16);
  p.shaderRoundingModeRTEFloat32 = has(kModes.rounding_rte, 32);
  p.shaderRoundingModeRTEFloat64 = has(kModes.rounding_rte, 64);
  p.shaderRoundingModeRTZFloat16 = has(kModes.rounding_rtz, 16);
  p.shaderRoundingModeRTZFloat32 = has(kModes.rounding_rtz, 32);
  p.shaderRoundingModeRTZFloat64 = has(kModes.rounding_rtz, 64);
}

void more_properties(const ChipInfo& chip, void* chain) {
  for (auto* b = static_cast<VkBaseOutStructure*>(chain); b; b = b->pNext) {
    switch (b->sType) {
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceMaintenance3Properties*>(b);
        p->maxPerSetDescriptors = r5x::kMostPerSet;
        p->maxMemoryAllocationSize = chip.heap_bytes;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES: {
        // Memory and semaphores are shared between devices of the same driver: any of this build.
        auto* p = reinterpret_cast<VkPhysicalDeviceIDProperties*>(b);
        const CacheUuid uuid = pipeline_cache_uuid(chip);
        std::copy(uuid.begin(), uuid.end(), p->deviceUUID);
        std::copy(uuid.begin(), uuid.end(), p->driverUUID);
        p->deviceNodeMask = 0;
        p->deviceLUIDValid = VK_FALSE;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceMultiviewProperties*>(b);
        p->maxMultiviewViewCount = r5x::kMostViews;
        p->maxMultiviewInstanceIndex = UINT32_MAX;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(b);
        p->subgroupSize = r5x::kSubgroup;
        p->supportedStages = kSubgroupStages;
        p->supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
                                 VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
                                 VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT | VK_SUBGROUP_FEATURE_CLUSTERED_BIT |
                                 VK_SUBGROUP_FEATURE_QUAD_BIT;
        p->quadOperationsInAllStages = VK_FALSE;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlProperties*>(b);
        p->minSubgroupSize = p->maxSubgroupSize = r5x::kSubgroup;
        p->maxComputeWorkgroupSubgroups = (chip.limits.maxComputeWorkGroupInvocations + r5x::kSubgroup - 1) / r5x::kSubgroup;
        p->requiredSubgroupSizeStages = kSubgroupStages;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES:
        reinterpret_cast<VkPhysicalDeviceProtectedMemoryProperties*>(b)->protectedNoFault = VK_FALSE;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR:
        reinterpret_cast<VkPhysicalDevicePushDescriptorPropertiesKHR*>(b)->maxPushDescriptors = r5x::kMostPerSet;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES:
        descriptor_indexing(chip, *reinterpret_cast<VkPhysicalDeviceDescriptorIndexingProperties*>(b));
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES:
        float_controls(*reinterpret_cast<VkPhysicalDeviceFloatControlsProperties*>(b));
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES: {
        // The chip has no instruction for any of them.
        auto& p = *reinterpret_cast<VkPhysicalDeviceShaderIntegerDotProductProperties*>(b);
        p = {.sType = p.sType, .pNext = p.pNext};
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES:
        reinterpret_cast<VkPhysicalDevicePointClippingProperties*>(b)->pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES:
        reinterpret_cast<VkPhysicalDeviceTimelineSemaphoreProperties*>(b)->maxTimelineSemaphoreValueDifference = UINT64_MAX;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceDepthStencilResolveProperties*>(b);
        p->supportedDepthResolveModes = p->supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
        p->independentResolveNone = p->independentResolve = VK_TRUE;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT:
        reinterpret_cast<VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT*>(b)->maxVertexAttribDivisor = UINT32_MAX - 1;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceInlineUniformBlockProperties*>(b);
        constexpr uint32_t kMostBlocks = 256;  // of the largest size, in a pool of many sets
        p->maxInlineUniformBlockSize = r5x::kMostInlineBytes;
        p->maxPerStageDescriptorInlineUniformBlocks = p->maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks =
            p->maxDescriptorSetInlineUniformBlocks = p->maxDescriptorSetUpdateAfterBindInlineUniformBlocks = kMostBlocks;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES:
        reinterpret_cast<VkPhysicalDeviceMaintenance4Properties*>(b)->maxBufferSize = chip.heap_bytes;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT:
        // The compiler adds a point size to vertex programs of pipelines for points.
        reinterpret_cast<VkPhysicalDeviceExtendedDynamicState3PropertiesEXT*>(b)->dynamicPrimitiveTopologyUnrestricted = VK_FALSE;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT: {
        auto* p = reinterpret_cast<VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT*>(b);
        // Linking compiles; it sees all stages then, so decorations may differ.
        p->graphicsPipelineLibraryFastLinking = VK_FALSE;
        p->graphicsPipelineLibraryIndependentInterpolationDecoration = VK_TRUE;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_PROPERTIES_EXT:
        reinterpret_cast<VkPhysicalDeviceMultiDrawPropertiesEXT*>(b)->maxMultiDrawCount = 1u << 16;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceTexelBufferAlignmentProperties*>(b);
        // Texels lie at their own size.
        p->storageTexelBufferOffsetAlignmentBytes = chip.limits.minTexelBufferOffsetAlignment;
        p->uniformTexelBufferOffsetAlignmentBytes = chip.limits.minTexelBufferOffsetAlignment;
        p->storageTexelBufferOffsetSingleTexelAlignment = p->uniformTexelBufferOffsetSingleTexelAlignment = VK_TRUE;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT:
        reinterpret_cast<VkPhysicalDeviceCustomBorderColorPropertiesEXT*>(b)->maxCustomBorderColorSamplers =
            chip.limits.maxSamplerAllocationCount;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT: {
        // Each component is checked for itself, to the byte.
        auto* p = reinterpret_cast<VkPhysicalDeviceRobustness2PropertiesEXT*>(b);
        p->robustStorageBufferAccessSizeAlignment = p->robustUniformBufferAccessSizeAlignment = 1;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES_EXT: {
        // Every access is checked, whatever a pipeline asks for.
        auto* p = reinterpret_cast<VkPhysicalDevicePipelineRobustnessPropertiesEXT*>(b);
        p->defaultRobustnessStorageBuffers = p->defaultRobustnessUniformBuffers = p->defaultRobustnessVertexInputs =
            VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
        p->defaultRobustnessImages = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT: {
        auto* p = reinterpret_cast<VkPhysicalDeviceProvokingVertexPropertiesEXT*>(b);
        p->provokingVertexModePerPipeline = VK_TRUE;
        p->transformFeedbackPreservesTriangleFanProvokingVertex = VK_FALSE;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT:
        reinterpret_cast<VkPhysicalDeviceLineRasterizationPropertiesEXT*>(b)->lineSubPixelPrecisionBits = chip.limits.subPixelPrecisionBits;
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceSamplerFilterMinmaxProperties*>(b);
        p->filterMinmaxSingleComponentFormats = p->filterMinmaxImageComponentMapping = VK_TRUE;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES: {
        auto* p = reinterpret_cast<VkPhysicalDeviceDriverProperties*>(b);
        p->driverID = VkDriverId{};  // none is registered for this driver
        std::snprintf(p->driverName, sizeof p->driverName, "Pumice");
        std::snprintf(p->driverInfo, sizeof p->driverInfo, "%u.%u.%u", VK_API_VERSION_MAJOR(kDriverVersion),
                      VK_API_VERSION_MINOR(kDriverVersion), VK_API_VERSION_PATCH(kDriverVersion));
        p->conformanceVersion = {0, 0, 0, 0};  // has not been submitted
        break;
      }
      default: break;
    }
  }
}

constexpr VkFormat kSurfaceFormats[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB};
constexpr VkImageUsageFlags kSurfaceUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                            VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                            VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;

}  // namespace

ChipInfo r5x_chip() {
  return {.name = "r5x",
          .device_name = "Pumice R5xx with extension blocks",
          .api_version = device_version(ChipFamily::r5x),
          .vendor_id = 0x1002,
          .device_id = 0x7000,  // not of a real chip: XOR the vendor's it is below the others (physical_device.h)
          .family = ChipFamily::r5x,
          .limits = kR5x_VkPhysicalDeviceLimits,
          .features = kR5x_VkPhysicalDeviceFeatures,
          .heap_bytes = heap_bytes(),
          .queue_flags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
          .timestamp_bits = 64,
          .surface_formats = kSurfaceFormats,
          .surface_usage = kSurfaceUsage,
          .format_properties = r5x_properties_of,
          .more_properties = more_properties,
          .more_features = more_features,
          .lacking_features = lacking_features,
          .knows_structure = knows_structure,
          .create_device = create_device,
          .create_commands = create_commands,
          .profile = hw::Profile::r5x,
          .compiler_chip = &compiler::kR5x};
}

}  // namespace pumice::icd
