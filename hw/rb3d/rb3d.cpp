// SPDX-License-Identifier: MIT
/// Colour write of a quad, pipeline s.9. Order for each target and pixel: component select and clamp to the format, gamma, discard by
/// source, destination read, blend (binary32), one rounding to the stored code, ROP, colour compare, channel mask, store.
#include <bit>

#include "hw/draw/draw.h"
#include "hw/numerics/float_bits.h"
#include "hw/rb3d/blend.h"
#include "hw/rb3d/pixel_format.h"
#include "hw/surface/pixel_access.h"

namespace pumice::hw::rb3d {
namespace {

constexpr uint32_t kTargets = 4;
constexpr uint32_t kRopCopy = regs::RB3D_ROPCNTL::ROP__SRC;

/// What all targets share.
struct Shared {
  regs::RB3D_CCTL cctl;
  regs::RB3D_BLENDCNTL blendcntl;
  Equation color, alpha;
  Components discard_lte{}, discard_gte{};
  Dither color_dither, alpha_dither;
  uint32_t rop = kRopCopy;
  bool compare_colour = false;
};

struct Target {
  surface::PixelAccess pixels;
  PixelFormat format;
  regs::US_OUT_FMT out;
  Components constant{};
  uint32_t mask = 0;
  const std::array<Vec4, 4>* color = nullptr;
};

/// Threshold bytes stand for components as the constant does: BLUE is C0, GREEN C1, RED C2, ALPHA C3.
template <class R>
Components bytes_of(R r) {
  return {float(r.BLUE()) / 255.0f, float(r.GREEN()) / 255.0f, float(r.RED()) / 255.0f, float(r.ALPHA()) / 255.0f};
}

Shared decode_shared(const ChipState& state) {
  const auto dither = state.get<regs::RB3D_DITHER_CTL>();
  const auto ablend = state.get<regs::RB3D_ABLENDCNTL>();
  const auto rop = state.get<regs::RB3D_ROPCNTL>();
  Shared s;
  s.cctl = state.get<regs::RB3D_CCTL>();
  s.blendcntl = state.get<regs::RB3D_BLENDCNTL>();
  s.color = {s.blendcntl.COMB_FCN(), s.blendcntl.SRCBLEND(), s.blendcntl.DESTBLEND()};
  s.alpha = s.blendcntl.SEPARATE_ALPHA_ENABLE() ? Equation{ablend.COMB_FCN(), ablend.SRCBLEND(), ablend.DESTBLEND()} : s.color;
  if (state.profile == Profile::r300) {
    s.discard_gte = {1, 1, 1, 1};  // fixed thresholds 0 and 1
  } else {
    s.discard_lte = bytes_of(state.get<regs::RB3D_DISCARD_SRC_PIXEL_LTE_THRESHOLD>());
    s.discard_gte = bytes_of(state.get<regs::RB3D_DISCARD_SRC_PIXEL_GTE_THRESHOLD>());
  }
  s.color_dither = Dither(dither.DITHER_MODE());
  s.alpha_dither = Dither(dither.ALPHA_DITHER_MODE());
  if (rop.ROP_ENABLE()) s.rop = rop.ROP();
  s.compare_colour = s.cctl.CLRCMP_FLIPE_ENABLE();
  return s;
}

/// R3xx: 8 bits a component. R5xx: the wide registers, halves for float targets, else 0.10 fixed with 0x3FF = 1.0 (UNCONFIRMED).
Components blend_constant(const ChipState& state, const PixelFormat& format) {
  if (state.profile == Profile::r300) return bytes_of(state.get<regs::RB3D_CONSTANT_COLOR>());
  const auto ar = state.get<regs::RB3D_CONSTANT_COLOR_AR>();
  const auto gb = state.get<regs::RB3D_CONSTANT_COLOR_GB>();
  const uint32_t raw[4] = {gb.BLUE(), gb.GREEN(), ar.RED(), ar.ALPHA()};
  Components c;
  for (uint32_t i = 0; i < 4; ++i) {
    c[i] = format.is_float() ? num::half_to_float(uint16_t(raw[i])) : float(raw[i] < 1023 ? raw[i] : 1023) / 1023.0f;
  }
  return c;
}

/// False when target `t` takes no part in this draw.
bool decode_target(const ChipState& state, const Shared& shared, const PixelQuad& q, uint32_t t, Target& target) {
  const bool r500 = state.profile != Profile::r300;
  // Multiwrite: the first buffers all take what the shader sent to target A. Code 0 is the ordinary mode.
  const uint32_t multi = shared.cctl.NUM_MULTIWRITES();
  const uint32_t source = multi > 0 && t <= multi ? 0 : t;
  target.out = state.get<regs::US_OUT_FMT>(source);
  if (target.out.OUT_FMT() == regs::US_OUT_FMT::OUT_FMT__UNUSED) return false;

  const bool own_mask = r500 && shared.cctl.INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE();
  target.mask = state.raw(regs::RB3D_COLOR_CHANNEL_MASK::offset) >> (own_mask ? 4 * t : 0) & 0xF;
  if (target.mask == 0) return false;

  const auto pitch = state.get<regs::RB3D_COLORPITCH>(t);
  const bool own_format = r500 && shared.cctl.INDEPENDENT_COLORFORMAT_ENABLE();
  const uint32_t code = (own_format ? pitch : state.get<regs::RB3D_COLORPITCH>(0)).COLORFORMAT();
  target.format = pixel_format(state.profile, target.out.OUT_FMT(), target.out.OUT_SIGN(), code);
  target.pixels.base = uint64_t(state.get<regs::RB3D_COLOROFFSET>(t).COLOROFFSET()) << 5;
  target.pixels.layout = {.pitch_px = pitch.COLORPITCH() << 1,
                          .bytes_per_pixel = target.format.bytes,
                          .macro_tiled = pitch.COLORTILE() != 0,
                          .micro = uint8_t(pitch.COLORMICROTILE())};
  target.pixels.endian = uint8_t(pitch.COLORENDIAN());
  target.constant = blend_constant(state, target.format);
  target.color = &q.color[source];
  return true;
}

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

void write_pixel(DrawContext& ctx, const Shared& s, const Target& t, uint32_t x, uint32_t y, const Vec4& rgba) {
  const PixelFormat& format = t.format;
  Components value = select_components(t, rgba);
  const bool blending = s.blendcntl.ALPHA_BLEND_ENABLE() && !format.is_fp32();  // FP32 targets do not blend
  if (blending && discarded(s, value)) return;

  uint32_t stored_mask = 0;
  for (uint32_t i = 0; i < format.field_count; ++i) stored_mask |= 1u << format.field[i].component;
  const bool partial = (stored_mask & ~t.mask) != 0;
  const bool rop = s.rop != kRopCopy && !format.is_float();  // no logic on floats, as Vulkan has it (UNCONFIRMED)

  PixelBits dst{};
  const bool blend_reads = blending && s.blendcntl.READ_ENABLE();
  if ((blend_reads || partial || rop) && !t.pixels.read(ctx.memory, x, y, dst.data())) return;
  if (blending) {
    // With READ_ENABLE off the blender sees zero. SRC_ALPHA_n_NO_READ only save reads whose value cannot matter.
    BlendInput in{value, blend_reads ? unpack(format, dst) : Components{}, t.constant};
    for (uint32_t c = 0; c < 4; ++c) value[c] = blend(c == 3 ? s.alpha : s.color, in, c, format.kind[c]);
  }

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
    const uint32_t key = ctx.state.get<regs::RB3D_CLRCMP_CLR>().CLRCMP_CLR(), mask = ctx.state.get<regs::RB3D_CLRCMP_MSK>().CLRCMP_MSK();
    if (((out[0] ^ key) & mask) == 0) out[0] ^= ctx.state.get<regs::RB3D_CLRCMP_FLIPE>().CLRCMP_FLIPE();
  }
  for (uint32_t w = 0; w < 4; ++w) out[w] = (out[w] & ~keep[w]) | (dst[w] & keep[w]);
  t.pixels.write(ctx.memory, x, y, out.data());
}

void check_codes(const DrawContext& ctx, const Shared& s) {
  if (!s.blendcntl.ALPHA_BLEND_ENABLE()) return;
  const auto ok = [](const Equation& e) {
    const bool forced = e.function == regs::RB3D_BLENDCNTL::COMB_FCN__MIN || e.function == regs::RB3D_BLENDCNTL::COMB_FCN__MAX;
    return forced || (valid_factor(e.src) && valid_factor(e.dst));
  };
  if (!ok(s.color) || !ok(s.alpha))
    ctx.report_once(Unsupported::blend_code, ReportKind::bad_register, "RB3D_BLENDCNTL/ABLENDCNTL: reserved factor, taken as ZERO");
}

}  // namespace

