#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The one table of what the driver exposes: versions of Vulkan and extensions. Run as a program it prints INSTANCE_VERSION. An extension is a row here and the functions it names in vk.xml (or, for our own,
in vk_pumice.xml).

Rows: registry name. Everything else (functions, spec version, kind) comes from the registry.
"""

# That of instances: functions on instances and physical devices only. It is above the devices' so that the loader hands over the version that
# the application requests instead of 1.0, and the driver can report what is not supported. The loader's manifest contains it too.
INSTANCE_VERSION = (1, 1)

# Chip families: a family has its own implementations of functions on devices (VkDevice, VkQueue, VkCommandBuffer).
# The first one's are called pm_<Function>, another one's <family>_<Function>. "radeon" are strict chips; "r5x" binds memory instead of units.
FAMILIES = ["radeon", "rdp", "r5x"]
# The version of Vulkan that a family's devices have: all functions of it and of those before exist. The first family's is the oldest.
DEVICE_VERSIONS = {"radeon": (1, 0), "rdp": (1, 0), "r5x": (1, 1)}

INSTANCE = [
    "VK_KHR_surface",
    "VK_KHR_xcb_surface",
    "VK_KHR_xlib_surface",
    "VK_KHR_wayland_surface",
    "VK_EXT_headless_surface",
    "VK_KHR_get_physical_device_properties2",
    "VK_KHR_get_surface_capabilities2",
    "VK_KHR_surface_protected_capabilities",
    "VK_KHR_device_group_creation",
    "VK_KHR_external_memory_capabilities",
    "VK_KHR_external_semaphore_capabilities",
    "VK_KHR_external_fence_capabilities",
    "VK_EXT_debug_utils",
    "VK_EXT_debug_report",
]

# Device extension: the families that have it.
DEVICE = {
    "VK_KHR_swapchain": ["radeon", "rdp", "r5x"],
    "VK_KHR_maintenance1": ["radeon", "rdp", "r5x"],
    "VK_PUMICE_rdp": ["rdp"],
    **dict.fromkeys("""
        VK_KHR_maintenance2 VK_KHR_maintenance3 VK_KHR_bind_memory2 VK_KHR_get_memory_requirements2 VK_KHR_dedicated_allocation
        VK_KHR_descriptor_update_template VK_KHR_push_descriptor VK_KHR_image_format_list VK_KHR_sampler_mirror_clamp_to_edge
        VK_KHR_storage_buffer_storage_class VK_KHR_relaxed_block_layout VK_KHR_driver_properties VK_KHR_create_renderpass2
        VK_KHR_imageless_framebuffer VK_KHR_timeline_semaphore VK_KHR_draw_indirect_count VK_EXT_host_query_reset
        VK_EXT_vertex_attribute_divisor VK_KHR_8bit_storage
        VK_KHR_multiview VK_KHR_device_group VK_KHR_external_memory VK_KHR_external_memory_fd VK_KHR_external_semaphore
        VK_KHR_external_semaphore_fd VK_KHR_incremental_present VK_KHR_swapchain_mutable_format
        VK_KHR_16bit_storage VK_KHR_variable_pointers VK_KHR_shader_draw_parameters
        VK_KHR_synchronization2 VK_KHR_depth_stencil_resolve VK_KHR_dynamic_rendering VK_EXT_extended_dynamic_state
        VK_EXT_extended_dynamic_state2 VK_KHR_copy_commands2 VK_KHR_format_feature_flags2 VK_EXT_index_type_uint8
        VK_KHR_separate_depth_stencil_layouts VK_KHR_uniform_buffer_standard_layout VK_EXT_scalar_block_layout
        VK_EXT_shader_viewport_index_layer VK_EXT_descriptor_indexing VK_EXT_shader_demote_to_helper_invocation
        VK_KHR_shader_terminate_invocation VK_KHR_vulkan_memory_model VK_EXT_subgroup_size_control
        VK_KHR_zero_initialize_workgroup_memory VK_EXT_primitive_topology_list_restart VK_EXT_image_robustness
        VK_EXT_load_store_op_none VK_KHR_shader_non_semantic_info VK_GOOGLE_decorate_string VK_GOOGLE_hlsl_functionality1
        VK_GOOGLE_user_type VK_KHR_shader_float16_int8 VK_KHR_shader_float_controls VK_KHR_spirv_1_4
        VK_EXT_inline_uniform_block VK_EXT_vertex_input_dynamic_state VK_KHR_maintenance4 VK_EXT_private_data
        VK_EXT_pipeline_creation_feedback VK_EXT_pipeline_creation_cache_control VK_EXT_color_write_enable
        VK_EXT_extended_dynamic_state3 VK_EXT_multi_draw VK_EXT_separate_stencil_usage VK_EXT_texel_buffer_alignment
        VK_EXT_calibrated_timestamps VK_KHR_external_fence VK_EXT_tooling_info
        VK_KHR_pipeline_library VK_EXT_graphics_pipeline_library
        VK_EXT_conditional_rendering VK_EXT_custom_border_color VK_EXT_border_color_swizzle VK_EXT_robustness2 VK_EXT_depth_clip_enable
        VK_EXT_depth_clip_control VK_EXT_provoking_vertex VK_EXT_4444_formats VK_EXT_depth_range_unrestricted VK_EXT_line_rasterization
        VK_EXT_image_2d_view_of_3d VK_EXT_non_seamless_cube_map VK_EXT_sampler_filter_minmax VK_EXT_queue_family_foreign
        VK_EXT_rasterization_order_attachment_access VK_ARM_rasterization_order_attachment_access VK_EXT_attachment_feedback_loop_layout
        VK_EXT_shader_subgroup_ballot VK_EXT_shader_subgroup_vote VK_KHR_shader_subgroup_extended_types
        VK_KHR_shader_integer_dot_product VK_KHR_shader_clock VK_KHR_workgroup_memory_explicit_layout
        VK_EXT_shader_atomic_float VK_KHR_shader_atomic_int64 VK_EXT_shader_stencil_export VK_KHR_buffer_device_address
        VK_EXT_depth_clamp_zero_one VK_KHR_external_fence_fd VK_EXT_post_depth_coverage
        VK_EXT_shader_atomic_float2 VK_EXT_mutable_descriptor_type VK_VALVE_mutable_descriptor_type VK_EXT_memory_budget
        VK_EXT_pipeline_robustness VK_EXT_shader_image_atomic_int64
    """.split(), ["r5x"]),
}

# Functions whose pm_ implementation is chip-independent and used for other families too. What is neither here nor defined as <family>_<Function>
# is refused on their devices: with VK_ERROR_FEATURE_NOT_PRESENT, or in a command buffer by what vkEndCommandBuffer returns.
_ALL = """
vkGetDeviceProcAddr vkDestroyDevice vkGetDeviceQueue vkDeviceWaitIdle vkQueueSubmit vkQueueWaitIdle vkQueueBindSparse
vkAllocateMemory vkFreeMemory vkMapMemory vkUnmapMemory vkFlushMappedMemoryRanges vkInvalidateMappedMemoryRanges vkGetDeviceMemoryCommitment
vkCreateBuffer vkDestroyBuffer vkGetBufferMemoryRequirements vkBindBufferMemory
vkCreateImage vkDestroyImage vkGetImageMemoryRequirements vkGetImageSparseMemoryRequirements vkBindImageMemory vkGetImageSubresourceLayout
vkCreateImageView vkDestroyImageView
vkCreateFence vkDestroyFence vkResetFences vkGetFenceStatus vkWaitForFences vkCreateSemaphore vkDestroySemaphore
vkCreateQueryPool vkDestroyQueryPool vkGetQueryPoolResults
vkCreateEvent vkDestroyEvent vkGetEventStatus vkSetEvent vkResetEvent
vkCreateCommandPool vkDestroyCommandPool vkResetCommandPool vkTrimCommandPool vkAllocateCommandBuffers vkFreeCommandBuffers
vkResetCommandBuffer
vkCreateSwapchainKHR vkDestroySwapchainKHR vkGetSwapchainImagesKHR vkAcquireNextImageKHR vkQueuePresentKHR
vkSetDebugUtilsObjectNameEXT vkSetDebugUtilsObjectTagEXT vkQueueBeginDebugUtilsLabelEXT vkQueueEndDebugUtilsLabelEXT
vkQueueInsertDebugUtilsLabelEXT vkCmdBeginDebugUtilsLabelEXT vkCmdEndDebugUtilsLabelEXT vkCmdInsertDebugUtilsLabelEXT
""".split()
# (A function's newest name stands for all of its names.)
SHARED = {
    "rdp": _ALL,
    "r5x": sorted(set(_ALL) - set("""
