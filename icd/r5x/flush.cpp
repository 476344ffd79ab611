// SPDX-License-Identifier: MIT
/// State flush before each draw: dirty items become register writes. Cs::state() skips those that already hold the value.
#include <algorithm>
#include <bit>
#include <cmath>

#include "icd/atoms.h"
#include "icd/r5x/command_buffer.h"
#include "icd/r5x/registers.h"

namespace pumice::icd::r5x {
namespace {

constexpr float kSubpixels = 16.0f;
constexpr float kLineSteps = 256.0f;

uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }

void emit_bias(Cs& cs, const DrawState& g) {
  // Slopes are measured per 1/16 pixel; offsets in steps of the 24.1 depth: two are a unit of 24 bits, 512 one of 16 bits. Those of
  // floats depend on the primitive.
  const VkFormat format = g.depth.format ? g.depth.format->format : VK_FORMAT_UNDEFINED;
  const bool narrow = format == VK_FORMAT_D16_UNORM;
  const bool floats = format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
  const float scale = g.bias_slope * 16.0f, constant = g.bias_constant * (narrow ? 512.0f : 2.0f);
  cs.state_float<regs::SU_POLY_OFFSET_FRONT_SCALE>(scale);
  cs.state_float<regs::SU_POLY_OFFSET_FRONT_OFFSET>(constant);
  cs.state_float<regs::SU_POLY_OFFSET_BACK_SCALE>(scale);
  cs.state_float<regs::SU_POLY_OFFSET_BACK_OFFSET>(constant);
  state_raw<xr::X_RS_BIAS_CLAMP>(cs, bits(g.bias_clamp));
  cs.state(xr::X_RS_BIAS_CTRL{}.RELATIVE(floats));
}

void emit_vertex_buffer(Cs& cs, const DrawState::VertexBuffer& v, uint32_t n, uint32_t stride) {
  const uint64_t left = v.buffer ? v.buffer->bytes(v.offset, v.bytes) : 0;
  state_address<xr::X_VTX_BUFFER_LO, xr::X_VTX_BUFFER_HI>(cs, left ? v.buffer->address + v.offset : 0, n);
  state_raw<xr::X_VTX_BUFFER_SIZE>(cs, static_cast<uint32_t>(std::min<uint64_t>(left, UINT32_MAX)), n);
  state_raw<xr::X_VTX_BUFFER_STRIDE>(cs, stride, n);
}

void emit_vertex_buffers(Cs& cs, const DrawState& g, const GraphicsState& p) {
  if (p.is_dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)) {
    for (uint32_t left = g.input.bindings; left; left &= left - 1) {
      const auto n = static_cast<uint32_t>(std::countr_zero(left));
      emit_vertex_buffer(cs, g.vertex[n], n, g.vertex[n].stride);
    }
    return;
  }
  const bool dynamic = p.is_dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
  for (const GraphicsState::Binding& b : p.bindings)
    emit_vertex_buffer(cs, g.vertex[b.binding], b.binding, dynamic ? g.vertex[b.binding].stride : b.stride);
}

/// What the program reads of vkCmdSetVertexInputEXT; zeros without an attribute.
void emit_vertex_input(Cs& cs, const VertexInput& input, const GraphicsState& p) {
  for (uint32_t left = p.attributes; left; left &= left - 1) {
    const auto n = static_cast<uint32_t>(std::countr_zero(left));
    cs.state(input.attributes[n].format, n);
    state_raw<xr::X_VTX_ATTR_RATE>(cs, input.attributes[n].rate, n);
  }
}

void emit_targets_state(Cs& cs, const BlendState& s, const GraphicsState& p) {
  for (uint32_t i = 0; i < kTargets; ++i) {
    const TargetWords w = target_words(s, p.targets, i);
    cs.state(w.control, i);
    cs.state(w.blend, i);
  }
}

void emit_stencil(Cs& cs, const DrawState& g) {
  const DepthState& s = g.depth_state;
  const bool depth = g.depth.format && (g.depth.format->flags & kDepth) && (g.depth.aspects & VK_IMAGE_ASPECT_DEPTH_BIT);
  const bool stencil = g.depth.format && (g.depth.format->flags & kStencil) && (g.depth.aspects & VK_IMAGE_ASPECT_STENCIL_BIT);
  cs.state(xr::X_ZB_CONTROL{}
               .DEPTH_TEST(depth && s.test)
               .DEPTH_WRITE(depth && s.test && s.write)
               .DEPTH_FUNC(s.compare)
               .STENCIL(stencil && s.stencil)
               .BOUNDS(depth && s.bounds)
               .SAMPLES(static_cast<uint32_t>(std::countr_zero(std::max(g.samples, 1u)))));
  const auto face = [&](int i) {
    const StencilOps& o = s.ops[i];
    return static_cast<uint32_t>(o.compare) | static_cast<uint32_t>(o.fail) << 3 | static_cast<uint32_t>(o.pass) << 6 |
           static_cast<uint32_t>(o.depth_fail) << 9 | (g.stencil_reference[i] & 0xFF) << 12;
  };
  state_raw<xr::X_ZB_STENCIL_FRONT>(cs, face(0));
  state_raw<xr::X_ZB_STENCIL_BACK>(cs, face(1));
  const auto masks = [&](int i) { return (g.stencil_compare[i] & 0xFF) | (g.stencil_write[i] & 0xFF) << 8; };
  state_raw<xr::X_ZB_MASKS_FRONT>(cs, masks(0));
  state_raw<xr::X_ZB_MASKS_BACK>(cs, masks(1));
}

