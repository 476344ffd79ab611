// SPDX-License-Identifier: MIT
/// A large zero-initialized array. Untouched pages cost nothing, unlike those of a std::vector: at process start page faults are most of
/// the cost of creating a chip. (calloc() is not enough: the loader's own allocations make glibc take blocks of this size from the heap,
/// where it writes the zeros.)
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace pumice {

/// Maps whole pages for `bytes` (at least 1) zero bytes, or throws bad_alloc. `touched`: all pages will be used soon, so populate them in
/// one call, which is cheaper than one fault per page.
inline void* map_zero_pages(size_t bytes, bool touched = false) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (touched ? MAP_POPULATE : 0), -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  return pages;
}

template <class T>
class ZeroPages {
 public:
  /// `n` at least 1.
  explicit ZeroPages(size_t n, bool touched = false) : size_(n) {
    if (n > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    items_ = static_cast<T*>(map_zero_pages(n * sizeof(T), touched));
  }
  ~ZeroPages() {
    if (items_) munmap(items_, size_ * sizeof(T));
  }
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;
  ZeroPages(ZeroPages&& o) noexcept : items_(std::exchange(o.items_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  ZeroPages& operator=(ZeroPages&& o) noexcept {
    std::swap(items_, o.items_);
    std::swap(size_, o.size_);
    return *this;
  }
  size_t size() const { return size_; }
  T* data() const { return items_; }
  T& operator[](size_t i) const { return items_[i]; }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
  T* items_ = nullptr;
  size_t size_;
};

}  // namespace pumice
