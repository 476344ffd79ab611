// SPDX-License-Identifier: MIT
/// VkFence, VkSemaphore, VkEvent. Fences and semaphores are host objects: a fence is signalled when the chip has written its sequence
/// number, a semaphore as soon as no later work on the queue can overtake the work that signals it (queue.h); an event is a dword of GPU
/// memory.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "icd/device.h"
#include "icd/external.h"
#include "icd/shared_timeline.h"

namespace pumice::icd {

class Fence : public DeviceObject {
 public:
  using Handle = VkFence;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_FENCE;
  Fence(Device& d, bool s) : DeviceObject(d, kType), signalled(s) {}
  // Under Device::sync_mutex:
  void signal();
  void reset();
  bool is_signalled() const { return payload() ? payload()->is_set() : signalled.load(); }
  const std::shared_ptr<const SharedSignal>& payload() const { return temporary ? temporary : shared; }

  /// Set under Device::sync_mutex, so that waiting threads are woken; may be read without it.
  std::atomic<bool> signalled;
  /// Others may hold it, or did: its state may be in one of those below. Never false again.
  std::atomic<bool> external = false;
  VkExternalFenceHandleTypeFlags exports = 0;  ///< what it was created for
  // Under Device::sync_mutex:
  std::shared_ptr<const SharedSignal> shared, temporary;  ///< instead of `signalled`; `temporary` until the next reset
};

/// What a semaphore is made of: a number that only grows. A wait is for "at least n", which is all that a timeline semaphore needs.
/// Batches hold it too, so that a semaphore that is destroyed too early leaves them something to wait for. Under Device::sync_mutex, but
/// `shared`, which does not change, may be used without it.
class Counter {
 public:
  explicit Counter(uint64_t n) : value_(n) {}
  explicit Counter(std::shared_ptr<const SharedTimeline> s) : shared(std::move(s)) {}
  uint64_t value() const { return shared ? shared->value() : value_; }
  void reach(uint64_t n) { shared ? shared->reach(n) : void(value_ = value_ < n ? n : value_); }

  /// A timeline's value that other devices may change: a wait for it ends without Device::sync_changed.
  const std::shared_ptr<const SharedTimeline> shared;

 private:
  uint64_t value_ = 0;
};

/// A binary semaphore, or a timeline (VK_KHR_timeline_semaphore), whose numbers are the application's. A binary one's signal operations are
/// numbered as they are submitted, and so are its waits; wait n is for signal n. No signal is lost when an application signals it again
/// before the queue has come to the wait.
class Semaphore : public DeviceObject {
 public:
  using Handle = VkSemaphore;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SEMAPHORE;
  explicit Semaphore(Device& d, bool is_timeline = false, uint64_t value = 0)
      : DeviceObject(d, kType), timeline(is_timeline), counter(std::make_shared<Counter>(value)) {}

  const bool timeline;

  // Under Device::sync_mutex:
  std::shared_ptr<Counter> counter;                ///< replaced by an import
  uint64_t signals = 0, waits = 0;                 ///< submitted so far; waits <= signals
  bool reported = false;                           ///< a wait without a signal has been reported
  bool foreign = false;                            ///< other devices may signal it
  VkExternalSemaphoreHandleTypeFlags exports = 0;  ///< what it was created for
  /// Of a binary semaphore that others may hold: instead of the counter; `temporary` until the next wait.
  std::shared_ptr<const SharedSignal> shared, temporary;
};

/// Waits for fences as vkWaitForFences does.
VkResult wait_for_fences(Device& device, uint32_t count, const VkFence* fences, bool all, uint64_t timeout_ns);

/// A wait or a signal of a submission. vkQueueSubmit gives the semaphore; Queue::submit() the rest, and what runs later looks at that only.
struct SemaphoreOp {
  Semaphore* semaphore;
  std::shared_ptr<Counter> counter;
  uint64_t value = 0;
  std::shared_ptr<const SharedSignal> shared = nullptr;  ///< instead of both
  bool temporary = false;                                ///< `shared` was the semaphore's for this wait only
};

class Event : public DeviceObject {
 public:
  using Handle = VkEvent;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_EVENT;
  explicit Event(Device& d) : DeviceObject(d, kType), memory(*d.heap, sizeof(uint32_t)) {}
  GpuRange memory;  ///< dword 0: 1 when set
  bool is_set() const;
  void store(uint32_t value);
  /// On the queue's thread: until the host or the chip has set it. Loses the device after some seconds: Vulkan leaves the limit to the
  /// implementation, and without one an application that waits for the queue before it sets the event would never come back.
  void wait_on_queue() const;
};

}  // namespace pumice::icd
