/* SPDX-License-Identifier: MIT */
/**
 * VK_PUMICE_rdp: RDP command lists on a Vulkan queue. Specification: docs/VK_PUMICE_rdp.md.
 * Include after or instead of <vulkan/vulkan.h>; function pointers come from vkGetDeviceProcAddr.
 */
#ifndef VULKAN_PUMICE_RDP_H
#define VULKAN_PUMICE_RDP_H

#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VK_PUMICE_rdp 1
#define VK_PUMICE_RDP_SPEC_VERSION 1
#define VK_PUMICE_RDP_EXTENSION_NAME "VK_PUMICE_rdp"

/* Extension number 999; the registry does not hold it. */
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RDP_PROPERTIES_PUMICE ((VkStructureType)1000998000)
#define VK_STRUCTURE_TYPE_DEVICE_RDP_CREATE_INFO_PUMICE ((VkStructureType)1000998001)
#define VK_STRUCTURE_TYPE_RDP_SCAN_OUT_INFO_PUMICE ((VkStructureType)1000998002)

/** Extends VkPhysicalDeviceProperties2. */
typedef struct VkPhysicalDeviceRdpPropertiesPUMICE {
  VkStructureType sType;
  void* pNext;
  uint32_t rdramSize;        /**< bytes of RDRAM of a device made without VkDeviceRdpCreateInfoPUMICE */
  uint32_t maxRdramSize;     /**< upper limit of VkDeviceRdpCreateInfoPUMICE::rdramSize */
  uint32_t listAlignment;    /**< of command lists */
  uint32_t imageAlignment;   /**< of colour and z images; every VkBuffer and VkImage has it */
  uint32_t maxDrawExtent[2]; /**< of a colour image of the RDP; a VkImage may be larger */
} VkPhysicalDeviceRdpPropertiesPUMICE;

typedef enum VkDeviceRdpCreateFlagBitsPUMICE {
  VK_DEVICE_RDP_CREATE_HANG_LOSES_DEVICE_BIT_PUMICE = 0x00000001,
  VK_DEVICE_RDP_CREATE_FLAG_BITS_MAX_ENUM_PUMICE = 0x7FFFFFFF
} VkDeviceRdpCreateFlagBitsPUMICE;
typedef VkFlags VkDeviceRdpCreateFlagsPUMICE;

/** Extends VkDeviceCreateInfo. */
typedef struct VkDeviceRdpCreateInfoPUMICE {
  VkStructureType sType;
  const void* pNext;
  VkDeviceRdpCreateFlagsPUMICE flags;
  uint32_t rdramSize; /**< a multiple of 1 MiB; 0: the default */
} VkDeviceRdpCreateInfoPUMICE;

/** The size field of Set Color Image. */
typedef enum VkRdpPixelSizePUMICE {
  VK_RDP_PIXEL_SIZE_16_PUMICE = 2,
  VK_RDP_PIXEL_SIZE_32_PUMICE = 3,
  VK_RDP_PIXEL_SIZE_MAX_ENUM_PUMICE = 0x7FFFFFFF
} VkRdpPixelSizePUMICE;

typedef struct VkRdpScanOutInfoPUMICE {
  VkStructureType sType;
  const void* pNext;
  VkBuffer srcBuffer;
  VkDeviceSize srcOffset;
  VkRdpPixelSizePUMICE pixelSize;
  VkExtent2D srcExtent;
  uint32_t srcStride; /**< pixels from line to line; 0: srcExtent.width */
  VkImage dstImage;
  VkImageLayout dstImageLayout;
  VkRect2D dstArea;
  VkFilter filter;
} VkRdpScanOutInfoPUMICE;

typedef uint32_t(VKAPI_PTR* PFN_vkGetBufferRdpAddressPUMICE)(VkDevice device, VkBuffer buffer);
typedef uint32_t(VKAPI_PTR* PFN_vkGetImageRdpAddressPUMICE)(VkDevice device, VkImage image);
typedef void(VKAPI_PTR* PFN_vkCmdExecuteRdpListPUMICE)(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                                       VkDeviceSize size);
typedef void(VKAPI_PTR* PFN_vkCmdScanOutRdpPUMICE)(VkCommandBuffer commandBuffer, const VkRdpScanOutInfoPUMICE* pScanOutInfo);

#ifdef __cplusplus
}
#endif
#endif
