/* SPDX-License-Identifier: MIT */
/* The extension's header is C; this is section 8 of docs/VK_PUMICE_rdp.md, compiled. */
#include <pumice/vulkan_pumice_rdp.h>

void rdp_header_example(VkDevice device, VkCommandBuffer commands, VkBuffer buffer, VkImage image, PFN_vkGetDeviceProcAddr get);

void rdp_header_example(VkDevice device, VkCommandBuffer commands, VkBuffer buffer, VkImage image, PFN_vkGetDeviceProcAddr get) {
  const PFN_vkCmdExecuteRdpListPUMICE execute = (PFN_vkCmdExecuteRdpListPUMICE)get(device, "vkCmdExecuteRdpListPUMICE");
  const PFN_vkCmdScanOutRdpPUMICE scan_out = (PFN_vkCmdScanOutRdpPUMICE)get(device, "vkCmdScanOutRdpPUMICE");
  execute(commands, buffer, 0x40000, 48);
  const VkRdpScanOutInfoPUMICE picture = {
      .sType = VK_STRUCTURE_TYPE_RDP_SCAN_OUT_INFO_PUMICE,
      .srcBuffer = buffer,
      .srcOffset = 0,
      .pixelSize = VK_RDP_PIXEL_SIZE_16_PUMICE,
      .srcExtent = {320, 240},
      .dstImage = image,
      .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .dstArea = {{0, 0}, {640, 480}},
      .filter = VK_FILTER_LINEAR,
  };
  scan_out(commands, &picture);
}
