// SPDX-License-Identifier: MIT
/// Requirements and bindings of memory in the form with chains: VK_KHR_get_memory_requirements2, VK_KHR_bind_memory2,
/// VK_KHR_dedicated_allocation, of which no resource has need; and of resources that do not exist yet (VK_KHR_maintenance4).
#include "icd/resources.h"

namespace pumice::icd {
namespace {

void no_dedicated(void* chain) {
  for (auto* b = static_cast<VkBaseOutStructure*>(chain); b; b = b->pNext)
    if (b->sType == VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS_KHR) {
      auto* d = reinterpret_cast<VkMemoryDedicatedRequirementsKHR*>(b);
      d->prefersDedicatedAllocation = d->requiresDedicatedAllocation = VK_FALSE;
    }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL pm_GetBufferMemoryRequirements2(VkDevice device, const VkBufferMemoryRequirementsInfo2* info,
                                                           VkMemoryRequirements2* out) {
  pm_GetBufferMemoryRequirements(device, info->buffer, &out->memoryRequirements);
  no_dedicated(out->pNext);
}
VKAPI_ATTR void VKAPI_CALL pm_GetImageMemoryRequirements2(VkDevice device, const VkImageMemoryRequirementsInfo2* info,
                                                          VkMemoryRequirements2* out) {
  pm_GetImageMemoryRequirements(device, info->image, &out->memoryRequirements);
  no_dedicated(out->pNext);
}
VKAPI_ATTR void VKAPI_CALL pm_GetImageSparseMemoryRequirements2(VkDevice, const VkImageSparseMemoryRequirementsInfo2*, uint32_t* count,
                                                                VkSparseImageMemoryRequirements2*) {
  *count = 0;
}
VKAPI_ATTR void VKAPI_CALL pm_GetDeviceBufferMemoryRequirements(VkDevice device, const VkDeviceBufferMemoryRequirements* info,
                                                                VkMemoryRequirements2* out) {
  const Buffer like(*from<Device>(device), *info->pCreateInfo);
  out->memoryRequirements = like.requirements();
  no_dedicated(out->pNext);
}
VKAPI_ATTR void VKAPI_CALL pm_GetDeviceImageMemoryRequirements(VkDevice device, const VkDeviceImageMemoryRequirements* info,
                                                               VkMemoryRequirements2* out) {
  const FormatInfo* format = find_format(info->pCreateInfo->format);
  out->memoryRequirements = {};  // of a format that vkCreateImage refuses
  if (format) out->memoryRequirements = Image(*from<Device>(device), *info->pCreateInfo, *format).requirements();
  no_dedicated(out->pNext);
}
VKAPI_ATTR void VKAPI_CALL pm_GetDeviceImageSparseMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements*, uint32_t* count,
                                                                     VkSparseImageMemoryRequirements2*) {
  *count = 0;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_BindBufferMemory2(VkDevice device, uint32_t count, const VkBindBufferMemoryInfo* infos) {
  for (uint32_t i = 0; i < count; ++i) pm_BindBufferMemory(device, infos[i].buffer, infos[i].memory, infos[i].memoryOffset);
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_BindImageMemory2(VkDevice device, uint32_t count, const VkBindImageMemoryInfo* infos) {
  for (uint32_t i = 0; i < count; ++i) pm_BindImageMemory(device, infos[i].image, infos[i].memory, infos[i].memoryOffset);
  return VK_SUCCESS;
}

}  // namespace pumice::icd
