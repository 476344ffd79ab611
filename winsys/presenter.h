// SPDX-License-Identifier: MIT
/// A thread that hands the frames of one swapchain to its window, so that neither the application nor the queue waits for the window
/// system.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "winsys/winsys.h"

namespace pumice::winsys {

class Presenter {
 public:
  /// `done` is called when the window system has read an image, or will not read it, with what showing it told of the window. On the
  /// presenter's thread or in push(); without a lock of the presenter. Throws std::system_error without a thread.
  using Done = std::function<void(uint32_t image, PresentStatus status)>;
  Presenter(std::unique_ptr<Surface> surface, const PresentRules& rules, Done done);
  /// Shows what is left, without waiting for refreshes. The window system may still hold images: they are not reported any more.
  ~Presenter();

  /// The pixels must stay until done(). Any thread. Throws bad_alloc.
  void push(const Frame& frame);
  /// From now on frames do not wait for refreshes. Returns when all that have been pushed are with the window system.
  void hurry();

 private:
  void loop();
  void wake();

  std::unique_ptr<Surface> surface_;
  const PresentRules rules_;
  const Done done_;
  const int wake_;  ///< an eventfd
  std::mutex mutex_;
  std::condition_variable idle_;
  // Under mutex_:
  std::deque<Frame> pending_;
  bool busy_ = false, hurry_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace pumice::winsys
