// SPDX-License-Identifier: MIT
#include "compiler/ir/counted.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace pumice::compiler::ir {

namespace {

bool jumps(const NodeList& list) {
  return std::any_of(list.begin(), list.end(), [](const Node& n) { return n.kind == Node::Kind::branch || n.kind == Node::Kind::jump; });
}

}  // namespace

std::optional<unsigned> counted_rounds(const Module& module, const Node& loop, const ChipLimits& chip) {
  const NodeList& body = loop.then_list;
  if (loop.kind != Node::Kind::loop || loop.params.empty()) return {};
  size_t at = 0;
  while (at < body.size() && body[at].kind == Node::Kind::block) ++at;
  if (at >= body.size() || body[at].kind != Node::Kind::branch || body.back().kind != Node::Kind::jump) return {};
  const Node& test = body[at];
  const Node& end = body.back();
  if (!test.results.empty() || test.else_list.size() != 1 || test.else_list[0].kind != Node::Kind::jump ||
      test.else_list[0].jump != Node::Jump::break_ || end.jump != Node::Jump::continue_ || end.args.empty())
    return {};
  for (const Node& n : test.then_list)
    if (n.kind != Node::Kind::block || !n.instructions.empty()) return {};
  if (jumps({body.begin() + ptrdiff_t(at) + 1, body.end() - 1})) return {};

  const auto find = [&](ValueId id) {
    const Instruction* found = nullptr;
    const std::function<void(const NodeList&)> walk = [&](const NodeList& list) {
      for (const Node& n : list) {
        for (const Instruction& in : n.instructions)
          if (in.result == id) found = &in;
        walk(n.then_list);
        walk(n.else_list);
      }
    };
    walk(module.body);
    return found;
  };
  const auto literal = [&](const Source& s, float& out) {
    const Instruction* in = find(s.value);
    if (!in || in->op != Op::constant) return false;
    out = in->constant[s.swizzle[0]];
    if (s.abs) out = std::fabs(out);
    if (s.negate) out = -out;
    return true;
  };
  const auto counter = [&](const Source& s) { return s.value == loop.params[0] && !s.abs && !s.negate; };
  float start = 0, step = 0, rounds = 0;
  const Instruction* compare = find(test.cond.value);
  const Instruction* next = find(end.args[0].value);
  if (!compare || compare->op != Op::slt || !counter(compare->source[0]) || !literal(compare->source[1], rounds)) return {};
  if (!literal(loop.args[0], start) || start != 0) return {};
  if (!next || next->op != Op::add || !counter(next->source[0]) || !literal(next->source[1], step) || step != 1) return {};
  if (!(rounds >= 1 && rounds <= float(chip.nested_rounds()))) return {};
  return unsigned(rounds);
}

}  // namespace pumice::compiler::ir
