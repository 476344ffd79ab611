// SPDX-License-Identifier: MIT
/// Dynamic state of VK_EXT_extended_dynamic_state and its successors, VK_EXT_vertex_input_dynamic_state and VK_EXT_color_write_enable;
/// Vulkan 1.0's is in cmd_state.cpp.
#include <algorithm>

#include "icd/names.h"
#include "icd/r5x/command_buffer.h"

namespace pumice::icd {

using namespace r5x;

namespace {

DrawState& state_of(VkCommandBuffer handle) { return from<r5x::CommandBuffer>(handle)->draw; }

void set_count(DrawState& g, uint32_t count) { assign(g, g.viewport_count, std::clamp(count, 1u, kViewportCount), kViewports | kScissors); }
/// Bits [first, first + count) of a mask replaced.
uint32_t with_bits(uint32_t mask, uint32_t first, uint32_t count, const VkBool32* on) {
  for (uint32_t i = 0; i < count && first + i < kTargets; ++i) mask = on[i] ? mask | 1u << (first + i) : mask & ~(1u << (first + i));
  return mask;
}
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
  assign(g, g.blend.logic_op, op, kBlendState);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdSetVertexInputEXT(VkCommandBuffer handle, uint32_t binding_count,
                                                    const VkVertexInputBindingDescription2EXT* bindings, uint32_t attribute_count,
                                                    const VkVertexInputAttributeDescription2EXT* attributes) {
  DrawState& g = state_of(handle);
  g.input = {};
  for (uint32_t i = 0; i < binding_count; ++i) {
    const VkVertexInputBindingDescription2EXT& b = bindings[i];
    if (b.binding >= g.vertex.size()) continue;
    g.input.bindings |= 1u << b.binding;
    g.vertex[b.binding].stride = b.stride;
  }
  for (uint32_t i = 0; i < attribute_count; ++i) {
    const VkVertexInputAttributeDescription2EXT& a = attributes[i];
    const auto* end = bindings + binding_count;
    const auto* b = std::find_if(bindings, end, [&](const auto& d) { return d.binding == a.binding; });
    if (b == end || a.location >= g.input.attributes.size()) continue;
    VertexInput::Attribute& to = g.input.attributes[a.location];
    to.format.BUFFER(a.binding).FORMAT(chip_format(a.format)).OFFSET(a.offset);
    to.rate = attribute_rate(b->inputRate, b->divisor);
  }
  g.dirty |= kVertexInput | kVertexBuffers;
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthClampEnableEXT(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.raster.depth_clamp, on, kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetPolygonModeEXT(VkCommandBuffer handle, VkPolygonMode mode) {
  DrawState& g = state_of(handle);
  assign(g, g.raster.polygon, mode, kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetRasterizationSamplesEXT(VkCommandBuffer handle, VkSampleCountFlagBits samples) {
  auto* c = from<r5x::CommandBuffer>(handle);
  if (!(samples & c->device.chip.limits.framebufferNoAttachmentsSampleCounts))
    return c->fail(report_once(c, VK_ERROR_FEATURE_NOT_PRESENT, "vkCmdSetRasterizationSamplesEXT: %u samples; the device offers %s",
                               samples,
                               names_of<VkSampleCountFlagBits>(c->device.chip.limits.framebufferNoAttachmentsSampleCounts).c_str()));
  assign(c->draw, c->draw.raster.samples, static_cast<uint32_t>(samples), kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetSampleMaskEXT(VkCommandBuffer handle, VkSampleCountFlagBits, const VkSampleMask* mask) {
  DrawState& g = state_of(handle);
  assign(g, g.raster.sample_mask, mask ? mask[0] : ~0u, kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetAlphaToCoverageEnableEXT(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.raster.alpha_to_coverage, on, kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetAlphaToOneEnableEXT(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.raster.alpha_to_one, on, kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthClipEnableEXT(VkCommandBuffer handle, VkBool32 on) {
  using Rs = xr::X_RS_CTRL;
  DrawState& g = state_of(handle);
  assign(g, g.raster.depth_clip, uint32_t{on ? Rs::DEPTH_CLIP__ALWAYS : Rs::DEPTH_CLIP__NEVER}, kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetProvokingVertexModeEXT(VkCommandBuffer handle, VkProvokingVertexModeEXT mode) {
  DrawState& g = state_of(handle);
  set_bool(g, g.raster.last_provoking, mode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT, kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetLineStippleEnableEXT(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.raster.stipples, on, kRaster);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDepthClipNegativeOneToOneEXT(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.raster.negative_depth, on, kRaster);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdSetLogicOpEnableEXT(VkCommandBuffer handle, VkBool32 on) {
  DrawState& g = state_of(handle);
  set_bool(g, g.blend.logic, on, kBlendState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetColorBlendEnableEXT(VkCommandBuffer handle, uint32_t first, uint32_t count, const VkBool32* on) {
  DrawState& g = state_of(handle);
  assign(g, g.blend.blends, with_bits(g.blend.blends, first, count, on), kBlendState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetColorBlendEquationEXT(VkCommandBuffer handle, uint32_t first, uint32_t count,
                                                           const VkColorBlendEquationEXT* equations) {
  DrawState& g = state_of(handle);
  for (uint32_t i = 0; i < count && first + i < kTargets; ++i) assign(g, g.blend.equations[first + i], equations[i], kBlendState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetColorWriteMaskEXT(VkCommandBuffer handle, uint32_t first, uint32_t count,
                                                       const VkColorComponentFlags* masks) {
  DrawState& g = state_of(handle);
  for (uint32_t i = 0; i < count && first + i < kTargets; ++i)
    assign(g, g.blend.write_masks[first + i], static_cast<uint8_t>(masks[i] & 0xF), kBlendState);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetColorWriteEnableEXT(VkCommandBuffer handle, uint32_t count, const VkBool32* on) {
  DrawState& g = state_of(handle);
  assign(g, g.blend.writes, with_bits(g.blend.writes, 0, count, on), kBlendState);
}

// Behind features that this device does not have.
#define REFUSED(function, parameters, feature)                                                                         \
  VKAPI_ATTR void VKAPI_CALL r5x_##function parameters {                                                               \
    auto* c = from<r5x::CommandBuffer>(handle);                                                                        \
    c->fail(report_once(c, VK_ERROR_FEATURE_NOT_PRESENT, "vk%s: the feature %s is not offered", #function, #feature)); \
  }
REFUSED(CmdSetPatchControlPointsEXT, (VkCommandBuffer handle, uint32_t), extendedDynamicState2PatchControlPoints)
REFUSED(CmdSetTessellationDomainOriginEXT, (VkCommandBuffer handle, VkTessellationDomainOrigin),
        extendedDynamicState3TessellationDomainOrigin)
REFUSED(CmdSetRasterizationStreamEXT, (VkCommandBuffer handle, uint32_t), extendedDynamicState3RasterizationStream)
REFUSED(CmdSetConservativeRasterizationModeEXT, (VkCommandBuffer handle, VkConservativeRasterizationModeEXT),
        extendedDynamicState3ConservativeRasterizationMode)
REFUSED(CmdSetExtraPrimitiveOverestimationSizeEXT, (VkCommandBuffer handle, float), extendedDynamicState3ExtraPrimitiveOverestimationSize)
REFUSED(CmdSetSampleLocationsEnableEXT, (VkCommandBuffer handle, VkBool32), extendedDynamicState3SampleLocationsEnable)
REFUSED(CmdSetColorBlendAdvancedEXT, (VkCommandBuffer handle, uint32_t, uint32_t, const VkColorBlendAdvancedEXT*),
        extendedDynamicState3ColorBlendAdvanced)
REFUSED(CmdSetLineRasterizationModeEXT, (VkCommandBuffer handle, VkLineRasterizationModeEXT), extendedDynamicState3LineRasterizationMode)
REFUSED(CmdSetViewportWScalingEnableNV, (VkCommandBuffer handle, VkBool32), extendedDynamicState3ViewportWScalingEnable)
REFUSED(CmdSetViewportSwizzleNV, (VkCommandBuffer handle, uint32_t, uint32_t, const VkViewportSwizzleNV*),
        extendedDynamicState3ViewportSwizzle)
REFUSED(CmdSetCoverageToColorEnableNV, (VkCommandBuffer handle, VkBool32), extendedDynamicState3CoverageToColorEnable)
REFUSED(CmdSetCoverageToColorLocationNV, (VkCommandBuffer handle, uint32_t), extendedDynamicState3CoverageToColorLocation)
REFUSED(CmdSetCoverageModulationModeNV, (VkCommandBuffer handle, VkCoverageModulationModeNV), extendedDynamicState3CoverageModulationMode)
REFUSED(CmdSetCoverageModulationTableEnableNV, (VkCommandBuffer handle, VkBool32), extendedDynamicState3CoverageModulationTableEnable)
REFUSED(CmdSetCoverageModulationTableNV, (VkCommandBuffer handle, uint32_t, const float*), extendedDynamicState3CoverageModulationTable)
REFUSED(CmdSetShadingRateImageEnableNV, (VkCommandBuffer handle, VkBool32), extendedDynamicState3ShadingRateImageEnable)
REFUSED(CmdSetRepresentativeFragmentTestEnableNV, (VkCommandBuffer handle, VkBool32), extendedDynamicState3RepresentativeFragmentTestEnable)
REFUSED(CmdSetCoverageReductionModeNV, (VkCommandBuffer handle, VkCoverageReductionModeNV), extendedDynamicState3CoverageReductionMode)
#undef REFUSED

}  // namespace pumice::icd
