// SPDX-License-Identifier: MIT
#include "icd/r5x/command_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "icd/atoms.h"
#include "icd/r5x/registers.h"

namespace pumice::icd {
namespace r5x {

void CommandBuffer::reset() {
  cs.reset();
  draw = DrawState{};
  own_pass_.reset();
  open_clears.clear();
  conditional = clears_attachments = false;
  bind = {};
  push = {};
  status = VK_SUCCESS;
}

void barrier(Cs& cs) { emit_barrier(cs); }
void CommandBuffer::barrier() { emit_barrier(cs); }

void if_dword(Cs& cs, hw::GpuAddress address, bool is_zero, uint32_t dwords) {
  constexpr uint32_t kPacket = 6;
  using Test = regs::PM4_COND_EXEC_DW0;
  cs.keep_together(kPacket + dwords);
  cs.packet(pm4::Op::COND_EXEC, {Test{}.FUNCTION(is_zero ? Test::FUNCTION__EQUAL : Test::FUNCTION__NOT_EQUAL).raw, address32(address), 0,
                                 ~0u, regs::PM4_COND_EXEC_COUNT{}.COUNT(dwords).raw});
}

namespace {
/// A packet of five dwords.
void fill_dword(Cs& cs, hw::GpuAddress address, uint32_t value) {
  cs.packet(pm4::Op::X_FILL, {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32), 1, value});
}
}  // namespace

void CommandBuffer::on_condition(uint32_t dwords) {
  if (conditional) if_dword(cs, device_of(*this).condition(), false, dwords);
}

/// The value is read now; secondary command buffers know the place of the result only.
void CommandBuffer::begin_condition(hw::GpuAddress value, bool inverted) {
  barrier();
  const hw::GpuAddress result = device_of(*this).condition();
  fill_dword(cs, result, 0);
  if_dword(cs, value, inverted, 5);
  fill_dword(cs, result, 1);
  conditional = true;
}
void CommandBuffer::end_condition() {
  fill_dword(cs, device_of(*this).condition(), 1);
  conditional = false;
}

void CommandBuffer::forget_state() {
  cs.forget();
  for (BindPoint& b : bind) b.pipeline_dirty = b.sets_dirty = b.push_dirty = true;
  draw.dirty = kAllDirty;
}

namespace {

template <class Lo, class Hi>
void state_sets(Cs& cs, const BindPoint& b) {
  for (uint32_t i = 0; i < kSets; ++i)
    if (b.sets[i].address) state_address<Lo, Hi>(cs, b.sets[i].address, i);
  const Pipeline& p = *b.pipeline;
  if (!p.dynamic_descriptors) return;
  const Cs::Data table = cs.data(p.dynamic_descriptors * sizeof(BufferWords), sizeof(BufferWords));
  std::memset(table.host, 0, p.dynamic_descriptors * sizeof(BufferWords));
  for (uint32_t s = 0; s < p.first_dynamic.size() && s < kSets; ++s)
    for (uint32_t k = 0; k < b.sets[s].dynamic.size(); ++k)
      if (const uint32_t at = p.first_dynamic[s] + k; at < p.dynamic_descriptors)
        std::memcpy(table.host + at * sizeof(BufferWords), b.sets[s].dynamic[k].data(), sizeof(BufferWords));
  state_address<Lo, Hi>(cs, table.address, kDynamicSet);
}

/// The first kBytes, whatever of them is used: of a number that it does not know GCC makes a string move, which takes 40 ns to start.
template <size_t kBytes>
Cs::Data copy_push(Cs& cs, const std::array<std::byte, kPushBytes>& push) {
  const Cs::Data copy = cs.data(kBytes, 16);
  std::memcpy(copy.host, push.data(), kBytes);
  return copy;
}

template <class Lo, class Hi, class Size>
void state_push(Cs& cs, const std::array<std::byte, kPushBytes>& push, uint32_t bytes) {
  bytes = std::min<uint32_t>(bytes, kPushBytes);
  constexpr size_t kFew = 64, kMany = 128;
  const Cs::Data copy = bytes <= kFew    ? copy_push<kFew>(cs, push)
                        : bytes <= kMany ? copy_push<kMany>(cs, push)
                                         : copy_push<kPushBytes>(cs, push);
  state_address<Lo, Hi>(cs, copy.address);
  state_raw<Size>(cs, bytes);
}

}  // namespace

bool CommandBuffer::flush_bindings(VkPipelineBindPoint point) {
  BindPoint& b = bind[point];
  if (!b.pipeline) return false;
  const bool graphics = point == VK_PIPELINE_BIND_POINT_GRAPHICS;
  if (b.pipeline_dirty) {
    uint64_t epoch = 0;
    cs.state_all(b.pipeline->registers, epoch);
  }
  // Another pipeline may number dynamic descriptors differently.
  if (b.sets_dirty || b.pipeline_dirty)
    graphics ? state_sets<xr::X_GFX_SET_LO, xr::X_GFX_SET_HI>(cs, b) : state_sets<xr::X_CS_SET_LO, xr::X_CS_SET_HI>(cs, b);
  if ((b.push_dirty || b.pipeline_dirty) && b.pipeline->push_bytes) {
    const uint32_t bytes = b.pipeline->push_bytes;
    graphics ? state_push<xr::X_GFX_PUSH_LO, xr::X_GFX_PUSH_HI, xr::X_GFX_PUSH_SIZE>(cs, push, bytes)
             : state_push<xr::X_CS_PUSH_LO, xr::X_CS_PUSH_HI, xr::X_CS_PUSH_SIZE>(cs, push, bytes);
    b.push_dirty = false;
  }
  b.sets_dirty = b.pipeline_dirty = false;
  return true;
}

SetMemory CommandBuffer::push_set(VkPipelineBindPoint point, const PipelineLayout& layout, uint32_t set) {
  BindPoint& b = bind[point];
  BindPoint::Pushed& p = b.pushed[set];
  const std::shared_ptr<const SetShape>& shape = layout.sets[set];
  const Cs::Data data = cs.data(std::max(shape->bytes, 16u), 64);
  const SetMemory memory{shape.get(), data.address, data.host};
  memory.clear();
  // Recorded draws keep the words they were recorded with, so each push begins with a copy of them.
  if (p.shape == shape && p.last) std::memcpy(data.host, p.last, shape->bytes);
  p.shape = shape;
  p.last = data.host;
  b.sets[set] = {data.address, {}};
  b.sets_dirty = true;
  return memory;
}

}  // namespace r5x

