// SPDX-License-Identifier: MIT
/// A draw as the tiles see it: everything that registers say, looked at once. Plain data in a batch's arena; what it points to is immutable
/// and kept by the batch.
#pragma once
#include <atomic>

#include "hw/radeon/fast/blit/stretch.h"
#include "hw/radeon/fast/draw/hiz.h"
#include "hw/radeon/fast/pixel/output.h"
#include "hw/radeon/fast/raster/setup.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast {

namespace us {
class CompiledShade;
}

/// Where the colours of a draw's pixels come from; registers and the program decide.
enum class Colors : uint8_t {
  per_pixel,  ///< the program runs for each block
  per_shape,  ///< a shape whose interpolants are the same everywhere has one colour: the program runs once for it; others are per_pixel
  per_draw,   ///< every pixel gets the same, whatever the shape: the program runs once per tile
};

/// What becomes of the rectangles that a shape covers as a whole. Chosen once per change of state (Derived::describe).
enum class WholePath : uint8_t {
  blocks,   ///< each block goes through the pixel pipe
  fill,     ///< shapes of one colour are filled, if their depth allows it (walk_simd.h, fills)
  expand,   ///< likewise shapes of one colour, but nothing is stored: cleared tiles are expanded
  picture,  ///< upright shapes are drawn by rows (hw/radeon/fast/blit)
};

/// What becomes of blocks that a shape covers in part.
enum class BlockPath : uint8_t {
  general,   ///< each goes through the pixel pipe
  deferred,  ///< they may wait for neighbours (deferred.h): lanes of a block may come from different shapes
};

/// What registers say of a draw: made again when they change (Derived::update), copied into each draw.
struct DrawState {
  const raster::Routing* routing = nullptr;
  const raster::Stencil* stencil = nullptr;
  const output::State* output = nullptr;
  uint32_t samples = 1;          ///< of a pixel
  ShadeRoutine shade = nullptr;  ///< null: the program has no visible effect
  bool early_z = false;          ///< ZB before the program: asked for by the registers, or the same
  Colors colors = Colors::per_pixel;
  WholePath whole_path = WholePath::blocks;
  BlockPath block_path = BlockPath::general;
  bool uses_z = true;        ///< of pixels: there is depth, or fog may read it
  bool fills_depth[2] = {};  ///< by facing: no pixel of one depth can fail (output::can_fill_depth)
  bool codes = false;        ///< every target takes colours as bytes: output::make_fill_of_codes
  bool rows = false;         ///< shapes of one colour can be filled by rows (output::fill_spans)
  HizUse hiz;
  bool shader_depth = false;  ///< late ZB takes the program's depth
  const tx::UnitHead* const* unit = nullptr;
  const us::CompiledShade* program = nullptr;
  const stretch::Plan* picture = nullptr;  ///< of WholePath::picture
  uint8_t writes = 15;                     ///< outputs that the routine writes; the others must be zero
  bool writes_depth = true;                ///< likewise
  uint32_t pixel_work = 0;                 ///< about how long a pixel takes: 64 are a nanosecond
  bool fog_on_nothing = false;             ///< fog changes output 0, which the routine does not write: zero again for each block
  const ChipState* snapshot = nullptr;     ///< for routines that ask registers: the interpreter
};

struct Draw : DrawState {
  uint64_t number = 0;  ///< DrawContext::draw
  const float (*constant)[4] = nullptr;
  const uint32_t* flow_constant = nullptr;

  // What blocks change, on any thread.
  mutable std::atomic<int64_t> instructions_left = 0;
  mutable std::atomic<uint32_t> reported = 0;  ///< DrawCounters::reported
};

}  // namespace pumice::hw::fast
