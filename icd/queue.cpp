// SPDX-License-Identifier: MIT
#include "icd/queue.h"

#include <cstdio>

#include "icd/commands.h"
#include "icd/debug.h"
#include "icd/swapchain.h"
#include "icd/sync.h"

namespace pumice::icd {

Queue::Queue(Device& d) : Object(d.instance, kType), device(d) {
  thread_ = std::thread([this] { loop(); });
}

Queue::~Queue() {
  {
    std::lock_guard lock(device.sync_mutex);
    stop_ = true;
    device.sync_changed.notify_all();
  }
  thread_.join();
}

VkResult Queue::submit(std::vector<Batch> batches) {
  std::lock_guard lock(device.sync_mutex);
  if (device.lost) return VK_ERROR_DEVICE_LOST;
  for (Batch& b : batches) {
    work_.push_back(std::move(b));
    ++unfinished_;
  }
  device.sync_changed.notify_all();
  return VK_SUCCESS;
}

VkResult Queue::wait_idle() {
  std::unique_lock lock(device.sync_mutex);
  // A lost device drains at once: what is left in the queue is dropped.
  device.sync_changed.wait(lock, [&] { return drained(); });
  return device.lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

void Queue::loop() {
  for (;;) {
    Batch batch;
    {
      std::unique_lock lock(device.sync_mutex);
      device.sync_changed.wait(lock, [&] { return stop_ || !work_.empty(); });
      if (work_.empty()) return;
      batch = std::move(work_.front());
      work_.pop_front();
    }
    try {
      process(batch);
    } catch (...) {
      // Host or device memory ran out while a host step made packets: nobody is left who could be told.
      device.set_lost("out of memory on the queue's thread");
    }
    for (const Present& p : batch.presents) device.lost ? p.swapchain->drop(p.image) : p.swapchain->show(p.image);
    std::lock_guard lock(device.sync_mutex);
    // The application may have destroyed the objects of a lost device's batches.
    if (!device.lost) {
      for (Semaphore* s : batch.signals) s->signalled = true;
      if (batch.fence) batch.fence->signalled = true;
    }
    --unfinished_;
    device.sync_changed.notify_all();
  }
}

void Queue::process(const Batch& batch) {
  {
    std::unique_lock lock(device.sync_mutex);
    for (Semaphore* s : batch.waits) {
      device.sync_changed.wait(lock, [&] { return device.lost || stop_ || s->signalled; });
      if (device.lost) return;
      s->signalled = false;
    }
  }
  if (device.lost || batch.buffers.empty()) return;
  if (environment().on(Debug::submit)) std::fprintf(stderr, "pumice: submit: %zu command buffers\n", batch.buffers.size());
  device.execute(batch.buffers);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_QueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo* submits, VkFence fence) {
  auto& queue = *from<Queue>(handle);
  std::vector<Batch> batches(count);
  for (uint32_t i = 0; i < count; ++i) {
    const VkSubmitInfo& s = submits[i];
    for (uint32_t k = 0; k < s.waitSemaphoreCount; ++k) batches[i].waits.push_back(from<Semaphore>(s.pWaitSemaphores[k]));
    for (uint32_t k = 0; k < s.signalSemaphoreCount; ++k) batches[i].signals.push_back(from<Semaphore>(s.pSignalSemaphores[k]));
    for (uint32_t k = 0; k < s.commandBufferCount; ++k)
      batches[i].buffers.push_back(from<Commands>(s.pCommandBuffers[k]));
  }
  if (fence) {
    if (batches.empty()) batches.emplace_back();
    batches.back().fence = from<Fence>(fence);
  }
  return queue.submit(std::move(batches));
}

VKAPI_ATTR VkResult VKAPI_CALL pm_QueueWaitIdle(VkQueue queue) { return from<Queue>(queue)->wait_idle(); }

VKAPI_ATTR VkResult VKAPI_CALL pm_QueueBindSparse(VkQueue queue, uint32_t, const VkBindSparseInfo*, VkFence) {
  return report(from<Queue>(queue), VK_ERROR_FEATURE_NOT_PRESENT, "vkQueueBindSparse: the queue family has no sparse binding");
}

}  // namespace pumice::icd
