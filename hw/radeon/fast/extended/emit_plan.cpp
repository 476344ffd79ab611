// SPDX-License-Identifier: MIT
/// See emit_plan.h.
#include "hw/radeon/fast/extended/emit_plan.h"

#include <algorithm>
#include <cmath>

#include "hw/common/simd/choose.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/xv/primitive.h"

namespace pumice::hw::fast::extended {

namespace r = regs::r5x;

void make_emit_plan(const ChipState& state, uint32_t varyings, PrimitiveKind kind, EmitPlan& plan) {
  const auto control = state.get<r::X_VS_CTRL>();
  plan = {};
  plan.varyings = varyings;
  plan.clips = control.CLIP_DISTANCES(), plan.culls = control.CULL_DISTANCES();
  plan.layers = control.LAYER(), plan.viewports = control.VIEWPORT();
  plan.view = state.get<r::X_DRAW_VIEW>().NUMBER();
  for (uint32_t n = 0; n < (plan.viewports ? xv::kViewports : 1); ++n) {
    const xv::Viewport viewport = xv::viewport(state, n);
    const xv::ClipVolume volume = xv::clip_volume(state, kind, viewport);
    plan.clips_depth = volume.clips_depth, plan.negative_depth = volume.negative_depth;
    EmitPlan::Viewport& to = plan.viewport[n];
    std::copy_n(viewport.scale, 3, to.scale), std::copy_n(viewport.offset, 3, to.offset);
    to.guard[0] = volume.guard_x, to.guard[1] = volume.guard_y;
    // Less by more than a product is rounded by.
    for (int i = 0; i < 2; ++i) to.within[i] = std::max(1.0f, float(to.guard[i]) * (1 - 0x1p-20f));
    for (int i = 0; i < 2; ++i) to.beyond[i] = 1 + 4 / std::fabs(to.scale[i]);
  }
}

EmitRoutines emit_routines(Cpu cpu) {
  const auto emit = [cpu]() -> EmitRoutine { PUMICE_RETURN_FOR(cpu, emit_vertices); };
  const auto common = [cpu]() -> CommonRoutine { PUMICE_RETURN_FOR(cpu, common_flags); };
  return {emit(), common()};
}

}  // namespace pumice::hw::fast::extended
