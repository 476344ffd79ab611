// SPDX-License-Identifier: MIT
/// Compressed texels (hw/radeon/decode/tx/block.cpp) for 16 lanes: every corner of a footprint decodes its own block, as packed bytes C0
/// lowest. Where variable shifts are slow (portable), such units go through the reference.
#if defined(__AVX2__)
#include "hw/radeon/fast/texture/sample_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

PUMICE_INLINE U16 third(U16 words) { return as_uint(multiply_high(as_words(words), as_words(splat(21846u * 0x10001u)))); }  // up to 765

/// 5:6:5 to words b, r and g, 255.
struct Endpoint {
  U16 br, ga;
};
PUMICE_INLINE Endpoint expand_565(U16 c) {
  const U16 br = (c & 31u) | (c << 5 & 0x1F0000u), g = c >> 5 & 63u;
  return {br << 3 | (br >> 2 & 0x00070007u), g << 2 | g >> 4 | 0x00FF0000u};
}

/// The colour half of a block: packed b, g, r, a.
template <bool kThreeColors>
PUMICE_INLINE U16 color_half(const tx::Unit& u, U16 offset, U16 inside) {
  const U16 ends = gather_dwords(u.base, offset), code = shift_right(gather_dwords(u.base, offset + 4u), inside << 1) & 3u;
  const U16 c0 = ends & 0xFFFFu, c1 = ends >> 16;
  const Endpoint a = expand_565(c0), b = expand_565(c1);
  const Mask is_1 = eq(code, splat(1u)), is_2 = eq(code, splat(2u)), mixed = lt(splat(1u), code);
  const Mask three = kThreeColors ? ~lt(c1, c0) : mask_from(0);
  const auto value = [&](U16 x, U16 y) {
    const U16 sum = x + y;
    U16 m = third(sum + select(is_2, x, y));
    if constexpr (kThreeColors) m = select(three, select(is_2, sum >> 1 & 0x00FF00FFu, U16{}), m);
    return select(mixed, m, select(is_1, y, x));
  };
  const U16 br = value(a.br, b.br), ga = value(a.ga, b.ga);
  return (u.dxt_rgba ? br << 16 | br >> 16 : br) | ga << 8;
}

/// Eight bytes of interpolated 8-bit values (BC4).
PUMICE_INLINE U16 ramp(const tx::Unit& u, U16 offset, U16 inside) {
  const U16 low = gather_dwords(u.base, offset), high = gather_dwords(u.base, offset + 4u), bit = inside * 3u + 16u;
  const U16 code = (shift_right(low, bit) | shift_left(high, 32u - bit) | shift_right(high, bit - 32u)) & 7u;
  const U16 a = low & 255u, b = low >> 8 & 255u;
  const U16 eight = ((a * (8u - code) + b * (code - 1u)) * 9363u) >> 16;  // a seventh, up to 1785
  const U16 six = ((a * (6u - code) + b * (code - 1u)) * 13108u) >> 16;   // a fifth, up to 1275
  const U16 end = select(eq(code, splat(6u)), U16{}, splat(255u));
  const U16 mixed = select(lt(b, a), eight, select(lt(code, splat(6u)), six, end));
  return select(eq(code, U16{}), a, select(eq(code, splat(1u)), b, mixed));
}

struct ReadBc1 {
  static constexpr bool kBlocks = true, kDword = false;
  PUMICE_INLINE static U16 read(const tx::Unit& u, const Corner& at) { return color_half<true>(u, at.offset, at.inside); }
};
struct ReadBc2 {
  static constexpr bool kBlocks = true, kDword = false;
  PUMICE_INLINE static U16 read(const tx::Unit& u, const Corner& at) {
    const U16 alpha = shift_right(gather_dwords(u.base, at.offset + (at.inside >> 3 << 2)), (at.inside & 7u) << 2) & 15u;
    return (color_half<false>(u, at.offset + 8u, at.inside) & 0xFFFFFFu) | alpha * 0x11000000u;
  }
};
struct ReadBc3 {
  static constexpr bool kBlocks = true, kDword = false;
  PUMICE_INLINE static U16 read(const tx::Unit& u, const Corner& at) {
    return (color_half<false>(u, at.offset + 8u, at.inside) & 0xFFFFFFu) | ramp(u, at.offset, at.inside) << 24;
  }
};
struct ReadBc4 {
  static constexpr bool kBlocks = true, kDword = false;
  PUMICE_INLINE static U16 read(const tx::Unit& u, const Corner& at) { return ramp(u, at.offset, at.inside); }
};
struct ReadBc5 {  // the second block is C0
  static constexpr bool kBlocks = true, kDword = false;
  PUMICE_INLINE static U16 read(const tx::Unit& u, const Corner& at) {
    return ramp(u, at.offset + 8u, at.inside) | ramp(u, at.offset, at.inside) << 8;
  }
};

template <Shape kShape>
const tx::RoutineSet& by_blocks(Texels texels) {
  switch (texels) {
    case Texels::bc1: return routines<kShape, Codes<ReadBc1, true>, false>(Mode::general);
    case Texels::bc2: return routines<kShape, Codes<ReadBc2, true>, false>(Mode::general);
    case Texels::bc3: return routines<kShape, Codes<ReadBc3, true>, false>(Mode::general);
    case Texels::bc4: return routines<kShape, Codes<ReadBc4, false>, false>(Mode::general);
    case Texels::bc5: return routines<kShape, Codes<ReadBc5, false>, false>(Mode::general);
    case Texels::bc1_srgb: return routines<kShape, Srgb<ReadBc1>, false>(Mode::general);
    case Texels::bc2_srgb: return routines<kShape, Srgb<ReadBc2>, false>(Mode::general);
    default: return routines<kShape, Srgb<ReadBc3>, false>(Mode::general);
  }
}

}  // namespace

const tx::RoutineSet& find_block_routines(Shape shape, Texels texels) {
  return shape == Shape::cube ? by_blocks<Shape::cube>(texels) : by_blocks<Shape::flat>(texels);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
#endif
