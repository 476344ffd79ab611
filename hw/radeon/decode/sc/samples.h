// SPDX-License-Identifier: MIT
/// GB_AA_CONFIG and GB_MSPOS: sample count per pixel and sample positions (pipeline s.4). A multisampled surface is linear; sample s of
/// pixel (x, y) lies at offset + ((y*n + s)*pitch + x)*bytes (UNCONFIRMED, hw/radeon/ref/rb3d/README.md): surface::PixelAccess::sample().
#pragma once
#include <array>

#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::sc {

struct Samples {
  static constexpr uint32_t kMost = 8;
  static constexpr int32_t kCentre = 6, kSteps = 12;  ///< positions of GB_MSPOS count 1/12 pixel from the pixel's left and top
  struct Position {
    int32_t x = kCentre, y = kCentre;
    bool operator==(const Position&) const = default;
  };
  int32_t steps = kSteps;  ///< positions count 1/steps pixel; extended draws: 16
  uint32_t count = 1;      ///< 1: multisampling is off, the sample is the pixel's centre
  std::array<Position, kMost> at{};
  bool operator==(const Samples&) const = default;
};

inline uint32_t sample_count(const ChipState& state) {
  static constexpr std::array<uint8_t, 4> kCount = {2, 3, 4, 6};
  const auto aa = state.get<regs::GB_AA_CONFIG>();
  return aa.AA_ENABLE() ? kCount[aa.NUM_AA_SUBSAMPLES()] : 1;
}

/// Positions 12..15 lie in the neighbouring pixel and are taken as they are.
inline Samples samples(const ChipState& state) {
  Samples s;
  s.count = sample_count(state);
  if (s.count == 1) return s;
  const auto p = state.get<regs::GB_MSPOS0>();
  const auto q = state.get<regs::GB_MSPOS1>();
  const std::array<std::array<uint32_t, 2>, 6> at = {{{p.MS_X0(), p.MS_Y0()},
                                                                   {p.MS_X1(), p.MS_Y1()},
                                                                   {p.MS_X2(), p.MS_Y2()},
                                                                   {q.MS_X3(), q.MS_Y3()},
                                                                   {q.MS_X4(), q.MS_Y4()},
                                                                   {q.MS_X5(), q.MS_Y5()}}};
  for (uint32_t i = 0; i < s.count; ++i) s.at[i] = {static_cast<int32_t>(at[i][0]), static_cast<int32_t>(at[i][1])};
  return s;
}

}  // namespace pumice::hw::sc
