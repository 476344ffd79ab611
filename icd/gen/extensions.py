#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The one table of what the driver exposes: versions of Vulkan and extensions. Run as a program it prints INSTANCE_VERSION. An extension is a row here and the functions it names in vk.xml (or, for our own,
in vk_pumice.xml).

Rows: registry name. Everything else (functions, spec version, kind) comes from the registry.
"""

# The newest version of Vulkan that a device has: all functions of it and of those before exist.
DEVICE_VERSION = (1, 0)
# That of instances: functions on instances and physical devices only. It is above the devices' so that the loader hands over the version that
# the application requests instead of 1.0, and the driver can report what is not supported. The loader's manifest contains it too.
INSTANCE_VERSION = (1, 1)

# Chip families: a family has its own implementations of functions on devices (VkDevice, VkQueue, VkCommandBuffer).
# The first one's are called pm_<Function>, another one's <family>_<Function>.
FAMILIES = ["radeon", "rdp"]

INSTANCE = [
    "VK_KHR_surface",
    "VK_KHR_xcb_surface",
    "VK_KHR_xlib_surface",
    "VK_KHR_wayland_surface",
    "VK_EXT_headless_surface",
    "VK_KHR_get_physical_device_properties2",
    "VK_KHR_get_surface_capabilities2",
    "VK_EXT_debug_utils",
]

# Device extension: the families that have it.
DEVICE = {
    "VK_KHR_swapchain": ["radeon", "rdp"],
    "VK_KHR_maintenance1": ["radeon", "rdp"],
    "VK_PUMICE_rdp": ["rdp"],
}

# Functions whose pm_ implementation is chip-independent and used for the RDP too. What is neither here nor defined as rdp_<Function> is refused
# on an RDP: with VK_ERROR_FEATURE_NOT_PRESENT, or in a command buffer by what vkEndCommandBuffer returns.
RDP_SHARED = """
vkGetDeviceProcAddr vkDestroyDevice vkGetDeviceQueue vkDeviceWaitIdle vkQueueSubmit vkQueueWaitIdle vkQueueBindSparse
vkAllocateMemory vkFreeMemory vkMapMemory vkUnmapMemory vkFlushMappedMemoryRanges vkInvalidateMappedMemoryRanges vkGetDeviceMemoryCommitment
vkCreateBuffer vkDestroyBuffer vkGetBufferMemoryRequirements vkBindBufferMemory
vkCreateImage vkDestroyImage vkGetImageMemoryRequirements vkGetImageSparseMemoryRequirements vkBindImageMemory vkGetImageSubresourceLayout
vkCreateImageView vkDestroyImageView
vkCreateFence vkDestroyFence vkResetFences vkGetFenceStatus vkWaitForFences vkCreateSemaphore vkDestroySemaphore
vkCreateQueryPool vkDestroyQueryPool vkGetQueryPoolResults
vkCreateEvent vkDestroyEvent vkGetEventStatus vkSetEvent vkResetEvent
vkCreateCommandPool vkDestroyCommandPool vkResetCommandPool vkTrimCommandPoolKHR vkAllocateCommandBuffers vkFreeCommandBuffers
vkResetCommandBuffer
vkCreateSwapchainKHR vkDestroySwapchainKHR vkGetSwapchainImagesKHR vkAcquireNextImageKHR vkQueuePresentKHR
vkSetDebugUtilsObjectNameEXT vkSetDebugUtilsObjectTagEXT vkQueueBeginDebugUtilsLabelEXT vkQueueEndDebugUtilsLabelEXT
vkQueueInsertDebugUtilsLabelEXT vkCmdBeginDebugUtilsLabelEXT vkCmdEndDebugUtilsLabelEXT vkCmdInsertDebugUtilsLabelEXT
""".split()

if __name__ == "__main__":
    print("{}.{}".format(*INSTANCE_VERSION))
