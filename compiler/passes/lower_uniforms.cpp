// SPDX-License-Identifier: MIT
/// The fragment unit addresses constants relative to the loop counter only, not by data (us-isa part C): dynamic indices of uniform blocks,
/// immediate tables and push constants become ladders of selects. The vertex unit has A0 and keeps them.
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
  return replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    if ((in.op != Op::load_uniform && in.op != Op::load_push) || in.source_count == 0) return std::nullopt;
    if (in.max_index >= kMaxLadder)
      c.refuse("constants indexed at run time over " + std::to_string(in.max_index + 1) +
               " vectors: the fragment unit cannot address constants by data, and a ladder of selects is limited to " +
               std::to_string(kMaxLadder));
    const Operand index{in.source[0], Type::i32, 1};
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
    for (uint32_t i = 1; i <= std::min(in.max_index, kMaxLadder - 1); ++i)
      r = b.sel(b.op(Op::sge, {index, b.constant(float(i), 1, Type::i32)}), load(i), r);
    return r;
  });
}

}  // namespace pumice::compiler::passes
