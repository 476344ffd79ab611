// SPDX-License-Identifier: MIT
/// Texels of four unsigned bytes for a whole block from a window in registers, with permutations of bytes (AVX-512 VBMI) and products of
/// bytes (VNNI). Included by sample_simd.h where the compiler may use both.
///
/// The window starts at the smallest texel coordinates of the block's corners: 4 x 4 texels for point sampling, 6 x 5 or 8 x 8 for the
/// linear filter. Whether all lanes are in it is checked afterwards, so any coordinates are right. It lies inside the image, where address
/// modes and borders have no effect.
///
/// Linear filter: one permutation brings a component of a lane's four texels into its dword, as code - 128. The weights, products of 8 bits
/// each, are split into bytes: sum = 256 * (high bytes . codes) + (low bytes . codes) + 2^23, exact. The weight 65536 (both fractions 0) is
/// the only one that has no such bytes: lanes that have it take the code itself.
#pragma once
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/texture/address_simd.h"
#include "hw/radeon/fast/texture/unit.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// Constants in memory, as in address_simd.h.
struct alignas(64) ByteConstants {
  uint32_t lowest[16] = {};                           ///< the lowest byte of a dword, four times
  uint32_t fraction_x[16] = {}, fraction_y[16] = {};  ///< bytes 0 and 2, as two words each
  uint32_t six[2][16] = {{0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19},
                         {4, 5, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 0, 0}};  ///< rows of 8 to rows of 6
  uint32_t column_row[2] = {24u << 24 | 4u << 8, 32u << 24 | 4u << 8};
  uint32_t component[2][4] = {};  ///< [wide]: bytes 00, 01, 10, 11 of a component after that of the first texel
  uint32_t room[2][2] = {{5 * 256, 4 * 256}, {7 * 256, 7 * 256}};
  float small[2][4] = {{3.01f, 3.01f, 3.01f, 3.01f},
                       {4 * 256, 3.01f * 256, 4 * 256, 3.01f * 256}};  ///< between the first and the last lane
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
  /// False: the lanes' texels are too far apart, or not all inside the image. s, t: coordinates in memory; px, py: places of
  /// the lanes in 1/256 (linear) or texels.
  template <bool kLinear>
  PUMICE_INLINE bool find(const tx::WindowFacts& facts, const char* base, bool unscaled, const float* s, const float* t, I16 px, I16 py) {
    const ByteConstants& k = byte_constants();
    const auto two = [](const void* p) __attribute__((always_inline)) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); };
    const auto one = [](const float* p) __attribute__((always_inline)) { return _mm_load_ss(p); };
    // Where the block is nearly axis-aligned in the image, the first or the last lane has the smallest texel coordinates.
    const bool upright = __builtin_fabsf(s[0] - s[10]) < facts.upright[unscaled];
    constexpr int kShift = kLinear ? 8 : 0;
    __m128 ends = _mm_insert_ps(_mm_insert_ps(one(s), one(t), 0x10), one(s + 15), 0x20);
    ends = _mm_mul_ps(_mm_insert_ps(ends, one(t + 15), 0x30), _mm_load_ps(kLinear ? facts.fixed4[unscaled] : facts.texels4[unscaled]));
    const __m128 length = _mm_sub_ps(ends, _mm_shuffle_ps(ends, ends, 0x4E));
    const bool small =
        upright && _mm_movemask_ps(_mm_cmplt_ps(_mm_andnot_ps(_mm_set1_ps(-0.0f), length), _mm_load_ps(k.small[kLinear]))) == 15;
    if (!kLinear && !small) return false;
    __m128i first, last;
    wide_ = kLinear && !small;
    if constexpr (kLinear) {
      const __m128i place = _mm_sub_epi32(_mm_cvtps_epi32(ends), _mm_set1_epi32(128)), other = _mm_shuffle_epi32(place, 0x4E);
      first = wide_ ? _mm_sub_epi32(_mm_srai_epi32(_mm_add_epi32(place, other), 9), _mm_set1_epi32(3))
                    : _mm_srai_epi32(_mm_min_epi32(place, other), 8);
      last = two(wide_ ? facts.last : facts.near_last[0]);
    } else {
      const __m128i place = _mm_cvttps_epi32(_mm_floor_ps(ends));
      first = _mm_min_epi32(place, _mm_shuffle_epi32(place, 0x4E));
      last = two(facts.near_last[1]);
    }
    const __m128i wrapped = _mm_and_si128(first, two(facts.wrap));
    const __m128i inside = _mm_min_epi32(_mm_max_epi32(wrapped, _mm_setzero_si128()), last);
    const __m128i origin = _mm_add_epi32(first, _mm_sub_epi32(inside, wrapped)), from = _mm_slli_epi32(origin, kShift);
    x_ = _mm512_sub_epi32((__m512i)px.part[0], _mm512_broadcastd_epi32(from));
    y_ = _mm512_sub_epi32((__m512i)py.part[0], _mm512_broadcastd_epi32(_mm_shuffle_epi32(from, 1)));
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
  PUMICE_INLINE void point(const tx::Unit& u, F16 (&out)[4]) const {
    const auto row = [&](uint64_t i) __attribute__((always_inline)) { return load_unaligned<__m128i>(at_ + i * pitch_); };
    __m512i texels = _mm512_inserti32x4(_mm512_castsi128_si512(row(0)), row(1), 1);
    texels = _mm512_inserti32x4(_mm512_inserti32x4(texels, row(2), 2), row(3), 3);
    codes(u, _mm512_permutexvar_epi32(_mm512_add_epi32(_mm512_slli_epi32(y_, 2), x_), texels), out);
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
      return codes(u, texel, out);
    }
    const __m512i sign = all_lanes(k.sign), r0 = _mm512_xor_si512(rows[0], sign), r1 = _mm512_xor_si512(rows[1], sign);
    const __m512i r2 = kWide ? _mm512_xor_si512(rows[2], sign) : sign, r3 = kWide ? _mm512_xor_si512(rows[3], sign) : sign;
    const __m512i wx = _mm512_shuffle_epi8(place, zmm(k.fraction_x)), wy = _mm512_shuffle_epi8(place, zmm(k.fraction_y));
    const __m512i whole = all_lanes(k.whole), columns = _mm512_mask_sub_epi16(wx, 0x55555555u, whole, wx);
    const __m512i top = _mm512_mullo_epi16(columns, _mm512_sub_epi16(whole, wy)), bottom = _mm512_mullo_epi16(columns, wy);
    const __m512i even = all_lanes(k.fractions);
    const __m512i low = _mm512_ternarylogic_epi32(even, top, _mm512_slli_epi32(bottom, 8), 0xCA);
    const __m512i high = _mm512_ternarylogic_epi32(even, _mm512_srli_epi32(top, 8), bottom, 0xCA);
    const __m512i from = _mm512_shuffle_epi8(index, zmm(k.lowest)), bias = all_lanes(k.bias);
    const __mmask64 lower =
        kWide ? _mm512_movepi8_mask(_mm512_add_epi32(from, all_lanes(k.component[kWide][0]))) : 0;  // bytes of rows 4 to 7
    const auto component = [&](int c) __attribute__((always_inline)) {
      const __m512i i = _mm512_add_epi32(from, all_lanes(k.component[kWide][c]));
      __m512i codes = _mm512_permutex2var_epi8(r0, i, r1);
      if constexpr (kWide) codes = _mm512_mask_blend_epi8(lower, codes, _mm512_permutex2var_epi8(r2, i, r3));
      __m512i sum = _mm512_dpbusd_epi32(bias, high, codes);
      sum = _mm512_dpbusd_epi32(_mm512_slli_epi32(sum, 8), low, codes);
      if (exact) [[unlikely]]
        sum = _mm512_mask_add_epi32(sum, exact, _mm512_srai_epi32(_mm512_slli_epi32(codes, 24), 8), all_lanes(1u << 23));
      return quotient_of(sum, u.sum_high[c], u.sum_low[c]);
    };
    out[0] = component(0), out[1] = component(1), out[2] = component(2), out[3] = component(3);
  }
  PUMICE_INLINE static void codes(const tx::Unit& u, __m512i texel, F16 (&out)[4]) {
    const __m512i byte = all_lanes(255);
    out[0] = quotient_of(_mm512_and_si512(texel, byte), u.field[0].high, u.field[0].low);
    out[1] = quotient_of(_mm512_and_si512(_mm512_srli_epi32(texel, 8), byte), u.field[1].high, u.field[1].low);
    out[2] = quotient_of(_mm512_and_si512(_mm512_srli_epi32(texel, 16), byte), u.field[2].high, u.field[2].low);
    out[3] = quotient_of(_mm512_srli_epi32(texel, 24), u.field[3].high, u.field[3].low);
  }
  PUMICE_INLINE static F16 quotient_of(__m512i v, float high, float low) {
    I16 integer;
    integer.part[0] = (native::I)v;
    const F16 f = to_float(integer);
    return fma(f, splat(high), f * low);
  }
  /// Wide: 8 texels of two rows in a register. Else 6 of each row, one row after the other.
  template <bool kWide>
  PUMICE_INLINE void load(__m512i (&rows)[4]) const {
    const auto row = [&](uint64_t i) __attribute__((always_inline)) { return at_ + i * pitch_; };
    if constexpr (kWide) {
      for (uint64_t i = 0; i < 4; ++i)
        rows[i] =
            _mm512_inserti64x4(_mm512_castsi256_si512(load_unaligned<__m256i>(row(2 * i))), load_unaligned<__m256i>(row(2 * i + 1)), 1);
    } else {
      const auto pair = [&](uint64_t i) __attribute__((always_inline)) {
        return _mm512_inserti64x4(_mm512_castsi256_si512(load_unaligned<__m256i>(row(i))), load_unaligned<__m256i>(row(i + 1)), 1);
      };
      const ByteConstants& k = byte_constants();
      const __m512i second = pair(2);
      rows[0] = _mm512_permutex2var_epi32(pair(0), zmm(k.six[0]), second);
      rows[1] = _mm512_permutex2var_epi32(second, zmm(k.six[1]), _mm512_castsi256_si512(load_unaligned<__m256i>(row(4))));
    }
  }

  __m512i x_, y_;  ///< in the window
  const char* at_;
  uint64_t pitch_;
  bool wide_;
};

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
