// SPDX-License-Identifier: MIT
/// State flush before each draw: what is dirty becomes registers. Cs::state() skips those that already hold the value.
#include <algorithm>
#include <bit>
#include <cmath>

#include "icd/atoms.h"
#include "icd/r5x/command_buffer.h"
#include "icd/r5x/registers.h"

namespace pumice::icd::r5x {
namespace {

constexpr float kSubpixels = 16.0f;

uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }

void emit_bias(Cs& cs, const DrawState& g) {
  // Slopes are measured per 1/16 pixel; offsets in steps of the 24.1 depth: two are a unit of 24 bits, 512 one of 16 bits.
  const bool narrow = g.depth.format && g.depth.format->format == VK_FORMAT_D16_UNORM;
  const float scale = g.bias_slope * 16.0f, constant = g.bias_constant * (narrow ? 512.0f : 2.0f);
  cs.state_float<regs::SU_POLY_OFFSET_FRONT_SCALE>(scale);
  cs.state_float<regs::SU_POLY_OFFSET_FRONT_OFFSET>(constant);
  cs.state_float<regs::SU_POLY_OFFSET_BACK_SCALE>(scale);
  cs.state_float<regs::SU_POLY_OFFSET_BACK_OFFSET>(constant);
  state_raw<xr::X_RS_BIAS_CLAMP>(cs, bits(g.bias_clamp));
}

void emit_vertex_buffers(Cs& cs, const DrawState& g, const GraphicsState& p) {
  for (const GraphicsState::Binding& b : p.bindings) {
    const DrawState::VertexBuffer& v = g.vertex[b.binding];
    const uint64_t left = v.buffer ? v.buffer->bytes(v.offset, VK_WHOLE_SIZE) : 0;
    state_address<xr::X_VTX_BUFFER_LO, xr::X_VTX_BUFFER_HI>(cs, left ? v.buffer->address + v.offset : 0, b.binding);
    state_raw<xr::X_VTX_BUFFER_SIZE>(cs, static_cast<uint32_t>(std::min<uint64_t>(left, UINT32_MAX)), b.binding);
    state_raw<xr::X_VTX_BUFFER_STRIDE>(cs, b.stride, b.binding);
  }
}

void emit_stencil(Cs& cs, const DrawState& g, const GraphicsState& p) {
  const bool depth = g.depth.format && (g.depth.format->flags & kDepth), stencil = g.depth.format && (g.depth.format->flags & kStencil);
  cs.state(xr::X_ZB_CONTROL{}
               .DEPTH_TEST(depth && p.depth_test)
               .DEPTH_WRITE(depth && p.depth_write)
               .DEPTH_FUNC(p.depth_compare)
               .STENCIL(stencil && p.stencil_test)
               .BOUNDS(depth && p.depth_bounds)
               .SAMPLES(static_cast<uint32_t>(std::countr_zero(std::max(g.samples, 1u)))));
  const auto face = [&](const VkStencilOpState& s, uint32_t reference) {
    return static_cast<uint32_t>(s.compareOp) | static_cast<uint32_t>(s.failOp) << 3 | static_cast<uint32_t>(s.passOp) << 6 |
           static_cast<uint32_t>(s.depthFailOp) << 9 | (reference & 0xFF) << 12;
  };
  state_raw<xr::X_ZB_STENCIL_FRONT>(cs, face(p.front, g.stencil_reference[0]));
  state_raw<xr::X_ZB_STENCIL_BACK>(cs, face(p.back, g.stencil_reference[1]));
  const auto masks = [&](int i) { return (g.stencil_compare[i] & 0xFF) | (g.stencil_write[i] & 0xFF) << 8; };
  state_raw<xr::X_ZB_MASKS_FRONT>(cs, masks(0));
  state_raw<xr::X_ZB_MASKS_BACK>(cs, masks(1));
}

/// Viewports, and scissors cut down to them and to the framebuffer.
void emit_viewports(Cs& cs, const DrawState& g, const GraphicsState& p) {
  float horizontal = 1e30f, vertical = 1e30f;
  constexpr int32_t most = 16384;  // maxFramebufferWidth, maxFramebufferHeight
  const int32_t right = g.framebuffer ? std::min(most, static_cast<int32_t>(g.framebuffer->width)) : most;
  const int32_t bottom = g.framebuffer ? std::min(most, static_cast<int32_t>(g.framebuffer->height)) : most;
  for (uint32_t i = 0; i < p.viewport_count; ++i) {
    const VkViewport& v = g.viewports[i];
    const float xs = v.width * 0.5f, xo = v.x + xs, ys = v.height * 0.5f, yo = v.y + ys;
    state_raw<xr::X_VIEWPORT_XSCALE>(cs, bits(xs), i);
    state_raw<xr::X_VIEWPORT_XOFFSET>(cs, bits(xo), i);
    state_raw<xr::X_VIEWPORT_YSCALE>(cs, bits(ys), i);
    state_raw<xr::X_VIEWPORT_YOFFSET>(cs, bits(yo), i);
    state_raw<xr::X_VIEWPORT_ZSCALE>(cs, bits(v.maxDepth - v.minDepth), i);
    state_raw<xr::X_VIEWPORT_ZOFFSET>(cs, bits(v.minDepth), i);
    horizontal = std::min(horizontal, guard_band(cs.chip(), p.fills_triangles, p.samples, xs, xo));
    vertical = std::min(vertical, guard_band(cs.chip(), p.fills_triangles, p.samples, ys, yo));
    ScissorBox box = scissor_in_viewport(g.scissors[i], v, p.fills_triangles, p.samples);
    box = {std::clamp(box.x0, 0, right), std::clamp(box.y0, 0, bottom), std::clamp(box.x1, 0, right), std::clamp(box.y1, 0, bottom)};
    if (box.x1 <= box.x0 || box.y1 <= box.y0) box = {0, 0, 0, 0};
    cs.state(xr::X_SCISSOR_TL{}.X(static_cast<uint32_t>(box.x0)).Y(static_cast<uint32_t>(box.y0)), i);
    cs.state(xr::X_SCISSOR_BR{}.X(static_cast<uint32_t>(box.x1)).Y(static_cast<uint32_t>(box.y1)), i);
  }
  cs.state_float<regs::VAP_GB_HORZ_CLIP_ADJ>(horizontal);
  cs.state_float<regs::VAP_GB_HORZ_DISC_ADJ>(1.0f);
  cs.state_float<regs::VAP_GB_VERT_CLIP_ADJ>(vertical);
  cs.state_float<regs::VAP_GB_VERT_DISC_ADJ>(1.0f);
}

}  // namespace

