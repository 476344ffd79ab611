// SPDX-License-Identifier: MIT
#include "winsys/presenter.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

namespace pumice::winsys {

void Surface::wait(int wake) {
  pollfd p{wake, POLLIN, 0};
  poll(&p, 1, -1);
}

Presenter::Presenter(std::unique_ptr<Surface> surface, const PresentRules& rules, Done done)
    : surface_(std::move(surface)), rules_(rules), done_(std::move(done)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (wake_ < 0) throw std::system_error(errno, std::generic_category());
  if (surface_->collects()) return;
  try {
    thread_ = std::thread([this] { loop(); });
    has_thread_ = true;
  } catch (...) {
    close(wake_);
    throw;
  }
}

void Presenter::start_thread() {
  std::lock_guard lock(mutex_);
  if (has_thread_ || stop_) return;
  try {
    thread_ = std::thread([this] { loop(); });
    has_thread_.store(true, std::memory_order_release);
  } catch (const std::system_error&) {
  }
}

Presenter::~Presenter() {
  hurry();
  if (thread_.joinable()) {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake();
    thread_.join();
  }
  close(wake_);
}

void Presenter::abandon() {
  {
    std::lock_guard lock(mutex_);
    stop_ = abandoned_ = true;
    pending_.clear();
  }
  wake();
  if (thread_.joinable()) thread_.join();
  static_cast<void>(surface_.release());
}

void Presenter::wake() { eventfd_write(wake_, 1); }

void Presenter::report(const std::vector<Released>& finished) const {
  for (const Released& r : finished) done_(r.image, r.status);
}

void Presenter::show(const Frame& frame, std::vector<Released>& finished) {
  Shown shown;
  try {
    shown = surface_->present(frame);
  } catch (const std::bad_alloc&) {
    // The frame is dropped, the next one may find memory.
  }
  if (shown.read) finished.push_back({frame.image, shown.status});
}

void Presenter::show_pending(std::vector<Released>& finished) {
  while (!pending_.empty() && (hurry_ || surface_->ready())) {
    const Frame frame = pending_.front();
    pending_.pop_front();
    show(frame, finished);
  }
}

void Presenter::take_released(std::vector<Released>& finished) {
  for (Released r; (r = surface_->released()).image != kNoImage;) finished.push_back(r);
}

bool Presenter::look(bool block) {
  while (surface_->collect(block)) block = false;
  std::vector<Released> finished;
  {
    std::lock_guard lock(mutex_);
    take_released(finished);
    show_pending(finished);
  }
  report(finished);
  return !finished.empty();
}

void Presenter::push(const Frame& frame) {
  std::vector<Released> finished;
  bool waits = false;
  {
    std::lock_guard lock(mutex_);
    if (rules_.newest && !pending_.empty()) {
      const uint32_t replaced = std::exchange(pending_.front(), frame).image;
      if (replaced != frame.image) finished.push_back({replaced});
    } else {
      pending_.push_back(frame);
    }
    show_pending(finished);
    waits = !pending_.empty() && !has_thread_;
  }
  report(finished);
  if (waits) start_thread();
  if (has_thread())
    wake();
  else if (waits)
    hurry();  // the system has no thread left
}

void Presenter::hurry() {
  std::vector<Released> finished;
  {
    std::lock_guard lock(mutex_);
    hurry_ = true;
    show_pending(finished);
  }
  report(finished);
}

void Presenter::loop() {
  for (;;) {
    std::vector<Released> finished;
    {
      std::lock_guard lock(mutex_);
      if (abandoned_) return;
      take_released(finished);
      show_pending(finished);
      if (stop_) return;
    }
    report(finished);
    surface_->wait(wake_);
    eventfd_t count;
    eventfd_read(wake_, &count);
  }
}

}  // namespace pumice::winsys
