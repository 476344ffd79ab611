// SPDX-License-Identifier: MIT
/// What the SIMD path is told: plain data only (see lanes.h for why). prepare.cpp fills it in.
#pragma once
#include <stdint.h>

namespace pumice::hw::rdp::fast {

/// The mode that selects a routine. Everything else is data.
struct Key {
  bool two_cycle;
  enum Texture : uint8_t { none, simd, scalar } texture;
};

struct Axis {
  bool clamp, mirror;
  int32_t mask, shift, mask_bits, mirror_bit, low, high, extent;
};

enum class Texel : uint8_t { rgba16, ia16, rgba32, byte4, byte_ia, nibble_ci, nibble_ia, nibble_i, hi_lo, tlut4, tlut8, tlut16 };

struct TileInfo {
  Texel texel;
  int32_t line, tmem, palette;
  Axis s, t;
};

/// Places of combiner inputs in the table of vectors.
enum Input : uint8_t {
  kInCombined = 0,
  kInTexel0 = 4,
  kInTexel1 = 8,
  kInShade = 12,
  kInPrim = 16,
  kInEnv = 20,
  kInKeyCenter = 24,
  kInKeyScale = 28,
  kInLod = 32,
  kInNoise,
  kInOne,
  kInZero,
  kInK4,
  kInK5,
  kInPrimLod,
  kInputs
};

/// A, B, C, D of each channel as places.
struct CombineInfo {
  uint8_t in[4][4];
};

struct Primitive {
  Key key;
  // Attributes.
  int32_t direction;  // +1 or -1
  uint32_t step[8];
  int32_t dx[4], dy[4], z_dx, z_dy;
  bool prim_z;
  uint32_t prim_z_value;
  // Texture.
  const uint8_t* tmem;
  bool perspective, filter, tlut, tlut_ia, needs_texel0, needs_texel1;
  TileInfo tile[2];
  /// Texels of pixel k by the scalar reference: TEXEL0, TEXEL1 and LOD_FRAC.
  void (*scalar_texels)(const void* context, int k, int32_t* texel0, int32_t* texel1, int32_t* lod);
  // Combiner.
  CombineInfo combine[2];
  int32_t constants[kInputs];
  bool uses_noise;
  uint32_t noise_seed;
  // Alpha fix-up and compare.
  bool cvg_times_alpha, alpha_cvg_select, alpha_compare, alpha_compare_noise;
  // Dither: value per x & 3 for the 4 values of y & 3.
  uint8_t rgb_sel, alpha_sel;
  bool field;
  // Depth.
  bool z_compare, z_update;
  uint8_t z_mode;
  int32_t dz, dz_code;
  uint32_t z_base;  // halfword number of pixel 0
  // Blender.
  struct Blend {
    uint8_t p, a, m, b;
  } blend[2];
  bool force_blend, antialias, color_on_cvg, image_read;
  uint8_t cvg_dest;
  int32_t fog[4], blend_color[4];
  const uint8_t* divide;  // 16 * 2048
  // Colour image.
  bool image32, image_ia;
  uint32_t color_base;  // halfword (16-bit) or word (32-bit) number of pixel 0
  uint32_t width;
  // Memory.
  uint8_t* ram;
  uint8_t* hidden;
  bool host_words;
};

struct Span {
  int32_t y, start, count, skip;
  uint32_t latched[8];
  int32_t left[4], right[4];
  bool sub_valid[4];
  int32_t full_left, full_right;  // samples in [full_left, full_right) are covered on every subline; empty if one is not valid
  /// Texels of the pixel after the last one come from the reference (with key.texture simd).
  bool scalar_past_end;
  /// 1-cycle: the last pixel's TEXEL1 is that value.
  const void* context;
};

/// Draws all pixels of the span.
using Routine = void (*)(const Primitive&, const Span&);
/// The routines of one instruction set, by [two_cycle][texture].
struct Routines {
  Routine table[2][3];
};
extern const Routines kRoutinesBase, kRoutinesAvx2;

}  // namespace pumice::hw::rdp::fast
