// SPDX-License-Identifier: MIT
/// Everything the attribute commands set, unpacked (docs/reference/rdp.md section 5). Reset state is all zero.
#pragma once
#include <array>
#include <cstdint>

#include "hw/db/rdp_commands.h"

namespace pumice::hw::rdp {

/// Red, green, blue, alpha; widths as each stage says.
using Color = std::array<int32_t, 4>;

enum Format : uint8_t { kRgba, kYuv, kCi, kIa, kI };
enum Size : uint8_t { k4b, k8b, k16b, k32b };
enum CycleType : uint8_t { kOneCycle, kTwoCycle, kCopy, kFill };

struct Image {
  uint32_t format = 0, size = 0, width = 1, address = 0;
};

/// One axis of a tile descriptor.
struct TileAxis {
  bool clamp = false;  // clamps: the clamp bit, or no mask
  bool mirror = false;
  uint32_t mask = 0, shift = 0;
  uint32_t mask_bits = 0;      // (1 << mask) - 1, at most 10 bits
  uint32_t mirror_bit = 0;     // number of the bit that mirrors
  uint32_t low = 0, high = 0;  // SL/SH or TL/TH, 10.2
  uint32_t extent = 0;         // whole texels from low to high, 10 bits

  void set_mask(uint32_t clamp_bit, uint32_t mirror_bit_on, uint32_t mask_field, uint32_t shift_field);
  void set_range(uint32_t l, uint32_t h);
};

struct Tile {
  uint32_t format = 0, size = 0, line = 0, tmem = 0, palette = 0;
  TileAxis s, t;
};

struct Scissor {
  uint32_t xh = 0, yh = 0, xl = 0, yl = 0;  // 10.2
  bool field = false;
  uint32_t odd = 0;
};

/// Selectors of one combiner cycle.
struct CombineCycle {
  uint32_t a_rgb = 0, b_rgb = 0, c_rgb = 0, d_rgb = 0;
  uint32_t a_a = 0, b_a = 0, c_a = 0, d_a = 0;
};

/// Selectors of one blender cycle.
struct BlendCycle {
  uint32_t p = 0, a = 0, m = 0, b = 0;
};

struct State {
  uint64_t version = 0;  // another number after each change; 0: not counted
  SetOtherModes modes;
  std::array<BlendCycle, 2> blend;
  std::array<CombineCycle, 2> combine;
  std::array<Tile, 8> tiles;
  Image color_image, texture_image;
  uint32_t z_address = 0;
  Scissor scissor;
  uint32_t fill_color = 0;
  Color fog_color{}, blend_color{}, prim_color{}, env_color{};
  uint32_t min_level = 0, prim_lod_frac = 0;
  uint32_t prim_z = 0, prim_dz = 0;
  std::array<int32_t, 4> filter_k{1, 1, 1, 1};  // 2*K+1 of K0..K3
  uint32_t k4 = 0;
  int32_t k5 = 0;
  std::array<int32_t, 3> key_width{}, key_center{}, key_scale{};

  uint32_t cycle_type() const { return modes.cycle_type(); }
};

}  // namespace pumice::hw::rdp
