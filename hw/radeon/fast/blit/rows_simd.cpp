// SPDX-License-Identifier: MIT
/// Row routines of axis-aligned textured rectangles (stretch.h).
///
/// The linear filter of codes (hw/radeon/ref/tx/README.md) is an integer: sum = (256 - v) * top + v * bottom with top and bottom being
/// (256 - u) * left + u * right. The blocks divide it by 65536 * 255, round to a float, multiply by 255 and round to the nearest code. In
/// integers that is the nearest of sum / 65536; halves go up below 128, where the float of the quotient is always the larger
/// neighbour, and down from 128 on, where it is the smaller one (2^23 times an odd number over 255: which half of 255 the remainder lies in
/// depends on the power of two only; all 255 halves are tested).
///
/// Extended draws multiply the sum by the float nearest to 1/255, which is larger than that, and the code is nearest to the exact product
/// with 255 (hw/radeon/ref/xt, hw/radeon/decode/xt/texel.cpp): all halves go up, and nothing else does (all sums were compared).
///
/// All values are biased to be signed, so that 16 bits hold them: codes - 128, top and bottom - 2^15, sum - 2^23; the sign of the last one
/// gives the direction in which halves are rounded.
#include <cstring>
#include <type_traits>

#include "hw/radeon/fast/blit/columns_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using stretch::Piece;
using stretch::Plan;

constexpr int32_t kGroup = 16;  ///< columns that are processed together
constexpr int32_t kGroups = kColumns / kGroup;

PUMICE_INLINE uint32_t group_mask(uint64_t covered, int32_t group) { return static_cast<uint32_t>(covered >> (kGroup * group)) & 0xFFFF; }

// ---- Texels of a group -----------------------------------------------------------------------------------------------------------

/// How the texels of a group are loaded.
enum class Load : uint8_t {
  anywhere,  ///< one by one
  one,
  two,    ///< AVX-512: one or two registers from `origin` on, all in the image
  part,   ///< AVX-512: two registers, masked, from an image that is narrower
  pairs,  ///< AVX2: eight bytes per column
};

struct alignas(64) Columns {
  Places at;
  alignas(64) uint32_t weights[2 * kColumns];  ///< bytes: 256 - weight, weight, four times; 255 and 1 for 256 and 0
#if PUMICE_SIMD_BYTES == 64
  alignas(64) int32_t first[kColumns], second[kColumns];  ///< from `origin` on
  int32_t origin[kGroups];
  uint32_t room[kGroups];  ///< Load::part: bit i: texel origin + i is read, or lies between two that are
#endif
#if PUMICE_SIMD_BYTES == 32
  int32_t pair[kColumns];                    ///< both texels are in the eight bytes that begin here
  alignas(64) uint32_t bytes[2 * kColumns];  ///< permutation of the loaded bytes into the order of the weights
#endif
  Load load[kGroups];
  bool inside[kGroups];    ///< no column reads the border
  bool straight[kGroups];  ///< consecutive texels, all inside the image
};

/// Values by column, two dwords each, in the order in which filter_group() processes columns.
PUMICE_INLINE void store_by_column(uint32_t* out, U16 first, U16 second) {
#if PUMICE_SIMD_BYTES == 16
  alignas(64) uint32_t a[kGroup], b[kGroup];
  store_unaligned(a, first), store_unaligned(b, second);
  for (int32_t i = 0; i < kGroup; ++i) out[2 * i] = a[i], out[2 * i + 1] = b[i];
#else
  const U16 low = unpack_low(first, second), high = unpack_high(first, second);
  constexpr int kStep = PUMICE_SIMD_BYTES / 4;
  for (int k = 0; k < kParts; ++k) {
    store_unaligned(out + 2 * kStep * k, low.part[k]);
    store_unaligned(out + 2 * kStep * k + kStep, high.part[k]);
  }
#endif
}

