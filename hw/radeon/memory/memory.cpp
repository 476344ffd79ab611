// SPDX-License-Identifier: MIT
/// The sparse address space behind memory.h: the whole of it is reserved once, pages become accessible while they are mapped.
#include "hw/radeon/memory/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

#include "hw/extents.h"

namespace pumice::hw {

namespace {

bool valid_range(uint64_t space, uint64_t address, uint64_t size) {
  const uint64_t mask = kPageBytes - 1;
  // Page 0 is never backed: address 0 is the null address of every register that holds one.
  return size != 0 && address >= kPageBytes && !(address & mask) && !(size & mask) && size <= space && address <= space - size;
}

/// Nothing accessible, whatever was there before: its pages are freed in the same step. Null: a new range.
void* reserve(void* at, uint64_t size) {
  return mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1, 0);
}

}  // namespace

std::unique_ptr<Memory> Memory::create(uint32_t address_bits) {
  constexpr uint32_t kFewest = 18;  // a word of page bits
  if (address_bits < kFewest || address_bits > kMaxAddressBits) return nullptr;
#if defined(__SANITIZE_THREAD__)
  address_bits = std::min(address_bits, 37u);  // it leaves programs little more than 1 TiB, and some have two chips
#endif
  std::unique_ptr<Memory> memory;
  try {
    memory.reset(new Memory(uint64_t{1} << address_bits));
  } catch (const std::bad_alloc&) {  // no room for the page bits
    return nullptr;
  }
  void* base = reserve(nullptr, memory->space_);
  if (base == MAP_FAILED) return nullptr;
  memory->base_ = static_cast<std::byte*>(base);
  return memory;
}

Memory::~Memory() {
  if (base_) munmap(base_, space_);
}

/// fd -1: zeroed pages.
bool Memory::back(GpuAddress address, uint64_t size, int fd) {
  if (!valid_range(space_, address, size)) return false;
  std::lock_guard lock(map_mutex_);
  const uint64_t first = address / kPageBytes, count = size / kPageBytes;
  for (uint64_t i = 0; i < count; ++i)
    if (pages((first + i) / 64).load(std::memory_order_relaxed) >> (first + i) % 64 & 1) return false;
  if (fd >= 0) {
    if (mmap(base_ + address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
      reserve(base_ + address, size);  // a failed call may have left a hole that another mapping would fill
      return false;
    }
  } else if (mprotect(base_ + address, size, PROT_READ | PROT_WRITE) != 0) {
    mprotect(base_ + address, size, PROT_NONE);  // a failed call may have changed part of the range
    return false;
  }
  for (uint64_t i = 0; i < count; ++i) pages((first + i) / 64).fetch_or(uint64_t{1} << (first + i) % 64, std::memory_order_release);
  map_version_.fetch_add(1, std::memory_order_acq_rel);
  return true;
}

void Memory::unmap(GpuAddress address, uint64_t size) {
  if (!valid_range(space_, address, size)) return;
  std::lock_guard lock(map_mutex_);
  const uint64_t first = address / kPageBytes, count = size / kPageBytes;
  for (uint64_t i = 0; i < count; ++i) pages((first + i) / 64).fetch_and(~(uint64_t{1} << (first + i) % 64), std::memory_order_release);
  map_version_.fetch_add(1, std::memory_order_acq_rel);
  reserve(base_ + address, size);  // the next map() reads zeroes
}

uint64_t Memory::next_page(uint64_t from, uint64_t end, bool backed) const {
  const uint64_t limit = std::min(end, space_), flip = backed ? 0 : ~uint64_t{0};
  for (uint64_t page = from / kPageBytes; from < limit;) {
    const uint64_t left = (pages(page / 64).load(std::memory_order_acquire) ^ flip) >> page % 64;
    if (left) return std::min(std::max(from, (page + static_cast<uint64_t>(std::countr_zero(left))) * kPageBytes), limit);
    page = (page / 64 + 1) * 64;
    from = page * kPageBytes;
  }
  return end;
}

Memory::Run Memory::largest_run(uint64_t end) const {
  Run largest;
  for (uint64_t begin = next_page(0, end, true); begin < end;) {
    const uint64_t gap = next_page(begin, end, false);
    if (gap - begin > largest.end - largest.begin) largest = {begin, gap};
    begin = next_page(gap, end, true);
  }
  return largest;
}

bool Memory::copy(uint64_t destination, uint64_t source, size_t size) {
  if (!backed(source, size)) return note_fault(source, size, false);
  if (!backed(destination, size)) return note_fault(destination, size, true);
  std::memmove(base_ + destination, base_ + source, size);
  return true;
}

bool Memory::note_fault(uint64_t address, size_t size, bool is_write) const {
  std::lock_guard lock(fault_mutex_);
  if (fault_.count++ == 0) {
    fault_.address = address;
    fault_.size = size;
    fault_.is_write = is_write;
  }
  faulted_.store(true, std::memory_order_relaxed);
  return false;
}

Memory::Fault Memory::take_fault() {
  if (!faulted_.load(std::memory_order_relaxed)) return {};
  std::lock_guard lock(fault_mutex_);
  faulted_.store(false, std::memory_order_relaxed);
  return std::exchange(fault_, {});
}

}  // namespace pumice::hw
