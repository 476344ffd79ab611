// SPDX-License-Identifier: MIT
/// The state of one texture unit during a draw, in the form that the SIMD routines use. Plain data: included by files that are compiled
/// once per instruction set.
#pragma once
#include <cstdint>

#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast::tx {

enum class Shape : uint8_t { flat, volume, cube, count };

/// How texels are read and filtered (hw/radeon/ref/tx/README.md).
enum class Texels : uint8_t {
  codes4,    ///< four bytes of unsigned codes: exact sums, one division
  codes,     ///< one or two bytes of them
  srgb,      ///< 8_8_8_8 with GAMMA
  fields,    ///< bit fields in one dword, signed codes too
  fields64,  ///< in two dwords
  half,      ///< never filtered
  single,    ///< never filtered
  bc1,       ///< DXT1, DXT3, DXT5 and unsigned ATI1N, ATI2N as codes; not Cpu::portable, flat and cube only
  bc2,
  bc3,
  bc4,
  bc5,
  bc1_srgb,
  bc2_srgb,
  bc3_srgb,
  count,
};

enum class Mip : uint8_t { none, point, linear };

/// For windows of 8 x 8 texels of four bytes (window_simd.h).
struct alignas(64) WindowFacts {
  const char* base = nullptr;  ///< of the level; null: it has no window
  int32_t wrap[2], last[2];    ///< wrap masks; the last place of a window
  int32_t near_last[2][2];     ///< of smaller ones: 6 x 5 texels (linear filter), 4 x 4 (points)
  uint32_t pitch;
  float texels[2][2];                             ///< [unscaled]: texels per unit of the coordinate
  float half[2][2];                               ///< [unscaled]: half texels per unit of the coordinate
  float fixed[2][2];                              ///< [unscaled]: texels/256 per unit
  alignas(16) float texels4[2][4], fixed4[2][4];  ///< both twice
  float upright[2];                               ///< 1/64 texel
};

/// Values by level; each lane reads those of its own level.
struct alignas(64) LevelTable {
  float scale[2][3][16];  ///< [unscaled][s, t, r]: texels of the level per unit of the coordinate
  int32_t last[3][16];    ///< size - 1
  int32_t wrap[3][16];    ///< mask for the index: wrap: next power of two - 1; mirror: twice that; else all ones
  uint32_t offset[16];    ///< of the level from `base`, bytes
  uint32_t pitch[16];     ///< of a row, bytes
  uint32_t layer[16];     ///< of a face or slice, bytes
  WindowFacts window[16];
};

struct Unit : UnitHead {
  LevelTable level;
  const char* base = nullptr;  ///< host address of level 0

  // Texels.
  uint32_t bytes_log2 = 2;  ///< of a texel
  uint8_t components = 4;
  uint8_t select[4];           ///< TX_FORMAT1's selects of r, g, b, a: 0..3 component, 5 one, else zero
  uint8_t needed = 0;          ///< components that some channel selects, bit mask
  bool identity = false;       ///< channels are the components in their order
  uint8_t channel_of[4];       ///< the first channel that selects a component, 4: none
  bool more_channels = false;  ///< there are channels that select a constant or what another one selects
  bool exact_codes = false;    ///< fields: filter the integers, then divide (8-bit formats)
  struct Field {
    uint8_t dword, shift, width;
    bool is_signed;
    float divisor, high, low;  ///< value = fma(v, high, v * low), the correctly rounded quotient (signed: v not below -limit)
    float limit;
  } field[4];
  float code_high[4], code_low[4];  ///< high, low of codes times 256
  float sum_high[4], sum_low[4];    ///< of codes times 65536
  bool dxt_rgba = false;            ///< DXTC_SWIZZLE
  const float* srgb = nullptr;      ///< linear values of the 256 codes
  uint32_t border_raw = 0;          ///< the border as a texel (codes, srgb)
  float border[4];                  ///< as components; fields with exact_codes: as integers

  // Addresses.
  uint8_t clamp[3];     ///< Clamp codes of s, t, r
  bool simple = false;  ///< s and t: wrap and clamp to the last texel only

  // Level of detail.
  bool constant_level = true;  ///< level `finest` and one filter for every lambda
  bool linear[2] = {};         ///< [minify, magnify]
  bool anisotropic[2] = {};
  uint32_t max_probes = 1;
  uint8_t volume_filter = 0;  ///< 0 as the filter within a slice, 1 point, 2 linear
  Mip mip = Mip::none;
  uint8_t tri_perf = 0;
  uint32_t finest = 0, coarsest = 0;
  float lod_bias = 0;
  float size[2][3];  ///< [unscaled][s, t, r]: texels of level 0 per unit of the coordinate
};

inline constexpr int kKinds = static_cast<int>(LookupKind::count);

/// Constant level and filter, or chosen by lambda (general).
enum class Mode : uint8_t { point, linear, general };

struct KindRoutines {
  SampleRoutine kind[kKinds];
};
struct RoutineSet {
  KindRoutines unscaled[2];  ///< 0: coordinates scaled
};

}  // namespace pumice::hw::fast::tx

namespace pumice::hw::fast {
namespace portable {
const tx::RoutineSet& find_routines(tx::Shape shape, tx::Texels texels, bool simple, tx::Mode mode);
}
namespace avx2 {
const tx::RoutineSet& find_block_routines(tx::Shape shape, tx::Texels texels);
const tx::RoutineSet& find_routines(tx::Shape shape, tx::Texels texels, bool simple, tx::Mode mode);
}  // namespace avx2
namespace avx512 {
/// codes4, flat or cube; for processors with VBMI and VNNI.
const tx::RoutineSet& find_byte_routines(tx::Shape shape, bool simple, tx::Mode mode);
const tx::RoutineSet& find_block_routines(tx::Shape shape, tx::Texels texels);
const tx::RoutineSet& find_routines(tx::Shape shape, tx::Texels texels, bool simple, tx::Mode mode);
}  // namespace avx512
}  // namespace pumice::hw::fast
