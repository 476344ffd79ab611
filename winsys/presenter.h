// SPDX-License-Identifier: MIT
/// Hands the frames of one swapchain to its window, so that neither the application nor the queue waits for the window system. A frame that
/// the window takes at once is handed over by the thread that pushes it. A thread of its own hands over those that have to wait, and
/// receives the window system's replies; where the window allows it (Surface::collects), that thread begins with the first frame that has
/// to wait, and until then look() collects the replies.
#pragma once
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "winsys/winsys.h"

namespace pumice::winsys {

class Presenter {
 public:
  /// `done` is called when the window system has read an image, or will not read it, with what showing it told of the window. On the
  /// presenter's thread, in push(), hurry() or look(); without a lock of the presenter. Throws std::system_error without a thread.
  using Done = std::function<void(uint32_t image, PresentStatus status)>;
  Presenter(std::unique_ptr<Surface> surface, const PresentRules& rules, Done done);
  /// Shows what is left, without waiting for refreshes. The window system may still hold images: they are not reported any more.
  ~Presenter();

  /// The pixels must stay until done(). Any thread. Throws bad_alloc.
  void push(const Frame& frame);
  /// From now on frames do not wait for refreshes. Returns when all that have been pushed are with the window system.
  void hurry();
  /// Whether done() is called without look(). Otherwise only look() calls it for frames that the window was given.
  bool has_thread() const { return has_thread_.load(std::memory_order_acquire); }
  /// Makes it so; if the system has no thread left, nothing.
  void start_thread();
  /// Calls done() for what has been read; `block`: waits for a frame, if the window was given one. Returns whether it called it. Not while
  /// abandon() or the destructor runs.
  bool look(bool block);
  /// Ends the thread and drops what waits; the window is not touched any more, it may be gone.
  void abandon();

 private:
  void loop();
  void wake();
  /// mutex_ is held. What it adds to `finished` is for done_, without the mutex.
  void show(const Frame& frame, std::vector<Released>& finished);
  void show_pending(std::vector<Released>& finished);
  void take_released(std::vector<Released>& finished);
  void report(const std::vector<Released>& finished) const;

  std::unique_ptr<Surface> surface_;
  const PresentRules rules_;
  const Done done_;
  const int wake_;  ///< an eventfd
  std::mutex mutex_;
  // Under mutex_, as the surface's functions other than wait():
  std::deque<Frame> pending_;
  bool hurry_ = false, stop_ = false, abandoned_ = false;
  std::thread thread_;
  std::atomic<bool> has_thread_ = false;  ///< changes under mutex_
};

}  // namespace pumice::winsys