PUMICE_INLINE void prepare_group(Columns& c, int32_t g, [[maybe_unused]] int32_t last, bool linear) {
  const int32_t *a = c.at.first + kGroup * g, *b = linear ? c.at.second + kGroup * g : a;
  int32_t low = a[0], high = a[0];
  bool straight = true;
  for (int32_t i = 0; i < kGroup; ++i) {
    const int32_t least = a[i] < b[i] ? a[i] : b[i], most = a[i] > b[i] ? a[i] : b[i];
    low = least < low ? least : low;
    high = most > high ? most : high;
    straight &= a[i] == a[0] + i;
  }
  c.inside[g] = low >= 0;
  c.straight[g] = straight && low >= 0;
  [[maybe_unused]] const I16 first = load_unaligned<I16>(a), second = load_unaligned<I16>(b);
  c.load[g] = Load::anywhere;
#if PUMICE_SIMD_BYTES == 64
  const int32_t span = high - low;
  if (low >= 0 && span < 32) {
    c.load[g] = last < 31 ? Load::part : span < 16 ? Load::one : Load::two;
    // Not past the end of the row.
    const int32_t most = c.load[g] == Load::part ? low : last - (c.load[g] == Load::one ? 15 : 31);
    low = low < most ? low : most;
    c.room[g] = 0xFFFFFFFFu >> (31 - (high - low));
  }
  c.origin[g] = low;
  const I16 x = first - low, y = second - low;
  store_unaligned(c.first + kGroup * g, x);
  store_unaligned(c.second + kGroup * g, y);
#endif
  if (!linear) return;
  const U16 w = as_uint(load_unaligned<I16>(c.at.weight + kGroup * g));
  const U16 weights = select(eq(w, splat(0u)), splat(0x01FF01FFu), (splat(256u) - w) * splat(0x00010001u) | w * splat(0x01000100u));
  store_by_column(c.weights + 2 * kGroup * g, weights, weights);
#if PUMICE_SIMD_BYTES == 32
  const I16 pair = min(min(first, second), splat(last - 1)), x = first - pair, y = second - pair;
  if (low >= 0 && last > 0 && !any(lt(splat(1), x) | lt(splat(1), y))) c.load[g] = Load::pairs;
  store_unaligned(c.pair + kGroup * g, pair);
  // Bytes a0 b0 a1 b1 | a2 b2 a3 b3 of eight, or the second eight for columns with an odd number.
  constexpr I16 kOdd = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  const U16 from = as_uint((x << 2) | (y << 10)) * splat(0x00010001u) + as_uint(kOdd) * splat(0x08080808u) + splat(0x01010000u);
  store_by_column(c.bytes + 2 * kGroup * g, from, from + splat(0x02020202u));
#endif
}

PUMICE_INLINE U16 texels_anywhere(const tx::Unit& u, const char* row, const int32_t* column) {
  alignas(64) uint32_t v[kGroup];
  for (int32_t i = 0; i < kGroup; ++i) v[i] = texel_in(u, row, column[i]);
  return load_unaligned<U16>(v);
}

#if PUMICE_SIMD_BYTES == 64
/// Texels from `origin` on. With `one` the second register is not used.
PUMICE_INLINE void load_window(const Columns& c, Load load, const char* row, int64_t ahead, int32_t g, __m512i (&out)[2]) {
  const char* p = row + 4 * static_cast<int64_t>(c.origin[g]);
  if (load == Load::part) {
    out[0] = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(c.room[g]), p);
    out[1] = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(c.room[g] >> 16), p + 64);
    return;
  }
  // Prefetch the next rows: the stride is too large for the hardware prefetcher.
  __builtin_prefetch(p + ahead), __builtin_prefetch(p + ahead + 64);
  // Masked loads would wait for earlier stores to addresses with the same low bits, which source and target of equal width have.
  out[0] = out[1] = _mm512_loadu_si512(p);
  if (load == Load::two) out[1] = _mm512_loadu_si512(p + 64);
}
PUMICE_INLINE __m512i from_window(const __m512i (&window)[2], const int32_t* index) {
  return _mm512_permutex2var_epi32(window[0], _mm512_load_si512(index), window[1]);
}
#endif

PUMICE_INLINE U16 load_points(const tx::Unit& u, const Columns& c, const char* row, int32_t g) {
  if (c.straight[g] && row) return load_unaligned<U16>(row + 4 * c.at.first[kGroup * g]);
#if PUMICE_SIMD_BYTES == 64
  if (c.load[g] != Load::anywhere && row) {
    __m512i window[2];
    load_window(c, c.load[g], row, 2 * static_cast<int64_t>(u.level.pitch[u.finest]), g, window);
    U16 out;
    out.part[0] = (native::U)from_window(window, c.first + kGroup * g);
    return out;
  }
#endif
#if PUMICE_SIMD_BYTES == 32
  if (c.inside[g] && row) return gather_dwords(row, as_uint(load_unaligned<I16>(c.at.first + kGroup * g)) << 2);
#endif
  return texels_anywhere(u, row, c.at.first + kGroup * g);
}

