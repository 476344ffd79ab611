// SPDX-License-Identifier: MIT
/// RB3D in resolve mode (hw/radeon/decode/rb3d/resolve.h): rows by SIMD if there is a routine and both surfaces are linear, else pixel
/// by pixel through the reference.
#include <bit>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/pixel/routines.h"
#include "hw/radeon/ref/rb3d/resolve.h"

namespace pumice::hw::fast::output {

void resolve(const State& state, const Rect& rect) {
  if (rect.empty()) return;
  const Resolving& r = state.resolving;
  if (r.row && r.reference.mask.ram) return resolve_masked(state, rect);
  if (r.row) {
    const uint64_t bytes = r.from.layout.bytes_per_pixel, stride = r.from.pitch_bytes / state.samples;
    const auto x = static_cast<uint64_t>(rect.x0) * bytes;
    for (auto y = static_cast<uint64_t>(rect.y0); y < static_cast<uint64_t>(rect.y1); ++y)
      r.row(r, r.from.base + y * r.from.pitch_bytes + x, stride, r.to.base + y * r.to.pitch_bytes + x,
            static_cast<size_t>(rect.x1 - rect.x0));
    return;
  }
  const OrdinaryFloats ordinary;  // the reference flushes denormals explicitly
  for (int32_t y = rect.y0; y < rect.y1; ++y)
    for (int32_t x = rect.x0; x < rect.x1; ++x) rb3d::resolve_quad(r.reference, *state.memory, x, y, 1);
}

void resolve(const State& state, int32_t x, int32_t y, LaneMask mask) {
  if (mask == 0xFFFF) return resolve(state, {x, y, x + kBlockSize, y + kBlockSize});
  for (uint32_t left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const int32_t px = x + lane_x(lane), py = y + lane_y(lane);
    resolve(state, {px, py, px + 1, py + 1});
  }
}

}  // namespace pumice::hw::fast::output
