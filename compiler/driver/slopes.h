// SPDX-License-Identifier: MIT
/// Slopes of varyings, for chips whose fragment unit has no derivatives (passes/lower_derivatives.cpp). With clip positions p = (x, y, w)
/// of the triangle's vertices and M their matrix, a varying V with values v is at a point X, Y of the window's plane (normalized device
/// coordinates)
///   V = N / D    N = v M^-1 (X, Y, 1)    D = (1, 1, 1) M^-1 (X, Y, 1) = 1 / w
/// and its derivative dV/dX = (N_X - V D_X) / D = w (N_X - V D_X), likewise in Y, with N_X, D_X from the first columns. What stands in the
/// brackets, the slope, is linear in V, so it is a varying with perspective itself: the vertex program computes it at its vertex of what
/// the vertex program gives for all three, the rasterizer interpolates and the clipper cuts it like any other, and the fragment program has
/// to multiply it by w. Nothing large is subtracted from anything large there, where numbers have 24 bits; vertices may have any w.
#pragma once
#include <vector>

#include "compiler/pvs/select.h"

namespace pumice::compiler {

/// Of a vertex module as the front end makes it: computes the slopes among `outputs`. Its body is there three times then, for this vertex
/// of the triangle and the two that follow (Input::corner).
void add_slopes(ir::Module& vertex, const std::vector<pvs::OutputTarget>& outputs);

}  // namespace pumice::compiler
