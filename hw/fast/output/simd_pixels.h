// SPDX-License-Identifier: MIT
/// The 16 pixels of a block between a surface and lanes. A pixel of 8 or 16 bytes is two or four vectors of words.
///
/// Blocks that are partly covered must leave the other pixels alone: they may belong to another thread (rows that end inside a block) or
/// lie outside the backed memory. Inside the draw's rectangle they are this thread's own, and may be read and written back.
#pragma once
#include <cstddef>

#include "hw/fast/output/output.h"
#include "hw/fast/output/simd_convert.h"
#include "hw/fast/simd/simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

typedef uint32_t U4 __attribute__((vector_size(16)));

struct Rows {
  std::byte* at[4];
};

inline Rows linear_rows(const output::HostSurface& s, int32_t x, int32_t y, int bytes) {
  std::byte* p = s.base + static_cast<uint64_t>(y) * s.pitch_bytes + static_cast<uint64_t>(x) * static_cast<uint64_t>(bytes);
  return {{p, p + s.pitch_bytes, p + 2 * s.pitch_bytes, p + 3 * s.pitch_bytes}};
}

inline Rows rows_of(const output::HostSurface& s, int32_t x, int32_t y) {
  if (s.linear) return linear_rows(s, x, y, static_cast<int>(s.layout.bytes_per_pixel));
  uint64_t offset[4];
  surface::block_rows(s.layout, static_cast<uint32_t>(x), static_cast<uint32_t>(y), offset);
  return {{s.base + offset[0], s.base + offset[1], s.base + offset[2], s.base + offset[3]}};
}

/// True when all 16 pixels are the draw's to write.
inline bool inside(const output::Rect& r, int32_t x, int32_t y) { return x >= r.x0 && y >= r.y0 && x + 4 <= r.x1 && y + 4 <= r.y1; }

