// SPDX-License-Identifier: MIT
/// Row routines of resolve_rows.h, 64 bytes at a time.
#include <cstring>

#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/blit/resolve_rows.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

constexpr uint64_t kBytes = 64;

/// Bytes of a chunk, the even ones and the odd ones as 16 bits each.
PUMICE_INLINE void add(const std::byte* from, U16& even, U16& odd) {
  const U16 v = load_unaligned<U16>(from);
  even += v & U16(0x00FF00FFu), odd += v >> 8 & U16(0x00FF00FFu);
}

template <uint32_t kLog2>
PUMICE_INLINE void mean(const std::byte* from, uint64_t pitch, std::byte* to) {
  constexpr uint32_t kHalf = 1u << kLog2 >> 1;
  U16 even = U16(kHalf * 0x00010001u), odd = even;
  for (uint32_t s = 0; s < 1u << kLog2; ++s) add(from + s * pitch, even, odd);
  // What a shift takes out of the upper 16 bits into the lower ones is masked off.
  even = even >> static_cast<int>(kLog2) & U16(0x00FF00FFu), odd = odd >> static_cast<int>(kLog2) & U16(0x00FF00FFu);
  store_unaligned(reinterpret_cast<uint32_t*>(to), even | odd << 8);
}

template <uint32_t kLog2>
PUMICE_INLINE bool same(const std::byte* from, uint64_t pitch, std::byte* to) {
  const U16 first = load_unaligned<U16>(from);
  U16 differ = U16(0u);
  for (uint32_t s = 1; s < 1u << kLog2; ++s) differ |= first ^ load_unaligned<U16>(from + s * pitch);
  if (!all(eq(differ, U16(0u)))) return false;
  store_unaligned(reinterpret_cast<uint32_t*>(to), first);
  return true;
}

template <uint32_t kLog2, bool kByBytes>
PUMICE_INLINE void chunk(const ResolveRows& r, const std::byte* from, uint64_t pitch, std::byte* to, uint64_t bytes) {
  if constexpr (kByBytes)
    mean<kLog2>(from, pitch, to);
  else if (!same<kLog2>(from, pitch, to))
    r.mixed(r, from, to, bytes);
}

template <uint32_t kLog2, bool kByBytes>
void run(const ResolveRows& r) {
  constexpr uint32_t kSamples = 1u << kLog2;
  for (uint64_t y = 0; y < r.rows; ++y) {
    const std::byte* const from = r.from + y * kSamples * r.from_pitch;
    std::byte* const to = r.to + y * r.pitch;
    uint64_t x = 0;
    for (; x + kBytes <= r.bytes; x += kBytes) chunk<kLog2, kByBytes>(r, from + x, r.from_pitch, to + x, kBytes);
    if (const uint64_t rest = r.bytes - x; rest) {
      if constexpr (!kByBytes) {
        r.mixed(r, from + x, to + x, rest);
      } else {
        alignas(64) std::byte in[kSamples * kBytes] = {}, out[kBytes];
        for (uint32_t s = 0; s < kSamples; ++s) std::memcpy(in + s * kBytes, from + s * r.from_pitch + x, rest);
        mean<kLog2>(in, kBytes, out);
        std::memcpy(to + x, out, rest);
      }
    }
  }
}

}  // namespace

void resolve_rows(const ResolveRows& rows);
void resolve_rows(const ResolveRows& rows) {
  switch (rows.samples_log2) {
    case 1: return rows.by_bytes ? run<1, true>(rows) : run<1, false>(rows);
    case 2: return rows.by_bytes ? run<2, true>(rows) : run<2, false>(rows);
    default: return rows.by_bytes ? run<3, true>(rows) : run<3, false>(rows);
  }
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
