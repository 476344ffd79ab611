// SPDX-License-Identifier: MIT
/// Batches of binned primitives, drawn by the chip's thread and the helpers of the team (hw/common/threads/team.h). A batch's tiles are
/// claimed a few at a time, oldest batch first; a tile waits for the same tile of the batch before, so every pixel gets primitives in API
/// order on any thread. The chip's thread helps whenever it waits.
///
/// Helpers are woken only if the work justifies it: a batch has an estimate of its drawing time (Batch::work), and small ones are drawn by
/// the chip's thread and the threads that are already awake. A thread whose claim took longer than estimated wakes more (call_more()).
///
/// Memory is bounded: kBatches batches, each closed when it is full(). Who needs
/// another one waits (and helps).
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "common/zero_pages.h"
#include "hw/common/threads/team.h"
#include "hw/radeon/fast/draw/clears.h"
#include "hw/radeon/fast/draw/filled_tiles.h"
#include "hw/radeon/fast/draw/reports.h"
#include "hw/radeon/fast/draw/resolves.h"
#include "hw/radeon/fast/draw/worker.h"

namespace pumice::hw::fast {

/// The tiles of a batch that are unclaimed, first to end - 1, in one atomic word. The sequence number identifies the batch: it wraps after
/// 2^30 batches, of which kBatches are in flight at once.
class Claims {
 public:
  static constexpr uint32_t kTileBits = 17, kSequenceBits = 64 - 2 * kTileBits;
  static constexpr uint64_t begin(uint64_t sequence, uint64_t tiles) { return sequence << 2 * kTileBits | tiles << kTileBits; }
  static constexpr uint32_t first(uint64_t claims) { return static_cast<uint32_t>(claims & kMask); }
  static constexpr uint32_t end(uint64_t claims) { return static_cast<uint32_t>(claims >> kTileBits & kMask); }
  static constexpr uint64_t without_first(uint64_t claims, uint32_t count) { return claims + count; }
  static constexpr uint64_t without_last(uint64_t claims, uint32_t count) { return claims - (uint64_t{count} << kTileBits); }
  static constexpr bool of(uint64_t claims, uint64_t sequence) {
    return claims >> 2 * kTileBits == (sequence & ((uint64_t{1} << kSequenceBits) - 1));
  }
  static constexpr uint32_t left(uint64_t claims) { return end(claims) - first(claims); }

 private:
  static constexpr uint64_t kMask = (uint64_t{1} << kTileBits) - 1;
};

/// Records apart from a batch, in the order of their primitives.
struct Part {
  /// A record and its box.
  struct Entry {
    raster::Record* record;
    int16_t x0, y0, x1, y1;
  };
  const Draw* draw = nullptr;  ///< that the records were made for
  Arena arena;
  std::vector<Entry> entries;
  uint64_t work = 0;  ///< as Batch::work
  void add(raster::Record& record);
  void clear() { arena.clear(), entries.clear(), work = 0; }
};

struct Batch {
  static constexpr size_t kTiles = size_t{raster::kTileStride} * raster::kTilesAcross;
  Arena arena;
  ZeroPages<Bin> bin{kTiles};   ///< by tile
  std::vector<uint32_t> tiles;  ///< those with primitives, in the order they were first touched; then those without any
  Clears clears;                ///< of all tiles, before their primitives
  Resolves resolves;            ///< of all tiles, behind their primitives; nothing is added to the batch any more
  uint32_t unstored = 0;        ///< clears of what is not needed behind the batch, a bit each: see ends_unstored()
  Clears transient;         ///< those of them of which nothing comes to memory; each thread has rows of its own for the tile that it is in
  bool feeds_back = false;  ///< some draw reads its targets
  std::vector<uint64_t> previous;                 ///< parallel to tiles: the batch that touched the tile last, 0 = none
  std::vector<std::shared_ptr<const void>> kept;  ///< what its draws point to
  size_t kept_bytes = 0;
  size_t part_bytes = 0;  ///< of records in parts
  uint64_t work = 0;      ///< estimated drawing time of its primitives, in Draw::pixel_work
  uint64_t sequence = 0;
  std::atomic<uint64_t> claims = 0;    ///< a Claims; see Pool::claim()
  std::atomic<uint32_t> finished = 0;  ///< tiles
  std::atomic<uint32_t> few = 0;       ///< number of tiles too small to be split into several claims
  std::atomic<bool> alone = false;     ///< less than a claim in all, and the chip's thread is about to draw it; see Pool::claim()

