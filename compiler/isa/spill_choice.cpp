// SPDX-License-Identifier: MIT
#include "compiler/isa/spill_choice.h"

#include "compiler/isa/liveness.h"

namespace pumice::compiler::isa {
namespace {

constexpr uint8_t kRgb = 7, kAlpha = 8;

/// Lanes that occupy channels at one point, by the channels that they may have.
struct Pressure {
  uint32_t rgb = 0, alpha = 0, any = 0;
  uint32_t& of(uint8_t channels) { return !(channels & ~kRgb) ? rgb : channels == kAlpha ? alpha : any; }
  uint32_t registers() const { return std::max({(rgb + 2) / 3, alpha, (rgb + alpha + any + 3) / 4}); }
};

}  // namespace

Vec<uint32_t> choose_spills(const Vec<VirtualRegister>& registers, const Vec<Point>& points, const Vec<uint32_t>& cost,
                            uint32_t registers_wanted) {
  const Occupancy busy = occupancy(registers, points);
  Vec<Pressure> pressure(points.size() + 1);
  Vec<float> gain(registers.size());  // points freed for the cost
  const auto add = [&](uint32_t v, bool plus) {
    for (unsigned l = 0; l < registers[v].lanes; l++) {
      const uint8_t channels = registers[v].channels[l];
      const LaneBits row = busy.of(v * 4 + l);
      for (size_t w = 0; w < row.words.size(); w++) {
        for (uint64_t bits = row.words[w]; bits; bits &= bits - 1) {
          uint32_t& n = pressure[(row.first + w) * 64 + static_cast<size_t>(std::countr_zero(bits))].of(channels);
          n = plus ? n + 1 : n - 1;
        }
      }
    }
  };
  for (uint32_t v = 0; v < registers.size(); v++) {
    add(v, true);
    uint32_t freed = 0;
    for (unsigned l = 0; l < registers[v].lanes; l++) freed += busy.of(v * 4 + l).count();
    if (cost[v] != kNeverSpill) gain[v] = static_cast<float>(freed) / static_cast<float>(cost[v] + 1);
  }
  Vec<uint32_t> chosen;
  for (size_t p = 0; p < pressure.size(); p++) {
    while (pressure[p].registers() > registers_wanted) {
      uint32_t best = ~0u;
      for (uint32_t v = 0; v < registers.size(); v++) {
        if (gain[v] <= (best == ~0u ? 0.0f : gain[best])) continue;
        bool here = false;
        for (unsigned l = 0; l < registers[v].lanes; l++) here |= busy.of(v * 4 + l).test(p);
        if (here) best = v;
      }
      if (best == ~0u) break;
      add(best, false);
      gain[best] = 0;
      chosen.push_back(best);
    }
  }
  return chosen;
}

}  // namespace pumice::compiler::isa
