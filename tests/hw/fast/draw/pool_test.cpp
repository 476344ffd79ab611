// SPDX-License-Identifier: MIT
/// The pool's bookkeeping with shapes that cover nothing: many small batches with back-pressure. A batch that is not claimed would never
/// end: the test's time limit says so.
#include "hw/radeon/fast/draw/pool.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace pumice::hw::fast {
namespace {

/// Adds a shape with that box in which all is outside, to a Batch or a Part.
template <class To>
void add_shape(To& to, const Draw& draw, int32_t first, int32_t last) {
  auto* record = new (to.arena.allocate(sizeof(raster::Record))) raster::Record{};
  record->draw = &draw;
  record->x0 = record->y0 = static_cast<int16_t>(first);
  record->x1 = record->y1 = static_cast<int16_t>(last);
  record->edges = 1;
  record->edge[0] = {-1, 0, 0};
  to.add(*record);
}

TEST(Pool, EveryBatchEnds) {
  const auto memory = Memory::create();
  Draw draw;
  draw.pixel_work = 2000;  // small batches are worth helpers
  for (const uint32_t threads : {1u, 2u, 5u}) {
    ReportQueue reports;
    Team team(threads);
    Pool pool(team, best_cpu(), *memory, reports);
    std::mt19937 random(threads);
    std::atomic<bool> end = false;
    std::thread guest([&] {
      while (!end) team.help_until([&] { return end.load(); }, std::chrono::microseconds(20));
    });
    uint64_t last = 0;
    for (int i = 0; i < 20000; ++i) {
      const uint32_t shapes = random() % 4;
      for (uint32_t n = 0; n < shapes; ++n) {
        Batch& batch = pool.open();
        const auto at = static_cast<int32_t>(random() % 8 * raster::kTile);
        add_shape(batch, draw, at, at);
      }
      if (random() % 3 == 0) {
        EXPECT_GE(pool.open().sequence, last);
        last = pool.open().sequence;
        pool.submit();
      }
      pool.offer();
      if (random() % 50 == 0) {
        pool.drain();
        ASSERT_TRUE(pool.idle());
        ASSERT_TRUE(pool.open().empty());
      }
    }
    pool.drain();
    end = true;
    guest.join();
    EXPECT_TRUE(pool.idle());
    EXPECT_GT(pool.open().sequence, 1000u);  // one for each submit() that had shapes
    EXPECT_EQ(pool.take_zpass(), 0u);
  }
}

TEST(Pool, ClaimsHoldAllTiles) {
  constexpr uint64_t kLast = (uint64_t{1} << Claims::kSequenceBits) - 1;
  for (const uint64_t sequence : {uint64_t{1}, kLast, kLast + 1, uint64_t{1} << 40}) {
    uint64_t claims = Claims::begin(sequence, Batch::kTiles);
    EXPECT_TRUE(Claims::of(claims, sequence));
    EXPECT_FALSE(Claims::of(claims, sequence + Pool::kBatches)) << "what comes to the same place";
    EXPECT_EQ(Claims::left(claims), Batch::kTiles);
    claims = Claims::without_last(claims, 5);
    EXPECT_EQ(Claims::end(claims), Batch::kTiles - 5);
    claims = Claims::without_first(claims, Batch::kTiles - 6);
    EXPECT_EQ(Claims::first(claims), Batch::kTiles - 6);
    EXPECT_EQ(Claims::left(claims), 1u);
    EXPECT_EQ(Claims::left(Claims::without_first(claims, 1)), 0u);
    EXPECT_TRUE(Claims::of(Claims::without_first(claims, 1), sequence));
    claims = Claims::without_last(claims, 1);
    EXPECT_EQ(Claims::left(claims), 0u);
    EXPECT_TRUE(Claims::of(claims, sequence));
  }
}

/// Has no work; knows if another thread has looked for some, and how often helpers expected some of any source.
class Onlooker final : public Team::Source {
 public:
  bool work(uint32_t) override {
    ++expected;
    return false;
  }
  bool pending() const override {
    if (std::this_thread::get_id() != test_) seen = true;
    return false;
  }
  mutable std::atomic<bool> seen = false;
  std::atomic<uint32_t> expected = 0;