vkCreateQueryPool vkGetQueryPoolResults
""".split())) + """
vkCreateShaderModule vkDestroyShaderModule
vkCreateRenderPass vkDestroyRenderPass vkGetRenderAreaGranularity vkCreateFramebuffer vkDestroyFramebuffer
vkCreateSampler vkDestroySampler
vkCreatePipelineCache vkDestroyPipelineCache vkGetPipelineCacheData vkMergePipelineCaches
vkGetBufferMemoryRequirements2 vkGetImageMemoryRequirements2 vkGetImageSparseMemoryRequirements2 vkBindBufferMemory2 vkBindImageMemory2
vkCreateRenderPass2 vkGetSemaphoreCounterValue vkSignalSemaphore vkWaitSemaphores vkQueueSubmit2 vkGetDeviceQueue2
vkGetDeviceGroupPeerMemoryFeatures vkGetDeviceGroupPresentCapabilitiesKHR vkGetDeviceGroupSurfacePresentModesKHR vkAcquireNextImage2KHR
vkGetMemoryFdKHR vkGetMemoryFdPropertiesKHR vkImportSemaphoreFdKHR vkGetSemaphoreFdKHR vkImportFenceFdKHR vkGetFenceFdKHR
vkCreateSamplerYcbcrConversion vkDestroySamplerYcbcrConversion
vkGetDeviceBufferMemoryRequirements vkGetDeviceImageMemoryRequirements vkGetDeviceImageSparseMemoryRequirements
vkCreatePrivateDataSlot vkDestroyPrivateDataSlot vkSetPrivateData vkGetPrivateData vkGetCalibratedTimestampsEXT
""".split(),
}

if __name__ == "__main__":
    print("{}.{}".format(*INSTANCE_VERSION))
