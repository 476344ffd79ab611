// SPDX-License-Identifier: MIT
/// What the front end keeps from draw to draw: stage, pool, table of vertices. One thread's; of several threads of a draw each has its own.
/// Private to vertex.cpp and front_draw.cpp.
#pragma once
#include <optional>
#include <vector>

#include "common/zero_pages.h"
#include "hw/radeon/fast/extended/emit_plan.h"
#include "hw/radeon/fast/extended/pieces.h"
#include "hw/radeon/fast/extended/vertex.h"
#include "hw/radeon/fast/extended/vertex_stage.h"
#include "hw/radeon/fast/extended/vertex_waiting.h"
#include "hw/radeon/ref/xv/primitive.h"
#include "hw/radeon/ref/xv/sequence.h"

namespace pumice::hw::fast::extended {

/// Begins with a cache line, as FastExecutor does.
class alignas(64) VertexFront::State {
 public:
  State(Cpu cpu, Routines& routines)
      : simd(emit_routines(cpu)), stage(cpu, routines), pool_written(kPool), tags(kTags), waiting(kMostPrimitives) {}

  const EmitRoutines simd;
  VertexStage stage;
  /// How the vertices of a state are emitted.
  struct Emit {
    uint64_t state = 0;  ///< PlanVersion::state
    PrimitiveKind kind{};
    EmitPlan plan;
    EmitPlan positions;  ///< flags alone
  };
  std::array<Emit, 8> known;  ///< of the last states
  uint32_t next_known = 0;
  Emit* emit = known.data();   ///< the current one
  std::vector<Batch> batches;  ///< that may still be used, the oldest first
  xv::Sequence sequence;
  ZeroPages<PoolVertex> pool_pages{kPool + 1};
  /// Not at the beginning of a page, where other large blocks begin, too.
  PoolVertex* const pool = pool_pages.data() + 1;
  std::unique_ptr<uint32_t[]> flags{new uint32_t[kPool]()};  ///< by vertex of the pool
  ZeroPages<Distances> distances{kPool};                     ///< likewise
  std::vector<uint64_t> pool_written;                        ///< by vertex of the pool: written() of the plan that filled it last
  /// From this sequence number on all were filled by plans with the same written().
  uint32_t alike_since = 0;
  uint64_t alike = 0;
  std::vector<Tag> tags;
  /// Sequence number of the next vertex that enters the pool; its slot is the low bits. Starts shortly before it wraps, so that tests
  /// cover wrapping.
  uint32_t next = 0u - 64 * kPool;
  std::vector<Waiting> waiting;
  std::vector<xv::Corner> corners;
  std::optional<uint32_t> needed_from;                         ///< sequence number of vertices that stay until TriangleSink::release()
  alignas(64) std::array<raster::Triangle, 4 * kLanes> plain;  ///< for the sink
  std::array<PrimitiveInfo, 4 * kLanes> info;
  Statistics statistics;
  // Of pieces:
  bool hidden = false;  ///< nothing was seen of the last segment
  /// Where the last pieces ended: vertices of `first` and later may be found by those that follow.
  struct End {
    uint32_t instance = ~0u, number = 0, first = 0;
    bool operator==(const Piece& p) const { return instance == p.instance && number == p.number; }
  } end;
};

}  // namespace pumice::hw::fast::extended
