// SPDX-License-Identifier: MIT
/// Scan conversion: which pixels a shape covers (pipeline s.4). Internal to SU and SC.
#pragma once
#include "hw/radeon/decode/sc/samples.h"
#include "hw/radeon/draw/shape.h"

namespace pumice::hw::sc {

/// A pixel (x, y) is inside when a*x + b*y + c >= 0; the edge rule is folded into c.
struct Edge {
  int64_t a, b, c;
};

struct Rectangle {
  int32_t x0, y0, x1, y1;  ///< inclusive
  bool contains(int32_t x, int32_t y) const { return x >= x0 && x <= x1 && y >= y0 && y <= y1; }
};

/// All parameters of the scan over the pixels.
struct Scan {
  Rectangle box;  ///< pixels that may be covered: bounding box, chip limits and scissor
  uint32_t edges;
  std::array<Edge, 4> edge;
  uint32_t clip_rule;  ///< SC_CLIP_RULE
  std::array<Rectangle, 4> clip;
  uint8_t door;  ///< SC_SCREENDOOR for the four pixels of a quad, of sample 0
  Samples samples;
  /// When multisampled: the offset added to edge[i].c per sample, the sample's screen door, and the greatest offset.
  struct OfSample {
    std::array<int64_t, 4> more;
    uint8_t door;
  };
  std::array<OfSample, Samples::kMost> sample;
  std::array<int64_t, 4> most;
};

/// SC_SCISSOR.
Rectangle scissor(const ChipState& state);
/// SC_CLIP_0..3.
std::array<Rectangle, 4> clip_rectangles(const ChipState& state);
/// The scissor together with the clip rectangles that every pixel SC_CLIP_RULE passes lies in, and what is left of the rule inside: 0xFFFF
/// when nothing is.
struct Bounds {
  Rectangle box;
  uint32_t rule;
};
Bounds bounds(const ChipState& state);
/// Whether a sample on the edge (dx, dy) is outside, by a field of SC_EDGERULE. The shape is walked clockwise on the screen, so its left
/// edges go up, right edges down, a horizontal top edge right, a vertical left edge up. Only the signs of dx and dy count.
bool edge_is_out(uint32_t rule, int64_t dx, int64_t dy);
/// SC_SCREENDOOR for the four pixels of a quad: 4 pixels x 6 samples, pixel i's sample s is bit 6*i + s (Mesa replicates a 6-bit sample
/// mask by pixel).
uint8_t screen_door(const ChipState& state, uint32_t s);
/// False when nothing can be covered.
bool prepare(const ChipState& state, const Shape& shape, Scan& scan);
/// The same with given bounds (below kMaxExtent, hw/extents.h), and screen doors by sample; the samples, and with a clip rule the clip
/// rectangles, are in `scan` already.
bool prepare(const Shape& shape, const Bounds& bounds, const std::array<uint8_t, Samples::kMost>& doors, Scan& scan);
/// The covered pixels of the quad at (x, y), both even, when single-sampled.
uint8_t coverage(const Scan& scan, int32_t x, int32_t y);
/// The pixels whose sample `s` is covered, when multisampled.
uint8_t coverage(const Scan& scan, int32_t x, int32_t y, uint32_t s);
/// From the pixel's centre to a sample position, in grid steps (one rounding when these are 1/16 pixel and positions 1/12).
inline double offset_of(int32_t position, int32_t unit, int32_t steps = Samples::kSteps) {
  return static_cast<double>((position - steps / 2) * unit) / steps;
}
/// The pixels of rows y and y+1 that all edges may admit: each edge cuts the row at one place. Conservative, coverage() decides. False:
/// none.
bool row_span(const Scan& scan, int32_t y, int32_t& x0, int32_t& x1);

}  // namespace pumice::hw::sc
