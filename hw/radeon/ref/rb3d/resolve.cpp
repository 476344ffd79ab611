// SPDX-License-Identifier: MIT
/// See resolve.h.
#include "hw/radeon/ref/rb3d/resolve.h"

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/sc/samples.h"
#include "hw/radeon/decode/tx/format.h"

namespace pumice::hw::rb3d {
namespace {

uint32_t max_code(uint32_t width) { return width >= 32 ? 0xFFFFFFFFu : (1u << width) - 1; }

/// The nearest integer to sum/n, halves upwards.
int64_t nearest(int64_t sum, int64_t n) {
  const int64_t twice = 2 * sum + n, q = twice / (2 * n);
  return q * 2 * n > twice ? q - 1 : q;
}

/// Codes of one field.
uint32_t average_codes(const Field& f, bool gamma, const uint32_t* code, uint32_t n) {
  switch (f.kind) {
    case Kind::unorm: {
      if (gamma) {
        float sum = tx::srgb_to_linear(static_cast<uint8_t>(code[0]));
        for (uint32_t s = 1; s < n; ++s) sum += tx::srgb_to_linear(static_cast<uint8_t>(code[s]));
        return encode(f, gamma_encode(num::flush_denormal(sum * (1.0f / static_cast<float>(n)))), Dither::round, 0, 0);
      }
      uint32_t sum = 0;
      for (uint32_t s = 0; s < n; ++s) sum += code[s];
      return (sum + n / 2) / n;
    }
    case Kind::snorm: {
      const int32_t most = static_cast<int32_t>(max_code(f.width - 1));
      int64_t sum = 0;
      for (uint32_t s = 0; s < n; ++s) {
        const int32_t v = static_cast<int32_t>(code[s] << (32 - f.width)) >> (32 - f.width);
        sum += v < -most ? -most : v;
      }
      return static_cast<uint32_t>(nearest(sum, n)) & max_code(f.width);
    }
    default: {
      const auto value = [&](uint32_t s) {
        return f.kind == Kind::fp16 ? num::half_to_float(static_cast<uint16_t>(code[s])) : num::flush_denormal(num::from_bits(code[s]));
      };
      float sum = value(0);
      for (uint32_t s = 1; s < n; ++s) sum = num::flush_denormal(sum + value(s));
      return encode(f, num::canonical(sum * (1.0f / static_cast<float>(n))), Dither::round, 0, 0);
    }
  }
}

}  // namespace

PixelBits average(const Resolve& r, const PixelBits* sample) {
  PixelBits out{};
  for (uint32_t i = 0; i < r.format.field_count; ++i) {
    const Field& f = r.format.field[i];
    const uint32_t word = f.shift / 32, shift = f.shift % 32;
    uint32_t code[sc::Samples::kMost] = {};
    for (uint32_t s = 0; s < r.samples; ++s) code[s] = sample[s][word] >> shift & max_code(f.width);
    out[word] |= (r.first[i] ? code[0] : average_codes(f, r.gamma[i], code, r.samples)) << shift;
  }
  return out;
}

void resolve_quad(const Resolve& r, Memory& memory, int32_t x0, int32_t y0, uint8_t mask) {
  for (uint32_t i = 0; i < 4; ++i) {
    const int64_t x = int64_t(x0) + (i & 1), y = int64_t(y0) + (i >> 1);
    if (!(mask >> i & 1) || x < 0 || y < 0) continue;
    std::array<PixelBits, sc::Samples::kMost> sample{};
    const uint32_t code = r.mask.code(uint32_t(x), uint32_t(y));
    bool backed = true;
    if (code == ColorMask::kCleared) sample.fill(r.mask.clear);
    for (uint32_t s = 0; s < r.samples && code == ColorMask::kExpanded; ++s)
      backed &= r.from.sample(s, r.samples).read(memory, uint32_t(x), uint32_t(y), sample[s].data());
    if (code == ColorMask::kCompressed) {
      backed = r.from.sample(0, r.samples).read(memory, uint32_t(x), uint32_t(y), sample[0].data());
      sample.fill(PixelBits{sample[0]});
    }
    if (backed) r.to.write(memory, uint32_t(x), uint32_t(y), average(r, sample.data()).data());
  }
}

}  // namespace pumice::hw::rb3d