  void add(const raster::Record& record);
  /// Records of a part from `first` on, of `draw`, which is in this batch; the batch keeps the part. Returns the first one that had no
  /// room: the batch is full then, and has at least one.
  size_t add(const std::shared_ptr<const Part>& part, size_t first, const Draw& draw);
  /// FillInput::unstored. All that uses the memory of `fill` is queued here or before, and has it as a target of exactly these rows,
  /// `depth` or colour: if the batch began with a clear of them, nothing of it is needed any more.
  void ends_unstored(const FillInput& fill, bool depth);
  /// Makes clears of what is unstored transient, if each thread has room for a tile.
  void begin_transient();
  /// Decides how the clears are done; where primitives touch few tiles, at once.
  void begin_clears(FilledTiles& filled, const std::function<void(const Clear&)>& fill_now);
  void begin_resolves(FilledTiles& filled);
  /// Tiles that no primitive has touched, but that a clear or a resolve does, become part of the batch.
  void add_other_tiles();
  size_t bytes() const { return arena.bytes() + part_bytes; }  ///< of primitives and bins
  bool empty() const { return tiles.empty() && clears.count == 0 && resolves.count == 0; }
  /// Lists of tiles do not count before they are long: few draws of a large target would be a batch, and each batch reads and writes the
  /// target once.
  bool full() const { return bytes() > kBytes + tiles.size() * sizeof(BinChunk) || kept_bytes > kKeptBytes; }
  static constexpr size_t kBytes = size_t{1} << 20, kKeptBytes = size_t{16} << 20;
};

class Pool final : private Team::Source {
 public:
  static constexpr size_t kBatches = 4;

  Pool(Team& team, Cpu cpu, Memory& memory, ReportQueue& reports);
  ~Pool();

  /// Before the first extended draw (docs/r5x.md): gives the threads what those need.
  void begin_extended();

  /// Does a clear at once, as a whole; before the first batch.
  std::function<void(const Clear&)> fill_now;
  FilledTiles filled_tiles;

  /// The batch that receives primitives now. The chip's thread only, like everything except interrupt().
  Batch& open() { return *open_; }
  const Batch& open() const { return *open_; }
  /// Hands the open batch to the workers and opens another one.
  void submit();
  /// submit(), if an awake helper is idle and the open batch holds enough work. Between two draws.
  void offer();
  bool would_offer() const;
  /// Returns after everything is drawn, or dropped after interrupt().
  void drain();
  bool idle() const { return open_->empty() && open_->sequence == drained_ + 1; }

  /// Pixels counted since the last call; after drain().
  uint64_t take_zpass();
  uint64_t take_runs();  ///< extended::PixelWorker::runs
  /// Pixels that were drawn by rows (hw/radeon/fast/blit). Any thread.
  uint64_t stretched() const;
  /// Number of the draw that exhausted its instruction budget, 0: none.
  uint64_t lost_draw() const { return lost_draw_.load(std::memory_order_relaxed); }

  /// From any thread: workers drop their work until resume().
  void interrupt();
  void resume();

 private:
  struct Claim {
    Batch* batch = nullptr;
    uint32_t first = 0, end = 0;
  };
  Batch& at(uint64_t sequence) { return *batch_[sequence % kBatches]; }
  const Batch& at(uint64_t sequence) const { return *batch_[sequence % kBatches]; }
  /// Batch::alone is the chip's thread's: another one would fetch from its cache for longer than it draws.
  Claim claim(uint32_t seat);
  void draw_tiles(Worker& worker, const Claim& claim);
  void wait_for_previous(const Batch& batch, uint32_t index) const;
  uint32_t fill_tiles(Worker& worker, const Claim& claim, uint32_t first);
  uint32_t clear_tiles(const Claim& claim, uint32_t first);
  void begin_own_rows(uint32_t targets);
  void submit_for(bool waits);
  void call(uint64_t work, uint64_t least);
  void call_more(const Claim& claim, std::chrono::nanoseconds took);
  void help(uint64_t sequence);
  // Team::Source
  bool work(uint32_t seat) override;
  bool pending() const override;

  Team& team_;
  ReportQueue& reports_;
  const Cpu cpu_;
  const TileRoutines routines_;
  std::array<std::unique_ptr<Batch>, kBatches> batch_;
  Batch* open_ = nullptr;
  uint64_t drained_ = 0;                           ///< the last batch known to be finished
  ZeroPages<uint64_t> last_batch_{Batch::kTiles};  ///< by tile
  ZeroPages<uint64_t> tile_done_{Batch::kTiles};   ///< by tile: the last batch that was drawn there; atomic
  std::vector<std::unique_ptr<Worker>> workers_;   ///< by seat; [0]: the chip's thread
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> lost_draw_ = 0;

  alignas(64) std::atomic<uint64_t> submitted_ = 0;  ///< batches up to here
  alignas(64) std::atomic<uint64_t> completed_ = 0;  ///< all batches up to here are drawn; changes under the mutex
  std::atomic<uint64_t> claiming_ = 1;               ///< no batch before it has unclaimed tiles
  std::mutex mutex_;
  std::condition_variable done_;
  bool waiting_ = false;  ///< the chip's thread waits on done_
};

}  // namespace pumice::hw::fast
