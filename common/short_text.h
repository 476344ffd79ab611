// SPDX-License-Identifier: MIT
/// A short text inside its object. Tables of rows with such texts are constant data; with pointers to literals each page of them would have
/// to be relocated, and so copied, whenever the driver is loaded.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pumice {

/// At most `kMost` characters.
template <size_t kMost>
class ShortText {
 public:
  constexpr ShortText() = default;
  template <size_t kBytes>
  consteval ShortText(const char (&literal)[kBytes]) : size_(kBytes - 1) {
    static_assert(kBytes - 1 <= kMost && kMost <= UINT8_MAX);
    std::copy_n(literal, kBytes, text_);
  }
  constexpr operator std::string_view() const { return {text_, size_}; }
  constexpr const char* c_str() const { return text_; }
  constexpr size_t size() const { return size_; }
  constexpr char operator[](size_t i) const { return text_[i]; }
  constexpr char front() const { return text_[0]; }
  constexpr const char* begin() const { return text_; }
  constexpr const char* end() const { return text_ + size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool operator==(std::string_view other) const { return std::string_view(*this) == other; }
  friend std::string operator+(std::string before, const ShortText& t) {
    before += std::string_view(t);
    return before;
  }

 private:
  char text_[kMost + 1]{};
  uint8_t size_ = 0;
};

}  // namespace pumice
