// SPDX-License-Identifier: MIT
/// VkQueryPool: occlusion, timestamp and statistics queries. A query is memory of the GPU: whether it is available, then for each of its
/// counters the value when it began and when it ended. A timestamp has the beginning 0.
#pragma once
#include <bit>

#include "icd/device.h"

namespace pumice::icd::r5x {

class QueryPool : public DeviceObject {
 public:
  using Handle = VkQueryPool;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_QUERY_POOL;
  /// Counters of the pipeline that the chip has (docs/r5x.md, 9); those of other stages are 0.
  static constexpr uint32_t kStatistics = 11;
  QueryPool(Device& d, uint32_t n, VkQueryPipelineStatisticFlags statistics_)
      : DeviceObject(d, kType), count(n), statistics(statistics_), memory(*d.heap, uint64_t{n} * stride()) {}
  const uint32_t count;
  const VkQueryPipelineStatisticFlags statistics;  ///< 0: one counter, of samples or of time
  GpuRange memory;

  uint32_t counters() const { return statistics ? static_cast<uint32_t>(std::popcount(statistics)) : 1; }
  uint32_t stride() const { return 8 * (2 + 2 * counters()); }
  hw::GpuAddress available(uint32_t query) const { return memory.address + uint64_t{query} * stride(); }
  /// Of counter `i`.
  hw::GpuAddress begin(uint32_t query, uint32_t i = 0) const { return available(query) + 16 * (i + 1); }
  hw::GpuAddress end(uint32_t query, uint32_t i = 0) const { return begin(query, i) + 8; }
  uint64_t* host(uint32_t query) const { return reinterpret_cast<uint64_t*>(memory.host + uint64_t{query} * stride()); }
  /// Bytes that write_result() writes.
  size_t result_bytes(VkQueryResultFlags flags) const {
    return (flags & VK_QUERY_RESULT_64_BIT ? 8u : 4u) * (counters() + (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT ? 1u : 0u));
  }
  /// As vkGetQueryPoolResults writes it; false: not available.
  bool write_result(uint32_t query, VkQueryResultFlags flags, std::byte* out) const;
};

}  // namespace pumice::icd::r5x
