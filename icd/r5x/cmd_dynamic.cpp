// SPDX-License-Identifier: MIT
/// Dynamic state of VK_EXT_extended_dynamic_state and VK_EXT_extended_dynamic_state2; Vulkan 1.0's is in cmd_state.cpp.
#include <algorithm>

#include "icd/r5x/command_buffer.h"

namespace pumice::icd {

using namespace r5x;

namespace {

DrawState& state_of(VkCommandBuffer handle) { return from<r5x::CommandBuffer>(handle)->draw; }

void set_count(DrawState& g, uint32_t count) { assign(g, g.viewport_count, std::clamp(count, 1u, kViewportCount), kViewports | kScissors); }
void set_bool(DrawState& g, bool& to, VkBool32 value, uint32_t bit) { assign(g, to, value != VK_FALSE, bit); }

}  // namespace

VKAPI_ATTR void VKAPI_CALL r5x_CmdSetViewportWithCount(VkCommandBuffer handle, uint32_t count, const VkViewport* v) {
  DrawState& g = state_of(handle);
  set_count(g, count);
  for (uint32_t i = 0; i < std::min(count, kViewportCount); ++i) assign(g, g.viewports[i], v[i], kViewports);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetScissorWithCount(VkCommandBuffer handle, uint32_t count, const VkRect2D* s) {
  DrawState& g = state_of(handle);
  set_count(g, count);
  for (uint32_t i = 0; i < std::min(count, kViewportCount); ++i) assign(g, g.scissors[i], s[i], kScissors);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdBindVertexBuffers2(VkCommandBuffer handle, uint32_t first, uint32_t count, const VkBuffer* buffers,
                                                     const VkDeviceSize* offsets, const VkDeviceSize* sizes, const VkDeviceSize* strides) {
  DrawState& g = state_of(handle);
  for (uint32_t i = 0; i < count && first + i < g.vertex.size(); ++i) {
    DrawState::VertexBuffer& v = g.vertex[first + i];
    v = {from<Buffer>(buffers[i]), offsets[i], sizes ? sizes[i] : VK_WHOLE_SIZE, strides ? static_cast<uint32_t>(strides[i]) : v.stride};
  }
  g.dirty |= kVertexBuffers;
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdSetPrimitiveTopology(VkCommandBuffer handle, VkPrimitiveTopology topology) {
  DrawState& g = state_of(handle);
  assign(g, g.primitives.topology, topology, kPrimitives | kViewports);  // the guard band depends on it
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetPrimitiveRestartEnable(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.primitives.restart, on, kPrimitives);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetRasterizerDiscardEnable(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.primitives.discard, on, kPrimitives);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthBiasEnable(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.primitives.bias, on, kPrimitives);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetCullMode(VkCommandBuffer handle, VkCullModeFlags cull) {
  DrawState& g = state_of(handle);
  assign(g, g.primitives.cull, cull, kPrimitives);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetFrontFace(VkCommandBuffer handle, VkFrontFace front) {
  DrawState& g = state_of(handle);
  assign(g, g.primitives.front, front, kPrimitives);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthTestEnable(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.depth_state.test, on, kStencilState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthWriteEnable(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.depth_state.write, on, kStencilState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthCompareOp(VkCommandBuffer handle, VkCompareOp op) {
  DrawState& g = state_of(handle);
  assign(g, g.depth_state.compare, op, kStencilState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthBoundsTestEnable(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.depth_state.bounds, on, kStencilState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetStencilTestEnable(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.depth_state.stencil, on, kStencilState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetStencilOp(VkCommandBuffer handle, VkStencilFaceFlags faces, VkStencilOp fail, VkStencilOp pass,
                                               VkStencilOp depth_fail, VkCompareOp compare) {
  DrawState& g = state_of(handle);
  const StencilOps ops{fail, pass, depth_fail, compare};
  if (faces & VK_STENCIL_FACE_FRONT_BIT) assign(g, g.depth_state.ops[0], ops, kStencilState);
  if (faces & VK_STENCIL_FACE_BACK_BIT) assign(g, g.depth_state.ops[1], ops, kStencilState);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdSetLogicOpEXT(VkCommandBuffer handle, VkLogicOp op) {
  DrawState& g = state_of(handle);
  assign(g, g.logic_op, op, kLogicOp);
}

// Of VK_EXT_extended_dynamic_state2, but behind a feature that this device does not have.
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetPatchControlPointsEXT(VkCommandBuffer handle, uint32_t) {
  auto* c = from<r5x::CommandBuffer>(handle);
  c->fail(report_once(c, VK_ERROR_FEATURE_NOT_PRESENT,
                      "vkCmdSetPatchControlPointsEXT: extendedDynamicState2PatchControlPoints is not offered"));
}

}  // namespace pumice::icd
