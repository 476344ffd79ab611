// SPDX-License-Identifier: MIT
/// VK_EXT_private_data: what applications keep with objects of a device. Few objects have any, so it lies beside them.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace pumice::icd {

struct Object;

/// By object, then by slot. Slots have numbers that are never used again, so what was kept under a slot that is gone is never found.
class PrivateData {
 public:
  uint64_t next_slot() { return slots_++; }
  void set(const Object* object, uint64_t slot, uint64_t value);
  /// 0 without one.
  uint64_t get(const Object* object, uint64_t slot) const;
  /// The object goes; another one may have its address.
  void forget(const Object* object) noexcept;
  void forget_slot(uint64_t slot) noexcept;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<const Object*, uint64_t>, uint64_t> values_;
  std::atomic<uint64_t> slots_ = 0;
  std::atomic<bool> any_ = false;  ///< so that objects without data go without the mutex
};

}  // namespace pumice::icd
