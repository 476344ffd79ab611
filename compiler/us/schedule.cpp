// SPDX-License-Identifier: MIT
#include "compiler/us/schedule.h"

#include <algorithm>

#include "compiler/us/block.h"
#include "compiler/us/flow.h"

namespace pumice::compiler::us {

Scheduled schedule(const Lir& lir, const isa::Allocation& allocation, const ChipLimits& chip) {
  Scheduled out;
  const Lower lower(lir, allocation);
  FlowWriter flow(out.code, chip);
  Uses uses(allocation.used);
  Operations run;
  run.nodes.reserve(std::min<size_t>(lir.ops.size(), 128));
  out.code.reserve(lir.ops.size() + 1);
  out.places.reserve(lir.ops.size() + 1);
  bool in_flight = false;
  const auto flush = [&] {
    in_flight = false;
    if (!run.nodes.empty()) in_flight = schedule_run(run, out, uses);
    run.clear();
  };
  for (const Op& op : lir.ops) {
    if (op.kind == Op::Kind::alu || op.kind == Op::Kind::tex) {
      lower.op(op, run);
      continue;
    }
    flush();
    flow.op(op, in_flight);
    out.places.resize(out.code.size(), SlotPlace{op.at, nullptr});
  }
  const size_t before = out.code.size();
  flush();
  if (chip.memory) {  // the program ends behind its last slot
    if (out.code.empty()) out.code.emplace_back();
    out.places.resize(out.code.size());
    return out;
  }
  if (out.code.size() == before || out.code.back().type != Type::OUTPUT) {
    Instruction end;
    end.type = Type::OUTPUT;
    out.code.push_back(end);
  }
  out.places.resize(out.code.size());
  out.code.back().tex_sem_wait = true;
  out.code.back().last = true;
  out.full_flow_control = flow.full();
  return out;
}

}  // namespace pumice::compiler::us
