// SPDX-License-Identifier: MIT
/// Rows of pictures (stretch.h).
///
/// The linear filter of codes (hw/tx/README.md) is a whole number: sum = (256 - v) * top + v * bottom with top and bottom being
/// (256 - u) * left + u * right. The blocks divide it by 65536 * 255, round to a float, multiply by 255 and round to the nearest code. In
/// whole numbers that is the nearest of sum / 65536; halves go up below 128, where the float of the quotient is always the larger
/// neighbour, and down from 128 on, where it is the smaller one (2^23 times an odd number over 255: which half of 255 the remainder lies in
/// depends on the power of two alone; all 255 halves are tested).
///
/// Everything is kept minus its middle, so that 16 bits with a sign hold it: codes - 128, top and bottom - 2^15, sum - 2^23; the sign of
/// the last says which way halves go.
#include <cstring>

#include "hw/fast/stretch/columns_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using stretch::Piece;
using stretch::Plan;

constexpr int32_t kGroup = 16;  ///< columns that are drawn together
constexpr int32_t kGroups = kColumns / kGroup;
constexpr int32_t kFilteredBytes = kGroup * 8;  ///< four words a column

PUMICE_INLINE uint32_t group_mask(uint64_t covered, int32_t group) { return static_cast<uint32_t>(covered >> (kGroup * group)) & 0xFFFF; }

// ---- Texels of a group -----------------------------------------------------------------------------------------------------------

/// The columns of a group and how their texels are loaded.
struct alignas(64) Columns {
  Places at;
  alignas(64) uint32_t weights[kColumns];  ///< bytes: 256 - weight, weight, twice; 255 and 1 for 256 and 0
  int32_t origin[kGroups];
  bool near[kGroups];      ///< AVX-512: texels of the image from `origin` on, which two registers hold
  bool straight[kGroups];  ///< texels side by side, in the image
  uint32_t room[kGroups];  ///< AVX-512: bit i: texel origin + i is looked at, or lies between two that are
};

PUMICE_INLINE void prepare_group(Columns& c, int32_t g, bool linear) {
  const int32_t *a = c.at.first + kGroup * g, *b = linear ? c.at.second + kGroup * g : a;
  int32_t low = a[0], high = a[0];
  bool straight = true;
  for (int32_t i = 0; i < kGroup; ++i) {
    low = a[i] < low ? a[i] : low;
    low = b[i] < low ? b[i] : low;
    high = a[i] > high ? a[i] : high;
    high = b[i] > high ? b[i] : high;
    straight &= a[i] == a[0] + i;
  }
  const int32_t span = high - low;
  c.origin[g] = low;
  c.straight[g] = straight && low >= 0;
  c.near[g] = low >= 0 && span < 32;
  c.room[g] = c.near[g] ? 0xFFFFFFFFu >> (31 - span) : 0;
}

PUMICE_INLINE U16 texels_anywhere(const tx::Unit& u, const char* row, const int32_t* column) {
  alignas(64) uint32_t v[kGroup];
  for (int32_t i = 0; i < kGroup; ++i) v[i] = texel_in(u, row, column[i]);
  return load_unaligned<U16>(v);
}

/// The texels at c.at.first, and those at c.at.second when `kLinear`.
template <bool kLinear>
PUMICE_INLINE void load_group(const tx::Unit& u, const Columns& c, const char* row, int32_t g, U16& first, U16& second) {
  const int32_t *a = c.at.first + kGroup * g, *b = c.at.second + kGroup * g;
#if PUMICE_SIMD_BYTES == 64
  if (c.near[g] && row) [[likely]] {
    const char* p = row + 4 * c.origin[g];
    const uint32_t room = c.room[g];
    const __m512i low = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(room), p),
                  high = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(room >> 16), p + 64), from = _mm512_set1_epi32(c.origin[g]);
    first.part[0] = (native::U)_mm512_permutex2var_epi32(low, _mm512_sub_epi32(_mm512_load_si512(a), from), high);
    if constexpr (kLinear) second.part[0] = (native::U)_mm512_permutex2var_epi32(low, _mm512_sub_epi32(_mm512_load_si512(b), from), high);
    return;
  }
#else
  if (!kLinear && c.straight[g] && row) {
    first = load_unaligned<U16>(row + 4 * a[0]);
    return;
  }
#if defined(__AVX2__)
  if (c.origin[g] >= 0 && row) {
    first = gather_dwords(row, as_uint(load_unaligned<I16>(a)) << 2);
    if constexpr (kLinear) second = gather_dwords(row, as_uint(load_unaligned<I16>(b)) << 2);
    return;
  }
#endif
#endif
  first = texels_anywhere(u, row, a);
  if constexpr (kLinear) second = texels_anywhere(u, row, b);
}

// ---- Pixels of a group -----------------------------------------------------------------------------------------------------------

