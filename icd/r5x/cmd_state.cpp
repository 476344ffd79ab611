// SPDX-License-Identifier: MIT
/// Commands that only change state: bindings and dynamic state. Each marks its item when the value differs.
#include <algorithm>
#include <cstring>

#include "icd/r5x/command_buffer.h"

namespace pumice::icd {

using namespace r5x;

namespace {

void take_raster(DrawState& g, const GraphicsState& f) {
  constexpr uint64_t kAny =
      dynamic_bit(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT) | dynamic_bit(VK_DYNAMIC_STATE_POLYGON_MODE_EXT) |
      dynamic_bit(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT) | dynamic_bit(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT) |
      dynamic_bit(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT) | dynamic_bit(VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT) |
      dynamic_bit(VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT) | dynamic_bit(VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT) |
      dynamic_bit(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT) | dynamic_bit(VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT);
  if (!(f.dynamic & kAny)) {
    if (f.raster == g.raster) return;
    g.raster = f.raster;
    g.dirty |= kRaster;
    return;
  }
  RasterState r = f.raster;
  const auto keep = [&](VkDynamicState s, auto RasterState::*item) {
    if (f.is_dynamic(s)) r.*item = g.raster.*item;
  };
  keep(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, &RasterState::depth_clamp);
  keep(VK_DYNAMIC_STATE_POLYGON_MODE_EXT, &RasterState::polygon);
  keep(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, &RasterState::samples);
  keep(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, &RasterState::sample_mask);
  keep(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, &RasterState::alpha_to_coverage);
  keep(VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, &RasterState::alpha_to_one);
  keep(VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, &RasterState::depth_clip);
  keep(VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT, &RasterState::last_provoking);
  keep(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, &RasterState::stipples);
  keep(VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, &RasterState::negative_depth);
  if (r == g.raster) return;
  g.raster = r;
  g.dirty |= kRaster;
}

/// The registers of pipelines with static blend state are the pipelines' own, so this is always dirty afterwards.
void take_blend(DrawState& g, const GraphicsState& f) {
  BlendState b = f.blend;
  const auto keep = [&](VkDynamicState s, auto BlendState::*item) {
    if (f.is_dynamic(s)) b.*item = g.blend.*item;
  };
  keep(VK_DYNAMIC_STATE_LOGIC_OP_EXT, &BlendState::logic_op);
  keep(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT, &BlendState::writes);
  keep(VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, &BlendState::logic);
  keep(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, &BlendState::blends);
  keep(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, &BlendState::equations);
  keep(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, &BlendState::write_masks);
  g.blend = b;
  g.dirty |= kBlendState;
}

/// `before`: of the pipeline that was bound; null: none, or not known.
void bind_graphics(r5x::CommandBuffer& c, const GraphicsState& f, const GraphicsState* before) {
  DrawState& g = c.draw;
  const VkPrimitiveTopology topology = g.primitives.topology;
  const uint32_t viewport_count = g.viewport_count;
  const auto is_static = [&](VkDynamicState s) { return !f.is_dynamic(s); };
  const bool viewports = is_static(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT), scissors = is_static(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
  if (viewports && scissors) g.viewport_count = f.viewport_count;
  if (viewports && is_static(VK_DYNAMIC_STATE_VIEWPORT))
    for (uint32_t i = 0; i < f.viewport_count; ++i) assign(g, g.viewports[i], f.viewports[i], kViewports);
  if (scissors && is_static(VK_DYNAMIC_STATE_SCISSOR))
    for (uint32_t i = 0; i < f.viewport_count; ++i) assign(g, g.scissors[i], f.scissors[i], kScissors);
  if (is_static(VK_DYNAMIC_STATE_LINE_WIDTH)) assign(g, g.line_width, f.line_width, kLineWidth);
  if (f.may_stipple() && is_static(VK_DYNAMIC_STATE_LINE_STIPPLE_EXT)) assign(g, g.stipple, f.stipple, kLineWidth);
  if (is_static(VK_DYNAMIC_STATE_DEPTH_BIAS)) {
    assign(g, g.bias_constant, f.bias_constant, kDepthBias);
    assign(g, g.bias_clamp, f.bias_clamp, kDepthBias);
    assign(g, g.bias_slope, f.bias_slope, kDepthBias);
  }
  if (is_static(VK_DYNAMIC_STATE_BLEND_CONSTANTS)) assign(g, g.blend_constants, f.blend_constants, kBlendConstants);
  if (is_static(VK_DYNAMIC_STATE_DEPTH_BOUNDS)) {
    assign(g, g.bounds_min, f.bounds_min, kDepthBounds);
    assign(g, g.bounds_max, f.bounds_max, kDepthBounds);
  }
  if (is_static(VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK)) assign(g, g.stencil_compare, f.stencil_compare, kStencilState);
  if (is_static(VK_DYNAMIC_STATE_STENCIL_WRITE_MASK)) assign(g, g.stencil_write, f.stencil_write, kStencilState);
  if (is_static(VK_DYNAMIC_STATE_STENCIL_REFERENCE)) assign(g, g.stencil_reference, f.stencil_reference, kStencilState);
  const auto take = [&](VkDynamicState s, auto& to, const auto& value, uint32_t bit) {
    if (is_static(s)) assign(g, to, value, bit);
  };
  PrimitiveState& p = g.primitives;
  take(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, p.topology, f.primitives.topology, kPrimitives);
  take(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, p.restart, f.primitives.restart, kPrimitives);
  take(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, p.discard, f.primitives.discard, kPrimitives);
  take(VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, p.bias, f.primitives.bias, kPrimitives);
  take(VK_DYNAMIC_STATE_CULL_MODE, p.cull, f.primitives.cull, kPrimitives);
  take(VK_DYNAMIC_STATE_FRONT_FACE, p.front, f.primitives.front, kPrimitives);
  DepthState& d = g.depth_state;
  take(VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, d.test, f.depth.test, kStencilState);
  take(VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, d.write, f.depth.write, kStencilState);
  take(VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, d.compare, f.depth.compare, kStencilState);
  take(VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, d.bounds, f.depth.bounds, kStencilState);
  take(VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, d.stencil, f.depth.stencil, kStencilState);
  take(VK_DYNAMIC_STATE_STENCIL_OP, d.ops, f.depth.ops, kStencilState);
  take_raster(g, f);
  if (f.dynamic_blend) take_blend(g, f);
  // What the pipeline itself contributes to viewports (number, guard band), vertex buffers (which, strides) and X_FS_CTRL.
  if (!before || topology != g.primitives.topology || viewport_count != g.viewport_count) g.dirty |= kViewports | kScissors;
  const auto strides = [](const GraphicsState& s) { return s.is_dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE); };
  const auto input = [](const GraphicsState& s) { return s.is_dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT); };
  if (!before || before->bindings != f.bindings || strides(*before) != strides(f) || input(*before) != input(f)) g.dirty |= kVertexBuffers;
  if (input(f)) g.dirty |= kVertexInput;
  if (f.is_dynamic(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT)) g.dirty |= kRaster;
}

uint32_t index_bytes(VkIndexType type) { return type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT8_EXT ? 1 : 2; }

void set_faces(DrawState& g, std::array<uint32_t, 2>& to, VkStencilFaceFlags faces, uint32_t value) {
  std::array<uint32_t, 2> v = to;
  if (faces & VK_STENCIL_FACE_FRONT_BIT) v[0] = value;
  if (faces & VK_STENCIL_FACE_BACK_BIT) v[1] = value;
  assign(g, to, v, kStencilState);
}

/// The words of a set's dynamic buffers with their offsets added, one of `offsets` per buffer.
std::vector<BufferWords> dynamic_words(const SetMemory& set, const uint32_t*& offsets, const uint32_t* end) {
  std::vector<BufferWords> out;
  for (const SetShape::Binding& b : set.shape->bindings) {
    if (!is_dynamic(b.type)) continue;
    for (uint32_t k = 0; k < b.count; ++k) {
      BufferWords w;
      std::memcpy(w.data(), set.host + b.offset + k * b.stride, sizeof w);
      out.push_back(offsets != end ? moved(w, *offsets++) : w);
    }
  }
  return out;
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL r5x_CmdBindPipeline(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline) {
  auto& c = *from<r5x::CommandBuffer>(handle);
  const auto* p = from<r5x::Pipeline>(pipeline);
  // Applications that ignore a failure of vkCreate*Pipelines bind a null handle.
  if (!p || p->point != point || p->parts)
    return c.fail(report_once(&c, VK_ERROR_FEATURE_NOT_PRESENT, "vkCmdBindPipeline: %s",
                              p && p->parts ? "a library is no pipeline"
                              : p           ? "the pipeline is for another bind point"
                                            : "VK_NULL_HANDLE is no pipeline (was its creation refused?)"));
  BindPoint& b = c.bind[point];
  if (b.pipeline == p && !b.pipeline_dirty) return;
  const auto* const before = std::exchange(b.pipeline, p);
  b.pipeline_dirty = true;
  if (point == VK_PIPELINE_BIND_POINT_GRAPHICS) bind_graphics(c, p->graphics, before ? &before->graphics : nullptr);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdSetViewport(VkCommandBuffer handle, uint32_t first, uint32_t count, const VkViewport* v) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  for (uint32_t i = 0; i < count && first + i < g.viewports.size(); ++i) assign(g, g.viewports[first + i], v[i], kViewports);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetScissor(VkCommandBuffer handle, uint32_t first, uint32_t count, const VkRect2D* s) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  for (uint32_t i = 0; i < count && first + i < g.scissors.size(); ++i) assign(g, g.scissors[first + i], s[i], kScissors);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetLineWidth(VkCommandBuffer handle, float width) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  assign(g, g.line_width, width, kLineWidth);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetLineStippleEXT(VkCommandBuffer handle, uint32_t factor, uint16_t pattern) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  assign(g, g.stipple, {factor, pattern}, kLineWidth);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthBias(VkCommandBuffer handle, float constant, float clamp, float slope) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  assign(g, g.bias_constant, constant, kDepthBias);
  assign(g, g.bias_clamp, clamp, kDepthBias);
  assign(g, g.bias_slope, slope, kDepthBias);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetBlendConstants(VkCommandBuffer handle, const float v[4]) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  assign(g, g.blend_constants, {v[0], v[1], v[2], v[3]}, kBlendConstants);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthBounds(VkCommandBuffer handle, float low, float high) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  assign(g, g.bounds_min, low, kDepthBounds);
  assign(g, g.bounds_max, high, kDepthBounds);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetStencilCompareMask(VkCommandBuffer handle, VkStencilFaceFlags faces, uint32_t v) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  set_faces(g, g.stencil_compare, faces, v);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetStencilWriteMask(VkCommandBuffer handle, VkStencilFaceFlags faces, uint32_t v) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  set_faces(g, g.stencil_write, faces, v);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetStencilReference(VkCommandBuffer handle, VkStencilFaceFlags faces, uint32_t v) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  set_faces(g, g.stencil_reference, faces, v);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdBindVertexBuffers(VkCommandBuffer handle, uint32_t first, uint32_t count, const VkBuffer* buffers,
                                                    const VkDeviceSize* offsets) {
  DrawState& g = from<r5x::CommandBuffer>(handle)->draw;
  for (uint32_t i = 0; i < count && first + i < g.vertex.size(); ++i)
    g.vertex[first + i] = {from<Buffer>(buffers[i]), offsets[i], VK_WHOLE_SIZE, g.vertex[first + i].stride};
  g.dirty |= kVertexBuffers;
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdBindIndexBuffer(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkIndexType type) {
  from<r5x::CommandBuffer>(handle)->draw.index = {from<Buffer>(buffer), offset, index_bytes(type)};
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdBindDescriptorSets(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipelineLayout, uint32_t first,
                                                     uint32_t count, const VkDescriptorSet* sets, uint32_t dynamic_count,
                                                     const uint32_t* dynamic) {
  BindPoint& b = from<r5x::CommandBuffer>(handle)->bind[point];
  const uint32_t* end = dynamic + dynamic_count;
  for (uint32_t i = 0; i < count && first + i < b.sets.size(); ++i) {
    const auto* set = from<DescriptorSet>(sets[i]);
    if (!set) {  // of a set that the layout does not name
      b.sets[first + i] = {};
      continue;
    }
    const SetMemory& memory = set->memory;
    b.sets[first + i] = {memory.address, dynamic_words(memory, dynamic, end)};
  }
  b.sets_dirty = true;
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdPushConstants(VkCommandBuffer handle, VkPipelineLayout, VkShaderStageFlags, uint32_t offset,
                                                uint32_t size, const void* v) {
  auto& c = *from<r5x::CommandBuffer>(handle);
  if (offset + size > c.push.size()) return;
  std::memcpy(c.push.data() + offset, v, size);
  for (BindPoint& b : c.bind) b.push_dirty = true;
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdPushDescriptorSetKHR(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipelineLayout layout,
                                                       uint32_t set, uint32_t count, const VkWriteDescriptorSet* writes) {
  auto& c = *from<r5x::CommandBuffer>(handle);
  const SetMemory memory = c.push_set(point, *from<PipelineLayout>(layout), set);
  for (uint32_t i = 0; i < count; ++i) memory.write(writes[i]);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer handle, VkDescriptorUpdateTemplate handle_template,
                                                                   VkPipelineLayout layout, uint32_t set, const void* data) {
  const auto& t = *from<UpdateTemplate>(handle_template);
  t.write(from<r5x::CommandBuffer>(handle)->push_set(t.point, *from<PipelineLayout>(layout), set), data);
}

}  // namespace pumice::icd