void write(DrawContext& ctx, const PixelQuad& q, uint8_t mask) {
  if ((mask & 0xF) == 0) return;
  if (ctx.state.get<regs::RB3D_AARESOLVE_CTL>().AARESOLVE_MODE()) {
    ctx.report_once(Unsupported::resolve, ReportKind::bad_register, "RB3D_AARESOLVE_CTL: resolve is not supported, nothing is drawn");
    return;
  }
  const Shared shared = decode_shared(ctx.state);
  check_codes(ctx, shared);
  for (uint32_t t = 0; t < kTargets; ++t) {
    Target target;
    if (!decode_target(ctx.state, shared, q, t, target)) continue;
    if (!target.format.valid()) {
      ctx.report_once(Unsupported::color_format, ReportKind::bad_register,
                      "RB3D_COLORPITCH.COLORFORMAT and US_OUT_FMT.OUT_FMT: no such pixel, the target is not written");
      continue;
    }
    for (uint32_t i = 0; i < 4; ++i) {
      const int64_t x = int64_t(q.quad.x) + (i & 1), y = int64_t(q.quad.y) + (i >> 1);
      if (!(mask >> i & 1) || x < 0 || y < 0) continue;
      write_pixel(ctx, shared, target, uint32_t(x), uint32_t(y), (*target.color)[i]);
    }
  }
}

}  // namespace pumice::hw::rb3d