/// Whether primitives become filled triangles.
bool fills_triangles(const DrawState& g) {
  switch (g.primitives.topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY: return false;
    default: return g.raster.polygon == VK_POLYGON_MODE_FILL;
  }
}

uint32_t polygon_code(VkPolygonMode m) {
  using G = regs::GA_POLY_MODE;
  return m == VK_POLYGON_MODE_POINT  ? G::FRONT_PTYPE__POINTS
         : m == VK_POLYGON_MODE_LINE ? G::FRONT_PTYPE__LINES
                                     : G::FRONT_PTYPE__TRIANGLES;
}

/// X_RS_CTRL and GA_LINE_CNTL: half the width of lines has its 256ths of a pixel in both.
void emit_raster_rules(Cs& cs, const DrawState& g, const GraphicsState& p) {
  using L = regs::GA_LINE_CNTL;
  const auto half = static_cast<uint32_t>(std::clamp(g.line_width * kLineSteps * 0.5f + 0.5f, 0.0f, 65535.0f * kLineSteps / kSubpixels));
  constexpr auto kFractions = static_cast<uint32_t>(kLineSteps / kSubpixels);
  cs.state(L{}.WIDTH(half / kFractions).END_TYPE(L::END_TYPE__COMPUTED_PERPENDICULAR_TO_SLOPE));
  const RasterState& r = g.raster;
  const VkPrimitiveTopology t = g.primitives.topology;
  const bool strip = t == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP || t == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
  using Stipple = regs::GA_LINE_STIPPLE_CONFIG;
  xr::X_RS_STIPPLE stipple;
  if (r.stipples) {
    stipple.ENABLE(1).PATTERN(g.stipple.pattern).LENGTH(std::clamp(g.stipple.factor, 1u, 256u) - 1);
    cs.state(Stipple{}.LINE_RESET(strip ? Stipple::LINE_RESET__EACH_PACKET : Stipple::LINE_RESET__EACH_LINE));
  }
  cs.state(stipple);
  // Points have their origin at the top.
  cs.state(xr::X_RS_CTRL{}
               .LAST_PROVOKING(r.last_provoking)
               .DEPTH_CLIP(r.depth_clip)
               .NEGATIVE_DEPTH(r.negative_depth)
               .DEPTH_UNRESTRICTED(r.depth_unrestricted)
               .DEPTH_CLAMP(r.depth_clamp)
               .POINT_ORIGIN_UPPER(1)
               .SAMPLES(static_cast<uint32_t>(std::countr_zero(r.samples)))
               .ALPHA_TO_COVERAGE(r.alpha_to_coverage)
               .ALPHA_TO_ONE(r.alpha_to_one)
               .DISCARD(g.primitives.discard)
               .LINE_FRACTION(half % kFractions));
  state_raw<xr::X_RS_SAMPLE_MASK>(cs, r.sample_mask);
  const bool filled = r.polygon == VK_POLYGON_MODE_FILL;
  cs.state(regs::GA_POLY_MODE{}.POLY_MODE(!filled).FRONT_PTYPE(polygon_code(r.polygon)).BACK_PTYPE(polygon_code(r.polygon)));
  if (p.is_dynamic(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT)) cs.state(fragment_control(p, r.samples));
}

void emit_primitives(Cs& cs, const PrimitiveState& s, VkPolygonMode polygon) {
  using G = regs::GA_COLOR_CONTROL;
  const bool fan = s.topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
  cs.state(G{}.PROVOKING_VERTEX(fan ? G::PROVOKING_VERTEX__SECOND : G::PROVOKING_VERTEX__FIRST));
  using C = regs::SU_CULL_MODE;
  cs.state(C{}.CULL_FRONT((s.cull & VK_CULL_MODE_FRONT_BIT) != 0)
               .CULL_BACK((s.cull & VK_CULL_MODE_BACK_BIT) != 0)
               .FACE(s.front == VK_FRONT_FACE_CLOCKWISE ? C::FACE__NEGATIVE_AREA : C::FACE__POSITIVE_AREA));
  cs.state(regs::SU_POLY_OFFSET_ENABLE{}.FRONT_ENABLE(s.bias).BACK_ENABLE(s.bias).PARA_ENABLE(s.bias && polygon != VK_POLYGON_MODE_FILL));
}

