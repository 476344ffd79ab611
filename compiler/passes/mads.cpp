// SPDX-License-Identifier: MIT
/// a * b + c in one instruction, where the product is used once and neither operation is precise (NoContraction). The chip has no separate
/// multiplier anyway.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

bool form_mads(Context& c) {
  Module& m = c.module;
  Vec<uint32_t> uses;
  const Definitions defs(m, uses);

  bool changed = false;
  const auto instruction = [&](Instruction& in) {
    for (unsigned i = 0; i < 2 && in.op == Op::add && !in.precise; ++i) {
      const Source s = in.source[i];
      const Instruction& def = defs[s.value];
      if (def.op != Op::mul || def.precise || def.saturate || s.abs || uses[s.value] != 1) continue;
      Source a = compose(s, def.source[0]);  // carries the sign of s
      Source unsigned_use = s;
      unsigned_use.negate = false;
      const Source b = compose(unsigned_use, def.source[1]), addend = in.source[1 - i];
      in.op = Op::mad;
      in.source_count = 3;
      in.source = {a, b, addend};
      changed = true;
    }
  };
  const Walker<decltype(instruction)> w{.instruction = instruction};
  w.walk(m.body);
  return changed;
}

}  // namespace pumice::compiler::passes