/// The bytes of the filtered texels, in the order that the target stores, to the pixels of `mask`.
PUMICE_INLINE void store_group(const Plan& plan, std::byte* to, uint32_t mask, U16 texels) {
  if (plan.swizzled) {
#if defined(__AVX2__)
    const uint32_t order = load_unaligned<uint32_t>(plan.order);
    const U4 bytes = {order, order + 0x04040404u, order + 0x08080808u, order + 0x0C0C0C0Cu};
#if PUMICE_SIMD_BYTES == 64
    texels.part[0] = (native::U)_mm512_shuffle_epi8((__m512i)texels.part[0], _mm512_broadcast_i32x4((__m128i)bytes));
#else
    for (auto& part : texels.part) part = (native::U)_mm256_shuffle_epi8((__m256i)part, _mm256_broadcastsi128_si256((__m128i)bytes));
#endif
#else
    const auto byte = [&](int i) __attribute__((always_inline)) { return (texels >> (8 * plan.order[i]) & 255u) << (8 * i); };
    texels = byte(0) | byte(1) | byte(2) | byte(3);
#endif
  }
  texels = (texels & plan.keep) | plan.set;
  if (mask == 0xFFFF) return store_unaligned(to, texels);
#if PUMICE_SIMD_BYTES == 64
  _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(mask), (__m512i)texels.part[0]);
#else
  alignas(64) uint32_t pixels[kGroup];
  store_unaligned(pixels, texels);
  for (; mask; mask &= mask - 1) {
    const int i = __builtin_ctz(mask);
    std::memcpy(to + 4 * i, pixels + i, 4);
  }
#endif
}

// ---- Linear filter ---------------------------------------------------------------------------------------------------------------

/// A group filtered along its row, minus 2^15: words in any order that mix_group() knows.
PUMICE_INLINE void filter_group(const tx::Unit& u, const Columns& c, const char* row, int32_t g, int16_t* out) {
  U16 first, second;
  load_group<true>(u, c, row, g, first, second);
#if PUMICE_SIMD_BYTES == 64
  const auto a = (__m512i)(first ^ 0x80808080u).part[0], b = (__m512i)(second ^ 0x80808080u).part[0];
  const __m512i w = _mm512_load_si512(c.weights + kGroup * g);
  _mm512_store_si512(out, _mm512_maddubs_epi16(_mm512_unpacklo_epi32(w, w), _mm512_unpacklo_epi8(a, b)));
  _mm512_store_si512(out + 32, _mm512_maddubs_epi16(_mm512_unpackhi_epi32(w, w), _mm512_unpackhi_epi8(a, b)));
#elif PUMICE_SIMD_BYTES == 32
  for (int k = 0; k < 2; ++k) {
    const auto a = (__m256i)(first ^ 0x80808080u).part[k], b = (__m256i)(second ^ 0x80808080u).part[k];
    const auto w = load_unaligned<__m256i>(c.weights + kGroup * g + 8 * k);
    store_unaligned(out + 32 * k, _mm256_maddubs_epi16(_mm256_unpacklo_epi32(w, w), _mm256_unpacklo_epi8(a, b)));
    store_unaligned(out + 32 * k + 16, _mm256_maddubs_epi16(_mm256_unpackhi_epi32(w, w), _mm256_unpackhi_epi8(a, b)));
  }
#else
  alignas(64) uint8_t a[4 * kGroup], b[4 * kGroup];
  alignas(64) uint16_t w0[4 * kGroup], w1[4 * kGroup];
  store_unaligned(a, first), store_unaligned(b, second);
  for (int32_t i = 0; i < 4 * kGroup; ++i) {
    const uint32_t w = c.weights[kGroup * g + i / 4];
    w0[i] = w & 255, w1[i] = w >> 8 & 255;
  }
  for (int32_t i = 0; i < 4 * kGroup; ++i)
    out[i] =
        static_cast<int16_t>(static_cast<uint16_t>(static_cast<uint16_t>(a[i] * w0[i]) + static_cast<uint16_t>(b[i] * w1[i]) + 0x8000));
#endif
}

#if PUMICE_SIMD_BYTES > 16
/// sum - 2^23 of words side by side to the code - 128.
PUMICE_INLINE native::I code_of(native::I sum) {
  sum += 0x7FFF;
  return (sum - (sum >> 31)) >> 16;
}
#endif

/// Between two filtered rows. weight: of the bottom one.
PUMICE_INLINE U16 mix_group(const int16_t* top, const int16_t* bottom, int32_t weight) {
  U16 out;
#if PUMICE_SIMD_BYTES == 64
  const __m512i w = _mm512_set1_epi32((256 - weight) | weight << 16);
  const auto words = [&](int k) __attribute__((always_inline)) {
    const __m512i a = _mm512_load_si512(top + 32 * k), b = _mm512_load_si512(bottom + 32 * k);
    return _mm512_packs_epi32((__m512i)code_of((native::I)_mm512_madd_epi16(_mm512_unpacklo_epi16(a, b), w)),
                              (__m512i)code_of((native::I)_mm512_madd_epi16(_mm512_unpackhi_epi16(a, b), w)));
  };
  out.part[0] = (native::U)_mm512_packs_epi16(words(0), words(1));
#elif PUMICE_SIMD_BYTES == 32
  const __m256i w = _mm256_set1_epi32((256 - weight) | weight << 16);
  const auto words = [&](int k) __attribute__((always_inline)) {
    const auto a = load_unaligned<__m256i>(top + 16 * k), b = load_unaligned<__m256i>(bottom + 16 * k);
    return _mm256_packs_epi32((__m256i)code_of((native::I)_mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), w)),
                              (__m256i)code_of((native::I)_mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), w)));
  };
  out.part[0] = (native::U)_mm256_packs_epi16(words(0), words(1));
  out.part[1] = (native::U)_mm256_packs_epi16(words(2), words(3));
