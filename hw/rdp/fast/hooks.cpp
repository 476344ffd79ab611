// SPDX-License-Identifier: MIT
/// The scalar hooks of the SIMD path.
#include "hw/rdp/fast/hooks.h"

#include <algorithm>

#include "hw/rdp/ref/pixel.h"

namespace pumice::hw::rdp::fast {

void slow_line(const void* context, int y) {
  const auto& c = *static_cast<const HookContext*>(context);
  const EdgeWalker edges(c.primitive, c.target.state);
  const SpanSetup setup(c.primitive, edges, c.target.state);
  draw_span(c.target, c.primitive, setup, edges.line(y), edges.line(y + 1));
}

void slow_texels(const void* context, int y, int k, int32_t* texel0, int32_t* texel1, int32_t* lod) {
  const auto& c = *static_cast<const HookContext*>(context);
  const EdgeWalker edges(c.primitive, c.target.state);
  const SpanSetup setup(c.primitive, edges, c.target.state);
  CombineInputs in;
  two_cycle_texels(c.target, c.primitive, setup, edges.line(y), edges.line(y + 1), k, in);
  std::copy(in.texel0.begin(), in.texel0.end(), texel0);
  std::copy(in.texel1.begin(), in.texel1.end(), texel1);
  *lod = static_cast<int32_t>(in.lod_frac);
}

}  // namespace pumice::hw::rdp::fast
