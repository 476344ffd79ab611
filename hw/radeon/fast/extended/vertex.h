// SPDX-License-Identifier: MIT
/// The front end of extended draws, in place of xv::run: the same primitives in the same order, to the bit, from 16 vertices at a time
/// (README.md).
#pragma once
#include <functional>
#include <memory>
#include <vector>

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
  /// Whether triangles may wait that need them.
  virtual bool holds() const { return true; }
  /// The primitives that follow, those of ga::primitive too, are of this draw of run_more().
  virtual void choose_draw(uint32_t draw) = 0;

 protected:
  ~TriangleSink() = default;
};

/// Receives a part of a draw's primitives.
class PartSink : public ShapeSink, public TriangleSink {
 protected:
  ~PartSink() = default;
};

/// Draws of run_more() with bindings of their own.
class DrawBinder {
 public:
  /// Whether the primitives of the draws so far have to be passed on before the next draw.
  virtual bool is_full() const = 0;
  /// Registers become those of this draw, whose version is returned. Null: it cannot be drawn together with those before.
  virtual const PlanVersion* next(DrawContext& ctx, uint32_t draw) = 0;

 protected:
  ~DrawBinder() = default;
};

/// Several threads that make the primitives of a large draw.
class PartThreads {
 public:
  /// How many parts may be under way at once.
  virtual uint32_t threads() const = 0;
  /// Of a part: how many primitives are worth a thread.
  virtual uint32_t smallest() const = 0;
  /// How many primitives a run() should have in all.
  virtual uint32_t wanted() const = 0;
  /// Of reports from any thread, about draw `number`.
  virtual const Listener& listener(uint64_t number) = 0;
  /// Calls make(part, sink) for each part < `parts`, on any thread and in any order; then what the sinks received is passed on in the
  /// order of the parts. They have `primitives` in all.
  virtual void run(DrawContext& ctx, uint32_t parts, uint32_t primitives,
                   const std::function<void(uint32_t part, PartSink& sink)>& make) = 0;

 protected:
  ~PartThreads() = default;
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
  /// `parts`: large draws with a sink may be made by them instead, with the same result.
  void run(DrawContext& ctx, const DrawInput& input, const PlanVersion& version, TriangleSink* sink = nullptr, uint32_t varyings = ~0u,
           PartThreads* parts = nullptr);

  /// Several draws of the state of `version`, of which run() was called last, with one instance each; `version` is that of the first.
  /// `binder`: of draws behind the first with bindings of their own; null where there are none. Returns how many are drawn, from the first
  /// on; without a binder all or none. 0, and nothing is done: they cannot be drawn together.
  size_t run_more(DrawContext& ctx, std::span<const NextDraw> draws, const PlanVersion& version, TriangleSink& sink, uint32_t varyings,
                  DrawBinder* binder);

  struct Statistics {
    uint64_t draws = 0;                 ///< drawn without the reference
    uint64_t batches = 0;               ///< of 16
    uint64_t positions = 0;             ///< batches of which only the positions were shaded at first
    uint64_t vertices = 0;              ///< shaded
    uint64_t primitives = 0, slow = 0;  ///< primitives that arrived, and those that went through the reference's clipper
    Statistics& operator+=(const Statistics& o) {
      draws += o.draws, batches += o.batches, positions += o.positions, vertices += o.vertices, primitives += o.primitives, slow += o.slow;
      return *this;
    }
  };
  const Statistics& statistics() const;

  class State;

 private:
  struct Thread;

  bool draw_in_parts(DrawContext& ctx, const DrawInput& input, const PlanVersion& version, uint32_t varyings, PartThreads& parts);
  void end_wave(DrawContext& ctx, uint32_t threads);
  void prepare_threads(DrawContext& ctx, uint32_t count, const PlanVersion& version, uint32_t varyings);
  /// Makes the state's entry the current one.
  static void choose_emit(State& s, const DrawContext& ctx, PrimitiveKind kind, const PlanVersion& version, uint32_t varyings);

  const Cpu cpu_;
  Routines& routines_;
  std::unique_ptr<State> state_;
  std::vector<std::unique_ptr<Thread>> threads_;  ///< that make parts; [0] has state_
};

}  // namespace pumice::hw::fast::extended
