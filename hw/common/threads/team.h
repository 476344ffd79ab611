// SPDX-License-Identifier: MIT
/// The threads that help the chip's thread: with tiles (hw/radeon/fast/draw/pool.h), dispatches and parts of jobs (crew.h). A helper
/// occupies one of threads - 1 seats, so that never more than `threads` work at once. Helpers are the team's own threads, which sleep until
/// woken, and guests: host threads that have to wait for the chip anyway. A guest on a seat is a helper that need not be woken.
///
/// Helpers claim work from sources; the publishing thread does all unclaimed work itself, so progress never depends on a helper.
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

#include "common/processors.h"

namespace pumice::hw {

class Team {
 public:
  class Source {
   public:
    /// Claims and executes one work item as the helper on `seat`; false when there is none.
    virtual bool work(uint32_t seat) = 0;
    /// Whether there is unclaimed work. Sequentially consistent with the publication before call().
    virtual bool pending() const = 0;

   protected:
    ~Source() = default;
  };

  /// `threads` in total, including the chip's thread; 0: one per processor.
  explicit Team(uint32_t threads);
  ~Team() { end(); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  uint32_t threads() const { return threads_wanted_; }
  /// Seats are numbered 1 .. threads() - 1; 0 is the chip's thread, which needs none.
  uint32_t seats() const { return threads_wanted_ - 1; }
  /// The number of helpers on seats: working or polling for work.
  uint32_t awake() const { return awake_.load(std::memory_order_seq_cst); }

  /// The chip's thread says that it runs, and when it begins to sleep: helpers and guests do not poll for its work on its own processor.
  void chip_runs() { chip_on_.store(current_processor(), std::memory_order_relaxed); }
  void chip_sleeps() { chip_on_.store(kAsleep, std::memory_order_relaxed); }

  /// Before the first call(), at most kSources of them. `urgent`: helpers look there before they look at other sources.
  void add(Source& source, bool urgent = false);
  /// Signals that work for `helpers` threads besides the caller has been published: wakes threads until that many are on seats.
  void call(uint32_t helpers);
  /// The calling thread helps as a guest until done(), or until it has been idle for `patience`. Returns done(). Any thread.
  bool help_until(const std::function<bool()>& done, std::chrono::nanoseconds patience);
  /// Joins the threads; afterwards call() has no effect. There must be no guests. Called before sources are destroyed.
  void end();

 private:
  static constexpr size_t kSources = 4;
  static constexpr int kAsleep = -2;
  void run();
  bool work(uint32_t seat);
  bool pending() const;
  bool on_chips_processor() const { return chip_on_.load(std::memory_order_relaxed) == current_processor(); }
  uint32_t to_notify();  // mutex held; how many helpers the caller wakes, without it
  void notify(uint32_t helpers);
  uint32_t sit_down();           // mutex held; 0: all seats are taken
  void stand_up(uint32_t seat);  // mutex held

  const uint32_t threads_wanted_;
  std::array<Source*, kSources> sources_{};
  std::atomic<uint32_t> awake_ = 0;
  std::atomic<int> chip_on_ = kAsleep;  ///< the processor of the chip's thread
  std::atomic<bool> end_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<uint32_t> free_;  ///< seats
  uint32_t sleeping_ = 0;
  uint32_t to_wake_ = 0;  ///< by the helpers that were woken
  std::vector<std::thread> threads_;
};

}  // namespace pumice::hw
