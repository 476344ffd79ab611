// SPDX-License-Identifier: MIT
/// Depth (docs/reference/rdp.md section 16). Stored: Z as 3-bit exponent and 11-bit mantissa, and the exponent of delta z.
#include "hw/rdp/ref/depth.h"

#include <algorithm>

#include "hw/rdp/ref/bits.h"
#include "hw/rdp/ref/span.h"

namespace pumice::hw::rdp {
namespace {

enum ZMode : uint8_t { kOpaque, kInterpenetrating, kTransparent, kDecal };

uint32_t z_halfword(const State& state, uint32_t pixel) { return (state.z_address >> 1) + pixel; }

}  // namespace

uint32_t compress_z(uint32_t z) {
  uint32_t e = 0;
  while (e < 7 && (z << e & 0x20000)) ++e;
  const uint32_t m = (z >> (e < 6 ? 6 - e : 0)) & 0x7FF;
  return e << 11 | m;
}

uint32_t expand_z(uint32_t stored) {
  static constexpr std::array<uint32_t, 8> kBase = {0, 0x20000, 0x30000, 0x38000, 0x3C000, 0x3E000, 0x3F000, 0x3F800};
  const uint32_t e = stored >> 11 & 7;
  return (((stored & 0x7FF) << (e < 6 ? 6 - e : 0)) + kBase[e]) & 0x3FFFF;
}

DepthResult compare_depth(const State& state, const Rdram& ram, uint32_t pixel, uint32_t z, uint32_t dz, uint32_t dz_code,
                          int memory_coverage, int& coverage) {
  DepthResult r;
  const bool force = state.modes.force_blend(), aa = state.modes.antialias_en();
  r.wraps = (memory_coverage + coverage) & 8;
  if (!state.modes.z_compare_en()) {
    r.blend_en = force || (aa && !r.wraps);
    r.shift_b = std::min(15 - static_cast<int>(dz_code), 4);
    return r;
  }
  const uint32_t i = z_halfword(state, pixel);
  const uint32_t word = ram.read16(i);
  const uint32_t memory_z = expand_z(word >> 2);
  const uint32_t memory_dz_code = (word & 3) << 2 | ram.hidden(i);
  const uint32_t exponent = word >> 13;

  uint32_t memory_dz = 1u << memory_dz_code;
  bool coplanar = false;
  if (exponent < 3) {
    if (memory_dz == 0x8000) {
      coplanar = true;
      memory_dz = 0xFFFF;
    } else {
      memory_dz = std::max(2 * memory_dz, 16u >> exponent);
    }
  }
  const uint32_t top = highest_bit((dz | memory_dz) & 0xFFFF);
  const int32_t reach = static_cast<int32_t>(8 * top), zi = static_cast<int32_t>(z), mz = static_cast<int32_t>(memory_z);
  const bool farther = coplanar || zi + reach >= mz;
  const bool nearer = coplanar || zi - reach <= mz;
  const bool front = zi < mz;
  const bool far = memory_z == 0x3FFFF;
  r.blend_en = force || (aa && !r.wraps && farther);
  r.shift_a = std::clamp(static_cast<int>(dz_code) - static_cast<int>(memory_dz_code), 0, 4);
  r.shift_b = std::clamp(static_cast<int>(memory_dz_code) - static_cast<int>(dz_code), 0, 4);
  switch (state.modes.z_mode()) {
    case kInterpenetrating:
      if (front && farther && r.wraps) {
        const uint32_t n = rdp::dz_code(top);
        const uint32_t k = ((memory_z >> n) - (z >> n)) & 15;
        coverage = static_cast<int>((k * static_cast<uint32_t>(coverage)) >> 3 & 15);
        r.pass = true;
        break;
      }
      [[fallthrough]];
    case kOpaque: r.pass = far || (r.wraps ? front : nearer); break;
    case kTransparent: r.pass = front || far; break;
    default: r.pass = farther && nearer && !far; break;
  }
  return r;
}

void write_depth(const State& state, Rdram& ram, uint32_t pixel, uint32_t z, uint32_t dz_code) {
  ram.write16(z_halfword(state, pixel), compress_z(z) << 2 | dz_code >> 2, dz_code & 3);
}

}  // namespace pumice::hw::rdp
