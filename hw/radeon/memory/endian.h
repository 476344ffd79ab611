// SPDX-License-Identifier: MIT
/// The chip's endian swap codes (cp-pm4 s.1.1), which all fields share that swap bytes: BUF_SWAP and its like, VC_SWAP, HOST_DATA_SWAP.
/// As addresses of bytes (DEPTHENDIAN, COLORENDIAN, ENDIAN_SWAP) they are in hw/radeon/decode/surface/pixel_access.h.
#pragma once
#include <cstdint>

namespace pumice::hw {

enum class Swap : uint8_t { none, words, dwords, halves };  ///< bytes of 16-bit words, bytes of dwords, the halves of dwords

/// Word: a dword, or a vector of them.
template <class Word>
constexpr Word swap_endian(Word v, uint32_t code) {
  switch (Swap(code & 3)) {
    case Swap::none: return v;
    case Swap::words: return (v & 0x00FF00FFu) << 8 | (v >> 8 & 0x00FF00FFu);
    case Swap::dwords: return v << 24 | (v & 0xFF00u) << 8 | (v >> 8 & 0xFF00u) | v >> 24;
    case Swap::halves: return v << 16 | v >> 16;
  }
  return v;
}

}  // namespace pumice::hw
