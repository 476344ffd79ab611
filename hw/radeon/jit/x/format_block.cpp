// SPDX-License-Identifier: MIT
/// Texels of compressed blocks in the lane IR, each lane its own block and place (hw/radeon/decode/tx/block.cpp, decode/xt/block_*.cpp).
/// BC1 to BC5, ETC2 and EAC are computed, in floats where numbers are small enough to be exact; the others by a call that caches the last
/// blocks.
#include "hw/radeon/jit/x/format_block.h"

#include <cstddef>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/xt/block.h"
#include "hw/radeon/jit/x/format_cache.h"

namespace pumice::hw::fast::extended::format {

namespace {

using formats::Class;
using formats::Info;

/// Tables that are looked up: as many entries as bits choose.
alignas(64) constexpr std::array<float, 128> kEac = [] {
  std::array<float, 128> t{};
  for (uint32_t i = 0; i < 128; ++i) t[i] = xt::kEacModifier[i / 8][i % 8];
  return t;
}();
/// By table and index: the offset added to a subblock's colour.
alignas(64) constexpr std::array<float, 32> kEtcModifier = [] {
  std::array<float, 32> t{};
  for (uint32_t i = 0; i < 32; ++i) t[i] = float(xt::kEtcModifier[i / 4][i % 2] * (i % 4 < 2 ? 1 : -1));
  return t;
}();
alignas(64) constexpr std::array<float, 16> kEtcDistance = [] {
  std::array<float, 16> t{};
  for (uint32_t i = 0; i < 8; ++i) t[i] = float(xt::kEtcDistance[i]);
  return t;
}();

class Block {
 public:
  Block(Builder& b, const Info& f, const Raw& raw, Value x, Value y) : b_(b), f_(f), raw_(raw), x_(x), y_(y) {}

  Color decode() {
    const bool is_signed = f_.cls == Class::snorm || f_.cls == Class::sfloat;
    const Value* d = raw_.dword.data();
    switch (f_.code) {
      default: return called();
      case formats::Code::bc1_rgb:
      case formats::Code::bc1: return bc1(d[0], d[1], true);
      case formats::Code::bc2: {
        Color c = bc1(d[2], d[3], false);
        const Value half = b_.select(b_.ult(texel(), number(8)), d[0], d[1]);
        c[3] = b_.mul(b_.to_float(b_.bit_and(b_.shr_by(half, b_.shl(texel(), 2)), number(15))), b_.constant(17));
        return c;
      }
      case formats::Code::bc3: {
        Color c = bc1(d[2], d[3], false);
        c[3] = bc4(d[0], d[1], false);
        return c;
      }
      case formats::Code::bc4: return {bc4(d[0], d[1], is_signed), zero(), zero(), zero()};
      case formats::Code::bc5: return {bc4(d[0], d[1], is_signed), bc4(d[2], d[3], is_signed), zero(), zero()};
      case formats::Code::etc2: return etc2(d[0], d[1], false);
      case formats::Code::etc2_a1: return etc2(d[0], d[1], true);
      case formats::Code::etc2_a8: {
        Color c = etc2(d[2], d[3], false);
        c[3] = eac8(d[0], d[1]);
        return c;
      }
      case formats::Code::eac_r: return {eac11(d[0], d[1], is_signed), zero(), zero(), zero()};
      case formats::Code::eac_rg: return {eac11(d[0], d[1], is_signed), eac11(d[2], d[3], is_signed), zero(), zero()};
    }
  }

 private:
  Value number(uint32_t v) { return b_.constant_bits(v); }
  Value zero() { return number(0); }
  /// Bits high..low.
  Value bits(Value v, uint32_t high, uint32_t low) {
    const Value shifted = b_.shr(v, low);
    return high == 31 ? shifted : b_.bit_and(shifted, number((1u << (high - low + 1)) - 1));
  }
  Value join(Value high, uint32_t by, Value low) { return b_.bit_or(b_.shl(high, by), low); }
  Value clamped(Value v, float low, float high) { return b_.minimum(b_.maximum(v, b_.constant(low)), b_.constant(high)); }
  /// In rows.
  Value texel() { return join(y_, 2, x_); }
  /// A code 0..255 as a float, or its linear value.
  Value color(Value code) {
    if (f_.cls != Class::srgb) return code;
    return b_.srgb_decode(b_.to_int(code));
  }

