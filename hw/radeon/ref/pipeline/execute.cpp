// SPDX-License-Identifier: MIT
/// One draw from beginning to end with the reference blocks.
#include "hw/radeon/ref/xv/draw.h"

namespace pumice::hw {

/// State the raster blocks do not model, reported once per draw; the draw continues as if the feature were off.
static void report_unmodelled(const DrawContext& ctx) {
  const ChipState& s = ctx.state;
  const auto w = s.get<regs::US_W_FMT>();
  if (s.get<regs::FG_DEPTH_SRC>().DEPTH_SRC() == regs::FG_DEPTH_SRC::DEPTH_SRC__FOUR_VALUES_FROM_SHADER &&
      w.W_FMT() > regs::US_W_FMT::W_FMT__N24_BIT_FLOAT)
    ctx.report(ReportKind::bad_register, "US_W_FMT.W_FMT: reserved code, taken as fixed point");
  const auto bw = s.get<regs::ZB_BW_CNTL>();
  if (bw.FAST_FILL() && bw.WR_COMP_ENABLE() && !bw.RD_COMP_ENABLE())
    ctx.report(ReportKind::bad_register, "ZB_BW_CNTL: FAST_FILL and WR_COMP_ENABLE without RD_COMP_ENABLE");
  if (s.get<regs::GA_POLY_MODE>().POLY_MODE() > regs::GA_POLY_MODE::POLY_MODE__DUAL)
    ctx.report(ReportKind::bad_register, "GA_POLY_MODE.POLY_MODE: reserved code");
}

bool begin_draw(DrawContext& ctx) {
  if (ctx.counters.hung) return false;
  if (ctx.state.chip().has_vap_no_render && ctx.state.get<regs::VAP_CNTL>().VAP_NO_RENDER()) return false;
  report_unmodelled(ctx);
  using Stipple = regs::GA_LINE_STIPPLE_CONFIG;
  if (ctx.state.get<Stipple>().LINE_RESET() == Stipple::LINE_RESET__EACH_PACKET) ctx.counters.stipple = 0;
  return true;
}

void execute_draw(DrawContext& ctx, const DrawInput& input) {
  if (!begin_draw(ctx)) return;
  if (x::shaders(ctx.state))
    xv::run(ctx, input);
  else
    vap::run(ctx, input);
}

}  // namespace pumice::hw
