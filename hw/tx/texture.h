// SPDX-License-Identifier: MIT
/// A texture unit's registers, decoded once per lookup, and texel fetch through them. Private to hw/tx.
#pragma once
#include <array>
#include <cstdint>

#include "hw/draw/draw.h"
#include "hw/tx/format.h"
#include "hw/tx/mip_layout.h"

namespace pumice::hw::tx {

/// Bits of DrawCounters::reported that TX uses, at most 12.
enum class Complaint : uint8_t { format, coord_type, chroma_key, filter4, mip_filter };
void complain(DrawContext& ctx, uint32_t unit, Complaint what, const char* text);

enum class Shape : uint8_t { flat, volume, cube };

struct Texture {
  Shape shape = Shape::flat;
  regs::TX_FILTER0 filter0;
  regs::TX_FILTER1 filter1;
  regs::TX_FORMAT1 format1;
  const Format* format = nullptr;
  Decoding decoding;
  MipInput mips;
  uint32_t num_levels = 0;  ///< index of the coarsest level
  uint64_t base = 0;
  uint32_t endian = 0;
  uint32_t border = 0;  ///< packed

  /// Float texels are never filtered (pipeline s.6.4).
  bool filterable() const { return format->kind != Kind::half && format->kind != Kind::single && format->kind != Kind::w24_fp; }
};

/// Registers of `unit`; reports what the model or the chip does not have.
Texture read_registers(DrawContext& ctx, uint32_t unit);

/// C0..C3 of a texel inside the level. layer: cube face or slice.
Vec4 fetch(const DrawContext& ctx, const Texture& t, const MipLevel& level, uint32_t x, uint32_t y, uint32_t layer);

}  // namespace pumice::hw::tx
