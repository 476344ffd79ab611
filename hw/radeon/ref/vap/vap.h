// SPDX-License-Identifier: MIT
/// What the reference front end (vap.cpp) shares with the fast one (hw/radeon/fast/vertex).
#pragma once
#include <string>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::vap {

/// Says once a draw what is wrong with it: complaints of the vertex layout and the program (empty: none), and what is not modelled.
void report_problems(DrawContext& ctx, uint32_t prim_type, const std::string& layout, const std::string& program);

}  // namespace pumice::hw::vap
