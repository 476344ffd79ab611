// SPDX-License-Identifier: MIT
/// From shaded vertices to GA: clipping, divide and viewport of one primitive (pipeline s.2.3, s.2.4).
#pragma once
#include "hw/radeon/ref/vap/assemble.h"
#include "hw/radeon/ref/vap/clip.h"
#include "hw/radeon/ref/vap/texture_colors.h"
#include "hw/radeon/ref/vap/viewport.h"

namespace pumice::hw::vap {

class PrimitiveStage {
 public:
  static constexpr uint32_t kNoSlot = 3;  ///< the provoking vertex is not one of the primitive's own

  explicit PrimitiveStage(DrawContext& ctx) : ctx_(ctx), clipper_(ctx.state), viewport_(ctx.state), texture_colors_(ctx.state) {}

  /// v: the corners of a (destroyed); provoking: attributes only, for slot kNoSlot.
  void run(const Assembled& a, std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot);
  const Clipper& clipper() const { return clipper_; }
  const Viewport& viewport() const { return viewport_; }

 private:
  void assemble(const Assembled& a, std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot);
  void point(ClipVertex& v);
  void line(std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot);
  void triangle(const ClipVertex& a, const ClipVertex& b, const ClipVertex& c, const WindowVertex& provoking, uint32_t provoking_slot,
                uint8_t edges);
  void rectangle(std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot);

  DrawContext& ctx_;
  Clipper clipper_;
  Viewport viewport_;
  TextureColors texture_colors_;
};

}  // namespace pumice::hw::vap
