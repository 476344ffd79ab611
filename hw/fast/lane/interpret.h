// SPDX-License-Identifier: MIT
/// A program as plain pointers, for code that is compiled once per instruction set.
#pragma once
#include "hw/fast/lane/ir.h"

namespace pumice::hw::fast::lane {

struct ProgramView {
  const Node* nodes;
  int32_t count;
  const uint32_t (*tables)[kLanes];
  const Program::PointerSource* pointers;
  int32_t pointer_count;
  const Program::Call* calls;
  const Program::Range* ranges;
  const Program::Field* fields;
  const Program::Budget* budgets;
  const int32_t* label_at;  ///< node of each label
};
/// Room for one run: a vector a node and a variable.
struct Workspace {
  Lanes* value;
  Lanes* variable;
  LaneMask* mask;
  LaneMask* mask_variable;
  int32_t* scalar;
  char** pointer;
  char* scratch;  ///< 64-byte aligned
};

}  // namespace pumice::hw::fast::lane

namespace pumice::hw::fast::portable {
void run_lanes(const lane::ProgramView& program, const lane::Workspace& work, void* args);
}
