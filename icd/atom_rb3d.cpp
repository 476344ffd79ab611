// SPDX-License-Identifier: MIT
/// RB3D: blending, masks, logic operation, colour surfaces (pipeline s.9); the flush that unpipelined registers need (s.9.4).
#include <algorithm>
#include <bit>
#include <cmath>

#include "icd/atoms.h"

namespace pumice::icd {
namespace {

using B = regs::RB3D_BLENDCNTL;

uint32_t factor_code(VkBlendFactor f, bool has_alpha) {
  switch (f) {
    case VK_BLEND_FACTOR_ZERO: return B::SRCBLEND__GL_ZERO;
    case VK_BLEND_FACTOR_SRC_COLOR: return B::SRCBLEND__GL_SRC_COLOR;
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR: return B::SRCBLEND__GL_ONE_MINUS_SRC_COLOR;
    case VK_BLEND_FACTOR_DST_COLOR: return B::SRCBLEND__GL_DST_COLOR;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR: return B::SRCBLEND__GL_ONE_MINUS_DST_COLOR;
    case VK_BLEND_FACTOR_SRC_ALPHA: return B::SRCBLEND__GL_SRC_ALPHA;
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA: return B::SRCBLEND__GL_ONE_MINUS_SRC_ALPHA;
    // A target without alpha reads 1; what the chip reads there depends on the layout.
    case VK_BLEND_FACTOR_DST_ALPHA: return has_alpha ? B::SRCBLEND__GL_DST_ALPHA : B::SRCBLEND__GL_ONE;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA: return has_alpha ? B::SRCBLEND__GL_ONE_MINUS_DST_ALPHA : B::SRCBLEND__GL_ZERO;
    case VK_BLEND_FACTOR_CONSTANT_COLOR: return B::SRCBLEND__GL_CONSTANT_COLOR;
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR: return B::SRCBLEND__GL_ONE_MINUS_CONSTANT_COLOR;
    case VK_BLEND_FACTOR_CONSTANT_ALPHA: return B::SRCBLEND__GL_CONSTANT_ALPHA;
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA: return B::SRCBLEND__GL_ONE_MINUS_CONSTANT_ALPHA;
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE: return has_alpha ? B::SRCBLEND__GL_SRC_ALPHA_SATURATE : B::SRCBLEND__GL_ZERO;
    default: return B::SRCBLEND__GL_ONE;
  }
}

uint32_t combine_code(VkBlendOp op, bool clamp) {
  // The codes without clamping follow those with it.
  switch (op) {
    case VK_BLEND_OP_SUBTRACT: return clamp ? 2 : 3;
    case VK_BLEND_OP_REVERSE_SUBTRACT: return clamp ? 6 : 7;
    case VK_BLEND_OP_MIN: return B::COMB_FCN__MIN;
    case VK_BLEND_OP_MAX: return B::COMB_FCN__MAX;
    default: return clamp ? 0 : 1;
  }
}

/// ROP2 codes are truth tables: bit (src << 1 | dst).
uint32_t rop_code(VkLogicOp op) {
  using R = regs::RB3D_ROPCNTL;
  switch (op) {
    case VK_LOGIC_OP_CLEAR: return R::ROP__CLEAR;
    case VK_LOGIC_OP_AND: return R::ROP__AND;
    case VK_LOGIC_OP_AND_REVERSE: return R::ROP__SRC_AND_NOT_DST;
    case VK_LOGIC_OP_COPY: return R::ROP__SRC;
    case VK_LOGIC_OP_AND_INVERTED: return R::ROP__NOT_SRC_AND_DST;
    case VK_LOGIC_OP_NO_OP: return R::ROP__DST;
    case VK_LOGIC_OP_XOR: return R::ROP__XOR;
    case VK_LOGIC_OP_OR: return R::ROP__OR;
    case VK_LOGIC_OP_NOR: return R::ROP__NOR;
    case VK_LOGIC_OP_EQUIVALENT: return R::ROP__XNOR;
    case VK_LOGIC_OP_INVERT: return R::ROP__NOT_DST;
    case VK_LOGIC_OP_OR_REVERSE: return R::ROP__SRC_OR_NOT_DST;
    case VK_LOGIC_OP_COPY_INVERTED: return R::ROP__NOT_SRC;
    case VK_LOGIC_OP_OR_INVERTED: return R::ROP__NOT_SRC_OR_DST;
    case VK_LOGIC_OP_NAND: return R::ROP__NAND;
    default: return R::ROP__SET;
  }
}

uint32_t half_from(float v) {
  VkClearColorValue c{};
  c.float32[0] = v;
  uint8_t out[2];
  pack_pixel(*find_format(VK_FORMAT_R16_SFLOAT), c, out);
  return static_cast<uint32_t>(out[0] | out[1] << 8);
}

void emit_constant(Cs& cs, const FormatInfo& f, const std::array<float, 4>& constant) {
  const std::array<uint8_t, 4> channel = target_channels(f);
  if (!cs.chip().has_wide_blend_constant) {
    const auto code = [&](float v) { return static_cast<uint32_t>(std::lrint(std::clamp(v, 0.0f, 1.0f) * 255.0f)); };
    regs::RB3D_CONSTANT_COLOR c;
    cs.state(c.BLUE(code(constant[channel[0]]))
                 .GREEN(code(constant[channel[1]]))
                 .RED(code(constant[channel[2]]))
                 .ALPHA(code(constant[channel[3]])));
    return;
  }
  std::array<uint32_t, 4> raw{};
  for (size_t i = 0; i < 4; ++i) {
    const float v = constant[channel[i]];
    raw[i] = f.numeric == Numeric::sfloat ? half_from(v) : static_cast<uint32_t>(std::lrint(std::clamp(v, 0.0f, 1.0f) * 1023.0f));
  }
  cs.state(regs::RB3D_CONSTANT_COLOR_GB{}.BLUE(raw[0]).GREEN(raw[1]));
  cs.state(regs::RB3D_CONSTANT_COLOR_AR{}.RED(raw[2]).ALPHA(raw[3]));
}

bool has_alpha(const FormatInfo& f) {
  const Layout l = layout_of(f);
  return std::any_of(l.component.begin(), l.component.begin() + l.count, [](const Component& c) { return c.channel == 'a'; });
}

/// The four bits of the first target that has any.
uint32_t first_mask(uint32_t mask) {
  while (mask > 0xF) mask = mask & 0xF ? mask & 0xF : mask >> 4;
  return mask;
}

}  // namespace

void atom_rb3d(Cs& cs, const GfxState& g) {
  const FixedState& f = g.pipeline->fixed;
  emit_color_control(cs, g.color_mask.on);
  uint32_t mask = 0;
  const VkPipelineColorBlendAttachmentState* blend = nullptr;
  const FormatInfo* format = nullptr;
  for (uint32_t i = 0; i < cs.chip().color_targets; ++i) {
    if (!g.color[i].format || i >= f.blend_count) continue;
    mask |= target_mask(*g.color[i].format, f.blend[i].colorWriteMask) << (4 * i);
    // One blend state for all targets (independentBlend is off): the first one's.
    if (!format) {
      format = g.color[i].format;
      blend = &f.blend[i];
    }
  }
  regs::RB3D_COLOR_CHANNEL_MASK m;
  m.raw = cs.chip().has_target_masks ? mask : first_mask(mask);  // pipelines with others are refused
  cs.state(m);
  B color;
  regs::RB3D_ABLENDCNTL alpha;
  if (blend && blend->blendEnable && !f.logic_op_enable) {
    const bool clamp = format->numeric != Numeric::sfloat, a = has_alpha(*format);
    color.ALPHA_BLEND_ENABLE(1).SEPARATE_ALPHA_ENABLE(1).READ_ENABLE(1);
    color.COMB_FCN(combine_code(blend->colorBlendOp, clamp));
    color.SRCBLEND(factor_code(blend->srcColorBlendFactor, a)).DESTBLEND(factor_code(blend->dstColorBlendFactor, a));
    alpha.COMB_FCN(combine_code(blend->alphaBlendOp, clamp));
    alpha.SRCBLEND(factor_code(blend->srcAlphaBlendFactor, a)).DESTBLEND(factor_code(blend->dstAlphaBlendFactor, a));
    emit_constant(cs, *format, g.blend_constants);
  }
  cs.state(color);
  cs.state(alpha);
  cs.state(regs::RB3D_ROPCNTL{}.ROP_ENABLE(f.logic_op_enable).ROP(f.logic_op_enable ? rop_code(f.logic_op) : regs::RB3D_ROPCNTL::ROP__SRC));
}

void emit_color_surface(Cs& cs, uint32_t i, const FormatInfo& f, const Plane& p) {
  cs.state(regs::RB3D_COLOROFFSET{}.COLOROFFSET(address32(p.address) >> 5), i);
  cs.state(regs::RB3D_COLORPITCH{}.COLORPITCH(p.pitch_units >> 1).COLORFORMAT(f.target), i);
}

void emit_resolve(Cs& cs, const FormatInfo& f, const Plane& p) {
  using R = regs::RB3D_AARESOLVE_CTL;
  cs.state(regs::RB3D_AARESOLVE_OFFSET{}.AARESOLVE_OFFSET(address32(p.address) >> 5));
  cs.state(regs::RB3D_AARESOLVE_PITCH{}.AARESOLVE_PITCH(p.pitch_units >> 1));
  cs.state(R{}.AARESOLVE_MODE(R::AARESOLVE_MODE__RESOLVE)
               .AARESOLVE_GAMMA(f.numeric == Numeric::srgb ? R::AARESOLVE_GAMMA__N2_2 : R::AARESOLVE_GAMMA__N1_0)
               .AARESOLVE_ALPHA(cs.chip().has_resolve_alpha ? R::AARESOLVE_ALPHA__AVERAGE : 0));
}

void emit_barrier(Cs& cs) {
  if (cs.at_barrier()) return;
  cs.set(regs::RB3D_DSTCACHE_CTLSTAT{}.DC_FLUSH(2).DC_FREE(2));
  cs.set(regs::ZB_ZCACHE_CTLSTAT{}.ZC_FLUSH(1).ZC_FREE(1));
  cs.set(regs::WAIT_UNTIL{}.WAIT_2D_IDLECLEAN(1).WAIT_3D_IDLECLEAN(1).WAIT_DMA_GUI_IDLE(1));
  cs.set(regs::TX_INVALTAGS{});
  cs.note_barrier();
}

void emit_targets(CommandBuffer& c) {
  const GfxState& g = c.gfx;
  // A secondary recorded without its framebuffer runs with the surfaces its primary set.
  const bool known = g.framebuffer != nullptr;
  if (!known && (!g.pass || g.pass->subpasses[g.subpass].samples)) return;
  emit_barrier(c.cs);
  emit_samples(c.cs, g.samples);
  if (!known) return;
  for (uint32_t i = 0; i < c.cs.chip().color_targets; ++i) {
    if (!g.color[i].format) continue;
    emit_color_surface(c.cs, i, *g.color[i].format, g.color[i].plane);
    if (g.color_mask.on) emit_color_mask(c.cs, i, g.color[i].plane, g.color_mask.first[i]);
  }
  if (g.depth.format) emit_depth_surface(c.cs, *g.depth.format, g.depth.plane, g.fast_depth);
  // The framebuffer's extent as clip rectangle 0; the scissor registers stay with the API's scissor.
  const uint32_t w = std::max(1u, g.framebuffer->width), h = std::max(1u, g.framebuffer->height);
  const uint32_t bias = c.cs.chip().scissor_bias;
  c.cs.state(regs::SC_CLIP_0_A{}.XS0(bias).YS0(bias));
  c.cs.state(regs::SC_CLIP_0_B{}.XS1(w - 1 + bias).YS1(h - 1 + bias));
  c.cs.state(regs::SC_CLIP_RULE{}.CLIP_RULE(0xAAAA));  // inside rectangle 0, whatever the others say
}

}  // namespace pumice::icd
