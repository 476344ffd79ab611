// SPDX-License-Identifier: MIT
/// Callbacks of a running group: slots executed by the reference's code, the instruction budget.
#pragma once
#include <atomic>

#include "hw/radeon/jit/x/args.h"
#include "hw/radeon/ref/us/group.h"

namespace pumice::hw::fast::extended {

/// Instructions that may still be executed.
struct Budget {
  std::atomic<int64_t>* total = nullptr;  ///< of all groups together
  bool per_group = false;                 ///< X_BUDGET: `own` instead
  int64_t own = 0;
  const std::atomic<bool>* stopping = nullptr;      ///< DrawContext::stopping
  const std::atomic<bool>* stopping_too = nullptr;  ///< another group has hung
  bool stopped() const {
    return (stopping && stopping->load(std::memory_order_relaxed)) || (stopping_too && stopping_too->load(std::memory_order_relaxed));
  }
};

class ChosenDescriptors;

/// GroupArgs::user. One group at a time.
class Caller {
 public:
  /// Instructions between two checks of the budget and of DrawContext::stopping.
  static constexpr int64_t kSlice = 1 << 16;
  const hw::x::Program* program = nullptr;
  hw::us::GroupThread<hw::x::kGroupLanes>* thread = nullptr;  ///< where Routine::calls()
  ChosenDescriptors* chosen = nullptr;        ///< this thread's, which has begun; null: the reference's code executes its slots, too
  std::atomic<uint32_t>* reported = nullptr;  ///< DrawCounters::reported of all threads of the dispatch; may be null
  Budget budget;

  /// Before a group starts or resumes.
  void grant(GroupArgs& args, uint32_t slots);
  /// After it: false when the budget is spent.
  bool settle(GroupArgs& args);

  // Callbacks.
  static void slot(GroupArgs* args, GroupArgs*);
  static void refill(GroupArgs* args, GroupArgs*);
  static void clock(GroupArgs* args, GroupArgs*);
  static void fence(GroupArgs*, GroupArgs*) { std::atomic_thread_fence(std::memory_order_seq_cst); }

 private:
  bool spend(int64_t instructions);
  int64_t given_ = 0;
};

}  // namespace pumice::hw::fast::extended
