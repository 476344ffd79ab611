// SPDX-License-Identifier: MIT
/// See compute_life.h.
#include "hw/radeon/trace/inspect/compute_life.h"

#include "compiler/us/machine.h"
#include "hw/radeon/ref/us/group.h"
#include "hw/radeon/trace/inspect/slot_text.h"
#include "hw/radeon/trace/inspect/texel_text.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

namespace {

std::string triple(const std::array<uint32_t, 3>& v) { return format("(%u, %u, %u)", v[0], v[1], v[2]); }

}  // namespace

void ComputeLife::group_begins(const DrawContext&, const GroupStep& group) {
  running_ = false;
  std::array<uint32_t, 3> local{};
  for (uint32_t c = 0; c < 3; ++c) {
    if (invocation_[c] / group.size[c] != group.workgroup[c]) return;
    local[c] = invocation_[c] % group.size[c];
  }
  const uint32_t index = local[0] + group.size[0] * (local[1] + group.size[1] * local[2]);
  if (index < group.first || index - group.first >= group.lanes) return;
  lane_ = index - group.first;
  running_ = true;
  if (!lines_.empty()) return line(1, "the group goes on");
  line(0, "invocation " + triple(invocation_) + ": workgroup " + triple(group.workgroup) + ", local " + triple(local) +
              format(", index %u: lane %u of group %u", index, lane_, group.first / x::kGroupLanes));
  line(1, "US");
}

void ComputeLife::group_ends(const DrawContext& ctx, const GroupStep&, bool ends) {
  if (!running_) return;
  running_ = fetching_ = false;
  line(1, ends ? "the program ends" : ctx.counters.hung ? "the watchdog stops the dispatch here" : "the group waits at the barrier");
}

void ComputeLife::instruction(us::GroupThread<16>& t, const isa::us_r500::Instruction& x) {
  if (!running_) return;
  fetching_ = false;
  const bool active = t.active >> lane_ & 1;
  line(2, format("%4u: ", t.pc) + compiler::us::disassemble(x) + slot_remark(names_, x, t.pc) + (active ? "" : "  -- not active"));
  if (!active) return;
  if (const std::string text = slot_operands(t, x, lane_); !text.empty()) line(4, text);
  if (const std::string text = slot_memory(t, x, lane_); !text.empty()) line(4, text);
}

void ComputeLife::executed(us::GroupThread<16>& t, const isa::us_r500::Instruction& x) {
  if (!running_) return;
  fetching_ = false;
  if (const std::string text = slot_results(t, x, lane_); !text.empty()) line(4, text);
}

void ComputeLife::lookup(const LookupStep& s) {
  fetching_ = running_ && s.pixel == lane_;
  if (fetching_) line(4, lookup_text(s));
}

void ComputeLife::texel(const TexelStep& s) {
  if (fetching_) line(5, texel_text(s));
}

}  // namespace pumice::hw::trace
