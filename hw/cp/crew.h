// SPDX-License-Identifier: MIT
/// Threads that help the chip's thread with large transfers. A job is a number of parts; who has time claims the next one, the chip's
/// thread from the front, the helpers from the back, so that each keeps its half in its caches when the same memory comes again. After a
/// job helpers look out for the next one for a moment before they sleep: clears and copies come in groups.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace pumice::hw {

class Crew {
 public:
  /// `threads` in all, the caller's among them; 0: one a processor, at most 4 (more do not make memory faster). They start with the first
  /// job.
  explicit Crew(uint32_t threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  bool alone() const { return threads_wanted_ < 2; }
  /// Whether a helper would begin at once.
  bool awake() const { return !threads_.empty() && sleeping_.load(std::memory_order_relaxed) < threads_.size(); }

  /// part(i) for all i < parts, each once, by whoever; returns when all are done. One caller at a time.
  template <class F>
  void run(uint32_t parts, F&& part) {
    execute(parts, {[](void* f, uint32_t i) { (*static_cast<std::remove_reference_t<F>*>(f))(i); }, &part});
  }

 private:
  struct Job {
    void (*call)(void*, uint32_t) = nullptr;
    void* part = nullptr;
  };
  void execute(uint32_t parts, const Job& job);
  void help();
  bool claim_first(uint32_t& part);
  bool claim_last(uint32_t& part);
  static uint32_t first(uint64_t unclaimed) { return static_cast<uint32_t>(unclaimed); }
  static uint32_t end(uint64_t unclaimed) { return static_cast<uint32_t>(unclaimed >> 32); }

  const uint32_t threads_wanted_;
  std::vector<std::thread> threads_;
  Job job_;                                          ///< constant while parts are unclaimed or under way
  alignas(64) std::atomic<uint64_t> unclaimed_ = 0;  ///< parts [low half, high half)
  alignas(64) std::atomic<uint32_t> done_ = 0;
  std::atomic<uint32_t> sleeping_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace pumice::hw