#else
  alignas(64) uint8_t codes[4 * kGroup];
  const auto w0 = static_cast<int16_t>(256 - weight), w1 = static_cast<int16_t>(weight);
  for (int32_t i = 0; i < 4 * kGroup; ++i) {
    int32_t sum = top[i] * w0 + bottom[i] * w1 + 0x7FFF;
    sum = (sum - (sum >> 31)) >> 16;
    codes[i] = static_cast<uint8_t>(sum);
  }
  out = load_unaligned<U16>(codes);
#endif
  return out ^ 0x80808080u;
}

// ---- Pieces ----------------------------------------------------------------------------------------------------------------------

struct Groups {
  int32_t first, end;
};
PUMICE_INLINE Groups groups_of(const Piece& piece) {
  uint64_t any = 0;
  for (int32_t y = 0; y < piece.rows; ++y) any |= piece.covered[y];
  if (any == 0) return {0, 0};
  return {__builtin_ctzll(any) / kGroup, (63 - __builtin_clzll(any)) / kGroup + 1};
}
PUMICE_INLINE std::byte* pixels_at(const Plan& plan, const Piece& piece, int32_t y) {
  return plan.target + static_cast<uint64_t>(piece.y + y) * plan.pitch + static_cast<uint64_t>(piece.x) * 4;
}

void draw_points(const Plan& plan, const Piece& piece) {
  const tx::Unit& u = *plan.unit;
  const Groups groups = groups_of(piece);
  Columns columns;
  Places rows;
  find_places<false>(plan, 0, piece.s, piece.columns, columns.at);
  find_places<false>(plan, 1, piece.t, piece.rows, rows);
  for (int32_t g = groups.first; g < groups.end; ++g) prepare_group(columns, g, false);
  for (int32_t y = 0; y < piece.rows; ++y) {
    const char* row = image_row(u, rows.first[y]);
    std::byte* to = pixels_at(plan, piece, y);
    for (int32_t g = groups.first; g < groups.end; ++g) {
      const uint32_t mask = group_mask(piece.covered[y], g);
      if (!mask) continue;
      U16 texels, unused;
      load_group<false>(u, columns, row, g, texels, unused);
      store_group(plan, to + 4 * kGroup * g, mask, texels);
    }
  }
}

void draw_linear(const Plan& plan, const Piece& piece) {
  const tx::Unit& u = *plan.unit;
  const Groups groups = groups_of(piece);
  Columns columns;
  Places rows;
  find_places<true>(plan, 0, piece.s, piece.columns, columns.at);
  find_places<true>(plan, 1, piece.t, piece.rows, rows);
  for (int32_t g = groups.first; g < groups.end; ++g) prepare_group(columns, g, true);
  for (int32_t i = kGroup * groups.first; i < kGroup * groups.end; ++i) {
    const auto w = static_cast<uint32_t>(columns.at.weight[i]);
    columns.weights[i] = w ? (256 - w) * 0x00010001u | w * 0x01000100u : 0x01FF01FFu;
  }
  // The last two rows of the image that were filtered: rows of the picture often share one or both.
  alignas(64) int16_t filtered[2][kColumns * 4];
  constexpr int32_t kNothing = kBorder - 1;
  int32_t held[2] = {kNothing, kNothing};
  const auto filter = [&](int slot, int32_t row) {
    held[slot] = row;
    const char* from = image_row(u, row);
    for (int32_t g = groups.first; g < groups.end; ++g) filter_group(u, columns, from, g, filtered[slot] + kFilteredBytes / 2 * g);
  };
  for (int32_t y = 0; y < piece.rows; ++y) {
    if (!piece.covered[y]) continue;
    const int32_t first = rows.first[y], second = rows.second[y];
    int top = held[0] == first ? 0 : held[1] == first ? 1 : -1;
    if (top < 0) filter(top = held[0] == second ? 1 : 0, first);
    const int bottom = first == second ? top : 1 - top;
    if (held[bottom] != second) filter(bottom, second);
    std::byte* to = pixels_at(plan, piece, y);
    for (int32_t g = groups.first; g < groups.end; ++g)
      if (const uint32_t mask = group_mask(piece.covered[y], g))
        store_group(plan, to + 4 * kGroup * g, mask,
                    mix_group(filtered[top] + kFilteredBytes / 2 * g, filtered[bottom] + kFilteredBytes / 2 * g, rows.weight[y]));
  }
}

}  // namespace

void draw_stretched(const stretch::Plan& plan, const stretch::Piece& piece);
void draw_stretched(const stretch::Plan& plan, const stretch::Piece& piece) {
  plan.linear ? draw_linear(plan, piece) : draw_points(plan, piece);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