// ---- Pixels of a group -----------------------------------------------------------------------------------------------------------

#if PUMICE_SIMD_BYTES > 16
/// Whole lines, past the caches: lines that are about to be overwritten are not fetched.
PUMICE_INLINE void store_past(std::byte* to, const U16& texels) {
#if PUMICE_SIMD_BYTES == 64
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)texels.part[0]);
#else
  for (int k = 0; k < 2; ++k) _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + k, (__m256i)texels.part[k]);
#endif
}
#endif

enum class Store : uint8_t {
  any,
  texels,  ///< unchanged
  plain,   ///< likewise, and not past the caches
};

/// The bytes of the filtered texels, in the order that the target stores, to the pixels of `mask`.
template <Store kStore>
PUMICE_INLINE void store_group(const Plan& plan, std::byte* to, uint32_t mask, U16 texels) {
  if (kStore == Store::any && plan.swizzled) {
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
  if (kStore == Store::any) texels = (texels & plan.keep) | plan.set;
  if (mask == 0xFFFF) {
#if PUMICE_SIMD_BYTES > 16
    if (kStore != Store::plain && plan.passes && reinterpret_cast<uintptr_t>(to) % sizeof texels == 0) return store_past(to, texels);
#endif
    return store_unaligned(to, texels);
  }
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

/// A group filtered along its row, minus 2^15: four words per column, in the order that mix_group() expects.
struct alignas(64) Words {
#if PUMICE_SIMD_BYTES == 64
  __m512i part[2];
#elif PUMICE_SIMD_BYTES == 32
  __m256i part[4];
#else
  int16_t part[4 * kGroup];
#endif
};

/// kLoad: the load method of all groups, or `anywhere` if they differ or a row may be the border (null).
template <Load kLoad>
PUMICE_INLINE Words filter_group(const tx::Unit& u, const Columns& c, const char* row, int32_t g) {
  Words out;
  [[maybe_unused]] const Load load = kLoad != Load::anywhere ? kLoad : row ? c.load[g] : Load::anywhere;
  [[maybe_unused]] const uint32_t* w = c.weights + 2 * kGroup * g;
#if PUMICE_SIMD_BYTES == 64
  __m512i a, b;
  if (load != Load::anywhere) [[likely]] {
    __m512i window[2];
    load_window(c, load, row, 2 * static_cast<int64_t>(u.level.pitch[u.finest]), g, window);
    a = from_window(window, c.first + kGroup * g), b = from_window(window, c.second + kGroup * g);
  } else {
    a = (__m512i)texels_anywhere(u, row, c.at.first + kGroup * g).part[0];
    b = (__m512i)texels_anywhere(u, row, c.at.second + kGroup * g).part[0];
  }
  const __m512i middle = _mm512_set1_epi8(-128);
  a = _mm512_xor_si512(a, middle), b = _mm512_xor_si512(b, middle);
  out.part[0] = _mm512_maddubs_epi16(_mm512_load_si512(w), _mm512_unpacklo_epi8(a, b));
  out.part[1] = _mm512_maddubs_epi16(_mm512_load_si512(w + kGroup), _mm512_unpackhi_epi8(a, b));
#elif PUMICE_SIMD_BYTES == 32
  const __m256i middle = _mm256_set1_epi8(-128);
  const auto products = [&](int k, __m256i bytes) __attribute__((always_inline)) {
    out.part[k] = _mm256_maddubs_epi16(load_unaligned<__m256i>(w + 8 * k), _mm256_xor_si256(bytes, middle));
  };
  if (load == Load::pairs) [[likely]] {
    const int32_t* pair = c.pair + kGroup * g;
    const auto two = [&](int i) __attribute__((always_inline)) {
      const __m128i even = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + 4 * static_cast<int64_t>(pair[i])));
      return _mm_castpd_si128(
          _mm_loadh_pd(_mm_castsi128_pd(even), reinterpret_cast<const double*>(row + 4 * static_cast<int64_t>(pair[i + 1]))));
    };
    for (int k = 0; k < 4; ++k) {
      const int i = 8 * (k / 2) + 2 * (k % 2);
      const __m256i four = _mm256_inserti128_si256(_mm256_castsi128_si256(two(i)), two(i + 4), 1);
      products(k, _mm256_shuffle_epi8(four, load_unaligned<__m256i>(c.bytes + 2 * kGroup * g + 8 * k)));
    }
    return out;
  }
  const U16 first = texels_anywhere(u, row, c.at.first + kGroup * g), second = texels_anywhere(u, row, c.at.second + kGroup * g);
  for (int k = 0; k < 2; ++k) {
    products(2 * k, _mm256_unpacklo_epi8((__m256i)first.part[k], (__m256i)second.part[k]));
    products(2 * k + 1, _mm256_unpackhi_epi8((__m256i)first.part[k], (__m256i)second.part[k]));
  }
#else
  alignas(64) uint8_t a[4 * kGroup], b[4 * kGroup], weights[8 * kGroup];
  store_unaligned(a, texels_anywhere(u, row, c.at.first + kGroup * g));
  store_unaligned(b, texels_anywhere(u, row, c.at.second + kGroup * g));
  std::memcpy(weights, w, sizeof weights);
  for (int32_t i = 0; i < 4 * kGroup; ++i)
    out.part[i] = static_cast<int16_t>(static_cast<uint16_t>(a[i] * weights[2 * i] + b[i] * weights[2 * i + 1] + 0x8000));
#endif
  return out;
}

