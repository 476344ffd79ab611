// SPDX-License-Identifier: MIT
/// Commands that only change state: bindings and dynamic state. Each marks its item when the value differs.
#include <algorithm>
#include <cstring>

#include "icd/command_buffer.h"

namespace pumice::icd {
namespace {

template <class T>
void assign(GfxState& g, T& to, const T& value, uint32_t bit) {
  if (std::memcmp(&to, &value, sizeof(T)) == 0) return;
  to = value;
  g.set_dirty(bit);
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL pm_CmdBindPipeline(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline) {
  auto& c = *from<CommandBuffer>(handle);
  GfxState& g = c.gfx;
  auto* p = from<Pipeline>(pipeline);
  // Applications that ignore a failure of vkCreate*Pipelines bind a null handle.
  if (point != VK_PIPELINE_BIND_POINT_GRAPHICS || !p)
    return c.fail(report_once(&c, VK_ERROR_FEATURE_NOT_PRESENT, "vkCmdBindPipeline: %s",
                              p ? "the chip has no compute stage" : "VK_NULL_HANDLE is no pipeline (was its creation refused?)"));
  g.pipeline = p;
  g.set_dirty(kPipeline);
  const FixedState& f = p->fixed;
  const auto is_static = [&](VkDynamicState s) { return !(f.dynamic & dynamic_bit(s)); };
  if (is_static(VK_DYNAMIC_STATE_VIEWPORT)) assign(g, g.viewport, f.viewport, kViewport);
  if (is_static(VK_DYNAMIC_STATE_SCISSOR)) assign(g, g.scissor, f.scissor, kScissor);
  if (is_static(VK_DYNAMIC_STATE_LINE_WIDTH)) assign(g, g.line_width, f.line_width, kLineWidth);
  if (is_static(VK_DYNAMIC_STATE_DEPTH_BIAS)) {
    assign(g, g.depth_bias_constant, f.depth_bias_constant, kDepthBias);
    assign(g, g.depth_bias_slope, f.depth_bias_slope, kDepthBias);
  }
  if (is_static(VK_DYNAMIC_STATE_BLEND_CONSTANTS))
    assign(g, g.blend_constants, {f.blend_constants[0], f.blend_constants[1], f.blend_constants[2], f.blend_constants[3]}, kBlendConstants);
  if (is_static(VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK))
    assign(g, g.stencil_compare, {f.front.compareMask, f.back.compareMask}, kStencilState);
  if (is_static(VK_DYNAMIC_STATE_STENCIL_WRITE_MASK)) assign(g, g.stencil_write, {f.front.writeMask, f.back.writeMask}, kStencilState);
  if (is_static(VK_DYNAMIC_STATE_STENCIL_REFERENCE)) assign(g, g.stencil_reference, {f.front.reference, f.back.reference}, kStencilState);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdSetViewport(VkCommandBuffer handle, uint32_t first, uint32_t count, const VkViewport* v) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  if (first == 0 && count) assign(g, g.viewport, v[0], kViewport);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdSetScissor(VkCommandBuffer handle, uint32_t first, uint32_t count, const VkRect2D* s) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  if (first == 0 && count) assign(g, g.scissor, s[0], kScissor);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdSetLineWidth(VkCommandBuffer handle, float width) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  assign(g, g.line_width, width, kLineWidth);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdSetDepthBias(VkCommandBuffer handle, float constant, float, float slope) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;  // the clamp needs a feature that the chip lacks
  assign(g, g.depth_bias_constant, constant, kDepthBias);
  assign(g, g.depth_bias_slope, slope, kDepthBias);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdSetBlendConstants(VkCommandBuffer handle, const float c[4]) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  assign(g, g.blend_constants, {c[0], c[1], c[2], c[3]}, kBlendConstants);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdSetDepthBounds(VkCommandBuffer, float, float) {}  // needs the depthBounds feature

namespace {
void set_faces(GfxState& g, std::array<uint32_t, 2>& to, VkStencilFaceFlags faces, uint32_t value) {
  std::array<uint32_t, 2> v = to;
  if (faces & VK_STENCIL_FACE_FRONT_BIT) v[0] = value;
  if (faces & VK_STENCIL_FACE_BACK_BIT) v[1] = value;
  assign(g, to, v, kStencilState);
}
}  // namespace
VKAPI_ATTR void VKAPI_CALL pm_CmdSetStencilCompareMask(VkCommandBuffer handle, VkStencilFaceFlags faces, uint32_t v) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  set_faces(g, g.stencil_compare, faces, v);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdSetStencilWriteMask(VkCommandBuffer handle, VkStencilFaceFlags faces, uint32_t v) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  set_faces(g, g.stencil_write, faces, v);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdSetStencilReference(VkCommandBuffer handle, VkStencilFaceFlags faces, uint32_t v) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  set_faces(g, g.stencil_reference, faces, v);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdBindVertexBuffers(VkCommandBuffer handle, uint32_t first, uint32_t count, const VkBuffer* buffers,
                                                   const VkDeviceSize* offsets) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  for (uint32_t i = 0; i < count && first + i < g.vertex.size(); ++i) g.vertex[first + i] = {from<Buffer>(buffers[i]), offsets[i]};
  g.set_dirty(kVertexBuffers);
}
VKAPI_ATTR void VKAPI_CALL pm_CmdBindIndexBuffer(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkIndexType type) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  g.index = {from<Buffer>(buffer), offset, type == VK_INDEX_TYPE_UINT32};
  g.set_dirty(kVertexBuffers);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdBindDescriptorSets(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipelineLayout, uint32_t first,
                                                    uint32_t count, const VkDescriptorSet* sets, uint32_t dynamic_count,
                                                    const uint32_t* dynamic) {
  if (point != VK_PIPELINE_BIND_POINT_GRAPHICS) return;  // nothing would read them
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  uint32_t used = 0;
  for (uint32_t i = 0; i < count && first + i < g.sets.size(); ++i) {
    BoundSet& b = g.sets[first + i];
    b.set = from<DescriptorSet>(sets[i]);
    b.dynamic.clear();
    uint32_t wanted = 0;
    for (const auto& binding : b.set->bindings)
      if (binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || binding.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
        wanted += binding.count;
    for (uint32_t k = 0; k < wanted && used < dynamic_count; ++k) b.dynamic.push_back(dynamic[used++]);
  }
  g.set_dirty(kDescriptors);
}

VKAPI_ATTR void VKAPI_CALL pm_CmdPushConstants(VkCommandBuffer handle, VkPipelineLayout, VkShaderStageFlags, uint32_t offset, uint32_t size,
                                               const void* v) {
  GfxState& g = from<CommandBuffer>(handle)->gfx;
  if (offset + size > g.push.size()) return;
  std::memcpy(g.push.data() + offset, v, size);
  g.set_dirty(kPushConstants);
}

}  // namespace pumice::icd
