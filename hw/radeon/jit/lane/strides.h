// SPDX-License-Identifier: MIT
/// Values whose lanes follow each other by a known distance: addresses that are the same for all lanes, or that count with them.
#pragma once
#include <optional>
#include <vector>

#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

/// Of a value: lane l is lane 0 plus l times this, modulo 2^32. nullopt: not known, or of a mask.
using Stride = std::optional<uint32_t>;

/// The strides of all nodes. `lanes`: 16, or 8 for AVX2, whose halves count for themselves (lanes 8 to 15 from lane 8 on).
/// A value limited to 0xFFFFFFF0 and more (umin) has the stride of the limited one: only as an offset, where what is limited is out of
/// bounds (BufferView::size).
std::vector<Stride> find_strides(const Program& program, uint32_t lanes);

/// By node: a value or mask that is computed, or loaded from a buffer, and is the same in all 16 lanes.
std::vector<uint8_t> find_uniform(const Program& program);

}  // namespace pumice::hw::fast::lane