/// Viewports, and scissors cut down to them and to the framebuffer.
void emit_viewports(Cs& cs, const DrawState& g) {
  float horizontal = 1e30f, vertical = 1e30f;
  const auto most = static_cast<int32_t>(cs.chip().x_extent);
  const int32_t right = g.extent ? std::min(most, static_cast<int32_t>(g.extent->width)) : most;
  const int32_t bottom = g.extent ? std::min(most, static_cast<int32_t>(g.extent->height)) : most;
  const bool fills = fills_triangles(g);
  for (uint32_t i = 0; i < g.viewport_count; ++i) {
    const VkViewport& v = g.viewports[i];
    const float xs = v.width * 0.5f, xo = v.x + xs, ys = v.height * 0.5f, yo = v.y + ys;
    state_raw<xr::X_VIEWPORT_XSCALE>(cs, bits(xs), i);
    state_raw<xr::X_VIEWPORT_XOFFSET>(cs, bits(xo), i);
    state_raw<xr::X_VIEWPORT_YSCALE>(cs, bits(ys), i);
    state_raw<xr::X_VIEWPORT_YOFFSET>(cs, bits(yo), i);
    const bool negative = g.raster.negative_depth;
    state_raw<xr::X_VIEWPORT_ZSCALE>(cs, bits((v.maxDepth - v.minDepth) * (negative ? 0.5f : 1.0f)), i);
    state_raw<xr::X_VIEWPORT_ZOFFSET>(cs, bits(negative ? (v.minDepth + v.maxDepth) * 0.5f : v.minDepth), i);
    horizontal = std::min(horizontal, guard_band(cs.chip(), fills, g.raster.samples, xs, xo));
    vertical = std::min(vertical, guard_band(cs.chip(), fills, g.raster.samples, ys, yo));
    ScissorBox box = scissor_in_viewport(g.scissors[i], v, fills, g.raster.samples);
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
  if (!draw.dirty) return flush_bindings(VK_PIPELINE_BIND_POINT_GRAPHICS);
  const GraphicsState& p = b.pipeline->graphics;
  // A subpass without attachments has as many samples as what draws in it.
  if ((draw.dirty & (kRaster | kTargetsDirty)) && draw.pass && !draw.pass->subpasses[draw.subpass].samples &&
      draw.samples != draw.raster.samples) {
    draw.samples = draw.raster.samples;
    draw.dirty |= kTargetsDirty;
  }
  const uint32_t dirty = std::exchange(draw.dirty, 0);
  if (dirty == kAllDirty) emit_fixed_registers(cs);
  if (dirty & kTargetsDirty) emit_targets();
  if (!flush_bindings(VK_PIPELINE_BIND_POINT_GRAPHICS)) return false;
  // Viewports cut scissors down; guard bands depend on polygon mode and samples.
  if (dirty & (kViewports | kScissors | kTargetsDirty | kRaster)) emit_viewports(cs, draw);
  if (dirty & (kLineWidth | kPrimitives | kRaster)) emit_raster_rules(cs, draw, p);
  if (dirty & (kPrimitives | kRaster)) emit_primitives(cs, draw.primitives, draw.raster.polygon);
  if (dirty & (kDepthBias | kPrimitives | kTargetsDirty) && draw.primitives.bias) emit_bias(cs, draw);
  if (dirty & kBlendConstants)
    for (uint32_t i = 0; i < kTargets; ++i) {
      state_raw<xr::X_CB_CONSTANT_R>(cs, bits(draw.blend_constants[0]), i);
      state_raw<xr::X_CB_CONSTANT_G>(cs, bits(draw.blend_constants[1]), i);
      state_raw<xr::X_CB_CONSTANT_B>(cs, bits(draw.blend_constants[2]), i);
      state_raw<xr::X_CB_CONSTANT_A>(cs, bits(draw.blend_constants[3]), i);
    }
  if (dirty & kBlendState && p.dynamic_blend) emit_targets_state(cs, draw.blend, p);
  if (dirty & kDepthBounds) {
    state_raw<xr::X_ZB_BOUNDS_MIN>(cs, bits(draw.bounds_min));
    state_raw<xr::X_ZB_BOUNDS_MAX>(cs, bits(draw.bounds_max));
  }
  if (dirty & (kStencilState | kTargetsDirty)) emit_stencil(cs, draw);
  if (dirty & kVertexBuffers) emit_vertex_buffers(cs, draw, p);
  if (dirty & kVertexInput && p.is_dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)) emit_vertex_input(cs, draw.input, p);
  return true;
}

}  // namespace pumice::icd::r5x
