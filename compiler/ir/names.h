// SPDX-License-Identifier: MIT
/// Names of the IR's enumerations in the text form, in the order of the enumerations.
#pragma once
#include <string_view>

namespace pumice::compiler::ir {

inline constexpr std::string_view kBuiltinNames[] = {"none",           "frag_coord", "front_facing", "point_coord", "vertex_index",
                                                     "instance_index", "position",   "point_size",   "frag_depth"};
inline constexpr std::string_view kDimNames[] = {"1d", "2d", "3d", "cube"};
inline constexpr std::string_view kTexKindNames[] = {"implicit", "bias", "lod", "grad", "proj", "fetch"};
inline constexpr std::string_view kParameterNames[] = {"viewport_transform", "texture_size", "instance_index", "base_vertex"};
inline constexpr std::string_view kJumpNames[] = {"yield", "break", "continue"};

}  // namespace pumice::compiler::ir
