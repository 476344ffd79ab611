// SPDX-License-Identifier: MIT
/// Barriers and events inside a stream.
#include <span>

#include "icd/dependency.h"
#include "icd/r5x/command_buffer.h"
#include "icd/sync.h"

namespace pumice::icd {

using namespace r5x;

namespace {

void store_event(CommandBuffer& c, VkEvent e, uint32_t value) {
  const hw::GpuAddress at = from<Event>(e)->memory.address;
  c.barrier();
  c.cs.packet(pm4::Op::X_FILL, {static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32), 1, value});
}

void order(CommandBuffer& c, const Dependency& d) {
  if (d.orders()) c.barrier();
}

void wait_events(CommandBuffer& c, std::span<const VkEvent> events) {
  c.barrier();
  std::vector<const Event*> list;
  for (VkEvent e : events) list.push_back(from<Event>(e));
  // The host may set the event at any later time, longer than the chip's watchdog would let a packet poll: the queue's thread waits.
  c.cs.host_step([list](HostContext&) {
    for (const Event* e : list) e->wait_on_queue();
  });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL r5x_CmdPipelineBarrier(VkCommandBuffer handle, VkPipelineStageFlags source, VkPipelineStageFlags destination,
                                                  VkDependencyFlags, uint32_t memory_count, const VkMemoryBarrier* memory,
                                                  uint32_t buffer_count, const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                                                  const VkImageMemoryBarrier* images) {
  order(*from<CommandBuffer>(handle), dependency(source, destination, memory_count, memory, buffer_count, buffers, image_count, images));
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdPipelineBarrier2(VkCommandBuffer handle, const VkDependencyInfo* info) {
  order(*from<CommandBuffer>(handle), dependency(*info));
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetEvent(VkCommandBuffer c, VkEvent e, VkPipelineStageFlags) {
  store_event(*from<CommandBuffer>(c), e, 1);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetEvent2(VkCommandBuffer c, VkEvent e, const VkDependencyInfo*) {
  store_event(*from<CommandBuffer>(c), e, 1);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdResetEvent(VkCommandBuffer c, VkEvent e, VkPipelineStageFlags) {
  store_event(*from<CommandBuffer>(c), e, 0);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdResetEvent2(VkCommandBuffer c, VkEvent e, VkPipelineStageFlags2) {
  store_event(*from<CommandBuffer>(c), e, 0);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdWaitEvents(VkCommandBuffer c, uint32_t count, const VkEvent* events, VkPipelineStageFlags,
                                             VkPipelineStageFlags, uint32_t, const VkMemoryBarrier*, uint32_t, const VkBufferMemoryBarrier*,
                                             uint32_t, const VkImageMemoryBarrier*) {
  wait_events(*from<CommandBuffer>(c), {events, count});
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdWaitEvents2(VkCommandBuffer c, uint32_t count, const VkEvent* events, const VkDependencyInfo*) {
  wait_events(*from<CommandBuffer>(c), {events, count});
}

}  // namespace pumice::icd