#if PUMICE_SIMD_BYTES > 16
/// Converts sum - 2^23 of adjacent words to code - 128. `up`: Plan::halves_up.
PUMICE_INLINE native::I code_of(native::I sum, int32_t up) { return (sum + 0x7FFF + ((native::I)((native::U)sum >> 31) | up)) >> 16; }
#endif

/// Interpolates between two filtered rows. weight: of the bottom one.
PUMICE_INLINE U16 mix_group(const Words& top, const Words& bottom, int32_t weight, int32_t up) {
  U16 out;
#if PUMICE_SIMD_BYTES == 64
  const __m512i w = _mm512_set1_epi32((256 - weight) | weight << 16);
  const auto words = [&](int k) __attribute__((always_inline)) {
    const __m512i a = top.part[k], b = bottom.part[k];
    return _mm512_packs_epi32((__m512i)code_of((native::I)_mm512_madd_epi16(_mm512_unpacklo_epi16(a, b), w), up),
                              (__m512i)code_of((native::I)_mm512_madd_epi16(_mm512_unpackhi_epi16(a, b), w), up));
  };
  out.part[0] = (native::U)_mm512_packs_epi16(words(0), words(1));
#elif PUMICE_SIMD_BYTES == 32
  const __m256i w = _mm256_set1_epi32((256 - weight) | weight << 16);
  const auto words = [&](int k) __attribute__((always_inline)) {
    const __m256i a = top.part[k], b = bottom.part[k];
    return _mm256_packs_epi32((__m256i)code_of((native::I)_mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), w), up),
                              (__m256i)code_of((native::I)_mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), w), up));
  };
  out.part[0] = (native::U)_mm256_packs_epi16(words(0), words(1));
  out.part[1] = (native::U)_mm256_packs_epi16(words(2), words(3));
#else
  alignas(64) uint8_t codes[4 * kGroup];
  const auto w0 = static_cast<int16_t>(256 - weight), w1 = static_cast<int16_t>(weight);
  for (int32_t i = 0; i < 4 * kGroup; ++i) {
    const int32_t sum = top.part[i] * w0 + bottom.part[i] * w1;
    codes[i] = static_cast<uint8_t>((sum + 0x7FFF + (sum < 0 ? 1 : up)) >> 16);
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
  for (int32_t g = groups.first; g < groups.end; ++g) prepare_group(columns, g, u.level.last[0][u.finest], false);
  for (int32_t y = 0; y < piece.rows; ++y) {
    const char* row = image_row(u, rows.first[y]);
    std::byte* to = pixels_at(plan, piece, y);
    for (int32_t g = groups.first; g < groups.end; ++g) {
      const uint32_t mask = group_mask(piece.covered[y], g);
      if (!mask) continue;
      store_group<Store::any>(plan, to + 4 * kGroup * g, mask, load_points(u, columns, row, g));
    }
  }
}

