// SPDX-License-Identifier: MIT
/// Numbers as the inspector prints them: nine digits, so that the text has all bits of a float but a NaN's.
#pragma once
#include <bit>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace pumice::hw::trace {

[[gnu::format(printf, 1, 2)]] inline std::string format(const char* how, ...) {
  char buffer[512];
  va_list list;
  va_start(list, how);
  const int n = std::vsnprintf(buffer, sizeof buffer, how, list);
  va_end(list);
  return n < 0 ? std::string() : std::string(buffer);
}

inline std::string number(double v) { return format("%.9g", v); }

/// The bits of a register of an extended program, which may be a float or an integer: what is no ordinary float as an integer in hex.
inline std::string bits_text(uint32_t bits) {
  const uint32_t exponent = bits >> 23 & 255;
  if (exponent == 255 ? (bits & 0x7FFFFF) != 0 : exponent == 0 && (bits & 0x7FFFFF) != 0) return format("0x%x", bits);
  return number(double{std::bit_cast<float>(bits)});
}
inline std::string bits_text(std::span<const uint32_t> v) {
  std::string text = "(";
  for (size_t i = 0; i < v.size(); ++i) text += (i ? ", " : "") + bits_text(v[i]);
  return text + ")";
}

/// "(1, 0.5, 0, 1)"
inline std::string numbers(std::span<const float> v) {
  std::string text = "(";
  for (size_t i = 0; i < v.size(); ++i) text += (i ? ", " : "") + number(double{v[i]});
  return text + ")";
}

/// "r1.rgb = (1, 0.5, 0)": the channels of `mask`, named by `names`; `text` makes a number's text.
template <class Vector, class Text>
std::string masked_as(const std::string& name, const char* names, uint32_t mask, const Vector& v, Text text) {
  std::string channels, values;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(mask >> c & 1)) continue;
    channels += names[c];
    values += (values.empty() ? "" : ", ") + text(v[c]);
  }
  return name + "." + channels + " = " + (channels.size() == 1 ? values : "(" + values + ")");
}
template <class Vector>
std::string masked(const std::string& name, const char* names, uint32_t mask, const Vector& v) {
  return masked_as(name, names, mask, v, [](double n) { return number(n); });
}
template <class Vector>
std::string masked_bits(const std::string& name, const char* names, uint32_t mask, const Vector& v) {
  return masked_as(name, names, mask, v, [](uint32_t n) { return bits_text(n); });
}

}  // namespace pumice::hw::trace
