// SPDX-License-Identifier: MIT
/// Loads and stores of the 16 pixels of a block between a surface and lanes. Pixels of 8 or 16 bytes are two or four vectors of words.
///
/// Partially covered blocks must not write the other pixels: they may belong to another thread (rows that end inside a block) or
/// lie outside the backed memory. Inside the draw's rectangle they belong to this thread, and may be read and written back.
#pragma once
#include <cstddef>

#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/pixel/output.h"
#include "hw/radeon/fast/pixel/simd_convert.h"

namespace pumice::hw::fast::PUMICE_SIMD {

struct Rows {
  std::byte* at[4];
};

inline Rows linear_rows(const output::HostSurface& s, int32_t x, int32_t y, int bytes) {
  std::byte* p = s.base + static_cast<uint64_t>(y) * s.pitch_bytes + static_cast<uint64_t>(x) * static_cast<uint64_t>(bytes);
  return {{p, p + s.pitch_bytes, p + 2 * s.pitch_bytes, p + 3 * s.pitch_bytes}};
}

/// Microtiles of 4x2 pixels of four bytes or 8x2 of two (HostSurface::tile_row_bytes).
inline Rows micro_rows(const output::HostSurface& s, int32_t x, int32_t y, int bytes) {
  std::byte* p = s.base + static_cast<uint64_t>(y >> 1) * s.tile_row_bytes;
  p += bytes == 4 ? static_cast<uint64_t>(x) * 8 : static_cast<uint64_t>(x & ~7) * 4 + static_cast<uint64_t>(x & 4) * 2;
  std::byte* q = p + s.tile_row_bytes;
  return {{p, p + 16, q, q + 16}};
}

inline Rows rows_of(const output::HostSurface& s, int32_t x, int32_t y) {
  if (s.tile_row_bytes) return micro_rows(s, x, y, static_cast<int>(s.layout.bytes_per_pixel));
  if (s.linear) return linear_rows(s, x, y, static_cast<int>(s.layout.bytes_per_pixel));
  uint64_t offset[4];
  surface::block_rows(s.layout, static_cast<uint32_t>(x), static_cast<uint32_t>(y), offset);
  return {{s.base + offset[0], s.base + offset[1], s.base + offset[2], s.base + offset[3]}};
}

/// True if the draw may write all 16 pixels.
inline bool inside(const output::Rect& r, int32_t x, int32_t y) { return x >= r.x0 && y >= r.y0 && x + 4 <= r.x1 && y + 4 <= r.y1; }

/// Lanes to rows and back for mask bits: the middle pairs of each half are swapped.
inline uint32_t swap_rows(LaneMask m) { return (m & 0xC3C3u) | (m & 0x0C0Cu) << 2 | (m & 0x3030u) >> 2; }
/// The same for lanes.
PUMICE_INLINE U16 swap_rows(U16 v) {
#if PUMICE_SIMD_BYTES == 64
  return PUMICE_PARTS(U16, (native::U)_mm512_permutex_epi64((__m512i)v.part[i], 0xD8));
#elif PUMICE_SIMD_BYTES == 32
  return PUMICE_PARTS(U16, (native::U)_mm256_permute4x64_epi64((__m256i)v.part[i], 0xD8));
#else
  return PUMICE_PARTS(U16,
                      i & 1 ? native::unpack_high_pairs(v.part[i - 1], v.part[i]) : native::unpack_low_pairs(v.part[i], v.part[i + 1]));
#endif
}

template <int kBytes>
inline constexpr int kWords = kBytes <= 4 ? 1 : kBytes / 4;

template <int kBytes>
struct Pixels {
  U16 word[kWords<kBytes>];
};

/// Rows in memory, pixel by pixel: 16 * kBytes bytes.
template <int kBytes>
struct alignas(64) Image {
  std::byte bytes[16 * kBytes];
};

PUMICE_INLINE U4 load4(const std::byte* p) { return load_unaligned<U4>(p); }

// ---- Pixels of 8 bytes: a row is two quarters ------------------------------------------------------------------------------------

PUMICE_INLINE U16 load_two_rows(const std::byte* a, const std::byte* b) {
#if PUMICE_SIMD_BYTES == 64
  U16 r;
  r.part[0] = (native::U)_mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a))),
                                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b)), 1);
  return r;