template <Load kLoad, Store kStore>
void draw_filtered(const Plan& plan, const Piece& piece, const Columns& columns, const Places& rows, const Groups& groups) {
  const tx::Unit& u = *plan.unit;
  // The last two image rows that were filtered: consecutive rows of the rectangle often share one or both.
  Words filtered[2][kGroups];
  constexpr int32_t kNothing = kBorder - 1;
  int32_t held[2] = {kNothing, kNothing};
  const auto filter = [&](int slot, int32_t row) {
    held[slot] = row;
    const char* from = image_row(u, row);
    for (int32_t g = groups.first; g < groups.end; ++g) filtered[slot][g] = filter_group<kLoad>(u, columns, from, g);
  };
  for (int32_t y = 0; y < piece.rows; ++y) {
    if (!piece.covered[y]) continue;
    const int32_t first = rows.first[y], second = rows.second[y];
    std::byte* to = pixels_at(plan, piece, y);
    const auto store = [&](int32_t g, const Words& top, const Words& bottom) __attribute__((always_inline)) {
      if (const uint32_t mask = group_mask(piece.covered[y], g))
        store_group<kStore>(plan, to + 4 * kGroup * g, mask, mix_group(top, bottom, rows.weight[y], plan.halves_up));
    };
    int top = held[0] == first ? 0 : held[1] == first ? 1 : -1;
    if (top < 0 && held[0] != second && held[1] != second && first != second) {
      // Both are new: they stay in registers, and are saved if the next row uses one of them.
      const char *above = image_row(u, first), *below = image_row(u, second);
      const auto wanted = [&](int32_t row) { return rows.first[y + 1] == row || rows.second[y + 1] == row; };
      if (y + 1 < piece.rows && (wanted(first) || wanted(second))) {
        held[0] = first, held[1] = second;
        for (int32_t g = groups.first; g < groups.end; ++g)
          store(g, filtered[0][g] = filter_group<kLoad>(u, columns, above, g), filtered[1][g] = filter_group<kLoad>(u, columns, below, g));
      } else {
        for (int32_t g = groups.first; g < groups.end; ++g)
          store(g, filter_group<kLoad>(u, columns, above, g), filter_group<kLoad>(u, columns, below, g));
      }
      continue;
    }
    if (top < 0) filter(top = held[0] == second ? 1 : 0, first);
    const int bottom = first == second ? top : 1 - top;
    if (held[bottom] != second) filter(bottom, second);
    for (int32_t g = groups.first; g < groups.end; ++g) store(g, filtered[top][g], filtered[bottom][g]);
  }
}

void draw_linear(const Plan& plan, const Piece& piece) {
  const tx::Unit& u = *plan.unit;
  const Groups groups = groups_of(piece);
  Columns columns;
  Places rows;
  find_places<true>(plan, 0, piece.s, piece.columns, columns.at);
  find_places<true>(plan, 1, piece.t, piece.rows, rows);
  for (int32_t g = groups.first; g < groups.end; ++g) prepare_group(columns, g, u.level.last[0][u.finest], true);
  Load load = columns.load[groups.first];
  for (int32_t g = groups.first; g < groups.end; ++g)
    if (columns.load[g] != load) load = Load::anywhere;
  for (int32_t y = 0; y < piece.rows; ++y)
    if (rows.first[y] == kBorder || rows.second[y] == kBorder) load = Load::anywhere;
  const bool unchanged = !plan.swizzled && plan.keep == 0xFFFFFFFFu && plan.set == 0;
  const auto draw = [&](auto how) {
    constexpr Load kLoad = decltype(how)::value;
    const auto routine = !unchanged    ? draw_filtered<kLoad, Store::any>
                         : plan.passes ? draw_filtered<kLoad, Store::texels>
                                       : draw_filtered<kLoad, Store::plain>;
    routine(plan, piece, columns, rows, groups);
  };
  switch (load) {
#if PUMICE_SIMD_BYTES == 64
    case Load::one: return draw(std::integral_constant<Load, Load::one>{});
    case Load::two: return draw(std::integral_constant<Load, Load::two>{});
#elif PUMICE_SIMD_BYTES == 32
    case Load::pairs: return draw(std::integral_constant<Load, Load::pairs>{});
#endif
    default: return draw(std::integral_constant<Load, Load::anywhere>{});
  }
}

}  // namespace

void draw_stretched(const Plan& plan, const Piece& piece);
void draw_stretched(const Plan& plan, const Piece& piece) {
  plan.linear ? draw_linear(plan, piece) : draw_points(plan, piece);
#if PUMICE_SIMD_BYTES > 16
  if (plan.passes) _mm_sfence();  // such stores are in no order with what tells others that they are done
#endif
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
