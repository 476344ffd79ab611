// SPDX-License-Identifier: MIT
#include <algorithm>

#include "icd/commands.h"

namespace pumice::icd {

CommandPool::~CommandPool() {
  for (Commands* b : buffers) destroy(b, nullptr);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo*, const VkAllocationCallbacks* a,
                                                    VkCommandPool* out) {
  *out = to_handle(create<CommandPool>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device)));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyCommandPool(VkDevice, VkCommandPool p, const VkAllocationCallbacks* a) {
  destroy(from<CommandPool>(p), a);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_ResetCommandPool(VkDevice, VkCommandPool p, VkCommandPoolResetFlags) {
  for (Commands* b : from<CommandPool>(p)->buffers) b->reset();
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_TrimCommandPool(VkDevice, VkCommandPool, VkCommandPoolTrimFlags) {
  // Unused memory belongs to the device already.
}

VKAPI_ATTR VkResult VKAPI_CALL pm_AllocateCommandBuffers(VkDevice handle, const VkCommandBufferAllocateInfo* info, VkCommandBuffer* out) {
  auto& device = *from<Device>(handle);
  auto& pool = *from<CommandPool>(info->commandPool);
  for (uint32_t i = 0; i < info->commandBufferCount; ++i) out[i] = VK_NULL_HANDLE;
  pool.buffers.reserve(pool.buffers.size() + info->commandBufferCount);
  uint32_t made = 0;
  try {
    for (; made < info->commandBufferCount; ++made) {
      Commands* b = device.chip.create_commands(device, pool, info->level);
      pool.buffers.push_back(b);
      out[made] = to_handle(b);
    }
  } catch (...) {  // all of them or none
    pm_FreeCommandBuffers(handle, info->commandPool, made, out);
    std::fill_n(out, made, VkCommandBuffer{});
    throw;
  }
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_FreeCommandBuffers(VkDevice, VkCommandPool handle, uint32_t count, const VkCommandBuffer* buffers) {
  auto& pool = *from<CommandPool>(handle);
  for (uint32_t i = 0; i < count; ++i) {
    auto* b = from<Commands>(buffers[i]);
    std::erase(pool.buffers, b);
    destroy(b, nullptr);
  }
}

VKAPI_ATTR VkResult VKAPI_CALL pm_ResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags) {
  from<Commands>(handle)->reset();
  return VK_SUCCESS;
}

}  // namespace pumice::icd
