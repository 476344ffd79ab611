// SPDX-License-Identifier: MIT
/// X_SCALE (docs/r5x.md s.9), texel by texel.
#include <cstring>

#include "hw/radeon/decode/tx/address.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw {

namespace {

using Texel = std::array<uint8_t, 4>;

Texel texel(const ScaleInput& in, int32_t x, int32_t y) {
  Texel out;
  std::memcpy(out.data(), in.from + static_cast<uint64_t>(y) * in.from_pitch + static_cast<uint64_t>(x) * sizeof out, sizeof out);
  return out;
}

/// The code nearest to a sum of 65536ths: halves up below 128, down from 128 on.
uint8_t code(int32_t sum) {
  const int32_t centred = sum - (128 << 16) + 0x7FFF;
  return static_cast<uint8_t>(((centred + (centred < 0)) >> 16) + 128);
}

Texel filtered(const ScaleInput& in, const tx::Axis& x, const tx::Axis& y) {
  const Texel a = texel(in, x.i0, y.i0), b = texel(in, x.i1, y.i0), c = texel(in, x.i0, y.i1), d = texel(in, x.i1, y.i1);
  Texel out;
  for (size_t i = 0; i < out.size(); ++i) {
    const auto along = [&](uint8_t left, uint8_t right) { return left * (256 - x.weight) + right * x.weight; };
    out[i] = code(static_cast<int32_t>(along(a[i], b[i]) * (256 - y.weight) + along(c[i], d[i]) * y.weight));
  }
  return out;
}

}  // namespace

void execute_scale(const ScaleInput& in, const RowsPart& part) {
  const auto axis = [&](float at, uint32_t size) {
    return in.linear ? tx::axis_linear(at, size, tx::kClampLast) : tx::axis_point(at, size, tx::kClampLast);
  };
  for (uint32_t j = part.y; j < part.y + part.rows; ++j) {
    const tx::Axis y = axis(in.t + static_cast<float>(j) * in.t_step, in.height);
    std::byte* row = in.to + j * in.pitch;
    for (uint32_t i = part.x; i < part.x + part.columns; ++i) {
      const tx::Axis x = axis(in.s + static_cast<float>(i) * in.s_step, in.width);
      Texel out = in.linear ? filtered(in, x, y) : texel(in, x.i0, y.i0);
      if (in.swap) std::swap(out[0], out[2]);
      std::memcpy(row + uint64_t{i} * sizeof out, out.data(), sizeof out);
    }
  }
}

}  // namespace pumice::hw
