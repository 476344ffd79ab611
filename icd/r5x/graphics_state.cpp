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
  for (uint32_t n = 0; n < 32; ++n)
    if (read >> n & 1) r.raw<xr::X_VTX_ATTR_FORMAT>(0, n);  // without an attribute: zeros
  for (uint32_t i = 0; i < vi.vertexAttributeDescriptionCount; ++i) {
    const VkVertexInputAttributeDescription& a = vi.pVertexAttributeDescriptions[i];
    if (a.location >= 32 || !(read >> a.location & 1)) continue;
    const auto* end = vi.pVertexBindingDescriptions + vi.vertexBindingDescriptionCount;
    const auto* b = std::find_if(vi.pVertexBindingDescriptions, end, [&](const auto& d) { return d.binding == a.binding; });
    if (b == end) continue;
    uint32_t divisor = 1;
    for (uint32_t k = 0; divisors && k < divisors->vertexBindingDivisorCount; ++k)
      if (divisors->pVertexBindingDivisors[k].binding == a.binding) divisor = divisors->pVertexBindingDivisors[k].divisor;
    r.state(xr::X_VTX_ATTR_FORMAT{}.BUFFER(a.binding).FORMAT(chip_format(a.format)).OFFSET(a.offset), a.location);
    r.raw<xr::X_VTX_ATTR_RATE>(attribute_rate(b->inputRate, divisor), a.location);
  }
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

void raster(Pipeline& p, RegisterList& r) {
  r.state(regs::VAP_CNTL{}.PVS_NUM_SLOTS(10).PVS_NUM_CNTLRS(5).PVS_NUM_FPUS(8).VF_MAX_VTX_NUM(12).DX_CLIP_SPACE_DEF(1));
  r.state(regs::GB_ENABLE{});
  r.state(regs::GA_POINT_SIZE{}.WIDTH(half_size(1)).HEIGHT(half_size(1)));
  r.state(regs::GA_POINT_MINMAX{}.MIN_SIZE(half_size(1)).MAX_SIZE(half_size(p.device.chip.limits.pointSizeRange[1])));
  // The sides of a line follow the top-left rule, as those of any rectangle (strictLines), the end point is excluded. On strict chips the
  // sides of vertical lines follow the opposite one.
  r.state(regs::SC_EDGERULE{}.ER_TRI(5).ER_POINT(5).ER_LINE_LR(25).ER_LINE_RL(26).ER_LINE_TB(25).ER_LINE_BT(21));
}

void programs(Pipeline& p, RegisterList& r) {
  using compiler::Stage;
  state_code<xr::X_VS_CODE_LO, xr::X_VS_CODE_HI, xr::X_VS_CODE_SIZE, xr::X_VS_CODE_RSRC>(r, p.code(Stage::vertex));
  // Size 0 without a fragment program.
  state_code<xr::X_FS_CODE_LO, xr::X_FS_CODE_HI, xr::X_FS_CODE_SIZE, xr::X_FS_CODE_RSRC>(r, p.code(Stage::fragment));
  r.raw<xr::X_VS_CTRL>(p.program(Stage::vertex)->control);
  if (const compiler::XProgram* f = p.program(Stage::fragment)) {
    p.graphics.fs_control.raw = f->control;
    for (uint32_t i = 0; i < f->varyings.size(); ++i) r.raw<xr::X_RS_VARYING>(f->varyings[i], i);
  }
  // With a dynamic number of samples flush.cpp states it.
  if (!p.graphics.is_dynamic(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT)) r.state(fragment_control(p.graphics, p.graphics.raster.samples));
}

/// What of the blend state can be dynamic.
constexpr VkDynamicState kBlendStates[] = {
    VK_DYNAMIC_STATE_LOGIC_OP_EXT,           VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT,   VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,
    VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};

/// `cb` null: there are no colours, or all that it says is dynamic. What is dynamic must not be read.
void blending(Pipeline& p, RegisterList& r, uint32_t attachments, const VkPipelineColorBlendStateCreateInfo* cb) {
  GraphicsState& g = p.graphics;
  const auto fixed = [&](VkDynamicState s) { return !g.is_dynamic(s); };
  g.dynamic_blend = !std::all_of(std::begin(kBlendStates), std::end(kBlendStates), fixed);
  if (p.program(compiler::Stage::fragment)) g.targets = attachments;
  if (cb) {
    BlendState& b = g.blend;
    const bool enables = fixed(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT), equations = fixed(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT),
               masks = fixed(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT);
    for (uint32_t i = 0; (enables || equations || masks) && i < std::min(cb->attachmentCount, kTargets); ++i) {
      const VkPipelineColorBlendAttachmentState& a = cb->pAttachments[i];
      if (enables && a.blendEnable) b.blends |= 1u << i;
      if (equations)
        b.equations[i] = {a.srcColorBlendFactor, a.dstColorBlendFactor, a.colorBlendOp,
                          a.srcAlphaBlendFactor, a.dstAlphaBlendFactor, a.alphaBlendOp};
      if (masks) b.write_masks[i] = a.colorWriteMask & 0xF;
    }
    if (fixed(VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT)) b.logic = cb->logicOpEnable;
    if (fixed(VK_DYNAMIC_STATE_LOGIC_OP_EXT)) b.logic_op = cb->logicOp;
    const auto* writes = find_next<VkPipelineColorWriteCreateInfoEXT>(cb->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
    if (writes && fixed(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT))
      for (uint32_t i = 0; i < std::min(writes->attachmentCount, kTargets); ++i)
        if (!writes->pColorWriteEnables[i]) b.writes &= ~(1u << i);
  }
  if (g.dynamic_blend) return;
  for (uint32_t i = 0; i < kTargets; ++i) {
    const TargetWords w = target_words(g.blend, g.targets, i);
    r.state(w.control, i);
    r.state(w.blend, i);
  }
}

}  // namespace

