// SPDX-License-Identifier: MIT
/// A routine that is compiled on demand, by the drawing thread whose blocks bring the count of missed uses to a threshold.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "hw/radeon/fast/extended/routine.h"

namespace pumice::hw::fast::extended {

/// Thread-safe.
class LaterRoutine {
 public:
  using Make = std::function<std::shared_ptr<const Routine>()>;
  /// `make`: called at most once, by any thread, with ordinary floats; null: there is none. `after`: uses without it before it is made.
  LaterRoutine(uint64_t after, Make make) : left_(int64_t(after)), make_(std::move(make)) {}
  /// Null until it is made, and where it cannot be made.
  const Routine* get() const { return ready_.load(std::memory_order_acquire); }
  /// So many more uses without it; makes it if they are enough.
  void missed(uint64_t uses);

 private:
  std::atomic<int64_t> left_;
  std::atomic<bool> begun_ = false;
  Make make_;
  std::shared_ptr<const Routine> made_;
  std::atomic<const Routine*> ready_ = nullptr;
};

}  // namespace pumice::hw::fast::extended
