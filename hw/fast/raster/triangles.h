// SPDX-License-Identifier: MIT
/// The short way for filled triangles, which is nearly all: from window vertices to Records without GA's Shape and without asking a
/// register a triangle. The same results as ga::primitive, su and sc (setup.h), which do what is unusual.
#pragma once
#include <cstdint>
#include <span>

#include "hw/draw/draw.h"
#include "hw/fast/raster/record.h"
#include "hw/fast/raster/rs_layout.h"
#include "hw/fast/raster/triangles_simd.h"
#include "hw/sc/samples.h"

namespace pumice::hw::fast::raster {

/// What setup reads from registers.
struct TrianglePlan {
  bool usable = false;  ///< false: ga::primitive must see the triangles
  SetupPlan lot;
  bool clockwise_is_back = false;
  bool edge_out[3][3] = {};  ///< SC_EDGERULE: samples on an edge (sign of dx + 1, sign of dy + 1) are outside
  struct Bias {
    bool on = false;
    double factor = 0, constant = 0;
  } bias[2];  ///< polygon offset, by back_facing
  uint32_t interpolants = 0, stride = 0;
  uint32_t samples = 1;  ///< of a pixel
  sc::Samples::Position at[sc::Samples::kMost];
  /// By interpolant: dword of WindowVertex, at the triangle's points or at the provoking one.
  struct Source {
    uint8_t dword;
    bool flat;
  } source[kMaxInterpolants];
};
TrianglePlan plan_triangles(const ChipState& state, const Routing& routing);

/// Takes triangles in order, in place of ga::primitive.
class TriangleSink {
 public:
  /// Vertices are finite and valid during the call only.
  virtual void triangles(DrawContext& ctx, std::span<const Triangle> triangles) = 0;

 protected:
  ~TriangleSink() = default;
};

/// Everything but Record::draw of triangle `i` of the lot, which is alive. `planes`: somebody will ask for planes; else a small record gets
/// its first line only. False when the scissor leaves nothing. Called without FTZ and DAZ.
bool set_up(const TrianglePlan& plan, const Triangle& triangle, const Lot& lot, uint32_t i, bool planes, Record& record);

}  // namespace pumice::hw::fast::raster