/// Lanes to rows and back: the middle pairs of each half change places.
inline U16 swap_rows(U16 v) {
#if defined(__AVX512F__)
  return (U16)_mm512_permutex_epi64((__m512i)v, 0xD8);
#elif defined(__AVX2__)
  __m256i h[2];
  std::memcpy(h, &v, 64);
  for (int i = 0; i < 2; ++i) h[i] = _mm256_permute4x64_epi64(h[i], 0xD8);
  std::memcpy(&v, h, 64);
  return v;
#else
  return __builtin_shufflevector(v, v, 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
#endif
}
/// The same for mask bits.
inline uint32_t swap_rows(LaneMask m) { return (m & 0xC3C3u) | (m & 0x0C0Cu) << 2 | (m & 0x3030u) >> 2; }

inline constexpr int kMaxWords = 4;
template <int kBytes>
inline constexpr int kWords = kBytes <= 4 ? 1 : kBytes / 4;

template <int kBytes>
struct Pixels {
  U16 word[kWords<kBytes>];
};

inline U16 concatenate(U4 a, U4 b, U4 c, U4 d) {
#if !defined(__AVX512F__)
  const U4 parts[4] = {a, b, c, d};
  U16 out;
  std::memcpy(&out, parts, 64);
  return out;
#else
  __m512i v = _mm512_castsi128_si512((__m128i)a);
  v = _mm512_inserti32x4(v, (__m128i)b, 1);
  v = _mm512_inserti32x4(v, (__m128i)c, 2);
  return (U16)_mm512_inserti32x4(v, (__m128i)d, 3);
#endif
}
template <int k>
[[gnu::always_inline]] inline U4 quarter(U16 v) {
#if defined(__AVX512F__)
  return (U4)_mm512_extracti32x4_epi32((__m512i)v, k);
#else
  U4 parts[4];
  std::memcpy(parts, &v, 64);
  return parts[k];
#endif
}
template <int k>
[[gnu::always_inline]] inline U8 half(U16 v) {
#if defined(__AVX512F__)
  return (U8)_mm512_extracti64x4_epi64((__m512i)v, k);
#else
  U8 parts[2];
  std::memcpy(parts, &v, 64);
  return parts[k];
#endif
}

/// Rows in memory, pixel by pixel: 16 * kBytes bytes.
template <int kBytes>
struct alignas(64) Image {
  std::byte bytes[16 * kBytes];
};

/// 16 pixels in row order, packed as in memory, to words in lane order.
template <int kBytes>
[[gnu::always_inline]] inline Pixels<kBytes> unpack_rows(const U16 (&r)[kWords<kBytes>]) {
  if constexpr (kBytes == 4) {
    return {{swap_rows(r[0])}};
  } else if constexpr (kBytes == 8) {
#if defined(__AVX2__) && !defined(__AVX512F__)
    // The shuffles of two rows leave pixels in lane order.
    __m256 row[4], word[2][2];
    std::memcpy(row, r, 128);
    for (int i = 0; i < 2; ++i)
      word[0][i] = _mm256_shuffle_ps(row[2 * i], row[2 * i + 1], 0x88), word[1][i] = _mm256_shuffle_ps(row[2 * i], row[2 * i + 1], 0xDD);
    Pixels<8> out;
    std::memcpy(out.word, word, 128);
    return out;
#else
    return {{swap_rows(__builtin_shufflevector(r[0], r[1], 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)),
             swap_rows(__builtin_shufflevector(r[0], r[1], 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31))}};
#endif
  } else {
    // Two steps: pairs of rows by even and odd words, then again.
    const U16 e0 = __builtin_shufflevector(r[0], r[1], 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);  // words 0 and 2
    const U16 o0 = __builtin_shufflevector(r[0], r[1], 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    const U16 e1 = __builtin_shufflevector(r[2], r[3], 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const U16 o1 = __builtin_shufflevector(r[2], r[3], 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return {{swap_rows(__builtin_shufflevector(e0, e1, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)),
             swap_rows(__builtin_shufflevector(o0, o1, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)),
             swap_rows(__builtin_shufflevector(e0, e1, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)),
             swap_rows(__builtin_shufflevector(o0, o1, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31))}};
  }
}
template <int kBytes>
[[gnu::always_inline]] inline void pack_rows(const Pixels<kBytes>& p, U16 (&r)[kWords<kBytes>]) {
  if constexpr (kBytes == 4) {
    r[0] = swap_rows(p.word[0]);
  } else if constexpr (kBytes == 8) {
    const U16 a = swap_rows(p.word[0]), b = swap_rows(p.word[1]);
#if defined(__AVX2__) && !defined(__AVX512F__)
    __m256i x[2], y[2], row[4];
    std::memcpy(x, &a, 64), std::memcpy(y, &b, 64);
    for (int i = 0; i < 2; ++i) {
      const __m256i low = _mm256_unpacklo_epi32(x[i], y[i]), high = _mm256_unpackhi_epi32(x[i], y[i]);
      row[2 * i] = _mm256_permute2x128_si256(low, high, 0x20), row[2 * i + 1] = _mm256_permute2x128_si256(low, high, 0x31);
    }
    std::memcpy(r, row, 128);
#else
    r[0] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    r[1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#endif
  } else {
    const U16 a = swap_rows(p.word[0]), b = swap_rows(p.word[1]), c = swap_rows(p.word[2]), d = swap_rows(p.word[3]);
    const U16 e0 = __builtin_shufflevector(a, c, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);  // words 0, 2 of pixels 0..7
    const U16 e1 = __builtin_shufflevector(a, c, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const U16 o0 = __builtin_shufflevector(b, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const U16 o1 = __builtin_shufflevector(b, d, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    r[0] = __builtin_shufflevector(e0, o0, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    r[1] = __builtin_shufflevector(e0, o0, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    r[2] = __builtin_shufflevector(e1, o1, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    r[3] = __builtin_shufflevector(e1, o1, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
}

/// Narrow pixels: a row is one integer of 4 or 8 bytes.
template <int kBytes>
struct Narrow;
template <>
struct Narrow<2> {
  typedef uint64_t Row;
  typedef uint64_t Four __attribute__((vector_size(32)));
  typedef H16 Sixteen;
  static H16 pack(U16 v) { return narrow16(v); }
};
template <>
struct Narrow<1> {
  typedef uint32_t Row;
  typedef uint32_t Four __attribute__((vector_size(16)));
  typedef B16 Sixteen;
  static B16 pack(U16 v) { return narrow8(v); }
};

/// All 16 pixels.
template <int kBytes>
[[gnu::always_inline]] inline Pixels<kBytes> load_all(const Rows& rows) {
  if constexpr (kBytes < 4) {
    using N = Narrow<kBytes>;
    using R = typename N::Row;
    const typename N::Four four = {load_unaligned<R>(rows.at[0]), load_unaligned<R>(rows.at[1]), load_unaligned<R>(rows.at[2]),
                                   load_unaligned<R>(rows.at[3])};
    return {{swap_rows(widen((typename N::Sixteen)four))}};
  } else if constexpr (kBytes == 4) {
    const U16 r[1] = {concatenate(load_unaligned<U4>(rows.at[0]), load_unaligned<U4>(rows.at[1]), load_unaligned<U4>(rows.at[2]),
                                  load_unaligned<U4>(rows.at[3]))};
    return unpack_rows<4>(r);
  } else if constexpr (kBytes == 8) {
    U16 r[2];
    for (int i = 0; i < 2; ++i) {
      const U8 a = load_unaligned<U8>(rows.at[2 * i]), b = load_unaligned<U8>(rows.at[2 * i + 1]);
      r[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
    return unpack_rows<8>(r);
  } else {
    const U16 r[4] = {load_unaligned<U16>(rows.at[0]), load_unaligned<U16>(rows.at[1]), load_unaligned<U16>(rows.at[2]),
                      load_unaligned<U16>(rows.at[3])};
    return unpack_rows<16>(r);
  }
}

template <int kBytes>
[[gnu::always_inline]] inline void store_all(const Rows& rows, const Pixels<kBytes>& p) {
  if constexpr (kBytes < 4) {
    using N = Narrow<kBytes>;
    const auto four = (typename N::Four)N::pack(swap_rows(p.word[0]));
    // No loop: GCC would make a scatter of it.
    using R = typename N::Row;
    store_unaligned<R>(rows.at[0], four[0]), store_unaligned<R>(rows.at[1], four[1]);
    store_unaligned<R>(rows.at[2], four[2]), store_unaligned<R>(rows.at[3], four[3]);
  } else {
    U16 r[kWords<kBytes>];
    pack_rows<kBytes>(p, r);
    if constexpr (kBytes == 4) {
      store_unaligned(rows.at[0], quarter<0>(r[0])), store_unaligned(rows.at[1], quarter<1>(r[0]));
      store_unaligned(rows.at[2], quarter<2>(r[0])), store_unaligned(rows.at[3], quarter<3>(r[0]));
    } else if constexpr (kBytes == 8) {
      store_unaligned(rows.at[0], half<0>(r[0])), store_unaligned(rows.at[1], half<1>(r[0]));
      store_unaligned(rows.at[2], half<0>(r[1])), store_unaligned(rows.at[3], half<1>(r[1]));
    } else {
      store_unaligned(rows.at[0], r[0]), store_unaligned(rows.at[1], r[1]);
      store_unaligned(rows.at[2], r[2]), store_unaligned(rows.at[3], r[3]);
    }
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

/// The pixels of `mask`; others are anything. `own`: inside() the rectangle.
template <int kBytes>
[[gnu::always_inline]] inline Pixels<kBytes> load_pixels(const Rows& rows, LaneMask mask, bool own) {
  return mask == 0xFFFF || own ? load_all<kBytes>(rows) : load_some<kBytes>(rows, mask);
}

template <int kBytes>
[[gnu::always_inline]] inline void store_pixels(const Rows& rows, const Pixels<kBytes>& p, LaneMask mask, bool own) {
  if (mask == 0xFFFF) return store_all<kBytes>(rows, p);
  if (!own) return store_some<kBytes>(rows, p, mask);
#if defined(__AVX512F__)
  if constexpr (kBytes == 4) {
    // Only where all rows are backed: compilers turn these into VEXTRACTI32X4, which faults for masked elements too.
    const __m512i r = (__m512i)swap_rows(p.word[0]);
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
