// SPDX-License-Identifier: MIT
/// Inputs and outputs of the routine of a vertex program (vertex_code.h): 16 vertices.
#pragma once
#include <cstddef>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/fast/extended/vertex_pool.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

inline constexpr uint32_t kAttributes = regs::r5x::X_VTX_ATTR_FORMAT::count;
inline constexpr uint32_t kAttributeDwords = 4;  ///< that a format has at most

struct VertexArgs {
  GroupArgs group;
  Lanes index, instance;  ///< SYS 16, 17
  uint32_t base_vertex = 0, first_instance = 0, draw_number = 0, view = 0;
  Lanes fetched[kAttributes * kAttributeDwords];  ///< dwords of the attributes: VertexCode::Attribute::row
  OutputRows out;
  Lanes constants[kMostConstantRows];  ///< GroupForm::constants_at
};
static_assert(offsetof(VertexArgs, group) == 0);

}  // namespace pumice::hw::fast::extended
