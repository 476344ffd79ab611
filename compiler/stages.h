// SPDX-License-Identifier: MIT
/// The one table of stages: name, SPIR-V execution model, the capability a chip needs for it, in the order of Stage.
#pragma once
#include <iterator>
#include <string>

#include <spirv/unified1/spirv.hpp>

#include "compiler/compiler.h"

namespace pumice::compiler {

struct StageRow {
  std::string_view name;
  spv::ExecutionModel model;
  bool ChipLimits::*capability;  ///< null: every chip has the stage
  std::string_view capability_name;
};
inline constexpr StageRow kStageRows[] = {
    {"vertex", spv::ExecutionModelVertex, nullptr, ""},
    {"fragment", spv::ExecutionModelFragment, nullptr, ""},
    {"compute", spv::ExecutionModelGLCompute, &ChipLimits::compute, "compute"},
};
static_assert(std::size(kStageRows) == kStages);

inline const StageRow& row(Stage stage) { return kStageRows[size_t(stage)]; }
/// "vertex shader 'name'", or without a name "vertex shader".
inline std::string shader_name(Stage stage, const std::string& name) {
  return std::string(row(stage).name) + " shader" + (name.empty() ? "" : " '" + name + "'");
}

}  // namespace pumice::compiler
