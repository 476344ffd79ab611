// SPDX-License-Identifier: MIT
/// See crew.h.
#include "hw/cp/crew.h"

#include <algorithm>

#include "common/processors.h"
#include "common/spin.h"

namespace pumice::hw {

namespace {
constexpr uint32_t kMost = 4;
/// Long enough to bridge the packets between two clears, short enough to be nothing on an idle machine.
constexpr std::chrono::microseconds kLookOut{50};
}  // namespace

Crew::Crew(uint32_t threads)
    : threads_wanted_(threads ? std::min(threads, kMost) : std::min(processors(), kMost)) {}

Crew::~Crew() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
}

bool Crew::claim_first(uint32_t& part) {
  uint64_t now = unclaimed_.load(std::memory_order_acquire);
  while (first(now) < end(now))
    if (unclaimed_.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
      part = first(now);
      return true;
    }
  return false;
}

bool Crew::claim_last(uint32_t& part) {
  uint64_t now = unclaimed_.load(std::memory_order_acquire);
  while (first(now) < end(now))
    if (unclaimed_.compare_exchange_weak(now, now - (uint64_t{1} << 32), std::memory_order_acq_rel, std::memory_order_acquire)) {
      part = end(now) - 1;
      return true;
    }
  return false;
}

void Crew::execute(uint32_t parts, const Job& job) {
  if (alone() || parts < 2) {
    for (uint32_t i = 0; i < parts; ++i) job.call(job.part, i);
    return;
  }
  while (threads_.size() + 1 < threads_wanted_) threads_.emplace_back([this] { help(); });
  job_ = job;
  done_.store(0, std::memory_order_relaxed);
  // Who claims a part sees the job: unclaimed_ says all there is to know, so a helper that looked at an older job cannot be misled.
  unclaimed_.store(uint64_t{parts} << 32, std::memory_order_seq_cst);
  if (sleeping_.load(std::memory_order_seq_cst)) {
    { std::lock_guard lock(mutex_); }
    wake_.notify_all();
  }
  uint32_t mine = 0;
  for (uint32_t i; claim_first(i); ++mine) job.call(job.part, i);
  const auto all = [&] { return done_.load(std::memory_order_acquire) + mine == parts; };
  while (!spin_until(all, kLookOut)) std::this_thread::sleep_for(std::chrono::microseconds(20));  // a helper lost its processor
}

void Crew::help() {
  for (;;) {
    for (uint32_t i; claim_last(i);) {
      job_.call(job_.part, i);
      done_.fetch_add(1, std::memory_order_release);
    }
    const auto work = [&] {
      const uint64_t now = unclaimed_.load(std::memory_order_seq_cst);
      return first(now) < end(now) || stop_.load(std::memory_order_relaxed);
    };
    if (!spin_until(work, kLookOut)) {
      std::unique_lock lock(mutex_);
      sleeping_.fetch_add(1, std::memory_order_seq_cst);
      wake_.wait(lock, work);
      sleeping_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (stop_.load(std::memory_order_relaxed)) return;
  }
}

}  // namespace pumice::hw