#elif PUMICE_SIMD_BYTES == 32
  U16 r;
  r.part[0] = load_unaligned<native::U>(a), r.part[1] = load_unaligned<native::U>(b);
  return r;
#else
  return concatenate(load4(a), load4(a + 16), load4(b), load4(b + 16));
#endif
}
PUMICE_INLINE void store_two_rows(std::byte* a, std::byte* b, U16 v) {
#if PUMICE_SIMD_BYTES == 64
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(a), _mm512_castsi512_si256((__m512i)v.part[0]));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(b), _mm512_extracti64x4_epi64((__m512i)v.part[0], 1));
#elif PUMICE_SIMD_BYTES == 32
  store_unaligned(a, v.part[0]), store_unaligned(b, v.part[1]);
#else
  store_unaligned(a, quarter<0>(v)), store_unaligned(a + 16, quarter<1>(v));
  store_unaligned(b, quarter<2>(v)), store_unaligned(b + 16, quarter<3>(v));
#endif
}

// ---- Pixels of 16 bytes: a pixel is a quarter ------------------------------------------------------------------------------------

/// Pixel i of each quad in out[i].
PUMICE_INLINE void load_quads(const Rows& rows, U16 (&out)[4]) {
#if PUMICE_SIMD_BYTES == 64
  for (int i = 0; i < 2; ++i) {
    const auto a = load_unaligned<__m512i>(rows.at[i]), b = load_unaligned<__m512i>(rows.at[i + 2]);
    out[2 * i].part[0] = (native::U)_mm512_shuffle_i32x4(a, b, 0x88), out[2 * i + 1].part[0] = (native::U)_mm512_shuffle_i32x4(a, b, 0xDD);
  }
#else
  for (int i = 0; i < 4; ++i) {
    const std::byte *a = rows.at[i / 2] + i % 2 * 16, *b = rows.at[i / 2 + 2] + i % 2 * 16;
    out[i] = concatenate(load4(a), load4(a + 32), load4(b), load4(b + 32));
  }
#endif
}
PUMICE_INLINE void store_quads(const Rows& rows, const U16 (&in)[4]) {
#if PUMICE_SIMD_BYTES == 64
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  for (int i = 0; i < 2; ++i) {
    const auto a = (__m512i)in[2 * i].part[0], b = (__m512i)in[2 * i + 1].part[0];
    store_unaligned(rows.at[i], _mm512_permutex2var_epi64(a, low, b));
    store_unaligned(rows.at[i + 2], _mm512_permutex2var_epi64(a, high, b));
  }
#else
  for (int i = 0; i < 4; ++i) {
    std::byte *a = rows.at[i / 2] + i % 2 * 16, *b = rows.at[i / 2 + 2] + i % 2 * 16;
    store_unaligned(a, quarter<0>(in[i])), store_unaligned(a + 32, quarter<1>(in[i]));
    store_unaligned(b, quarter<2>(in[i])), store_unaligned(b + 32, quarter<3>(in[i]));
  }
#endif
}

// ---- Pixels of one and two bytes: a row is one integer ---------------------------------------------------------------------------

template <int kBytes>
PUMICE_INLINE U16 load_narrow(const Rows& rows) {
#if defined(__x86_64__)
  __m128i row01, row23;  // as words
  if constexpr (kBytes == 1) {
    const __m128i all = _mm_setr_epi32(load_unaligned<int>(rows.at[0]), load_unaligned<int>(rows.at[1]), load_unaligned<int>(rows.at[2]),
                                       load_unaligned<int>(rows.at[3]));
#if PUMICE_SIMD_BYTES == 64
    U16 r;
    r.part[0] = (native::U)_mm512_cvtepu8_epi32(all);
    return swap_rows(r);
#endif
    row01 = _mm_unpacklo_epi8(all, _mm_setzero_si128()), row23 = _mm_unpackhi_epi8(all, _mm_setzero_si128());
  } else {
    const auto at = [&](int i) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(rows.at[i])); };
    row01 = _mm_unpacklo_epi64(at(0), at(1)), row23 = _mm_unpacklo_epi64(at(2), at(3));
  }
  U16 r;
#if PUMICE_SIMD_BYTES == 64
  r.part[0] = (native::U)_mm512_cvtepu16_epi32(_mm256_inserti128_si256(_mm256_castsi128_si256(row01), row23, 1));
  return swap_rows(r);
