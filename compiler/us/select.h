// SPDX-License-Identifier: MIT
/// Instruction selection for the R5xx US: IR in chip form -> Lir. Leaves SSA on the way (values become virtual registers, edges copies).
#pragma once
#include "compiler/ir/ir.h"
#include "compiler/isa/constants.h"
#include "compiler/us/compile.h"
#include "compiler/us/lir.h"

namespace pumice::compiler::us {

Lir select(const ir::Module& module, isa::ConstantFile& constants, const Options& options);

}  // namespace pumice::compiler::us
