// SPDX-License-Identifier: MIT
/// From the SIMD path to the reference: the scalar hooks for what is rare.
#pragma once
#include "hw/rdp/fast/primitive.h"
#include "hw/rdp/ref/draw.h"

namespace pumice::hw::rdp::fast {

struct HookContext {
  const DrawTarget& target;
  const rdp::Primitive& primitive;
};
void slow_line(const void* context, int y);
void slow_texels(const void* context, int y, int k, int32_t* texel0, int32_t* texel1, int32_t* lod);

}  // namespace pumice::hw::rdp::fast
