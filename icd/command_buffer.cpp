// SPDX-License-Identifier: MIT
#include "icd/command_buffer.h"

#include "icd/atoms.h"
#include "icd/draw.h"

namespace pumice::icd {

CommandBuffer::CommandBuffer(RadeonDevice& d, CommandPool& p, VkCommandBufferLevel l) : RadeonCommands(d, p, l) {}
CommandBuffer::~CommandBuffer() = default;

void CommandBuffer::reset() {
  cs.reset();
  gfx = GfxState{};
  pipelines.reset();
  draw_state_stale = true;
  status = VK_SUCCESS;
}

void CommandBuffer::barrier() { emit_barrier(cs); }

UncountedDraws::UncountedDraws(CommandBuffer& c) : c_(c) {
  if (!c_.gfx.counting) return;
  saved_ = c_.cs.data(4).address;
  c_.cs.set(regs::ZB_ZPASS_ADDR{}.ZPASS_ADDR(saved_ >> 2));
}
UncountedDraws::~UncountedDraws() noexcept(false) {
  if (!saved_) return;
  emit_barrier(c_.cs);  // the counter must be in memory before it is read back
  c_.cs.load_port(regs::ZB_ZPASS_DATA::offset, saved_, 1);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo* info) {
  auto& c = *from<CommandBuffer>(handle);
  c.reset();
  if (c.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY && (info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT)) {
    const VkCommandBufferInheritanceInfo& i = *info->pInheritanceInfo;
    c.gfx.pass = from<RenderPass>(i.renderPass);
    c.gfx.subpass = i.subpass;
    // The framebuffer may be unknown while recording: then the primary's target registers hold, and only formats are known here.
    c.gfx.framebuffer = from<Framebuffer>(i.framebuffer);
    c.gfx.counting = i.occlusionQueryEnable;
    c.enter_subpass();
  }
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_EndCommandBuffer(VkCommandBuffer handle) {
  auto& c = *from<CommandBuffer>(handle);
  c.cs.close();
  return c.status;
}
VKAPI_ATTR void VKAPI_CALL pm_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count, const VkCommandBuffer* buffers) {
  auto& c = *from<CommandBuffer>(handle);
  for (uint32_t i = 0; i < count; ++i) {
    auto& second = *from<CommandBuffer>(buffers[i]);
    // Target registers for a secondary that was recorded without its framebuffer.
    if (c.gfx.pass) emit_targets(c);
    c.cs.append(second.cs.steps());
    c.fail(second.status);
  }
  // Nothing is inherited back; the render pass of the primary goes on.
  c.gfx.pipeline = nullptr;
  c.gfx.program = nullptr;
  c.gfx.set_dirty(kAllDirty);
}

}  // namespace pumice::icd
