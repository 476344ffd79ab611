// SPDX-License-Identifier: MIT
/// Bytes for the page: compressed (zlib), as text (base64), as PNG; and JSON.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/radeon/trace/inspect/picture.h"

namespace pumice::hw::trace {

using Bytes = std::vector<uint8_t>;

Bytes deflated(std::span<const uint8_t> bytes);
std::string base64(std::span<const uint8_t> bytes);
/// Of at most `most` pixels a side: larger ones are made smaller, nearest texel.
Bytes png(const Picture& picture, uint32_t most);

/// Writes JSON from left to right: objects and arrays are opened and closed by hand, commas come by themselves.
class Json {
 public:
  Json& open(char bracket);
  Json& close(char bracket);
  Json& key(std::string_view name);
  Json& value(std::string_view text);
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& value(const std::string& text) { return value(std::string_view(text)); }
  Json& value(int64_t number);
  Json& value(const std::vector<std::string>& lines);
  template <class T>
  Json& member(std::string_view name, const T& v) {
    key(name);
    if constexpr (std::is_integral_v<T>)
      return value(int64_t(v));
    else
      return value(v);
  }
  const std::string& text() const { return text_; }

 private:
  void comma();
  std::string text_;
  bool first_ = true;
};

}  // namespace pumice::hw::trace
