// SPDX-License-Identifier: MIT
/// A vector of a known greatest size, without memory of its own.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <type_traits>

namespace pumice::compiler::isa {

template <class T, size_t N>
class Small {
 public:
  Small() {}  // the items stay as they are until they are pushed
  Small(std::initializer_list<T> items) {
    for (const T& i : items) push_back(i);
  }
  void push_back(const T& value) {
    items_[size_++] = value;
    if (size_ > N) overflow();
  }
  /// Computed, not jumped over.
  void push_back_if(bool wanted, const T& value) {
    items_[size_] = value;
    size_ = static_cast<Size>(size_ + wanted);
    if (size_ > N) overflow();
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t i) const { return items_[i]; }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] void overflow() {
    size_ = N;
    throw std::length_error("a list of fixed size is full");
  }
  using Size = std::conditional_t<sizeof(T) < 2, uint8_t, std::conditional_t<sizeof(T) < 4, uint16_t, uint32_t>>;
  static_assert(N < 255);
  std::array<T, N + 1> items_;  // the last is where one too many would go
  Size size_ = 0;
};

}  // namespace pumice::compiler::isa
