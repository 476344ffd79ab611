// SPDX-License-Identifier: MIT
/// Rows of averaged samples, 64 bytes at a time: formats of unorm fields inside dwords, halves, sRGB bytes. The arithmetic is
/// that of hw/radeon/ref/rb3d/resolve.cpp.
///
/// Codes: (sum + n/2) / n. With n = 2 or 4 that is a shift, of two fields of 8 bits at once. Otherwise in float: sums are below 2^19, a
/// quotient that is not an integer is at least 1/6 below the next one, and a product with 1/n errs by less than 1/12.
#include <cstring>

#include "hw/radeon/fast/pixel/simd_convert.h"
#include "hw/radeon/fast/pixel/simd_gamma.h"
#include "hw/radeon/fast/pixel/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using output::Resolving;

constexpr size_t kBytes = 64;

/// Calls f(sample pointers' offset, whether all 64 bytes are present) for pieces of a row; the last piece goes through buffers.
template <class Average>
PUMICE_INLINE void row(const Resolving& r, const std::byte* from, uint64_t stride, std::byte* to, size_t count, Average average) {
  const uint32_t n = r.samples;
  size_t left = count * r.bytes;
  for (; left >= kBytes; left -= kBytes, from += kBytes, to += kBytes)
    store_unaligned(to, average([&](uint32_t s) __attribute__((always_inline)) { return load_unaligned<U16>(from + s * stride); }));
  if (!left) return;
  alignas(64) std::byte tail[sc::Samples::kMost][kBytes] = {};
  for (uint32_t s = 0; s < n; ++s) std::memcpy(tail[s], from + s * stride, left);
  alignas(64) std::byte out[kBytes];
  store_unaligned(out, average([&](uint32_t s) __attribute__((always_inline)) { return load_unaligned<U16>(tail[s]); }));
  std::memcpy(to, out, left);
}

/// Four bytes per dword; `kShift`: log2 of 2 or 4 samples.
template <int kShift>
void bytes_row(const Resolving& r, const std::byte* from, uint64_t stride, std::byte* to, size_t count) {
  row(
      r, from, stride, to, count, [](auto sample) __attribute__((always_inline)) {
        constexpr uint32_t kHalf = (1u << kShift) / 2 * 0x00010001u;
        U16 even = splat(kHalf), odd = splat(kHalf);
        for (uint32_t s = 0; s < 1u << kShift; ++s) {
          const U16 v = sample(s);
          even += v & 0x00FF00FFu;
          odd += v >> 8 & 0x00FF00FFu;
        }
        return (even >> kShift & 0x00FF00FFu) | (odd >> kShift & 0x00FF00FFu) << 8;
      });
}

/// Unorm fields of any width.
void fields_row(const Resolving& r, const std::byte* from, uint64_t stride, std::byte* to, size_t count) {
  const uint32_t n = r.samples;
  const float inverse = 1.0f / static_cast<float>(n);
  row(
      r, from, stride, to, count, [&](auto sample) __attribute__((always_inline)) {
        U16 v[sc::Samples::kMost];
        for (uint32_t s = 0; s < n; ++s) v[s] = sample(s);
        U16 out = splat(0u);
        for (uint32_t first = 0; first < 32; first += 8 * r.period)
          for (uint32_t i = 0; i < r.fields; ++i) {
            const int shift = static_cast<int>(first + r.shift[i]);
            const uint32_t most = (1u << r.width[i]) - 1;
            U16 sum = splat(n / 2);
            for (uint32_t s = 0; s < n; ++s) sum += v[s] >> shift & most;
            out = out | as_uint(truncate(to_float(as_int(sum)) * splat(inverse) + splat(1.0f / 12))) << shift;
          }
        return out;
      });
}

void halves_row(const Resolving& r, const std::byte* from, uint64_t stride, std::byte* to, size_t count) {
  const uint32_t n = r.samples;
  const float inverse = 1.0f / static_cast<float>(n);
  row(
      r, from, stride, to, count, [&](auto sample) __attribute__((always_inline)) {
        U16 v = sample(0);
        F16 low = half_to_float(v & 0xFFFFu), high = half_to_float(v >> 16);
        for (uint32_t s = 1; s < n; ++s) {
          v = sample(s);
          low += half_to_float(v & 0xFFFFu);
          high += half_to_float(v >> 16);
        }
        return float_to_half(low * splat(inverse)) | float_to_half(high * splat(inverse)) << 16;
      });
}

/// Four bytes per dword, colours by the sRGB curve.
void srgb_row(const Resolving& r, const std::byte* from, uint64_t stride, std::byte* to, size_t count) {
  const uint32_t n = r.samples;
  const float inverse = 1.0f / static_cast<float>(n);
  row(
      r, from, stride, to, count, [&](auto sample) __attribute__((always_inline)) {
        U16 v[sc::Samples::kMost];
        for (uint32_t s = 0; s < n; ++s) v[s] = sample(s);
        U16 out = splat(0u);
        for (int i = 0; i < 4; ++i) {
          const int shift = 8 * i;
          if (r.gamma[i]) {
            F16 sum = as_float(gather_dwords(r.srgb, (v[0] >> shift & 255u) << 2));
            for (uint32_t s = 1; s < n; ++s) sum += as_float(gather_dwords(r.srgb, (v[s] >> shift & 255u) << 2));
            out = out | round_code(gamma_encode(saturate(sum * splat(inverse))), 255.0f) << shift;
          } else {
            U16 sum = splat(n / 2);
            for (uint32_t s = 0; s < n; ++s) sum += v[s] >> shift & 255u;
            out = out | as_uint(truncate(to_float(as_int(sum)) * splat(inverse) + splat(1.0f / 12))) << shift;
          }
        }
        return out;
      });
}

}  // namespace

Resolving::Row resolve_row(const Resolving& r) {
  switch (r.kind) {
    case Resolving::Kind::half: return halves_row;
    case Resolving::Kind::srgb: return srgb_row;
    case Resolving::Kind::unorm: break;
    default: return nullptr;
  }
  bool bytes = r.period == 4 && r.fields == 4;
  for (uint32_t i = 0; i < r.fields; ++i) bytes &= r.width[i] == 8;
  if (bytes && r.samples == 2) return bytes_row<1>;
  if (bytes && r.samples == 4) return bytes_row<2>;
  return fields_row;
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
