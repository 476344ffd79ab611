// SPDX-License-Identifier: MIT
#include "icd/gpu_heap.h"

#include <utility>

namespace pumice::icd {
namespace {
// The first page is never backed; a whole low megabyte stays free so that small wrong addresses fault.
constexpr uint64_t kFirst = 1ull << 20, kEnd = (1ull << 32) - (1ull << 20);
}  // namespace

GpuHeap::GpuHeap(hw::Gpu& gpu, uint64_t budget) : gpu_(gpu), left_(budget) { free_[kFirst] = kEnd - kFirst; }

hw::GpuAddress GpuHeap::allocate(uint64_t size, uint64_t align) {
  const uint64_t page = hw::Gpu::page_size();
  size = (size + page - 1) / page * page;
  if (size == 0) size = page;
  std::lock_guard lock(mutex_);
  if (size > left_) return 0;
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const uint64_t start = (it->first + align - 1) / align * align, end = it->first + it->second;
    if (start + size > end) continue;
    if (!gpu_.map(static_cast<hw::GpuAddress>(start), size)) return 0;
    const uint64_t before = start - it->first;
    const uint64_t old_start = it->first;
    free_.erase(it);
    if (before) free_[old_start] = before;
    if (start + size < end) free_[start + size] = end - start - size;
    used_[start] = size;
    left_ -= size;
    return static_cast<hw::GpuAddress>(start);
  }
  return 0;
}

void GpuHeap::free(hw::GpuAddress address) {
  std::lock_guard lock(mutex_);
  const auto used = used_.find(address);
  if (used == used_.end()) return;
  uint64_t start = used->first, size = used->second;
  used_.erase(used);
  gpu_.unmap(address, size);
  left_ += size;
  auto next = free_.lower_bound(start);
  if (next != free_.end() && next->first == start + size) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += size;
      return;
    }
  }
  free_[start] = size;
}

GpuRange::GpuRange(GpuHeap& heap, hw::Gpu& gpu, uint64_t bytes) : heap_(&heap) {
  address = heap.allocate(bytes);
  if (!address) throw OutOfDeviceMemory{};
  host = gpu.host_pointer(address);
  size = bytes;
}

GpuRange& GpuRange::operator=(GpuRange&& o) noexcept {
  if (this == &o) return *this;
  reset();
  address = std::exchange(o.address, 0);
  host = std::exchange(o.host, nullptr);
  size = std::exchange(o.size, 0);
  heap_ = std::exchange(o.heap_, nullptr);
  return *this;
}

void GpuRange::reset() {
  if (heap_ && address) heap_->free(address);
  heap_ = nullptr;
  address = 0;
  host = nullptr;
  size = 0;
}

}  // namespace pumice::icd