#else
  row01 = _mm_shuffle_epi32(row01, 0xD8), row23 = _mm_shuffle_epi32(row23, 0xD8);
#if PUMICE_SIMD_BYTES == 32
  r.part[0] = (native::U)_mm256_cvtepu16_epi32(row01), r.part[1] = (native::U)_mm256_cvtepu16_epi32(row23);
#else
  const __m128i zero = _mm_setzero_si128();
  r.part[0] = (native::U)_mm_unpacklo_epi16(row01, zero), r.part[1] = (native::U)_mm_unpackhi_epi16(row01, zero);
  r.part[2] = (native::U)_mm_unpacklo_epi16(row23, zero), r.part[3] = (native::U)_mm_unpackhi_epi16(row23, zero);
#endif
  return r;
#endif
#else
  return by_lane([&](int lane) {
    uint32_t v = 0;
    std::memcpy(&v, rows.at[lane_y(lane)] + lane_x(lane) * kBytes, kBytes);
    return v;
  });
#endif
}

/// Codes that are in range.
template <int kBytes>
PUMICE_INLINE void store_narrow(const Rows& rows, U16 v) {
#if defined(__x86_64__)
  __m128i row01, row23;  // as words
#if PUMICE_SIMD_BYTES == 64
  const auto r = (__m512i)swap_rows(v).part[0];
  if constexpr (kBytes == 1) {
    row01 = row23 = _mm512_cvtepi32_epi8(r);
  } else {
    const __m256i words = _mm512_cvtepi32_epi16(r);
    row01 = _mm256_castsi256_si128(words), row23 = _mm256_extracti128_si256(words, 1);
  }
#else
#if PUMICE_SIMD_BYTES == 32
  const __m256i words = _mm256_packus_epi32((__m256i)v.part[0], (__m256i)v.part[1]);
  const __m128i even = _mm256_castsi256_si128(words), odd = _mm256_extracti128_si256(words, 1);
#else
  const auto extended = [&](int i) { return _mm_srai_epi32(_mm_slli_epi32((__m128i)v.part[i], 16), 16); };  // the pack saturates
  const __m128i even = _mm_packs_epi32(extended(0), extended(2)), odd = _mm_packs_epi32(extended(1), extended(3));
#endif
  row01 = _mm_unpacklo_epi32(even, odd), row23 = _mm_unpackhi_epi32(even, odd);
  if constexpr (kBytes == 1) row01 = _mm_packus_epi16(row01, row23);
#endif
  if constexpr (kBytes == 1) {
    const U4 four = (U4)row01;
    store_unaligned<uint32_t>(rows.at[0], four[0]), store_unaligned<uint32_t>(rows.at[1], four[1]);
    store_unaligned<uint32_t>(rows.at[2], four[2]), store_unaligned<uint32_t>(rows.at[3], four[3]);
  } else {
    store_unaligned(rows.at[0], row01[0]), store_unaligned(rows.at[1], row01[1]);
    store_unaligned(rows.at[2], row23[0]), store_unaligned(rows.at[3], row23[1]);
  }
#else
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint32_t code = v[lane];
    std::memcpy(rows.at[lane_y(lane)] + lane_x(lane) * kBytes, &code, kBytes);
  }
#endif
}

// ---- All 16 pixels ---------------------------------------------------------------------------------------------------------------

template <int kBytes>
PUMICE_INLINE Pixels<kBytes> load_all(const Rows& rows) {
  Pixels<kBytes> p;
  if constexpr (kBytes < 4) {
    p.word[0] = load_narrow<kBytes>(rows);
  } else if constexpr (kBytes == 4) {
    p.word[0] = swap_rows(concatenate(load4(rows.at[0]), load4(rows.at[1]), load4(rows.at[2]), load4(rows.at[3])));
  } else if constexpr (kBytes == 8) {
    // The shuffle of two rows leaves pixels in lane order.
    const U16 even = load_two_rows(rows.at[0], rows.at[2]), odd = load_two_rows(rows.at[1], rows.at[3]);
    p.word[0] = shuffle<0x88>(even, odd), p.word[1] = shuffle<0xDD>(even, odd);
  } else {
    U16 quads[4];
    load_quads(rows, quads);
    transpose(quads, p.word);
  }
  return p;
}

