// SPDX-License-Identifier: MIT
#include "icd/gpu_heap.h"

#include <utility>

namespace pumice::icd {

GpuHeap::GpuHeap(std::unique_ptr<Backing> backing, const HeapShape& shape)
    : backing_(std::move(backing)), shape_(shape), left_(shape.budget) {
  free_[shape.first] = shape.end - shape.first;
}

GpuHeap::~GpuHeap() {
  if (shape_.total) *shape_.total -= shape_.budget - left_;
}

uint64_t GpuHeap::rounded(uint64_t size) const {
  const uint64_t granule = shape_.granule;
  return size == 0 ? granule : (size + granule - 1) / granule * granule;
}

hw::GpuAddress GpuHeap::allocate(uint64_t size, int fd) {
  if (size > shape_.end) return 0;
  size = rounded(size);
  std::lock_guard lock(mutex_);
  if (size > left_) return 0;
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const uint64_t start = it->first, end = it->first + it->second;
    if (start + size > end) continue;
    // What can run out of host memory comes first: the lists stay whole.
    const auto used = used_.emplace(start, size).first;
    bool mapped = false;
    try {
      mapped = fd < 0 ? backing_->map(start, size) : backing_->map_file(start, size, fd);
    } catch (...) {
      used_.erase(used);
      throw;
    }
    if (!mapped) {
      used_.erase(used);
      return 0;
    }
    auto rest = free_.extract(it);
    if (start + size < end) {
      rest.key() = start + size;
      rest.mapped() = end - start - size;
      free_.insert(std::move(rest));
    }
    left_ -= size;
    if (shape_.total) *shape_.total += size;
    return static_cast<hw::GpuAddress>(start);
  }
  return 0;
}

void GpuHeap::free(hw::GpuAddress address) {
  std::lock_guard lock(mutex_);
  const auto used = used_.find(address);
  if (used == used_.end()) return;
  const uint64_t start = used->first;
  uint64_t size = used->second;
  auto piece = used_.extract(used);  // destructors come here: nothing is allocated
  backing_->unmap(address, size);
  left_ += size;
  if (shape_.total) *shape_.total -= size;
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
  piece.mapped() = size;
  free_.insert(std::move(piece));
}

GpuRange::GpuRange(GpuHeap& heap, uint64_t bytes, int fd) : heap_(&heap) {
  address = heap.allocate(bytes, fd);
  if (!address) throw OutOfDeviceMemory{};
  host = heap.host(address);
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
