// SPDX-License-Identifier: MIT
/// What listings and JSON of programs share.
#pragma once
#include "compiler/tools/print.h"

namespace pumice::compiler::tool {

inline constexpr const char* kParameters[] = {"viewport transform", "texture size", "instance index", "base vertex",
                                              "viewport of the window"};
inline constexpr const char* kInputKinds[] = {"attribute", "gl_VertexIndex", "gl_InstanceIndex"};
/// By VertexInput::corner and Varying::Kind, behind the name.
inline constexpr const char* kCorners[] = {"", " of the next vertex", " of the vertex after the next"};
inline constexpr const char* kVaryingKinds[] = {"", ", clip position", ", slope in x", ", slope in y"};
inline constexpr const char* kStageNames[kStages] = {"vertex", "fragment", "compute"};

/// The stages that were given; false of chips without memory.
template <class Each>
bool each_x(const Program& program, const PrintOptions& options, const Each& each) {
  const bool given[kStages] = {options.vertex, options.fragment, true};
  bool any = false;
  for (size_t i = 0; i < kStages; ++i) {
    any |= program.x[i].has_value();
    if (program.x[i] && given[i]) each(Stage(i), *program.x[i]);
  }
  return any;
}

}  // namespace pumice::compiler::tool
