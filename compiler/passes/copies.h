// SPDX-License-Identifier: MIT
/// Copy propagation: reads of mov and vec results become reads of what they copy, with swizzle and signs composed. The copies themselves
/// die in eliminate_dead. Part of reduce.cpp.
#pragma once
#include <algorithm>

#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

class CopyFollower {
  using Instruction = ir::Instruction;
  using Source = ir::Source;
  using Op = ir::Op;

 public:
  CopyFollower(const ir::Module& m, const Definitions& defs, Vec<uint32_t>& uses) : m_(m), defs_(defs), uses_(uses) {}

  bool source(Source& s, unsigned lanes, bool keep_type) {
    const Instruction* def = &defs_[s.value];
    if (def->op != Op::mov && def->op != Op::vec) return false;
    const Source old = s;
    const ir::Type wanted = m_.value(s.value).type;
    bool changed = false;
    for (;; def = &defs_[s.value]) {
      Source next;
      if (!through(*def, s, lanes, next) || (keep_type && (m_.value(next.value).type != wanted || next.abs || next.negate))) break;
      s = next;
      changed = true;
    }
    count(old, s);
    return changed;
  }

  /// Arguments of an edge, which must keep the types of `ids`.
  bool args(Vec<Source>& args, const Vec<ir::ValueId>& ids) {
    bool changed = false;
    for (size_t i = 0; i < args.size(); ++i) {
      const Source old = args[i];
      if (!source(args[i], m_.comps(ids[i]), false)) continue;
      if (m_.value(args[i].value).type == m_.value(ids[i]).type) {
        changed = true;
        continue;
      }
      count(args[i], old);
      args[i] = old;
    }
    return changed;
  }

  bool instruction(Instruction& in) {
    bool changed = false;
    if (std::any_of(in.source.begin(), in.source.begin() + in.source_count, [&](const Source& s) {
          const Op op = defs_[s.value].op;
          return op == Op::mov || op == Op::vec;
        }))
      visit_sources(m_, in, [&](Source& s, unsigned lanes, bool keep_type) { changed |= source(s, lanes, keep_type); });
    return (in.op == Op::vec && become_mov(in)) || changed;
  }

 private:
  void count(const Source& old, const Source& now) {
    --uses_[old.value];
    ++uses_[now.value];
  }

  /// Whether the instruction is a copy; `to` becomes what `s` reads through it. Inlined, `to` stays in registers: a structure written by
  /// bytes and read as a whole waits for its stores, which was two fifths of source().
  [[gnu::always_inline]] static bool through(const Instruction& def, const Source& s, unsigned lanes, Source& to) {
    if (def.saturate) return false;
    if (def.op == Op::mov && def.source_count == 1) return to = compose(s, def.source[0]), true;
    if (def.op != Op::vec) return false;
    // All lanes read must come from one value with the same signs.
    const Source& first = def.source[s.swizzle[0]];
    std::array<uint8_t, 4> swizzle;
    for (unsigned i = 0; i < 4; ++i) {
      const Source& part = def.source[s.swizzle[std::min(i, lanes - 1)]];
      if (part.value != first.value || part.abs != first.abs || part.negate != first.negate) return false;
      swizzle[i] = part.swizzle[0];
    }
    to = {.value = first.value, .swizzle = swizzle, .abs = first.abs || s.abs, .negate = (first.negate && !s.abs) != s.negate};
    return true;
  }

  /// vec of one value in any order is a mov.
  bool become_mov(Instruction& in) {
    Source all = in.source[0];
    for (unsigned i = 0; i < 4; ++i) {
      const Source& s = in.source[std::min<unsigned>(i, in.source_count - 1u)];
      if (s.value != all.value || s.abs != all.abs || s.negate != all.negate) return false;
      all.swizzle[i] = s.swizzle[0];
    }
    uses_[all.value] -= in.source_count - 1u;
    in = Instruction{.op = Op::mov, .source_count = 1, .result = in.result};
    in.source[0] = all;
    return true;
  }

  const ir::Module& m_;
  const Definitions& defs_;
  Vec<uint32_t>& uses_;
};

}  // namespace pumice::compiler::passes
