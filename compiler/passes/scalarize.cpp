// SPDX-License-Identifier: MIT
/// rcp, rsq, exp2, log2, sin and cos run on scalar units (US alpha, PVS math engine): one instruction for each distinct lane read.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

bool scalarize(Context& c) {
  Module& m = c.module;
  const auto several = [&](const Instruction& in) { return in.op >= Op::rcp && in.op <= Op::cos_cycles && m.comps(in.result) != 1; };
  if (!any_instruction(m.body, several)) return false;
  return replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    if (!several(in)) return std::nullopt;
    std::array<Operand, 4> by_lane;
    Vec<Operand> lanes;
    for (unsigned i = 0; i < m.comps(in.result); ++i) {
      Operand& r = by_lane[in.source[0].swizzle[i]];
      if (!r) {
        Instruction one{.op = in.op, .source_count = 1};
        one.source[0] = in.source[0];
        one.source[0].swizzle.fill(in.source[0].swizzle[i]);
        r = b.append(one, Type::f32, 1);
      }
      lanes.push_back(r);
    }
    return b.vec(lanes);
  });
}

}  // namespace pumice::compiler::passes
