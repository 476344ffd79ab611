// SPDX-License-Identifier: MIT
#include "icd/queue.h"

#include <algorithm>
#include <cstdio>

#include "icd/commands.h"
#include "icd/debug.h"
#include "icd/swapchain.h"
#include "icd/sync.h"

namespace pumice::icd {

namespace {

/// Gives the operations of a batch their numbers, and collects semaphores that it waits for in vain; those waits are left out.
/// Device::sync_mutex is held. Changes nothing when it throws.
void number(Batch& b, std::vector<Semaphore*>& in_vain) {
  in_vain.reserve(in_vain.size() + b.waits.size());
  std::erase_if(b.waits, [&](SemaphoreOp& w) {
    Semaphore& s = *w.semaphore;
    w.counter = s.counter;
    if (s.timeline) return false;
    w.temporary = s.temporary != nullptr;
    if ((w.shared = w.temporary ? std::exchange(s.temporary, nullptr) : s.shared)) return false;
    if (s.waits < s.signals) {
      w.value = ++s.waits;
      return false;
    }
    if (!s.reported) in_vain.push_back(&s);
    s.reported = true;
    return true;
  });
  for (SemaphoreOp& o : b.signals) {
    o.counter = o.semaphore->counter;
    o.shared = o.semaphore->temporary ? o.semaphore->temporary : o.semaphore->shared;
    if (!o.semaphore->timeline && !o.shared) o.value = ++o.semaphore->signals;
  }
}
/// The batch is not submitted after all, and no other has been numbered since.
void take_back(const Batch& b) {
  for (const SemaphoreOp& w : b.waits) {
    if (w.temporary) w.semaphore->temporary = w.shared;
    if (!w.semaphore->timeline && !w.shared) --w.semaphore->waits;
  }
  for (const SemaphoreOp& o : b.signals)
    if (!o.semaphore->timeline && !o.shared) --o.semaphore->signals;
}

/// The application may destroy the fence from here on.
void signal(Fence* fence) {
  if (fence) fence->signal();
}
void signal(const std::shared_ptr<const SharedSignal>& exported) {
  if (exported) exported->signal();
}

}  // namespace

Queue::Queue(Device& d) : Object(d.instance, kType), device(d) {}

Queue::~Queue() {
  {
    std::unique_lock lock(device.sync_mutex);
    // An application that did not wait must not take the chip's memory away under it.
    while (!in_flight_.empty() || showing_) {
      if (retire()) {
        lock.unlock();
        show_due();
        lock.lock();
      } else if (device.sync_changed.wait_for(lock, std::chrono::milliseconds(200)) == std::cv_status::timeout) {
        device.look_for_hang(lock);
      }
    }
    stop_ = true;
    device.closing = true;
    device.sync_changed.notify_all();
    has_work_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  std::unique_lock lock(device.sync_mutex);
  device.sync_changed.wait(lock, [this] { return !showing_; });  // what the thread had is shown by another one
}

VkResult Queue::submit(std::vector<Batch>&& batches, const char* function) {
  std::vector<Semaphore*> in_vain;
  bool shows = false;
  {
    std::lock_guard lock(device.sync_mutex);
    if (device.lost) return VK_ERROR_DEVICE_LOST;
    for (Batch& b : batches) {
      if (!b.waits.empty() || !b.signals.empty()) number(b, in_vain);
      ++unfinished_;
      try {
        if (begin(b)) continue;
        start_thread();
        work_.push_back(std::move(b));
      } catch (...) {
        --unfinished_;  // the caller hears of it and has not submitted this
        take_back(b);
        throw;
      }
      has_work_.notify_all();
    }
    shows = retire();  // there may have been nothing to do
  }
  if (shows) show_due();
  // Without the mutex: a messenger is the application's code.
  for (const Semaphore* s : in_vain)
    misuse(s, "%s: waits for %s, but nothing signals it: no signal was submitted that another wait has not taken. The wait is left out",
           function, describe(*s).c_str());
  return VK_SUCCESS;
}

/// Many applications never need it: what the ring can take at once goes there. Device::sync_mutex is held.
void Queue::start_thread() {
  if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
}

/// Device::sync_mutex is held.
bool Queue::begin(Batch& batch) {
  if (busy_ || !work_.empty()) return false;
  for (const Present& p : batch.presents)
    if (!p.swapchain->prompt()) return false;
  for (const SemaphoreOp& w : batch.waits)
    if (w.shared || w.counter->value() < w.value) return false;
  // The host sees a timeline's value, and another device a signal, only when the work has ended.
  for (const SemaphoreOp& s : batch.signals)
    if (s.semaphore->timeline || s.shared) return false;
  uint32_t ticket = 0;
  if (!device.begin(batch.buffers, ticket)) return false;
  for (const SemaphoreOp& s : batch.signals) s.counter->reach(s.value);
  if (in_flight_.empty() && batch.presents.empty() && device.passed(ticket)) {  // an empty submission
    signal(batch.fence);
    --unfinished_;
    return true;
  }
  in_flight_.push_back({ticket, batch.fence, std::move(batch.presents), std::move(batch.exported)});
  return true;
}

bool Queue::retire() {
  for (; !in_flight_.empty() && device.passed(in_flight_.front().ticket); in_flight_.pop_front()) {
    InFlight& done = in_flight_.front();
    // Once the queue is drained the application may destroy everything.
    signal(done.fence);
    signal(done.exported);
    if (done.presents.empty())
      --unfinished_;
    else
      due_.push_back(std::move(done.presents));
  }
  return start_showing();
}

bool Queue::abandon() {
  for (InFlight& f : in_flight_) {
    signal(f.exported);  // the work is lost, but importers must not block forever
    if (f.presents.empty())
      --unfinished_;
    else
      due_.push_back(std::move(f.presents));
  }
  in_flight_.clear();
  return start_showing();
}

/// Device::sync_mutex is held. False: there is nothing to show, or another thread shows it.
bool Queue::start_showing() { return !due_.empty() && !std::exchange(showing_, true); }

void Queue::show_due() {
  std::unique_lock lock(device.sync_mutex);
  for (; !due_.empty(); --unfinished_) {
    const std::vector<Present> presents = std::move(due_.front());
    due_.pop_front();
    lock.unlock();
    for (const Present& p : presents) device.lost ? p.swapchain->drop(p.image) : p.swapchain->show(p.image);
    lock.lock();
  }
  showing_ = false;
  device.sync_changed.notify_all();  // with the mutex: the queue may go as soon as it is released
}

bool Queue::forget(const Fence* fence) {
  bool had = false;
  const auto drop = [&](Fence*& f) {
    if (f != fence) return;
    f = nullptr;
    had = true;
  };
  for (InFlight& f : in_flight_) drop(f.fence);
  for (Batch& b : work_) drop(b.fence);
  if (running_) drop(running_->fence);
  return had;
}

bool Queue::will_signal(const SharedSignal* semaphore) const {
  const auto does = [&](const Batch& b) {
    return std::any_of(b.signals.begin(), b.signals.end(), [&](const SemaphoreOp& s) { return s.shared.get() == semaphore; });
  };
  return (running_ && does(*running_)) || std::any_of(work_.begin(), work_.end(), does);  // begin() leaves such batches to the thread
}

bool Queue::hand_over(const Fence* fence, const std::shared_ptr<const SharedSignal>& to) {
  const auto take = [&](auto& work) {
    if (work.fence != fence) return false;
    work.fence = nullptr, work.exported = to;
    return true;
  };
  return (running_ && take(*running_)) || std::any_of(in_flight_.begin(), in_flight_.end(), take) ||
         std::any_of(work_.begin(), work_.end(), take);
}

VkResult Queue::wait_idle() {
  return wait([&] { return drained(); }, UINT64_MAX);
}

VkResult Queue::wait_asleep(const std::function<bool()>& done, uint64_t timeout_ns) {
  constexpr std::chrono::milliseconds kSlice{200};  // then a look at the chip
  // Longer than a month is for ever: chrono would overflow.
  const bool for_ever = timeout_ns > 30ull * 86400 * 1000000000ull;
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(for_ever ? 0 : timeout_ns);
  std::unique_lock lock(device.sync_mutex);
  while (!done()) {
    const auto now = std::chrono::steady_clock::now();
    if (!for_ever && now >= end) return device.lost ? VK_ERROR_DEVICE_LOST : VK_TIMEOUT;
    const auto until = for_ever ? now + kSlice : std::min<std::chrono::steady_clock::time_point>(end, now + kSlice);
    if (!device.sync_changed.wait_until(lock, until, done)) device.look_for_hang(lock);
  }
  return device.lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

void Queue::loop() {
  for (;;) {
    Batch batch;
    {
      std::unique_lock lock(device.sync_mutex);
      has_work_.wait(lock, [&] { return stop_ || !work_.empty(); });
      if (work_.empty()) return;
      batch = std::move(work_.front());
      work_.pop_front();
      running_ = &batch;
      busy_ = true;
    }
    try {
      process(batch);
    } catch (...) {
      // Host or device memory ran out while a host step emitted packets: there is no call left that could return the error.
      device.set_lost("out of memory on the queue's thread");
    }
    std::unique_lock lock(device.sync_mutex);
    const bool presents = !batch.presents.empty();
    bool shows = !device.lost && retire();
    if (presents) {
      due_.push_back(std::move(batch.presents));
      shows = shows || start_showing();
    }
    if (shows) {
      lock.unlock();
      show_due();
      lock.lock();
    }
    busy_ = false;
    // The application may have destroyed the objects of a lost device's batches.
    if (!device.lost) {
      for (const SemaphoreOp& s : batch.signals) s.shared ? s.shared->signal() : s.counter->reach(s.value);
      signal(batch.fence);
    }
    signal(batch.exported);
    running_ = nullptr;
    if (!presents) --unfinished_;
    device.sync_changed.notify_all();
  }
}

/// Returns when the chip has done this and everything before.
void Queue::process(const Batch& batch) {
  constexpr std::chrono::milliseconds kSlice{20};  // then a look whether the wait still makes sense
  for (const SemaphoreOp& w : batch.waits)
    if (const SharedTimeline* timeline = w.counter->shared.get())
      while (!device.lost && !device.closing && !timeline->wait(w.value, kSlice)) {
      }
    else
      while (w.shared && !device.lost && !device.closing && !w.shared->take(kSlice)) {
      }
  {
    std::unique_lock lock(device.sync_mutex);
    for (const SemaphoreOp& w : batch.waits)
      if (!w.shared && !w.counter->shared)
        device.sync_changed.wait(lock, [&] { return device.lost || stop_ || w.counter->value() >= w.value; });
  }
  if (device.lost) return;
  if (environment().on(Debug::submit) && !batch.buffers.empty())
    std::fprintf(stderr, "pumice: submit: %zu command buffers\n", batch.buffers.size());
  device.execute(batch.buffers);
}

namespace {

VkResult submit(Queue& queue, std::vector<Batch>&& batches, VkFence fence, const char* function) {
  if (fence) {
    if (batches.empty()) batches.emplace_back();
    batches.back().fence = from<Fence>(fence);
  }
  return queue.submit(std::move(batches), function);
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL pm_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* submits, VkFence fence) {
  std::vector<Batch> batches(count);
  for (uint32_t i = 0; i < count; ++i) {
    const VkSubmitInfo& s = submits[i];
    const auto* values = find_next<VkTimelineSemaphoreSubmitInfoKHR>(s.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO_KHR);
    const auto value = [](const uint64_t* list, uint32_t length, uint32_t k) { return list && k < length ? list[k] : 0; };
    for (uint32_t k = 0; k < s.waitSemaphoreCount; ++k)
      batches[i].waits.push_back({from<Semaphore>(s.pWaitSemaphores[k]), nullptr,
                                  values ? value(values->pWaitSemaphoreValues, values->waitSemaphoreValueCount, k) : 0});
    for (uint32_t k = 0; k < s.signalSemaphoreCount; ++k)
      batches[i].signals.push_back({from<Semaphore>(s.pSignalSemaphores[k]), nullptr,
                                    values ? value(values->pSignalSemaphoreValues, values->signalSemaphoreValueCount, k) : 0});
    for (uint32_t k = 0; k < s.commandBufferCount; ++k) batches[i].buffers.push_back(from<Commands>(s.pCommandBuffers[k]));
  }
  return submit(*from<Queue>(queue), std::move(batches), fence, "vkQueueSubmit");
}

/// Stages of waits and signals say nothing here: a batch runs as a whole.
VKAPI_ATTR VkResult VKAPI_CALL pm_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* submits, VkFence fence) {
  std::vector<Batch> batches(count);
  for (uint32_t i = 0; i < count; ++i) {
    const VkSubmitInfo2& s = submits[i];
    const auto add = [](std::vector<SemaphoreOp>& to, const VkSemaphoreSubmitInfo* list, uint32_t n) {
      for (uint32_t k = 0; k < n; ++k) to.push_back({from<Semaphore>(list[k].semaphore), nullptr, list[k].value});
    };
    add(batches[i].waits, s.pWaitSemaphoreInfos, s.waitSemaphoreInfoCount);
    add(batches[i].signals, s.pSignalSemaphoreInfos, s.signalSemaphoreInfoCount);
    for (uint32_t k = 0; k < s.commandBufferInfoCount; ++k)
      batches[i].buffers.push_back(from<Commands>(s.pCommandBufferInfos[k].commandBuffer));
  }
  return submit(*from<Queue>(queue), std::move(batches), fence, "vkQueueSubmit2KHR");
}

VKAPI_ATTR VkResult VKAPI_CALL pm_QueueWaitIdle(VkQueue queue) { return from<Queue>(queue)->wait_idle(); }

VKAPI_ATTR VkResult VKAPI_CALL pm_QueueBindSparse(VkQueue queue, uint32_t, const VkBindSparseInfo*, VkFence) {
  return report(from<Queue>(queue), VK_ERROR_FEATURE_NOT_PRESENT, "vkQueueBindSparse: the queue family has no sparse binding");
}

}  // namespace pumice::icd
