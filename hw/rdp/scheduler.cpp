// SPDX-License-Identifier: MIT
/// Threads by bands of scanlines.
#include "hw/rdp/scheduler.h"

#include <algorithm>

#include "hw/rdp/ref/extent.h"

namespace pumice::hw::rdp {
namespace {

constexpr unsigned kMaxThreads = 64;
/// Below this many scanlines of primitives waking the others costs more than it brings.
constexpr uint64_t kWorthwhileLines = 64;
/// Bands for each thread: enough that none waits long for another, few enough that most primitives lie in one.
constexpr int kBandsPerThread = 4;
constexpr int kLeastBand = 8;

}  // namespace

void Scheduler::set_threads(unsigned n) {
  flush();
  stop();
  n = std::clamp(n, 1u, kMaxThreads);
  painters_.resize(n);
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

void Scheduler::draw_bands(fast::Painter& painter) {
  for (int band; (band = next_band_.fetch_add(1, std::memory_order_relaxed)) < bands_;) {
    const LineRange lines{band_first_ + band * band_height_, band_first_ + (band + 1) * band_height_ - 1};
    for (const Job& j : jobs_)
      if (j.lines.first <= lines.last && lines.first <= j.lines.last)
        draw_lines({*j.state, *j.tmem, ram_}, j.primitive, execution, lines, painter);
  }
}

void Scheduler::worker(unsigned index) {
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    start_.wait(lock, [&] { return quit_ || (open_ && generation_ != seen); });
    if (quit_) return;
    seen = generation_;
    ++running_;
    lock.unlock();
    draw_bands(painters_[index]);
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

/// Do the primitive's scanlines touch disjoint memory?
bool Scheduler::separable(const State& s, const Primitive& p, int last_line) {
  if (s.color_image.size != k16b && s.color_image.size != k32b) return false;
  return rows_apart(s, p, last_line) && rows_aligned(s);
}

Fault Scheduler::draw(const std::shared_ptr<const State>& state, const std::shared_ptr<const Tmem>& tmem, const Primitive& primitive) {
  if (const Fault f = check_draw(*state); f != Fault::none) return f;
  const int last_line = std::min(primitive.yl, static_cast<int>(state->scissor.yl)) >> 2;
  if (last_line < 0) return Fault::none;
  if (threads_.empty()) {
    draw_lines({*state, *tmem, ram_, watcher}, primitive, execution, {}, painters_[0]);
    return Fault::none;
  }
  const Images images = images_of(*state);
  if (!(images == images_)) {
    flush();
    images_ = images;
  }
  if (!separable(*state, primitive, last_line)) {
    flush();
    draw_lines({*state, *tmem, ram_, watcher}, primitive, execution, {}, painters_[0]);
    return Fault::none;
  }
  const int first_line = std::max(primitive.yh, static_cast<int>(state->scissor.yh)) >> 2;
  if (first_line > last_line) return Fault::none;
  if (states_.empty() || states_.back() != state) states_.push_back(state);
  if (tmems_.empty() || tmems_.back() != tmem) tmems_.push_back(tmem);
  jobs_.push_back({state.get(), tmem.get(), {first_line, last_line}, primitive});
  const uint64_t pixels = state->color_image.width * (static_cast<uint64_t>(last_line) + 1);
  color_ = {images.address & ~3u, std::max(color_.end, images.address + (pixels << (images.size - 1)))};
  if (state->modes.z_update_en()) depth_ = {images.z_address & ~3u, std::max(depth_.end, images.z_address + 2 * pixels)};
  lines_ = {std::min(lines_.first, first_line), std::max(lines_.last, last_line)};
  line_count_ += static_cast<uint64_t>(last_line - first_line + 1);
  if (jobs_.size() >= kMaxJobs) flush();
  return Fault::none;
}

void Scheduler::flush() {
  if (jobs_.empty()) return;
  const bool share = line_count_ >= kWorthwhileLines;
  {
    const std::lock_guard lock(mutex_);
    const int height = lines_.last - lines_.first + 1, wanted = kBandsPerThread * (static_cast<int>(threads_.size()) + 1);
    band_first_ = lines_.first & ~3;
    band_height_ = share ? std::max((height / wanted + 3) & ~3, kLeastBand) : height + 4;
    bands_ = (lines_.last - band_first_) / band_height_ + 1;
    next_band_ = 0;
    open_ = share;
    ++generation_;
  }
  if (share) start_.notify_all();
  draw_bands(painters_[0]);
  if (share) {
    std::unique_lock lock(mutex_);
    open_ = false;
    done_.wait(lock, [&] { return running_ == 0; });
  }
  jobs_.clear();
  states_.clear();
  tmems_.clear();
  color_ = depth_ = {};
  lines_ = {INT32_MAX, -1};
  line_count_ = 0;
}

void Scheduler::flush_range(uint64_t first, uint64_t end) {
  const Range r{first, end};
  if (!jobs_.empty() && (r.overlaps(color_) || r.overlaps(depth_))) flush();
}

}  // namespace pumice::hw::rdp
