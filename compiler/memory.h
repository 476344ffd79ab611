// SPDX-License-Identifier: MIT
/// Memory of one compilation. A compilation makes thousands of short lists and drops them again; what they give back is handed out again
/// at once, by size, without locks and while it is in the cache, and all of it goes in one when the compilation ends.
///
/// Containers use it through Vec (vec.h), Set, Map and HashMap: while a MemoryScope exists on the thread, their memory is the scope's, else
/// the heap's. Whatever is made inside a scope must be gone before it ends, and nothing made outside may grow or shrink inside; compile()
/// sees to that: what it takes and gives are std containers, all between lives in Compilation.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <new>
#include <set>
#include <unordered_map>
#include <utility>

#include "compiler/vec.h"

namespace pumice::compiler {

class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  void* allocate(size_t bytes) { return bytes > kLargest ? ::operator new(bytes) : allocate_class(size_class(bytes)); }
  /// A block of 1 << c bytes.
  void* allocate_class(size_t c) {
    if (void* p = at_hand(c)) [[likely]]
      return p;
    more();
    return at_hand(c);
  }
  /// The same without a new chunk: null if it needs one.
  void* at_hand(size_t c) {
    if (Free* f = free_[c]) {
      free_[c] = f->next;
      return f;
    }
    const size_t size = size_t{1} << c;
    if (size > static_cast<size_t>(end_ - at_)) [[unlikely]]
      return nullptr;
    void* p = at_;
    at_ += size;
    return p;
  }
  void release(void* p, size_t bytes) {
    if (bytes > kLargest) return ::operator delete(p);
    const size_t c = size_class(bytes);
    free_[c] = new (p) Free{free_[c]};
  }
  /// How large the block for so many bytes is.
  static size_t block_bytes(size_t bytes) { return bytes > kLargest ? bytes : size_t{1} << size_class(bytes); }
  static size_t size_class(size_t bytes) { return static_cast<size_t>(std::bit_width((bytes < kSmallest ? kSmallest : bytes) - 1)); }
  static constexpr size_t kLargest = 65536;

 private:
  static constexpr size_t kSmallest = 16;
  static constexpr unsigned kClasses = 17;
  static_assert(size_t{1} << (kClasses - 1) == kLargest);
  struct Free {
    Free* next;
  };
  struct Chunk {
    alignas(16) Chunk* before;
  };
  void more();

  std::byte *at_ = nullptr, *end_ = nullptr;
  std::array<Free*, kClasses> free_{};
  Chunk* chunks_ = nullptr;
  size_t chunk_bytes_ = 0;  ///< of the last one
};

/// Makes a Memory the thread's current one.
class MemoryScope {
 public:
  MemoryScope() : outer_(std::exchange(current_, &memory_)) {}
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;
  ~MemoryScope() { current_ = outer_; }
  static Memory* current() {
#ifdef __SANITIZE_ADDRESS__
    return nullptr;  // the heap, where the sanitizer sees what is used after it was given back
#else
    return current_;
#endif
  }

 private:
  // One load in a shared library as well.
  [[gnu::tls_model("initial-exec")]] static thread_local constinit Memory* current_;
  Memory memory_;
  Memory* outer_;
};

template <class T>
struct Allocator {
  using value_type = T;
  using is_always_equal = std::true_type;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  T* allocate(size_t n) {
    static_assert(alignof(T) <= 16);
    const size_t bytes = n * sizeof(T);
    Memory* m = MemoryScope::current();
    return static_cast<T*>(m ? m->allocate(bytes) : ::operator new(bytes));
  }
  void deallocate(T* p, size_t n) {
    if (Memory* m = MemoryScope::current())
      m->release(p, n * sizeof(T));
    else
      ::operator delete(p);
  }
  bool operator==(const Allocator&) const { return true; }
};

template <class T>
using Set = std::set<T, std::less<T>, Allocator<T>>;
template <class K, class V>
using Map = std::map<K, V, std::less<K>, Allocator<std::pair<const K, V>>>;
template <class K, class V>
using HashMap = std::unordered_map<K, V, std::hash<K>, std::equal_to<K>, Allocator<std::pair<const K, V>>>;

}  // namespace pumice::compiler
