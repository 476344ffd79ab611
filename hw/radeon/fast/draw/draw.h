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

struct Draw {
  uint64_t number = 0;  ///< DrawContext::draw
  const raster::Routing* routing = nullptr;
  const raster::Stencil* stencil = nullptr;
  const output::State* output = nullptr;
  uint32_t samples = 1;          ///< of a pixel
  ShadeRoutine shade = nullptr;  ///< null: the program has no visible effect
  bool early_z = false;          ///< ZB before the program: asked for by the registers, or the same
  bool uniform = false;          ///< every pixel gets the same colours, whatever the shape: the program runs once a tile
  bool flat = false;             ///< a shape whose interpolants are the same everywhere has one colour: the program runs once for it
  bool uses_z = true;            ///< of pixels: there is depth, or fog may ask for it
  bool fills = false;            ///< pixels of one colour are stored whatever was there
  bool codes = false;            ///< every target takes colours as bytes: output::make_fill_of_codes
  bool rows = false;             ///< shapes of one colour can be filled by rows (output::fill_spans)
  bool mixes = false;            ///< lanes of a block may come from different shapes: the program looks at each alone
  HizUse hiz;
  bool shader_depth = false;  ///< late ZB takes the program's depth
  const float (*constant)[4] = nullptr;
  const uint32_t* flow_constant = nullptr;
  const tx::UnitHead* const* unit = nullptr;
  const us::CompiledShade* program = nullptr;
  const stretch::Plan* picture = nullptr;  ///< upright shapes are drawn by rows; null: the draw is none
  uint8_t writes = 15;                     ///< outputs that the routine writes; the others must be zero
  bool writes_depth = true;                ///< likewise
  uint32_t pixel_work = 0;                 ///< about how long a pixel takes: 64 are a nanosecond
  bool fog_on_nothing = false;             ///< fog changes output 0, which the routine does not write: zero again for each block
  const ChipState* snapshot = nullptr;     ///< for routines that ask registers: the interpreter

  // What blocks change, on whatever thread.
  mutable std::atomic<int64_t> instructions_left = 0;
  mutable std::atomic<uint32_t> reported = 0;  ///< DrawCounters::reported
};

}  // namespace pumice::hw::fast
