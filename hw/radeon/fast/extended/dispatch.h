// SPDX-License-Identifier: MIT
/// Dispatches (docs/r5x.md s.9) by native code, on all threads of the team. The groups of a workgroup run in turn on one thread, each up to
/// the next barrier or its end; workgroups are claimed in ascending order.
#pragma once
#include <mutex>

#include "hw/common/threads/team.h"
#include "hw/radeon/fast/extended/caller.h"
#include "hw/radeon/fast/extended/chosen.h"
#include "hw/radeon/fast/extended/stage.h"
#include "hw/radeon/jit/x/block_cache.h"

namespace pumice::hw::fast::extended {

class Dispatcher final : private Team::Source {
 public:
  Dispatcher(Memory& memory, Team& team, Cpu cpu, CodeNames names, uint32_t collect_after = 0)
      : memory_(memory), team_(team), routines_(cpu, names, collect_after) {
    team.add(*this);
  }
  ~Dispatcher() { team_.end(); }
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// On the chip's thread, when all earlier work is complete. False: nothing was done and the reference must execute it. `alone`: on this
  /// thread only, so that workgroups run in the reference's order.
  bool run(DrawContext& ctx, const DispatchInput& input, bool alone = false);
  Routines& routines() { return routines_; }

 private:
  std::optional<PreparedStage> prepare_stage(DrawContext& ctx);
  /// State shared by all threads of a dispatch.
  struct Job {
    const ChipState* state = nullptr;
    const PreparedStage* stage = nullptr;
    const DispatchInput* input = nullptr;
    uint64_t workgroups = 0, chunk = 1;
    uint32_t groups = 0, last_lanes = 0, local_bytes = 0;  ///< of a workgroup
    uint64_t group_budget = 0;
    std::vector<Lanes> invocation;  ///< by group: x, y, z, index
    const std::atomic<bool>* stopping = nullptr;
    uint64_t number = 0;
  };
  /// State of one thread.
  struct Worker {
    uint64_t job = 0;
    DrawCounters counters;
    Listener config;
    std::optional<DrawContext> ctx;
    std::optional<hw::us::GroupThread<hw::x::kGroupLanes>> thread;
    Caller caller;
    ChosenDescriptors chosen;
    GroupArgs args;
    std::vector<std::byte> local;
    Scratch scratch;
    bool scratch_by_group = false;  ///< groups wait at barriers
    std::vector<Lanes> state;
    BlockCache blocks;
    std::vector<uint32_t> waits;  ///< by group: GroupArgs::resume, or that it has ended
  };

  void begin(Worker& w);
  bool run_chunk(Worker& w);
  bool run_workgroup(Worker& w, uint64_t number);
  bool run_group(Worker& w, uint32_t group);
  // Team::Source
  bool work(uint32_t seat) override;
  bool pending() const override;

  Memory& memory_;
  Team& team_;
  Routines routines_;
  Job job_;                                       ///< constant while open_
  std::vector<std::unique_ptr<Worker>> workers_;  ///< by seat
  std::mutex mutex_;
  std::vector<Report> reports_;
  std::atomic<uint32_t> reported_ = 0;
  std::atomic<int64_t> left_ = 0;
  std::atomic<bool> hung_ = false;
  alignas(64) std::atomic<uint64_t> next_ = 0;  ///< first workgroup that is not claimed
  std::atomic<uint64_t> end_ = 0;               ///< how many there are
  alignas(64) std::atomic<bool> open_ = false;  ///< helpers may read the job
  std::atomic<uint32_t> inside_ = 0;            ///< number of helpers that may be reading it
};

}  // namespace pumice::hw::fast::extended