 private:
  const std::thread::id test_ = std::this_thread::get_id();
};

struct WatchedPool {
  explicit WatchedPool(uint32_t threads) : team(threads) {
    team.add(onlooker);  // before the pool's own: helpers look there first
    pool = std::make_unique<Pool>(team, best_cpu(), *memory, reports);
  }
  /// Sixteen tiles that take some milliseconds, whatever the estimate.
  void draw_slowly(uint64_t estimate) {
    for (int i = 0; i < 20000; ++i) add_shape(pool->open(), draw, 0, 4 * raster::kTile - 1);
    pool->open().work = estimate;
    pool->drain();
  }
  const std::unique_ptr<Memory> memory = Memory::create();
  const Draw draw;
  ReportQueue reports;
  Onlooker onlooker;
  Team team;
  std::unique_ptr<Pool> pool;
};

// A batch that takes longer than estimated gets helpers as soon as some of its tiles are drawn, also if it seemed to be too small for that.
TEST(Pool, SlowTilesCallHelpers) {
  for (const uint64_t estimate : {0, 1'000'000}) {
    WatchedPool watched(3);
    watched.draw_slowly(estimate);
    while (!watched.onlooker.seen) std::this_thread::yield();
  }
}

// Helpers that need not be called see it, too.
TEST(Pool, SlowTilesAreSharedWithHelpersThatAreAwake) {
  WatchedPool watched(2);
  std::atomic<bool> end = false;
  std::thread guest([&] { watched.team.help_until([&] { return end.load(); }, std::chrono::hours(1)); });
  while (!watched.onlooker.seen) std::this_thread::yield();
  const uint32_t before = watched.onlooker.expected;
  while (watched.onlooker.expected == before) watched.draw_slowly(0);  // once, unless the guest does not run meanwhile
  end = true;
  guest.join();
}

// One shape over 16384 x 16384: more tiles than 16 bits count.
TEST(Pool, EveryTileOfTheLargestScreen) {
  const auto memory = Memory::create();
  Draw draw;
  draw.pixel_work = 1;
  ReportQueue reports;
  Team team(2);
  Pool pool(team, best_cpu(), *memory, reports);
  for (int round = 0; round < 2; ++round) {
    Batch& batch = pool.open();
    add_shape(batch, draw, 0, kMaxExtent - 1);
    ASSERT_EQ(batch.tiles.size(), size_t{raster::kTilesAcross} * raster::kTilesAcross);
    EXPECT_GT(batch.tiles.size(), 0xFFFFu);
    EXPECT_LT(batch.tiles.back(), Batch::kTiles);
    EXPECT_EQ(batch.tiles.back(), raster::tile_number(raster::kTilesAcross - 1, raster::kTilesAcross - 1));
    EXPECT_NE(batch.tiles[raster::kTilesAcross], batch.tiles[raster::kTilesAcross - 1] + 1) << "rows of tiles do not touch";
    pool.drain();
    EXPECT_TRUE(pool.idle());
  }
}

// Each batch reads and writes its target once: a target of 4096 x 4096 is not passed through memory for every few of its draws. What bounds
// a batch of small shapes stays.
TEST(Pool, ABatchHoldsSeveralDrawsOfALargeTarget) {
  const auto memory = Memory::create();
  const Draw draw;
  ReportQueue reports;
  Team team(1);
  Pool pool(team, best_cpu(), *memory, reports);
  const auto shapes_of_a_batch = [&](int32_t pixels) {
    Batch& batch = pool.open();
    int count = 0;
    for (; !batch.full(); ++count) add_shape(batch, draw, 0, pixels - 1);
    EXPECT_LE(batch.arena.bytes(), 2 * Batch::kBytes);
    pool.drain();
    return count;
  };
  EXPECT_GE(shapes_of_a_batch(4096), 16);
  EXPECT_LE(shapes_of_a_batch(1), int{Batch::kBytes / sizeof(raster::Record)} + 8);
}

// Made apart, records of shapes that touch many tiles fill more bins than a batch may have: the rest goes to the next one, with that one's
// draw.
TEST(Pool, BatchesShareAPartThatIsTooLargeForOne) {
  const auto memory = Memory::create();
  const Draw draws[8] = {};
  ReportQueue reports;
  Team team(2);
  Pool pool(team, best_cpu(), *memory, reports);
  pool.begin_extended();
  const auto part = std::make_shared<Part>();
  part->draw = &draws[0];
  constexpr size_t kShapes = 100;
  for (size_t i = 0; i < kShapes; ++i) add_shape(*part, draws[0], 0, 4095);
  size_t next = 0, batches = 0;
  for (size_t first = 0; next < kShapes; first = next, ++batches) {
    ASSERT_LT(batches, std::size(draws));
    Batch& batch = pool.open();
    next = batch.add(part, first, draws[batches]);
    ASSERT_GT(next, first);
    EXPECT_EQ(batch.full(), next < kShapes);
    EXPECT_LE(batch.arena.bytes(), 2 * Batch::kBytes);
    for (size_t i = first; i < next; ++i) ASSERT_EQ(part->entries[i].record->draw, &draws[batches]) << i;
    EXPECT_EQ(batch.kept.back(), part);
    pool.submit();
  }
  EXPECT_GT(batches, 1u);
  EXPECT_EQ(pool.open().add(part, kShapes, draws[0]), kShapes);
  EXPECT_TRUE(pool.open().kept.empty()) << "nothing of it is in the batch";
  pool.drain();
  EXPECT_TRUE(pool.idle());
}

TEST(Pool, InterruptedBatchesEndAndNewOnesStart) {
  const auto memory = Memory::create();
  const Draw draw;
  ReportQueue reports;
  Team team(3);
  Pool pool(team, best_cpu(), *memory, reports);
  for (int i = 0; i < 200; ++i) {
    Batch& batch = pool.open();
    add_shape(batch, draw, 0, 1000);
    pool.submit();
    if (i % 7 == 0) pool.interrupt();
    pool.drain();
    ASSERT_TRUE(pool.idle());
    pool.resume();
  }
}

}  // namespace
}  // namespace pumice::hw::fast
