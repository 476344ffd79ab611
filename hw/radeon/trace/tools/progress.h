// SPDX-License-Identifier: MIT
/// A line on stderr now and then that says how far a replay is and how fast: each second on a terminal (over the line before), else each
/// ten seconds. Short replays say nothing.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

class Progress {
 public:
  explicit Progress(std::string name);
  /// Removes the line from the terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  /// Draws that have been executed. Any thread.
  void at(const Player& player, uint64_t draws);

 private:
  using Clock = std::chrono::steady_clock;
  const std::string name_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace pumice::hw::trace
