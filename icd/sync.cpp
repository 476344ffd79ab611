// SPDX-License-Identifier: MIT
#include "icd/sync.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "icd/debug.h"
#include "icd/queue.h"

namespace pumice::icd {

namespace {
constexpr uint64_t kForEver = 30ull * 86400 * 1000000000ull;  ///< chrono overflows on longer times
}

void Fence::signal() {
  // The application may destroy the fence from there on.
  if (const std::shared_ptr<const SharedSignal> own = payload())
    own->signal();
  else
    signalled.store(true, std::memory_order_release);
}
void Fence::reset() {
  temporary = nullptr;
  if (shared)
    shared->clear();
  else
    signalled = false;
}

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
  auto& d = *from<Device>(device);
  const auto* exported = find_next<VkExportFenceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
  const VkExternalFenceHandleTypeFlags types = exported ? exported->handleTypes : 0;
  constexpr VkExternalFenceHandleTypeFlags kTypes = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  if (types & ~kTypes || (types && !d.has(DeviceExtension::KHR_external_fence_fd)))
    return report_once(&d, VK_ERROR_FEATURE_NOT_PRESENT,
                       "vkCreateFence: export as handle types 0x%x; fences can be exported as opaque descriptors and sync files only, with "
                       "VK_KHR_external_fence_fd",
                       types);
  const bool signalled = (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0;
  std::shared_ptr<const SharedSignal> shared;
  if (types & VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT) {
    shared = std::make_shared<const SharedSignal>();
    if (!shared->ok()) return report(&d, VK_ERROR_OUT_OF_HOST_MEMORY, "vkCreateFence: no descriptor is left");
    if (signalled) shared->signal();
  }
  auto* fence = create<Fence>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, d, signalled);
  fence->exports = types;
  fence->external = shared != nullptr;
  fence->shared = std::move(shared);
  *out = to_handle(fence);
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
  for (uint32_t i = 0; i < count; ++i) from<Fence>(fences[i])->reset();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetFenceStatus(VkDevice device, VkFence fence) {
  auto& d = *from<Device>(device);
  std::lock_guard lock(d.sync_mutex);
  if (d.lost) return VK_ERROR_DEVICE_LOST;
  return from<Fence>(fence)->is_signalled() ? VK_SUCCESS : VK_NOT_READY;
}

/// Some of the fences may be signalled by other devices, which wake threads in poll() only.
static VkResult wait_for_shared(Device& d, uint32_t count, const VkFence* fences, bool all, uint64_t timeout) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  constexpr milliseconds kSlice{20}, kShort{1};
  struct Each {
    const Fence* fence;
    std::shared_ptr<const SharedSignal> payload;
    bool is_set() const { return payload ? payload->is_set() : fence->signalled.load(std::memory_order_acquire); }
  };
  std::vector<Each> each;
  {
    std::lock_guard lock(d.sync_mutex);
    for (uint32_t i = 0; i < count; ++i) each.push_back({from<Fence>(fences[i]), from<Fence>(fences[i])->payload()});
  }
  const auto ready = [&] {
    const auto n = std::count_if(each.begin(), each.end(), [](const Each& e) { return e.is_set(); });
    return all ? n == count : n > 0;
  };
  const auto end = Clock::now() + std::chrono::nanoseconds(std::min(timeout, kForEver));
  for (;;) {
    const auto left = [&] { return timeout > kForEver ? Clock::duration(kSlice) : std::max(end - Clock::now(), Clock::duration(0)); };
    const auto open = std::find_if(each.begin(), each.end(), [](const Each& e) { return e.payload && !e.payload->is_set(); });
    if (open != each.end() && (all || count == 1) && !d.lost)
      open->payload->wait(std::chrono::ceil<milliseconds>(std::min<Clock::duration>(left(), kSlice)));
    const std::chrono::nanoseconds more = std::min<Clock::duration>(left(), kShort);
    const VkResult r = d.queue->wait(ready, static_cast<uint64_t>(more.count()));
    if (r != VK_TIMEOUT || left() == Clock::duration(0)) return r;
  }
}

VkResult wait_for_fences(Device& d, uint32_t count, const VkFence* fences, bool all, uint64_t timeout) {
  if (std::any_of(fences, fences + count, [](VkFence f) { return from<Fence>(f)->external.load(); }))
    return wait_for_shared(d, count, fences, all, timeout);
  const auto ready = [&] {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) n += from<Fence>(fences[i])->signalled.load(std::memory_order_acquire);
    return all ? n == count : n > 0;
  };
  return d.queue->wait(ready, timeout);
}
VKAPI_ATTR VkResult VKAPI_CALL pm_WaitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all, uint64_t timeout) {
  return wait_for_fences(*from<Device>(device), count, fences, all, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo* info, const VkAllocationCallbacks* a,
                                                  VkSemaphore* out) {
  const auto* type = find_next<VkSemaphoreTypeCreateInfoKHR>(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO_KHR);
  const bool timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE_KHR;
  const auto* exported = find_next<VkExportSemaphoreCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
  std::shared_ptr<const SharedSignal> shared;
  std::shared_ptr<const SharedTimeline> shared_timeline;
  if (exported && exported->handleTypes) {
    constexpr VkExternalSemaphoreHandleTypeFlags kOpaque = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
                                                 kBoth = kOpaque | VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    if (exported->handleTypes & ~(timeline ? kOpaque : kBoth))
      return report(
          from<Device>(device), VK_ERROR_FEATURE_NOT_PRESENT,
          "vkCreateSemaphore: export as handle types 0x%x; binary semaphores can be exported as opaque descriptors and sync files "
          "only, timelines as opaque descriptors",
          exported->handleTypes);
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
  s->exports = exported ? exported->handleTypes : 0;
  s->foreign = (s->exports & VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT) != 0;
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
