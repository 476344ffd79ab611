// SPDX-License-Identifier: MIT
/// The list of a compilation (memory.h): the interface of std::vector as far as the compiler uses it. std::vector with an allocator of
/// one's own builds, moves and destroys item by item; here items that are plain bytes move as bytes, growing is one function for all of
/// them, and every block is used whole. 16 bytes, so that IR nodes, which consist of lists, are small.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace pumice::compiler {

/// Moving an item and forgetting the old one is copying its bytes: plain data, and what says so.
template <class T>
inline constexpr bool kMovesAsBytes = (std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>) || requires {
  typename T::MovesAsBytes;
};

/// What lists of all types share: items as bytes.
class VecMemory {
 protected:
  /// Room for `items` of `item` bytes at least; capacity becomes what fits.
  static void* take(size_t items, size_t item, uint32_t& capacity);
  static void give(void* block, size_t bytes);
  /// A larger block with the same bytes.
  static void* grow(void* block, uint32_t size, uint32_t& capacity, size_t items, size_t item);
};

template <class T>
class Vec : private VecMemory {
 public:
  using MovesAsBytes = void;
  using value_type = T;
  using size_type = size_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  Vec() = default;
  explicit Vec(size_t n) : Vec() { resize(n); }
  Vec(size_t n, const T& value) : Vec() { assign(n, value); }
  Vec(std::initializer_list<T> items) : Vec(items.begin(), items.end()) {}
  template <std::input_iterator It>
  Vec(It first, It last) : Vec() {
    append(first, last);
  }
  Vec(const Vec& o) : Vec() { append(o.begin(), o.end()); }
  Vec(Vec&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)), room_(std::exchange(o.room_, 0)) {}
  Vec& operator=(const Vec& o) {
    if (this != &o) assign(o.begin(), o.end());
    return *this;
  }
  Vec& operator=(Vec&& o) noexcept {
    Vec(std::move(o)).swap(*this);
    return *this;
  }
  ~Vec() {
    if (!room_) return;
    destroy(data_, data_ + size_);
    give(data_, room_ * sizeof(T));
  }
  void swap(Vec& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(room_, o.room_);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_t capacity() const { return room_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  const T* begin() const { return data_; }
  T* end() { return data_ + size_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& at(size_t i) { return check(i), data_[i]; }
  const T& at(size_t i) const { return check(i), data_[i]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  void reserve(size_t n) {
    if (n > room_) more(n);
  }
  void resize(size_t n) {
    if (n <= size_) {
      destroy(data_ + n, data_ + size_);
    } else {
      reserve(n);
      if constexpr (std::is_trivially_default_constructible_v<T>)
        std::memset(static_cast<void*>(data_ + size_), 0, (n - size_) * sizeof(T));
      else
        for (T* p = data_ + size_; p != data_ + n; ++p) ::new (static_cast<void*>(p)) T();
    }
    size_ = static_cast<uint32_t>(n);
  }
  void resize(size_t n, const T& value) {
    if (n <= size_) return resize(n);
    const T copy(value);
    reserve(n);
    while (size_ < n) ::new (static_cast<void*>(data_ + size_++)) T(copy);
  }
  void assign(size_t n, const T& value) {
    const T copy(value);
    clear();
    resize(n, copy);
  }
  template <std::input_iterator It>
  void assign(It first, It last) {
    clear();
    append(first, last);
  }
  void clear() {
    destroy(data_, data_ + size_);
    size_ = 0;
  }

  void push_back(const T& value) {
    if (size_ < room_) [[likely]]
      ::new (static_cast<void*>(data_ + size_)) T(value);
    else
      push_slowly(value);
    ++size_;
  }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == room_) [[unlikely]] {
      if constexpr (sizeof...(Args) == 0) {
        more(size_t{size_} + 1);
      } else {
        T made(std::forward<Args>(args)...);  // may be made of an item of this list
        more(size_t{size_} + 1);
        return *::new (static_cast<void*>(data_ + size_++)) T(std::move(made));
      }
    }
    return *::new (static_cast<void*>(data_ + size_++)) T(std::forward<Args>(args)...);
  }
  void pop_back() {
    --size_;
    destroy(data_ + size_, data_ + size_ + 1);
  }

  template <class... Args>
  T* emplace(const T* at, Args&&... args) {
    T made(std::forward<Args>(args)...);
    const size_t i = static_cast<size_t>(at - data_);
    emplace_back(std::move(made));
    std::rotate(data_ + i, data_ + size_ - 1, data_ + size_);
    return data_ + i;
  }
  T* insert(const T* at, const T& value) { return emplace(at, value); }
  T* insert(const T* at, T&& value) { return emplace(at, std::move(value)); }
  T* insert(const T* at, std::initializer_list<T> items) { return insert(at, items.begin(), items.end()); }
  /// [first, last) is not of this list, and can be walked twice.
  template <std::input_iterator It>
  T* insert(const T* at, It first, It last) {
    const size_t i = static_cast<size_t>(at - data_), before = size_;
    if constexpr (kMovesAsBytes<T>) {
      const size_t n = static_cast<size_t>(std::distance(first, last));
      reserve(before + n);
      if (i != before) std::memmove(static_cast<void*>(data_ + i + n), static_cast<const void*>(data_ + i), (before - i) * sizeof(T));
      for (T* p = data_ + i; first != last; ++first, ++p) ::new (static_cast<void*>(p)) T(*first);
      size_ = static_cast<uint32_t>(before + n);
    } else {
      append(first, last);
      std::rotate(data_ + i, data_ + before, data_ + size_);
    }
    return data_ + i;
  }
  T* erase(const T* at) { return erase(at, at + 1); }
  T* erase(const T* first, const T* last) {
    if (first == last) return data_ + (first - data_);
    T* to = data_ + (first - data_);
    T* from = data_ + (last - data_);
    if constexpr (kMovesAsBytes<T>) {
      destroy(to, from);
      std::memmove(static_cast<void*>(to), static_cast<const void*>(from), static_cast<size_t>(end() - from) * sizeof(T));
    } else {
      destroy(std::move(from, end(), to), end());
    }
    size_ -= static_cast<uint32_t>(last - first);
    return to;
  }

  bool operator==(const Vec& o) const { return std::equal(begin(), end(), o.begin(), o.end()); }

 private:
  void check(size_t i) const {
    if (i >= size_) throw std::out_of_range("Vec::at");
  }
  static void destroy([[maybe_unused]] T* from, [[maybe_unused]] T* to) {
    if constexpr (!std::is_trivially_destructible_v<T>)
      for (; from != to; ++from) from->~T();
  }
  template <class It>
  void append(It first, It last) {
    const size_t n = static_cast<size_t>(std::distance(first, last));
    if (!n) return;
    reserve(size_ + n);
    if constexpr (std::is_trivially_copy_constructible_v<T> && std::is_same_v<std::remove_cv_t<std::remove_pointer_t<It>>, T>) {
      std::memcpy(static_cast<void*>(data_ + size_), static_cast<const void*>(first), n * sizeof(T));
      size_ += static_cast<uint32_t>(n);
    } else {
      for (; first != last; ++first) ::new (static_cast<void*>(data_ + size_++)) T(*first);
    }
  }
  [[gnu::noinline]] void push_slowly(const T& value) {
    T copy(value);  // may be an item of this list
    more(size_t{size_} + 1);
    ::new (static_cast<void*>(data_ + size_)) T(std::move(copy));
  }
  void more(size_t n) {
    static_assert(alignof(T) <= 16);
    if constexpr (kMovesAsBytes<T>) {
      data_ = static_cast<T*>(grow(data_, size_, room_, n, sizeof(T)));
    } else {
      uint32_t room = room_;
      T* to = static_cast<T*>(take(std::max<size_t>(n, 2 * size_t{room_}), sizeof(T), room));
      for (uint32_t i = 0; i < size_; ++i) ::new (static_cast<void*>(to + i)) T(std::move(data_[i]));
      destroy(data_, data_ + size_);
      if (room_) give(data_, room_ * sizeof(T));
      data_ = to;
      room_ = room;
    }
  }

  T* data_ = nullptr;
  uint32_t size_ = 0, room_ = 0;
};

/// Removes the items that `test` holds for.
template <class T, class Test>
size_t erase_if(Vec<T>& list, const Test& test) {
  const size_t before = list.size();
  list.erase(std::remove_if(list.begin(), list.end(), test), list.end());
  return before - list.size();
}

}  // namespace pumice::compiler
