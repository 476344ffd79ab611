// SPDX-License-Identifier: MIT
/// Reports raised by blocks on any thread, queued for the chip's thread. Each text once per draw.
#pragma once
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::fast {

class ReportQueue {
 public:
  void add(uint64_t draw, ReportKind kind, const std::string& text) {
    std::lock_guard lock(mutex_);
    if (reports_.size() >= kMost) return;
    for (const DrawReport& r : reports_)
      if (r.draw == draw && r.kind == kind && r.text == text) return;
    reports_.push_back({draw, kind, text});
    some_.store(true, std::memory_order_relaxed);
  }
  std::vector<DrawReport> take() {
    if (!some_.load(std::memory_order_relaxed)) return {};
    std::lock_guard lock(mutex_);
    some_.store(false, std::memory_order_relaxed);
    return std::exchange(reports_, {});
  }

 private:
  static constexpr size_t kMost = 256;  ///< between two finish(); repeated reports are dropped later anyway
  std::atomic<bool> some_ = false;
  std::mutex mutex_;
  std::vector<DrawReport> reports_;
};

}  // namespace pumice::hw::fast
