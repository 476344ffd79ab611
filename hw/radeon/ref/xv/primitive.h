// SPDX-License-Identifier: MIT
/// From the corners of a primitive to GA: cull distances, clipping, divide, viewport (README.md). Of hw/radeon/ref/xv and
/// hw/radeon/fast/extended.
#pragma once
#include <vector>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/xv/clip.h"

namespace pumice::hw::xv {

inline constexpr uint32_t kViewports = regs::r5x::X_VIEWPORT_XSCALE::count;

/// The viewport that a vertex names.
inline uint32_t viewport_of(regs::r5x::X_VS_CTRL control, uint32_t written) {
  return control.VIEWPORT() && written < kViewports ? written : 0u;
}
/// X_VIEWPORT_*.
struct Viewport {
  float scale[3], offset[3];
};
Viewport viewport(const ChipState& state, uint32_t number);
/// What primitives in a viewport are clipped against.
ClipVolume clip_volume(const ChipState& state, PrimitiveKind kind, const Viewport& viewport);

/// Primitives with a corner that is not finite are dropped.
bool finite(const Shaded& v);

class PrimitiveStage {
 public:
  explicit PrimitiveStage(DrawContext& ctx);
  /// Corners of finite() vertices, as many as the kind has; they are changed. `provoking`: the attributes that flat shading reads.
  /// `number`: of the primitive in its instance.
  void run(PrimitiveKind kind, std::vector<Corner>& corners, const x::Vertex& provoking, uint32_t number);

 private:
  DrawContext& ctx_;
  const regs::r5x::X_VS_CTRL vs_;
  const bool discard_;  ///< X_RS_CTRL.DISCARD
  PipelineCounts* const counts_;
  std::vector<x::Window> placed_;
};

}  // namespace pumice::hw::xv
