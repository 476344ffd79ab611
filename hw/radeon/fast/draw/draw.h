// SPDX-License-Identifier: MIT
/// A draw as tiles use it: state decoded from registers once per draw. Plain data in a batch's arena; what it points to is immutable
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
namespace extended {
class PixelJob;
struct PixelBindings;
}  // namespace extended

/// The source of the colours of a draw's pixels; determined by registers and the program.
enum class Colors : uint8_t {
  per_pixel,  ///< the program runs for each block
  per_shape,  ///< a primitive whose interpolants are the same everywhere has one colour: the program runs once for it; others are per_pixel
  per_draw,   ///< all pixels of all primitives have one colour: the program runs once per tile
};

/// How rectangles that a primitive covers completely are drawn. Chosen once per state change (Derived::describe).
enum class WholePath : uint8_t {
  blocks,   ///< each block goes through the pixel pipe
  fill,     ///< primitives of one colour are filled, if their depth allows it (walk_simd.h, fills)
  expand,   ///< likewise primitives of one colour, but nothing is stored: cleared tiles are expanded
  picture,  ///< axis-aligned textured primitives are drawn by rows (hw/radeon/fast/blit)
};

/// How blocks that a primitive covers partially are drawn.
enum class BlockPath : uint8_t {
  general,   ///< each goes through the pixel pipe
  deferred,  ///< they may wait for adjacent primitives (deferred.h): lanes of a block may come from different primitives
};

/// State of a draw that follows from registers: derived when they change (Derived::update), copied into each draw.
struct DrawState {
  const raster::Routing* routing = nullptr;
  const raster::Stencil* stencil = nullptr;
  const output::State* output = nullptr;
  uint32_t samples = 1;          ///< per pixel
  ShadeRoutine shade = nullptr;  ///< null: the program has no visible effect
  bool early_z = false;          ///< ZB before the program: selected by registers, or without effect on the result
  Colors colors = Colors::per_pixel;
  WholePath whole_path = WholePath::blocks;
  BlockPath block_path = BlockPath::general;
  bool uses_z = true;        ///< per-pixel z is needed: by the depth test, or by fog
  bool fills_depth[2] = {};  ///< by facing: no pixel of a rectangle of constant depth can fail (output::can_fill_depth)
  bool codes = false;        ///< every target stores colours as unorm bytes: output::make_fill_of_codes
  bool rows = false;         ///< primitives of one colour can be filled by rows (output::fill_spans)
  HizUse hiz;
  bool shader_depth = false;  ///< late ZB takes the program's depth
  const tx::UnitHead* const* unit = nullptr;
  const us::CompiledShade* program = nullptr;
  const stretch::Plan* picture = nullptr;  ///< for WholePath::picture
  uint8_t writes = 15;                     ///< outputs that the routine writes; the others must be zero
  bool writes_depth = true;                ///< likewise
  bool fog_on_nothing = false;             ///< fog changes output 0, which the routine does not write: cleared for each block
  uint32_t pixel_work = 0;                 ///< estimated time per pixel, in 1/64 ns
  const ChipState* snapshot = nullptr;     ///< for routines that read registers: the interpreter
  /// An extended draw (hw/radeon/fast/extended); of the members above only samples, pixel_work and hiz mean something.
  const extended::PixelJob* pixel = nullptr;
  uint32_t sample_mask = ~0u;                    ///< of extended draws
  bool fills = false;                            ///< extended::PixelJob::fills
  bool by_rows = false;                          ///< extended::PixelJob::picture
  bool counts = false;                           ///< extended::DrawProgress::counts_runs
  bool feeds_back = false;                       ///< footprint::Extended::feeds_back
  uint64_t depth_at = 0, depth_layer_pitch = 0;  ///< address of layer 0 of the depth target of extended draws; 0: none
};

struct Draw : DrawState {
  uint64_t number = 0;  ///< DrawContext::draw
  const float (*constant)[4] = nullptr;
  const uint32_t* flow_constant = nullptr;
  const extended::PixelBindings* bindings = nullptr;  ///< of extended draws

  // Modified by blocks, from any thread.
  mutable std::atomic<int64_t> instructions_left = 0;
  mutable std::atomic<uint32_t> reported = 0;  ///< DrawCounters::reported
};

static_assert(sizeof(Draw) <= 192);  // three cache lines: there are many

}  // namespace pumice::hw::fast
