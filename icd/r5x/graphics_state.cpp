// SPDX-License-Identifier: MIT
/// The state of a graphics pipeline as registers (docs/r5x.md, 1 and 7), and the part that commands may replace.
#include <algorithm>
#include <bit>

#include "icd/r5x/pipeline.h"

namespace pumice::icd::r5x {
namespace {

constexpr float kSubpixels = 16.0f;
uint32_t half_size(float pixels) { return static_cast<uint32_t>(std::clamp(pixels * kSubpixels * 0.5f + 0.5f, 0.0f, 65535.0f)); }

void vertex_input(Pipeline& p, RegisterList& r, const VkPipelineVertexInputStateCreateInfo& vi) {
  const uint32_t read = p.program(compiler::Stage::vertex)->attributes;
  GraphicsState& g = p.graphics;
  const auto* divisors = find_next<VkPipelineVertexInputDivisorStateCreateInfoEXT>(
      vi.pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
  for (uint32_t i = 0; i < vi.vertexBindingDescriptionCount; ++i)
    g.bindings.push_back({vi.pVertexBindingDescriptions[i].binding, vi.pVertexBindingDescriptions[i].stride});
  g.attributes = read;
  for (uint32_t n = 0; n < 32; ++n)
    if (read >> n & 1) r.raw<xr::X_VTX_ATTR_FORMAT>(0, n);  // without an attribute: zeros
  for (uint32_t i = 0; i < vi.vertexAttributeDescriptionCount; ++i) {
    const VkVertexInputAttributeDescription& a = vi.pVertexAttributeDescriptions[i];
    if (a.location >= 32 || !(read >> a.location & 1)) continue;
    const auto* end = vi.pVertexBindingDescriptions + vi.vertexBindingDescriptionCount;
    const auto* b = std::find_if(vi.pVertexBindingDescriptions, end, [&](const auto& d) { return d.binding == a.binding; });
    if (b == end) continue;
    uint32_t rate = 0;
    if (b->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE) {
      rate = 1;
      for (uint32_t k = 0; divisors && k < divisors->vertexBindingDivisorCount; ++k)
        if (divisors->pVertexBindingDivisors[k].binding == a.binding) rate = divisors->pVertexBindingDivisors[k].divisor;
      if (!rate) rate = ~0u;
    }
    r.state(xr::X_VTX_ATTR_FORMAT{}.BUFFER(a.binding).FORMAT(chip_format(a.format)).OFFSET(a.offset), a.location);
    r.raw<xr::X_VTX_ATTR_RATE>(rate, a.location);
  }
}

uint32_t polygon_code(VkPolygonMode m) {
  using G = regs::GA_POLY_MODE;
  return m == VK_POLYGON_MODE_POINT  ? G::FRONT_PTYPE__POINTS
         : m == VK_POLYGON_MODE_LINE ? G::FRONT_PTYPE__LINES
                                     : G::FRONT_PTYPE__TRIANGLES;
}

bool last_provokes(const VkPipelineRasterizationStateCreateInfo& rs) {
  const auto* s = find_next<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
      rs.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
  return s && s->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
}
uint32_t depth_clip(const VkPipelineRasterizationStateCreateInfo& rs) {
  const auto* s = find_next<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
      rs.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
  using Rs = xr::X_RS_CTRL;
  return !s ? Rs::DEPTH_CLIP__UNLESS_CLAMPED : s->depthClipEnable ? Rs::DEPTH_CLIP__ALWAYS : Rs::DEPTH_CLIP__NEVER;
}
bool negative_depth(const VkGraphicsPipelineCreateInfo& info) {
  if (always_discards(info) || !info.pViewportState) return false;
  const auto* s = find_next<VkPipelineViewportDepthClipControlCreateInfoEXT>(
      info.pViewportState->pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
  return s && s->negativeOneToOne;
}

void raster(Pipeline& p, RegisterList& r, const VkGraphicsPipelineCreateInfo& info) {
  const VkPipelineRasterizationStateCreateInfo& rs = *info.pRasterizationState;
  r.state(regs::VAP_CNTL{}.PVS_NUM_SLOTS(10).PVS_NUM_CNTLRS(5).PVS_NUM_FPUS(8).VF_MAX_VTX_NUM(12).DX_CLIP_SPACE_DEF(1));
  r.state(regs::GB_ENABLE{});
  r.state(regs::GA_POINT_SIZE{}.WIDTH(half_size(1)).HEIGHT(half_size(1)));
  r.state(regs::GA_POINT_MINMAX{}.MIN_SIZE(half_size(1)).MAX_SIZE(half_size(p.device.chip.limits.pointSizeRange[1])));
  // The sides of a line follow the top-left rule, as those of any rectangle (strictLines), the end point is excluded. On strict chips the
  // sides of vertical lines follow the opposite one.
  r.state(regs::SC_EDGERULE{}.ER_TRI(5).ER_POINT(5).ER_LINE_LR(25).ER_LINE_RL(26).ER_LINE_TB(25).ER_LINE_BT(21));
  const bool filled = rs.polygonMode == VK_POLYGON_MODE_FILL;
  r.state(regs::GA_POLY_MODE{}.POLY_MODE(!filled).FRONT_PTYPE(polygon_code(rs.polygonMode)).BACK_PTYPE(polygon_code(rs.polygonMode)));
  const auto* ms = always_discards(info) ? nullptr : info.pMultisampleState;
  // Points have their origin at the top.
  using Rs = xr::X_RS_CTRL;
  p.graphics.raster = Rs{}.LAST_PROVOKING(last_provokes(rs))
                          .DEPTH_CLIP(depth_clip(rs))
                          .NEGATIVE_DEPTH(negative_depth(info))
                          .DEPTH_UNRESTRICTED(p.device.has(DeviceExtension::EXT_depth_range_unrestricted))
                          .DEPTH_CLAMP(rs.depthClampEnable)
                          .POINT_ORIGIN_UPPER(1)
                          .SAMPLES(static_cast<uint32_t>(std::countr_zero(p.graphics.samples)))
                          .ALPHA_TO_COVERAGE(ms && ms->alphaToCoverageEnable)
                          .ALPHA_TO_ONE(ms && ms->alphaToOneEnable);
  r.raw<xr::X_RS_SAMPLE_MASK>(ms && ms->pSampleMask ? ms->pSampleMask[0] : ~0u);
}

void programs(Pipeline& p, RegisterList& r, const VkGraphicsPipelineCreateInfo& info) {
  using compiler::Stage;
  state_code<xr::X_VS_CODE_LO, xr::X_VS_CODE_HI, xr::X_VS_CODE_SIZE, xr::X_VS_CODE_RSRC>(r, p.code(Stage::vertex));
  // Size 0 without a fragment program.
  state_code<xr::X_FS_CODE_LO, xr::X_FS_CODE_HI, xr::X_FS_CODE_SIZE, xr::X_FS_CODE_RSRC>(r, p.code(Stage::fragment));
  r.raw<xr::X_VS_CTRL>(p.program(Stage::vertex)->control);
  const compiler::XProgram* f = p.program(Stage::fragment);
  xr::X_FS_CTRL control;
  if (f) {
    control.raw = f->control;
    for (uint32_t i = 0; i < f->varyings.size(); ++i) r.raw<xr::X_RS_VARYING>(f->varyings[i], i);
  }
  const auto* ms = always_discards(info) ? nullptr : info.pMultisampleState;
  if (ms && ms->sampleShadingEnable && ms->minSampleShading * static_cast<float>(ms->rasterizationSamples) > 1) control.PER_SAMPLE(1);
  r.state(control);
}

void blending(Pipeline& p, RegisterList& r, const VkPipelineColorBlendStateCreateInfo* cb) {
  const bool colors = p.program(compiler::Stage::fragment) != nullptr;
  GraphicsState& g = p.graphics;
  if (cb && cb->logicOpEnable) {
    g.logic_op = cb->logicOp;
    if (g.is_dynamic(VK_DYNAMIC_STATE_LOGIC_OP_EXT)) g.logic_targets.emplace();
  }
  for (uint32_t i = 0; i < kTargets; ++i) {
    xr::X_CB_CONTROL control;
    xr::X_CB_BLEND blend;
    if (cb && colors && i < cb->attachmentCount) {
      const VkPipelineColorBlendAttachmentState& b = cb->pAttachments[i];
      control.WRITE_MASK(b.colorWriteMask & 0xF).LOGIC(cb->logicOpEnable).LOGIC_OP(g.logic_op);
      if (b.blendEnable && !cb->logicOpEnable) {
        control.BLEND(1);
        blend.COLOR_SRC(b.srcColorBlendFactor).COLOR_DST(b.dstColorBlendFactor).COLOR_OP(b.colorBlendOp);
        blend.ALPHA_SRC(b.srcAlphaBlendFactor).ALPHA_DST(b.dstAlphaBlendFactor).ALPHA_OP(b.alphaBlendOp);
      }
    }
    if (g.logic_targets)
      (*g.logic_targets)[i] = control;
    else
      r.state(control, i);
    r.state(blend, i);
  }
}

}  // namespace

void make_graphics_state(Pipeline& p, const VkGraphicsPipelineCreateInfo& info) {
  GraphicsState& g = p.graphics;
  if (info.pDynamicState)
    for (uint32_t i = 0; i < info.pDynamicState->dynamicStateCount; ++i) g.dynamic |= dynamic_bit(info.pDynamicState->pDynamicStates[i]);
  const VkPipelineRasterizationStateCreateInfo& rs = *info.pRasterizationState;
  const bool restart = info.pInputAssemblyState->primitiveRestartEnable, discard = rs.rasterizerDiscardEnable, bias = rs.depthBiasEnable;
  g.primitives = {info.pInputAssemblyState->topology, restart, discard, bias, rs.cullMode, rs.frontFace};
  g.polygon = rs.polygonMode;
  if (const auto* s = find_next<VkPipelineRasterizationLineStateCreateInfoEXT>(
          rs.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
      s && s->stippledLineEnable) {
    g.stipples = true;
    if (!g.is_dynamic(VK_DYNAMIC_STATE_LINE_STIPPLE_EXT)) g.stipple = {s->lineStippleFactor, s->lineStipplePattern};
  }
  g.line_width = rs.lineWidth;
  g.bias_constant = rs.depthBiasConstantFactor;
  g.bias_clamp = rs.depthBiasClamp;
  g.bias_slope = rs.depthBiasSlopeFactor;
  const PassFacts pass = pass_facts(info);
  g.view_mask = pass.view_mask;
  // With rasterization off the state below must not be read.
  const VkPipelineColorBlendStateCreateInfo* cb = nullptr;
  if (!always_discards(info)) {
    if (const auto* vp = info.pViewportState) {
      const bool viewports = !g.is_dynamic(VK_DYNAMIC_STATE_VIEWPORT) && !g.is_dynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
      const bool scissors = !g.is_dynamic(VK_DYNAMIC_STATE_SCISSOR) && !g.is_dynamic(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
      g.viewport_count = std::min(std::max({vp->viewportCount, vp->scissorCount, 1u}), kViewportCount);
      if (vp->pViewports && viewports) std::copy_n(vp->pViewports, std::min(vp->viewportCount, kViewportCount), g.viewports.begin());
      if (vp->pScissors && scissors) std::copy_n(vp->pScissors, std::min(vp->scissorCount, kViewportCount), g.scissors.begin());
    }
    if (info.pMultisampleState) g.samples = info.pMultisampleState->rasterizationSamples;
    const auto* ds = info.pDepthStencilState;
    if (ds && pass.depth) {
      const auto ops = [](const VkStencilOpState& s) { return StencilOps{s.failOp, s.passOp, s.depthFailOp, s.compareOp}; };
      const bool test = ds->depthTestEnable, write = ds->depthWriteEnable, stencil = ds->stencilTestEnable,
                 bounds = ds->depthBoundsTestEnable;
      g.depth = {test, write, stencil, bounds, ds->depthCompareOp, {ops(ds->front), ops(ds->back)}};
      g.stencil_compare = {ds->front.compareMask, ds->back.compareMask};
      g.stencil_write = {ds->front.writeMask, ds->back.writeMask};
      g.stencil_reference = {ds->front.reference, ds->back.reference};
      g.bounds_min = ds->minDepthBounds;
      g.bounds_max = ds->maxDepthBounds;
    }
    if (pass.color) cb = info.pColorBlendState;
    if (cb) std::copy_n(cb->blendConstants, 4, g.blend_constants.begin());
  }
  RegisterList r(p.registers);
  programs(p, r, info);
  vertex_input(p, r, *info.pVertexInputState);
  raster(p, r, info);
  blending(p, r, cb);
}

}  // namespace pumice::icd::r5x
