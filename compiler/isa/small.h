// SPDX-License-Identifier: MIT
/// A vector of a known greatest size, without memory of its own.
#pragma once
#include <array>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>

namespace pumice::compiler::isa {

template <class T, size_t N>
class Small {
 public:
  Small() {}  // the items stay as they are until they are pushed
  Small(std::initializer_list<T> items) {
    for (const T& i : items) push_back(i);
  }
  void push_back(const T& value) {
    if (size_ == N) throw std::length_error("a list of fixed size is full");
    items_[size_++] = value;
  }
  /// Computed, not jumped over.
  void push_back_if(bool wanted, const T& value) {
    if (size_ == N) return wanted ? push_back(value) : void();
    items_[size_] = value;
    size_ += wanted;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t i) const { return items_[i]; }

 private:
  std::array<T, N> items_;
  size_t size_ = 0;
};

}  // namespace pumice::compiler::isa
