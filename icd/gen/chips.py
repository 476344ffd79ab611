# SPDX-License-Identifier: MIT
"""What each chip's device says it can do: structures of the Vulkan registry, filled. gen_chips.py checks names, types and that nothing is
forgotten. Values are what works, not what Vulkan requires (docs/reference, vulkan-on-r5xx a1, a2).

A row: structure -> a list of the names that are VK_TRUE (structures of features), or {member: value} (limits). "inherits" takes another
row's values for what is not stated. "absent" lists patterns of members that are 0 because the chip has nothing of the kind.
Numbers of sample counts are VkSampleCountFlags. What the chip itself bounds is read from its row of hw/db/chips.xml.
"""
import pathlib
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "hw/db/gen"))
import database  # noqa: E402

ROWS = {name: types.SimpleNamespace(**chip.values) for name, chip in database.load_chips([str(ROOT / "hw/db/chips.xml")]).chips.items()}
R500 = ROWS["r500"]
R500_IMAGE = min(R500.texture_extent, R500.target_extent)
R300 = ROWS["r300"]
R300_IMAGE = min(R300.texture_extent, R300.target_extent)
R5X = ROWS["r5x"]


def samples(most):
    """VkSampleCountFlags of 1, 2, 4, ... `most`."""
    return 2 * (1 << most.bit_length() - 1) - 1


