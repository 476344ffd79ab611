// SPDX-License-Identifier: MIT
/// The 32-bit address space of one chip: who owns which range, and the budget of the one memory heap.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "hw/gpu.h"

namespace pumice::icd {

class GpuHeap {
 public:
  /// Ranges are handed out in [1 MiB, 4 GiB - 1 MiB); `budget` bounds what is backed at a time.
  GpuHeap(hw::Gpu& gpu, uint64_t budget);

  /// Backs `size` bytes (rounded up to pages) of zeroed memory; 0 when space, budget or host memory is out.
  hw::GpuAddress allocate(uint64_t size, uint64_t align = 4096);
  void free(hw::GpuAddress address);

 private:
  hw::Gpu& gpu_;
  std::mutex mutex_;
  uint64_t left_;
  std::map<uint64_t, uint64_t> free_;  ///< start -> size
  std::map<uint64_t, uint64_t> used_;
};

/// A range of the heap, given back when it goes.
class GpuRange {
 public:
  GpuRange() = default;
  /// Throws std::bad_alloc's driver twin OutOfDeviceMemory when nothing is left.
  GpuRange(GpuHeap& heap, hw::Gpu& gpu, uint64_t size);
  ~GpuRange() { reset(); }
  GpuRange(GpuRange&& o) noexcept { *this = std::move(o); }
  GpuRange& operator=(GpuRange&& o) noexcept;
  void reset();

  hw::GpuAddress address = 0;
  std::byte* host = nullptr;
  uint64_t size = 0;

 private:
  GpuHeap* heap_ = nullptr;
};

/// Thrown by driver-internal allocations; the guards turn it into VK_ERROR_OUT_OF_DEVICE_MEMORY.
struct OutOfDeviceMemory {};

}  // namespace pumice::icd
