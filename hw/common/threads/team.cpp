// SPDX-License-Identifier: MIT
/// See team.h.
#include "hw/common/threads/team.h"

#include <algorithm>
#include <system_error>

#include "common/processors.h"
#include "common/spin.h"

namespace pumice::hw {

namespace {
/// How long a team thread that had work polls for more before it sleeps: long enough to bridge the packets between two clears or two
/// passes, short enough to be negligible on an idle machine.
constexpr std::chrono::microseconds kLookOut{50};
/// How many threads one wakes: each takes some microseconds, during which the caller does nothing else, and those that wake go on.
constexpr uint32_t kWakes = 4;
/// How long waking a thread on another processor that is not idle for long takes.
constexpr std::chrono::microseconds kWakeUp{10};
}  // namespace

Team::Team(uint32_t threads) : threads_wanted_(threads ? threads : processors()) {
  for (uint32_t seat = seats(); seat > 0; --seat) free_.push_back(seat);
}

void Team::add(Source& source, bool urgent) {
  const auto end = std::find(sources_.begin(), sources_.end(), nullptr);
  *end = &source;
  if (urgent) std::rotate(sources_.begin(), end, end + 1);
}

bool Team::work(uint32_t seat) {
  for (Source* s : sources_)
    if (s && s->work(seat)) return true;
  return false;
}

bool Team::pending() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const Source* s) { return s && s->pending(); });
}

uint32_t Team::sit_down() {
  if (free_.empty()) return 0;
  const uint32_t seat = free_.back();
  free_.pop_back();
  awake_.fetch_add(1, std::memory_order_seq_cst);
  return seat;
}

void Team::stand_up(uint32_t seat) {
  free_.push_back(seat);
  // A publisher that still saw this thread awake did not wake a helper, so this thread must check for pending work once more.
  awake_.fetch_sub(1, std::memory_order_seq_cst);
  if (sleeping_ && pending()) wake_.notify_one();
}

void Team::call(uint32_t helpers) {
  helpers = std::min(helpers, seats());
  if (awake() >= helpers) return;
  uint32_t now = 0;
  {
    std::lock_guard lock(mutex_);
    if (end_.load(std::memory_order_relaxed)) return;
    const uint32_t missing = helpers - std::min(helpers, awake());
    try {
      for (uint32_t asleep = sleeping_; asleep < missing && threads_.size() < seats(); ++asleep) threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {  // the system has no threads left: the caller does all unclaimed work
    }
    to_wake_ = std::min(missing, sleeping_);
    now = to_notify();
  }
  notify(now);
}

uint32_t Team::to_notify() {
  const uint32_t now = std::min(to_wake_, kWakes);
  to_wake_ -= now;
  return now;
}

void Team::notify(uint32_t helpers) {
  for (; helpers > 0; --helpers) wake_.notify_one();
}

void Team::run() {
  std::unique_lock lock(mutex_);
  while (!end_.load(std::memory_order_relaxed)) {
    const uint32_t seat = pending() ? sit_down() : 0;
    if (!seat) {
      ++sleeping_;
      wake_.wait(lock);
      --sleeping_;
      continue;
    }
    const uint32_t others = to_notify();
    lock.unlock();
    notify(others);
    do {
      while (work(seat)) {
      }
    } while (spin_until([this] { return pending() || end_.load(std::memory_order_relaxed); }, kLookOut,
                        [this] { return on_chips_processor(); }) &&
             !end_.load(std::memory_order_relaxed));
    lock.lock();
    stand_up(seat);
  }
}

bool Team::help_until(const std::function<bool()>& done, std::chrono::nanoseconds patience) {
  if (done()) return true;
  uint32_t seat = 0;
  if (seats()) {
    std::lock_guard lock(mutex_);
    seat = sit_down();
  }
  // The chip's thread may have been woken on this processor, where it cannot run before this thread yields.
  const auto begin = std::chrono::steady_clock::now();
  bool yielded = false;
  const auto in_vain = [&] {
    if (!yielded && chip_on_.load(std::memory_order_relaxed) == kAsleep && std::chrono::steady_clock::now() - begin > kWakeUp) {
      yielded = true;
      std::this_thread::yield();
    }
    return on_chips_processor();
  };
  if (!seat) return spin_until(done, patience, in_vain);
  bool is_done = false;
  do {
    while (!(is_done = done()) && work(seat)) {
    }
  } while (!is_done && spin_until([&] { return (is_done = done()) || pending(); }, patience, in_vain));
  {
    std::lock_guard lock(mutex_);
    stand_up(seat);
  }
  return is_done || done();
}

void Team::end() {
  {
    std::lock_guard lock(mutex_);
    end_.store(true, std::memory_order_relaxed);
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

}  // namespace pumice::hw