  // ---- BC: lowest bit first, texels in rows.

  Color bc1(Value ends, Value indices, bool has_three_colors) {
    Value entry = b_.bit_and(b_.shr_by(indices, b_.shl(texel(), 1)), number(3));
    if (has_three_colors) {
      const Value lower = b_.isub(b_.shr(ends, 16), b_.bit_and(ends, number(0xFFFF)));  // negative: four colours
      entry = b_.bit_or(entry, b_.bit_and(b_.shr(lower, 29), number(4)));
    }
    const auto of_entry = [&](auto f) {
      std::array<uint32_t, kLanes> t;
      for (uint32_t l = 0; l < kLanes; ++l) t[l] = f(l % 4, !has_three_colors || l % 8 >= 4);
      return b_.permute(b_.table(t), entry);
    };
    // Words: what both ends count, of 2^10. Thirds are rounded up, so whole quotients stay whole.
    const Value weights = of_entry([](uint32_t code, bool four) -> uint32_t {
      constexpr uint32_t kOne = 1024, kHalf = 512, kThird = 342, kTwoThirds = 683;
      if (code == 0) return kOne;
      if (code == 1) return kOne << 16;
      if (!four) return code == 2 ? kHalf | kHalf << 16 : 0;
      return code == 2 ? kTwoThirds | kThird << 16 : kThird | kTwoThirds << 16;
    });
    // Words of both ends: a component of `bits` bits, moved to their 15th, widened to 8 bits of 2^6.
    const auto component = [&](Value moved, uint32_t bits) {
      const uint32_t field = ((1u << bits) - 1) << (14 - bits);
      const Value top = b_.bit_and(moved, number(field | field << 16));
      const Value words = b_.bit_and(b_.bit_or(top, b_.shr(top, bits)), number(0x3FC03FC0u));
      const Value code = b_.shr(b_.dot_words(words, weights), 16);
      return f_.cls == Class::srgb ? b_.srgb_decode(code) : b_.to_float(code);
    };
    const auto alpha = [](uint32_t code, bool four) { return num::bits(four || code < 3 ? 255.0f : 0.0f); };
    return {component(b_.shr(ends, 2), 5), component(b_.shl(ends, 3), 6), component(b_.shl(ends, 9), 5),
            has_three_colors ? of_entry(alpha) : b_.constant(255)};
  }

  Value bc4(Value low, Value high, bool is_signed) {
    const auto end = [&](uint32_t shift) {
      if (!is_signed) return b_.to_float(bits(low, shift + 7, shift));
      return b_.to_float(b_.imax(b_.sar(b_.shl(low, 24 - shift), 24), number(uint32_t(-127))));
    };
    const Value first = end(0), second = end(8);
    // Eight codes of three bits are in each of two words.
    const Value codes = b_.select(b_.ult(texel(), number(8)), b_.bit_or(b_.shr(low, 16), b_.shl(high, 16)), b_.shr(high, 8));
    const Value n = b_.bit_and(texel(), number(7));
    const Value code = b_.bit_and(b_.shr_by(codes, b_.iadd(b_.shl(n, 1), n)), number(7));
    const Mask eight = b_.lt(second, first);
    const Value steps = b_.select(eight, b_.constant(7), b_.constant(5)),
                part = b_.select(eight, b_.constant(1.0f / 7), b_.constant(1.0f / 5));
    Value w = b_.to_float(b_.isub(code, number(1)));
    w = b_.select(b_.ieq(code, number(1)), steps, b_.maximum(w, zero()));
    const Value quotient = b_.mul(b_.fma(w, second, b_.mul(b_.sub(steps, w), first)), part);
    const Value v = is_signed ? b_.to_float(b_.to_int(quotient)) : b_.trunc(quotient);  // no negative zero
    const float lowest = is_signed ? -127 : 0, most = is_signed ? 127 : 255;
    const Value special = b_.select(b_.ieq(code, number(6)), b_.constant(lowest), b_.constant(most));
    return b_.select(b_.mask_andnot(eight, b_.ult(number(5), code)), special, v);
  }

  // ---- ETC: highest byte first, texels in columns.

