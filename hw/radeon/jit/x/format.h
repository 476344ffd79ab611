// SPDX-License-Identifier: MIT
/// Texels of r5x formats in the lane IR (docs/r5x.md, section 6): bytes of 16 lanes to components and back, to the bit as
/// hw/radeon/decode/xt/texel.h does it for one texel. The operations emitted depend on the format alone.
///
///   const Raw raw = load(b, f, buffer, offset, mask);            // 1 to 4 dwords per lane
///   const Color c = finish(b, how, decode(b, f, false, raw));    // what LDA, LDI and FETCH return
///   store(b, f, buffer, offset, encode(b, f, false, c), mask);
#pragma once
#include <array>

#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::extended::format {

using lane::Buffer;
using lane::Builder;
using lane::Mask;
using lane::Value;

/// r, g, b, a of each lane as raw bits: floats, or integers.
using Color = std::array<Value, 4>;

/// The bytes of each lane's texel (or block), lowest first. Bits above the texel are 0.
struct Raw {
  std::array<Value, 4> dword{};
  uint32_t count = 0;
};

/// Where the texels of the 16 lanes are: anywhere, or in a block of 4x4 pixels of a surface (Builder::load_rows; texels of 1, 2, 4, 8
/// and 16 bytes, others are accessed as anywhere; lanes in the mask are within the buffer).
/// whole_block: the buffer is Builder::block_buffer().
enum class Layout : uint8_t { any, block, whole_block };

/// Alignment of texels of the format in an aligned buffer: the largest power of two that divides their size, at most 4.
uint32_t unit_of(const formats::Info& f);
/// The texel at `offset` bytes of lanes in `m`; zeros for the others and for what lies beyond the buffer (dword by dword). Offsets are
/// multiples of `unit` (1, 2 or 4; 0: unit_of(f)) and do not wrap within the texel.
Raw load(Builder& b, const formats::Info& f, Buffer buffer, Value offset, Mask m, Builder::Memory memory = Builder::Memory::changes,
         uint32_t unit = 0, Layout layout = Layout::any);
/// Stores all bytes of the texel.
void store(Builder& b, const formats::Info& f, Buffer buffer, Value offset, const Raw& raw, Mask m, uint32_t unit = 0,
           Layout layout = Layout::any);

/// False: decode() does not support the format (an unknown number).
bool can_decode(const formats::Info& f);
/// As xt::decode_texel: values before Decoding::scale, or integers; 0 for components that the format lacks. `x`, `y`: the place in the
/// block (0..3), of compressed formats alone.
Color decode(Builder& b, const formats::Info& f, bool stencil, const Raw& raw, Value x = {}, Value y = {});
/// As xt::finish_texel.
Color finish(Builder& b, const xt::Decoding& how, const Color& codes);
/// The components by an image's swizzle (0..3, 5: one, else zero), of finished texels.
Color swizzled(Builder& b, const std::array<uint8_t, 4>& swizzle, bool integer, const Color& c);

/// As xt::encode_texel into a texel of zeros: bits of the other aspect and unused bits are 0. NaN bits of `c` must be exact where floats of
/// 32 or 16 bits are stored.
Raw encode(Builder& b, const formats::Info& f, bool stencil, const Color& c);
/// As xt::merge_texel: `to` with the components of `mask` (bit 0: r, or depth and stencil) of `from`.
Raw merge(Builder& b, const formats::Info& f, uint32_t mask, const Raw& from, const Raw& to);
/// `to` with the depth or the stencil bits of `from`, which is what encode() made of that aspect.
Raw merge_aspect(Builder& b, const formats::Info& f, bool stencil, const Raw& from, const Raw& to);

}  // namespace pumice::hw::fast::extended::format
