// SPDX-License-Identifier: MIT
/// Texels of four unsigned bytes for a whole block from a window in registers, with permutations of bytes (AVX-512 VBMI) and products of
/// bytes (VNNI). Included by sample_simd.h where the compiler may use both.
///
/// The window is laid to the least texels of the block's corners: 4 x 4 texels for points, 6 x 5 or 8 x 8 for the linear filter. Whether
/// all lanes are in it is checked afterwards, so any coordinates are right. It lies inside the image, where address modes and borders say
/// nothing.
///
/// Linear filter: one permutation brings a component of a lane's four texels into its dword, as code - 128. The weights, products of 8 bits
/// each, are split into bytes: sum = 256 * (high bytes . codes) + (low bytes . codes) + 2^23, exact. The weight 65536 (both fractions 0) is
/// the only one that has no such bytes: lanes that have it take the code itself.
#pragma once
#include "hw/fast/simd/simd.h"
#include "hw/fast/tx/address_simd.h"
#include "hw/fast/tx/unit.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// Constants in memory, as in address_simd.h.
struct alignas(64) ByteConstants {
  int32_t corners[16] = {0, 5, 10, 15, 16, 21, 26, 31};                         ///< lanes of the block's corners, of x and of y
  uint32_t lowest[16] = {};                                                     ///< the lowest byte of a dword, four times
  uint32_t fraction_x[16] = {}, fraction_y[16] = {};                            ///< bytes 0 and 2, as two words each
  int32_t spread[2][8] = {{4, 4, 4, 4, 3, 3, 3, 3}, {3, 3, 3, 3, 3, 3, 3, 3}};  ///< of corners in the smaller window: linear, points
  uint32_t column_row[2] = {24u << 24 | 4u << 8, 32u << 24 | 4u << 8};
  uint32_t component[2][4] = {};  ///< [wide]: bytes 00, 01, 10, 11 of a component behind that of the first texel
  uint32_t room[2][2] = {{5 * 256, 4 * 256}, {7 * 256, 7 * 256}};
  uint32_t fractions = 0x00FF00FFu, sign = 0x80808080u, whole = 0x01000100u, bias = 1u << 15;

  constexpr ByteConstants() {
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t at = i % 4 * 4;
      lowest[i] = at * 0x01010101u;
      fraction_x[i] = 0x80008000u | at * 0x00010001u;
      fraction_y[i] = 0x80008000u | (at + 2) * 0x00010001u;
    }
    for (uint32_t wide = 0; wide < 2; ++wide)
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t pitch = wide ? 32 : 24;
        component[wide][c] = c * 0x01010101u + (pitch << 8 | 4u << 16 | (pitch + 4) << 24);
      }
  }
};
inline constexpr ByteConstants kByteConstants;
PUMICE_INLINE const ByteConstants& byte_constants() {
  const ByteConstants* k = &kByteConstants;
  asm("" : "+r"(k));
  return *k;
}
PUMICE_INLINE __m512i zmm(const void* p) { return _mm512_load_si512(p); }
PUMICE_INLINE __m512i all_lanes(uint32_t v) { return _mm512_set1_epi32(static_cast<int>(v)); }

