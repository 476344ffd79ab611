// SPDX-License-Identifier: MIT
/// The memory a draw may read and write (hw/radeon/footprint), and its colour targets as images.
#pragma once
#include <optional>
#include <vector>

#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/footprint/draw.h"

namespace pumice::hw::trace {

struct Touched {
  std::vector<footprint::Use> uses;
  template <class F>
  void each_read(F f) const {
    for (const footprint::Use& u : uses)
      if (!u.writes) f(u.rows);
  }
  template <class F>
  void each_write(F f) const {  ///< what is written may be read, too
    for (const footprint::Use& u : uses)
      if (u.writes) f(u.rows);
  }
};
void touched_by(const DrawContext& ctx, const DrawInput& input, Touched& out);

/// A colour target of a draw, or its resolve destination, and the pixels the draw may change.
struct TargetView {
  rb3d::Target target;
  uint32_t samples = 1;
  uint32_t index = 0;
  uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  std::optional<xt::Image> image;  ///< of an extended draw; of `target` only the address means something then
};
/// Those whose format is valid.
std::vector<TargetView> color_targets(const ChipState& state);

}  // namespace pumice::hw::trace
