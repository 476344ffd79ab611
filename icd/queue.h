// SPDX-License-Identifier: MIT
/// VkQueue: a thread that feeds the chip. Work runs strictly in order; a batch is finished on the chip before its semaphores and fence are
/// signalled and before the next one begins (the chip executes packets in order anyway).
#pragma once
#include <deque>
#include <thread>
#include <vector>

#include "icd/device.h"

namespace pumice::icd {

class Fence;
class Semaphore;
class Swapchain;

struct Present {
  Swapchain* swapchain;
  uint32_t image;
};

struct Batch {
  std::vector<Semaphore*> waits, signals;
  std::vector<const Commands*> buffers;
  std::vector<Present> presents;  ///< shown when the buffers have finished
  Fence* fence = nullptr;
};

class Queue : public Object {
 public:
  using Handle = VkQueue;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_QUEUE;
  explicit Queue(Device& device);
  ~Queue();

  VkResult submit(std::vector<Batch> batches);
  VkResult wait_idle();
  /// Nothing is queued or running. Device::sync_mutex is held.
  bool drained() const { return unfinished_ == 0; }

  Device& device;

 private:
  void loop();
  void process(const Batch& batch);

  std::deque<Batch> work_;  ///< under Device::sync_mutex, like the two below
  uint32_t unfinished_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace pumice::icd
