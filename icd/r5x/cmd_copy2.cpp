// SPDX-License-Identifier: MIT
/// Transfers of VK_KHR_copy_commands2: those of Vulkan 1.0 with their parameters in structures.
#include <vector>

#include "icd/r5x/command_buffer.h"

namespace pumice::icd {
namespace {

VkBufferCopy region(const VkBufferCopy2& r) { return {r.srcOffset, r.dstOffset, r.size}; }
VkImageCopy region(const VkImageCopy2& r) { return {r.srcSubresource, r.srcOffset, r.dstSubresource, r.dstOffset, r.extent}; }
VkBufferImageCopy region(const VkBufferImageCopy2& r) {
  return {r.bufferOffset, r.bufferRowLength, r.bufferImageHeight, r.imageSubresource, r.imageOffset, r.imageExtent};
}
VkImageBlit region(const VkImageBlit2& r) {
  return {r.srcSubresource, {r.srcOffsets[0], r.srcOffsets[1]}, r.dstSubresource, {r.dstOffsets[0], r.dstOffsets[1]}};
}
VkImageResolve region(const VkImageResolve2& r) { return {r.srcSubresource, r.srcOffset, r.dstSubresource, r.dstOffset, r.extent}; }

template <class Info>
auto regions(const Info& info) {
  std::vector<decltype(region(*info.pRegions))> out;
  for (uint32_t i = 0; i < info.regionCount; ++i) out.push_back(region(info.pRegions[i]));
  return out;
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyBuffer2(VkCommandBuffer c, const VkCopyBufferInfo2* i) {
  r5x_CmdCopyBuffer(c, i->srcBuffer, i->dstBuffer, i->regionCount, regions(*i).data());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyImage2(VkCommandBuffer c, const VkCopyImageInfo2* i) {
  r5x_CmdCopyImage(c, i->srcImage, i->srcImageLayout, i->dstImage, i->dstImageLayout, i->regionCount, regions(*i).data());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyBufferToImage2(VkCommandBuffer c, const VkCopyBufferToImageInfo2* i) {
  r5x_CmdCopyBufferToImage(c, i->srcBuffer, i->dstImage, i->dstImageLayout, i->regionCount, regions(*i).data());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyImageToBuffer2(VkCommandBuffer c, const VkCopyImageToBufferInfo2* i) {
  r5x_CmdCopyImageToBuffer(c, i->srcImage, i->srcImageLayout, i->dstBuffer, i->regionCount, regions(*i).data());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdBlitImage2(VkCommandBuffer c, const VkBlitImageInfo2* i) {
  r5x_CmdBlitImage(c, i->srcImage, i->srcImageLayout, i->dstImage, i->dstImageLayout, i->regionCount, regions(*i).data(), i->filter);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdResolveImage2(VkCommandBuffer c, const VkResolveImageInfo2* i) {
  r5x_CmdResolveImage(c, i->srcImage, i->srcImageLayout, i->dstImage, i->dstImageLayout, i->regionCount, regions(*i).data());
}

}  // namespace pumice::icd
