// SPDX-License-Identifier: MIT
/// Barriers and events inside a stream.
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

}  // namespace

VKAPI_ATTR void VKAPI_CALL r5x_CmdPipelineBarrier(VkCommandBuffer c, VkPipelineStageFlags, VkPipelineStageFlags, VkDependencyFlags,
                                                  uint32_t, const VkMemoryBarrier*, uint32_t, const VkBufferMemoryBarrier*, uint32_t,
                                                  const VkImageMemoryBarrier*) {
  // One engine, packets in order: what is left of any barrier is the caches. Layouts mean nothing to the chip.
  from<CommandBuffer>(c)->barrier();
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetEvent(VkCommandBuffer c, VkEvent e, VkPipelineStageFlags) {
  store_event(*from<CommandBuffer>(c), e, 1);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdResetEvent(VkCommandBuffer c, VkEvent e, VkPipelineStageFlags) {
  store_event(*from<CommandBuffer>(c), e, 0);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdWaitEvents(VkCommandBuffer handle, uint32_t count, const VkEvent* events, VkPipelineStageFlags,
                                             VkPipelineStageFlags, uint32_t, const VkMemoryBarrier*, uint32_t, const VkBufferMemoryBarrier*,
                                             uint32_t, const VkImageMemoryBarrier*) {
  auto& c = *from<CommandBuffer>(handle);
  c.barrier();
  std::vector<const Event*> list;
  for (uint32_t i = 0; i < count; ++i) list.push_back(from<Event>(events[i]));
  // The host may set the event at any later time, longer than the chip's watchdog would let a packet poll: the queue's thread waits.
  c.cs.host_step([list](HostContext&) {
    for (const Event* e : list) e->wait_on_queue();
  });
}

}  // namespace pumice::icd
