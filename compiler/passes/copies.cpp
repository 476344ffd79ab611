// SPDX-License-Identifier: MIT
/// Copy propagation: reads of mov and vec results become reads of what they copy, with swizzle and signs composed. The copies themselves
/// die in eliminate_dead.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

/// The source that `s` reads through the copy, if it is one.
std::optional<Source> through(const Instruction& def, const Source& s, unsigned lanes) {
  if (def.saturate) return std::nullopt;
  if (def.op == Op::mov && def.source_count == 1) return compose(s, def.source[0]);
  if (def.op != Op::vec) return std::nullopt;
  // All lanes read must come from one value with the same signs.
  const Source& first = def.source[s.swizzle[0]];
  Source r = first;
  for (unsigned i = 0; i < 4; ++i) {
    const Source& part = def.source[s.swizzle[std::min(i, lanes - 1)]];
    if (part.value != first.value || part.abs != first.abs || part.negate != first.negate) return std::nullopt;
    r.swizzle[i] = part.swizzle[0];
  }
  if (s.abs) r.abs = true, r.negate = false;
  r.negate ^= s.negate;
  return r;
}

}  // namespace

bool propagate_copies(Context& c) {
  Module& m = c.module;
  bool changed = false;
  const Definitions defs(m);
  auto follow = [&](Source& s, unsigned lanes, bool keep_type) {
    const Type wanted = m.value(s.value).type;
    while (const auto next = through(defs[s.value], s, lanes)) {
      if (keep_type && (m.value(next->value).type != wanted || next->abs || next->negate)) break;
      s = *next;
      changed = true;
    }
  };
  const auto instruction = [&](Instruction& in) {
    visit_sources(m, in, follow);
    // vec of one value in any order is a mov.
    if (in.op == Op::vec) {
      Instruction whole{.op = Op::mov, .source_count = 1, .result = in.result};
      Source all = in.source[0];
      bool one = true;
      for (unsigned i = 0; i < 4; ++i) {
        const Source& s = in.source[std::min<unsigned>(i, in.source_count - 1u)];
        one = one && s.value == all.value && s.abs == all.abs && s.negate == all.negate;
        all.swizzle[i] = s.swizzle[0];
      }
      if (one) {
        whole.source[0] = all;
        in = whole;
        changed = true;
      }
    }
  };
  const auto before_node = [&](Node& node) {
    if (node.kind == Node::Kind::branch) follow(node.cond, 1, true);
    for (size_t i = 0; i < node.args.size(); ++i) {
      Source copy = node.args[i];
      follow(copy, m.comps(node.params[i]), false);
      if (m.value(copy.value).type == m.value(node.params[i]).type) node.args[i] = copy;
    }
  };
  const auto jump = [&](Node& node, const Node& to) {
    const auto& ids = destinations(node, to);
    for (size_t i = 0; i < node.args.size(); ++i) {
      const bool before = changed;
      Source copy = node.args[i];
      follow(copy, m.comps(ids[i]), false);
      if (m.value(copy.value).type == m.value(ids[i]).type)
        node.args[i] = copy;
      else
        changed = before;
    }
  };
  const Walker w{.instruction = instruction, .before_node = before_node, .jump = jump};
  w.walk(m.body);
  return changed;
}

}  // namespace pumice::compiler::passes
