// SPDX-License-Identifier: MIT
/// vkCmdDraw*. Indirect draws are host steps: the chip has no such packet, so the queue thread reads the arguments when the chip has come
/// there.
#include <cstring>

#include "icd/atoms.h"
#include "icd/draw.h"

namespace pumice::icd {
namespace {

/// Registers are flushed, what else the draw needs is up to date. Null: no draw.
const DrawState* prepare(CommandBuffer& c) {
  if (c.gfx.dirty && !flush_state(c)) return nullptr;
  if (c.draw_state_stale) {
    RecordedPipeline& p = c.pipelines.find(c.gfx.pipeline, c.gfx.program);
    if (!p.drawn) p.draw = draw_state(radeon(c.device), c.gfx);
    p.drawn = true;
    c.draw_state = &p.draw;
    c.draw_state_stale = false;
  }
  return c.draw_state;
}

void record(CommandBuffer& c, const DrawCall& call) {
  const DrawState* s = prepare(c);
  if (!s) return;
  if (!needs_host(*s, call)) return emit_draw(radeon(c.device), c.cs, *s, call);
  c.cs.host_step([s = *s, call](HostContext& h) { emit_draw_on_host(h.device, h.cs, s, call); });
  // The host step wrote registers that this stream's shadow does not track.
  c.cs.forget();
}

void record_indirect(CommandBuffer& c, bool indexed, VkBuffer handle, VkDeviceSize offset, uint32_t draws, uint32_t stride) {
  const DrawState* state = prepare(c);
  if (!state) return;
  const Buffer& b = *from<Buffer>(handle);
  const hw::GpuAddress address = b.address + static_cast<hw::GpuAddress>(offset);
  const uint32_t size = indexed ? sizeof(VkDrawIndexedIndirectCommand) : sizeof(VkDrawIndirectCommand);
  const uint64_t have = b.bytes(offset, VK_WHOLE_SIZE);
  c.cs.host_step([s = *state, address, indexed, draws, stride, size, have](HostContext& h) {
    for (uint32_t i = 0; i < draws && uint64_t{i} * stride + size <= have; ++i) {
      const std::byte* p = h.device.host(address) + uint64_t{i} * stride;
      DrawCall call;
      call.indexed = indexed;
      if (indexed) {
        VkDrawIndexedIndirectCommand d;
        std::memcpy(&d, p, sizeof d);
        call.count = d.indexCount, call.instances = d.instanceCount, call.first = d.firstIndex;
        call.vertex_offset = d.vertexOffset, call.first_instance = d.firstInstance;
      } else {
        VkDrawIndirectCommand d;
        std::memcpy(&d, p, sizeof d);
        call.count = d.vertexCount, call.instances = d.instanceCount, call.first = d.firstVertex, call.first_instance = d.firstInstance;
      }
      emit_draw_on_host(h.device, h.cs, s, call);
    }
  });
  c.cs.forget();
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL pm_CmdDraw(VkCommandBuffer c, uint32_t count, uint32_t instances, uint32_t first, uint32_t first_instance) {
  record(*from<CommandBuffer>(c), {false, count, instances, first, first_instance, 0});
}
VKAPI_ATTR void VKAPI_CALL pm_CmdDrawIndexed(VkCommandBuffer c, uint32_t count, uint32_t instances, uint32_t first, int32_t vertex_offset,
                                             uint32_t first_instance) {
  record(*from<CommandBuffer>(c), {true, count, instances, first, first_instance, vertex_offset});
}
VKAPI_ATTR void VKAPI_CALL pm_CmdDrawIndirect(VkCommandBuffer c, VkBuffer b, VkDeviceSize offset, uint32_t draws, uint32_t stride) {
  record_indirect(*from<CommandBuffer>(c), false, b, offset, draws, stride);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdDrawIndexedIndirect(VkCommandBuffer c, VkBuffer b, VkDeviceSize offset, uint32_t draws, uint32_t stride) {
  record_indirect(*from<CommandBuffer>(c), true, b, offset, draws, stride);
}

// No queue family offers compute, unless PUMICE_COMPUTE says so.
static void refuse_dispatch(VkCommandBuffer handle, const char* function) {
  auto& c = *from<CommandBuffer>(handle);
  c.fail(report_once(&c, VK_ERROR_FEATURE_NOT_PRESENT, "%s: the chip has no compute stage", function));
}
VKAPI_ATTR void VKAPI_CALL pm_CmdDispatch(VkCommandBuffer c, uint32_t, uint32_t, uint32_t) { refuse_dispatch(c, "vkCmdDispatch"); }
VKAPI_ATTR void VKAPI_CALL pm_CmdDispatchIndirect(VkCommandBuffer c, VkBuffer, VkDeviceSize) {
  refuse_dispatch(c, "vkCmdDispatchIndirect");
}

}  // namespace pumice::icd
