// SPDX-License-Identifier: MIT
#include "icd/r5x/query.h"

#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>

#include "icd/names.h"
#include "icd/r5x/command_buffer.h"

namespace pumice::icd {
namespace r5x {

bool QueryPool::write_result(uint32_t query, VkQueryResultFlags flags, std::byte* out) const {
  auto* slot = reinterpret_cast<Slot*>(memory.host + uint64_t{query} * kStride);
  const bool ready = std::atomic_ref<uint64_t>(slot->available).load(std::memory_order_acquire) != 0;
  const uint64_t values[2] = {ready ? slot->end - slot->begin : 0, ready};
  const size_t width = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
  // Little endian: the low half is the 32-bit value.
  if (ready || (flags & VK_QUERY_RESULT_PARTIAL_BIT)) std::memcpy(out, &values[0], width);
  if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) std::memcpy(out + width, &values[1], width);
  return ready;
}

namespace {

enum class Write : uint32_t { value, timestamp, samples };

/// 64 bits after everything before.
void write(CommandBuffer& c, hw::GpuAddress to, Write kind, uint64_t value = 0) {
  const auto low = static_cast<uint32_t>(to), high = static_cast<uint32_t>(to >> 32), k = static_cast<uint32_t>(kind);
  if (kind == Write::value)
    c.cs.packet(pm4::Op::X_WRITE, {low, high, k, static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)});
  else
    c.cs.packet(pm4::Op::X_WRITE, {low, high, k});
}

/// A query in a subpass with views takes one for each of them: the first has the sum.
void empty_others(CommandBuffer& c, hw::GpuAddress first) {
  for (int i = 1; i < std::popcount(c.draw.view_mask()); ++i) {
    const hw::GpuAddress at = first + static_cast<hw::GpuAddress>(i) * QueryPool::kStride;
    write(c, at, Write::value, 0);
    write(c, at + QueryPool::kEnd, Write::value, 0);
    write(c, at + QueryPool::kAvailable, Write::value, 1);
  }
}

}  // namespace
}  // namespace r5x

using namespace r5x;

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateQueryPool(VkDevice handle, const VkQueryPoolCreateInfo* info, const VkAllocationCallbacks* a,
                                                   VkQueryPool* out) {
  auto& device = *from<Device>(handle);
  if (info->queryType != VK_QUERY_TYPE_OCCLUSION && info->queryType != VK_QUERY_TYPE_TIMESTAMP)
    return report_once(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateQueryPool: queries of type %s are not available on this device (%s)",
                       name_of(info->queryType).c_str(), device.chip.name);
  *out = to_handle(create<QueryPool>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, info->queryCount));
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
    std::atomic_ref<uint64_t> available(reinterpret_cast<QueryPool::Slot*>(pool.memory.host)[first + i].available);
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
  std::memset(from<QueryPool>(p)->memory.host + uint64_t{first} * QueryPool::kStride, 0, size_t{count} * QueryPool::kStride);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdResetQueryPool(VkCommandBuffer handle, VkQueryPool p, uint32_t first, uint32_t count) {
  auto& c = *from<CommandBuffer>(handle);
  if (!count) return;
  c.barrier();
  const hw::GpuAddress at = from<QueryPool>(p)->at(first);
  c.cs.packet(pm4::Op::X_FILL, {static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32), count * QueryPool::kStride / 4, 0});
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdBeginQuery(VkCommandBuffer handle, VkQueryPool p, uint32_t query, VkQueryControlFlags) {
  auto& c = *from<CommandBuffer>(handle);
  c.draw.counting = true;
  c.barrier();
  write(c, from<QueryPool>(p)->at(query), Write::samples);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdEndQuery(VkCommandBuffer handle, VkQueryPool p, uint32_t query) {
  auto& c = *from<CommandBuffer>(handle);
  const hw::GpuAddress at = from<QueryPool>(p)->at(query);
  c.draw.counting = false;
  c.barrier();
  write(c, at + QueryPool::kEnd, Write::samples);
  write(c, at + QueryPool::kAvailable, Write::value, 1);
  empty_others(c, at);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdWriteTimestamp(VkCommandBuffer handle, VkPipelineStageFlagBits stage, VkQueryPool p, uint32_t query) {
  auto& c = *from<CommandBuffer>(handle);
  const hw::GpuAddress at = from<QueryPool>(p)->at(query);
  if (stage != VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT) c.barrier();
  write(c, at, Write::value, 0);
  write(c, at + QueryPool::kEnd, Write::timestamp);
  write(c, at + QueryPool::kAvailable, Write::value, 1);
  empty_others(c, at);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdCopyQueryPoolResults(VkCommandBuffer handle, VkQueryPool p, uint32_t first, uint32_t count, VkBuffer b,
                                                       VkDeviceSize offset, VkDeviceSize stride, VkQueryResultFlags flags) {
  auto& c = *from<CommandBuffer>(handle);
  const auto* pool = from<QueryPool>(p);
  const Buffer& buffer = *from<Buffer>(b);
  const uint32_t values = flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT ? 2 : 1;
  const uint64_t bytes = values * (flags & VK_QUERY_RESULT_64_BIT ? 8u : 4u), have = buffer.bytes(offset, VK_WHOLE_SIZE);
  c.barrier();
  // Differences of counters are the host's: the queue's thread writes what the chip has counted when it has come there.
  c.cs.host_step([pool, first, count, to = buffer.address + offset, stride, flags, bytes, have](HostContext& h) {
    for (uint32_t i = 0; i < count && i * stride + bytes <= have; ++i) pool->write_result(first + i, flags, h.device.host(to) + i * stride);
  });
}

}  // namespace pumice::icd
