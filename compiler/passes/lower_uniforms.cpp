// SPDX-License-Identifier: MIT
/// The fragment unit addresses constants relative to the loop counter only, not by data (us-isa part C): other dynamic indices of uniform
/// blocks, immediate tables and push constants become ladders of selects. The vertex unit has A0 and keeps them.
#include <cmath>

#include "compiler/passes/loop_constants.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {
constexpr uint32_t kMaxLadder = 64;
}

bool lower_uniforms(Context& c) {
  Module& m = c.module;
  if (m.stage == Stage::vertex) return false;
  const auto indexed = [](const Instruction& in) { return (in.op == Op::load_uniform || in.op == Op::load_push) && in.source_count; };
  if (!any_instruction(m.body, indexed)) return false;
  const Vec<Instruction> defs = definitions(m);
  const LoopConstants by_counter = loop_constants(m, defs, *c.options.chip);
  return replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    if ((in.op != Op::load_uniform && in.op != Op::load_push) || in.source_count == 0) return std::nullopt;
    if (const auto kept = by_counter.find(in.result); kept != by_counter.end()) {
      if (!kept->second.guard) return std::nullopt;
      // Beyond the end the chip would read an unrelated constant; robustness requires one from the buffer itself.
      Instruction inside = in;
      inside.result = 0;
      const Operand loaded = b.append(inside, Type::f32, 4);
      inside.source_count = 0;
      const bool up = kept->second.line.step > 0;
      inside.offset += up ? in.max_index : 0;
      inside.max_index = 0;
      const Operand last = b.append(inside, Type::f32, 4);
      const Operand counter{in.source[0], Type::int_f32, 1};
      const Operand out = up ? b.op(Op::sge, {counter, b.constant(float(in.max_index) + 1, 1, Type::int_f32)})
                             : b.op(Op::slt, {counter, b.constant(0, 1, Type::int_f32)});
      return b.sel(out, last, loaded);
    }
    // An index that is a multiple of n (an array of structs) needs a step only every n slots.
    Operand index{in.source[0], Type::int_f32, 1};
    uint32_t step = 1;
    const Instruction& def = defs[in.source[0].value];
    for (unsigned i = 0; i < 2 && def.op == Op::mul && !in.source[0].abs && !in.source[0].negate && step == 1; ++i) {
      const auto factor = constant_of(defs, compose(in.source[0], def.source[i]), 1);
      if (!factor || !((*factor)[0] >= 2.0f && (*factor)[0] <= 64.0f) || std::floor((*factor)[0]) != (*factor)[0]) continue;
      step = uint32_t((*factor)[0]);
      index.source = compose(in.source[0], def.source[1 - i]);
    }
    // Loads of unrolled rounds have no mark of their own.
    const uint32_t* place = origin(m, in);
    if (in.max_index / step >= kMaxLadder)
      c.refuse("constants indexed at run time over " + std::to_string(in.max_index + 1) +
                   " vectors: the fragment unit cannot address constants by data, and a ladder of selects is limited to " +
                   std::to_string(kMaxLadder),
               place                       ? place
               : in.op == Op::load_uniform ? m.uniforms[in.index].at
                                           : nullptr);
    auto load = [&](uint32_t i) -> Operand {
      if (in.op == Op::load_uniform && !m.uniforms[in.index].immediate.empty()) {
        const auto& data = m.uniforms[in.index].immediate;
        const size_t at = size_t(in.offset + i) * 4;
        if (at + 4 > data.size()) return b.constant(0.0f, 4);
        return b.constants({data[at], data[at + 1], data[at + 2], data[at + 3]});
      }
      return b.append({.op = in.op, .index = in.index, .offset = in.offset + i}, Type::f32, 4);
    };
    Operand r = load(0);
    for (uint32_t i = 1; i * step <= in.max_index && i < kMaxLadder; ++i) {
      const Operand beyond = b.op(Op::sge, {index, b.constant(float(i), 1, Type::int_f32)});
      r = b.sel(beyond, load(i * step), r);
    }
    return r;
  });
}

}  // namespace pumice::compiler::passes
