// SPDX-License-Identifier: MIT
/// See pool.h.
#include "hw/radeon/fast/draw/pool.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/spin.h"
#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/draw/held_fills.h"
#include "hw/radeon/fast/extended/pixel.h"

namespace pumice::hw::fast {

namespace {

static_assert(Batch::kTiles < 1u << Claims::kTileBits);

// Work is counted in Draw::pixel_work: 64 are about a nanosecond.
/// Fixed cost of a primitive in a tile.
constexpr uint64_t kShapeWork = 3200;
/// To clear a target's tile.
constexpr uint64_t kClearWork = 8000;
constexpr uint64_t work_of(std::chrono::nanoseconds time) { return static_cast<uint64_t>(time.count()) * 64; }
/// Minimum work per helper: waking one takes some 5 us on some machines and 50 us on others.
constexpr uint64_t kHelperWork = 2'000'000;
/// The same where batch follows batch and helpers stay awake: up to twice as many as are awake.
constexpr uint64_t kFollowingWork = 500'000;
/// Minimum work of one claim, if that much is left: smaller claims cost more than they distribute.
constexpr uint64_t kClaimWork = 400'000;
constexpr uint32_t kMostClaimed = 64;
/// Of a batch that one thread draws alone, this part is timed before the rest is claimed.
constexpr uint32_t kTimedPart = 4;
/// How long the chip's thread spins for helpers to finish before it sleeps.
constexpr std::chrono::microseconds kLookOut{50};

constexpr int32_t tile_of(int32_t pixel) { return pixel >> raster::kTileLog2; }

/// Batch::work of a primitive.
uint64_t work_of(const raster::Record& r) {
  const auto tiles = static_cast<uint64_t>(tile_of(r.x1) - tile_of(r.x0) + 1) * static_cast<uint64_t>(tile_of(r.y1) - tile_of(r.y0) + 1);
  const auto area = static_cast<uint64_t>(r.x1 - r.x0 + 1) * static_cast<uint64_t>(r.y1 - r.y0 + 1);
  return tiles * kShapeWork + (r.edges ? area / 2 : area) * r.draw->pixel_work;
}

/// A record in the bins of the tiles that `box`, a Record or a Part::Entry, touches.
template <class Box>
void bin_record(Batch& batch, const Box& box, const raster::Record& record) {
  for (int32_t y = tile_of(box.y0); y <= tile_of(box.y1); ++y)
    for (int32_t x = tile_of(box.x0); x <= tile_of(box.x1); ++x) {
      const uint32_t tile = raster::tile_number(x, y);
      Bin& b = batch.bin[tile];
      if (!b.first) batch.tiles.push_back(tile);
      b.add(batch.arena, record);
    }
}

}  // namespace

void Part::add(raster::Record& r) {
  entries.push_back({&r, r.x0, r.y0, r.x1, r.y1});
  work += work_of(r);
}

void Batch::add(const raster::Record& record) {
  bin_record(*this, record, record);
  work += work_of(record);
}

size_t Batch::add(const std::shared_ptr<const Part>& part, size_t first, const Draw& draw) {
  const std::vector<Part::Entry>& entries = part->entries;
  if (first == entries.size()) return first;
  kept.push_back(part);
  part_bytes += part->arena.bytes();
  if (first == 0) work += part->work;
  size_t i = first;
  do {
    const Part::Entry& e = entries[i++];
    // Mostly the record names it already: a write would fetch a line that another thread has made.
    if (part->draw != &draw) e.record->draw = &draw;
    bin_record(*this, e, *e.record);
  } while (i < entries.size() && arena.bytes() <= kBytes + tiles.size() * sizeof(BinChunk));
  return i;
}

void Batch::ends_unstored(const FillInput& f, bool depth) {
  for (uint32_t i = 0; i < clears.count; ++i)
    if (clears.clear[i].depth == depth && same_rows(input_of(clears.clear[i]), f)) unstored |= 1u << i;
}

void Batch::begin_transient() {
  const uint32_t which = feeds_back ? 0 : unstored;
  unstored = 0;
  for (uint32_t i = clears.count; i-- > 0;) {
    const Clear& c = clears.clear[i];
    if (!(which >> i & 1) || c.pitch * c.samples * raster::kTile > Worker::kOwnBytes || !resolves.whole(c)) continue;
    transient.clear[transient.count++] = c;
    clears.clear[i] = clears.clear[--clears.count];
  }
}

void Batch::begin_clears(FilledTiles& filled, const std::function<void(const Clear&)>& fill_now) {
  const int32_t across = (clears.width() - 1) >> raster::kTileLog2, down = (clears.height() - 1) >> raster::kTileLog2;
  // Long rows are filled faster than tiles, which pays off where tiles are drawn to at once.
  const bool behind = std::any_of(clears.clear, clears.clear + clears.count, [](const Clear& c) { return c.behind; });
  if (!behind && 4 * tiles.size() < 3 * static_cast<size_t>(across + 1) * static_cast<size_t>(down + 1)) {
    for (uint32_t i = 0; i < clears.count; ++i) fill_now(clears.clear[i]);
    clears.count = 0;
    return;
  }
  for (uint32_t i = 0; i < clears.count; ++i) filled.begin(clears.clear[i], arena);
}

void Batch::begin_resolves(FilledTiles& filled) {
  for (uint32_t i = 0; i < resolves.count; ++i) {
    Resolve& r = resolves.resolve[i];
    r.own = find(transient, r.input.source);
    if (r.own < transient.count)
      filled.resolve_drawn(r, transient.clear[r.own], tiles, {bin.data(), bin.size()}, arena);
    else
      filled.resolve(r, arena);
  }
}

void Batch::add_other_tiles() {
  int32_t across = tile_of(clears.width() + raster::kTile - 1), down = tile_of(clears.height() + raster::kTile - 1);
  for (uint32_t i = 0; i < resolves.count; ++i)
    across = std::max(across, resolves.resolve[i].across()), down = std::max(down, resolves.resolve[i].down());
  for (int32_t y = 0; y < down; ++y)
    for (int32_t x = 0; x < across; ++x) {
      const uint32_t tile = raster::tile_number(x, y);
      const int32_t tile_x = x << raster::kTileLog2, tile_y = y << raster::kTileLog2;
      if (!bin[tile].first && (stale(clears, tile_x, tile_y) != 0 || any(resolves, tile_x, tile_y))) tiles.push_back(tile);
    }
  work += tiles.size() * kClearWork * (clears.count + resolves.count);
}

Pool::Pool(Team& team, Cpu cpu, Memory& memory, ReportQueue& reports)
    : team_(team), reports_(reports), cpu_(cpu), routines_(tile_routines(cpu)) {
  for (auto& b : batch_) b = std::make_unique<Batch>();
  for (uint32_t i = 0; i < team.threads(); ++i) {
    workers_.push_back(std::make_unique<Worker>(memory, reports, stop_, lost_draw_));
    workers_.back()->stretch = stretch::routine(cpu);
  }
  open_ = &at(1);
  open_->sequence = 1;
  team.add(*this);
}

Pool::~Pool() {
  interrupt();
  team_.end();
}

void Pool::begin_extended() {
  for (auto& w : workers_)
    if (!w->pixel) add_pixel_worker(*w, reports_, cpu_);
}

/// Allocates every thread's rows for that many transient targets, before their batch is submitted.
void Pool::begin_own_rows(uint32_t targets) {
  for (auto& w : workers_)
    for (uint32_t i = 0; i < targets; ++i)
      if (!w->own_rows[i]) w->own_rows[i].emplace(Worker::kOwnBytes + Worker::kOwnSlack);
}

void Pool::submit() { submit_for(false); }

void Pool::offer() {
  if (would_offer()) submit_for(true);
}

bool Pool::would_offer() const {
  if (open_->work < kHelperWork) return false;
  const bool free = completed_.load(std::memory_order_acquire) + kBatches > open_->sequence;  // otherwise it would have to wait
  return team_.awake() && free && !pending();
}

/// `waits`: the chip's thread draws until all is done.
void Pool::submit_for(bool waits) {
  if (open_->empty()) return;
  Batch& b = *open_;
  if (stop_.load(std::memory_order_relaxed)) b.clears.count = b.resolves.count = b.unstored = 0;
  if (b.unstored) {
    b.begin_transient();
    begin_own_rows(b.transient.count);
  }
  if (b.clears.count) b.begin_clears(filled_tiles, fill_now);
  if (!filled_tiles.empty()) filled_tiles.close(b.tiles, {b.bin.data(), b.bin.size()}, b.transient);
  if (b.resolves.count) b.begin_resolves(filled_tiles);
  if (b.clears.count || b.resolves.count) b.add_other_tiles();
  if (b.tiles.empty()) {
    b.clears.count = b.resolves.count = b.transient.count = 0;  // all tiles hold the pattern already
    return;
  }
  b.finished.store(0, std::memory_order_relaxed);
  b.previous.resize(b.tiles.size());
  for (size_t i = 0; i < b.tiles.size(); ++i) b.previous[i] = std::exchange(last_batch_[b.tiles[i]], b.sequence);
  b.few.store(static_cast<uint32_t>(std::min<uint64_t>(kClaimWork * b.tiles.size() / (b.work + 1) + 1, kMostClaimed)),
              std::memory_order_relaxed);
  b.alone.store(waits && b.few.load(std::memory_order_relaxed) >= b.tiles.size(), std::memory_order_relaxed);
  b.claims.store(Claims::begin(b.sequence, b.tiles.size()), std::memory_order_release);
  submitted_.store(b.sequence, std::memory_order_seq_cst);
  if (team_.seats() && b.tiles.size() > 1) call(b.work, waits ? 0 : 1);  // a thread that continues binning draws nothing meanwhile
  const uint64_t next = b.sequence + 1;
  if (!team_.seats()) help(b.sequence);
  if (next > kBatches) help(next - kBatches);  // back-pressure
  open_ = &at(next);
  for (const uint32_t tile : open_->tiles) open_->bin[tile] = {};
  open_->tiles.clear();
  open_->clears.count = open_->resolves.count = open_->transient.count = open_->unstored = 0;
  open_->feeds_back = false;
  open_->kept.clear();
  open_->kept_bytes = 0;
  open_->part_bytes = 0;
  open_->work = 0;
  open_->arena.clear();
  open_->sequence = next;
}

void Pool::drain() {
  submit_for(true);
  const uint64_t last = submitted_.load(std::memory_order_relaxed);
  help(last);
  drained_ = last;
}

/// Draws alongside the helpers until batch `sequence` is finished.
void Pool::help(uint64_t sequence) {
  const auto finished = [&] { return completed_.load(std::memory_order_acquire) >= sequence; };
  while (!finished() && work(0)) {
  }
  if (spin_until(finished, kLookOut)) return;
  std::unique_lock lock(mutex_);
  waiting_ = true;
  done_.wait(lock, finished);
  waiting_ = false;
}

bool Pool::work(uint32_t seat) {
  const Claim c = claim(seat);
  if (!c.batch) return false;
  const bool others = c.batch->alone.load(std::memory_order_relaxed) ? team_.seats() > 0 : team_.awake() < team_.seats();
  const bool timed = others && Claims::left(c.batch->claims.load(std::memory_order_relaxed)) > 0;
  const auto begin = timed ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
  {
    const FlushDenormals flush;
    draw_tiles(*workers_[seat], c);
  }
  if (timed) call_more(c, std::chrono::steady_clock::now() - begin);
  // The thread that finishes a batch advances completed_ over all consecutive finished batches.
  const auto count = static_cast<uint32_t>(c.end - c.first), all = static_cast<uint32_t>(c.batch->tiles.size());
  if (c.batch->finished.fetch_add(count, std::memory_order_acq_rel) + count != all) return true;
  std::lock_guard lock(mutex_);
  uint64_t done = completed_.load(std::memory_order_relaxed);
  for (const uint64_t last = submitted_.load(std::memory_order_acquire); done < last; ++done) {
    const Batch& b = at(done + 1);
    if (b.finished.load(std::memory_order_acquire) != b.tiles.size()) break;
  }
  completed_.store(done, std::memory_order_release);
  if (waiting_) done_.notify_all();
  return true;
}

/// Calls the helpers that `work` is worth, but not less than `least`.
void Pool::call(uint64_t work, uint64_t least) {
  const uint64_t worth = std::max(work / kHelperWork, std::min<uint64_t>(work / kFollowingWork, uint64_t{2} * team_.awake()));
  team_.call(static_cast<uint32_t>(std::min<uint64_t>(std::max(worth, least), team_.seats())));
}

/// For what is left of a batch if its other tiles take as long as those of `claim` took.
void Pool::call_more(const Claim& claim, std::chrono::nanoseconds took) {
  const uint64_t left = Claims::left(claim.batch->claims.load(std::memory_order_relaxed));
  const uint64_t work = left * work_of(took) / (claim.end - claim.first);
  if (work >= kHelperWork) claim.batch->alone.store(false, std::memory_order_seq_cst);
  call(work, 0);
}

bool Pool::pending() const {
  const uint64_t last = submitted_.load(std::memory_order_seq_cst);
  for (uint64_t n = std::max(claiming_.load(std::memory_order_relaxed), completed_.load(std::memory_order_relaxed) + 1); n <= last; ++n) {
    const uint64_t claims = at(n).claims.load(std::memory_order_acquire);
    if (Claims::of(claims, n) && Claims::left(claims)) return !at(n).alone.load(std::memory_order_relaxed);
  }
  return false;
}

Pool::Claim Pool::claim(uint32_t seat) {
  const uint64_t last = submitted_.load(std::memory_order_acquire);
  // The slot of a finished batch may hold a later one by now: the sequence number in `claims` shows it.
  for (uint64_t n = std::max(claiming_.load(std::memory_order_relaxed), completed_.load(std::memory_order_relaxed) + 1); n <= last; ++n) {
    Batch& b = at(n);
    uint64_t claims = b.claims.load(std::memory_order_acquire);
    while (Claims::of(claims, n) && Claims::left(claims)) {
      // At most one share of the remaining work, so that all threads finish at about the same time. (`few` is this batch's if the exchange
      // succeeds.)
      const uint32_t left = Claims::left(claims), threads = team_.threads();
      const uint32_t few = std::max(b.few.load(std::memory_order_relaxed), 1u);
      const bool alone = b.alone.load(std::memory_order_relaxed);
      if (alone && seat) return {};
      // The first part of the tiles shows whether the estimate holds, see call_more().
      const uint32_t count = !alone                       ? std::min(few, (left + 2 * threads - 1) / (2 * threads))
                             : Claims::first(claims) == 0 ? (left + kTimedPart - 1) / kTimedPart
                                                          : left;
      const uint64_t rest = seat ? Claims::without_last(claims, count) : Claims::without_first(claims, count);
      if (!b.claims.compare_exchange_weak(claims, rest, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
      if (seat) return {&b, Claims::end(rest), Claims::end(claims)};
      return {&b, Claims::first(claims), Claims::first(rest)};
    }
    // It has no unclaimed tiles, and never will have: batches begin in order.
    uint64_t known = claiming_.load(std::memory_order_relaxed);
    while (known <= n && !claiming_.compare_exchange_weak(known, n + 1, std::memory_order_relaxed)) {
    }
  }
  return {};
}

/// Clears the tile `first` of the claim, and those behind it that nothing is drawn in. Returns the end of the tiles that are cleared.
uint32_t Pool::clear_tiles(const Claim& claim, uint32_t first) {
  const Batch& batch = *claim.batch;
  const auto x = static_cast<int32_t>(batch.tiles[first] % raster::kTileStride),
             y = static_cast<int32_t>(batch.tiles[first] / raster::kTileStride);
  const int32_t tile_x = x << raster::kTileLog2, tile_y = y << raster::kTileLog2;
  const auto clear = [&](uint32_t which, uint32_t tiles) {
    fill(batch.clears, which, tile_x, tile_y, static_cast<int32_t>(tiles));
    return first + tiles;
  };
  const uint32_t which = stale(batch.clears, tile_x, tile_y);
  if (const BinChunk* chunk = batch.bin[batch.tiles[first]].first)
    return clear(which & needed(batch.clears, *chunk->record[0], tile_x, tile_y), 1);
  uint32_t end = first + 1;
  for (; end < claim.end && batch.tiles[end] == batch.tiles[end - 1] + 1 && !batch.bin[batch.tiles[end]].first; ++end) {
    if (stale(batch.clears, tile_x + static_cast<int32_t>(end - first) * raster::kTile, tile_y) != which) break;
    wait_for_previous(batch, end);
  }
  return clear(which, end - first);
}

/// Adjacent tiles often begin with the same clear: rows across them are several times as fast as rows of one tile. Fills the run that
/// begins at the claim's tile `first` and returns the end of the tiles whose first primitive is drawn with that.
uint32_t Pool::fill_tiles(Worker& worker, const Claim& claim, uint32_t first) {
  const Batch& batch = *claim.batch;
  const raster::Record* const record = batch.bin[batch.tiles[first]].first->record[0];
  uint32_t end = first + 1;
  // The last tile of a row and the first of the next do not have consecutive numbers.
  while (end < claim.end && batch.tiles[end] == batch.tiles[end - 1] + 1 && batch.bin[batch.tiles[end]].first->record[0] == record) ++end;
  if (end - first < 2 || record->edges) return first;
  for (uint32_t i = first; i < end; ++i) wait_for_previous(batch, i);
  const auto x = static_cast<int32_t>(batch.tiles[first] % raster::kTileStride),
             y = static_cast<int32_t>(batch.tiles[first] / raster::kTileStride);
  const bool filled = routines_.fill(worker, *record, x << raster::kTileLog2, y << raster::kTileLog2, static_cast<int32_t>(end - first));
  return filled ? end : first;
}

/// All tiles of earlier batches are claimed already: the thread that claimed the preceding one is drawing it, or tiles before it.
void Pool::wait_for_previous(const Batch& batch, uint32_t index) const {
  const std::atomic_ref<uint64_t> done(tile_done_[batch.tiles[index]]);
  for (uint32_t spins = 0; done.load(std::memory_order_acquire) < batch.previous[index]; ++spins)
    if (spins > 64) std::this_thread::yield();
}

void Pool::draw_tiles(Worker& worker, const Claim& claim) {
  const Batch& batch = *claim.batch;
  uint32_t filled = claim.first;  // tiles up to here have their first primitive
  uint32_t cleared = batch.clears.count ? claim.first : claim.end;
  for (uint32_t i = claim.first; i < claim.end; ++i) {
    const uint32_t tile = batch.tiles[i];
    wait_for_previous(batch, i);
    const auto x = static_cast<int32_t>(tile % raster::kTileStride), y = static_cast<int32_t>(tile / raster::kTileStride);
    if (!stop_.load(std::memory_order_relaxed) && !lost_draw()) {
      if (i >= cleared) cleared = clear_tiles(claim, i);
      if (i >= filled && !batch.clears.count && !batch.resolves.count && !batch.transient.count) filled = fill_tiles(worker, claim, i);
      if (batch.transient.count && batch.bin[tile].first)
        begin_own_targets(worker, batch.transient, x << raster::kTileLog2, y << raster::kTileLog2);
      routines_.run(worker, batch.bin[tile], x << raster::kTileLog2, y << raster::kTileLog2, i < filled ? 1 : 0);
      if (batch.resolves.count) resolve(cpu_, batch.resolves, own_targets(worker), x << raster::kTileLog2, y << raster::kTileLog2);
      if (batch.transient.count) end_own_targets(worker);
    }
    std::atomic_ref<uint64_t>(tile_done_[tile]).store(batch.sequence, std::memory_order_release);
  }
}

uint64_t Pool::take_zpass() {
  uint64_t sum = 0;
  for (auto& w : workers_) sum += std::exchange(w->zpass, 0) + (w->pixel ? std::exchange(w->pixel->zpass, 0) : 0);
  return sum;
}

uint64_t Pool::take_runs() {
  uint64_t sum = 0;
  for (auto& w : workers_) sum += w->pixel ? std::exchange(w->pixel->runs, 0) : 0;
  return sum;
}

uint64_t Pool::stretched() const {
  uint64_t sum = 0;
  for (const auto& w : workers_) sum += w->stretched.load(std::memory_order_relaxed);
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
