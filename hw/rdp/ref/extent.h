// SPDX-License-Identifier: MIT
/// Which memory a primitive may touch: bounds for threads and for the SIMD path.
#pragma once
#include "hw/rdp/ref/edge.h"
#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

/// The last column that may be written, negative if none.
int64_t last_column(const State& s, const Primitive& p);

/// Do the scanlines up to `last_line` touch disjoint memory, and colour and depth, too? Counted in 32-bit words.
bool rows_apart(const State& s, const Primitive& p, int last_line);

/// Does every scanline begin on a 32-bit word of each image, so that no word belongs to two?
bool rows_aligned(const State& s);

}  // namespace pumice::hw::rdp
