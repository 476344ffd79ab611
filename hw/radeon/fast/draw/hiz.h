// SPDX-License-Identifier: MIT
/// Hierarchical Z: for each 4x4 block of a tile an upper bound of its depths, valid while the worker is in the tile (pipeline s.8.2;
/// the chip's HiZ RAM and its registers are not needed for that). A block of a primitive that lies behind its bound is skipped without
/// reading memory. Used for LESS and LEQUAL; results are the same without it.
///
/// Interpolated depth is monotone in x and y, rounding included (base + (x*step_x + y*step_y), each rounded once), so its extremes over a
/// block are at corners. Codes in memory are monotone in depth, too.
#pragma once
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/fast/pixel/output.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast {

/// How a draw uses and changes the bounds, from registers.
struct HizUse {
  bool tests = false;                          ///< a block behind its bound has no pixel that passes
  bool lowers = false;                         ///< a block whose pixels all passed has a new bound; of extended draws all that were tested
  bool keeps_far = false, keeps_near = false;  ///< depth never increases; never decreases
  float direction = 1;                         ///< -1: GREATER, GEQUAL
  float slack = 0;                             ///< minimum distance behind the bound: 0 for LESS
  bool unbounded = false;                      ///< memory may hold depths beyond 0..1
  bool operator==(const HizUse&) const = default;
};
HizUse hiz_use(const output::State& out, bool early_z);
/// Of extended draws.
HizUse hiz_use(const xz::DepthTarget& target, bool early, bool any_depth);

struct Hiz {
  static constexpr int kAcross = 16;  ///< blocks per row of a tile
  float bound[kAcross * kAcross];
  struct Surface {
    const std::byte* base = nullptr;
    uint64_t pitch_bytes = 0;
    zb::DepthFormat format{};
    int32_t x_offset = 0, y_offset = 0;
    zb::FastFill fast_fill;  ///< which tiles are cleared, and their clear value
    uint64_t layer = 0;      ///< address of the layer, of extended draws: then base and the others mean nothing
    bool operator==(const Surface&) const = default;
  } surface;              ///< the surface the bounds belong to; none: no bounds yet
  int low = 0, high = 0;  ///< lanes with the least and greatest direction * z of a primitive in a block
  /// Of a primitive of an extended draw: the part of depth that does not depend on y, at the first pixels of the tile's columns of blocks.
  alignas(64) double along[kAcross];

  void begin_tile() { surface = {}; }
  float direction = 1;
  void forget(bool unbounded) {
    const float far = unbounded ? __builtin_inff() : direction > 0 ? 1.0f : 0.0f;
    for (float& b : bound) b = far;  // every draw of every tile comes here: one value, so that the compiler stores vectors
  }
  void begin_draw(const output::State& out, const HizUse& use) {
    if (!out.depth) return;
    const Surface now{out.depth_host.base, out.depth_host.pitch_bytes, out.zb.format, out.zb.x_offset, out.zb.y_offset, out.zb.fast_fill};
    begin_surface(now, use);
  }
  /// A layer of the depth target of an extended draw, at `address`; 0: none.
  void begin_layer(uint64_t address, const HizUse& use) {
    if (address) begin_surface({.layer = address}, use);
  }
  void begin_surface(const Surface& now, const HizUse& use) {
    const bool turns = use.tests && use.direction != direction;
    if (turns) direction = use.direction;
    if (turns || !(now == surface) || !(direction > 0 ? use.keeps_far : use.keeps_near)) forget(use.unbounded);
    surface = now;
  }
  void begin_shape(double step_x, double step_y) {
    const bool right = step_x * direction >= 0, down = step_y * direction >= 0;
    low = lane_of(right ? 0 : 3, down ? 0 : 3);
    high = lane_of(right ? 3 : 0, down ? 3 : 0);
  }
  static int index(int32_t x, int32_t y) { return (y >> 2 & (kAcross - 1)) * kAcross + (x >> 2 & (kAcross - 1)); }
  bool behind(const HizUse& use, int32_t x, int32_t y, const Lanes& z) const {
    return z.v[low] * direction >= bound[index(x, y)] + use.slack;
  }
  void passed(int32_t x, int32_t y, const Lanes& z) {
    float& b = bound[index(x, y)];
    const float farthest = z.v[high] * direction;
    b = farthest < b ? farthest : b;
  }
};

}  // namespace pumice::hw::fast
