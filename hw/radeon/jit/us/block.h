// SPDX-License-Identifier: MIT
/// The contracts between the folders of the fast executor: the 4x4 block, what a shader routine is given, what it returns (README.md).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/lanes.h"
#include "hw/db/chips.h"

namespace pumice::hw::fast {

// ---- Interpolation ---------------------------------------------------------------------------------------------------------------

/// What RS writes to one component of a temp, known from registers alone.
struct RsSource {
  enum class Kind : uint8_t { zero, one, interpolant, pixel_x, pixel_y, back_facing } kind = Kind::zero;
  uint8_t index = 0;         ///< interpolant
  bool perspective = false;  ///< interpolant: times w of the primitive (ShadeArgs::factor)
  bool operator==(const RsSource&) const = default;
};

/// The RS program of a draw after "the later write stays": part of the key of a shader routine.
struct RsLayout {
  struct Register {
    uint8_t address = 0;
    std::array<RsSource, 4> channel{};
    bool operator==(const Register&) const = default;
  };
  std::array<Register, 32> reg{};
  uint8_t count = 0;         ///< registers written
  uint8_t interpolants = 0;  ///< used indices of ShadeArgs::base and ::offset
  bool perspective = false;  ///< GB_SELECT.W_SELECT: 1/w is interpolated (base_w, offset_w)
  bool operator==(const RsLayout&) const = default;
};
inline constexpr int kMaxInterpolants = 64;

// ---- Textures --------------------------------------------------------------------------------------------------------------------

namespace tx {

/// In and out of one texture instruction for a block. Lanes outside `active` may hold undefined values and must not access memory outside
/// the image.
struct alignas(64) SampleArgs {
  Lanes coord[4];       ///< S, T, R, Q already swizzled
  Lanes dx[4], dy[4];   ///< dxdy only
  Lanes out[4];         ///< r, g, b, a after TX_FORMAT1's channel select
  LaneMask active = 0;  ///< with helpers
  LaneMask killed = 0;  ///< lanes that a unit's chroma key killed are added; the shader routine clears it and adds it to ShadeArgs::killed
};

enum class LookupKind : uint8_t { ld, proj, lod_bias, lod, dxdy, count };

struct Unit;  // hw/radeon/fast/texture: the state of one unit during a draw
using SampleRoutine = void (*)(const Unit& unit, SampleArgs& args);

/// The head of every Unit, all that native code needs to call it. All routines are set once the unit is prepared: a disabled unit returns
/// 0,0,0,1, an unusual one goes through the reference.
struct UnitHead {
  std::array<SampleRoutine, size_t(LookupKind::count)> routine{};           ///< coordinates scaled
  std::array<SampleRoutine, size_t(LookupKind::count)> routine_unscaled{};  ///< TEX_INST.UNSCALED
};

}  // namespace tx

// ---- Fragment programs -----------------------------------------------------------------------------------------------------------

/// What a shader routine reads and writes. One object per worker; the upper parts change with the draw and the primitive only.
struct alignas(64) ShadeArgs {
  // Results.
  Lanes color[most::color_targets][4];  ///< [target][r,g,b,a] as written by OUT; never written: zero
  Lanes depth;                          ///< W_OMASK result, when the program writes it
  // The block.
  float base[kMaxInterpolants];  ///< by interpolant
  float base_w = 1;
  int32_t x = 0, y = 0;      ///< of lane 0
  uint32_t covered = 0;      ///< LaneMask of pixels that may be written
  uint32_t killed = 0;       ///< result: LaneMask of TEXKILL
  uint32_t stopped = 0;      ///< result: not 0 when the instruction budget ran out or the program made an error that the reference reports
  uint32_t back_facing = 0;  ///< 0 or 1, of the primitive
  int64_t instructions_left =
      0;  ///< counted like the reference does for quads: the routine may count coarser, but an endless program must end
  // The shape.
  const Lanes* offset = nullptr;  ///< by interpolant
  const Lanes* offset_w = nullptr;
  const uint32_t* factor = nullptr;  ///< by interpolant: 1 = times w, 0 = as it is (equal at all points); used for perspective sources only
  // The draw.
  const float (*constant)[4] = nullptr;       ///< US constants, most::us_constants x r,g,b,a
  const uint32_t* flow_constant = nullptr;    ///< US_FC_INT_CONST 0..31, then US_FC_BOOL_CONST
  const tx::UnitHead* const* unit = nullptr;  ///< 16 units
  tx::SampleArgs sample;                      ///< scratch for lookups
  void* user = nullptr;                       ///< of the executor (reports)
};

/// Runs a fragment program for a block. Called with FTZ and DAZ set.
using ShadeRoutine = void (*)(ShadeArgs& args);

/// What the executor may conclude from a compiled program.
struct ShadeTraits {
  bool kills = false;  ///< has a TEXKILL
  bool writes_depth = false;
  bool uniform = false;  ///< the same colours for every lane of every block of the draw (no inputs but constants): may be run once per draw
  uint8_t targets = 0;   ///< bit i: color[i] is written by some OUT
  uint16_t units = 0;    ///< texture units it may read
  bool neighbours = true;  ///< a lane's results may depend on others of its quad (derivatives, flow control), apart from lookups
  uint32_t constants = most::us_constants;  ///< it reads none from this one on
};

}  // namespace pumice::hw::fast
