// SPDX-License-Identifier: MIT
/// The front end of extended draws, in place of xv::run: the same primitives in the same order, to the bit, from 16 vertices at a time
/// (README.md).
#pragma once
#include <memory>

#include "hw/radeon/fast/extended/plan_version.h"
#include "hw/radeon/fast/extended/routine.h"
#include "hw/radeon/fast/raster/triangles_simd.h"

namespace pumice::hw::fast::extended {

/// Properties of a primitive besides its vertices.
struct PrimitiveInfo {
  uint32_t number = 0;  ///< in its instance
  uint32_t layer = 0, viewport = 0;
  uint32_t draw = 0;  ///< its place among those of run_more()
};

/// Receives triangles in order, in place of ga::primitive.
class TriangleSink {
 public:
  /// Vertices are the floats of an x::Window: finite x, y, z, 1/w, then point size and varyings. Of `provoking` only the varyings count.
  /// All three edges are drawn by polygon mode. info[i] is of triangles[i].
  /// True: the vertices must stay until release(); else everything is valid during the call only.
  virtual bool triangles(DrawContext& ctx, std::span<const raster::Triangle> triangles, const PrimitiveInfo* info) = 0;
  /// Vertices of earlier calls, those of earlier draws too, are about to be overwritten. Called without FTZ and DAZ.
  virtual void release() = 0;
  /// The primitives that follow, those of ga::primitive too, are of this draw of run_more().
  virtual void choose_draw(uint32_t draw) = 0;

 protected:
  ~TriangleSink() = default;
};

/// Belongs to one chip; keeps scratch memory from draw to draw. Its vertex cache is empty at the start of each draw.
class VertexFront {
 public:
  VertexFront(Cpu cpu, Routines& routines);
  ~VertexFront();
  VertexFront(const VertexFront&) = delete;
  VertexFront& operator=(const VertexFront&) = delete;
  /// Whether triangles of such a draw may go to the sink. If not, and where run() has no sink, nothing may wait for release().
  static bool makes_triangles(regs::VAP_VF_CNTL vf_cntl);

  /// Primitives go to ga::primitive; triangles that are not clipped to `sink` if there is one. Draws that it does not support (programs
  /// that write memory or exchange values between lanes, rare primitive types) go to xv::run. begin_draw() has been called. `version`:
  /// equal versions mean that nothing changed since an earlier call (plan_version.h), including `varyings`. `varyings`: mask of those that
  /// are read; the others of a vertex are undefined.
  void run(DrawContext& ctx, const DrawInput& input, const PlanVersion& version, TriangleSink* sink = nullptr, uint32_t varyings = ~0u);

  /// Several draws of `version`, of which run() was called last, with one instance each. False, and nothing is done: they cannot be drawn
  /// together.
  bool run_more(DrawContext& ctx, std::span<const NextDraw> draws, const PlanVersion& version, TriangleSink& sink, uint32_t varyings);

  struct Statistics {
    uint64_t draws = 0;                 ///< drawn without the reference
    uint64_t batches = 0;               ///< of 16
    uint64_t positions = 0;             ///< batches of which only the positions were shaded at first
    uint64_t vertices = 0;              ///< shaded
    uint64_t primitives = 0, slow = 0;  ///< primitives that arrived, and those that went through the reference's clipper
  };
  const Statistics& statistics() const;

  class State;

 private:
  void draw_all(DrawContext& ctx, std::span<const NextDraw> draws, TriangleSink* sink);
  /// Makes the state's entry the current one.
  void choose_emit(const DrawContext& ctx, PrimitiveKind kind, const PlanVersion& version, uint32_t varyings);

  std::unique_ptr<State> state_;
};

}  // namespace pumice::hw::fast::extended
