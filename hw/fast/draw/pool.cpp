// SPDX-License-Identifier: MIT
/// See pool.h.
#include "hw/fast/draw/pool.h"

#include <algorithm>

#include "hw/fast/simd/flush.h"

namespace pumice::hw::fast {

void Batch::add(const raster::Record& record) {
  for (int32_t y = record.y0 >> raster::kTileLog2; y <= record.y1 >> raster::kTileLog2; ++y)
    for (int32_t x = record.x0 >> raster::kTileLog2; x <= record.x1 >> raster::kTileLog2; ++x) {
      const auto tile = static_cast<uint32_t>(y * raster::kTilesAcross + x);
      if (!bin[tile].first) tiles.push_back(tile);
      bin[tile].add(arena, record);
    }
}

bool Batch::full() const { return arena.bytes() > Pool::kBatchBytes || kept_bytes > Pool::kKeptBytes; }

Pool::Pool(uint32_t threads, Cpu cpu, Memory& memory, ReportQueue& reports)
    : threads_wanted_(threads), run_tile_(tile_routine(cpu)) {
  for (auto& b : batch_) b = std::make_unique<Batch>();
  for (uint32_t i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(memory, reports, stop_, lost_draw_));
  open_ = &at(1);
  open_->sequence = 1;
}

Pool::~Pool() {
  interrupt();
  {
    std::lock_guard lock(mutex_);
    end_ = true;
  }
  work_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void Pool::start_threads() {
  while (threads_.size() + 1 < threads_wanted_) threads_.emplace_back([this, &w = *workers_[threads_.size() + 1]] { work(w); });
}

void Pool::submit() {
  if (open_->empty()) return;
  start_threads();
  open_->claimed = open_->finished = 0;
  open_->previous.resize(open_->tiles.size());
  for (size_t i = 0; i < open_->tiles.size(); ++i) open_->previous[i] = std::exchange(last_batch_[open_->tiles[i]], open_->sequence);
  std::unique_lock lock(mutex_);
  submitted_ = open_->sequence;
  const bool wake = sleeping_ != 0 && open_->tiles.size() > 1;
  if (wake) work_.notify_all();
  const uint64_t next = submitted_ + 1;
  if (threads_.empty()) help(lock, submitted_);
  if (next > kBatches) help(lock, next - kBatches);  // back-pressure
  lock.unlock();
  open_ = &at(next);
  for (const uint32_t tile : open_->tiles) open_->bin[tile] = {};
  open_->tiles.clear();
  open_->kept.clear();
  open_->kept_bytes = 0;
  open_->arena.clear();
  open_->sequence = next;
}

void Pool::drain() {
  submit();
  std::unique_lock lock(mutex_);
  help(lock, submitted_);
  drained_ = submitted_;
}

/// Draws with the others until batch `sequence` is finished.
void Pool::help(std::unique_lock<std::mutex>& lock, uint64_t sequence) {
  if (completed_ >= sequence) return;
  const FlushDenormals flush;
  while (completed_ < sequence) {
    const Claim c = claim();
    if (!c.batch) {
      done_.wait(lock, [&] { return completed_ >= sequence; });
      return;
    }
    lock.unlock();
    draw_tile(*workers_[0], c);
    lock.lock();
    if (++c.batch->finished == c.batch->tiles.size())
      while (completed_ < submitted_ && at(completed_ + 1).finished == at(completed_ + 1).tiles.size()) ++completed_;
  }
}

void Pool::work(Worker& worker) {
  const FlushDenormals flush;
  std::unique_lock lock(mutex_);
  for (;;) {
    const Claim c = claim();
    if (!c.batch) {
      if (end_) return;
      ++sleeping_;
      work_.wait(lock);
      --sleeping_;
      continue;
    }
    lock.unlock();
    draw_tile(worker, c);
    lock.lock();
    if (++c.batch->finished == c.batch->tiles.size()) {
      while (completed_ < submitted_ && at(completed_ + 1).finished == at(completed_ + 1).tiles.size()) ++completed_;
      done_.notify_all();
    }
  }
}

Pool::Claim Pool::claim() {
  // A finished batch's place may hold a later one by now.
  for (claiming_ = std::max(claiming_, completed_ + 1); claiming_ <= submitted_; ++claiming_) {
    Batch& b = at(claiming_);
    if (b.claimed < b.tiles.size()) return {&b, b.claimed++};
  }
  return {};
}

void Pool::draw_tile(Worker& worker, const Claim& claim) {
  const uint32_t tile = claim.batch->tiles[claim.index];
  // All tiles of earlier batches are claimed already: whoever has the one before this is drawing it.
  const std::atomic_ref<uint64_t> done(tile_done_[tile]);
  for (uint32_t spins = 0; done.load(std::memory_order_acquire) < claim.batch->previous[claim.index]; ++spins)
    if (spins > 64) std::this_thread::yield();
  const auto x = static_cast<int32_t>(tile % raster::kTilesAcross), y = static_cast<int32_t>(tile / raster::kTilesAcross);
  if (!stop_.load(std::memory_order_relaxed) && !lost_draw())
    run_tile_(worker, claim.batch->bin[tile], x << raster::kTileLog2, y << raster::kTileLog2);
  done.store(claim.batch->sequence, std::memory_order_release);
}

uint64_t Pool::take_zpass() {
  uint64_t sum = 0;
  for (auto& w : workers_) sum += std::exchange(w->zpass, 0);
  return sum;
}

void Pool::interrupt() {
  stop_.store(true, std::memory_order_relaxed);
  for (auto& w : workers_) __atomic_store_n(&w->args.instructions_left, 0, __ATOMIC_RELAXED);
}

void Pool::resume() {
  stop_.store(false, std::memory_order_relaxed);
  lost_draw_.store(0, std::memory_order_relaxed);
}

}  // namespace pumice::hw::fast
