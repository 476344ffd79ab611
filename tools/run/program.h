// SPDX-License-Identifier: MIT
/// Our compiler's side: the shader with a partner of the other stage that passes values on, and what its constants hold.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "tools/run/inputs.h"

namespace pumice::run {

/// Location of the partner's attribute that becomes gl_Position.
inline constexpr uint32_t kPositionAttribute = 15;

struct Compiled {
  std::optional<compiler::Program> program;
  std::string refused;  ///< the compiler's reasons, one line each
};
/// `sampling`: the strict chips' program wraps coordinates of textures whose sizes are no powers of two.
Compiled compile(const Module& module, const compiler::ChipLimits& chip, const Sampling& sampling);

/// The constant file of a stage.
std::vector<Vec4> constants(const std::vector<compiler::ConstantRange>& ranges, const Module& module, const Inputs& inputs);

}  // namespace pumice::run