  Value swapped(Value v) {
    const Value even = number(0x00FF00FF);
    const Value pairs = b_.bit_or(b_.bit_and(b_.shr(v, 8), even), b_.shl(b_.bit_and(v, even), 8));
    return b_.bit_or(b_.shr(pairs, 16), b_.shl(pairs, 16));
  }
  Value column_texel() { return join(x_, 2, y_); }

  Value eac_modifier(Value low, Value high) {
    const Value first = swapped(low), second = swapped(high);
    const Value codes = b_.select(b_.ult(x_, number(2)), join(bits(first, 15, 0), 8, b_.shr(second, 24)), second);
    const Value n = b_.bit_and(column_texel(), number(7));
    const Value code = b_.bit_and(b_.shr_by(codes, b_.isub(number(21), b_.iadd(b_.shl(n, 1), n))), number(7));
    return b_.look_up(kEac.data(), 7, join(bits(low, 11, 8), 3, code));
  }
  Value eac8(Value low, Value high) {
    const Value base = b_.to_float(bits(low, 7, 0)), multiplier = b_.to_float(bits(low, 15, 12));
    return clamped(b_.fma(eac_modifier(low, high), multiplier, base), 0, 255);
  }
  Value eac11(Value low, Value high, bool is_signed) {
    const Value multiplier = b_.to_float(bits(low, 15, 12));
    const Value step = b_.maximum(b_.mul(multiplier, b_.constant(8)), b_.constant(1));
    const Value code = is_signed ? b_.imax(b_.sar(b_.shl(low, 24), 24), number(uint32_t(-127))) : bits(low, 7, 0);
    const Value base = b_.fma(b_.to_float(code), b_.constant(8), b_.constant(is_signed ? 0 : 4));
    return clamped(b_.fma(eac_modifier(low, high), step, base), is_signed ? -1023 : 0, is_signed ? 1023 : 2047);
  }

