// SPDX-License-Identifier: MIT
/// What the front end (front.cpp, plan.cpp, code.cpp) and the routines for 16 vertices (*_simd.cpp) share. Plain data: SIMD files include
/// nothing else. Everything here is made from registers once per draw (or found in a cache by their values).
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/jit/pvs/program.h"

namespace pumice::hw::fast::vertex {

// ---- Fetch ---------------------------------------------------------------------------------------------------------------------------

/// One element: from rows of Batch::stage to an input register.
struct FetchElement {
  uint8_t type = 0;  ///< VAP_PROG_STREAM_CNTL.DATA_TYPE_0; FLOAT_8 was split into two FLOAT_4
  uint8_t row = 0;
  uint8_t destination = 0;
  uint8_t write_mask = 0;
  uint8_t swizzle[4] = {};
  bool is_signed = false, normalize = false;
  uint8_t norm_method = 0;
};
struct FetchPlan {
  FetchElement element[2 * kInputs];
  uint32_t elements = 0;
  uint32_t rows = 0;
  uint32_t swap = 0;    ///< VAP_CNTL_STATUS.VC_SWAP
  uint32_t inputs = 0;  ///< registers that the program reads or that become outputs: they get their default first
  bool flush = true;    ///< denormals become zero (they do when a program reads them; TCL bypass keeps them)
};

// ---- Results -------------------------------------------------------------------------------------------------------------------------

/// Layout of a WindowVertex in bytes (front.cpp checks): x, y, z and 1/w come first.
inline constexpr size_t kWindowPointSize = 16, kWindowColor = 20, kWindowTex = kWindowColor + 4 * 16, kWindowBytes = kWindowTex + 10 * 16;

/// A vertex in the post-transform cache. `window` holds a WindowVertex.
struct alignas(64) Vertex {
  uint32_t flags;
  float position[4];
  alignas(4) unsigned char window[kWindowBytes];
};
/// Vertex::flags. The clip planes are in the reference's order: near, far, left, right, bottom, top.
inline constexpr uint32_t kOutside = 0x3F, kDiscardShift = 8, kDiscard = 0xF00;
inline constexpr uint32_t kUnusable = 0x1000;   ///< the position is not finite
inline constexpr uint32_t kNotFinite = 0x2000;  ///< window.x, y, z or inv_w is not
inline constexpr uint32_t kCareful = 0x4000;    ///< the other flags are undefined: the reference must decide

/// How outputs become vertices.
struct EmitPlan {
  struct Attribute {
    uint16_t row = 0;        ///< first row of the register
    uint16_t offset = 0;     ///< in Vertex::window, bytes
    uint8_t components = 4;  ///< beyond: 0, 0, 0, 1
  };
  Attribute attribute[14];
  uint32_t attributes = 0;
  int32_t point_size_row = -1;
  int32_t position_row = 0;
  bool canonical = true;  ///< NaN becomes the chip's: not with TCL bypass
  // Clipping. adjust: the guard band factors of left, right, bottom, top; a disabled plane never has a vertex outside.
  bool clip = false, careful = false;  ///< careful: every vertex gets kCareful
  bool dx_near = false;                ///< z >= 0 instead of z >= -w
  bool has_clip[2] = {}, has_discard[2] = {};
  float clip_adjust[2] = {1, 1}, discard_adjust[2] = {1, 1};  ///< horizontal, vertical
  // Viewport.
  bool invert_w = true;
  bool scale_enabled[3] = {}, offset_enabled[3] = {}, divided[3] = {};
  float scale[3] = {1, 1, 1}, offset[3] = {};
};

// ---- Routines ------------------------------------------------------------------------------------------------------------------------

struct Routines {
  /// Batch::stage rows row.. of 16 vertices from p: `count` dwords each; reads up to the next multiple of 4 dwords.
  void (*load_rows)(Batch& batch, uint32_t row, uint32_t count, const std::byte* const* p);
  /// stage -> inputs.
  void (*convert)(const FetchPlan& plan, Batch& batch);
  /// outputs -> vertices; slot[0..n-1].
  void (*emit)(const EmitPlan& plan, const Batch& batch, Vertex* const* slot, uint32_t n);
};
/// To be called with FTZ and DAZ set.
const Routines& routines(Cpu cpu);

namespace portable {
extern const Routines kVertexRoutines;
}
namespace avx2 {
extern const Routines kVertexRoutines;
}
namespace avx512 {
extern const Routines kVertexRoutines;
}

}  // namespace pumice::hw::fast::vertex
