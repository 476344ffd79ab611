// SPDX-License-Identifier: MIT
/// The life of one invocation of a dispatch (docs/r5x.md, section 9): each slot of its program with operands, memory and results, barriers.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/trace/inspect/names.h"

namespace pumice::hw::trace {

class ComputeLife final : public Inspector {
 public:
  /// `invocation`: gl_GlobalInvocationID.
  explicit ComputeLife(const std::array<uint32_t, 3>& invocation) : invocation_(invocation) {}
  /// Empty: the dispatch has no such invocation.
  const std::vector<std::string>& lines() const { return lines_; }

  /// Of the program, or null: no remarks. Outlives the lines' making.
  void call(const StageNames* names) { names_ = names; }

  void group_begins(const DrawContext& ctx, const GroupStep& group) override;
  void group_ends(const DrawContext& ctx, const GroupStep& group, bool ends) override;
  void instruction(us::GroupThread<16>& t, const isa::us_r500::Instruction& x) override;
  void executed(us::GroupThread<16>& t, const isa::us_r500::Instruction& x) override;
  void lookup(const LookupStep& step) override;
  void texel(const TexelStep& step) override;

 private:
  void line(uint32_t depth, const std::string& text) { lines_.push_back(std::string(2 * depth, ' ') + text); }

  const std::array<uint32_t, 3> invocation_;
  std::vector<std::string> lines_;
  const StageNames* names_ = nullptr;
  uint32_t lane_ = 0;
  bool running_ = false;   ///< the invocation's group
  bool fetching_ = false;  ///< the lookup under way is the invocation's
};

}  // namespace pumice::hw::trace
