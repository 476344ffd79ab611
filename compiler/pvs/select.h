// SPDX-License-Identifier: MIT
/// Instruction selection for the PVS: straight-line IR in chip form -> Lir obeying the port rules (pvs-isa 2.3).
#pragma once
#include "compiler/ir/ir.h"
#include "compiler/isa/constants.h"
#include "compiler/pvs/lir.h"

namespace pumice::compiler::pvs {

/// Where an output of the shader goes: components keep their number. One output may go to several registers.
struct OutputTarget {
  ir::Builtin builtin = ir::Builtin::none;
  uint32_t location = 0;  ///< builtin none
  uint32_t reg = 0;
  std::array<float, 4> missing{};  ///< written to the components in `components` that the shader does not write
  uint8_t components = 0;
};

struct Selected {
  Lir lir;
  std::vector<VertexInput> inputs;
};
/// `places`: operations know where in the SPIR-V they come from.
Selected select(const ir::Module& module, isa::ConstantFile& constants, const std::vector<OutputTarget>& outputs, const ChipLimits& chip,
                bool places);

}  // namespace pumice::compiler::pvs
