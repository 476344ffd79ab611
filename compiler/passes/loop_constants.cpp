// SPDX-License-Identifier: MIT
#include "compiler/passes/loop_constants.h"

#include "compiler/passes/rewrite.h"
#include "compiler/passes/trip_count.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr unsigned kRounds = 255;
constexpr int kLargestStep = 127;

void collect(const Module& m, const Node& loop, const Vec<Instruction>& defs, const Inductions& inductions, LoopConstants& out) {
  Map<int, std::pair<uint64_t, LoopConstants>> by_step;  // the ladder a step would save, and its loads
  for (const Instruction* in : indexed_constants(loop)) {
    const auto line = inductions.line(loop, in->source[0]);
    if (!line || line->start < 0 || uint32_t(line->start) > in->max_index || std::abs(line->step) > kLargestStep) continue;
    auto& [saved, loads] = by_step[line->step];
    saved += in->max_index / unsigned(std::abs(line->step));
    loads[in->result] = {*line, true};
  }
  if (by_step.empty()) return;
  const auto trip = trip_count(m, loop, defs, kRounds);
  if (!trip) return;
  auto* best = &by_step.begin()->second;
  for (auto& [step, candidate] : by_step)
    if (candidate.first > best->first) best = &candidate;
  for (auto& [id, load] : best->second) {
    load.guard = !trip->within;
    out[id] = load;
  }
}

void walk(const Module& m, const NodeList& list, const Vec<Instruction>& defs, const Inductions& inductions, LoopConstants& out) {
  for (const Node& n : list) {
    if (n.kind == Node::Kind::loop) collect(m, n, defs, inductions, out);
    walk(m, n.then_list, defs, inductions, out);
    walk(m, n.else_list, defs, inductions, out);
  }
}

}  // namespace

LoopConstants loop_constants(const Module& module, const Vec<Instruction>& definitions) {
  LoopConstants out;
  walk(module, module.body, definitions, Inductions(module, definitions), out);
  return out;
}

bool addressed_by_counter(const Module& module, const Node& loop, const Vec<Instruction>& definitions) {
  LoopConstants found;
  const Inductions inductions(module, definitions);
  collect(module, loop, definitions, inductions, found);
  walk(module, loop.then_list, definitions, inductions, found);
  return !any_instruction(loop.then_list, [&](const Instruction& in) {
    switch (in.op) {
      case Op::load_uniform:
      case Op::load_push: return in.source_count > 0 && !found.count(in.result);
      case Op::load_temp: return in.source_count > 0;
      case Op::store_temp: return in.source_count > 1;
      default: return false;
    }
  });
}

}  // namespace pumice::compiler::passes
