// SPDX-License-Identifier: MIT
/// Many items that start as zero bytes. Pages nobody touches cost nothing, which a std::vector's would: at the start of a process page
/// faults are most of what a chip costs.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace pumice {

template <class T>
class ZeroPages {
 public:
  explicit ZeroPages(size_t n) : items_(static_cast<T*>(std::calloc(n, sizeof(T)))), size_(n) {
    if (!items_) throw std::bad_alloc();
  }
  ~ZeroPages() { std::free(items_); }
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
  T* items_;
  size_t size_;
};

}  // namespace pumice
