// SPDX-License-Identifier: MIT
/// Vectors as wide as the instruction set has them, of 16-bit lanes (most of a pixel) and of 32-bit lanes (attributes, depth,
/// perspective). Compiler vectors; intrinsics stand only here, each beside the portable form.
/// Everything here and in the files that include it has internal linkage, because those files are compiled several
/// times with different instruction sets; they must not include headers with inline functions of external linkage.
#pragma once
#include <stdint.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/// Stages stay functions of their own: a call draws hundreds of pixels, and the compiler is done in seconds.
#define PUMICE_STEP [[gnu::noinline]] static
#define PUMICE_INLINE static inline __attribute__((always_inline))

namespace pumice::hw::rdp::fast {
namespace {

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#define PUMICE_RDP_512 1
constexpr int kBytes = 64;
#elif defined(__AVX2__)
#define PUMICE_RDP_256 1
constexpr int kBytes = 32;
#else
constexpr int kBytes = 16;
#endif
/// Lanes of a vector of halves and of words.
constexpr int kH = kBytes / 2, kW = kBytes / 4;

typedef int16_t H __attribute__((vector_size(kBytes)));
typedef uint16_t HU __attribute__((vector_size(kBytes)));
typedef int32_t W __attribute__((vector_size(kBytes)));
typedef uint32_t WU __attribute__((vector_size(kBytes)));
typedef float F __attribute__((vector_size(kBytes)));
/// As many 16-bit lanes as a vector of words has.
typedef int16_t Hh __attribute__((vector_size(kBytes / 2)));
typedef uint16_t HhU __attribute__((vector_size(kBytes / 2)));

PUMICE_INLINE H splat(int32_t x) { return H{} + static_cast<int16_t>(x); }
PUMICE_INLINE W splat_w(int32_t x) { return W{} + x; }
PUMICE_INLINE WU splat_u(uint32_t x) { return WU{} + x; }

struct Counting {
  int16_t h[32];
  int32_t w[16];
  constexpr Counting() : h(), w() {
    for (int i = 0; i < 32; ++i) h[i] = static_cast<int16_t>(i);
    for (int i = 0; i < 16; ++i) w[i] = i;
  }
};
alignas(64) constexpr Counting kCounting;

template <typename T, typename P>
PUMICE_INLINE T load_as(const P* p) {
  T v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
PUMICE_INLINE H load(const int16_t* p) { return load_as<H>(p); }
PUMICE_INLINE W load(const int32_t* p) { return load_as<W>(p); }
PUMICE_INLINE WU load(const uint32_t* p) { return load_as<WU>(p); }
template <typename P, typename T>
PUMICE_INLINE void store(P* p, T v) {
  __builtin_memcpy(p, &v, sizeof v);
}
PUMICE_INLINE H iota() { return load(kCounting.h); }
PUMICE_INLINE W iota_w() { return load(kCounting.w); }

/// Masks have all bits of a lane set or none.
PUMICE_INLINE H min(H a, H b) { return a < b ? a : b; }
PUMICE_INLINE H max(H a, H b) { return a > b ? a : b; }
PUMICE_INLINE W min(W a, W b) { return a < b ? a : b; }
PUMICE_INLINE W max(W a, W b) { return a > b ? a : b; }

/// 16 bits from memory to 32-bit lanes, and the low 16 bits of 32-bit lanes to memory.
PUMICE_INLINE W widen(const int16_t* p) { return __builtin_convertvector(load_as<Hh>(p), W); }
PUMICE_INLINE W widen_u(const int16_t* p) { return __builtin_convertvector(load_as<HhU>(p), W); }
PUMICE_INLINE void narrow(int16_t* p, W v) {
#if defined(PUMICE_RDP_256)
  const __m256i low = _mm256_and_si256((__m256i)v, _mm256_set1_epi32(0xFFFF));
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
#else
  store(p, __builtin_convertvector(v, Hh));
#endif
}

template <typename T>
PUMICE_INLINE bool any(T mask) {
#if defined(PUMICE_RDP_512)
  return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(PUMICE_RDP_256)
  return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#else
  typedef uint64_t L __attribute__((vector_size(kBytes)));
  const L w = (L)mask;
  uint64_t r = 0;
  for (int i = 0; i < kBytes / 8; ++i) r |= w[i];
  return r != 0;
#endif
}

/// One bit for each lane of a mask.
PUMICE_INLINE uint32_t bits_of(H mask) {
#if defined(PUMICE_RDP_512)
  return _mm512_movepi16_mask((__m512i)mask);
#elif defined(PUMICE_RDP_256)
  const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16((__m256i)mask, (__m256i)mask), 0x08);
  return static_cast<uint32_t>(_mm256_movemask_epi8(bytes)) & 0xFFFF;
#else
  uint32_t bits = 0;
  for (int i = 0; i < kH; ++i) bits |= static_cast<uint32_t>(mask[i] & 1) << i;
  return bits;
#endif
}

/// Neighbours exchanged, and neighbouring pairs.
PUMICE_INLINE W swap_words(W v) {
#if defined(PUMICE_RDP_512)
  return (W)_mm512_maskz_shuffle_epi32(0xFFFF, (__m512i)v, _MM_PERM_CDAB);
#elif defined(PUMICE_RDP_256)
  return (W)_mm256_shuffle_epi32((__m256i)v, 0xB1);
#else
  return __builtin_shufflevector(v, v, 1, 0, 3, 2);
#endif
}
PUMICE_INLINE W swap_pairs(W v) {
#if defined(PUMICE_RDP_512)
  return (W)_mm512_maskz_shuffle_epi32(0xFFFF, (__m512i)v, _MM_PERM_BADC);
#elif defined(PUMICE_RDP_256)
  return (W)_mm256_shuffle_epi32((__m256i)v, 0x4E);
#else
  return __builtin_shufflevector(v, v, 2, 3, 0, 1);
#endif
}

/// (a * c + 128) >> 8 for |a| <= 511 and the low nine bits of c, signed.
PUMICE_INLINE H multiply_256(H a, H c) {
#if defined(PUMICE_RDP_512)
  return (H)_mm512_mulhrs_epi16((__m512i)a, (__m512i)(c << 7));
#elif defined(PUMICE_RDP_256)
  return (H)_mm256_mulhrs_epi16((__m256i)a, (__m256i)(c << 7));
#else
  const H s = c << 7 >> 7;
  return (a * (s >> 4) + ((a * (s & 15) + 128) >> 4)) >> 4;
#endif
}

/// Position of the highest set bit plus 127; something at or below 0 for 0. Values below 2^24.
PUMICE_INLINE W biased_log2(W v) { return (W) __builtin_convertvector(v, F) >> 23; }
/// The highest set bit alone; 0 for 0.
PUMICE_INLINE W highest_bit(W v) { return __builtin_convertvector((F)((W) __builtin_convertvector(v, F) & splat_w(0x7F800000)), W); }

/// table[index] of 64 words.
PUMICE_INLINE W lookup64(const int32_t* table, W index) {
#if defined(PUMICE_RDP_512)
  const __m512i i = (__m512i)index;
  const __m512i low = _mm512_permutex2var_epi32(_mm512_loadu_si512(table), i, _mm512_loadu_si512(table + 16));
  const __m512i high = _mm512_permutex2var_epi32(_mm512_loadu_si512(table + 32), i, _mm512_loadu_si512(table + 48));
  return (W)_mm512_mask_blend_epi32(_mm512_test_epi32_mask(i, _mm512_set1_epi32(32)), low, high);
#else
  alignas(kBytes) int32_t s[kW];
  store(s, index & 63);
  for (int i = 0; i < kW; ++i) s[i] = table[s[i]];
  return load(s);
#endif
}

/// The 9-bit clamp: 256..383 saturate, 384..511 are negative. And the 9-bit extension, -128..383.
PUMICE_INLINE H ext9(H v) { return ((v + 0x80) & 0x1FF) - 0x80; }
PUMICE_INLINE H clamp9(H v) { return max(min(ext9(v), splat(255)), splat(0)); }

/// `n` words (at least one) from memory, the other lanes 0; no other memory is touched.
PUMICE_INLINE WU load_words(const uint8_t* p, int n) {
#if defined(PUMICE_RDP_512)
  return (WU)_mm512_maskz_loadu_epi32(static_cast<__mmask16>(n >= 16 ? 0xFFFF : (1u << n) - 1), p);
#elif defined(PUMICE_RDP_256)
  return (WU)_mm256_maskload_epi32(reinterpret_cast<const int*>(p), (__m256i)(iota_w() < n));
#else
  if (n >= kW) return load_as<WU>(p);
  uint32_t w[kW] = {};
  __builtin_memcpy(w, p, 4 * static_cast<uint32_t>(n));
  return load(w);
#endif
}
/// Stores those of the first `n` words' halves whose mask is set.
PUMICE_INLINE void store_words(uint8_t* p, int n, WU v, WU mask) {
#if defined(PUMICE_RDP_512)
  (void)n;  // the mask says it
  _mm512_mask_storeu_epi16(p, _mm512_movepi16_mask((__m512i)mask), (__m512i)v);
#else
  const WU old = load_words(p, n), out = (v & mask) | (old & ~mask);
  if (n >= kW) {
    store(p, out);
  } else {
    uint32_t w[kW];
    store(w, out);
    __builtin_memcpy(p, w, 4 * static_cast<uint32_t>(n));
  }
#endif
}

/// `n` bytes as 16-bit lanes; the other lanes anything.
PUMICE_INLINE H load_bytes(const uint8_t* p, int n) {
#if defined(PUMICE_RDP_512)
  return (H)_mm512_maskz_cvtepu8_epi16(~0u, _mm256_maskz_loadu_epi8(static_cast<__mmask32>(n >= 32 ? ~0u : (1u << n) - 1), p));
#else
  typedef uint8_t B __attribute__((vector_size(kBytes / 2)));
  uint8_t b[kH] = {};
  if (n < kH) {
    __builtin_memcpy(b, p, static_cast<uint32_t>(n));
    p = b;
  }
  return __builtin_convertvector(load_as<B>(p), H);
#endif
}
/// Stores the low bytes of the first `n` lanes whose mask is set.
PUMICE_INLINE void store_bytes(uint8_t* p, int n, H v, H mask) {
#if defined(PUMICE_RDP_512)
  (void)n;
  _mm256_mask_storeu_epi8(p, _mm512_movepi16_mask((__m512i)mask), _mm512_maskz_cvtepi16_epi8(~0u, (__m512i)v));
#else
  typedef uint8_t B __attribute__((vector_size(kBytes / 2)));
  const B value = __builtin_convertvector((HU)v, B), on = __builtin_convertvector((HU)mask, B);
  if (n >= kH) {
    const B old = load_as<B>(p);
    store(p, (value & on) | (old & ~on));
    return;
  }
  uint8_t b[kH] = {};
  __builtin_memcpy(b, p, static_cast<uint32_t>(n));
  const B old = load_as<B>(b);
  store(b, (value & on) | (old & ~on));
  __builtin_memcpy(p, b, static_cast<uint32_t>(n));
#endif
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
