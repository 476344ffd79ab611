// SPDX-License-Identifier: MIT
/// Threads by scanlines.
#include "hw/rdp/scheduler.h"

#include <algorithm>

namespace pumice::hw::rdp {
namespace {

constexpr unsigned kMaxThreads = 64;
/// Below this many scanlines waking the others costs more than it brings.
constexpr uint64_t kWorthwhileLines = 64;

}  // namespace

void Scheduler::set_threads(unsigned n) {
  flush();
  stop();
  n = std::min(n, kMaxThreads);
  painters_.resize(std::max(n, 1u));
  for (unsigned i = 1; i < n; ++i) threads_.emplace_back([this, i] { worker(i); });
}

void Scheduler::stop() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  start_.notify_all();
  for (std::thread& t : threads_) t.join();
  threads_.clear();
  quit_ = false;
  generation_ = 0;
}

void Scheduler::run(unsigned index, unsigned count) {
  for (const Job& j : jobs_) draw_lines({*j.state, *j.tmem, ram_}, j.primitive, execution, {index, count}, painters_[index]);
}

void Scheduler::worker(unsigned index) {
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    start_.wait(lock, [&] { return quit_ || generation_ != seen; });
    if (quit_) return;
    seen = generation_;
    const unsigned count = static_cast<unsigned>(threads_.size()) + 1;
    lock.unlock();
    run(index, count);
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

/// Do the primitive's scanlines touch disjoint memory?
bool Scheduler::separable(const State& s, const Primitive& p, int last_line) const {
  if (s.color_image.size != k16b && s.color_image.size != k32b) return false;
  // Last column that may be written. Fill and copy mode write the column that holds the right edge, too.
  const bool inclusive = s.cycle_type() == kFill || s.cycle_type() == kCopy;
  int64_t right = inclusive ? s.scissor.xl >> 2 : (static_cast<int64_t>(s.scissor.xl) + 3) / 4 - 1;
  if (inclusive && !p.dxhdy && !p.dxmdy && !p.dxldy) right = std::min<int64_t>(right, std::max({p.xh, p.xm, p.xl}) >> 16);
  if (right >= static_cast<int64_t>(s.color_image.width)) return false;
  if (!s.modes.z_compare_en() && !s.modes.z_update_en()) return true;
  const uint64_t pixels = s.color_image.width * (static_cast<uint64_t>(last_line) + 1);
  const uint64_t bytes = pixels << (s.color_image.size - 1);
  const Range color{s.color_image.address & ~3u, s.color_image.address + bytes}, depth{s.z_address & ~3u, s.z_address + 2 * pixels};
  return !color.overlaps(depth);
}

Fault Scheduler::draw(const std::shared_ptr<const State>& state, const std::shared_ptr<const Tmem>& tmem, const Primitive& primitive) {
  if (const Fault f = check_draw(*state); f != Fault::none) return f;
  const int last_line = std::min(primitive.yl, static_cast<int>(state->scissor.yl)) >> 2;
  if (last_line < 0) return Fault::none;
  const Images images = images_of(*state);
  if (!(images == images_)) {
    flush();
    images_ = images;
  }
  if (threads_.empty() || !separable(*state, primitive, last_line)) {
    flush();
    draw_lines({*state, *tmem, ram_}, primitive, execution, {}, painters_[0]);
    return Fault::none;
  }
  jobs_.push_back({state, tmem, primitive});
  const uint64_t pixels = state->color_image.width * (static_cast<uint64_t>(last_line) + 1);
  color_ = {images.address & ~3u, std::max(color_.end, images.address + (pixels << (images.size - 1)))};
  if (state->modes.z_update_en()) depth_ = {images.z_address & ~3u, std::max(depth_.end, images.z_address + 2 * pixels)};
  lines_ += static_cast<uint64_t>(std::max(0, last_line - (std::max(primitive.yh, 0) >> 2) + 1));
  if (jobs_.size() >= kMaxJobs) flush();
  return Fault::none;
}

void Scheduler::flush() {
  if (!jobs_.empty()) {
    if (lines_ < kWorthwhileLines) {
      run(0, 1);
    } else {
      {
        const std::lock_guard lock(mutex_);
        running_ = static_cast<unsigned>(threads_.size());
        ++generation_;
      }
      start_.notify_all();
      run(0, static_cast<unsigned>(threads_.size()) + 1);
      std::unique_lock lock(mutex_);
      done_.wait(lock, [&] { return running_ == 0; });
    }
    jobs_.clear();
  }
  color_ = depth_ = {};
  lines_ = 0;
}

void Scheduler::flush_range(uint64_t first, uint64_t end) {
  const Range r{first, end};
  if (!jobs_.empty() && (r.overlaps(color_) || r.overlaps(depth_))) flush();
}

}  // namespace pumice::hw::rdp
