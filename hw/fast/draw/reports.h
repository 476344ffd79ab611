// SPDX-License-Identifier: MIT
/// Reports that blocks make on whatever thread, kept for the chip's thread. Once a draw and text.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "hw/draw/draw.h"

namespace pumice::hw::fast {

class ReportQueue {
 public:
  void add(uint64_t draw, ReportKind kind, const std::string& text) {
    std::lock_guard lock(mutex_);
    if (reports_.size() >= kMost) return;
    for (const DrawReport& r : reports_)
      if (r.draw == draw && r.kind == kind && r.text == text) return;
    reports_.push_back({draw, kind, text});
  }
  std::vector<DrawReport> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(reports_, {});
  }

 private:
  static constexpr size_t kMost = 256;  ///< between two finish(); a flood is thinned out later anyway
  std::mutex mutex_;
  std::vector<DrawReport> reports_;
};

}  // namespace pumice::hw::fast
