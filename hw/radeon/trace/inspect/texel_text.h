// SPDX-License-Identifier: MIT
/// A texture fetch in words: its level of detail, and its texels with their weights.
#pragma once
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

inline std::string lookup_text(const LookupStep& s) {
  static constexpr const char* kFilters[] = {"filter4", "point", "linear", "anisotropic"};
  std::string text = "coordinate " + numbers(s.coordinate) + ", lambda " + number(double{s.lambda}) + ", level " + std::to_string(s.level0);
  if (s.level1 != s.level0) text += format(" and, weight %s, %u", number(double{s.weight1}).c_str(), s.level1);
  text += std::string(", ") + kFilters[s.filter & 3];
  if (s.probes > 1) text += format(", %u probes", s.probes);
  return text;
}

inline std::string texel_text(const TexelStep& s) {
  const std::string where = s.border ? "border colour" : format("texel (%d, %d, %d) of level %u", s.x, s.y, s.layer, s.level);
  const auto bits = std::bit_cast<std::array<uint32_t, 4>>(s.value);
  const std::string value =
      s.integer ? format("(%d, %d, %d, %d)", int32_t(bits[0]), int32_t(bits[1]), int32_t(bits[2]), int32_t(bits[3])) : numbers(s.value);
  return where + ": C0..C3 " + value + ", weight " + number(s.weight);
}

}  // namespace pumice::hw::trace
