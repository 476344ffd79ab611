// SPDX-License-Identifier: MIT
#include "compiler/ir/induction.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace pumice::compiler::ir {

namespace {

constexpr double kLargest = 65536;
bool small_integer(double v) { return std::floor(v) == v && std::fabs(v) <= kLargest; }

bool indexed(const Instruction& in) { return (in.op == Op::load_uniform || in.op == Op::load_push) && in.source_count > 0; }

}  // namespace

Inductions::Inductions(const Module& module) : module_(module), definitions_(module.values.size()) {
  const std::function<void(const NodeList&)> walk = [&](const NodeList& list) {
    for (const Node& n : list) {
      for (const Instruction& in : n.instructions)
        if (in.result) definitions_[in.result] = &in;
      walk(n.then_list);
      walk(n.else_list);
    }
  };
  walk(module.body);
}

Inductions::Inductions(const Module& module, std::span<const Instruction> definitions)
    : module_(module), definitions_(std::max(module.values.size(), definitions.size())) {
  for (size_t v = 0; v < definitions.size(); ++v)
    if (definitions[v].result == v && v) definitions_[v] = &definitions[v];
}

std::optional<Inductions::Affine> Inductions::affine(const Source& source, unsigned lane, ValueId variable, int depth) const {
  std::optional<Affine> a;
  if (source.value == variable && source.swizzle[lane] == 0)
    a = {1, 0};
  else if (const Instruction* in = source.value < definitions_.size() ? definitions_[source.value] : nullptr; in && depth < 16)
    a = result(*in, source.swizzle[lane], variable, depth + 1);
  if (!a) return a;
  if (source.abs) {
    if (a->factor != 0) return {};
    a->offset = std::fabs(a->offset);
  }
  if (source.negate) a = {-a->factor, -a->offset};
  return a;
}

std::optional<Inductions::Affine> Inductions::result(const Instruction& in, unsigned lane, ValueId variable, int depth) const {
  if (in.saturate || (in.op == Op::mov && in.source_count == 0)) return {};
  const auto arg = [&](unsigned k) { return affine(in.source[k], lane, variable, depth); };
  const auto product = [](const std::optional<Affine>& a, const std::optional<Affine>& b) -> std::optional<Affine> {
    if (!a || !b || (a->factor != 0 && b->factor != 0)) return {};
    return Affine{a->factor * b->offset + b->factor * a->offset, a->offset * b->offset};
  };
  const auto sum = [](const std::optional<Affine>& a, const std::optional<Affine>& b) -> std::optional<Affine> {
    if (!a || !b) return {};
    return Affine{a->factor + b->factor, a->offset + b->offset};
  };
  std::optional<Affine> r;
  switch (in.op) {
    case Op::constant: r = {0, in.constant[lane]}; break;
    case Op::mov: r = arg(0); break;
    case Op::vec: r = affine(in.source[lane], 0, variable, depth); break;
    case Op::add: r = sum(arg(0), arg(1)); break;
    case Op::mul: r = product(arg(0), arg(1)); break;
    case Op::mad: r = sum(product(arg(0), arg(1)), arg(2)); break;
    default: return {};
  }
  // Every step in small integers, so that the program's arithmetic is exact.
  if (r && !(small_integer(r->factor) && small_integer(r->offset))) return {};
  return r;
}

/// The literal that every continue of the loop adds to the variable. False if there is none.
bool Inductions::step(const NodeList& body, size_t param, ValueId variable, std::optional<double>& out) const {
  for (const Node& n : body) {
    if (n.kind == Node::Kind::branch) {
      if (!step(n.then_list, param, variable, out) || !step(n.else_list, param, variable, out)) return false;
    } else if (n.kind == Node::Kind::jump && n.jump == Node::Jump::continue_) {
      if (param >= n.args.size()) return false;
      const auto next = affine(n.args[param], 0, variable, 0);
      if (!next || next->factor != 1 || (out && *out != next->offset)) return false;
      out = next->offset;
    }
  }
  return true;
}

std::optional<Line> Inductions::line(const Node& loop, const Source& index) const {
  for (size_t p = 0; p < loop.params.size(); ++p) {
    const ValueId variable = loop.params[p];
    if (module_.comps(variable) != 1) continue;
    const auto form = affine(index, 0, variable, 0);
    if (!form || form->factor == 0) continue;
    const auto start = affine(loop.args[p], 0, 0, 0);  // value 0 is none: a literal or nothing
    std::optional<double> moves;
    if (!start || !step(loop.then_list, p, variable, moves) || !moves) continue;
    const double first = form->factor * start->offset + form->offset, by = form->factor * *moves;
    if (!small_integer(first) || !small_integer(by) || by == 0) continue;
    return Line{int(first), int(by)};
  }
  return {};
}

Vec<const Instruction*> indexed_constants(const Node& loop) {
  Vec<const Instruction*> out;
  const std::function<void(const NodeList&)> walk = [&](const NodeList& list) {
    for (const Node& n : list) {
      for (const Instruction& in : n.instructions)
        if (indexed(in)) out.push_back(&in);
      if (n.kind != Node::Kind::branch) continue;
      walk(n.then_list);
      walk(n.else_list);
    }
  };
  walk(loop.then_list);
  return out;
}

bool has_inner_loop(const Node& loop) {
  const std::function<bool(const NodeList&)> walk = [&](const NodeList& list) {
    for (const Node& n : list)
      if (n.kind == Node::Kind::loop || walk(n.then_list) || walk(n.else_list)) return true;
    return false;
  };
  return walk(loop.then_list);
}

std::string check_indexed_constants(const Module& module, const ChipLimits& chip) {
  const Inductions inductions(module);
  const std::function<std::string(const NodeList&, const Node*)> walk = [&](const NodeList& list, const Node* loop) -> std::string {
    for (const Node& n : list) {
      for (const Instruction& in : n.instructions)
        if (indexed(in) && !loop) return "constants indexed outside of loops in a fragment program";
      if (n.kind == Node::Kind::loop) {
        std::optional<int> step;
        for (const Instruction* in : indexed_constants(n)) {
          const auto line = inductions.line(n, in->source[0]);
          if (!line || line->start < 0 || uint32_t(line->start) > in->max_index || std::abs(line->step) > chip.loop_step)
            return "constants of a fragment program indexed by something else than the loop counter";
          if (step && *step != line->step) return "constants of a fragment program indexed with different steps in one loop";
          step = line->step;
        }
      }
      for (const NodeList* inner : {&n.then_list, &n.else_list})
        if (std::string error = walk(*inner, n.kind == Node::Kind::loop ? &n : loop); !error.empty()) return error;
    }
    return "";
  };
  return walk(module.body, nullptr);
}

}  // namespace pumice::compiler::ir
