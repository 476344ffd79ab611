// SPDX-License-Identifier: MIT
#include "compiler/memory.h"

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

}  // namespace pumice::compiler
