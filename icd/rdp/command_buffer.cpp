// SPDX-License-Identifier: MIT
/// Recording, barriers and events on an RDP device.
#include "icd/rdp/command_buffer.h"

#include "icd/rdp/device.h"
#include "icd/sync.h"

namespace pumice::icd {

VKAPI_ATTR VkResult VKAPI_CALL rdp_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo*) {
  from<RdpCommandBuffer>(handle)->reset();
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL rdp_EndCommandBuffer(VkCommandBuffer handle) { return from<RdpCommandBuffer>(handle)->status; }

VKAPI_ATTR void VKAPI_CALL rdp_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count, const VkCommandBuffer* buffers) {
  auto& c = *from<RdpCommandBuffer>(handle);
  for (uint32_t i = 0; i < count; ++i) {
    const auto& second = *from<RdpCommandBuffer>(buffers[i]);
    c.steps.insert(c.steps.end(), second.steps.begin(), second.steps.end());
    c.fail(second.status);
  }
}

VKAPI_ATTR void VKAPI_CALL rdp_CmdPipelineBarrier(VkCommandBuffer, VkPipelineStageFlags, VkPipelineStageFlags, VkDependencyFlags, uint32_t,
                                                  const VkMemoryBarrier*, uint32_t, const VkBufferMemoryBarrier*, uint32_t,
                                                  const VkImageMemoryBarrier*) {
  // Each step has everything in memory before the next one begins, and layouts mean nothing.
}

namespace {
void record_event(VkCommandBuffer handle, VkEvent e, bool set) {
  from<RdpCommandBuffer>(handle)->steps.push_back([event = from<Event>(e), set](RdpDevice& d) {
    const uint8_t flag[4] = {set, 0, 0, 0};
    d.upload(event->memory.address, flag);
    std::lock_guard lock(d.sync_mutex);
    d.sync_changed.notify_all();
  });
}
}  // namespace

VKAPI_ATTR void VKAPI_CALL rdp_CmdSetEvent(VkCommandBuffer c, VkEvent e, VkPipelineStageFlags) { record_event(c, e, true); }
VKAPI_ATTR void VKAPI_CALL rdp_CmdResetEvent(VkCommandBuffer c, VkEvent e, VkPipelineStageFlags) { record_event(c, e, false); }
VKAPI_ATTR void VKAPI_CALL rdp_CmdWaitEvents(VkCommandBuffer handle, uint32_t count, const VkEvent* events, VkPipelineStageFlags,
                                             VkPipelineStageFlags, uint32_t, const VkMemoryBarrier*, uint32_t, const VkBufferMemoryBarrier*,
                                             uint32_t, const VkImageMemoryBarrier*) {
  std::vector<const Event*> list;
  for (uint32_t i = 0; i < count; ++i) list.push_back(from<Event>(events[i]));
  from<RdpCommandBuffer>(handle)->steps.push_back([list](RdpDevice&) {
    for (const Event* e : list) e->wait_on_queue();
  });
}

}  // namespace pumice::icd
