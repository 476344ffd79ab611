// SPDX-License-Identifier: MIT
/// Code shared by the reference front end (vap.cpp) and the fast one (hw/radeon/fast/vertex).
#pragma once
#include <string>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::vap {

/// Reports errors once per draw: complaints of the vertex layout and the program (empty: none), and unmodelled state.
void report_problems(DrawContext& ctx, const std::string& layout, const std::string& program);

}  // namespace pumice::hw::vap