bool CommandBuffer::flush_draw() {
  BindPoint& b = bind[VK_PIPELINE_BIND_POINT_GRAPHICS];
  if (!b.pipeline) return false;
  const GraphicsState& p = b.pipeline->graphics;
  const uint32_t dirty = std::exchange(draw.dirty, 0);
  if (dirty == kAllDirty) emit_fixed_registers(cs);
  if (dirty & kTargetsDirty) emit_targets();
  if (!flush_bindings(VK_PIPELINE_BIND_POINT_GRAPHICS)) return false;
  // Viewports cut scissors down.
  if (dirty & (kViewports | kScissors | kTargetsDirty)) emit_viewports(cs, draw, p);
  if (dirty & kLineWidth) {
    using L = regs::GA_LINE_CNTL;
    const float half = std::clamp(draw.line_width * kSubpixels * 0.5f + 0.5f, 0.0f, 65535.0f);
    cs.state(L{}.WIDTH(static_cast<uint32_t>(half)).END_TYPE(L::END_TYPE__COMPUTED_PERPENDICULAR_TO_SLOPE));
  }
  if (dirty & (kDepthBias | kTargetsDirty) && p.bias) emit_bias(cs, draw);
  if (dirty & kBlendConstants)
    for (uint32_t i = 0; i < kTargets; ++i) {
      state_raw<xr::X_CB_CONSTANT_R>(cs, bits(draw.blend_constants[0]), i);
      state_raw<xr::X_CB_CONSTANT_G>(cs, bits(draw.blend_constants[1]), i);
      state_raw<xr::X_CB_CONSTANT_B>(cs, bits(draw.blend_constants[2]), i);
      state_raw<xr::X_CB_CONSTANT_A>(cs, bits(draw.blend_constants[3]), i);
    }
  if (dirty & kDepthBounds) {
    state_raw<xr::X_ZB_BOUNDS_MIN>(cs, bits(draw.bounds_min));
    state_raw<xr::X_ZB_BOUNDS_MAX>(cs, bits(draw.bounds_max));
  }
  if (dirty & (kStencilState | kTargetsDirty)) emit_stencil(cs, draw, p);
  if (dirty & kVertexBuffers) emit_vertex_buffers(cs, draw, p);
  return true;
}

}  // namespace pumice::icd::r5x
