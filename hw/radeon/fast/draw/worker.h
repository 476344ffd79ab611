// SPDX-License-Identifier: MIT
/// Per-thread state of a drawing thread, and the routine that runs a tile's primitives through the pixel pipe (tile_simd.cpp).
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>

#include "common/zero_pages.h"
#include "hw/common/simd/cpu.h"
#include "hw/radeon/decode/us/strict.h"
#include "hw/radeon/fast/draw/bins.h"
#include "hw/radeon/fast/draw/clears.h"
#include "hw/radeon/fast/draw/deferred.h"
#include "hw/radeon/fast/draw/draw.h"
#include "hw/radeon/fast/pixel/shade.h"
#include "hw/radeon/fast/raster/planes_simd.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast {

/// Reports of blocks, until the chip's thread fetches them.
class ReportQueue;
namespace extended {
class PixelWorker;
struct BlockState;
}  // namespace extended

struct alignas(64) Worker {
  Worker(Memory& memory, ReportQueue& reports, const std::atomic<bool>& stop, std::atomic<uint64_t>& lost_draw);
  ~Worker();
  Worker(const Worker&) = delete;

  ShadeArgs args;
  Lanes z;  ///< of the block, 0..1
  Lanes offset_z, offset_w;
  Lanes offset[kMaxInterpolants];
  uint32_t factor[kMaxInterpolants];  ///< for a block of several primitives
  raster::Planes planes;              ///< of the primitive, once `planes_ready`
  bool planes_ready = false;
  Hiz hiz;
  Deferred deferred;
  const Draw* draw = nullptr;                    ///< the draw whose routines and constants `args` holds
  const Draw* extended_draw = nullptr;           ///< the extended draw that `pixel` is in; then there is no `draw`
  std::unique_ptr<extended::PixelWorker> pixel;  ///< null before add_pixel_worker()
  extended::BlockState* blocks = nullptr;        ///< of `pixel`
  uint64_t hiz_layer = 0;                        ///< address of the depth target's layer that `hiz` was begun with in this draw
  uint8_t zero = 0;                              ///< outputs known to be zero
  /// The uniform draw or flat primitive whose colours args.color holds. Null: those of some block.
  const void* colors_of = nullptr;
  uint64_t filled = 0;  ///< number of the uniform draw that `fill` was made for
  output::Fill fill;
  int64_t budget = 0;                   ///< args.instructions_left when this draw began in this tile
  uint64_t zpass = 0;                   ///< since the pool last collected it
  std::atomic<uint64_t> stretched = 0;  ///< pixels drawn by rows (hw/radeon/fast/blit); written by this thread only
  stretch::Piece piece;
  stretch::Routine stretch = nullptr;
  std::unique_ptr<tx::Unit> picture_unit;  ///< of extended draws that are drawn by rows; made by the first
  Memory* memory = nullptr;
  us::ShadeUser user;  ///< args.user
  Listener config;     ///< reports go to the queue, with the draw's number
  DrawCounters counters;
  std::optional<DrawContext> context;          ///< for reference blocks inside routines
  hw::us::StrictPrograms strict;               ///< context->strict
  const std::atomic<bool>* stop = nullptr;     ///< set: drop all work
  std::atomic<uint64_t>* lost_draw = nullptr;  ///< number of a draw that exhausted its instruction budget
  /// Rows of transient targets (Batch::transient), by number: those of one tile, as far apart as in memory, so that little of it is
  /// touched.
  static constexpr size_t kOwnBytes = size_t{4} << 20, kOwnSlack = 4096;
  std::array<std::optional<ZeroPages<std::byte>>, Clears::kMost> own_rows;
};

/// Called with FTZ and DAZ set.
struct TileRoutines {
  /// Primitives of a tile in order, the first `done` of them excepted (0 or 1).
  void (*run)(Worker& worker, const Bin& bin, int32_t tile_x, int32_t tile_y, uint32_t done);
  /// Fills what the primitive covers of some tiles side by side, if it is a rectangle of one colour; else does nothing and returns false.
  bool (*fill)(Worker& worker, const raster::Record& record, int32_t tile_x, int32_t tile_y, int32_t tiles);
};

TileRoutines tile_routines(Cpu cpu);

/// What extended draws need: 40 KB of which few pages are touched. Not while the worker draws.
void add_pixel_worker(Worker& worker, ReportQueue& reports, Cpu cpu);

/// Draw changes inside a tile: the new one's pointers into `args`, the old one's instructions off its budget (worker.cpp).
void begin_draw(Worker& worker, const Draw& draw);
void end_draw(Worker& worker);
/// The same for extended draws. There is no draw of the other kind.
void begin_extended(Worker& worker, const Draw& draw);
void end_extended(Worker& worker);
/// In the tile at (tile_x, tile_y) pixels of the targets are in the worker's own rows, which begin with the clears.
void begin_own_targets(Worker& worker, const Clears& targets, int32_t tile_x, int32_t tile_y);
/// What stands for their addresses there, by number.
std::span<std::byte* const> own_targets(const Worker& worker);
void end_own_targets(Worker& worker);
/// extended::PixelWorker::ready_fill() and fill().
bool extended_ready_fill(Worker& worker, const raster::Record& record);
void extended_fill(Worker& worker, const raster::Record& record, const output::Rect& rect);
/// Runs a uniform draw's program and readies w.fill; false when rectangles cannot be filled with it.
bool ready_fill(Worker& worker);
/// The same for a primitive of a flat draw, whose interpolants are in `args`.
bool ready_fill(Worker& worker, const raster::Record& record);
/// The program of the block that just ran spent its instructions.
void stop_draw(Worker& worker);

}  // namespace pumice::hw::fast