  /// The modes are told apart by sums of the differential mode that overflow, red first.
  Color etc2(Value low, Value high, bool punch_through) {
    const Value h = swapped(low), l = swapped(high);
    const Value at = column_texel();
    const Value index = b_.bit_or(b_.bit_and(b_.shr_by(l, b_.iadd(at, number(15))), number(2)), b_.bit_and(b_.shr_by(l, at), number(1)));
    const Mask is = b_.ine(bits(h, 1, 1), zero()), is_odd = b_.ine(b_.bit_and(index, number(1)), zero());
    const Mask is_low = b_.ult(index, number(2));
    const auto widen4 = [&](Value v) { return b_.mul(b_.to_float(v), b_.constant(17)); };

    const Value along = b_.select(b_.ine(bits(h, 0, 0), zero()), y_, x_);
    const Mask second = b_.ult(number(1), along);
    std::array<Value, 3> base;
    std::array<Mask, 3> over;
    for (uint32_t c = 0; c < 3; ++c) {
      const Value byte = bits(h, 31 - 8 * c, 24 - 8 * c);
      const Value one = b_.shr(byte, 3), two = b_.iadd(one, b_.sar(b_.shl(byte, 29), 29));
      over[c] = b_.ult(number(31), two);
      const Value five = b_.select(second, two, one);
      base[c] = b_.to_float(join(five, 3, b_.shr(five, 2)));
      if (punch_through) continue;
      over[c] = b_.mask_and(over[c], is);
      base[c] = b_.select(is, base[c], widen4(b_.select(second, bits(byte, 3, 0), b_.shr(byte, 4))));
    }
    Value add = b_.look_up(kEtcModifier.data(), 5, join(b_.select(second, bits(h, 4, 2), bits(h, 7, 5)), 2, index));
    if (punch_through) add = b_.select(b_.mask_or(is, is_odd), add, zero());

    // H: two colours with a distance on both sides.
    {
      const Value a[3] = {bits(h, 30, 27), join(bits(h, 26, 24), 1, bits(h, 20, 20)), join(bits(h, 19, 19), 3, bits(h, 17, 15))};
      const Value d[3] = {bits(h, 14, 11), bits(h, 10, 7), bits(h, 6, 3)};
      const auto packed = [&](const Value* v) { return join(join(v[0], 4, v[1]), 4, v[2]); };
      const Value order = b_.select(b_.ule(packed(d), packed(a)), number(1), zero());
      const Value distance = b_.look_up(kEtcDistance.data(), 4, join(join(bits(h, 2, 2), 1, bits(h, 0, 0)), 1, order));
      for (uint32_t c = 0; c < 3; ++c) base[c] = b_.select(over[1], widen4(b_.select(is_low, a[c], d[c])), base[c]);
      add = b_.select(over[1], b_.select(is_odd, b_.negate(distance), distance), add);
    }
    // T: one colour, and another one with a distance.
    {
      const Value one[3] = {join(bits(h, 28, 27), 2, bits(h, 25, 24)), bits(h, 23, 20), bits(h, 19, 16)};
      const Value two[3] = {bits(h, 15, 12), bits(h, 11, 8), bits(h, 7, 4)};
      const Value distance = b_.look_up(kEtcDistance.data(), 4, join(bits(h, 3, 2), 1, bits(h, 0, 0)));
      const Mask is_first = b_.ieq(index, zero());
      for (uint32_t c = 0; c < 3; ++c) base[c] = b_.select(over[0], widen4(b_.select(is_first, one[c], two[c])), base[c]);
      const Value signed_distance = b_.select(is_low, distance, b_.negate(distance));
      add = b_.select(over[0], b_.select(is_odd, signed_distance, zero()), add);
    }
    Mask transparent;
    if (punch_through) transparent = b_.mask_andnot(is, b_.ieq(index, number(2)));

    // Planar: three corners.
    const Mask planar = b_.mask_andnot(b_.mask_or(over[0], over[1]), over[2]);
    const auto widen6 = [&](Value v) { return b_.to_float(join(v, 2, b_.shr(v, 4))); };
    const auto widen7 = [&](Value v) { return b_.to_float(join(v, 1, b_.shr(v, 6))); };
    const Value origin[3] = {widen6(bits(h, 30, 25)), widen7(join(bits(h, 24, 24), 6, bits(h, 22, 17))),
                             widen6(join(join(bits(h, 16, 16), 2, bits(h, 12, 11)), 3, bits(h, 9, 7)))};
    const Value right[3] = {widen6(join(bits(h, 6, 2), 1, bits(h, 0, 0))), widen7(bits(l, 31, 25)), widen6(bits(l, 24, 19))};
    const Value below[3] = {widen6(bits(l, 18, 13)), widen7(bits(l, 12, 6)), widen6(bits(l, 5, 0))};
    const Value fx = b_.to_float(x_), fy = b_.to_float(y_);
    Color out;
    for (uint32_t c = 0; c < 3; ++c) {
      const Value start = b_.fma(origin[c], b_.constant(4), b_.constant(2));
      const Value sum = b_.fma(fx, b_.sub(right[c], origin[c]), b_.fma(fy, b_.sub(below[c], origin[c]), start));
      Value v = b_.add(base[c], add);
      if (punch_through) v = b_.select(transparent, zero(), v);
      v = b_.select(planar, b_.floor(b_.mul(sum, b_.constant(0.25f))), v);
      out[c] = color(clamped(v, 0, 255));
    }
    out[3] = b_.constant(255);
    if (punch_through) out[3] = b_.select(b_.mask_andnot(planar, transparent), zero(), out[3]);
    return out;
  }

  // ---- BC6H, BC7 and the other formats.

  Color called() {
    const lane::Pointer room = b_.scratch(sizeof(BlockTexels));
    for (uint32_t i = 0; i < raw_.count; ++i) b_.store(room, uint32_t(offsetof(BlockTexels, raw) + i * sizeof(Lanes)), raw_.dword[i]);
    b_.store(room, offsetof(BlockTexels, place), join(y_, 8, x_));
    b_.store_word(room, offsetof(BlockTexels, format), int32_t(&f_ - formats::kInfo.data()));
    b_.call(block_decoder(), room, room, 0);
    Color out;
    for (uint32_t i = 0; i < 4; ++i) out[i] = b_.lanes_now(room, uint32_t(offsetof(BlockTexels, out) + i * sizeof(Lanes)));
    return out;
  }

  Builder& b_;
  const Info& f_;
  const Raw& raw_;
  const Value x_, y_;
};

}  // namespace

Color decode_block(Builder& b, const Info& f, const Raw& raw, Value x, Value y) { return Block(b, f, raw, x, y).decode(); }

}  // namespace pumice::hw::fast::extended::format
