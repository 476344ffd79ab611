// SPDX-License-Identifier: MIT
#include "compiler/us/loops.h"

#include <cmath>
#include <functional>
#include <map>
#include <optional>

namespace pumice::compiler::us {
namespace {

using Definitions = Map<ir::ValueId, const ir::Instruction*>;

void collect(const ir::NodeList& list, Definitions& out) {
  for (const ir::Node& n : list) {
    for (const ir::Instruction& x : n.instructions) {
      if (x.result) out[x.result] = &x;
    }
    collect(n.then_list, out);
    collect(n.else_list, out);
  }
}

bool contains(const ir::NodeList& list, ir::Node::Jump jump) {
  for (const ir::Node& n : list) {
    if (n.kind == ir::Node::Kind::jump && n.jump == jump) return true;
    if (n.kind == ir::Node::Kind::branch && (contains(n.then_list, jump) || contains(n.else_list, jump))) return true;
  }
  return false;
}

/// The arm leaves the loop whatever happens in it.
bool always_breaks(const ir::NodeList& list) {
  return !list.empty() && list.back().kind == ir::Node::Kind::jump && list.back().jump == ir::Node::Jump::break_ &&
         !contains({list.begin(), list.end() - 1}, ir::Node::Jump::continue_);
}

struct Evaluator {
  const Definitions& definitions;
  ir::ValueId variable;  ///< lane 0 has `value`
  float value;

  std::optional<float> lane(const ir::Source& s, unsigned i, int depth = 0) const {
    std::optional<float> v;
    if (s.value == variable && s.swizzle[i] == 0) {
      v = value;
    } else if (auto d = definitions.find(s.value); d != definitions.end() && depth < 8) {
      v = result(*d->second, s.swizzle[i], depth + 1);
    }
    if (!v) return v;
    if (s.abs) v = std::fabs(*v);
    return s.negate ? -*v : *v;
  }
  std::optional<float> result(const ir::Instruction& x, unsigned i, int depth) const {
    const auto arg = [&](unsigned k) { return lane(x.source[k], i, depth); };
    if (x.op == ir::Op::constant) return x.constant[i];
    if (x.saturate || x.source_count == 0) return {};
    const std::optional<float> a = arg(0);
    if (!a) return {};
    if (x.op == ir::Op::mov) return a;
    if (x.source_count != 2) return {};
    const std::optional<float> b = arg(1);
    if (!b) return {};
    switch (x.op) {
      case ir::Op::add: return *a + *b;
      case ir::Op::mul: return *a * *b;
      case ir::Op::slt: return *a < *b;
      case ir::Op::sge: return *a >= *b;
      case ir::Op::seq: return *a == *b;
      case ir::Op::sne: return *a != *b;
      default: return {};
    }
  }
};

void continue_args(const ir::NodeList& list, size_t param, Vec<const ir::Source*>& out, bool& implicit) {
  for (const ir::Node& n : list) {
    if (n.kind == ir::Node::Kind::jump && n.jump == ir::Node::Jump::continue_) {
      if (param < n.args.size())
        out.push_back(&n.args[param]);
      else
        implicit = true;
    }
    if (n.kind == ir::Node::Kind::branch) {
      continue_args(n.then_list, param, out, implicit);
      continue_args(n.else_list, param, out, implicit);
    }
  }
}

}  // namespace

bool ends_within(const ir::Module& module, const ir::Node& loop, unsigned limit) {
  Definitions definitions;
  collect(module.body, definitions);
  for (size_t p = 0; p < loop.params.size(); p++) {
    const Evaluator initial{definitions, 0, 0};
    const std::optional<float> start = initial.lane(loop.args[p], 0);
    if (!start || module.comps(loop.params[p]) != 1) continue;
    Vec<const ir::Source*> next;
    bool implicit = false;
    continue_args(loop.then_list, p, next, implicit);
    if (next.empty() || implicit) continue;
    // The guard: reached every round because no continue comes before it.
    for (const ir::Node& n : loop.then_list) {
      if (n.kind == ir::Node::Kind::branch && (always_breaks(n.then_list) || always_breaks(n.else_list))) {
        const bool on_true = always_breaks(n.then_list);
        Evaluator e{definitions, loop.params[p], *start};
        for (unsigned round = 0; round < limit; round++) {
          const std::optional<float> c = e.lane(n.cond, 0);
          if (!c) break;
          if ((*c != 0) == on_true) return true;
          const std::optional<float> step = e.lane(*next[0], 0);
          if (!step) break;
          bool same = true;
          for (const ir::Source* s : next) same &= e.lane(*s, 0) == step;
          if (!same) break;
          e.value = *step;
        }
      }
      if (n.kind == ir::Node::Kind::branch &&
          (contains(n.then_list, ir::Node::Jump::continue_) || contains(n.else_list, ir::Node::Jump::continue_)))
        break;
    }
  }
  return false;
}

}  // namespace pumice::compiler::us
