// SPDX-License-Identifier: MIT
/// VkQueue. Work runs strictly in order. A batch that needs only the chip is started by the submitting thread, as long as no earlier batch
/// is queued for the queue's thread; its fence is signalled when the chip completes it. Everything else (host steps, waits for
/// unsignalled semaphores, and batches behind those) goes to the queue's thread, which finishes each batch before it takes the next.
/// Presents of such batches are shown by the thread that notices the chip's end, which is mostly the chip's: no thread wakes for them.
/// Those that may take long (Swapchain::prompt) go to the queue's thread.
///
/// Device::begin() and execute() may be called by the queue's thread while `busy_` is set, otherwise by the holder of Device::sync_mutex.
///
/// A semaphore may be signalled as soon as its batch has started: a waiting batch runs either on the chip, after that batch, or on the
/// queue's thread, which waits for the chip before it accesses memory.
///
/// A wait for a binary semaphore is for a signal that has been submitted before it (Vulkan demands that), here or by
/// vkAcquireNextImageKHR. With one queue the signal so always comes: a wait without one is reported and left out when it is submitted.
#pragma once
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "common/spin.h"
#include "icd/device.h"
#include "icd/sync.h"

namespace pumice::icd {

class Swapchain;

struct Present {
  Swapchain* swapchain;
  uint32_t image;
};

struct Batch {
  std::vector<SemaphoreOp> waits, signals;
  std::vector<const Commands*> buffers;
  std::vector<Present> presents;  ///< shown when the buffers have finished
  Fence* fence = nullptr;
  std::shared_ptr<const SharedSignal> exported;  ///< a sync file, signalled with the fence or in its place, and when the device is lost
};

/// How long a thread that waits for the chip looks out, for the end and for work it may take part in, before it sleeps: about what waking
/// it costs, and what a command stream takes before there is work to share.
inline constexpr std::chrono::microseconds kLookOut{100};

class Queue : public Object {
 public:
  using Handle = VkQueue;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_QUEUE;
  explicit Queue(Device& device);
  ~Queue();

  /// `function` is the Vulkan function, for reports.
  VkResult submit(std::vector<Batch>&& batches, const char* function);
  VkResult wait_idle();
  /// Waits until ready(), which only progress of the chip or of the queue changes, or the device is lost; a moment awake, then asleep.
  template <class Ready>
  VkResult wait(Ready ready, uint64_t timeout_ns);
  /// Signals the fences that the chip has passed. Device::sync_mutex is held. True: the caller must call show_due() without the mutex.
  [[nodiscard]] bool retire();
  /// Shows the presents that the chip has passed, in order. Only after retire() or abandon() returned true: the queue exists until then.
  void show_due();
  /// The device is lost: waits for the chip end. Device::sync_mutex is held. The result is as of retire().
  [[nodiscard]] bool abandon();
  /// The application destroys a fence. Device::sync_mutex is held. Returns whether the queue still had it, which Vulkan forbids.
  bool forget(const Fence* fence);
  /// Work that has not finished will signal this state of a semaphore. Device::sync_mutex is held.
  bool will_signal(const SharedSignal* semaphore) const;
  /// Work that has not finished signals `to` in the fence's place. Device::sync_mutex is held. False: there is no such work.
  bool hand_over(const Fence* fence, const std::shared_ptr<const SharedSignal>& to);
  /// Nothing is queued or running.
  bool drained() const { return unfinished_.load(std::memory_order_acquire) == 0; }

  Device& device;

 private:
  struct InFlight {
    uint32_t ticket;  ///< Device::passed()
    Fence* fence;
    std::vector<Present> presents;
    std::shared_ptr<const SharedSignal> exported;
  };

  void loop();
  bool begin(Batch& batch);
  bool start_showing();
  void start_thread();
  void process(const Batch& batch);
  VkResult wait_asleep(const std::function<bool()>& done, uint64_t timeout_ns);

  std::atomic<uint32_t> unfinished_ = 0;  ///< changes under Device::sync_mutex
  // Under Device::sync_mutex:
  std::deque<Batch> work_;
  std::deque<InFlight> in_flight_;        ///< batches that submit() began
  std::deque<std::vector<Present>> due_;  ///< each counts in unfinished_
  bool showing_ = false;                  ///< a thread is in show_due(): frames are shown in order
  Batch* running_ = nullptr;              ///< the batch that the thread runs
  bool busy_ = false, stop_ = false;
  std::condition_variable has_work_;  ///< for the queue's thread alone: it need not wake when the chip comes further
  std::thread thread_;
};

template <class Ready>
VkResult Queue::wait(Ready ready, uint64_t timeout_ns) {
  // A lost device lets go of everything first: the application may destroy it all when this returns.
  const auto done = [&] { return device.lost ? drained() : ready(); };
  const auto awake = [&] { return device.lost || ready(); };
  // A piece of the chip's work may take longer than a short timeout allows.
  constexpr uint64_t kLongEnough = 1000000;
  const bool helps = timeout_ns >= kLongEnough;
  if ((helps ? device.help_until(awake, kLookOut)
             : spin_until(awake, std::min<std::chrono::nanoseconds>(kLookOut, std::chrono::nanoseconds(timeout_ns)))) &&
      !device.lost)
    return VK_SUCCESS;
  return wait_asleep(done, timeout_ns);
}

}  // namespace pumice::icd
