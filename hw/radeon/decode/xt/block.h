// SPDX-License-Identifier: MIT
/// Texels of compressed blocks that TX does not have: codes before Decoding::scale.
#pragma once
#include <array>
#include <cstdint>

namespace pumice::hw::xt {

/// The colour half of ETC2; `punch_through`: ETC2_R8G8B8A1.
std::array<uint8_t, 4> decode_etc2(const uint8_t* block, uint32_t x, uint32_t y, bool punch_through);
/// The alpha half of ETC2_R8G8B8A8.
uint8_t decode_eac8(const uint8_t* block, uint32_t x, uint32_t y);
/// 0..2047, or signed -1023..1023.
int32_t decode_eac11(const uint8_t* block, uint32_t x, uint32_t y, bool is_signed);
/// R, G, B, A; a block of the reserved mode is 0.
std::array<uint8_t, 4> decode_bc7(const uint8_t* block, uint32_t x, uint32_t y);
/// R, G, B as half floats; a block of a reserved mode is 0.
std::array<uint16_t, 3> decode_bc6h(const uint8_t* block, uint32_t x, uint32_t y, bool is_signed);

/// R, G, B, A, 65535 being 1, of a block of width x height texels; magenta where the format demands an error. `srgb`: the upper 8 bits of
/// R, G, B are sRGB codes.
std::array<uint16_t, 4> decode_astc(const uint8_t* block, uint32_t x, uint32_t y, uint32_t width, uint32_t height, bool srgb);

}  // namespace pumice::hw::xt
