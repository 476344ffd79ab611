// SPDX-License-Identifier: MIT
/// Names of the IR's enumerations in the text form, in the order of the enumerations.
#pragma once
#include <string_view>

namespace pumice::compiler::ir {

inline constexpr std::string_view kBuiltinNames[] = {
    "none",           "frag_coord",    "front_facing", "point_coord",     "vertex_index",  "instance_index", "position",
    "point_size",     "frag_depth",    "sample_id",    "sample_position", "sample_mask",   "primitive_id",   "layer",
    "viewport_index", "helper",        "tested_mask",  "base_vertex",     "base_instance", "draw_index",     "view_index",
    "local_id",       "group_id",      "group_count",  "local_index",     "subgroup",      "lane",           "stencil_ref",
    "clip_distance",  "cull_distance", "slope_x",      "slope_y"};
inline constexpr std::string_view kDimNames[] = {"1d", "2d", "3d", "cube"};
inline constexpr std::string_view kTexKindNames[] = {"implicit", "bias", "lod", "grad", "proj", "fetch", "gather"};
inline constexpr std::string_view kResourceNames[] = {"uniform_buffer", "storage_buffer",   "sampled_image",
                                                      "storage_image",  "input_attachment", "sampler",
                                                      "combined",       "uniform_texels",   "storage_texels"};
inline constexpr std::string_view kParameterNames[] = {"viewport_transform", "texture_size", "instance_index", "base_vertex",
                                                       "viewport_window"};
inline constexpr std::string_view kJumpNames[] = {"yield", "break", "continue"};

inline constexpr std::string_view kAccessNames[] = {"signed", "coherent", "indexed", "sampler_indexed", "offsets"};

}  // namespace pumice::compiler::ir
