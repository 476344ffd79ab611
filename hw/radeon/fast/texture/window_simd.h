// SPDX-License-Identifier: MIT
/// Texels of four bytes for a whole block without gathers, where its lanes sample neighbouring texels: the usual case.
///
/// AVX-512: a window of 8 x 8 texels is loaded into four registers and lanes pick from them. The window is centred on the middle of the
/// block's first and last lane (by their coordinates in memory, so that loading does not wait for the lanes' addresses); whether all lanes
/// are in it is checked afterwards, so any coordinates are right. It lies inside the image, where address modes and borders have no effect.
///
/// Elsewhere: pairs of neighbours are loaded as 8 bytes.
#pragma once
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/texture/address_simd.h"
#include "hw/radeon/fast/texture/unit.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

#if PUMICE_SIMD_BYTES == 64
class Window {
 public:
  /// False: not all lanes sample texels in one window (kSpan more than their own to the right and below). base: of the level or of its
  /// face. s, t: the lanes' coordinates in memory; ix, iy: their texels, right only where they are below 2^22 (beyond that
  /// the caller takes another path).
  template <int kSpan>
  PUMICE_INLINE bool find(const tx::WindowFacts& facts, const char* base, bool unscaled, const float* s, const float* t, I16 ix, I16 iy) {
    const auto two = [](const void* p) __attribute__((always_inline)) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); };
    const auto one = [](const float* p) __attribute__((always_inline)) { return _mm_load_ss(p); };
    const __m128 ends = _mm_add_ps(_mm_unpacklo_ps(one(s), one(t)), _mm_unpacklo_ps(one(s + 15), one(t + 15)));
    const __m128 half = _mm_castsi128_ps(two(facts.half[unscaled]));
    const __m128i first = _mm_sub_epi32(_mm_cvttps_epi32(_mm_mul_ps(ends, half)), _mm_set1_epi32(3));
    const __m128i wrapped = _mm_and_si128(first, two(facts.wrap));
    const __m128i inside = _mm_min_epi32(_mm_max_epi32(wrapped, _mm_setzero_si128()), two(facts.last));
    const __m128i origin = _mm_add_epi32(first, _mm_sub_epi32(inside, wrapped));
    x_.part[0] = (native::U)_mm512_sub_epi32((__m512i)ix.part[0], _mm512_broadcastd_epi32(origin));
    y_.part[0] = (native::U)_mm512_sub_epi32((__m512i)iy.part[0], _mm512_broadcastd_epi32(_mm_shuffle_epi32(origin, 1)));
    const U16 room = constants().room[kSpan];
    const __mmask8 far = _mm_cmpgt_epi32_mask(_mm_abs_epi32(origin), _mm_set1_epi32(1 << 21));
    if (!all(lt(x_, room) & lt(y_, room)) || far) return false;
    const auto place = static_cast<uint64_t>(_mm_cvtsi128_si64(inside));
    const uint64_t pitch = facts.pitch;
    const char* p = base + (place & 0xFFFFFFFFu) * 4 + (place >> 32) * pitch;
    for (int i = 0; i < 4; ++i)
      rows_[i] = _mm512_inserti64x4(_mm512_castsi256_si512(load_unaligned<__m256i>(p + (2 * i) * pitch)),
                                    load_unaligned<__m256i>(p + (2 * i + 1) * pitch), 1);
    index_ = (y_ << 3) + x_;
    return true;
  }
  /// The lanes' own texels, or those to the right and below.
  template <int x, int y>
  PUMICE_INLINE U16 texel() const {
    const auto i = (__m512i)(x + y == 0 ? index_ : index_ + constants().next[x + 2 * y]).part[0];
    const __m512i low = _mm512_permutex2var_epi32(rows_[0], i, rows_[1]), high = _mm512_permutex2var_epi32(rows_[2], i, rows_[3]);
    U16 r;
    r.part[0] = (native::U)_mm512_mask_mov_epi32(high, lt(y_, splat(constants().split[y])).part[0], low);
    return r;
  }

 private:
  U16 x_, y_, index_;  ///< in the window
  __m512i rows_[4];    ///< two each
};

#else
/// The dwords at base + offset and those after them.
PUMICE_INLINE void gather_pairs(const char* base, U16 offset, U16& first, U16& second) {
  alignas(64) uint32_t at[16];
  store_unaligned(at, offset);
  typedef uint64_t L2 __attribute__((vector_size(16)));
  const auto two = [&](int i) __attribute__((always_inline)) {
    return (U4)L2{load_unaligned<uint64_t>(base + at[i]), load_unaligned<uint64_t>(base + at[i + 1])};
  };
  const U16 a = concatenate(two(0), two(4), two(8), two(12)), b = concatenate(two(2), two(6), two(10), two(14));
  first = shuffle<0x88>(a, b), second = shuffle<0xDD>(a, b);
}
#endif

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
