// SPDX-License-Identifier: MIT
/// The vertex program of one draw on 16 vertices at a time.
#pragma once
#include "hw/radeon/fast/extended/stage.h"
#include "hw/radeon/fast/extended/vertex_pool.h"

namespace pumice::hw::fast::extended {

/// What a program exports, from its code.
struct ExportMasks {
  std::array<uint8_t, hw::x::slot::count> mask{};  ///< components by slot
  bool writes(uint32_t slot) const { return mask[slot] != 0; }
};

/// Whether lanes neither see each other nor write memory, so that any vertices may share a group, and each may be shaded any number of
/// times.
bool independent(const hw::x::Program& program);

class VertexStage {
 public:
  explicit VertexStage(Routines& routines) : routines_(routines) {}
  /// False: the reference must execute the draw.
  bool begin(DrawContext& ctx);
  const ExportMasks& exports() const { return exports_; }
  /// Vertices 0..n-1 (1 <= n <= 16): SYS 16 and number of the instance of each. Sets counters.hung when the program exceeds its budget.
  void shade(DrawContext& ctx, const uint32_t* index, const uint32_t* instance, uint32_t n);
  const OutputRows& rows() const { return rows_; }

 private:
  Routines& routines_;
  std::shared_ptr<const hw::x::Program> program_;
  ExportMasks exports_;
  OutputRows rows_;
};

}  // namespace pumice::hw::fast::extended
