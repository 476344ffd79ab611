// SPDX-License-Identifier: MIT
/// A scene as RDP commands: what a game's CPU and RSP would prepare. A lit, textured cube and torus turn above a chequered floor;
/// everything goes through the z buffer, perspective-correct and bilinear. Pure arithmetic: no Vulkan, no chip.
#pragma once
#include <cstdint>
#include <vector>

namespace rdp_scene {

inline constexpr uint32_t kWidth = 320, kHeight = 240;
inline constexpr uint32_t kTextureSize = 32;  ///< texels across; two of 16 bits fill TMEM

/// RDRAM addresses, multiples of 64, of what the list reads and writes.
struct Places {
  uint32_t color = 0;     ///< kWidth * kHeight, 16 bits
  uint32_t depth = 0;     ///< the same
  uint32_t textures = 0;  ///< what textures() gives
};
inline constexpr uint32_t kPictureBytes = kWidth * kHeight * 2;
inline constexpr uint32_t kTextureBytes = kTextureSize * kTextureSize * 2;

/// Two textures, 5551, big-endian, one after the other.
std::vector<uint8_t> textures();

/// The commands of a frame as numbers. The same frame gives the same words everywhere the C library's sine does.
std::vector<uint64_t> frame(const Places& places, uint64_t index);

/// Words as RDRAM holds them.
void store_big_endian(const std::vector<uint64_t>& words, uint8_t* to);

}  // namespace rdp_scene
