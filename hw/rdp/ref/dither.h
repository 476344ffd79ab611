// SPDX-License-Identifier: MIT
/// Dither and noise (docs/reference/rdp.md section 18).
#pragma once
#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

/// The chip's noise source is not known; this one is a hash of primitive number and position, so that pictures do
/// not depend on the order of work.
class Noise {
 public:
  Noise(uint32_t seed, int x, int y);
  int32_t combiner() const { return static_cast<int32_t>((bits_ & 7) << 6 | 0x20); }
  int32_t rgb_dither(int channel) const { return static_cast<int32_t>(bits_ >> (3 + 3 * channel) & 7); }
  int32_t alpha_dither() const { return static_cast<int32_t>(bits_ >> 12 & 7); }
  int32_t alpha_threshold() const { return static_cast<int32_t>(bits_ >> 16 & 0xFF); }

 private:
  uint32_t bits_;
};

struct Dither {
  std::array<int32_t, 3> rgb{};
  int32_t alpha = 0;
};

Dither dither_at(const State& state, const Noise& noise, int x, int y);
/// RGB dither of a final colour channel.
int32_t dither_channel(int32_t c, int32_t dither);

}  // namespace pumice::hw::rdp
