// SPDX-License-Identifier: MIT
/// Batches of binned shapes and the threads that draw them. A batch's tiles are claimed one by one, oldest batch first; a tile waits for
/// the same tile of the batch before, so every pixel sees shapes in API order whoever draws it. The chip's thread helps whenever it waits.
///
/// Memory is bounded: kBatches batches, each closed when its arena passes kBatchBytes or what its draws keep passes kKeptBytes. Who needs
/// another one waits (and helps).
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "common/zero_pages.h"
#include "hw/fast/draw/reports.h"
#include "hw/fast/draw/worker.h"

namespace pumice::hw::fast {

struct Batch {
  static constexpr size_t kTiles = size_t{raster::kTilesAcross} * raster::kTilesAcross;
  Arena arena;
  ZeroPages<Bin> bin{kTiles};                     ///< by tile
  std::vector<uint32_t> tiles;                    ///< those with shapes, in the order they were first touched
  std::vector<uint64_t> previous;                 ///< parallel to tiles: the batch that touched the tile last, 0 = none
  std::vector<std::shared_ptr<const void>> kept;  ///< what its draws point to
  size_t kept_bytes = 0;
  uint64_t sequence = 0;
  size_t claimed = 0, finished = 0;  ///< tiles, under the pool's mutex once submitted

  void add(const raster::Record& record);
  bool empty() const { return tiles.empty(); }
  bool full() const;
};

class Pool {
 public:
  static constexpr size_t kBatches = 4;
  static constexpr size_t kBatchBytes = size_t{2} << 20, kKeptBytes = size_t{16} << 20;

  /// `threads` that draw, the caller's among them.
  Pool(uint32_t threads, Cpu cpu, Memory& memory, ReportQueue& reports);
  ~Pool();

  /// The batch that takes shapes now. The chip's thread only, like everything but interrupt().
  Batch& open() { return *open_; }
  /// Hands the open batch to the workers and opens another one.
  void submit();
  /// Returns when everything is drawn, or dropped after interrupt().
  void drain();
  bool idle() const { return open_->empty() && open_->sequence == drained_ + 1; }

  /// Pixels counted since the last call; after drain().
  uint64_t take_zpass();
  /// Number of the draw that spent its instructions, 0: none.
  uint64_t lost_draw() const { return lost_draw_.load(std::memory_order_relaxed); }

  /// From any thread: workers drop what they have until resume().
  void interrupt();
  void resume();

 private:
  struct Claim {
    Batch* batch = nullptr;
    size_t index = 0;
  };
  Batch& at(uint64_t sequence) { return *batch_[sequence % kBatches]; }
  Claim claim();  // mutex held
  void draw_tile(Worker& worker, const Claim& claim);
  void help(std::unique_lock<std::mutex>& lock, uint64_t sequence);
  void work(Worker& worker);
  void start_threads();

  const uint32_t threads_wanted_;
  const TileRoutine run_tile_;
  std::array<std::unique_ptr<Batch>, kBatches> batch_;
  Batch* open_ = nullptr;
  uint64_t drained_ = 0;                                ///< the last batch known to be finished
  ZeroPages<uint64_t> last_batch_{Batch::kTiles};  ///< by tile
  ZeroPages<uint64_t> tile_done_{Batch::kTiles};   ///< by tile: the last batch that was drawn there; atomic
  std::vector<std::unique_ptr<Worker>> workers_;        ///< [0]: the chip's thread
  std::vector<std::thread> threads_;
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> lost_draw_ = 0;

  std::mutex mutex_;
  std::condition_variable work_, done_;
  uint64_t submitted_ = 0, completed_ = 0, claiming_ = 1;  ///< batches up to here; claiming_: the oldest with unclaimed tiles
  uint32_t sleeping_ = 0;
  bool end_ = false;
};

}  // namespace pumice::hw::fast