class ByteWindow {
 public:
  /// False: the lanes' texels are not near enough to one another, or not inside the image. x, y: places in 1/256 (linear) or texels.
  template <bool kLinear>
  PUMICE_INLINE bool find(const tx::WindowFacts& facts, const char* base, const I16& px, const I16& py) {
    const ByteConstants& k = byte_constants();
    const auto two = [](const void* p) __attribute__((always_inline)) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); };
    const auto x = (__m512i)px.part[0], y = (__m512i)py.part[0];
    constexpr int kShift = kLinear ? 8 : 0;
    const __m256i ends = _mm512_castsi512_si256(_mm512_permutex2var_epi32(x, zmm(k.corners), y)), other = _mm256_shuffle_epi32(ends, 0xB1);
    __m256i least = _mm256_min_epi32(ends, other), most = _mm256_max_epi32(ends, other);
    least = _mm256_srai_epi32(_mm256_min_epi32(least, _mm256_shuffle_epi32(least, 0x4E)), kShift);
    most = _mm256_srai_epi32(_mm256_max_epi32(most, _mm256_shuffle_epi32(most, 0x4E)), kShift);
    const __m256i spread = _mm256_sub_epi32(most, least), near = _mm256_load_si256(reinterpret_cast<const __m256i*>(k.spread[!kLinear]));
    wide_ = _mm256_cmpgt_epi32_mask(spread, near) != 0;
    if (!kLinear && wide_) return false;
    const __m128i first = _mm_unpacklo_epi32(_mm256_castsi256_si128(least), _mm256_extracti128_si256(least, 1));
    const __m128i wrapped = _mm_and_si128(first, two(facts.wrap));
    const __m128i inside = _mm_min_epi32(_mm_max_epi32(wrapped, _mm_setzero_si128()), two(wide_ ? facts.last : facts.near_last[!kLinear]));
    const __m128i origin = _mm_add_epi32(first, _mm_sub_epi32(inside, wrapped)), from = _mm_slli_epi32(origin, kShift);
    x_ = _mm512_sub_epi32(x, _mm512_broadcastd_epi32(from));
    y_ = _mm512_sub_epi32(y, _mm512_broadcastd_epi32(_mm_shuffle_epi32(from, 1)));
    const uint32_t* room = k.room[wide_];
    const __mmask16 in =
        _mm512_mask_cmplt_epu32_mask(_mm512_cmplt_epu32_mask(x_, all_lanes(kLinear ? room[0] : 4)), y_, all_lanes(kLinear ? room[1] : 4));
    const __mmask8 far = _mm_cmpgt_epi32_mask(_mm_abs_epi32(origin), _mm_set1_epi32(1 << 21));
    if (in != 0xFFFF || far) return false;
    const auto place = static_cast<uint64_t>(_mm_cvtsi128_si64(inside));
    pitch_ = facts.pitch;
    at_ = base + (place & 0xFFFFFFFFu) * 4 + (place >> 32) * pitch_;
    return true;
  }

  /// The lanes' own texels in a window of 4 x 4.
  PUMICE_INLINE U16 point() const {
    const auto row = [&](uint64_t i) __attribute__((always_inline)) { return load_unaligned<__m128i>(at_ + i * pitch_); };
    __m512i texels = _mm512_inserti32x4(_mm512_castsi128_si512(row(0)), row(1), 1);
    texels = _mm512_inserti32x4(_mm512_inserti32x4(texels, row(2), 2), row(3), 3);
    U16 r;
    r.part[0] = (native::U)_mm512_permutexvar_epi32(_mm512_add_epi32(_mm512_slli_epi32(y_, 2), x_), texels);
    return r;
  }

  PUMICE_INLINE void linear(const tx::Unit& u, F16 (&out)[4]) const {
    if (wide_)
      linear_in<true>(u, out);
    else
      linear_in<false>(u, out);
  }

 private:
  template <bool kWide>
  PUMICE_INLINE void linear_in(const tx::Unit& u, F16 (&out)[4]) const {
    const ByteConstants& k = byte_constants();
    const __m512i place = _mm512_or_si512(x_, _mm512_slli_epi32(y_, 16));  // bytes: fraction and texel of x, of y
    const __mmask16 exact = _mm512_testn_epi32_mask(place, all_lanes(k.fractions));
    const __m512i index = _mm512_dpbusd_epi32(_mm512_setzero_si512(), place, all_lanes(k.column_row[kWide]));
    __m512i rows[4];
    load<kWide>(rows);
    if (exact == 0xFFFF) {
      const __m512i i = _mm512_srli_epi32(index, 2);
      __m512i texel = _mm512_permutex2var_epi32(rows[0], i, rows[1]);
      if constexpr (kWide)
        texel = _mm512_mask_blend_epi32(_mm512_test_epi32_mask(i, all_lanes(32)), texel, _mm512_permutex2var_epi32(rows[2], i, rows[3]));
      for (int c = 0; c < 4; ++c) {
        const __m512i code =
            c == 3 ? _mm512_srli_epi32(texel, 24) : _mm512_and_si512(_mm512_srli_epi32(texel, unsigned(8 * c)), all_lanes(255));
        out[c] = quotient_of(code, u.field[c].high, u.field[c].low);
      }
      return;
    }
    for (int i = 0; i < (kWide ? 4 : 2); ++i) rows[i] = _mm512_xor_si512(rows[i], all_lanes(k.sign));
    const __m512i wx = _mm512_shuffle_epi8(place, zmm(k.fraction_x)), wy = _mm512_shuffle_epi8(place, zmm(k.fraction_y));
    const __m512i whole = all_lanes(k.whole), columns = _mm512_mask_sub_epi16(wx, 0x55555555u, whole, wx);
    const __m512i top = _mm512_mullo_epi16(columns, _mm512_sub_epi16(whole, wy)), bottom = _mm512_mullo_epi16(columns, wy);
    const __m512i even = all_lanes(k.fractions);
    const __m512i low = _mm512_ternarylogic_epi32(even, top, _mm512_slli_epi32(bottom, 8), 0xCA);
    const __m512i high = _mm512_ternarylogic_epi32(even, _mm512_srli_epi32(top, 8), bottom, 0xCA);
    const __m512i from = _mm512_shuffle_epi8(index, zmm(k.lowest));
    for (int c = 0; c < 4; ++c) {
      const __m512i i = _mm512_add_epi8(from, all_lanes(k.component[kWide][c]));
      __m512i codes = _mm512_permutex2var_epi8(rows[0], i, rows[1]);
      if constexpr (kWide) codes = _mm512_mask_blend_epi8(_mm512_movepi8_mask(i), codes, _mm512_permutex2var_epi8(rows[2], i, rows[3]));
      __m512i sum = _mm512_dpbusd_epi32(all_lanes(k.bias), high, codes);
      sum = _mm512_dpbusd_epi32(_mm512_slli_epi32(sum, 8), low, codes);
      if (exact) [[unlikely]]
        sum = _mm512_mask_add_epi32(sum, exact, _mm512_srai_epi32(_mm512_slli_epi32(codes, 24), 8), all_lanes(1u << 23));
      out[c] = quotient_of(sum, u.sum_high[c], u.sum_low[c]);
    }
  }
  PUMICE_INLINE static F16 quotient_of(__m512i v, float high, float low) {
    I16 integer;
    integer.part[0] = (native::I)v;
    const F16 f = to_float(integer);
    return fma(f, splat(high), f * low);
  }
  /// Wide: 8 texels of two rows in a register. Else 6 of each row, one row behind the other.
  template <bool kWide>
  PUMICE_INLINE void load(__m512i (&rows)[4]) const {
    const auto row = [&](uint64_t i) __attribute__((always_inline)) { return at_ + i * pitch_; };
    if constexpr (kWide) {
      for (uint64_t i = 0; i < 4; ++i)
        rows[i] =
            _mm512_inserti64x4(_mm512_castsi256_si512(load_unaligned<__m256i>(row(2 * i))), load_unaligned<__m256i>(row(2 * i + 1)), 1);
    } else {
      rows[0] = _mm512_maskz_loadu_epi32(0x003F, row(0));
      rows[0] = _mm512_mask_loadu_epi32(rows[0], 0x0FC0, row(1) - 24);
      rows[0] = _mm512_mask_loadu_epi32(rows[0], 0xF000, row(2) - 48);
      rows[1] = _mm512_maskz_loadu_epi32(0x0003, row(2) + 16);
      rows[1] = _mm512_mask_loadu_epi32(rows[1], 0x00FC, row(3) - 8);
      rows[1] = _mm512_mask_loadu_epi32(rows[1], 0x3F00, row(4) - 32);
    }
  }

  __m512i x_, y_;  ///< in the window
  const char* at_;
  uint64_t pitch_;
  bool wide_;
};

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