CHIPS = {
    # Strict: no compute, no storage, no array textures.
    "r500": {
        "VkPhysicalDeviceFeatures": """
            robustBufferAccess logicOp fillModeNonSolid wideLines largePoints samplerAnisotropy shaderImageGatherExtended
            occlusionQueryPrecise drawIndirectFirstInstance multiDrawIndirect
            shaderUniformBufferArrayDynamicIndexing shaderSampledImageArrayDynamicIndexing
        """.split(),  # arrays: all elements are read and one is selected
        "VkPhysicalDeviceLimits": {
            "maxImageDimension1D": R500_IMAGE,
            "maxImageDimension2D": R500_IMAGE,
            "maxImageDimension3D": 256,  # TX requires power-of-two depth; larger volumes hit the heap first
            "maxImageDimensionCube": R500_IMAGE,
            "maxImageArrayLayers": 1,  # TEX_COORD_TYPE has no array; cubes have their six
            "maxUniformBufferRange": 16 * min(R500.us_constants, R500.pvs_constants),  # the constant file of one stage
            "maxPushConstantsSize": 128,
            "maxMemoryAllocationCount": 4096,
            "maxSamplerAllocationCount": 4000,
            "bufferImageGranularity": 1,
            "maxBoundDescriptorSets": 4,
            "maxPerStageDescriptorSamplers": R500.texture_units,
            "maxPerStageDescriptorUniformBuffers": 12,
            "maxPerStageDescriptorSampledImages": R500.texture_units,
            "maxPerStageDescriptorInputAttachments": 4,
            "maxPerStageResources": 32,
            "maxDescriptorSetSamplers": R500.texture_units,
            "maxDescriptorSetUniformBuffers": 24,
            "maxDescriptorSetUniformBuffersDynamic": 8,
            "maxDescriptorSetSampledImages": R500.texture_units,
            "maxDescriptorSetInputAttachments": 4,
            "maxVertexInputAttributes": R500.vertex_elements,
            "maxVertexInputBindings": R500.vertex_arrays,
            "maxVertexInputAttributeOffset": 2047,
            "maxVertexInputBindingStride": 2048,  # above 508 the driver rewrites the vertices
            "maxVertexOutputComponents": 4 * R500.texcoord_sets,
            "maxFragmentInputComponents": 4 * R500.texcoord_sets,
            "maxFragmentOutputAttachments": R500.color_targets,
            "maxFragmentCombinedOutputResources": R500.color_targets,
            "subPixelPrecisionBits": 4,
            "subTexelPrecisionBits": 8,
            "mipmapPrecisionBits": 5,
            "maxDrawIndexedIndexValue": (1 << 24) - 1,
            "maxDrawIndirectCount": 65535,
            "maxSamplerLodBias": 15.0,
            "maxSamplerAnisotropy": 16.0,
            "maxViewports": 1,
            "maxViewportDimensions": [R500.target_extent, R500.target_extent],
            "viewportBoundsRange": [-float(R500.raster_extent), float(R500.raster_extent - 1)],
            "viewportSubPixelBits": 4,
            "minMemoryMapAlignment": 4096,
            "minTexelBufferOffsetAlignment": 256,
            "minUniformBufferOffsetAlignment": 16,
            "minStorageBufferOffsetAlignment": 256,
            # Offsets are added in the program, to lookups of images with one level or an explicit level.
            "minTexelOffset": -8,
            "maxTexelOffset": 7,
            "minTexelGatherOffset": -8,
            "maxTexelGatherOffset": 7,
            "maxFramebufferWidth": R500.target_extent,
            "maxFramebufferHeight": R500.target_extent,
            "maxFramebufferLayers": 1,
            # GB also supports 3 and 6, which Vulkan does not have.
            "framebufferColorSampleCounts": 1 | 2 | 4,
            "framebufferDepthSampleCounts": 1 | 2 | 4,
            "framebufferStencilSampleCounts": 1 | 2 | 4,
            "framebufferNoAttachmentsSampleCounts": 1 | 2 | 4,
            "maxColorAttachments": R500.color_targets,
            "sampledImageColorSampleCounts": 1,
            "sampledImageIntegerSampleCounts": 0,
            "sampledImageDepthSampleCounts": 1,
            "sampledImageStencilSampleCounts": 0,
            "storageImageSampleCounts": 0,
            "maxSampleMaskWords": 1,
            "timestampComputeAndGraphics": False,
            "timestampPeriod": 1.0,
            "discreteQueuePriorities": 2,
            "pointSizeRange": [1.0, float(R500.point_extent)],
            "lineWidthRange": [1.0, float(R500.line_extent)],
            "pointSizeGranularity": 0.125,
            "lineWidthGranularity": 0.125,
            "strictLines": True,  # GA_LINE_CNTL.END_TYPE perpendicular: rectangles
            "standardSampleLocations": False,
            "optimalBufferCopyOffsetAlignment": 4,
            "optimalBufferCopyRowPitchAlignment": 32,
            "nonCoherentAtomSize": 1,
            "absent": ["sparse*", "max*Storage*", "maxTexelBufferElements", "maxFragmentDualSrcAttachments", "maxTessellation*",
                       "maxGeometry*", "maxCompute*", "*ClipDistances", "*CullDistances", "maxCombinedClipAndCullDistances",
                       "*InterpolationOffset*"],
        },
    },
    # Strict: what of the R5xx's the R3xx has. Lookups choose their level themselves, so gathers are not offered.
    "r300": {
        "inherits": "r500",
        "VkPhysicalDeviceFeatures": {"shaderImageGatherExtended": False},
        "VkPhysicalDeviceLimits": {
            "maxImageDimension1D": R300_IMAGE,
            "maxImageDimension2D": R300_IMAGE,
            "maxImageDimensionCube": R300_IMAGE,
            "maxUniformBufferRange": 16 * R300.pvs_constants,  # of the vertex stage; the fragment stage has 32 vectors
            "maxVertexOutputComponents": 4 * R300.texcoord_sets,
            "maxFragmentInputComponents": 4 * R300.texcoord_sets,
            "maxViewportDimensions": [R300.target_extent, R300.target_extent],
            "maxFramebufferWidth": R300.target_extent,
            "maxFramebufferHeight": R300.target_extent,
        },
    },
    # With extension blocks (docs/r5x.md).
    "r5x": {
        "VkPhysicalDeviceFeatures": """
            robustBufferAccess fullDrawIndexUint32 imageCubeArray independentBlend dualSrcBlend logicOp fillModeNonSolid wideLines largePoints samplerAnisotropy
            multiDrawIndirect drawIndirectFirstInstance depthClamp depthBiasClamp depthBounds alphaToOne sampleRateShading
            textureCompressionBC textureCompressionETC2 textureCompressionASTC_LDR occlusionQueryPrecise inheritedQueries
            pipelineStatisticsQuery shaderInt16 shaderInt64 shaderFloat64 variableMultisampleRate shaderStorageImageMultisample
            vertexPipelineStoresAndAtomics fragmentStoresAndAtomics shaderImageGatherExtended shaderStorageImageExtendedFormats
            shaderStorageImageReadWithoutFormat shaderStorageImageWriteWithoutFormat
            shaderUniformBufferArrayDynamicIndexing shaderSampledImageArrayDynamicIndexing
            shaderStorageBufferArrayDynamicIndexing shaderStorageImageArrayDynamicIndexing
            shaderClipDistance shaderCullDistance
        """.split(),
        # Structures of chains; r5x/chip.cpp fills them in.
        "VkPhysicalDevice8BitStorageFeatures": ["storageBuffer8BitAccess", "uniformAndStorageBuffer8BitAccess", "storagePushConstant8"],
        "VkPhysicalDevice16BitStorageFeatures": ["storageBuffer16BitAccess", "uniformAndStorageBuffer16BitAccess", "storagePushConstant16"],
        "VkPhysicalDeviceShaderFloat16Int8Features": ["shaderFloat16", "shaderInt8"],
        "VkPhysicalDeviceVariablePointersFeatures": ["variablePointersStorageBuffer", "variablePointers"],
        "VkPhysicalDeviceMultiviewFeatures": ["multiview"],
        "VkPhysicalDeviceShaderDrawParametersFeatures": ["shaderDrawParameters"],
        "VkPhysicalDeviceProtectedMemoryFeatures": [],
        "VkPhysicalDeviceSamplerYcbcrConversionFeatures": [],
        "VkPhysicalDeviceTimelineSemaphoreFeatures": ["timelineSemaphore"],
        "VkPhysicalDeviceSynchronization2Features": ["synchronization2"],
        "VkPhysicalDeviceDynamicRenderingFeatures": ["dynamicRendering"],
        "VkPhysicalDeviceExtendedDynamicStateFeaturesEXT": ["extendedDynamicState"],
        "VkPhysicalDeviceExtendedDynamicState2FeaturesEXT": ["extendedDynamicState2", "extendedDynamicState2LogicOp"],
        "VkPhysicalDeviceImagelessFramebufferFeatures": ["imagelessFramebuffer"],
        "VkPhysicalDeviceHostQueryResetFeatures": ["hostQueryReset"],
        "VkPhysicalDeviceIndexTypeUint8FeaturesEXT": ["indexTypeUint8"],
        "VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures": ["separateDepthStencilLayouts"],
        "VkPhysicalDeviceUniformBufferStandardLayoutFeatures": ["uniformBufferStandardLayout"],
        "VkPhysicalDeviceScalarBlockLayoutFeatures": ["scalarBlockLayout"],
        "VkPhysicalDeviceDescriptorIndexingFeatures": """
            shaderInputAttachmentArrayDynamicIndexing shaderUniformTexelBufferArrayDynamicIndexing shaderStorageTexelBufferArrayDynamicIndexing
            shaderUniformBufferArrayNonUniformIndexing shaderSampledImageArrayNonUniformIndexing shaderStorageBufferArrayNonUniformIndexing
            shaderStorageImageArrayNonUniformIndexing shaderInputAttachmentArrayNonUniformIndexing
            shaderUniformTexelBufferArrayNonUniformIndexing shaderStorageTexelBufferArrayNonUniformIndexing
            descriptorBindingUniformBufferUpdateAfterBind descriptorBindingSampledImageUpdateAfterBind
            descriptorBindingStorageImageUpdateAfterBind descriptorBindingStorageBufferUpdateAfterBind
            descriptorBindingUniformTexelBufferUpdateAfterBind descriptorBindingStorageTexelBufferUpdateAfterBind
            descriptorBindingUpdateUnusedWhilePending descriptorBindingPartiallyBound descriptorBindingVariableDescriptorCount
            runtimeDescriptorArray
        """.split(),
        "VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures": ["shaderDemoteToHelperInvocation"],
        "VkPhysicalDeviceShaderTerminateInvocationFeatures": ["shaderTerminateInvocation"],
        "VkPhysicalDeviceVulkanMemoryModelFeatures": """
            vulkanMemoryModel vulkanMemoryModelDeviceScope vulkanMemoryModelAvailabilityVisibilityChains
        """.split(),
        "VkPhysicalDeviceSubgroupSizeControlFeatures": ["subgroupSizeControl", "computeFullSubgroups"],
        "VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures": ["shaderZeroInitializeWorkgroupMemory"],
        "VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures": ["shaderSubgroupExtendedTypes"],
        "VkPhysicalDeviceShaderIntegerDotProductFeatures": ["shaderIntegerDotProduct"],
        "VkPhysicalDeviceShaderClockFeaturesKHR": ["shaderSubgroupClock", "shaderDeviceClock"],
        "VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR": """
            workgroupMemoryExplicitLayout workgroupMemoryExplicitLayoutScalarBlockLayout workgroupMemoryExplicitLayout8BitAccess
            workgroupMemoryExplicitLayout16BitAccess
        """.split(),
        "VkPhysicalDeviceShaderAtomicFloatFeaturesEXT": """
            shaderBufferFloat32Atomics shaderBufferFloat32AtomicAdd shaderSharedFloat32Atomics shaderSharedFloat32AtomicAdd
            shaderImageFloat32Atomics shaderImageFloat32AtomicAdd
        """.split(),
        "VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT": """
            shaderBufferFloat32AtomicMinMax shaderSharedFloat32AtomicMinMax shaderImageFloat32AtomicMinMax
        """.split(),
        "VkPhysicalDeviceShaderAtomicInt64Features": ["shaderBufferInt64Atomics", "shaderSharedInt64Atomics"],
        "VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT": ["shaderImageInt64Atomics"],
        "VkPhysicalDeviceBufferDeviceAddressFeatures": ["bufferDeviceAddress"],
        "VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT": ["primitiveTopologyListRestart"],
        "VkPhysicalDeviceImageRobustnessFeatures": ["robustImageAccess"],
        "VkPhysicalDeviceInlineUniformBlockFeatures": ["inlineUniformBlock", "descriptorBindingInlineUniformBlockUpdateAfterBind"],
        "VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT": ["vertexInputDynamicState"],
        "VkPhysicalDeviceMaintenance4Features": ["maintenance4"],
        "VkPhysicalDevicePrivateDataFeatures": ["privateData"],
        "VkPhysicalDevicePipelineCreationCacheControlFeatures": ["pipelineCreationCacheControl"],
        "VkPhysicalDeviceColorWriteEnableFeaturesEXT": ["colorWriteEnable"],
        # What the chip's registers hold; the rest is of extensions that are not offered.
        "VkPhysicalDeviceExtendedDynamicState3FeaturesEXT": """
            extendedDynamicState3DepthClampEnable extendedDynamicState3PolygonMode extendedDynamicState3RasterizationSamples
            extendedDynamicState3SampleMask extendedDynamicState3AlphaToCoverageEnable extendedDynamicState3AlphaToOneEnable
            extendedDynamicState3LogicOpEnable extendedDynamicState3ColorBlendEnable extendedDynamicState3ColorBlendEquation
            extendedDynamicState3ColorWriteMask extendedDynamicState3DepthClipEnable extendedDynamicState3ProvokingVertexMode
            extendedDynamicState3LineStippleEnable extendedDynamicState3DepthClipNegativeOneToOne
        """.split(),
        "VkPhysicalDeviceMultiDrawFeaturesEXT": ["multiDraw"],
        "VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT": ["graphicsPipelineLibrary"],
        "VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT": ["texelBufferAlignment"],
        "VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT": ["vertexAttributeInstanceRateDivisor", "vertexAttributeInstanceRateZeroDivisor"],
        "VkPhysicalDeviceConditionalRenderingFeaturesEXT": ["conditionalRendering", "inheritedConditionalRendering"],
        "VkPhysicalDeviceCustomBorderColorFeaturesEXT": ["customBorderColors", "customBorderColorWithoutFormat"],
        "VkPhysicalDeviceBorderColorSwizzleFeaturesEXT": ["borderColorSwizzle", "borderColorSwizzleFromImage"],
        "VkPhysicalDeviceRobustness2FeaturesEXT": ["robustBufferAccess2", "robustImageAccess2", "nullDescriptor"],
        "VkPhysicalDeviceDepthClipEnableFeaturesEXT": ["depthClipEnable"],
        "VkPhysicalDeviceDepthClipControlFeaturesEXT": ["depthClipControl"],
        "VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT": ["mutableDescriptorType"],
        "VkPhysicalDevicePipelineRobustnessFeaturesEXT": ["pipelineRobustness"],
        "VkPhysicalDeviceDepthClampZeroOneFeaturesEXT": ["depthClampZeroOne"],
        "VkPhysicalDeviceProvokingVertexFeaturesEXT": ["provokingVertexLast"],
        "VkPhysicalDevice4444FormatsFeaturesEXT": ["formatA4R4G4B4", "formatA4B4G4R4"],
        "VkPhysicalDeviceLineRasterizationFeaturesEXT": ["rectangularLines", "stippledRectangularLines"],
        "VkPhysicalDeviceImage2DViewOf3DFeaturesEXT": ["image2DViewOf3D", "sampler2DViewOf3D"],
        "VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT": ["nonSeamlessCubeMap"],
        "VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT": ["rasterizationOrderColorAttachmentAccess", "rasterizationOrderDepthAttachmentAccess", "rasterizationOrderStencilAttachmentAccess"],
        "VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT": ["attachmentFeedbackLoopLayout"],
        "VkPhysicalDeviceLimits": {
            "maxImageDimension1D": R5X.x_extent,
            "maxImageDimension2D": R5X.x_extent,
            "maxImageDimension3D": 4096,
            "maxImageDimensionCube": R5X.x_extent,
            "maxImageArrayLayers": R5X.x_layers,
            "maxTexelBufferElements": 1 << 27,
            "maxUniformBufferRange": 65536,
            "maxStorageBufferRange": 1 << 30,
            "maxPushConstantsSize": 256,
            "maxMemoryAllocationCount": (1 << 32) - 1,
            "maxSamplerAllocationCount": 1 << 20,
            "bufferImageGranularity": 1,
            "maxBoundDescriptorSets": 8,
            # Descriptors are memory: numbers that applications ask for, not what a register file holds.
            "maxPerStageDescriptorSamplers": 1 << 16,
            "maxPerStageDescriptorUniformBuffers": 1 << 16,
            "maxPerStageDescriptorStorageBuffers": 1 << 16,
            "maxPerStageDescriptorSampledImages": 1 << 16,
            "maxPerStageDescriptorStorageImages": 1 << 16,
            "maxPerStageDescriptorInputAttachments": 1 << 16,
            "maxPerStageResources": 1 << 18,
            "maxDescriptorSetSamplers": 1 << 16,
            "maxDescriptorSetUniformBuffers": 1 << 16,
            "maxDescriptorSetUniformBuffersDynamic": 256,
            "maxDescriptorSetStorageBuffers": 1 << 16,
            "maxDescriptorSetStorageBuffersDynamic": 256,
            "maxDescriptorSetSampledImages": 1 << 16,
            "maxDescriptorSetStorageImages": 1 << 16,
            "maxDescriptorSetInputAttachments": 1 << 16,
            "maxVertexInputAttributes": R5X.x_attributes,
            "maxVertexInputBindings": R5X.x_attributes,
            "maxVertexInputAttributeOffset": 65535,  # 16 bits
            "maxVertexInputBindingStride": 1 << 16,
            "maxVertexOutputComponents": 4 * R5X.x_varyings,
            "maxFragmentInputComponents": 4 * R5X.x_varyings,
            "maxFragmentOutputAttachments": R5X.x_targets,
            "maxFragmentDualSrcAttachments": 2,
            "maxFragmentCombinedOutputResources": 1 << 16,
            "maxComputeSharedMemorySize": R5X.local_memory,
            "maxComputeWorkGroupCount": [65535, 65535, 65535],
            "maxComputeWorkGroupInvocations": R5X.workgroup_invocations,
            "maxComputeWorkGroupSize": [R5X.workgroup_invocations] * 3,
            "subPixelPrecisionBits": 8,
            "subTexelPrecisionBits": 8,
            "mipmapPrecisionBits": 8,
            "maxDrawIndexedIndexValue": (1 << 32) - 1,
            "maxDrawIndirectCount": (1 << 32) - 1,
            "maxSamplerLodBias": 16.0,
            "maxSamplerAnisotropy": 16.0,
            "maxViewports": 1,  # more need the multiViewport feature, which CTS 1.0 requires with geometry shaders only
            "maxViewportDimensions": [R5X.x_extent, R5X.x_extent],
            "viewportBoundsRange": [-2.0 * R5X.x_extent, 2.0 * R5X.x_extent - 1],
            "viewportSubPixelBits": 4,
            "minMemoryMapAlignment": 4096,
            "minTexelBufferOffsetAlignment": 16,
            "minUniformBufferOffsetAlignment": 16,
            "minStorageBufferOffsetAlignment": 16,
            "minTexelOffset": -32,
            "maxTexelOffset": 31,
            "minTexelGatherOffset": -32,
            "maxTexelGatherOffset": 31,
            "minInterpolationOffset": -2.0,
            "maxInterpolationOffset": 2.0,
            "subPixelInterpolationOffsetBits": 8,
            "maxFramebufferWidth": R5X.x_extent,
            "maxFramebufferHeight": R5X.x_extent,
            "maxFramebufferLayers": R5X.x_layers,
            "framebufferColorSampleCounts": samples(R5X.x_samples),
            "framebufferDepthSampleCounts": samples(R5X.x_samples),
            "framebufferStencilSampleCounts": samples(R5X.x_samples),
            "framebufferNoAttachmentsSampleCounts": samples(R5X.x_samples),
            "maxColorAttachments": R5X.x_targets,
            "sampledImageColorSampleCounts": samples(R5X.x_samples),
            "sampledImageIntegerSampleCounts": samples(R5X.x_samples),
            "sampledImageDepthSampleCounts": samples(R5X.x_samples),
            "sampledImageStencilSampleCounts": samples(R5X.x_samples),
            "storageImageSampleCounts": samples(R5X.x_samples),
            "maxSampleMaskWords": 1,
            "timestampComputeAndGraphics": True,
            "timestampPeriod": 1.0,
            "maxClipDistances": 8,
            "maxCullDistances": 8,
            "maxCombinedClipAndCullDistances": 16,
            "discreteQueuePriorities": 2,
            "pointSizeRange": [1.0, float(R5X.point_extent)],
            "lineWidthRange": [1.0, float(R5X.line_extent)],
            "pointSizeGranularity": 1 / 128,
            "lineWidthGranularity": 1 / 128,
            "strictLines": True,
            "standardSampleLocations": True,
            "optimalBufferCopyOffsetAlignment": 4,
            "optimalBufferCopyRowPitchAlignment": 64,
            "nonCoherentAtomSize": 1,
            "absent": ["sparse*", "maxTessellation*", "maxGeometry*"],
        },
    },
    # Memory that can be copied and presented; what draws are command lists.
    "rdp": {
        "VkPhysicalDeviceFeatures": [],
        "VkPhysicalDeviceLimits": {
            "maxImageDimension1D": 2048,
            "maxImageDimension2D": 2048,
            "maxImageDimension3D": 256,
            "maxImageDimensionCube": 2048,
            "maxImageArrayLayers": 256,
            "maxMemoryAllocationCount": 4096,
            "bufferImageGranularity": 1,
            "minMemoryMapAlignment": 64,
            "minTexelBufferOffsetAlignment": 64,
            "minUniformBufferOffsetAlignment": 64,
            "minStorageBufferOffsetAlignment": 64,
            "subPixelPrecisionBits": 2,
            "maxFramebufferWidth": 1024,  # kMaxDraw
            "maxFramebufferHeight": 1024,
            "maxColorAttachments": 1,
            "maxViewportDimensions": [1024, 1024],
            "framebufferColorSampleCounts": 1,
            "sampledImageColorSampleCounts": 1,
            "timestampPeriod": 1.0,
            "discreteQueuePriorities": 2,
            "optimalBufferCopyOffsetAlignment": 1,
            "optimalBufferCopyRowPitchAlignment": 1,
            "nonCoherentAtomSize": 1,
            # No pipelines, samplers, descriptors or vertices.
            "absent": ["*"],
        },
    },
}
