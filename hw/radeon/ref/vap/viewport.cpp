// SPDX-License-Identifier: MIT
/// Multiply by 1/w, then scale, then offset; each step rounded to float and flushed.
#include "hw/radeon/ref/vap/viewport.h"

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/transcendental.h"

namespace pumice::hw::vap {

Viewport::Viewport(const ChipState& state) {
  const auto c = state.get<regs::VAP_VTE_CNTL>();
  const bool xy = c.VTX_XY_FMT() == regs::VAP_VTE_CNTL::VTX_XY_FMT__PRE_DIVIDED,
             z = c.VTX_Z_FMT() == regs::VAP_VTE_CNTL::VTX_Z_FMT__PRE_DIVIDED;
  axis_[0] = {state.get_float<regs::VAP_VPORT_XSCALE>(), state.get_float<regs::VAP_VPORT_XOFFSET>(), bool(c.VPORT_X_SCALE_ENA()),
              bool(c.VPORT_X_OFFSET_ENA()), xy};
  axis_[1] = {state.get_float<regs::VAP_VPORT_YSCALE>(), state.get_float<regs::VAP_VPORT_YOFFSET>(), bool(c.VPORT_Y_SCALE_ENA()),
              bool(c.VPORT_Y_OFFSET_ENA()), xy};
  axis_[2] = {state.get_float<regs::VAP_VPORT_ZSCALE>(), state.get_float<regs::VAP_VPORT_ZOFFSET>(), bool(c.VPORT_Z_SCALE_ENA()),
              bool(c.VPORT_Z_OFFSET_ENA()), z};
  invert_w_ = c.VTX_W0_FMT() == regs::VAP_VTE_CNTL::VTX_W0_FMT__INPUT_IS_W_HARDWARE_TAKES_RECIPROCAL;
}

bool Viewport::transform(ClipVertex& v) const {
  const float w = num::flush_denormal(v.position[3]), inv_w = invert_w_ ? num::rcp(w) : w;
  float* const out[3] = {&v.window.x, &v.window.y, &v.window.z};
  v.window.inv_w = inv_w;
  bool finite = num::is_finite(inv_w);
  for (uint32_t i = 0; i < 3; ++i) {
    const Axis& a = axis_[i];
    float x = num::flush_denormal(v.position[i]);
    if (!a.divided) x = num::mul(x, inv_w);
    if (a.scale_enabled) x = num::mul(x, a.scale);
    if (a.offset_enabled) x = num::add(x, a.offset);
    *out[i] = x;
    finite &= num::is_finite(x);
  }
  return finite;
}

}  // namespace pumice::hw::vap
