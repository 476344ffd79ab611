// SPDX-License-Identifier: MIT
/// Between SIMD path and reference: where lines may touch memory, and the scalar hooks for what is rare.
#pragma once
#include "hw/rdp/draw.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {

struct HookContext {
  const DrawTarget& target;
  const rdp::Primitive& primitive;
};
void slow_line(const void* context, int y);
void slow_texels(const void* context, int y, int k, int32_t* texel0, int32_t* texel1, int32_t* lod);

/// The last column that may be written.
int64_t last_column(const State& s, const rdp::Primitive& p);
/// Do the scanlines up to `last_line` touch disjoint memory, and colour and depth, too?
bool rows_apart(const State& s, const rdp::Primitive& p, int last_line);
/// Are all pixels of these lines in memory?
bool all_inside(const Mode& m, const State& s, int first_line, int last_line, int64_t last_column);

}  // namespace pumice::hw::rdp::fast