xr::X_FS_CTRL fragment_control(const GraphicsState& p, uint32_t samples) {
  xr::X_FS_CTRL control = p.fs_control;
  if (p.sample_shading * static_cast<float>(samples) > 1) control.PER_SAMPLE(1);
  return control;
}

uint32_t attribute_rate(VkVertexInputRate rate, uint32_t divisor) {
  return rate != VK_VERTEX_INPUT_RATE_INSTANCE ? 0 : divisor ? divisor : ~0u;
}

TargetWords target_words(const BlendState& s, uint32_t targets, uint32_t i) {
  TargetWords w;
  if (!(targets >> i & 1)) return w;
  w.control.WRITE_MASK(s.writes >> i & 1 ? s.write_masks[i] : 0).LOGIC(s.logic).LOGIC_OP(s.logic ? s.logic_op : VK_LOGIC_OP_COPY);
  if ((s.blends >> i & 1) && !s.logic) {
    const VkColorBlendEquationEXT& b = s.equations[i];
    w.control.BLEND(1);
    w.blend.COLOR_SRC(b.srcColorBlendFactor).COLOR_DST(b.dstColorBlendFactor).COLOR_OP(b.colorBlendOp);
    w.blend.ALPHA_SRC(b.srcAlphaBlendFactor).ALPHA_DST(b.dstAlphaBlendFactor).ALPHA_OP(b.alphaBlendOp);
  }
  return w;
}

void make_graphics_state(Pipeline& p, const VkGraphicsPipelineCreateInfo& info, const PassFacts& pass) {
  GraphicsState& g = p.graphics;
  if (info.pDynamicState)
    for (uint32_t i = 0; i < info.pDynamicState->dynamicStateCount; ++i) g.dynamic |= dynamic_bit(info.pDynamicState->pDynamicStates[i]);
  const VkPipelineRasterizationStateCreateInfo& rs = *info.pRasterizationState;
  const bool restart = info.pInputAssemblyState->primitiveRestartEnable, discard = rs.rasterizerDiscardEnable, bias = rs.depthBiasEnable;
  g.primitives = {info.pInputAssemblyState->topology, restart, discard, bias, rs.cullMode, rs.frontFace};
  g.raster.polygon = rs.polygonMode;
  g.raster.depth_clamp = rs.depthClampEnable;
  g.raster.last_provoking = last_provokes(rs);
  g.raster.depth_clip = depth_clip(rs);
  g.raster.negative_depth = negative_depth(info);
  g.raster.depth_unrestricted = p.device.has(DeviceExtension::EXT_depth_range_unrestricted);
  if (const auto* s = find_next<VkPipelineRasterizationLineStateCreateInfoEXT>(
          rs.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT)) {
    g.raster.stipples = s->stippledLineEnable;
    if (g.may_stipple() && !g.is_dynamic(VK_DYNAMIC_STATE_LINE_STIPPLE_EXT)) g.stipple = {s->lineStippleFactor, s->lineStipplePattern};
  }
  g.line_width = rs.lineWidth;
  g.bias_constant = rs.depthBiasConstantFactor;
  g.bias_clamp = rs.depthBiasClamp;
  g.bias_slope = rs.depthBiasSlopeFactor;
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
    if (const auto* ms = info.pMultisampleState) {
      if (!g.is_dynamic(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT)) g.raster.samples = ms->rasterizationSamples;
      if (!g.is_dynamic(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT) && ms->pSampleMask) g.raster.sample_mask = ms->pSampleMask[0];
      g.raster.alpha_to_coverage = ms->alphaToCoverageEnable;
      g.raster.alpha_to_one = ms->alphaToOneEnable;
      if (ms->sampleShadingEnable) g.sample_shading = ms->minSampleShading;
    }
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
  constexpr size_t kUsual = 64;  // registers of a simple pipeline
  p.registers.reserve(kUsual);
  RegisterList r(p.registers);
  programs(p, r);
  g.attributes = p.program(compiler::Stage::vertex)->attributes;
  if (!g.is_dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)) vertex_input(p, r, *info.pVertexInputState);
  raster(p, r);
  blending(p, r, pass.color, cb);
}

}  // namespace pumice::icd::r5x
