// SPDX-License-Identifier: MIT
/// Counters of the pipeline up to the clipper (docs/r5x.md s.9).
#pragma once
#include "hw/radeon/ref/xv/sequence.h"

namespace pumice::hw::xv {

/// Adds vertices, primitives, clip_invocations and vertex_invocations of a draw as run() (draw.h) counts them, without shading: for a front
/// end whose cache is another one (hw/radeon/fast/extended). Of known types of primitives.
void count_vertices(const DrawContext& ctx, const DrawInput& input, Sequence& sequence, PipelineCounts& counts);

}  // namespace pumice::hw::xv
