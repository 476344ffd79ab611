// SPDX-License-Identifier: MIT
/// VK_KHR_copy_commands2: the copies of 1.0, with their arguments in structures.
#include <vector>

#include "icd/entrypoints.h"

namespace pumice::icd {
namespace {

/// Regions as 1.0 has them: what follows the beginning of the extensible structures.
template <class Old, class New, class F>
std::vector<Old> regions(uint32_t count, const New* list, F f) {
  std::vector<Old> out;
  out.reserve(count);
  for (uint32_t i = 0; i < count; ++i) out.push_back(f(list[i]));
  return out;
}
VkBufferImageCopy buffer_image(const VkBufferImageCopy2& r) {
  return {r.bufferOffset, r.bufferRowLength, r.bufferImageHeight, r.imageSubresource, r.imageOffset, r.imageExtent};
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyBuffer2(VkCommandBuffer c, const VkCopyBufferInfo2* info) {
  const auto list = regions<VkBufferCopy>(info->regionCount, info->pRegions, [](const VkBufferCopy2& r) {
    return VkBufferCopy{r.srcOffset, r.dstOffset, r.size};
  });
  r5x_CmdCopyBuffer(c, info->srcBuffer, info->dstBuffer, info->regionCount, list.data());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyImage2(VkCommandBuffer c, const VkCopyImageInfo2* info) {
  const auto list = regions<VkImageCopy>(info->regionCount, info->pRegions, [](const VkImageCopy2& r) {
    return VkImageCopy{r.srcSubresource, r.srcOffset, r.dstSubresource, r.dstOffset, r.extent};
  });
  r5x_CmdCopyImage(c, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout, info->regionCount, list.data());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyBufferToImage2(VkCommandBuffer c, const VkCopyBufferToImageInfo2* info) {
  const auto list = regions<VkBufferImageCopy>(info->regionCount, info->pRegions, buffer_image);
  r5x_CmdCopyBufferToImage(c, info->srcBuffer, info->dstImage, info->dstImageLayout, info->regionCount, list.data());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyImageToBuffer2(VkCommandBuffer c, const VkCopyImageToBufferInfo2* info) {
  const auto list = regions<VkBufferImageCopy>(info->regionCount, info->pRegions, buffer_image);
  r5x_CmdCopyImageToBuffer(c, info->srcImage, info->srcImageLayout, info->dstBuffer, info->regionCount, list.data());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdBlitImage2(VkCommandBuffer c, const VkBlitImageInfo2* info) {
  const auto list = regions<VkImageBlit>(info->regionCount, info->pRegions, [](const VkImageBlit2& r) {
    return VkImageBlit{r.srcSubresource, {r.srcOffsets[0], r.srcOffsets[1]}, r.dstSubresource, {r.dstOffsets[0], r.dstOffsets[1]}};
  });
  r5x_CmdBlitImage(c, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout, info->regionCount, list.data(),
                   info->filter);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdResolveImage2(VkCommandBuffer c, const VkResolveImageInfo2* info) {
  const auto list = regions<VkImageResolve>(info->regionCount, info->pRegions, [](const VkImageResolve2& r) {
    return VkImageResolve{r.srcSubresource, r.srcOffset, r.dstSubresource, r.dstOffset, r.extent};
  });
  r5x_CmdResolveImage(c, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout, info->regionCount, list.data());
}

}  // namespace pumice::icd
