// SPDX-License-Identifier: MIT
/// TMEM: 4 KiB of texture memory, its layout and the texel formats (docs/reference/rdp.md section 12).
#pragma once
#include <array>
#include <cstdint>
#include <cstring>

#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

class Tmem {
 public:
  void clear() { bytes_.fill(0); }
  const uint8_t* data() const { return bytes_.data(); }
  uint8_t* data() { return bytes_.data(); }
  uint32_t byte(uint32_t i) const { return bytes_[i & 0xFFF]; }
  uint32_t half(uint32_t i) const { return uint32_t{bytes_[2 * i & 0xFFF]} << 8 | bytes_[(2 * i & 0xFFF) + 1]; }
  void set_half(uint32_t i, uint32_t v) {
    bytes_[2 * i & 0xFFF] = static_cast<uint8_t>(v >> 8);
    bytes_[(2 * i & 0xFFF) + 1] = static_cast<uint8_t>(v);
  }

  /// A whole 64-bit word: halfwords i to i + 3, i a multiple of four.
  void set_word(uint32_t i, uint64_t v) {
    v = __builtin_bswap64(v);
    std::memcpy(bytes_.data() + (2 * i & 0xFF8), &v, 8);
  }

  /// Texel (s, t) of a tile, TLUT off. Chroma of YUV tiles is taken at luma index chroma_s.
  Color texel(const Tile& tile, int32_t s, int32_t t, int32_t chroma_s) const;
  /// Table index of texel (s, t), TLUT on.
  uint32_t tlut_index(const Tile& tile, int32_t s, int32_t t) const;
  /// Entry of the table, raw; the table stands four times in the high half.
  uint32_t tlut_entry(uint32_t index, uint32_t copy) const { return half(1024 + 4 * index + copy); }
  static Color decode_tlut(uint32_t entry, bool ia);

  /// The halfword that holds texel (s, t), and the texel reduced to 8 bits: copy mode.
  uint32_t copy_half(const Tile& tile, int32_t s, int32_t t) const;
  uint32_t copy_byte(const Tile& tile, int32_t s, int32_t t) const;

 private:
  std::array<uint8_t, 4096> bytes_{};
};

}  // namespace pumice::hw::rdp
