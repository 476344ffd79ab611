# SPDX-License-Identifier: MIT
"""The one table of what the driver exposes. An extension is a row here and the functions it names in vk.xml (or, for our own,
in vk_pumice.xml).

Rows: registry name. Everything else (functions, spec version, kind) comes from the registry.
"""

API_VERSION = "VK_VERSION_1_0"
# Functions on instances and physical devices of later versions: instances have 1.1 (icd/version.h).
INSTANCE_FUNCTIONS = """
vkEnumerateInstanceVersion vkEnumeratePhysicalDeviceGroups
vkGetPhysicalDeviceFeatures2 vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceFormatProperties2 vkGetPhysicalDeviceImageFormatProperties2
vkGetPhysicalDeviceQueueFamilyProperties2 vkGetPhysicalDeviceMemoryProperties2 vkGetPhysicalDeviceSparseImageFormatProperties2
vkGetPhysicalDeviceExternalBufferProperties vkGetPhysicalDeviceExternalFenceProperties vkGetPhysicalDeviceExternalSemaphoreProperties
""".split()

# Chip families: a family has its own implementations of functions on devices (VkDevice, VkQueue, VkCommandBuffer).
# The first one's are called pm_<Function>, another one's <family>_<Function>.
FAMILIES = ["radeon", "rdp"]

INSTANCE = [
    "VK_KHR_surface",
    "VK_KHR_xcb_surface",
    "VK_KHR_xlib_surface",
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

# Functions whose pm_ implementation knows no chip and serves the RDP too. What is neither here nor defined as rdp_<Function> is refused
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
