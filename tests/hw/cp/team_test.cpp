// SPDX-License-Identifier: MIT
/// The team: who helps, how many at once, and that no helper sleeps while there is work. A lost wake-up shows as the test's time
/// limit.
#include "hw/common/threads/team.h"

#include <gtest/gtest.h>

#include <random>

namespace pumice::hw::test {
namespace {

/// So many pieces, each claimed once.
class Pieces final : public Team::Source {
 public:
  std::atomic<int> left = 0, done = 0;
  std::atomic<int> inside = 0, most_inside = 0;
  std::atomic<uint32_t> wrong_seats = 0, seats = 0;

  bool work(uint32_t seat) override {
    int now = left.load();
    do {
      if (now <= 0) return false;
    } while (!left.compare_exchange_weak(now, now - 1));
    const int others = ++inside;
    for (int most = most_inside; most < others && !most_inside.compare_exchange_weak(most, others);) {
    }
    if (seat == 0 || seat > 31 || seats.fetch_or(1u << seat) >> seat & 1) ++wrong_seats;  // no two share a seat
    for (int i = 0; i < 100; ++i) spin_ = i;
    seats.fetch_and(~(1u << seat));
    --inside;
    ++done;
    return true;
  }
  bool pending() const override { return left.load() > 0; }

 private:
  std::atomic<int> spin_ = 0;
};

#if defined(__linux__)
/// A guest on the processor of the chip's thread would only keep it from working: it gives up at once, whatever its patience.
TEST(Team, NoGuestPollsOnTheChipsProcessor) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(current_processor()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  for (const uint32_t threads : {1u, 2u}) {
    Team team(threads);
    team.chip_runs();
    EXPECT_FALSE(team.help_until([] { return false; }, std::chrono::hours(1)));
  }
  EXPECT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}
#endif

/// One piece for each of so many helpers, none of which ends before all have come.
class Meeting final : public Team::Source {
 public:
  std::atomic<uint32_t> left = 0, here = 0, gone = 0;
  bool work(uint32_t) override {
    uint32_t now = left.load();
    do {
      if (now == 0) return false;
    } while (!left.compare_exchange_weak(now, now - 1));
    ++here;
    while (here < wanted_) std::this_thread::yield();
    ++gone;
    return true;
  }
  bool pending() const override { return left.load() > 0; }
  void begin(uint32_t helpers) { wanted_ = helpers, here = gone = 0, left = helpers; }

 private:
  std::atomic<uint32_t> wanted_ = 0;
};

// More than one thread wakes.
TEST(Team, AllHelpersOfALargeTeamCome) {
  constexpr uint32_t kHelpers = 23;
  Meeting meeting;
  Team team(kHelpers + 1);
  team.add(meeting);
  for (int round = 0; round < 50; ++round) {
    meeting.begin(kHelpers);
    team.call(kHelpers);
    while (meeting.gone < kHelpers) std::this_thread::yield();
    if (round % 2 == 0)  // the next call finds them asleep
      while (team.awake() != 0) std::this_thread::yield();
  }
  team.end();
}

TEST(Team, CalledHelpersDoAll) {
  for (const uint32_t threads : {2u, 3u, 7u}) {
    Pieces pieces;
    Team team(threads);
    team.add(pieces);
    std::mt19937 random(threads);
    int sum = 0;
    for (int round = 0; round < 400; ++round) {
      const int count = 1 + static_cast<int>(random() % 5);
      sum += count;
      pieces.left += count;
      team.call(1 + random() % threads);
      // The caller does nothing itself: a helper must come. The next call finds the helpers at work, polling, or all asleep.
      if (random() % 4) continue;
      while (pieces.done != sum) std::this_thread::yield();
      if (random() % 16 == 0)
        while (team.awake() != 0) std::this_thread::yield();
    }
    while (pieces.done != sum) std::this_thread::yield();
    EXPECT_EQ(pieces.wrong_seats, 0u);
    EXPECT_LE(pieces.most_inside, static_cast<int>(threads - 1));
    team.end();
  }
}

TEST(Team, GuestsTakeSeatsAndLeaveThem) {
  for (const uint32_t threads : {1u, 2u, 3u}) {
    Pieces pieces;
    Team team(threads);
    team.add(pieces);
    std::atomic<bool> end = false;
    std::vector<std::thread> guests;
    for (int i = 0; i < 4; ++i)
      guests.emplace_back([&] {
        for (int n = 0; !end; ++n) {
          int looks = 0;
          team.help_until([&] { return end || ++looks > 20; }, std::chrono::microseconds(n % 2 * 20));
        }
      });
    int sum = 0;
    for (int round = 0; round < 300; ++round) {
      pieces.left += 3;
      sum += 3;
      team.call(threads);
      if (threads > 1)
        while (pieces.done != sum) std::this_thread::yield();  // also when a guest whom call() counted on has just gone
    }
    end = true;
    for (std::thread& g : guests) g.join();
    EXPECT_EQ(pieces.done, threads > 1 ? sum : 0);  // one thread in all: the chip's
    EXPECT_EQ(pieces.wrong_seats, 0u);
    EXPECT_LE(pieces.most_inside, static_cast<int>(threads - 1));
    EXPECT_EQ(team.awake() > threads - 1, false);
    team.end();
  }
}

TEST(Team, AGuestAloneDoesWhatNobodyIsCalledFor) {
  Pieces pieces;
  Team team(2);
  team.add(pieces);
  pieces.left = 100;
  EXPECT_TRUE(team.help_until([&] { return pieces.done == 100; }, std::chrono::microseconds(0)));
  EXPECT_FALSE(team.help_until([] { return false; }, std::chrono::microseconds(50)));  // nothing to do: patience ends
  EXPECT_EQ(team.awake(), 0u);
  pieces.left = 5;
  EXPECT_TRUE(team.help_until([&] { return pieces.done == 102; }, std::chrono::hours(1)));  // leaves in between
  EXPECT_EQ(pieces.left, 3);
}

}  // namespace
}  // namespace pumice::hw::test
