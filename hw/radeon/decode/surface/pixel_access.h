// SPDX-License-Identifier: MIT
/// Reads and writes one pixel of a surface with the byte swap of the ENDIAN fields (pipeline s.8, 9). Used by ZB and RB3D.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/radeon/decode/surface/surface.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::surface {

/// Codes of DEPTHENDIAN and COLORENDIAN. Every swap exchanges bytes inside an aligned dword, which is the same as flipping the two
/// low address bits: 16-bit words 0xAABBCCDD -> 0xBBAADDCC, dwords -> 0xDDCCBBAA, half-dwords -> 0xCCDDAABB.
inline constexpr uint8_t kEndianAddressFlip[4] = {0, 1, 3, 2};

struct PixelAccess {
  uint64_t base = 0;
  Layout layout;
  uint8_t endian = 0;

  /// For a multisampled surface, which is linear: a view of sample `s` of `n` as a single-sampled surface. The samples' rows are
  /// interleaved.
  PixelAccess sample(uint32_t s, uint32_t n) const {
    PixelAccess one = *this;
    one.base += uint64_t{s} * layout.pitch_px * layout.bytes_per_pixel;
    one.layout.pitch_px *= n;
    return one;
  }

  /// `out`/`in` hold layout.bytes_per_pixel bytes. False when the pixel is not backed by memory or lies outside the address space.
  bool read(const Memory& memory, uint32_t x, uint32_t y, void* out) const {
    const uint64_t address = base + offset(layout, x, y);
    const uint8_t flip = kEndianAddressFlip[endian & 3];
    if (flip == 0) return memory.read(address, out, layout.bytes_per_pixel);
    for (uint32_t i = 0; i < layout.bytes_per_pixel; ++i)
      if (!memory.read((address + i) ^ flip, static_cast<std::byte*>(out) + i, 1)) return false;
    return true;
  }
  bool write(Memory& memory, uint32_t x, uint32_t y, const void* in) const {
    const uint64_t address = base + offset(layout, x, y);
    const uint8_t flip = kEndianAddressFlip[endian & 3];
    if (flip == 0) return memory.write(address, in, layout.bytes_per_pixel);
    for (uint32_t i = 0; i < layout.bytes_per_pixel; ++i)
      if (!memory.write((address + i) ^ flip, static_cast<const std::byte*>(in) + i, 1)) return false;
    return true;
  }
};

}  // namespace pumice::hw::surface
