// SPDX-License-Identifier: MIT
/// Texels of compressed blocks that TX does not have: codes before Decoding::scale.
#pragma once
#include <array>
#include <cstdint>

namespace pumice::hw::xt {

/// Tables of ETC2 (two modifiers of a subblock, distances of the modes T and H) and of EAC.
inline constexpr int32_t kEtcModifier[8][2] = {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
inline constexpr int32_t kEtcDistance[8] = {3, 6, 11, 16, 23, 32, 41, 64};
inline constexpr int8_t kEacModifier[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12}, {-2, -4, -6, -13, 1, 3, 5, 12},
    {-3, -6, -8, -12, 2, 5, 7, 11}, {-3, -7, -9, -11, 2, 6, 8, 10},  {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},
    {-2, -6, -8, -10, 1, 5, 7, 9},  {-2, -5, -8, -10, 1, 4, 7, 9},   {-2, -4, -8, -10, 1, 3, 7, 9},  {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},   {-3, -5, -7, -9, 2, 4, 6, 8}};

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

/// All texels, in rows.
std::array<std::array<uint8_t, 4>, 16> decode_bc7_block(const uint8_t* block);
std::array<std::array<uint16_t, 3>, 16> decode_bc6h_block(const uint8_t* block, bool is_signed);

/// R, G, B, A, 65535 being 1, of a block of width x height texels; magenta where the format demands an error. `srgb`: the upper 8 bits of
/// R, G, B are sRGB codes.
std::array<uint16_t, 4> decode_astc(const uint8_t* block, uint32_t x, uint32_t y, uint32_t width, uint32_t height, bool srgb);

}  // namespace pumice::hw::xt
