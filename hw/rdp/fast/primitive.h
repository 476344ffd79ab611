// SPDX-License-Identifier: MIT
/// The input of the SIMD path: plain data only (see lanes.h for why). painter.cpp fills it in.
#pragma once
#include <stdint.h>

namespace pumice::hw::rdp::fast {

struct Axis {
  bool clamp, mirror;
  int32_t mask, shift, mask_bits, mirror_bit, low, high, extent;
};

enum class Texel : uint8_t { rgba16, ia16, hi_lo, rgba32, byte4, byte_ia, nibble_ci, nibble_ia, nibble_i, tlut4, tlut8, tlut16, yuv };

struct TileInfo {
  Texel texel;
  bool yuv;      // chroma has its own fraction
  uint8_t size;  // copy mode
  int32_t line, tmem, palette;
  Axis s, t;
};

/// Places of combiner inputs in the table of lanes.
enum Input : uint8_t {
  kInCombined = 0,
  kInTexel0 = 4,
  kInTexel1 = 8,
  kInShade = 12,
  kInLod = 16,
  kInNoise,
  kInConstants,  // the inputs from here on are the same for all pixels
  kInPrim = kInConstants,
  kInEnv = kInPrim + 4,
  kInKeyCenter = kInEnv + 4,
  kInKeyScale = kInKeyCenter + 3,
  kInOne = kInKeyScale + 3,
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

enum class Cycle : uint8_t { one, two, copy, fill };
enum class Pixels : uint8_t { rgba16, ia16, rgba32, byte };

/// The modes: everything determined by state alone. Built once per state change.
struct Mode {
  Cycle cycle;
  // What the combiner and the blender look at.
  bool uses_shade, uses_shade_alpha, uses_texel0, uses_texel1, uses_lod, uses_noise, uses_z;
  bool needs_next;       // values of the next pixel
  bool needs_next_line;  // the following scanline's start
  // Texture.
  bool perspective, filter, tlut, tlut_ia, mid_texel, bi_lerp_0, bi_lerp_1, convert_one;
  bool lod, lod_tiles, sharpen, detail;  // lod: level of detail is worked out; lod_tiles: it selects tiles
  bool first_texel1_compared;            // two cycles: alpha compare sees TEXEL1 of the pixel past the end
  int32_t min_level;
  int32_t filter_k[4];
  TileInfo tile[8];
  // Combiner.
  CombineInfo combine[2];
  int32_t constants[kInputs];
  bool key;
  int32_t key_width[3];
  // Alpha fix-up and compare.
  bool cvg_times_alpha, alpha_cvg_select, alpha_compare, alpha_compare_noise;
  // Dither.
  uint8_t rgb_sel, alpha_sel;
  bool field;
  // Depth.
  bool z_compare, z_update, prim_z;
  uint8_t z_mode;
  uint32_t prim_z_value;
  uint32_t z_base;  // halfword number of pixel 0
  // Blender.
  struct Blend {
    uint8_t p, a, m, b;
  } blend[2];
  bool force_blend, antialias, color_on_cvg, image_read, uses_memory_color;
  uint8_t cvg_dest;
  int32_t fog[4], blend_color[4];
  const uint8_t* divide;  // 16 * 2048
  // Colour image.
  Pixels pixels;
  uint32_t color_base;  // byte, halfword or word number of pixel 0
  uint32_t width;
  uint32_t fill_color;
  // Scissor.
  int32_t scissor_xh, scissor_xl;  // 1/8 pixels
  bool field_lines;
  uint32_t field_odd;
  // Memory.
  uint8_t* ram;
  uint8_t* hidden;
  uint32_t halfwords;  // size
  bool host_words;
};

/// One primitive.
struct Shape {
  bool left_major;
  uint32_t tile, level;
  // Edges: start values and steps per quarter line.
  int32_t first, last, top, ym, y_lo, y_hi;
  uint32_t xh, xm, xl, dh, dm, dl;
  bool late;
  // Attributes: r, g, b, a, s, t, w, z.
  int32_t base_line;
  uint32_t base[8], de[8], correction[8], dxh[8];
  uint32_t step[8];  // per pixel in walking direction
  uint32_t line[3];  // s, t, w per line, for LOD
  int32_t dx[4], dy[4], z_dx, z_dy;
  int32_t dz, dz_code;
  uint32_t noise_seed;
  const uint8_t* tmem;
  bool apart;  // all lines are in memory and touch disjoint bytes
  /// The scalar reference, for what is rare: a whole line; TEXEL0 and TEXEL1 and LOD_FRAC of pixel k of a line.
  const void* context;
  void (*slow_line)(const void* context, int y);
  void (*slow_texels)(const void* context, int y, int k, int32_t* texel0, int32_t* texel1, int32_t* lod);
};

/// Lanes: pixels of a primitive, span after span without gaps. Every array has a margin on both sides, so that a stage may read its
/// neighbours and write whole vectors.
constexpr int kFront = 32, kLanes = 256, kBack = 64, kAll = kFront + kLanes + kBack;

/// Pixels of one scanline that stand side by side in the lanes, in order of x.
struct Segment {
  int32_t lane, count;
  uint32_t pixel;  // from the image's base
};

struct Patch {
  int32_t lane, y, k;
};

struct alignas(64) Chunk {
  int32_t end, segments, patches;
  // Per primitive: attribute increments of the lanes of one vector.
  alignas(64) uint32_t ramp[8][16];
  uint32_t jump[8];
  alignas(64) int16_t constant[kInputs][32];  // of the mode
  // Lanes.
  alignas(64) uint32_t s[kAll], t[kAll], w[kAll], z[kAll], noise[kAll];
  uint32_t near[3][kAll], far[3][kAll];  // one-cycle LOD: positions it compares
  uint32_t memory32[kAll], out32[kAll];
  int16_t cover[kAll];  // one bit per sample
  int16_t count[kAll], off_x[kAll], off_y[kAll], inside[kAll];
  int16_t dither[kAll], lod[kAll], tile0[kAll], tile1[kAll];
  int16_t shade[4][kAll];
  int16_t coord_s[kAll], coord_t[kAll];
  int16_t at[4][kAll], parity[4][kAll], raw[4][kAll], raw_low[4][kAll], chroma[4][kAll];  // texel addresses and what stands there
  int16_t fraction_s[kAll], fraction_t[kAll], chroma_s[kAll], upper[kAll];
  int16_t footprint[4][4][kAll];
  int16_t texel0[4][kAll], texel1[4][kAll], spare[4][kAll];
  int16_t combined[4][kAll], color[4][kAll], key[kAll], noise9[kAll];
  int16_t alpha[kAll], compare[kAll];
  int16_t memory[kAll], memory_hidden[kAll], memory_rgb[3][kAll], memory_coverage[kAll];
  int16_t depth[kAll], depth_hidden[kAll];
  int16_t pass[kAll], blend_en[kAll], wraps[kAll], scale_a[kAll], scale_b[kAll];
  int16_t out[kAll], out_hidden[kAll], out_z[kAll], out_z_hidden[kAll];
  Segment segment[kLanes];
  Patch patch[kLanes];
};

/// Draws a primitive.
using Routine = void (*)(const Mode&, const Shape&, Chunk&);
extern const Routine kDrawBase, kDrawAvx2, kDrawAvx512;

}  // namespace pumice::hw::rdp::fast
