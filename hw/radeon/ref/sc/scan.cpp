// SPDX-License-Identifier: MIT
/// Exact integer scan conversion (pipeline s.4): one sample at the pixel's centre, or several at the positions in GB_MSPOS.
///
/// No overflow: grid coordinates are below (2^15 * 16 + 2^15) * 16 + 2^20 < 2^24 (su::snap, times the refinement of lines and of extended
/// draws, plus a line's half width), so edge vectors are below 2^25, a and b below 2^25 * 256 = 2^33, c below 2 * 2^25 * 2^25 = 2^51, and
/// with pixels below 2^14 (kMaxExtent) a*x + b*y + c stays below 2^52. Sample positions are measured in 1/12 grid step, which adds 4 bits
/// to c before it is rounded.
#include "hw/radeon/ref/sc/sc.h"

#include "hw/extents.h"
#include "hw/radeon/ref/su/su.h"

#include <algorithm>

namespace pumice::hw::sc {

namespace {

int64_t floor_div(int64_t n, int64_t d) {  // d > 0
  const int64_t q = n / d;
  return q * d > n ? q - 1 : q;
}
int64_t ceil_div(int64_t n, int64_t d) { return -floor_div(-n, d); }

/// R3xx and R4xx rectangles are in a space to the right and below the frame buffer.
template <class TopLeft, class BottomRight>
Rectangle rectangle(const ChipState& s) {
  const int32_t bias = static_cast<int32_t>(s.chip().scissor_bias);
  const auto tl = s.get<TopLeft>();
  const auto br = s.get<BottomRight>();
  return {static_cast<int32_t>(tl.XS0()) - bias, static_cast<int32_t>(tl.YS0()) - bias, static_cast<int32_t>(br.XS1()) - bias,
          static_cast<int32_t>(br.YS1()) - bias};
}

}  // namespace

/// Codes 0..15: horizontal edges are top (bit 1) or bottom (bit 0), all others left (bit 3) or right (bit 2). The top-left rule is 5.
/// Codes 16..31: vertical edges are left (bit 1) or right (bit 0), all others top (bit 2) or bottom (bit 3). The documents disagree about
/// bits 2 and 3 here; Mesa's 0x2DA49525 gives downward lines 26 and upward lines 22, which makes every line keep its start and lose its
/// end only in this reading.
bool edge_is_out(uint32_t rule, int64_t dx, int64_t dy) {
  uint32_t bit;
  if (rule < 16)
    bit = dy == 0 ? (dx > 0 ? 1 : 0) : (dy < 0 ? 3 : 2);
  else
    bit = dx == 0 ? (dy < 0 ? 1 : 0) : (dx > 0 ? 2 : 3);
  return (rule >> bit) & 1;
}

Rectangle scissor(const ChipState& state) { return rectangle<regs::SC_SCISSOR0, regs::SC_SCISSOR1>(state); }

std::array<Rectangle, 4> clip_rectangles(const ChipState& state) {
  return {rectangle<regs::SC_CLIP_0_A, regs::SC_CLIP_0_B>(state), rectangle<regs::SC_CLIP_1_A, regs::SC_CLIP_1_B>(state),
          rectangle<regs::SC_CLIP_2_A, regs::SC_CLIP_2_B>(state), rectangle<regs::SC_CLIP_3_A, regs::SC_CLIP_3_B>(state)};
}

Bounds bounds(const ChipState& state) {
  static constexpr std::array<uint32_t, 4> kInside = {0xAAAA, 0xCCCC, 0xF0F0, 0xFF00};  // codes with bit n
  Bounds b{scissor(state), state.get<regs::SC_CLIP_RULE>().CLIP_RULE()};
  if (b.rule == 0xFFFF) return b;
  const auto clip = clip_rectangles(state);
  uint32_t possible = 0xFFFF;  // codes of pixels inside the bounds
  for (size_t n = 0; n < 4; ++n) {
    if (b.rule & ~kInside[n]) continue;
    possible &= kInside[n];
    b.box = {std::max(b.box.x0, clip[n].x0), std::max(b.box.y0, clip[n].y0), std::min(b.box.x1, clip[n].x1),
             std::min(b.box.y1, clip[n].y1)};
  }
  if ((possible & ~b.rule) == 0) b.rule = 0xFFFF;
  return b;
}

uint8_t screen_door(const ChipState& state, uint32_t s) {
  const uint32_t door = state.get<regs::SC_SCREENDOOR>().SCREENDOOR();
  uint32_t quad = 0;
  for (uint32_t i = 0; i < 4; ++i) quad |= ((door >> (6 * i + s)) & 1) << i;
  return static_cast<uint8_t>(quad);
}

/// A sample is inside when E = A + T/12 > 0 (or >= 0), A the integer a*x + b*y: the same as A + floor(T/12) >= 0 (or with T - 1 for >).
static int64_t constant_at(const Shape& shape, GridPoint p, int64_t dx, int64_t dy, bool out, Samples::Position at, int32_t steps) {
  const int64_t x = int64_t{at.x} * shape.unit - int64_t{steps} * p.x, y = int64_t{at.y} * shape.unit - int64_t{steps} * p.y;
  return floor_div(dx * y - dy * x - (out ? 1 : 0), steps);
}

bool prepare(const ChipState& state, const Shape& shape, Scan& scan) {
  std::array<uint8_t, Samples::kMost> doors{};
  scan.samples = samples(state);
  for (uint32_t s = 0; s < scan.samples.count; ++s) doors[s] = screen_door(state, s);
  Bounds b = bounds(state);
  const int32_t last = static_cast<int32_t>(state.chip().raster_extent) - 1;
  b.box.x1 = std::min(b.box.x1, last);
  b.box.y1 = std::min(b.box.y1, last);
  if (b.rule != 0xFFFF) scan.clip = clip_rectangles(state);
  return prepare(shape, b, doors, scan);
}

bool prepare(const Shape& shape, const Bounds& bounds, const std::array<uint8_t, Samples::kMost>& doors, Scan& scan) {
  const int64_t area = su::cross(shape.corner[0], shape.corner[1], shape.corner[2]);
  if (area == 0) return false;

  // Pixels of which a sample lies in the closed bounding box.
  const int32_t unit = shape.unit, half = unit / 2;
  const int32_t steps = scan.samples.steps;
  int32_t left = half, top = half, right = half, bottom = half;  // of all samples, in grid steps, rounded outwards
  if (scan.samples.count > 1) {
    left = top = 2 * unit, right = bottom = 0;
    for (uint32_t s = 0; s < scan.samples.count; ++s) {
      const int32_t x = scan.samples.at[s].x * unit, y = scan.samples.at[s].y * unit;
      left = std::min(left, x / steps), right = std::max(right, (x + steps - 1) / steps);
      top = std::min(top, y / steps), bottom = std::max(bottom, (y + steps - 1) / steps);
    }
  }
  int32_t x0 = shape.corner[0].x, x1 = x0, y0 = shape.corner[0].y, y1 = y0;
  for (uint32_t i = 1; i < shape.corners; ++i) {
    x0 = std::min(x0, shape.corner[i].x);
    x1 = std::max(x1, shape.corner[i].x);
    y0 = std::min(y0, shape.corner[i].y);
    y1 = std::max(y1, shape.corner[i].y);
  }
  const Rectangle& scissor = bounds.box;
  scan.box.x0 = std::max({static_cast<int32_t>(ceil_div(x0 - right, unit)), 0, scissor.x0});
  scan.box.y0 = std::max({static_cast<int32_t>(ceil_div(y0 - bottom, unit)), 0, scissor.y0});
  scan.box.x1 = std::min(static_cast<int32_t>(floor_div(x1 - left, unit)), scissor.x1);
  scan.box.y1 = std::min(static_cast<int32_t>(floor_div(y1 - top, unit)), scissor.y1);
  if (scan.box.x0 > scan.box.x1 || scan.box.y0 > scan.box.y1) return false;

  scan.door = doors[0];
  uint32_t any_door = 0;
  for (uint32_t s = 0; s < scan.samples.count; ++s) any_door |= scan.sample[s].door = doors[s];
  scan.clip_rule = bounds.rule;
  if (any_door == 0 || scan.clip_rule == 0) return false;

  scan.edges = shape.corners;
  for (uint32_t i = 0; i < shape.corners; ++i) {
    GridPoint p = shape.corner[i], q = shape.corner[(i + 1) % shape.corners];
    if (area < 0) std::swap(p, q);  // clockwise
    const int64_t dx = int64_t{q.x} - p.x, dy = int64_t{q.y} - p.y;
    // E = dx*(y - p.y) - dy*(x - p.x) at x = unit*pixel + half; E > 0 inside, E == 0 on the edge.
    scan.edge[i] = {-dy * unit, dx * unit, dx * (int64_t{half} - p.y) - dy * (int64_t{half} - p.x)};
    const bool out = edge_is_out(shape.edge_rule, dx, dy);
    if (out) scan.edge[i].c -= 1;
    scan.most[i] = 0;
    if (scan.samples.count == 1) continue;
    for (uint32_t s = 0; s < scan.samples.count; ++s) {
      const int64_t more = constant_at(shape, p, dx, dy, out, scan.samples.at[s], steps) - scan.edge[i].c;
      scan.sample[s].more[i] = more;
      scan.most[i] = s == 0 ? more : std::max(scan.most[i], more);
    }
  }
  return true;
}

template <class More>  // the value added to edge i's constant
static uint8_t coverage(const Scan& scan, int32_t x, int32_t y, uint32_t mask, More more) {
  if (x < scan.box.x0) mask &= 0b1010;
  if (x + 1 > scan.box.x1) mask &= 0b0101;
  if (y < scan.box.y0) mask &= 0b1100;
  if (y + 1 > scan.box.y1) mask &= 0b0011;
  for (uint32_t i = 0; i < scan.edges; ++i) {
    const Edge& e = scan.edge[i];
    const int64_t v = e.a * x + e.b * y + e.c + more(i);
    mask &= (v >= 0 ? 1u : 0) | (v + e.a >= 0 ? 2u : 0) | (v + e.b >= 0 ? 4u : 0) | (v + e.a + e.b >= 0 ? 8u : 0);
  }
  if (mask && scan.clip_rule != 0xFFFF) {
    for (int32_t i = 0; i < 4; ++i) {
      uint32_t code = 0;
      for (uint32_t n = 0; n < 4; ++n) code |= (scan.clip[n].contains(x + (i & 1), y + (i >> 1)) ? 1u : 0) << n;
      if (!((scan.clip_rule >> code) & 1)) mask &= ~(1u << i);
    }
  }
  return static_cast<uint8_t>(mask);
}

uint8_t coverage(const Scan& scan, int32_t x, int32_t y) {
  return coverage(scan, x, y, scan.door, [](uint32_t) { return 0; });
}

uint8_t coverage(const Scan& scan, int32_t x, int32_t y, uint32_t s) {
  const Scan::OfSample& sample = scan.sample[s];
  return coverage(scan, x, y, sample.door, [&](uint32_t i) { return sample.more[i]; });
}

bool row_span(const Scan& scan, int32_t y, int32_t& x0, int32_t& x1) {
  int64_t low = scan.box.x0, high = scan.box.x1;
  for (uint32_t i = 0; i < scan.edges; ++i) {
    const Edge& e = scan.edge[i];
    const int64_t c = e.b * y + e.c + scan.most[i] + std::max<int64_t>(e.b, 0);  // the better of the two rows
    if (e.a > 0)
      low = std::max(low, ceil_div(-c, e.a));
    else if (e.a < 0)
      high = std::min(high, floor_div(c, -e.a));
    else if (c < 0)
      return false;
  }
  if (low > high) return false;
  x0 = static_cast<int32_t>(low) & ~1;
  x1 = static_cast<int32_t>(high);
  return true;
}

}  // namespace pumice::hw::sc
