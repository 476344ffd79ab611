// SPDX-License-Identifier: MIT
/// VkQueryPool: occlusion and timestamp queries. A query is 32 bytes of GPU memory: the Z-pass counter as 64 bits, then its availability as
/// 64 bits. The chip has no clock (timestampValidBits is 0): a timestamp is 0, but becomes available, so that waiting for it ends.
#pragma once
#include "icd/device.h"

namespace pumice::icd {

class QueryPool : public DeviceObject {
 public:
  using Handle = VkQueryPool;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_QUERY_POOL;
  static constexpr uint32_t kStride = 32, kAvailable = 8;
  QueryPool(Device& d, uint32_t n) : DeviceObject(d, kType), count(n), memory(*d.heap, uint64_t{n} * kStride) {}
  uint32_t count;
  GpuRange memory;
  hw::GpuAddress at(uint32_t query) const { return memory.address + uint64_t{query} * kStride; }
};

}  // namespace pumice::icd
