// SPDX-License-Identifier: MIT
#include "compiler/memory.h"

#include <algorithm>
#include <cstring>

namespace pumice::compiler {

thread_local constinit Memory* MemoryScope::current_ = nullptr;

void Memory::more() {
  // What is left of the last chunk stays unused: chunks are much larger than what does not fit.
  // The C library maps the first chunk so large, and from then on keeps as much in its heap: the next compilation finds the same pages,
  // where smaller chunks, freed at the heap's top, would go back to the system each time.
  chunk_bytes_ = chunk_bytes_ ? 2 * chunk_bytes_ : 1024 * 1024;
  const size_t bytes = chunk_bytes_ - 64;
  auto* chunk = static_cast<Chunk*>(::operator new(bytes));
  chunk->before = chunks_;
  chunks_ = chunk;
  at_ = reinterpret_cast<std::byte*>(chunk + 1);
  end_ = reinterpret_cast<std::byte*>(chunk) + bytes;
}

Memory::~Memory() {
  while (chunks_) ::operator delete(std::exchange(chunks_, chunks_->before));
}

namespace {
uint32_t fit(size_t bytes, size_t item) { return static_cast<uint32_t>(bytes) / static_cast<uint32_t>(item); }

/// What VecMemory::take() does not find at hand, apart from it so that the usual way saves no registers.
[[gnu::noinline]] void* take_slowly(size_t wanted, size_t item, uint32_t& capacity) {
  // The capacity is not set before: what has no block has no capacity when memory runs out.
  const size_t bytes = Memory::block_bytes(wanted);
  if (bytes > UINT32_MAX) throw std::bad_alloc();
  Memory* m = MemoryScope::current();
  void* block = m && wanted <= Memory::kLargest ? m->allocate_class(Memory::size_class(wanted)) : ::operator new(bytes);
  capacity = fit(bytes, item);
  return block;
}
}  // namespace

void* VecMemory::take(size_t items, size_t item, uint32_t& capacity) {
  // The first block holds a few items, so that short lists need one.
  const size_t wanted = std::max(items * item, std::min<size_t>(4 * item, 128));
  if (Memory* m = MemoryScope::current(); m && wanted <= Memory::kLargest) [[likely]] {
    const size_t c = Memory::size_class(wanted);
    if (void* block = m->at_hand(c)) [[likely]] {
      capacity = fit(size_t{1} << c, item);
      return block;
    }
  }
  return take_slowly(wanted, item, capacity);
}
void VecMemory::give(void* block, size_t bytes) {
  if (Memory* m = MemoryScope::current()) [[likely]]
    return m->release(block, bytes);
  ::operator delete(block);
}
void* VecMemory::grow(void* block, uint32_t size, uint32_t& capacity, size_t items, size_t item) {
  if (!capacity) return take(items, item, capacity);
  const uint32_t before = capacity;
  void* to = take(std::max<size_t>(items, 2 * size_t{before}), item, capacity);
  // Blocks are whole pieces of 16 bytes, and most are short.
  const size_t bytes = size * item;
  if (bytes <= 128) {
    auto *a = static_cast<std::byte*>(to), *b = static_cast<std::byte*>(block);
    for (size_t i = 0; i < bytes; i += 16) std::memcpy(a + i, b + i, 16);
  } else {
    std::memcpy(to, block, bytes);
  }
  give(block, before * item);
  return to;
}

}  // namespace pumice::compiler
