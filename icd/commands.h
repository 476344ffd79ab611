// SPDX-License-Identifier: MIT
/// VkCommandPool, and the part of command buffers common to all chips; command_buffer.h and rdp/command_buffer.h record.
#pragma once
#include <vector>

#include "icd/device.h"

namespace pumice::icd {

class Commands;

class CommandPool : public DeviceObject {
 public:
  using Handle = VkCommandPool;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_COMMAND_POOL;
  explicit CommandPool(Device& d) : DeviceObject(d, kType) {}
  ~CommandPool();
  std::vector<Commands*> buffers;
};

/// Aligned for every derived class: pools free what they know as Commands.
class alignas(16) Commands : public DeviceObject {
 public:
  using Handle = VkCommandBuffer;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_COMMAND_BUFFER;
  Commands(Device& d, CommandPool& p, VkCommandBufferLevel l) : DeviceObject(d, kType), pool(p), level(l) {}
  virtual ~Commands() = default;

  /// Forgets what was recorded.
  virtual void reset() = 0;

  CommandPool& pool;
  VkCommandBufferLevel level;

  /// The first failure of recording; vkEndCommandBuffer returns it.
  void fail(VkResult r) {
    if (status == VK_SUCCESS) status = r;
  }
  VkResult status = VK_SUCCESS;
};

}  // namespace pumice::icd
