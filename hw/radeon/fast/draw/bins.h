// SPDX-License-Identifier: MIT
/// Memory of a batch of draws and its bins: for each screen tile the primitives that touch it, in API order.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "hw/radeon/fast/raster/record.h"

namespace pumice::hw::fast {

/// Grows in blocks and keeps them for the next batch.
class Arena {
 public:
  static constexpr size_t kBlock = 256 * 1024;
  /// At most kBlock bytes, aligned to 64.
  void* allocate(size_t bytes) {
    bytes = (bytes + 63) & ~size_t{63};
    if (block_ == blocks_.size() || used_ + bytes > kBlock) next_block();
    std::byte* const p = blocks_[block_].get() + used_;
    used_ += bytes;
    will_write(reinterpret_cast<uintptr_t>(p) + kAhead, bytes);
    return p;
  }
  /// Releases the tail of the last allocation.
  void shrink(const void* p, size_t bytes) {
    used_ = static_cast<size_t>(static_cast<const std::byte*>(p) - blocks_[block_].get()) + ((bytes + 63) & ~size_t{63});
  }
  void clear() { block_ = used_ = 0; }
  size_t bytes() const { return block_ * kBlock + used_; }

 private:
  /// Another thread has read these lines when they were last used, mostly: fetching them back takes as long as several primitives.
  static constexpr size_t kAhead = 2048;
  static void will_write(uintptr_t from, size_t bytes) {
#if defined(__x86_64__)  // the compiler's builtin would fetch them for reading unless told of the processor
    for (const uintptr_t end = from + bytes; from < end; from += 64) asm volatile("prefetchw (%0)" : : "r"(from));
#else
    for (const uintptr_t end = from + bytes; from < end; from += 64) __builtin_prefetch(reinterpret_cast<const void*>(from), 1);
#endif
  }
  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  [[gnu::noinline, gnu::cold]] void next_block() {
    if (block_ < blocks_.size()) ++block_;
    if (block_ == blocks_.size()) blocks_.emplace_back(new (std::align_val_t{64}) std::byte[kBlock]);
    used_ = 0;
  }
  std::vector<std::unique_ptr<std::byte[], Free>> blocks_;
  size_t block_ = 0, used_ = 0;
};

struct BinChunk {
  static constexpr uint32_t kRecords = 14;
  BinChunk* next = nullptr;
  uint32_t count = 0;
  const raster::Record* record[kRecords];
};

struct Bin {
  BinChunk* first = nullptr;
  BinChunk* last = nullptr;
  void add(Arena& arena, const raster::Record& record) {
    if (!last || last->count == BinChunk::kRecords) {
      auto* chunk = new (arena.allocate(sizeof(BinChunk))) BinChunk;
      (last ? last->next : first) = chunk;
      last = chunk;
    }
    last->record[last->count++] = &record;
  }
};

}  // namespace pumice::hw::fast
