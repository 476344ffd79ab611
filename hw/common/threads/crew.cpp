// SPDX-License-Identifier: MIT
/// See crew.h.
#include "hw/common/threads/crew.h"

#include <algorithm>

#include "common/processors.h"
#include "common/spin.h"

namespace pumice::hw {

namespace {
/// How long the chip's thread spins for the last parts before it assumes that a helper was preempted.
constexpr std::chrono::microseconds kLookOut{50};
}  // namespace

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
  job_ = job;
  done_.store(0, std::memory_order_relaxed);
  // A thread that claims a part also sees its job: unclaimed_ carries the whole claim state, so a helper with a stale job claims nothing.
  unclaimed_.store(uint64_t{parts} << 32, std::memory_order_seq_cst);
  team_.call(std::min(parts - 1, most_helpers_));
  uint32_t mine = 0;
  for (uint32_t i; claim_first(i); ++mine) job.call(job.part, i);
  const auto all = [&] { return done_.load(std::memory_order_acquire) + mine == parts; };
  while (!spin_until(all, kLookOut)) std::this_thread::sleep_for(std::chrono::microseconds(20));
}

bool Crew::work(uint32_t) {
  uint32_t part = 0;
  const bool few = helpers_.fetch_add(1, std::memory_order_relaxed) < most_helpers_;
  const bool claimed = few && claim_last(part);
  if (claimed) {
    job_.call(job_.part, part);
    done_.fetch_add(1, std::memory_order_release);
  }
  helpers_.fetch_sub(1, std::memory_order_relaxed);
  return claimed;
}

bool Crew::pending() const {
  const uint64_t now = unclaimed_.load(std::memory_order_seq_cst);
  return first(now) < end(now) && helpers_.load(std::memory_order_relaxed) < most_helpers_;
}

}  // namespace pumice::hw
