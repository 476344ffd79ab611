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

void* VecMemory::take(size_t items, size_t item, uint32_t& capacity) {
  // The first block holds a few items, so that short lists need one.
  const size_t bytes = Memory::block_bytes(std::max(items * item, std::min<size_t>(4 * item, 128)));
  if (bytes / item > UINT32_MAX) throw std::bad_alloc();
  const auto fit = static_cast<uint32_t>(bytes / item);
  Memory* m = MemoryScope::current();
  void* const block = m ? m->allocate(fit * item) : ::operator new(fit* item);
  capacity = fit;  // not before: what has no block has no capacity when memory runs out
  return block;
}
void VecMemory::give(void* block, size_t bytes) {
  if (Memory* m = MemoryScope::current())
    m->release(block, bytes);
  else
    ::operator delete(block);
}
void* VecMemory::grow(void* block, uint32_t size, uint32_t& capacity, size_t items, size_t item) {
  const uint32_t before = capacity;
  void* to = take(std::max<size_t>(items, 2 * size_t{before}), item, capacity);
  if (!before) return to;
  std::memcpy(to, block, size * item);
  give(block, before * item);
  return to;
}

}  // namespace pumice::compiler
