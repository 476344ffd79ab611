// SPDX-License-Identifier: MIT
/// A texture unit's registers, decoded once per lookup, and texel fetch through them. Private to hw/radeon/ref/tx.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/decode/tx/format.h"
#include "hw/radeon/decode/tx/mip_layout.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::tx {

/// Bits of DrawCounters::reported that TX uses, at most 12.
enum class Complaint : uint8_t { format, coord_type, key_mode, key_format, filter4, mip_filter, max_aniso };
using Complaints = uint32_t;  ///< 1 << Complaint
/// Reports complaints that have not been reported yet in this draw.
void report(DrawContext& ctx, uint32_t unit, Complaints what);

enum class Shape : uint8_t { flat, volume, cube };

struct Texture {
  Shape shape = Shape::flat;
  regs::TX_FILTER0 filter0;
  regs::TX_FILTER1 filter1;
  regs::TX_FORMAT1 format1;
  uint32_t sel_filter4 = 0;  ///< component that filter4 filters
  const Format* format = nullptr;
  Decoding decoding;
  bool codes = false;                                ///< the linear filter works on exact 8-bit codes (hw/radeon/ref/tx/README.md)
  std::array<float, 4> divisor{255, 255, 255, 255};  ///< of a code, where `codes`
  MipInput mips;
  uint32_t num_levels = 0;  ///< index of the coarsest level
  uint32_t finest = 0;      ///< MAX_MIP_LEVEL, not above num_levels
  float lod_bias = 0;
  uint32_t max_probes = 1;  ///< of the anisotropic filter; 1 when neither MIN nor MAG selects it
  uint32_t key_mode = 0, key = 0;
  uint64_t base = 0;
  uint32_t endian = 0;
  uint32_t border = 0;  ///< packed

  /// Float texels are never filtered (pipeline s.6.4).
  bool filterable() const { return format->kind != Kind::half && format->kind != Kind::single && format->kind != Kind::w24_fp; }
};

/// Decodes the registers of `unit`, and collects complaints about features that the model or the chip lacks.
Texture read_registers(const ChipState& state, uint32_t unit, Complaints& complaints);

struct Texel {
  Vec4 c{};            ///< C0..C3
  bool keyed = false;  ///< matches TX_CHROMA_KEY
};
/// Fetches a texel inside the level, decoded according to `how`. layer: cube face or slice.
Texel fetch(const Memory& memory, const Texture& t, const Decoding& how, const MipLevel& level, uint32_t x, uint32_t y, uint32_t layer);

}  // namespace pumice::hw::tx
