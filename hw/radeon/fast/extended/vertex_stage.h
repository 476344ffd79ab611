// SPDX-License-Identifier: MIT
/// The vertex program of one draw on 16 vertices at a time: attributes fetched (vertex_fetch.h), the routine (vertex_code.h), rows of
/// outputs.
#pragma once
#include <memory>
#include <vector>

#include "hw/radeon/fast/extended/caller.h"
#include "hw/radeon/fast/extended/chosen.h"
#include "hw/radeon/fast/extended/plan_version.h"
#include "hw/radeon/fast/extended/stage.h"
#include "hw/radeon/fast/extended/vertex_args.h"
#include "hw/radeon/fast/extended/vertex_code.h"
#include "hw/radeon/fast/extended/vertex_fetch.h"
#include "hw/radeon/jit/x/block_cache.h"

namespace pumice::hw::fast::extended {

/// Properties of a vertex program, from its code.
struct VertexProgram {
  static constexpr hw::x::Derived kDerived = hw::x::Derived::vertices;
  VertexProgram() = default;
  explicit VertexProgram(const hw::x::Program& program);
  uint32_t attributes = 0, varyings = 0;  ///< that it reads, and writes: masks
  /// Lanes neither exchange values nor write memory: any vertices may share a group, and each may be shaded any number of times.
  bool independent = true;
};

class VertexStage {
 public:
  VertexStage(Cpu cpu, Routines& routines);
  /// False: the reference must execute the draw. `varyings`: mask of those that are read; rows of others are undefined.
  /// `version`: of the draw; unchanged parts of earlier draws are reused.
  bool begin(DrawContext& ctx, uint32_t varyings, const PlanVersion& version);
  const VertexProgram& program() const { return now().program; }
  /// Vertices 0..n-1 (1 <= n <= 16): SYS 16 and number of the instance of each; the arrays have 16. Sets counters.hung when the program
  /// exceeds its budget. To be called with FTZ and DAZ set.
  void shade(DrawContext& ctx, uint32_t* index, uint32_t* instance, uint32_t n);
  /// Whether there is shade_positions() for this draw: the program has neither loops nor memory of its own nor textures, and computes
  /// varyings that are read.
  bool has_positions(DrawContext& ctx);
  /// Whether has_positions() has been true for this draw.
  bool knows_positions() const { return now().positions.stage.has_value(); }
  /// As shade(), but rows of varyings are undefined, and attributes that only they need are not fetched.
  void shade_positions(DrawContext& ctx, uint32_t* index, uint32_t* instance, uint32_t n);
  const OutputRows& rows() const { return args_->out; }
  /// For draws that differ in bindings, after begin() of the first: vertices of several may be shaded together, each with the constants of
  /// its own draw, if that has been worth it often enough and the program is one that can (GroupForm::constants_at). Until the next
  /// begin().
  void begin_lanes(DrawContext& ctx);
  bool has_lanes() const { return lanes_; }
  bool is_bound(const PlanVersion& version) const { return version.vertex == now().version.vertex; }
  /// begin() of the next of these draws, for the vertices from the `first` of the next shade() on: with has_lanes(), else 0. False: it
  /// cannot be drawn together with those before, nor vertices of its own.
  bool bind_next(DrawContext& ctx, const PlanVersion& version, uint32_t first);
  /// Whether stages of several threads may shade vertices of this draw at once: the program has code of its own for all slots, and a
  /// budget for each group.
  bool can_share(const ChipState& state) const;
  /// Whether results depend on X_DRAW_BASE_VERTEX by more than the indices, or on X_DRAW_NUMBER.
  bool depends_on_draw() const;
  /// Whether vertices are the same as those with larger numbers where the vertex buffers in `mask` begin earlier.
  bool moves(uint32_t mask) const;

 private:
  /// Where an attribute lies.
  struct Source {
    uint32_t number = 0, rate = 0, buffer = 0, offset = 0, bytes = 0, row = 0;
    const std::byte* base = nullptr;  ///< of the buffer
    uint64_t stride = 0;
    uint64_t count = 0;     ///< elements 0..count-1 lie in the buffer
    uint64_t readable = 0;  ///< bytes of the buffer, and behind it as far as pages are backed
    uint32_t run = 0;
  };
  struct Fetches {
    std::vector<Source> sources;  ///< by buffer, rate and offset
    std::vector<FetchRun> runs;
  };
  /// What shade_positions() needs, made by the first draw that looks for it.
  struct Positions {
    bool known = false;
    std::optional<PreparedStage> stage;
    Fetches fetches;
  };

  /// The routine for vertices of several draws.
  struct ByLane {
    uint32_t draws = 0;  ///< that would have used it
    bool known = false;
    std::shared_ptr<const Routine> routine;
  };

  /// The stage with a state, as the last draw of it left it.
  struct Prepared {
    PlanVersion version;  ///< that the following are of
    VertexProgram program;
    uint32_t exported = 0;  ///< mask of the varyings that the routine writes
    uint32_t view = 0;
    std::optional<VertexCode> code;
    std::optional<PreparedStage> stage;
    Fetches fetches;
    Positions positions;
    ByLane by_lane;
  };

  Prepared& now() { return *prepared_.front(); }
  const Prepared& now() const { return *prepared_.front(); }
  void choose(uint64_t state);
  bool prepare_state(DrawContext& ctx, uint32_t varyings);
  bool bind(DrawContext& ctx, bool prepared);
  void set_args();
  bool find_sources(const DrawContext& ctx);
  std::optional<PreparedStage> prepare_positions(DrawContext& ctx);
  static void make_runs(Fetches& f);
  void fill_unwritten();
  std::shared_ptr<const Routine> prepare_lanes(DrawContext& ctx);
  void fill_constants(uint32_t first);
  void fetch(const Fetches& f, const uint32_t* index, const uint32_t* instance);
  void fetch_carefully(const Fetches& f, uint32_t run, const uint32_t* element);
  void shade(DrawContext& ctx, const Fetches& f, const Routine& routine, uint32_t* index, uint32_t* instance, uint32_t n);

  static constexpr size_t kMostPrepared = 8;
  const FetchRoutine fetch_;
  const FillRoutine fill_;
  Routines& routines_;
  std::vector<std::unique_ptr<Prepared>> prepared_;  ///< the current one first, then those used before; never empty
  std::optional<hw::us::GroupThread<hw::x::kGroupLanes>> thread_;
  Caller caller_;
  ChosenDescriptors chosen_;
  Scratch scratch_;
  BlockCache blocks_;
  std::unique_ptr<VertexArgs> args_{new VertexArgs};
  const Prepared* args_of_ = nullptr;      ///< what args_ names is this one's
  std::shared_ptr<const Routine> filled_;  ///< the routine whose unexported rows hold their defaults
  bool lanes_ = false;                     ///< begin_lanes() was possible
  bool mixed_ = false;                     ///< rows of constants have those of several draws
};

}  // namespace pumice::hw::fast::extended
