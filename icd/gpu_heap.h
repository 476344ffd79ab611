// SPDX-License-Identifier: MIT
/// The address space of one chip: allocated ranges, and the budget of the only memory heap.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "hw/radeon/gpu.h"

namespace pumice::icd {

/// What lies behind the addresses: pages of a Radeon's address space, or an RDP's RDRAM.
class Backing {
 public:
  virtual ~Backing() = default;
  /// Backs [address, address+size), multiples of the heap's granule, with zeros. False when that cannot be.
  virtual bool map(hw::GpuAddress address, uint64_t size) = 0;
  /// As map(), with the memory of a file (Gpu::map_file). False also where memory is not made of pages.
  virtual bool map_file(hw::GpuAddress, uint64_t /*size*/, int /*fd*/) { return false; }
  virtual void unmap(hw::GpuAddress address, uint64_t size) = 0;
  virtual std::byte* host_pointer(hw::GpuAddress address) = 0;
};

/// Ranges are handed out in [first, end) in multiples of `granule`; `budget` bounds what is backed at a time. first is not 0: that address
/// means nothing. `total`, if any, counts what all heaps of its chip hold.
struct HeapShape {
  uint64_t first, end, granule, budget;
  std::atomic<uint64_t>* total = nullptr;
};

class GpuHeap {
 public:
  GpuHeap(std::unique_ptr<Backing> backing, const HeapShape& shape);
  ~GpuHeap();

  /// Backs `size` bytes (rounded up to the granule) with zeroed memory, or with that of the file `fd`, which must have as many; 0 when
  /// space, budget or host memory is out, or when this heap takes no files.
  hw::GpuAddress allocate(uint64_t size, int fd = -1);
  uint64_t rounded(uint64_t size) const;
  void free(hw::GpuAddress address);
  std::byte* host(hw::GpuAddress address) const { return backing_->host_pointer(address); }

 private:
  std::unique_ptr<Backing> backing_;
  HeapShape shape_;
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
  GpuRange(GpuHeap& heap, uint64_t size, int fd = -1);
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
