// SPDX-License-Identifier: MIT
/// Room for the interpreter, and the call of its portable form.
#include "hw/fast/lane/interpret.h"

#include "hw/fast/lane/routine.h"

namespace pumice::hw::fast::lane {

void interpret(const Program& program, void* args) {
  std::vector<int32_t> label_at(size_t(program.labels) + 1), scalars(size_t(program.scalars) + 1);
  for (size_t i = 0; i < program.nodes.size(); ++i)
    if (program.nodes[i].op == Op::label) label_at[program.nodes[i].imm] = int32_t(i);
  std::vector<Lanes> values(program.nodes.size() + 1), variables(size_t(program.variables) + 1);
  std::vector<LaneMask> masks(program.nodes.size() + 1), mask_variables(size_t(program.mask_variables) + 1);
  std::vector<char*> pointers(program.pointers.size());
  std::vector<Lanes> scratch(program.scratch / sizeof(Lanes) + 1);
  const ProgramView view{.nodes = program.nodes.data(),
                         .count = int32_t(program.nodes.size()),
                         .tables = reinterpret_cast<const uint32_t(*)[kLanes]>(program.tables.data()),
                         .pointers = program.pointers.data(),
                         .pointer_count = int32_t(program.pointers.size()),
                         .calls = program.calls.data(),
                         .ranges = program.ranges.data(),
                         .fields = program.fields.data(),
                         .budgets = program.budgets.data(),
                         .label_at = label_at.data()};
  portable::run_lanes(view,
                      {values.data(), variables.data(), masks.data(), mask_variables.data(), scalars.data(), pointers.data(),
                       reinterpret_cast<char*>(scratch.data())},
                      args);
}

}  // namespace pumice::hw::fast::lane
