// SPDX-License-Identifier: MIT
/// One job by several threads: large transfers (hw/radeon/cp), the primitives of a large draw (hw/radeon/fast/draw). A job is a number of
/// parts; idle threads claim the next one, the chip's thread from the front, the team's helpers from the back, so that each has its half in
/// its caches when the same memory is used again.
#pragma once
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "hw/common/threads/team.h"

namespace pumice::hw {

class Crew final : private Team::Source {
 public:
  /// At most `most_helpers` besides the caller work on a job.
  Crew(Team& team, uint32_t most_helpers) : team_(team), most_helpers_(most_helpers) { team.add(*this, team.threads() > kFewThreads); }
  ~Crew() { team_.end(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  bool alone() const { return team_.seats() == 0; }
  /// Whether a helper would start immediately.
  bool awake() const { return team_.awake() != 0; }

  /// Runs part(i) for all i < parts, each once, on any thread; returns when all are done. One caller at a time.
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
  bool claim_first(uint32_t& part);
  bool claim_last(uint32_t& part);
  /// Helpers prefer jobs to tiles, since the chip's thread waits for them: small triangles 1.05 to 1.4 times as fast with 16 threads. With
  /// two threads meshes are 7 % slower so: one makes vertices meanwhile and the other draws.
  static constexpr uint32_t kFewThreads = 4;
  static uint32_t first(uint64_t unclaimed) { return static_cast<uint32_t>(unclaimed); }
  static uint32_t end(uint64_t unclaimed) { return static_cast<uint32_t>(unclaimed >> 32); }
  // Team::Source
  bool work(uint32_t seat) override;
  bool pending() const override;

  Team& team_;
  const uint32_t most_helpers_;
  Job job_;                                          ///< constant while parts are unclaimed or under way
  alignas(64) std::atomic<uint64_t> unclaimed_ = 0;  ///< parts [low half, high half)
  alignas(64) std::atomic<uint32_t> done_ = 0;
  std::atomic<uint32_t> helpers_ = 0;  ///< in work()
};

}  // namespace pumice::hw
