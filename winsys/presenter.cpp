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
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (...) {
    close(wake_);
    throw;
  }
}

Presenter::~Presenter() {
  {
    std::lock_guard lock(mutex_);
    hurry_ = stop_ = true;
  }
  wake();
  thread_.join();
  close(wake_);
}

void Presenter::wake() { eventfd_write(wake_, 1); }

void Presenter::push(const Frame& frame) {
  uint32_t replaced = kNoImage;
  {
    std::lock_guard lock(mutex_);
    if (rules_.newest && !pending_.empty())
      replaced = std::exchange(pending_.front(), frame).image;
    else
      pending_.push_back(frame);
  }
  if (replaced != kNoImage && replaced != frame.image) done_(replaced, PresentStatus::ok);
  wake();
}

void Presenter::hurry() {
  std::unique_lock lock(mutex_);
  hurry_ = true;
  wake();
  idle_.wait(lock, [&] { return pending_.empty() && !busy_; });
}

void Presenter::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    lock.unlock();
    for (uint32_t image; (image = surface_->released()) != kNoImage;) done_(image, PresentStatus::ok);
    lock.lock();
    if (pending_.empty() && stop_) return;
    if (!pending_.empty() && (hurry_ || surface_->ready())) {
      const Frame frame = pending_.front();
      pending_.pop_front();
      busy_ = true;
      lock.unlock();
      Shown shown;
      try {
        shown = surface_->present(frame);
      } catch (const std::bad_alloc&) {
        // The frame is dropped, the next one may find memory.
      }
      if (shown.read) done_(frame.image, shown.status);
      lock.lock();
      busy_ = false;
      if (pending_.empty()) idle_.notify_all();
      continue;
    }
    lock.unlock();
    surface_->wait(wake_);
    eventfd_t count;
    eventfd_read(wake_, &count);
    lock.lock();
  }
}

}  // namespace pumice::winsys
