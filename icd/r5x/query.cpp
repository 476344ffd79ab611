// SPDX-License-Identifier: MIT
#include "icd/r5x/query.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>

#include "icd/names.h"
#include "icd/r5x/command_buffer.h"
#include "icd/r5x/meta.h"
#include "icd/r5x/registers.h"

namespace pumice::icd {
namespace r5x {

bool QueryPool::write_result(uint32_t query, VkQueryResultFlags flags, std::byte* out) const {
  uint64_t* at = host(query);
  const uint64_t ready = std::atomic_ref<uint64_t>(*at).load(std::memory_order_acquire) != 0;
  const size_t width = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
  // Little endian: the low half is the 32-bit value.
  for (uint32_t i = 0; i < counters(); ++i, out += width) {
    const uint64_t value = ready ? at[2 * i + 3] - at[2 * i + 2] : 0;
    if (ready || (flags & VK_QUERY_RESULT_PARTIAL_BIT)) std::memcpy(out, &value, width);
  }
  if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) std::memcpy(out, &ready, width);
  return ready != 0;
}

namespace {

/// Kinds of X_WRITE; counters of the pipeline follow from first_count in the order of their flag bits.
enum class Write : uint32_t { value, timestamp, samples, first_count = 16 };

/// 64 bits after everything before.
void write(CommandBuffer& c, hw::GpuAddress to, Write kind, uint64_t value = 0) {
  const auto low = static_cast<uint32_t>(to), high = static_cast<uint32_t>(to >> 32), k = static_cast<uint32_t>(kind);
  if (kind == Write::value)
    c.cs.packet(pm4::Op::X_WRITE, {low, high, k, static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)});
  else
    c.cs.packet(pm4::Op::X_WRITE, {low, high, k});
}

/// Writes the pool's counters to their addresses `at(i)`.
template <class F>
void write_counters(CommandBuffer& c, const QueryPool& pool, F at) {
  if (!pool.statistics) return write(c, at(0), Write::samples);
  uint32_t i = 0;
  for (uint32_t left = pool.statistics; left; left &= left - 1)
    write(c, at(i++), static_cast<Write>(static_cast<uint32_t>(Write::first_count) + static_cast<uint32_t>(std::countr_zero(left))));
}

/// A query in a subpass with views takes one for each of them: the first has the sum.
void empty_others(CommandBuffer& c, const QueryPool& pool, uint32_t first) {
  for (uint32_t query = first + 1; query < first + static_cast<uint32_t>(std::popcount(c.draw.view_mask())); ++query) {
    for (uint32_t i = 0; i < pool.counters(); ++i) {
      write(c, pool.begin(query, i), Write::value, 0);
      write(c, pool.end(query, i), Write::value, 0);
    }
    write(c, pool.available(query), Write::value, 1);
  }
}

/// After all earlier work, unless the stage is one that earlier work need not reach.
void write_timestamp(CommandBuffer& c, VkPipelineStageFlags2 stage, const QueryPool& pool, uint32_t query) {
  if (stage & ~VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT) c.barrier();
  write(c, pool.begin(query), Write::value, 0);
  write(c, pool.end(query), Write::timestamp);
  write(c, pool.available(query), Write::value, 1);
  empty_others(c, pool, query);
}

}  // namespace
}  // namespace r5x

using namespace r5x;

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateQueryPool(VkDevice handle, const VkQueryPoolCreateInfo* info, const VkAllocationCallbacks* a,
                                                   VkQueryPool* out) {
  auto& device = *from<Device>(handle);
  const bool statistics = info->queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS;
  const VkQueryPipelineStatisticFlags counters = statistics ? info->pipelineStatistics : 0;
  if ((info->queryType != VK_QUERY_TYPE_OCCLUSION && info->queryType != VK_QUERY_TYPE_TIMESTAMP && !statistics) ||
      counters >> QueryPool::kStatistics || (statistics && !counters))
    return report_once(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                       "vkCreateQueryPool: queries of type %s with pipelineStatistics 0x%x are not available on this device (%s)",
                       name_of(info->queryType).c_str(), counters, device.chip.name);
  *out = to_handle(create<QueryPool>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, info->queryCount, counters));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL r5x_DestroyQueryPool(VkDevice, VkQueryPool p, const VkAllocationCallbacks* a) { destroy(from<QueryPool>(p), a); }

