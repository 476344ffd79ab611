// SPDX-License-Identifier: MIT
/// Barriers, events and queries inside a stream.
#include "icd/command_buffer.h"
#include "icd/dependency.h"
#include "icd/query.h"
#include "icd/sync.h"

namespace pumice::icd {
namespace {

/// Four bytes 1 or 0 from the device's constants page, after everything before has reached memory.
void store_flag(CommandBuffer& c, hw::GpuAddress to, bool value) {
  c.barrier();
  c.cs.copy(radeon(c.device).constants_page() + (value ? 0 : 4), to, 4);
}

void order(CommandBuffer& c, const Dependency& d) {
  if (!d.orders()) return;
  c.barrier();
  c.gfx.set_dirty(kMemory);
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL pm_CmdPipelineBarrier(VkCommandBuffer handle, VkPipelineStageFlags source, VkPipelineStageFlags destination,
                                                 VkDependencyFlags, uint32_t memory_count, const VkMemoryBarrier* memory,
                                                 uint32_t buffer_count, const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                                                 const VkImageMemoryBarrier* images) {
  order(*from<CommandBuffer>(handle), dependency(source, destination, memory_count, memory, buffer_count, buffers, image_count, images));
}

VKAPI_ATTR void VKAPI_CALL pm_CmdSetEvent(VkCommandBuffer handle, VkEvent e, VkPipelineStageFlags) {
  store_flag(*from<CommandBuffer>(handle), from<Event>(e)->memory.address, true);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdResetEvent(VkCommandBuffer handle, VkEvent e, VkPipelineStageFlags) {
  store_flag(*from<CommandBuffer>(handle), from<Event>(e)->memory.address, false);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdWaitEvents(VkCommandBuffer handle, uint32_t count, const VkEvent* events, VkPipelineStageFlags,
                                            VkPipelineStageFlags, uint32_t, const VkMemoryBarrier*, uint32_t, const VkBufferMemoryBarrier*,
                                            uint32_t, const VkImageMemoryBarrier*) {
  auto& c = *from<CommandBuffer>(handle);
  c.barrier();
  std::vector<const Event*> list;
  for (uint32_t i = 0; i < count; ++i) list.push_back(from<Event>(events[i]));
  // The host may set the event at any later time, longer than the chip's watchdog would let WAIT_MEM poll: the queue's thread waits.
  c.cs.host_step([list](HostContext&) {
    for (const Event* e : list) e->wait_on_queue();
  });
  c.gfx.set_dirty(kMemory);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdResetQueryPool(VkCommandBuffer handle, VkQueryPool p, uint32_t first, uint32_t count) {
  auto& c = *from<CommandBuffer>(handle);
  const auto& pool = *from<QueryPool>(p);
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) c.cs.copy(radeon(c.device).constants_page() + 64, pool.at(first + i), QueryPool::kStride);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdBeginQuery(VkCommandBuffer handle, VkQueryPool, uint32_t, VkQueryControlFlags) {
  auto& c = *from<CommandBuffer>(handle);
  c.gfx.counting = true;
  c.cs.set(regs::ZB_ZPASS_DATA{});
}
VKAPI_ATTR void VKAPI_CALL pm_CmdEndQuery(VkCommandBuffer handle, VkQueryPool p, uint32_t query) {
  auto& c = *from<CommandBuffer>(handle);
  const auto& pool = *from<QueryPool>(p);
  c.gfx.counting = false;
  c.cs.set(regs::ZB_ZPASS_ADDR{}.ZPASS_ADDR(address32(pool.at(query)) >> 2));
  store_flag(c, pool.at(query) + QueryPool::kAvailable, true);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdWriteTimestamp(VkCommandBuffer handle, VkPipelineStageFlagBits, VkQueryPool p, uint32_t query) {
  // timestampValidBits is 0: valid applications do not call this, but one that does must not wait for the result forever.
  auto& c = *from<CommandBuffer>(handle);
  const hw::GpuAddress at = from<QueryPool>(p)->at(query);
  c.barrier();
  c.cs.copy(radeon(c.device).constants_page() + 64, at, QueryPool::kAvailable);
  store_flag(c, at + QueryPool::kAvailable, true);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdCopyQueryPoolResults(VkCommandBuffer handle, VkQueryPool p, uint32_t first, uint32_t count, VkBuffer b,
                                                      VkDeviceSize offset, VkDeviceSize stride, VkQueryResultFlags flags) {
  auto& c = *from<CommandBuffer>(handle);
  const auto& pool = *from<QueryPool>(p);
  const hw::GpuAddress to = from<Buffer>(b)->address + static_cast<hw::GpuAddress>(offset);
  const uint32_t width = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
  c.barrier();
  for (uint32_t i = 0; i < count; ++i) {
    const hw::GpuAddress from_address = pool.at(first + i), out = to + static_cast<hw::GpuAddress>(i * stride);
    // Packets run in order, so a query that ended earlier on the queue is available here; one that did not leaves its place alone.
    const uint32_t copy_dwords = c.cs.small_copy_dwords();
    if (!(flags & VK_QUERY_RESULT_PARTIAL_BIT)) {
      c.cs.keep_together(6 + copy_dwords);
      c.cs.packet(pm4::Op::COND_EXEC,
                  {regs::PM4_COND_EXEC_DW0{}.FUNCTION(regs::PM4_COND_EXEC_DW0::FUNCTION__NOT_EQUAL).raw,
                   address32(from_address + QueryPool::kAvailable), 0, ~0u, regs::PM4_COND_EXEC_COUNT{}.COUNT(copy_dwords).raw});
    }
    c.cs.copy(from_address, out, width);
    if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) c.cs.copy(from_address + QueryPool::kAvailable, out + width, width);
  }
  c.gfx.set_dirty(kMemory);
}

}  // namespace pumice::icd
