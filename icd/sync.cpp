// SPDX-License-Identifier: MIT
#include "icd/sync.h"

#include <atomic>
#include <chrono>
#include <string>

#include "icd/debug.h"
#include "icd/queue.h"

namespace pumice::icd {

bool Event::is_set() const {
  return std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(memory.host)).load(std::memory_order_acquire) != 0;
}
void Event::store(uint32_t value) {
  std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(memory.host)).store(value, std::memory_order_release);
  std::lock_guard lock(device.sync_mutex);
  device.sync_changed.notify_all();
}

void Event::wait_on_queue() const {
  const std::chrono::seconds patience(environment().on(Debug::watchdog) ? 4 : 20);
  std::unique_lock lock(device.sync_mutex);
  const bool came = device.sync_changed.wait_for(lock, patience, [&] { return device.lost || device.closing || is_set(); });
  lock.unlock();
  if (came) return;
  const std::string why =
      "vkCmdWaitEvents: " + describe(*this) + " has not been set for " + std::to_string(patience.count()) + " s, the queue gives up";
  device.set_lost(why.c_str());
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateFence(VkDevice device, const VkFenceCreateInfo* info, const VkAllocationCallbacks* a,
                                              VkFence* out) {
  // VK_KHR_external_fence: there are no handle types (vkGetPhysicalDeviceExternalFenceProperties).
  const auto* exported = find_next<VkExportFenceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
  if (exported && exported->handleTypes)
    return report_once(from<Device>(device), VK_ERROR_FEATURE_NOT_PRESENT,
                       "vkCreateFence: export as handle types 0x%x; fences of this device cannot be exported", exported->handleTypes);
  *out = to_handle(
      create<Fence>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyFence(VkDevice device, VkFence handle, const VkAllocationCallbacks* a) {
  auto& d = *from<Device>(device);
  auto* fence = from<Fence>(handle);
  if (!fence) return;
  bool in_use = false;
  {
    std::lock_guard lock(d.sync_mutex);
    in_use = d.queue->forget(fence);
  }
  if (in_use) misuse(fence, "vkDestroyFence: %s belongs to work that has not finished; nothing will signal it", describe(*fence).c_str());
  destroy(fence, a);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_ResetFences(VkDevice device, uint32_t count, const VkFence* fences) {
  std::lock_guard lock(from<Device>(device)->sync_mutex);
  for (uint32_t i = 0; i < count; ++i) from<Fence>(fences[i])->signalled = false;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetFenceStatus(VkDevice device, VkFence fence) {
  auto& d = *from<Device>(device);
  std::lock_guard lock(d.sync_mutex);
  if (d.lost) return VK_ERROR_DEVICE_LOST;
  return from<Fence>(fence)->signalled.load(std::memory_order_acquire) ? VK_SUCCESS : VK_NOT_READY;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_WaitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all, uint64_t timeout) {
  auto& d = *from<Device>(device);
  const auto ready = [&] {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) n += from<Fence>(fences[i])->signalled.load(std::memory_order_acquire);
    return all ? n == count : n > 0;
  };
  return d.queue->wait(ready, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo* info, const VkAllocationCallbacks* a,
                                                  VkSemaphore* out) {
  const auto* type = find_next<VkSemaphoreTypeCreateInfoKHR>(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO_KHR);
  const bool timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE_KHR;
  const auto* exported = find_next<VkExportSemaphoreCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
  std::shared_ptr<const SharedSignal> shared;
  std::shared_ptr<const SharedTimeline> shared_timeline;
  if (exported && exported->handleTypes) {
    if (exported->handleTypes != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
      return report(from<Device>(device), VK_ERROR_FEATURE_NOT_PRESENT,
                    "vkCreateSemaphore: semaphores can be exported as VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT only");
    if (timeline)
      shared_timeline = SharedTimeline::create(type->initialValue);
    else
      shared = std::make_shared<const SharedSignal>();
    if (timeline ? !shared_timeline : !shared->ok())
      return report(from<Device>(device), VK_ERROR_OUT_OF_HOST_MEMORY, "vkCreateSemaphore: no descriptor is left");
  }
  auto* s =
      create<Semaphore>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), timeline, timeline ? type->initialValue : uint64_t{0});
  s->shared = std::move(shared);
  if (shared_timeline) s->counter = std::make_shared<Counter>(std::move(shared_timeline));
  *out = to_handle(s);
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroySemaphore(VkDevice, VkSemaphore s, const VkAllocationCallbacks* a) { destroy(from<Semaphore>(s), a); }

VKAPI_ATTR VkResult VKAPI_CALL pm_GetSemaphoreCounterValue(VkDevice device, VkSemaphore s, uint64_t* value) {
  auto& d = *from<Device>(device);
  std::lock_guard lock(d.sync_mutex);
  if (d.lost) return VK_ERROR_DEVICE_LOST;
  *value = from<Semaphore>(s)->counter->value();
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_SignalSemaphore(VkDevice device, const VkSemaphoreSignalInfoKHR* info) {
  auto& d = *from<Device>(device);
  std::lock_guard lock(d.sync_mutex);
  from<Semaphore>(info->semaphore)->counter->reach(info->value);
  d.sync_changed.notify_all();
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfoKHR* info, uint64_t timeout) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kSlice{20}, kShort{1};
  auto& d = *from<Device>(device);
  const bool any = info->flags & VK_SEMAPHORE_WAIT_ANY_BIT_KHR;
  constexpr uint64_t kForEver = 30ull * 86400 * 1000000000ull;  // chrono overflows on longer times
  const auto end = Clock::now() + std::chrono::nanoseconds(std::min(timeout, kForEver));
  std::unique_lock lock(d.sync_mutex);
  for (;;) {
    if (d.lost) return VK_ERROR_DEVICE_LOST;
    uint32_t reached = 0;
    std::shared_ptr<const SharedTimeline> shared;  // one that is not reached
    uint64_t value = 0;
    bool all_shared = true;
    for (uint32_t i = 0; i < info->semaphoreCount; ++i) {
      const Counter& c = *from<Semaphore>(info->pSemaphores[i])->counter;
      if (c.value() >= info->pValues[i])
        ++reached;
      else if (c.shared)
        shared = c.shared, value = info->pValues[i];
      else
        all_shared = false;
    }
    if (any ? reached > 0 : reached == info->semaphoreCount) return VK_SUCCESS;
    const auto now = Clock::now();
    if (timeout <= kForEver && now >= end) return VK_TIMEOUT;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now);
    if (!shared || (!any && !all_shared)) {
      timeout > kForEver ? d.sync_changed.wait(lock) : void(d.sync_changed.wait_until(lock, end));
    } else if (!any || info->semaphoreCount == 1) {
      // Shared values are waited for one after the other, by futex; slices because of the loss of the device.
      lock.unlock();
      shared->wait(value, std::min(left, kSlice));
      lock.lock();
    } else {
      d.sync_changed.wait_for(lock, std::min(left, kShort));  // any of several
    }
  }
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateEvent(VkDevice device, const VkEventCreateInfo*, const VkAllocationCallbacks* a, VkEvent* out) {
  *out = to_handle(create<Event>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device)));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyEvent(VkDevice, VkEvent e, const VkAllocationCallbacks* a) { destroy(from<Event>(e), a); }

VKAPI_ATTR VkResult VKAPI_CALL pm_GetEventStatus(VkDevice device, VkEvent e) {
  if (from<Device>(device)->lost) return VK_ERROR_DEVICE_LOST;
  return from<Event>(e)->is_set() ? VK_EVENT_SET : VK_EVENT_RESET;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_SetEvent(VkDevice, VkEvent e) {
  from<Event>(e)->store(1);
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_ResetEvent(VkDevice, VkEvent e) {
  from<Event>(e)->store(0);
  return VK_SUCCESS;
}

}  // namespace pumice::icd
