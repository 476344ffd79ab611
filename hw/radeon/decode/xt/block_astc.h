// SPDX-License-Identifier: MIT
/// Parts of an ASTC block. Private to block_astc*.cpp.
#pragma once
#include <array>
#include <cstdint>

namespace pumice::hw::xt::astc {

/// 128 bits; bit 0 is the lowest of the first byte. Weights are read from the other end.
class Bits {
 public:
  explicit Bits(const uint8_t* bytes) {
    for (uint32_t i = 0; i < 8; ++i) half_[0] |= uint64_t{bytes[i]} << 8 * i, half_[1] |= uint64_t{bytes[8 + i]} << 8 * i;
  }
  /// `count` (at most 32) bits from `first` on; those beyond `end` are 0.
  uint32_t field(uint32_t first, uint32_t count, uint32_t end = 128) const {
    if (first >= end) return 0;
    const uint32_t have = count < end - first ? count : end - first;
    uint64_t v = first < 64 ? half_[0] >> first : half_[1] >> (first - 64);
    if (first < 64 && first) v |= half_[1] << (64 - first);
    return uint32_t(v & ((uint64_t{1} << have) - 1));
  }
  Bits reversed() const;

 private:
  uint64_t half_[2] = {};
};

/// Numbers in a sequence: each of `bits` bits, together with a trit or a quint.
struct Range {
  uint8_t bits = 0, trits = 0, quints = 0;
};
/// Bits that `count` of them take.
uint32_t sequence_bits(const Range& range, uint32_t count);
/// Number i of a sequence that occupies bits first..end-1.
uint32_t sequence_value(const Bits& block, const Range& range, uint32_t first, uint32_t end, uint32_t i);
/// A weight, 0..64, and a component of a colour, 0..255.
uint32_t weight_of(const Range& range, uint32_t value);
uint32_t component_of(const Range& range, uint32_t value);

using Color = std::array<int32_t, 4>;
struct Endpoints {
  Color a, b;
};
/// Whether decoders without high dynamic range know the endpoint mode.
bool is_low_range(uint32_t mode);
Endpoints endpoints_of(uint32_t mode, const std::array<int32_t, 8>& v);

/// The partition of a texel, of `count` in the pattern `seed`; `small`: the block has fewer than 31 texels.
uint32_t partition_of(uint32_t seed, uint32_t x, uint32_t y, uint32_t count, bool small);

}  // namespace pumice::hw::xt::astc
