// SPDX-License-Identifier: MIT
/// VkFence, VkSemaphore, VkEvent. Fences and semaphores are flags of the host side, set by the queue thread when the chip's sequence
/// number says so; an event is a dword of GPU memory.
#pragma once
#include "icd/device.h"

namespace pumice::icd {

class Fence : public DeviceObject {
 public:
  using Handle = VkFence;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_FENCE;
  Fence(Device& d, bool s) : DeviceObject(d, kType), signalled(s) {}
  bool signalled;  ///< under Device::sync_mutex
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
