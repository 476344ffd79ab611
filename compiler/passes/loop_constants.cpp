// SPDX-License-Identifier: MIT
#include "compiler/passes/loop_constants.h"

#include "compiler/passes/rewrite.h"
#include "compiler/passes/trip_count.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

struct Search {
  const Module& m;
  const Vec<Instruction>& defs;
  const ChipLimits& chip;
  const Inductions inductions{m, defs};
};

void collect(const Search& s, const Node& loop, LoopConstants& out) {
  Map<int, std::pair<uint64_t, LoopConstants>> by_step;  // the ladder a step would save, and its loads
  for (const Instruction* in : indexed_constants(loop)) {
    const auto line = s.inductions.line(loop, in->source[0]);
    if (!line || line->start < 0 || uint32_t(line->start) > in->max_index || std::abs(line->step) > s.chip.loop_step) continue;
    auto& [saved, loads] = by_step[line->step];
    saved += in->max_index / unsigned(std::abs(line->step));
    loads[in->result] = {*line, true};
  }
  if (by_step.empty()) return;
  const auto trip = trip_count(s.m, loop, s.defs, s.chip.loop_rounds);
  if (!trip) return;
  auto* best = &by_step.begin()->second;
  for (auto& [step, candidate] : by_step)
    if (candidate.first > best->first) best = &candidate;
  for (auto& [id, load] : best->second) {
    load.guard = !trip->within;
    out[id] = load;
  }
}

void walk(const Search& s, const NodeList& list, LoopConstants& out) {
  for (const Node& n : list) {
    if (n.kind == Node::Kind::loop) collect(s, n, out);
    walk(s, n.then_list, out);
    walk(s, n.else_list, out);
  }
}

}  // namespace

LoopConstants loop_constants(const Module& module, const Vec<Instruction>& definitions, const ChipLimits& chip) {
  LoopConstants out;
  walk({module, definitions, chip}, module.body, out);
  return out;
}

bool addressed_by_counter(const Module& module, const Node& loop, const Vec<Instruction>& definitions, const ChipLimits& chip) {
  LoopConstants found;
  const Search search{module, definitions, chip};
  collect(search, loop, found);
  walk(search, loop.then_list, found);
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
