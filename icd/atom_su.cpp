// SPDX-License-Identifier: MIT
/// SU and SC: culling, polygon offset, scissor (pipeline s.4; units of the offset after hw/radeon/ref/su/README.md).
#include <algorithm>
#include <cmath>

#include "icd/atoms.h"

namespace pumice::icd {

void atom_su(Cs& cs, const GfxState& g) {
  const FixedState& f = g.pipeline->fixed;
  using C = regs::SU_CULL_MODE;
  cs.state(C{}.CULL_FRONT((f.cull & VK_CULL_MODE_FRONT_BIT) != 0)
               .CULL_BACK((f.cull & VK_CULL_MODE_BACK_BIT) != 0)
               .FACE(f.front_face == VK_FRONT_FACE_CLOCKWISE ? C::FACE__NEGATIVE_AREA : C::FACE__POSITIVE_AREA));
  const bool offset = f.depth_bias_enable;
  const bool outlines = f.polygon_mode != VK_POLYGON_MODE_FILL;
  cs.state(regs::SU_POLY_OFFSET_ENABLE{}.FRONT_ENABLE(offset).BACK_ENABLE(offset).PARA_ENABLE(offset && outlines));
  if (!offset) return;
  // Slopes are measured per 1/16 pixel; offsets in steps of the 24.1 depth: two are a unit of 24 bits, 512 one of 16 bits.
  const bool wide = !g.depth.format || g.depth.format->format != VK_FORMAT_D16_UNORM;
  const float scale = g.depth_bias_slope * 16.0f, constant = g.depth_bias_constant * (wide ? 2.0f : 512.0f);
  cs.state_float<regs::SU_POLY_OFFSET_FRONT_SCALE>(scale);
  cs.state_float<regs::SU_POLY_OFFSET_FRONT_OFFSET>(constant);
  cs.state_float<regs::SU_POLY_OFFSET_BACK_SCALE>(scale);
  cs.state_float<regs::SU_POLY_OFFSET_BACK_OFFSET>(constant);
}

void emit_scissor(Cs& cs, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  const int32_t last = static_cast<int32_t>(cs.chip().raster_extent) - 1;
  const auto bias = static_cast<int32_t>(cs.chip().scissor_bias);
  const auto corner = [last, bias](int32_t v) { return static_cast<uint32_t>(std::clamp(v, 0, last - bias) + bias); };
  if (x1 <= x0 || y1 <= y0 || x1 <= 0 || y1 <= 0) {
    // Inclusive corners cannot say "nothing" otherwise.
    cs.state(regs::SC_SCISSOR0{}.XS0(1).YS0(1));
    cs.state(regs::SC_SCISSOR1{}.XS1(0).YS1(0));
    return;
  }
  cs.state(regs::SC_SCISSOR0{}.XS0(corner(x0)).YS0(corner(y0)));
  cs.state(regs::SC_SCISSOR1{}.XS1(corner(x1 - 1)).YS1(corner(y1 - 1)));
}

ScissorBox scissor_in_viewport(const VkRect2D& s, const VkViewport& v, bool fills_triangles, uint32_t samples) {
  int64_t x0 = s.offset.x, y0 = s.offset.y, x1 = x0 + s.extent.width, y1 = y0 + s.extent.height;
  if (fills_triangles) {
    // Inside the guard band triangles are not clipped to the viewport: the pixels whose centre lies in it are. Of several samples some may
    // lie in it: the pixels that touch it, and the clipper does the rest (guard_band in atom_vap.cpp).
    const double top = std::min<double>(v.y, double{v.y} + v.height), bottom = std::max<double>(v.y, double{v.y} + v.height);
    const auto low = [&](double edge) { return static_cast<int64_t>(samples > 1 ? std::floor(edge) : std::ceil(edge - 0.5)); };
    const auto high = [&](double edge) { return static_cast<int64_t>(samples > 1 ? std::ceil(edge) : std::ceil(edge - 0.5)); };
    x0 = std::max(x0, low(v.x));
    y0 = std::max(y0, low(top));
    x1 = std::min(x1, high(double{v.x} + v.width));
    y1 = std::min(y1, high(bottom));
  }
  static constexpr int64_t kOutside = 16384;  // pixels from the origin: further out than a scissor register reaches
  const auto narrow = [](int64_t at) { return static_cast<int32_t>(std::clamp(at, -kOutside, kOutside)); };
  return {narrow(x0), narrow(y0), narrow(x1), narrow(y1)};
}

void atom_sc(Cs& cs, const GfxState& g) {
  const FixedState& f = g.pipeline->fixed;
  const bool fills = f.topology >= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST && f.polygon_mode == VK_POLYGON_MODE_FILL;
  if (f.discard && !cs.chip().has_vap_no_render) {
    emit_scissor(cs, 0, 0, 0, 0);
    return cs.state(regs::SC_SCREENDOOR{});
  }
  const ScissorBox box = scissor_in_viewport(g.scissor, g.viewport, fills, f.samples);
  emit_scissor(cs, box.x0, box.y0, box.x1, box.y1);
  regs::SC_SCREENDOOR door;
  if (f.samples == 1) {
    door.SCREENDOOR(f.sample_mask & 1 ? 0xFFFFFF : 0);
  } else {
    // Six bits for each of a quad's four pixels.
    const uint32_t mask = f.sample_mask & ((1u << f.samples) - 1);
    door.SCREENDOOR(mask * 0x041041u);
  }
  cs.state(door);
}

}  // namespace pumice::icd
