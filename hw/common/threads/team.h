// SPDX-License-Identifier: MIT
/// The threads that help the chip's thread: with tiles (fast/draw/pool.h) and with parts of large transfers (cp/crew.h). A helper sits on
/// one of threads - 1 seats, so that never more than `threads` work at once. Helpers are the team's own threads, which sleep until they
/// are called, and guests: threads of the host that have to wait for the chip anyway. A guest on a seat is a helper that need not be woken.
///
/// Helpers claim work from sources; whoever published it does all that nobody claims, so that it never depends on a helper.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pumice::hw {

class Team {
 public:
  class Source {
   public:
    /// Claims and does a piece of work as the helper on `seat`; false: there is none.
    virtual bool work(uint32_t seat) = 0;
    /// Whether there is something to claim. Sequentially consistent with the publication before call().
    virtual bool pending() const = 0;

   protected:
    ~Source() = default;
  };

  /// `threads` in all, the chip's among them; 0: one a processor.
  explicit Team(uint32_t threads);
  ~Team() { end(); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  uint32_t threads() const { return threads_wanted_; }
  /// Seats are numbered 1 .. threads() - 1; 0 is the chip's thread, which needs none.
  uint32_t seats() const { return threads_wanted_ - 1; }
  /// Helpers on seats: they work or look out for work.
  uint32_t awake() const { return awake_.load(std::memory_order_seq_cst); }

  /// Before the first call(), at most kSources of them.
  void add(Source& source);
  /// Work has been published that is worth `helpers` besides the caller: as many are on seats or woken.
  void call(uint32_t helpers);
  /// A guest helps until done(), or until there has been nothing to do for `patience`. Returns done(). Any thread.
  bool help_until(const std::function<bool()>& done, std::chrono::nanoseconds patience);
  /// Joins the threads; call() wakes nobody any more. There are no guests. For sources that go.
  void end();

 private:
  static constexpr size_t kSources = 2;
  void run();
  bool work(uint32_t seat);
  bool pending() const;
  uint32_t sit_down();           // mutex held; 0: all seats are taken
  void stand_up(uint32_t seat);  // mutex held

  const uint32_t threads_wanted_;
  std::array<Source*, kSources> sources_{};
  std::atomic<uint32_t> awake_ = 0;
  std::atomic<bool> end_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<uint32_t> free_;  ///< seats
  uint32_t sleeping_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace pumice::hw
