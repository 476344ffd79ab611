// SPDX-License-Identifier: MIT
/// See resolve.h.
#include "hw/rb3d/resolve.h"

#include "hw/numerics/float_bits.h"
#include "hw/sc/samples.h"
#include "hw/tx/format.h"

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

Resolve decode_resolve(const ChipState& state) {
  const auto ctl = state.get<regs::RB3D_AARESOLVE_CTL>();
  const auto pitch = state.get<regs::RB3D_COLORPITCH>(0);
  const auto out = state.get<regs::US_OUT_FMT>(0);
  Resolve r;
  r.samples = sc::sample_count(state);
  r.format = pixel_format(state.profile, out.OUT_FMT(), out.OUT_SIGN(), pitch.COLORFORMAT());
  if (!r.format.valid()) return r;
  const uint32_t select[4] = {out.C0_SEL(), out.C1_SEL(), out.C2_SEL(), out.C3_SEL()};
  for (uint32_t i = 0; i < r.format.field_count; ++i) {
    const Field& f = r.format.field[i];
    const bool alpha = select[f.component] == regs::US_OUT_FMT::C0_SEL__ALPHA;
    r.first[i] = alpha && state.profile != Profile::r300 && ctl.AARESOLVE_ALPHA() == regs::RB3D_AARESOLVE_CTL::AARESOLVE_ALPHA__SAMPLE_0;
    r.gamma[i] = ctl.AARESOLVE_GAMMA() != 0 && !alpha;
    if (r.gamma[i] && (f.kind != Kind::unorm || f.width != 8)) {  // no table
      r.format = {};
      return r;
    }
  }
  // The samples are linear always; the tile bits of COLORPITCH0 are the destination's (Mesa sets them so).
  r.from.base = uint64_t(state.get<regs::RB3D_COLOROFFSET>(0).COLOROFFSET()) << 5;
  r.from.layout = {.pitch_px = pitch.COLORPITCH() << 1, .bytes_per_pixel = r.format.bytes};
  r.from.endian = uint8_t(pitch.COLORENDIAN());
  r.mask = color_mask(state, 0, r.format, r.samples);
  r.to.base = uint64_t(state.get<regs::RB3D_AARESOLVE_OFFSET>().AARESOLVE_OFFSET()) << 5;
  r.to.layout = {.pitch_px = state.get<regs::RB3D_AARESOLVE_PITCH>().AARESOLVE_PITCH() << 1,
                 .bytes_per_pixel = r.format.bytes,
                 .macro_tiled = pitch.COLORTILE() != 0,
                 .micro = uint8_t(pitch.COLORMICROTILE())};
  r.to.endian = r.from.endian;
  return r;
}

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
