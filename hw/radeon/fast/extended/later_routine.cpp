// SPDX-License-Identifier: MIT
/// See later_routine.h.
#include "hw/radeon/fast/extended/later_routine.h"

#include <new>

#include "hw/common/simd/flush.h"

namespace pumice::hw::fast::extended {

void LaterRoutine::missed(uint64_t uses) {
  if (begun_.load(std::memory_order_relaxed)) return;
  if (left_.fetch_sub(int64_t(uses), std::memory_order_relaxed) > int64_t(uses)) return;
  if (begun_.exchange(true)) return;
  const OrdinaryFloats ordinary;
  try {
    made_ = make_();
  } catch (const std::bad_alloc&) {  // there is none: this is any thread, and it can do without
  }
  make_ = nullptr;
  ready_.store(made_.get(), std::memory_order_release);
}

}  // namespace pumice::hw::fast::extended
