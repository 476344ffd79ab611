// SPDX-License-Identifier: MIT
/// The life of a vertex in one draw: fetched dwords, inputs, each vertex instruction with operands and results, outputs, window position.
#pragma once
#include <string>
#include <vector>

#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/trace/inspect/names.h"

namespace pumice::hw::trace {

class VertexLife final : public Inspector {
 public:
  /// `number`: the vertex' index, VAP_INDEX_OFFSET added and clamped (extended draws: X_DRAW_BASE_VERTEX added; of the first instance);
  /// with vertices in the packet their place in it.
  explicit VertexLife(uint32_t number) : number_(number) {}
  const std::vector<std::string>& lines() const { return lines_; }
  /// Of the program, or null: no remarks. Outlives the lines' making.
  void call(const StageNames* names) { names_ = names; }
  /// Vertices that the draw shades, each as often as it does.
  uint32_t shaded() const { return shaded_; }

  void vertex(const DrawContext& ctx, uint32_t number, std::span<const uint32_t> stream, std::span<const Vec4> inputs) override;
  void vertex_step(const PvsStep& step) override;
  void vertex_done(const DrawContext& ctx, std::span<const Vec4> outputs) override;

  void vertex(const DrawContext& ctx, const xv::VertexId& id) override;
  void instruction(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) override;
  void executed(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) override;
  void vertex_done(const DrawContext& ctx, const xv::VertexId& id, const xv::Shaded& out) override;

 private:
  void line(uint32_t depth, const std::string& text) { lines_.push_back(std::string(2 * depth, ' ') + text); }

  const uint32_t number_;
  std::vector<std::string> lines_;
  uint32_t shaded_ = 0;
  const StageNames* names_ = nullptr;
  const ChipState* state_ = nullptr;  ///< while the vertex is shaded
};

}  // namespace pumice::hw::trace
