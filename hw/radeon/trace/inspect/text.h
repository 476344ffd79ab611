// SPDX-License-Identifier: MIT
/// Numbers as the inspector prints them: nine digits, so that the text has all bits of a float but a NaN's.
#pragma once
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

/// "(1, 0.5, 0, 1)"
inline std::string numbers(std::span<const float> v) {
  std::string text = "(";
  for (size_t i = 0; i < v.size(); ++i) text += (i ? ", " : "") + number(double{v[i]});
  return text + ")";
}

/// "r1.rgb = (1, 0.5, 0)": the channels of `mask`, named by `names`.
template <class Vector>
std::string masked(const std::string& name, const char* names, uint32_t mask, const Vector& v) {
  std::string channels, values;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(mask >> c & 1)) continue;
    channels += names[c];
    values += (values.empty() ? "" : ", ") + number(double{v[c]});
  }
  return name + "." + channels + " = " + (channels.size() == 1 ? values : "(" + values + ")");
}

}  // namespace pumice::hw::trace
