// SPDX-License-Identifier: MIT
/// The fast path for filled triangles, i.e. nearly all: from window vertices to Records without GA's Shape and without register reads
/// per triangle. The same results as ga::primitive, su and sc (setup.h), which handle the unusual cases.
#pragma once
#include <cstdint>
#include <span>

#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/raster/inputs.h"
#include "hw/radeon/fast/raster/record.h"
#include "hw/radeon/fast/raster/rs_layout.h"
#include "hw/radeon/fast/raster/triangles_simd.h"
#include "hw/radeon/ref/sc/sc.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw::fast::raster {

/// Components that a record carries: of strict draws interpolants, of extended ones all varyings and the point coordinates.
inline constexpr uint32_t kMostRuns = 130;

/// Setup state decoded from registers.
struct TrianglePlan {
  bool usable = false;  ///< false: triangles must go through ga::primitive
  SetupPlan lot;
  bool clockwise_is_back = false;
  bool edge_out[3][3] = {};  ///< SC_EDGERULE: samples on an edge (sign of dx + 1, sign of dy + 1) are outside
  su::Bias bias[2];          ///< polygon offset, by back_facing
  double refinement = 1;     ///< su::Grid
  uint32_t interpolants = 0, stride = 0;
  /// Interpolants that are adjacent in a WindowVertex: `count` of them from interpolant `first` on, at the triangle's points or at the
  /// provoking one.
  struct Run {
    uint8_t first, dword, count;
    bool flat;
    bool four;  ///< four may be read and written: the excess is zero until the next copy
  } run[kMostRuns];
  uint32_t runs = 0;
  uint32_t cleared = 8;  ///< of each point's values so many at the end are cleared first: 8, or 16 where runs end before the last 8
  // Extended draws:
  uint32_t more = 0;           ///< Record::more
  uint8_t flat_at[kMostRuns];  ///< Extended::flat: dwords of the provoking x::Window
  uint32_t flats = 0;
};
TrianglePlan plan_triangles(const ChipState& state, const Routing& routing);
/// Of extended draws; vertices are x::Window. `samples`: their positions; the box of SetupPlan is that of no viewport yet: set_box().
TrianglePlan plan_triangles(const ChipState& state, const PixelInputs& inputs, const sc::Samples& samples);
/// Pixels that may be covered, inclusive.
inline void set_box(SetupPlan& plan, const sc::Rectangle& box) {
  plan.x0 = box.x0 > 0 ? box.x0 : 0, plan.y0 = box.y0 > 0 ? box.y0 : 0;
  plan.x1 = box.x1, plan.y1 = box.y1;
}

/// Accepts triangles in order, instead of ga::primitive.
class TriangleSink {
 public:
  /// Vertices are finite and valid during the call only.
  virtual void triangles(DrawContext& ctx, std::span<const Triangle> triangles) = 0;

 protected:
  ~TriangleSink() = default;
};

/// Everything but Record::draw of triangle `i` of the lot, which is not culled. `planes`: planes will be needed; else a small record gets
/// its first line only (single-sampled). `flat`: Record::flat will be read; else it is false. Returns false if the scissor leaves
/// nothing. Called without FTZ and DAZ.
bool set_up(const TrianglePlan& plan, const Triangle& triangle, const Lot& lot, uint32_t i, bool planes, bool flat, Record& record);

}  // namespace pumice::hw::fast::raster
