// SPDX-License-Identifier: MIT
/// What an extended program (docs/r5x.md, sections 2 to 5) exchanges with its stage: US runs the instructions of a group of lanes and calls
/// the stage for attributes, varyings, system values and exports.
#pragma once
#include <array>
#include <cstdint>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::x {

/// Raw bits of a vec4.
using Bits4 = std::array<uint32_t, 4>;

enum class Stage : uint8_t { vertex, fragment, compute };
/// Lanes of a group: a subgroup.
inline constexpr uint32_t kGroupLanes = 16;
/// Numbers of EXP (docs/r5x.md, section 5).
namespace slot {
inline constexpr uint32_t color = 0, depth = 8, stencil = 9, sample_mask = 10, color_second = 11, position = 16, point_size = 17,
                          layer = 18, viewport = 19, clip_distance = 20, cull_distance = 22, varying = 32, count = 64;
/// The second source of a target: those behind target 1 have its.
constexpr uint32_t second_of(uint32_t target) { return color_second + (target != 0 ? 1 : 0); }
}  // namespace slot
inline constexpr uint32_t kVaryings = most::x_varyings;

/// A stage as one group of lanes sees it. Lanes are numbered as in the group. The defaults are those of a stage that lacks the operation.
class StageLink {
 public:
  virtual ~StageLink() = default;
  /// LDA: in the class of the attribute's format, missing components 0, 0, 0, 1.
  virtual Bits4 attribute(uint32_t /*lane*/, uint32_t /*number*/) { return {}; }
  /// LDV: `mode` is SUB, `where` the source operand.
  virtual Bits4 varying(uint32_t /*lane*/, uint32_t /*number*/, uint32_t /*mode*/, const Bits4& /*where*/) { return {}; }
  /// SYS, but for 48.
  virtual Bits4 system(uint32_t /*lane*/, uint32_t /*number*/) { return {}; }
  /// EXP, and strict OUTPUT slots: components of `mask` to `slot`.
  virtual void write(uint32_t /*lane*/, uint32_t /*slot*/, uint32_t /*mask*/, const Bits4& /*value*/) {}
  /// KILL and TEXKILL.
  virtual void kill(uint32_t /*lane*/) {}
};

/// A group before its program begins.
struct Group {
  Stage stage = Stage::vertex;
  uint32_t lanes = kGroupLanes;  ///< lanes 0..lanes-1 exist; quads of fragments are lanes 4q..4q+3 in the order of Quad
  uint32_t active = 0;           ///< bit per lane that runs
  uint32_t helpers = 0;          ///< of them: stores and atomics do nothing
  StageLink* link = nullptr;
};

/// Runs the stage's program (X_VS_*, X_FS_*) from beginning to end. Sets counters.hung when the budget runs out.
void run(DrawContext& ctx, const Group& group);  // hw/radeon/ref/us

/// Whether draws run extended programs.
inline bool shaders(const ChipState& state) {
  const auto control = state.get<regs::r5x::X_CTRL>();
  return state.chip().has_extended_shaders && control.EN() && control.SHADERS();
}

/// The counters of the pipeline; null while they stand.
inline PipelineCounts* counts(DrawContext& ctx) {
  return ctx.state.get<regs::r5x::X_QUERY_CTRL>().STATISTICS() ? &ctx.counters.counts : nullptr;
}
/// Whether invocations of the fragment program are among them.
inline bool counts_fragments(const ChipState& state) {
  return state.get<regs::r5x::X_QUERY_CTRL>().STATISTICS() && state.get<regs::r5x::X_FS_CODE_SIZE>().SLOTS();
}

/// A shaded vertex of an extended draw beyond what WindowVertex has.
struct Vertex {
  std::array<Vec4, kVaryings> varying{};  ///< raw bits where the fragment stage reads them flat
  uint32_t layer = 0, viewport = 0;
  uint32_t primitive = 0;  ///< of the provoking vertex: number of the primitive in its instance
};

/// What the WindowVertex pointers of primitives and shapes of an extended draw point to; color and tex mean nothing.
struct Window : WindowVertex {
  Vertex extended;
};
inline const Vertex& extended(const WindowVertex& v) { return static_cast<const Window&>(v).extended; }

}  // namespace pumice::hw::x
