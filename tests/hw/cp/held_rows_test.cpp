// SPDX-License-Identifier: MIT
/// Rows that are held back (hw/radeon/cp/held_rows.h): which operations join, and that each is executed once, in order where they meet.
#include "hw/radeon/cp/held_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "hw/radeon/cp/transfer.h"

namespace pumice::hw::test {
namespace {

HeldRows::Operation scaling(uint64_t from, uint64_t to, uint32_t columns = 256, uint32_t rows = 200) {
  HeldRows::Operation o{.from = {from, 1024, 1024, 100}, .to = {to, uint64_t{columns} * 4, 4096, rows}, .scales = true};
  o.input.width = 256, o.input.height = 100;
  o.input.columns = columns, o.input.rows = rows;
  o.input.s_step = 1, o.input.t_step = 0.5f;
  return o;
}
HeldRows::Operation copying(uint64_t from, uint64_t to) { return {.from = {from, 1024, 1024, 200}, .to = {to, 1024, 4096, 200}}; }

constexpr uint64_t kA = 1 << 20, kB = 4 << 20, kC = 8 << 20, kD = 12 << 20;

TEST(HeldRows, OperationsJoinThatDoNotMeet) {
  HeldRows held;
  EXPECT_TRUE(held.joins(scaling(kA, kB)));
  held.add(scaling(kA, kB));
  EXPECT_TRUE(held.joins(scaling(kA, kC)));       // reads the same
  EXPECT_TRUE(held.joins(scaling(kC, kD)));       // neither
  EXPECT_TRUE(held.joins(scaling(kC, kB)));       // writes the same rows
  EXPECT_FALSE(held.joins(scaling(kC, kB + 4)));  // writes some of them
  EXPECT_FALSE(held.joins(scaling(kB, kC)));      // reads what is written
  EXPECT_FALSE(held.joins(scaling(kB + 4096 * 199 + 1023, kC)));
  EXPECT_TRUE(held.joins(scaling(kB + 4096 * 199 + 1024, kC)));
  EXPECT_FALSE(held.joins(scaling(kC, kA)));            // writes what is read
  EXPECT_FALSE(held.joins(scaling(kC, kD, 256, 100)));  // other parts
  EXPECT_FALSE(held.joins(scaling(kC, kD, 128)));
  EXPECT_FALSE(held.joins(copying(kC, kD)));
  EXPECT_TRUE(held.writes({kB + 8, kB + 9}));
  EXPECT_FALSE(held.writes({kA, kA + 8}));
  for (uint32_t i = 1; i < 64; ++i) held.add(scaling(kA, kB));
  EXPECT_FALSE(held.joins(scaling(kA, kB)));
}

/// Parts cover each destination once, and those at one place are in the order of the operations.
TEST(HeldRows, PartsAreWhole) {
  for (const uint32_t threads : {1u, 3u})
    for (const uint32_t columns : {64u, 1000u, 3000u}) {
      Team team(threads);
      Crew crew(team, transfer::kMostHelpers);
      HeldRows held;
      std::vector<std::byte> marks(3);
      for (std::byte& mark : marks) {
        for (const std::byte* m = marks.data(); m <= &mark; ++m) {
          HeldRows::Operation o = scaling(kA, kB, columns, 150);
          o.input.from = m;
          held.add(o);
        }
        std::mutex lock;
        std::vector<uint32_t> times(columns * 150 * marks.size());
        std::map<std::pair<uint32_t, uint32_t>, std::vector<const std::byte*>> order;
        held.run(crew, [&](const ScaleInput& input, const RowsPart& p) {
          const std::lock_guard guard(lock);
          order[{p.x, p.y}].push_back(input.from);
          for (uint32_t y = p.y; y < p.y + p.rows; ++y)
            for (uint32_t x = p.x; x < p.x + p.columns; ++x)
              ++times.at((static_cast<size_t>(input.from - marks.data()) * 150 + y) * columns + x);
        });
        const size_t count = static_cast<size_t>(&mark - marks.data()) + 1;
        for (size_t i = 0; i < times.size(); ++i) ASSERT_EQ(times[i], i < count * columns * 150 ? 1u : 0u) << i;
        for (const auto& [at, from] : order) {
          ASSERT_EQ(from.size(), count);
          EXPECT_TRUE(std::is_sorted(from.begin(), from.end()));
        }
        EXPECT_TRUE(held.empty());
      }
    }
}

}  // namespace
}  // namespace pumice::hw::test
