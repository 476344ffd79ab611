// SPDX-License-Identifier: MIT
/// X_RESOLVE (docs/r5x.md s.9), pixel by pixel.
#include <cmath>
#include <cstring>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/numerics/srgb.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw {

namespace {

using Kind = ResolveInput::Kind;
constexpr uint16_t kHalfNan = 0x7E00;

/// Sample s of a pixel begins at from + s * step.
template <class T>
T component(const std::byte* from, uint64_t step, uint32_t s) {
  T out;
  std::memcpy(&out, from + s * step, sizeof out);
  return out;
}

uint8_t byte(const std::byte* from, uint64_t step, uint32_t samples_log2) {
  uint32_t sum = 1u << samples_log2 >> 1;
  for (uint32_t s = 0; s < 1u << samples_log2; ++s) sum += component<uint8_t>(from, step, s);
  return static_cast<uint8_t>(sum >> samples_log2);
}

template <class F>
float mean(uint32_t samples_log2, F of) {
  float sum = of(0);
  for (uint32_t s = 1; s < 1u << samples_log2; ++s) sum += of(s);
  return sum / static_cast<float>(1u << samples_log2);
}

uint8_t srgb(const std::byte* from, uint64_t step, uint32_t samples_log2) {
  const float v = mean(samples_log2, [&](uint32_t s) { return num::srgb::kDecoded[component<uint8_t>(from, step, s)]; });
  return static_cast<uint8_t>(std::nearbyint(num::srgb::encode(v * num::srgb::kScale)));
}

uint16_t half(const std::byte* from, uint64_t step, uint32_t samples_log2) {
  const float v = mean(samples_log2, [&](uint32_t s) { return num::half_to_float(component<uint16_t>(from, step, s)); });
  return std::isnan(v) ? kHalfNan : num::float_to_half(v);
}

bool samples_agree(const std::byte* from, uint64_t step, const ResolveInput& in) {
  for (uint32_t s = 1; s < in.samples(); ++s)
    if (std::memcmp(from, from + s * step, in.pixel_bytes) != 0) return false;
  return true;
}

}  // namespace

void execute_resolve(const ResolveInput& in, const RowsPart& part) {
  for (uint32_t y = part.y; y < part.y + part.rows; ++y)
    for (uint32_t x = part.x; x < part.x + part.columns; ++x) {
      const uint64_t at = uint64_t{x} * in.pixel_bytes, step = in.source_pitch;
      const std::byte* const from = in.from + (uint64_t{y} << in.samples_log2) * step + at;
      std::byte* const to = in.to + uint64_t{y} * in.pitch + at;
      if (samples_agree(from, step, in)) {
        std::memcpy(to, from, in.pixel_bytes);
        continue;
      }
      for (uint32_t i = 0; i < in.pixel_bytes; ++i) {
        if (in.kind == Kind::half) {
          const uint16_t v = half(from + i, step, in.samples_log2);
          std::memcpy(to + i++, &v, sizeof v);
        } else {
          const bool linear = in.kind == Kind::unorm8 || i == 3;
          to[i] = static_cast<std::byte>(linear ? byte(from + i, step, in.samples_log2) : srgb(from + i, step, in.samples_log2));
        }
      }
    }
}

}  // namespace pumice::hw
