// SPDX-License-Identifier: MIT
#include "icd/query.h"

#include <atomic>
#include <chrono>
#include <cstring>

#include "icd/names.h"

namespace pumice::icd {

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateQueryPool(VkDevice handle, const VkQueryPoolCreateInfo* info, const VkAllocationCallbacks* a,
                                                  VkQueryPool* out) {
  auto& device = *from<Device>(handle);
  if (info->queryType != VK_QUERY_TYPE_OCCLUSION && info->queryType != VK_QUERY_TYPE_TIMESTAMP)
    return report_once(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                       "vkCreateQueryPool: queries of type %s are not available on this device (%s); the chip counts Z passes only",
                       name_of(info->queryType).c_str(), device.chip.name);
  *out = to_handle(create<QueryPool>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, info->queryCount));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyQueryPool(VkDevice, VkQueryPool p, const VkAllocationCallbacks* a) { destroy(from<QueryPool>(p), a); }

VKAPI_ATTR VkResult VKAPI_CALL pm_GetQueryPoolResults(VkDevice handle, VkQueryPool p, uint32_t first, uint32_t count, size_t, void* data,
                                                      VkDeviceSize stride, VkQueryResultFlags flags) {
  auto& device = *from<Device>(handle);
  auto& pool = *from<QueryPool>(p);
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) {
    std::byte* slot = pool.memory.host + (first + i) * QueryPool::kStride;
    std::atomic_ref<uint32_t> available(*reinterpret_cast<uint32_t*>(slot + QueryPool::kAvailable));
    if (flags & VK_QUERY_RESULT_WAIT_BIT) {
      // The chip only signals the end of a batch; that is soon enough for a wait.
      std::unique_lock lock(device.sync_mutex);
      while (!available.load(std::memory_order_acquire) && !device.lost) device.sync_changed.wait_for(lock, std::chrono::milliseconds(50));
    }
    if (device.lost) return VK_ERROR_DEVICE_LOST;
    const bool ready = available.load(std::memory_order_acquire);
    uint64_t value[2] = {0, ready};
    std::memcpy(&value[0], slot, 4);
    auto* out = static_cast<std::byte*>(data) + i * stride;
    const size_t width = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
    // Little endian: the low half is the 32-bit value.
    if (ready || (flags & VK_QUERY_RESULT_PARTIAL_BIT)) std::memcpy(out, &value[0], width);
    if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) std::memcpy(out + width, &value[1], width);
    if (!ready) result = VK_NOT_READY;
  }
  return result;
}

}  // namespace pumice::icd