VKAPI_ATTR VkResult VKAPI_CALL r5x_GetQueryPoolResults(VkDevice handle, VkQueryPool p, uint32_t first, uint32_t count, size_t, void* data,
                                                       VkDeviceSize stride, VkQueryResultFlags flags) {
  auto& device = *from<Device>(handle);
  const auto& pool = *from<QueryPool>(p);
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) {
    auto* out = static_cast<std::byte*>(data) + i * stride;
    std::atomic_ref<uint64_t> available(*pool.host(first + i));
    if (flags & VK_QUERY_RESULT_WAIT_BIT) {
      // The chip only signals the end of a batch; that is soon enough for a wait.
      std::unique_lock lock(device.sync_mutex);
      while (!available.load(std::memory_order_acquire) && !device.lost) device.sync_changed.wait_for(lock, std::chrono::milliseconds(50));
    }
    if (device.lost) return VK_ERROR_DEVICE_LOST;
    if (!pool.write_result(first + i, flags, out)) result = VK_NOT_READY;
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL r5x_ResetQueryPool(VkDevice, VkQueryPool p, uint32_t first, uint32_t count) {
  const auto& pool = *from<QueryPool>(p);
  std::memset(pool.host(first), 0, size_t{count} * pool.stride());
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdResetQueryPool(VkCommandBuffer handle, VkQueryPool p, uint32_t first, uint32_t count) {
  auto& c = *from<CommandBuffer>(handle);
  if (!count) return;
  c.barrier();
  const auto& pool = *from<QueryPool>(p);
  const hw::GpuAddress at = pool.available(first);
  c.cs.packet(pm4::Op::X_FILL, {static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32), count * pool.stride() / 4, 0});
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdBeginQuery(VkCommandBuffer handle, VkQueryPool p, uint32_t query, VkQueryControlFlags) {
  auto& c = *from<CommandBuffer>(handle);
  const auto& pool = *from<QueryPool>(p);
  c.barrier();
  // Registers stay as they are in secondary command buffers, which do not name this one.
  if (pool.statistics)
    c.cs.set(xr::X_QUERY_CTRL{}.STATISTICS(1));
  else
    c.draw.counting = true;
  write_counters(c, pool, [&](uint32_t i) { return pool.begin(query, i); });
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdEndQuery(VkCommandBuffer handle, VkQueryPool p, uint32_t query) {
  auto& c = *from<CommandBuffer>(handle);
  const auto& pool = *from<QueryPool>(p);
  c.barrier();
  write_counters(c, pool, [&](uint32_t i) { return pool.end(query, i); });
  write(c, pool.available(query), Write::value, 1);
  if (pool.statistics)
    c.cs.set(xr::X_QUERY_CTRL{});
  else
    c.draw.counting = false;
  empty_others(c, pool, query);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdWriteTimestamp(VkCommandBuffer c, VkPipelineStageFlagBits stage, VkQueryPool p, uint32_t query) {
  write_timestamp(*from<CommandBuffer>(c), stage, *from<QueryPool>(p), query);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdWriteTimestamp2(VkCommandBuffer c, VkPipelineStageFlags2 stage, VkQueryPool p, uint32_t query) {
  write_timestamp(*from<CommandBuffer>(c), stage, *from<QueryPool>(p), query);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyQueryPoolResults(VkCommandBuffer handle, VkQueryPool p, uint32_t first, uint32_t count, VkBuffer b,
                                                       VkDeviceSize offset, VkDeviceSize stride, VkQueryResultFlags flags) {
  auto& c = *from<CommandBuffer>(handle);
  const auto* pool = from<QueryPool>(p);
  const Buffer& buffer = *from<Buffer>(b);
  const uint64_t bytes = pool->result_bytes(flags), have = buffer.bytes(offset, VK_WHOLE_SIZE);
  c.barrier();
  // Differences of counters are the host's: the queue's thread writes what the chip has counted when it has reached this point.
  c.cs.host_step([pool, first, count, to = buffer.address + offset, stride, flags, bytes, have](HostContext& h) {
    for (uint32_t i = 0; i < count && i * stride + bytes <= have; ++i) pool->write_result(first + i, flags, h.device.host(to) + i * stride);
  });
  say_host_wrote(c.cs, buffer.address + offset, std::min(count ? (count - 1) * stride + bytes : 0, have));
}

}  // namespace pumice::icd
