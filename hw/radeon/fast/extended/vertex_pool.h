// SPDX-License-Identifier: MIT
/// Shaded vertices of the front end of extended draws, and how rows of 16 outputs become them. Plain data, because SIMD files include
/// nothing else.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/cpu.h"
#include "hw/common/simd/lanes.h"

namespace pumice::hw::fast::extended {

/// Rows of outputs: a component of 16 vertices each.
namespace row {
inline constexpr uint32_t position = 0, point_size = 4, layer = 5, viewport = 6, clip_distance = 8, cull_distance = 16, varying = 24,
                          count = varying + 4 * 32;
}
struct OutputRows {
  Lanes row[row::count];
};

/// Layout of an x::Window in bytes (vertex.cpp checks): x, y, z and 1/w come first.
inline constexpr size_t kWindowPointSize = 16, kWindowVarying = 244, kWindowLayer = kWindowVarying + 32 * 16,
                        kWindowViewport = kWindowLayer + 4, kWindowBytes = kWindowLayer + 12;

/// `window` holds an x::Window; layer and viewport in it are those that count (0 where the program does not choose them).
struct alignas(64) PoolVertex {
  float position[4];
  alignas(4) unsigned char window[kWindowBytes];
};
/// An odd number of cache lines, so that vertices lie in all sets of the cache.
static_assert(sizeof(PoolVertex) / 64 % 2 == 1);

/// Clip and cull distances of a vertex, where the plan has any.
struct Distances {
  float clip[8], cull[8];
};
/// The flags of a vertex, which lie apart, by place in the pool. Beyond a plane, in the order of hw/radeon/ref/xv/clip.cpp: near, far,
/// left, right, bottom, top, clip distances.
inline constexpr uint32_t kOutside = 0x3FFF, kDistanceShift = 6;
inline constexpr uint32_t kCullShift = 16, kCull = 0xFF << kCullShift;  ///< negative cull distances
inline constexpr uint32_t kUnusable = 1u << 24;                         ///< the position is not finite
inline constexpr uint32_t kNotFinite = 1u << 25;                        ///< window.x, y, z or inv_w is not
inline constexpr uint32_t kNear = 1;                                    ///< of kOutside: the first plane that clips
inline constexpr uint32_t kCareful = 1u << 26;                          ///< of kOutside only kNear is valid: else the reference must decide
/// Beyond a side of the viewport (left, right, top, bottom) by more than a pixel, of window.x and window.y; without EmitPlan::viewports.
/// Unclipped primitives have no pixel there: the viewport limits them (xr::bounds_of).
inline constexpr uint32_t kBeyondShift = 27, kBeyond = 0xFu << kBeyondShift;

/// Conversion of rows to vertices.
struct EmitPlan {
  uint32_t varyings = 0;          ///< slots that the program writes
  uint32_t clips = 0, culls = 0;  ///< distances in use
  bool clips_depth = true, negative_depth = false, layers = false, viewports = false;
  /// Nothing else of a vertex is written, and fewer than all may be beyond a side of the viewport: those by less than four pixels are not.
  bool flags_only = false;
  uint32_t view = 0;  ///< added to the layer of primitives
  struct Viewport {
    float scale[3], offset[3];
    double guard[2];  ///< times w
    float within[2];  ///< times w, as a float: surely not beyond the guard
    float beyond[2];  ///< times w: surely beyond the viewport by three pixels
  } viewport[16];     ///< without `viewports` the first only
};

/// The pool, and where in it a batch's vertices lie, one after the other.
struct EmitTo {
  PoolVertex* pool;
  uint32_t* flags;
  Distances* distances;
  uint32_t first;
};
/// Of vertices 0..n-1; to be called with FTZ and DAZ set.
using EmitRoutine = void (*)(const EmitPlan& plan, const OutputRows& rows, const EmitTo& to, uint32_t n);

/// Flags that all of some vertices have, and that any has.
struct CommonFlags {
  uint32_t all = ~0u, any = 0;
};
/// Takes in n vertices more.
using CommonRoutine = void (*)(const uint32_t* flags, uint32_t n, CommonFlags& common);

struct EmitRoutines {
  EmitRoutine emit;
  CommonRoutine common;
};
EmitRoutines emit_routines(Cpu cpu);

namespace portable {
void emit_vertices(const EmitPlan& plan, const OutputRows& rows, const EmitTo& to, uint32_t n);
void common_flags(const uint32_t* flags, uint32_t n, CommonFlags& common);
}  // namespace portable
namespace avx2 {
void emit_vertices(const EmitPlan& plan, const OutputRows& rows, const EmitTo& to, uint32_t n);
void common_flags(const uint32_t* flags, uint32_t n, CommonFlags& common);
}  // namespace avx2
namespace avx512 {
void emit_vertices(const EmitPlan& plan, const OutputRows& rows, const EmitTo& to, uint32_t n);
void common_flags(const uint32_t* flags, uint32_t n, CommonFlags& common);
}  // namespace avx512

}  // namespace pumice::hw::fast::extended