template <int kBytes>
PUMICE_INLINE void store_all(const Rows& rows, const Pixels<kBytes>& p) {
  if constexpr (kBytes < 4) {
    store_narrow<kBytes>(rows, p.word[0]);
  } else if constexpr (kBytes == 4) {
    const U16 r = swap_rows(p.word[0]);
    store_unaligned(rows.at[0], quarter<0>(r)), store_unaligned(rows.at[1], quarter<1>(r));
    store_unaligned(rows.at[2], quarter<2>(r)), store_unaligned(rows.at[3], quarter<3>(r));
  } else if constexpr (kBytes == 8) {
    store_two_rows(rows.at[0], rows.at[2], unpack_low(p.word[0], p.word[1]));
    store_two_rows(rows.at[1], rows.at[3], unpack_high(p.word[0], p.word[1]));
  } else {
    U16 quads[4];
    transpose(p.word, quads);
    store_quads(rows, quads);
  }
}

/// Pixel by pixel, for blocks at the edge of the draw's rectangle.
template <int kBytes>
[[gnu::noinline, gnu::cold]] Pixels<kBytes> load_some(const Rows& rows, LaneMask mask) {
  Image<kBytes> image = {};
  Rows local;
  for (int i = 0; i < 4; ++i) local.at[i] = image.bytes + 4 * kBytes * i;
  for (uint32_t m = swap_rows(mask); m; m &= m - 1) {
    const int i = __builtin_ctz(m);
    std::memcpy(image.bytes + i * kBytes, rows.at[i / 4] + i % 4 * kBytes, kBytes);
  }
  return load_all<kBytes>(local);
}
template <int kBytes>
[[gnu::noinline, gnu::cold]] void store_some(const Rows& rows, const Pixels<kBytes>& p, LaneMask mask) {
  Image<kBytes> image;
  Rows local;
  for (int i = 0; i < 4; ++i) local.at[i] = image.bytes + 4 * kBytes * i;
  store_all<kBytes>(local, p);
  for (uint32_t m = swap_rows(mask); m; m &= m - 1) {
    const int i = __builtin_ctz(m);
    std::memcpy(rows.at[i / 4] + i % 4 * kBytes, image.bytes + i * kBytes, kBytes);
  }
}

/// The pixels of `mask`; others are undefined. `own`: inside() the rectangle.
template <int kBytes>
PUMICE_INLINE Pixels<kBytes> load_pixels(const Rows& rows, LaneMask mask, bool own) {
  return mask == 0xFFFF || own ? load_all<kBytes>(rows) : load_some<kBytes>(rows, mask);
}

template <int kBytes>
PUMICE_INLINE void store_pixels(const Rows& rows, const Pixels<kBytes>& p, LaneMask mask, bool own) {
  if (mask == 0xFFFF) return store_all<kBytes>(rows, p);
  if (!own) return store_some<kBytes>(rows, p, mask);
#if PUMICE_SIMD_BYTES == 64
  if constexpr (kBytes == 4) {
    // Only if all rows are backed: compilers turn these into VEXTRACTI32X4, which faults for masked elements too.
    const auto r = (__m512i)swap_rows(p.word[0]).part[0];
    const uint32_t m = swap_rows(mask);
    _mm_mask_storeu_epi32(rows.at[0], static_cast<__mmask8>(m & 15), _mm512_castsi512_si128(r));
    _mm_mask_storeu_epi32(rows.at[1], static_cast<__mmask8>(m >> 4 & 15), _mm512_extracti32x4_epi32(r, 1));
    _mm_mask_storeu_epi32(rows.at[2], static_cast<__mmask8>(m >> 8 & 15), _mm512_extracti32x4_epi32(r, 2));
    _mm_mask_storeu_epi32(rows.at[3], static_cast<__mmask8>(m >> 12), _mm512_extracti32x4_epi32(r, 3));
    return;
  }
#endif
  Pixels<kBytes> merged = load_all<kBytes>(rows);
  const Mask m = mask_from(mask);
  for (int i = 0; i < kWords<kBytes>; ++i) merged.word[i] = select(m, p.word[i], merged.word[i]);
  store_all<kBytes>(rows, merged);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
