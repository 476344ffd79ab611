// SPDX-License-Identifier: MIT
/// VkQueryPool: occlusion and timestamp queries. A query is 32 bytes of GPU memory: a counter when it began, when it ended, and whether it
/// is available. A timestamp has the beginning 0.
#pragma once
#include "icd/device.h"

namespace pumice::icd::r5x {

class QueryPool : public DeviceObject {
 public:
  using Handle = VkQueryPool;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_QUERY_POOL;
  struct Slot {
    uint64_t begin, end, available, unused;
  };
  static constexpr uint32_t kStride = sizeof(Slot), kEnd = 8, kAvailable = 16;
  QueryPool(Device& d, uint32_t n) : DeviceObject(d, kType), count(n), memory(*d.heap, uint64_t{n} * kStride) {}
  uint32_t count;
  GpuRange memory;
  hw::GpuAddress at(uint32_t query) const { return memory.address + uint64_t{query} * kStride; }
  /// As vkGetQueryPoolResults writes it; false: not available.
  bool write_result(uint32_t query, VkQueryResultFlags flags, std::byte* out) const;
};

}  // namespace pumice::icd::r5x
