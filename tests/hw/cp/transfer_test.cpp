// SPDX-License-Identifier: MIT
/// Large transfers by one, two and three threads against the plain definition; the crew's promise that each part runs once.
#include "hw/radeon/cp/transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "hw/common/threads/crew.h"

namespace pumice::hw::test {
namespace {

TEST(Crew, EachPartRunsOnceWhoeverDoesIt) {
  for (const uint32_t threads : {1u, 2u, 3u}) {
    Team team(threads);
    Crew crew(team, transfer::kMostHelpers);
    for (uint32_t round = 0; round < 3000; ++round) {
      const uint32_t parts = round % 17;
      std::array<std::atomic<uint32_t>, 17> times{};
      crew.run(parts, [&](uint32_t i) { times[i].fetch_add(1, std::memory_order_relaxed); });
      for (uint32_t i = 0; i < times.size(); ++i) ASSERT_EQ(times[i].load(), i < parts ? 1u : 0u) << threads << " " << round;
    }
  }
}

struct Case {
  uint64_t row, rows, to_pitch, from_pitch;
};
constexpr Case kCases[] = {{4096, 1024, 4096, 4096}, {4000, 900, 4096, 4032},
                           {3 << 20, 1, 0, 0},       {(1 << 20) + 12, 3, 1 << 20 | 64, 1 << 20 | 128},
                           {20, 40000, 64, 128},     {(2 << 20) + 4, 2, 3 << 20, 3 << 20}};

TEST(Transfer, FillsAndCopiesAreWhatRowsSay) {
  std::vector<std::byte> to(8 << 20), expected, from(8 << 20);
  std::mt19937 rng(7);
  std::generate(from.begin(), from.end(), [&] { return std::byte(rng()); });
  for (const uint32_t threads : {1u, 2u, 3u}) {
    Team team(threads);
    Crew crew(team, transfer::kMostHelpers);
    for (const Case& c : kCases)
      for (const uint32_t pixel : {1u, 2u, 4u}) {
        const uint32_t at = pixel * 3, value = 0x81726354;
        expected = to;
        for (uint64_t y = 0; y < c.rows; ++y)
          for (uint64_t x = 0; x < c.row; x += pixel) std::memcpy(&expected[at + y * c.to_pitch + x], &value, pixel);
        transfer::fill(crew, to.data() + at, c.to_pitch, c.row, c.rows, value, pixel);
        ASSERT_TRUE(to == expected) << threads << " fill " << c.row << "x" << c.rows;
        for (uint64_t y = 0; y < c.rows; ++y) std::memcpy(&expected[at + y * c.to_pitch], &from[5 + y * c.from_pitch], c.row);
        transfer::copy(crew, to.data() + at, c.to_pitch, from.data() + 5, c.from_pitch, c.row, c.rows, false);
        ASSERT_TRUE(to == expected) << threads << " copy " << c.row << "x" << c.rows;
      }
  }
}

/// The 2D engine reads the source first: up or down, whatever the overlap.
TEST(Transfer, OverlapsMoveLikeMemmove) {
  constexpr uint64_t kPitch = 2048, kRow = 2000, kRows = 1000;
  std::mt19937 rng(3);
  Team team(2);
  Crew crew(team, transfer::kMostHelpers);
  std::vector<std::byte> memory(4 << 20), expected;
  for (const int64_t distance : {-5 * 2048 - 100, -2048, -40, -1, 0, 1, 64, 2048, 2049, 700 * 2048}) {
    std::generate(memory.begin(), memory.end(), [&] { return std::byte(rng()); });
    expected = memory;
    const uint64_t from = 100000;
    for (uint64_t y = 0; y < kRows; ++y) std::memcpy(&expected[from + distance + y * kPitch], &memory[from + y * kPitch], kRow);
    transfer::copy(crew, &memory[from + distance], kPitch, &memory[from], kPitch, kRow, kRows, distance > 0);
    ASSERT_TRUE(memory == expected) << distance;
  }
}

}  // namespace
}  // namespace pumice::hw::test
