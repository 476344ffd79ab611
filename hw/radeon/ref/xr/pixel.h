// SPDX-License-Identifier: MIT
/// Tests, program and output of one quad of an extended draw. Private to hw/radeon/ref/xr.
#pragma once
#include "hw/extents.h"
#include "hw/radeon/decode/xb/target.h"
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/ref/xr/fragment.h"

namespace pumice::hw::xr {

/// State of a draw that quads look at.
struct Output {
  explicit Output(const ChipState& state);
  std::array<xb::Target, xb::kTargets> target;
  xz::DepthTarget depth;
  regs::r5x::X_FS_CTRL fs;
  regs::r5x::X_RS_CTRL rs;
  bool counts = false;  ///< the counters of the pipeline advance
  /// What all enabled targets have: nothing is drawn beyond.
  uint32_t width = kMaxExtent, height = kMaxExtent, layers = ~0u;
};

void quad(DrawContext& ctx, const Output& output, const sc::Samples& samples, const Varyings& varyings, QuadState& q);

}  // namespace pumice::hw::xr
