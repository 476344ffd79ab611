// SPDX-License-Identifier: MIT
/// XK: dispatches (docs/r5x.md s.9). Workgroups run one after the other, x fastest; the groups of a workgroup run in turn, each up to the
/// next barrier or its end.
#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/us/group.h"

namespace pumice::hw {
namespace {

using us::Bits4;
using us::kGroupLanes;

struct Extent {
  std::array<uint32_t, 3> size;
  uint32_t count() const { return size[0] * size[1] * size[2]; }  // at most 2^30
};

Extent local_size(const ChipState& state) {
  const auto r = state.get<regs::r5x::X_CS_LOCAL_SIZE>();
  return {{r.X() + 1, r.Y() + 1, r.Z() + 1}};
}

/// What SYS of a compute program reads.
class ComputeLink final : public x::StageLink {
 public:
  ComputeLink(const Extent& local, const DispatchInput& input) : local_(local), input_(input) {}
  /// Invocation index of lane 0, and how many lanes there are.
  uint32_t first = 0;
  uint32_t lanes = 0;
  std::array<uint32_t, 3> workgroup{};

  Bits4 system(uint32_t lane, uint32_t number) override {
    const uint32_t index = first + lane;
    switch (number) {
      case 32: return {index % local_.size[0], index / local_.size[0] % local_.size[1], index / local_.size[0] / local_.size[1], 0};
      case 33: return {workgroup[0], workgroup[1], workgroup[2], 0};
      case 34: return {input_.groups[0], input_.groups[1], input_.groups[2], 0};
      case 35: return {index, 0, 0, 0};
      case 36: return {first / kGroupLanes, (local_.count() + kGroupLanes - 1) / kGroupLanes, 0, 0};
      default: return {};
    }
  }

 private:
  const Extent local_;
  const DispatchInput& input_;
};

/// A workgroup: its groups of lanes and local memory, made again for each.
class Workgroup {
 public:
  Workgroup(DrawContext& ctx, const x::Program& program, const x::Resources& needs, const DispatchInput& input)
      : ctx_(ctx),
        program_(program),
        needs_(needs),
        local_(local_size(ctx.state)),
        bytes_(ctx.state.get<regs::r5x::X_CS_LDS_SIZE>().BYTES()) {
    for (uint32_t first = 0; first < local_.count(); first += kGroupLanes) links_.emplace_back(local_, input).first = first;
  }

  void run(const std::array<uint32_t, 3>& number) {
    std::fill(bytes_.begin(), bytes_.end(), uint8_t{0});
    std::vector<us::GroupThread<kGroupLanes>> groups;
    groups.reserve(links_.size());
    for (ComputeLink& link : links_) {
      link.workgroup = number;
      link.lanes = std::min(kGroupLanes, local_.count() - link.first);
      const x::Group group{.stage = x::Stage::compute, .lanes = link.lanes, .active = (1u << link.lanes) - 1, .helpers = 0, .link = &link};
      groups.emplace_back(ctx_, program_, needs_, group, bytes_).left = us::group_budget(ctx_.state);
    }
    for (bool waiting = true; waiting;) {
      waiting = false;
      for (size_t i = 0; i < groups.size(); ++i) {
        auto& g = groups[i];
        if (g.done) continue;
        const GroupStep step{number, local_.size, links_[i].first, links_[i].lanes};
        if (ctx_.inspector) ctx_.inspector->group_begins(ctx_, step);
        us::run_group(g);
        if (ctx_.inspector) ctx_.inspector->group_ends(ctx_, step, g.done);
        if (ctx_.counters.hung || ctx_.stopped()) return;
        waiting |= !g.done;
      }
    }
  }

 private:
  DrawContext& ctx_;
  const x::Program& program_;
  const x::Resources& needs_;
  const Extent local_;
  std::vector<uint8_t> bytes_;
  std::vector<ComputeLink> links_;
};

}  // namespace

void execute_dispatch(DrawContext& ctx, const DispatchInput& input) {
  x::Programs own;
  const auto program = (ctx.programs ? *ctx.programs : own).find(ctx.state, ctx.memory, x::Stage::compute);
  const x::Resources needs = x::resources(ctx.state, x::Stage::compute);
  if (const std::string why = x::problem(ctx.state, *program, needs); !why.empty()) return ctx.report(ReportKind::bad_register, why);
  const Capabilities& chip = ctx.state.chip();
  const Extent local = local_size(ctx.state);
  if (local.count() > chip.workgroup_invocations)
    return ctx.report(ReportKind::bad_register, "X_CS_LOCAL_SIZE: " + std::to_string(local.count()) + " invocations are more than " +
                                                    std::to_string(chip.workgroup_invocations));
  const uint32_t bytes = ctx.state.get<regs::r5x::X_CS_LDS_SIZE>().BYTES();
  if (bytes > chip.local_memory)
    return ctx.report(ReportKind::bad_register,
                      "X_CS_LDS_SIZE: " + std::to_string(bytes) + " bytes are more than " + std::to_string(chip.local_memory));
  Workgroup workgroup(ctx, *program, needs, input);
  std::array<uint32_t, 3> n{};
  for (n[2] = 0; n[2] < input.groups[2]; ++n[2])
    for (n[1] = 0; n[1] < input.groups[1]; ++n[1])
      for (n[0] = 0; n[0] < input.groups[0]; ++n[0]) {
        workgroup.run({input.first[0] + n[0], input.first[1] + n[1], input.first[2] + n[2]});
        if (ctx.counters.hung || ctx.stopped()) return;
      }
}

}  // namespace pumice::hw