VKAPI_ATTR VkResult VKAPI_CALL r5x_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo* info) {
  auto& c = *from<r5x::CommandBuffer>(handle);
  c.reset();
  if (const auto* condition = info->pInheritanceInfo ? find_next<VkCommandBufferInheritanceConditionalRenderingInfoEXT>(
                                                           info->pInheritanceInfo->pNext,
                                                           VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT)
                                                     : nullptr;
      condition && c.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY)
    c.conditional = condition->conditionalRenderingEnable;
  if (c.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY && (info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT)) {
    const VkCommandBufferInheritanceInfo& i = *info->pInheritanceInfo;
    c.draw.counting = i.occlusionQueryEnable;
    const auto* rendering =
        find_next<VkCommandBufferInheritanceRenderingInfo>(i.pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    if (!i.renderPass) {
      if (rendering) c.inherit_rendering(*rendering);
      return VK_SUCCESS;
    }
    c.draw.pass = from<RenderPass>(i.renderPass);
    c.draw.subpass = i.subpass;
    // The framebuffer may be unknown while recording: then the primary's target registers hold, and only formats are known here.
    if (const auto* f = from<Framebuffer>(i.framebuffer)) {
      c.draw.extent = {f->width, f->height, f->layers};
      c.draw.attachments.assign(f->attachments.begin(), f->attachments.end());
    }
    c.enter_subpass();
  }
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL r5x_EndCommandBuffer(VkCommandBuffer handle) {
  auto& c = *from<r5x::CommandBuffer>(handle);
  c.cs.close();
  return c.status;
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count, const VkCommandBuffer* buffers) {
  auto& c = *from<r5x::CommandBuffer>(handle);
  for (uint32_t i = 0; i < count; ++i) {
    auto& second = *from<r5x::CommandBuffer>(buffers[i]);
    // Target registers for a secondary that was recorded without its framebuffer.
    if (c.draw.pass) c.emit_targets();
    std::span<const Step> steps = second.cs.steps();
    size_t done = 0;
    for (const r5x::CommandBuffer::OpenClear& clear : second.open_clears) {
      c.cs.append(steps.subspan(done, clear.at - done));
      done = clear.at;
      c.forget_state();
      const bool own = std::exchange(c.conditional, clear.conditional);
      c.clear_attachments(clear.attachments, clear.rects);
      c.conditional = own;
      if (c.draw.pass) c.emit_targets();
    }
    c.cs.append(steps.subspan(done));
    c.fail(second.status);
    c.forget_state();
  }
  // The primary inherits no state from secondaries; its render pass continues.
  for (auto& b : c.bind) b = {};
}

}  // namespace pumice::icd
