// SPDX-License-Identifier: MIT
/// VkFence, VkSemaphore, VkEvent. Fences and semaphores are flags of the host side: a fence is set when the chip's sequence number says
/// so, a semaphore as soon as nothing that comes later on the queue can overtake what signals it (queue.h); an event is a dword of GPU
/// memory.
#pragma once
#include <atomic>

#include "icd/device.h"

namespace pumice::icd {

class Fence : public DeviceObject {
 public:
  using Handle = VkFence;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_FENCE;
  Fence(Device& d, bool s) : DeviceObject(d, kType), signalled(s) {}
  /// Set under Device::sync_mutex, so that who waits is woken; may be looked at without.
  std::atomic<bool> signalled;
};

class Semaphore : public DeviceObject {
 public:
  using Handle = VkSemaphore;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SEMAPHORE;
  explicit Semaphore(Device& d) : DeviceObject(d, kType) {}
  bool signalled = false;  ///< under Device::sync_mutex
};

class Event : public DeviceObject {
 public:
  using Handle = VkEvent;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_EVENT;
  explicit Event(Device& d) : DeviceObject(d, kType), memory(*d.heap, sizeof(uint32_t)) {}
  GpuRange memory;  ///< dword 0: 1 when set
  bool is_set() const;
  void store(uint32_t value);
};

}  // namespace pumice::icd
