// SPDX-License-Identifier: MIT
/// See progress.h.
#include "hw/radeon/trace/tools/progress.h"

#include <unistd.h>

#include <cstdio>

namespace pumice::hw::trace {

namespace {

bool on_terminal() {
  static const bool is = isatty(STDERR_FILENO) != 0;
  return is;
}

std::chrono::seconds pause() { return std::chrono::seconds(on_terminal() ? 1 : 10); }

}  // namespace

Progress::Progress(std::string name) : name_(std::move(name)), next_(start_ + pause()) {}

Progress::~Progress() {
  if (next_ != start_ + pause() && on_terminal()) std::fputs("\r\033[K", stderr);
}

void Progress::at(const Player& player, uint64_t draws) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + pause();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr,
               on_terminal() ? "\r\033[K%s: %.0f %% of the file, draw %llu, %.1f draws/s, %.0f s"
                             : "%s: %.0f %% of the file, draw %llu, %.1f draws/s, %.0f s\n",
               name_.c_str(), 100 * player.progress(), static_cast<unsigned long long>(draws), static_cast<double>(draws) / seconds,
               seconds);
}

}  // namespace pumice::hw::trace
