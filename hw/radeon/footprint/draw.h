// SPDX-License-Identifier: MIT
/// The memory that a draw reads and writes, derived from its registers and packet data: the only such description. Executors use byte
/// ranges (hazards), the recorder and the player use rows; README.md lists the guarantees of each view.
#pragma once
#include <array>
#include <vector>

#include "hw/radeon/decode/rb3d/target.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/footprint/rows.h"
#include "hw/radeon/ref/vap/fetch.h"

namespace pumice::hw::footprint {

enum class What : uint8_t { vertices, texture, depth, color, resolve_source, resolved, anything, stored };

/// Pixels x0 <= x < x1, y0 <= y < y1.
struct Box {
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
};
/// The screen pixels that a draw may touch: scissor and clip rectangles, inside the chip's screen.
Box pixels(const ChipState& state);

/// A rectangle of a depth or colour buffer.
struct Surface {
  What what = What::color;
  bool writes = false;          ///< else it is read only; written memory may also be read
  surface::PixelAccess pixels;  ///< of all samples: sample s of row y is row y * samples + s
  uint32_t samples = 1;
  int32_t x_offset = 0, y_offset = 0;  ///< from screen to surface
  Box box;                             ///< positions in the surface, extended to the units that are accessed as a whole

  /// Whether positions lie left of or above the surface, which have no address: pixels there are dropped.
  bool leaves() const { return box.x0 < 0 || box.y0 < 0; }
  /// Exactly the rows of a linear surface, rounded to dwords since swaps move bytes inside them; of a tiled one whole rows of tiles.
  Rows rows() const;
  /// The smallest range that contains all of it, likewise rounded.
  ByteRange bytes() const;
  /// Whether equal screen positions have equal addresses: two draws that write the same address do so in the same screen tile.
  bool same_pixels(const Surface& o) const;
};

/// Dwords begin <= at < end of an on-chip mask RAM.
struct RamUse {
  uint32_t begin = 0, end = 0;
  uint32_t first = 0, row = 0, shift = 0;
  int32_t x_offset = 0, y_offset = 0;
  bool empty() const { return begin >= end; }
  bool overlaps(const RamUse& o) const { return begin < o.end && o.begin < end; }
  /// Whether equal screen positions have equal bits.
  bool same_tiles(const RamUse& o) const {
    return first == o.first && row == o.row && shift == o.shift && x_offset == o.x_offset && y_offset == o.y_offset;
  }
};

/// Depth, then colour targets or the two surfaces of a resolve.
struct Surfaces {
  std::array<Surface, 1 + rb3d::kTargets> surface;
  uint32_t count = 0;
  RamUse zmask;
  std::array<RamUse, rb3d::kTargets> cmask;
  uint32_t cmasks = 0;
};
Surfaces surfaces(const ChipState& state);

/// The texels of all levels of a unit, in whole dwords.
ByteRange texture(const ChipState& state, uint32_t unit);

/// Vertex numbers low..high, both included; array 0 has its own with DUAL_INDEX_MODE.
struct VertexNumbers {
  uint32_t low = 0, high = 0, low0 = 0, high0 = 0;
};
/// False when the vertices are embedded in the draw.
bool fetches(regs::VAP_VF_CNTL vf);
/// The bounds given by registers; indices are not read.
VertexNumbers bounds(const ChipState& state, regs::VAP_VF_CNTL vf);
/// The vertices of array `i` of a layout's.
ByteRange vertices(const vap::VertexArray& array, uint32_t i, const VertexNumbers& numbers);

/// A resource that a draw reads or writes.
struct Use {
  What what;
  bool writes;
  Rows rows;
};
/// Everything a draw accesses: the vertices that its indices reference, the textures of all enabled units, surfaces. Conservative: may
/// include too much. `out` is cleared first.
void draw(const DrawContext& ctx, const DrawInput& input, std::vector<Use>& out);
/// The same of an extended draw (draw() calls it) and of a dispatch: everything may be read, targets and what stores name is written.
void extended_draw(const DrawContext& ctx, std::vector<Use>& out);
void dispatch(const DrawContext& ctx, std::vector<Use>& out);

}  // namespace pumice::hw::footprint
