// SPDX-License-Identifier: MIT
/// Chips with extension blocks (docs/r5x.md): which operations are selected otherwise than on the R5xx.
#include "compiler/us/selector.h"

namespace pumice::compiler::us::select_detail {

/// False: the operation is selected as on the R5xx.
bool Selector::extended(const ir::Instruction& x) {
  switch (ir::info(x.op).level) {
    case ir::OpInfo::Level::typed: return integers(x) || packing(x);
    case ir::OpInfo::Level::ext: return exact_floats(x) || memory_and_lanes(x);
    default: return exact_floats(x) || stages(x) || memory_and_lanes(x);
  }
}

}  // namespace pumice::compiler::us::select_detail
