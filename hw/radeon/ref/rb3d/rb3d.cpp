// SPDX-License-Identifier: MIT
/// Colour write of a quad, pipeline s.9, separately per sample. Order for each target and pixel: component select and clamp to the
/// format, gamma, discard by source, destination read, blend (binary32), one rounding to the stored code, ROP, colour compare, channel
/// mask, store.
#include "hw/radeon/decode/rb3d/resolve.h"
#include "hw/radeon/decode/rb3d/target.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/ref/rb3d/blend.h"
#include "hw/radeon/ref/rb3d/resolve.h"

namespace pumice::hw::rb3d {
namespace {

/// C0..C3 from the shader's r,g,b,a: selects, clamp to the format, gamma of the colours (a component that carries alpha stays linear).
Components select_components(const Target& t, const Vec4& rgba) {
  const float channel[4] = {rgba[3], rgba[0], rgba[1], rgba[2]};  // select codes: A R G B
  const uint32_t select[4] = {t.out.C0_SEL(), t.out.C1_SEL(), t.out.C2_SEL(), t.out.C3_SEL()};
  Components c;
  for (uint32_t i = 0; i < 4; ++i) {
    c[i] = clamp_to(t.format.kind[i], channel[select[i]]);
    if (t.format.gamma && select[i] != regs::US_OUT_FMT::C0_SEL__ALPHA) c[i] = gamma_encode(c[i]);
  }
  return c;
}

/// DISCARD_SRC_PIXELS: codes 1..3 alpha / colour / both at or below LTE, 4..6 at or above GTE. Compared unrounded.
bool discarded(const Shared& s, const Components& src) {
  const uint32_t code = s.blendcntl.DISCARD_SRC_PIXELS();
  if (code == 0 || code == 7) return false;
  const bool gte = code > 3;
  const uint32_t what = gte ? code - 3 : code;  // bit 0 alpha, bit 1 colour
  const Components& limit = gte ? s.discard_gte : s.discard_lte;
  const auto beyond = [&](uint32_t c) { return gte ? src[c] >= limit[c] : src[c] <= limit[c]; };
  if ((what & 1) && !beyond(3)) return false;
  if ((what & 2) && !(beyond(0) && beyond(1) && beyond(2))) return false;
  return true;
}

/// ROP2: bit (src<<1 | dst) of the code.
uint32_t apply_rop(uint32_t rop, uint32_t src, uint32_t dst) {
  uint32_t r = 0;
  if (rop & 1) r |= ~src & ~dst;
  if (rop & 2) r |= ~src & dst;
  if (rop & 4) r |= src & ~dst;
  if (rop & 8) r |= src & dst;
  return r;
}

/// Steps 5 to 8 of README.md: the stored pixel from `value` and `dst` (all zero unless it is read).
PixelBits combine(const Shared& s, const Target& t, uint32_t x, uint32_t y, Components value, const PixelBits& dst) {
  const PixelFormat& format = t.format;
  if (t.blends(s)) {
    // With READ_ENABLE off the blender sees zero. SRC_ALPHA_n_NO_READ only save reads whose value cannot matter.
    BlendInput in{value, s.blendcntl.READ_ENABLE() ? unpack(format, dst) : Components{}, t.constant};
    for (uint32_t c = 0; c < 4; ++c) value[c] = blend(c == 3 ? s.alpha : s.color, in, c, format.kind[c]);
  }
  const bool rop = t.has_rop(s);
  PixelBits out{}, keep{};  // keep: bits of masked components
  for (uint32_t i = 0; i < format.field_count; ++i) {
    const Field& f = format.field[i];
    const uint32_t word = f.shift / 32, shift = f.shift % 32;
    const uint32_t bits = (f.width == 32 ? 0xFFFFFFFFu : (1u << f.width) - 1) << shift;
    uint32_t code = encode(f, value[f.component], f.component == 3 ? s.alpha_dither : s.color_dither, x, y) << shift;
    if (rop) code = apply_rop(s.rop, code, dst[word]) & bits;
    out[word] |= code;
    if (!(t.mask >> f.component & 1)) keep[word] |= bits;
  }
  if (s.compare_colour && format.bytes <= 4) {
    // Rage 128 "equal flip": a pixel that equals the key under the mask is changed by FLIPE, so that a later keyer lets it pass.
    if (((out[0] ^ s.compare_key) & s.compare_mask) == 0) out[0] ^= s.compare_flip;
  }
  for (uint32_t w = 0; w < 4; ++w) out[w] = (out[w] & ~keep[w]) | (dst[w] & keep[w]);
  return out;
}

void write_pixel(Memory& memory, const Shared& s, const Target& t, const surface::PixelAccess& pixels, uint32_t x, uint32_t y,
                 const Vec4& rgba) {
  if (t.pairs && x % 2) {
    Target odd = t;
    odd.pairs = false;
    odd.format = t.odd;
    return write_pixel(memory, s, odd, pixels, x, y, rgba);
  }
  const Components value = select_components(t, rgba);
  if (t.blends(s) && discarded(s, value)) return;
  PixelBits dst{};
  if (t.reads_destination(s) && !pixels.read(memory, x, y, dst.data())) return;
  pixels.write(memory, x, y, combine(s, t, x, y, value, dst).data());
}

}  // namespace

bool Target::partial() const {
  uint32_t stored = 0;
  for (uint32_t i = 0; i < format.field_count; ++i) stored |= 1u << format.field[i].component;
  return (stored & ~mask) != 0;
}

bool stored_pixel(const Shared& shared, const Target& target, const std::array<float, 4>& rgba, PixelBits& out) {
  const Components value = select_components(target, rgba);
  if (target.blends(shared) && discarded(shared, value)) return false;
  out = combine(shared, target, 0, 0, value, {});
  return true;
}

void write_quad(const Shared& shared, const Target& target, Memory& memory, int32_t x0, int32_t y0, uint8_t mask,
                const std::array<Vec4, 4>& color, uint32_t sample) {
  const surface::PixelAccess pixels = target.pixels.sample(sample, shared.samples);
  for (uint32_t i = 0; i < 4; ++i) {
    const int64_t x = int64_t(x0) + (i & 1), y = int64_t(y0) + (i >> 1);
    if (!(mask >> i & 1) || x < 0 || y < 0) continue;
    write_pixel(memory, shared, target, pixels, uint32_t(x), uint32_t(y), color[i]);
  }
}

namespace {

void resolve(DrawContext& ctx, const PixelQuad& q, uint8_t mask) {
  const Resolve r = decode_resolve(ctx.state);
  if (!r.format.valid()) return ctx.report_once(Unsupported::resolve, ReportKind::bad_register, kResolveText);
  resolve_quad(r, ctx.memory, q.quad.x, q.quad.y, mask);
}

}  // namespace

void write(DrawContext& ctx, const PixelQuad& q, std::span<const uint8_t> mask) {
  uint32_t any = 0;
  bool alike = true;
  for (const uint8_t m : mask) any |= m & 0xFu, alike &= m == mask[0];
  if (any == 0) return;
  if (resolve_mode(ctx.state)) return resolve(ctx, q, static_cast<uint8_t>(any));
  const Shared shared = decode_shared(ctx.state);
  if (!shared.valid_factors) ctx.report_once(Unsupported::blend_code, ReportKind::bad_register, kFactorText);
  for (uint32_t t = 0; t < kTargets; ++t) {
    Target target;
    if (!decode_target(ctx.state, shared, t, target)) continue;
    if (!target.format.valid()) {
      ctx.report_once(Unsupported::color_format, ReportKind::bad_register, kFormatText);
      continue;
    }
    if (target.sample_tiles(shared)) {
      ctx.report_once(Unsupported::sample_tiles, ReportKind::bad_register, kSampleTilesText);
      continue;
    }
    const bool once = target.color_mask.ram && ready_block(target.color_mask, target.pixels, shared.samples, ctx.memory,
                                                           static_cast<uint32_t>(q.quad.x), static_cast<uint32_t>(q.quad.y), alike);
    for (uint32_t s = 0; s < (once ? 1 : mask.size()); ++s)
      if (mask[s]) write_quad(shared, target, ctx.memory, q.quad.x, q.quad.y, mask[s], q.color[target.source], s);
  }
}

}  // namespace pumice::hw::rb3d
