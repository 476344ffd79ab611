// SPDX-License-Identifier: MIT
#include "tools/run/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace pumice::run {
namespace {

/// Calls f(slot, channel) for every output of the module until it returns false.
template <class F>
void each_output(const Module& m, F f) {
  for (const Variable& v : m.outputs)
    for (uint32_t column = 0; column < v.columns; ++column)
      for (uint32_t c = 0; c < v.components; ++c)
        if (!f(v.location + column, c)) return;
  if (m.position)
    for (uint32_t c = 0; c < 4; ++c)
      if (!f(kPosition, c)) return;
  if (m.point_size || m.depth) f(kExtra, 0);
}

}  // namespace

uint32_t ulps(float a, float b) {
  const auto ordered = [](float f) {
    const auto u = std::bit_cast<uint32_t>(f);
    return u >> 31 ? -int64_t(u & 0x7FFFFFFF) : int64_t(u);
  };
  const int64_t d = std::llabs(ordered(a) - ordered(b));
  return uint32_t(std::min<int64_t>(d, 0xFFFFFFFF));
}

std::string slot_name(const Module& m, uint32_t slot) {
  if (slot == kPosition) return "gl_Position";
  if (slot == kExtra) return m.stage == Stage::vertex ? "gl_PointSize" : "gl_FragDepth";
  for (const Variable& v : m.outputs)
    if (slot >= v.location && slot < v.location + v.columns)
      return v.columns > 1 ? v.name + "[" + std::to_string(slot - v.location) + "]" : v.name;
  return "output " + std::to_string(slot);
}

std::optional<Difference> same_bits(const Module& m, const Results& a, const Results& b) {
  std::optional<Difference> found;
  for (uint32_t i = 0; i < a.value.size() && !found; ++i) {
    if (a.killed[i] != b.killed[i]) found = Difference{i, 0, 0, true, float(a.killed[i]), float(b.killed[i]), 0};
    if (a.killed[i]) continue;
    each_output(m, [&](uint32_t slot, uint32_t c) {
      const float x = a.value[i][slot][c], y = b.value[i][slot][c];
      if (!found && std::bit_cast<uint32_t>(x) != std::bit_cast<uint32_t>(y)) found = Difference{i, slot, c, false, x, y, ulps(x, y)};
      return !found;
    });
  }
  return found;
}

Judgement judge(const Module& m, const Results& chip, std::span<const Results> wanted, const Tolerance& t) {
  Judgement j;
  std::optional<Difference> jump;
  const auto near = [&](float have, float want) { return ulps(have, want) <= t.ulp || std::fabs(have - want) <= t.absolute; };
  const auto neighbours = wanted.subspan(1);
  for (uint32_t i = 0; i < chip.value.size(); ++i) {
    const auto found = [&](const Difference& d, bool right_elsewhere) {
      ++j.compared;
      if (right_elsewhere) ++j.jumps;
      std::optional<Difference>& to = right_elsewhere ? jump : j.first;
      if (!to) to = d;
    };
    if (chip.killed[i] != wanted[0].killed[i]) {
      found({i, 0, 0, true, float(chip.killed[i]), float(wanted[0].killed[i]), 0},
            std::any_of(neighbours.begin(), neighbours.end(), [&](const Results& r) { return r.killed[i] == chip.killed[i]; }));
      continue;
    }
    if (chip.killed[i]) {
      ++j.compared;
      continue;
    }
    each_output(m, [&](uint32_t slot, uint32_t c) {
      const float have = chip.value[i][slot][c], want = wanted[0].value[i][slot][c];
      if (!std::isfinite(want)) {
        ++j.open;
        return true;
      }
      if (!near(have, want)) {
        found({i, slot, c, false, have, want, ulps(have, want)}, std::any_of(neighbours.begin(), neighbours.end(), [&](const Results& r) {
                return !r.killed[i] && near(have, r.value[i][slot][c]) && ulps(want, r.value[i][slot][c]) > t.jump;
              }));
        return true;
      }
      ++j.compared;
      if (const float off = std::fabs(have - want); off > t.absolute) j.worst_ulp = std::max(j.worst_ulp, ulps(have, want));
      j.worst_absolute = std::max(j.worst_absolute, std::fabs(have - want));
      return true;
    });
  }
  if (!j.first && j.jumps * 16 > j.compared) j.first = jump;
  return j;
}

}  // namespace pumice::run
