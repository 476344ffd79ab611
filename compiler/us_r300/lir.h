// SPDX-License-Identifier: MIT
/// What the R3xx does with the operations of the US back end (compiler/us/lir.h) before they get registers.
#pragma once
#include "compiler/isa/constants.h"
#include "compiler/us/lir.h"

namespace pumice::compiler::us_r300 {

/// Every lane of a vector gets its channel, every operand one of the swizzles that the R3xx has (us-isa B4), literals their place in the
/// constant file.
void legalize(us::Lir& lir, isa::ConstantFile& constants);

/// Operations of a level: lookups first, then arithmetic.
struct Part {
  size_t begin = 0, arithmetic = 0, end = 0;  ///< of Lir::ops
};
/// Puts the operations in the order of as few levels as there can be with at most so many lookups each.
Vec<Part> divide(us::Lir& lir, uint32_t most_lookups);

/// Whether the RGB and the alpha unit could do the operation alike: one lane into a register of one lane.
bool either_unit(const us::Lir& lir, const us::Op& op);
/// Gives it to the other unit.
void change_unit(us::Lir& lir, us::Op& op);
/// Lets operations read differences, 1 - x and, with `sums`, sums of one lane as presubtracted sources.
void presubtract(us::Lir& lir, bool sums);
/// Gives one-lane operations to the unit that has less to do in their level.
void balance(us::Lir& lir, const Vec<Part>& parts);

}  // namespace pumice::compiler::us_r300
