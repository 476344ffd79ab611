// SPDX-License-Identifier: MIT
/// Random registers of FG, ZB and RB3D that mostly draw something.
#pragma once
#include "tests/hw/fast/output/rig.h"

namespace pumice::hw::fast::test {

inline constexpr int kScreen = 32;  ///< pixels, both ways: what fits the surfaces at 16 bytes per pixel and every tiling

struct FormatPair {
  uint32_t color, out;
};

/// Every pair that pixel_format() accepts.
inline const std::vector<FormatPair>& valid_formats() {
  static const std::vector<FormatPair> all = [] {
    std::vector<FormatPair> v;
    for (uint32_t c = 0; c < 16; ++c)
      for (uint32_t o = 0; o < 32; ++o)
        if (rb3d::pixel_format(Profile::r500, o, 0, c).valid()) v.push_back({c, o});
    return v;
  }();
  return all;
}

inline void random_color(ChipState& s, Rng& rng) {
  using Blend = regs::RB3D_BLENDCNTL;
  const auto& formats = valid_formats();
  // Half the time the formats that have routines of their own.
  constexpr FormatPair kCommon[] = {{regs::RB3D_COLORPITCH::COLORFORMAT__ARGB8888, regs::US_OUT_FMT::OUT_FMT__C4_8},
                                    {regs::RB3D_COLORPITCH::COLORFORMAT__ARGB8888, regs::US_OUT_FMT::OUT_FMT__C4_10_GAMMA},
                                    {regs::RB3D_COLORPITCH::COLORFORMAT__RGB565, regs::US_OUT_FMT::OUT_FMT__C4_8},
                                    {regs::RB3D_COLORPITCH::COLORFORMAT__ARGB16161616, regs::US_OUT_FMT::OUT_FMT__C4_16_FP}};
  for (uint32_t t = 0; t < 4; ++t) {
    FormatPair f = rng() % 2 ? kCommon[rng() % 4] : formats[rng() % formats.size()];
    if (rng() % 16 == 0) f = {static_cast<uint32_t>(rng() % 16), static_cast<uint32_t>(rng() % 32)};
    if (t > 0 && rng() % 2) f.out = regs::US_OUT_FMT::OUT_FMT__UNUSED;
    regs::RB3D_COLORPITCH pitch;
    pitch.COLORPITCH((kScreen + 2 * (rng() % 17)) / 2).COLORFORMAT(f.color);
    if (rng() % 4 == 0) pitch.COLORTILE(rng() % 2).COLORMICROTILE(rng() % 3);
    if (rng() % 16 == 0) pitch.COLORENDIAN(rng() % 4);
    s.set(pitch, t);
    s.set(regs::RB3D_COLOROFFSET{}.COLOROFFSET(Arena::at(static_cast<int>(t)) >> 5), t);
    regs::US_OUT_FMT out;
    out.raw = rng();
    out.OUT_FMT(f.out);
    if (rng() % 4) out.OUT_SIGN(0);
    s.set(out, t);
  }
  regs::RB3D_CCTL cctl;
  cctl.INDEPENDENT_COLORFORMAT_ENABLE(rng() % 4 != 0).INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE(rng() % 2);
  if (rng() % 8 == 0) cctl.NUM_MULTIWRITES(rng() % 4);
  if (rng() % 8 == 0) cctl.CLRCMP_FLIPE_ENABLE(1);
  s.set(cctl);
  regs::RB3D_COLOR_CHANNEL_MASK mask;
  mask.raw = rng() % 4 ? 0xFFFF : rng();
  s.set(mask);

  Blend blend;
  regs::RB3D_ABLENDCNTL alpha;
  blend.raw = rng(), alpha.raw = rng();
  const auto gl = [&] { return static_cast<uint32_t>(Blend::SRCBLEND__GL_ZERO + rng() % 15); };
  if (rng() % 8) blend.SRCBLEND(gl()).DESTBLEND(gl()), alpha.SRCBLEND(gl()).DESTBLEND(gl());
  if (rng() % 4) blend.DISCARD_SRC_PIXELS(0);
  if (rng() % 4) blend.READ_ENABLE(1);
  // The equations with routines of their own.
  if (rng() % 3 == 0) {
    constexpr uint32_t one = Blend::SRCBLEND__GL_ONE, sa = Blend::SRCBLEND__GL_SRC_ALPHA, isa = Blend::SRCBLEND__GL_ONE_MINUS_SRC_ALPHA,
                       zero = Blend::SRCBLEND__GL_ZERO;
    constexpr uint32_t kPairs[][4] = {{sa, isa, sa, isa},   {sa, isa, one, isa},  {sa, isa, one, zero}, {sa, isa, zero, one},
                                      {one, isa, one, isa}, {one, one, one, one}, {sa, one, sa, one},   {sa, one, one, one}};
    const auto& p = kPairs[rng() % 8];
    blend.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SEPARATE_ALPHA_ENABLE(1).DISCARD_SRC_PIXELS(0).COMB_FCN(rng() % 2);
    blend.SRCBLEND(p[0]).DESTBLEND(p[1]);
    alpha.COMB_FCN(rng() % 2).SRCBLEND(p[2]).DESTBLEND(p[3]);
  }
  if (rng() % 4 == 0) blend.ALPHA_BLEND_ENABLE(0);
  s.set(blend);
  s.set(alpha);
  s.set(regs::RB3D_ROPCNTL{}.ROP_ENABLE(rng() % 8 == 0).ROP(rng() % 16));
  s.set(regs::RB3D_DITHER_CTL{}
            .DITHER_MODE(rng() % 4 ? regs::RB3D_DITHER_CTL::DITHER_MODE__ROUND : rng() % 4)
            .ALPHA_DITHER_MODE(rng() % 4 ? regs::RB3D_DITHER_CTL::DITHER_MODE__ROUND : rng() % 4));
  for (uint32_t offset : {regs::RB3D_CONSTANT_COLOR::offset, regs::RB3D_CONSTANT_COLOR_AR::offset, regs::RB3D_CONSTANT_COLOR_GB::offset,
                          regs::RB3D_CLRCMP_CLR::offset, regs::RB3D_CLRCMP_MSK::offset, regs::RB3D_CLRCMP_FLIPE::offset,
                          regs::RB3D_DISCARD_SRC_PIXEL_LTE_THRESHOLD::offset, regs::RB3D_DISCARD_SRC_PIXEL_GTE_THRESHOLD::offset})
    s.reg[offset / 4] = rng();
  if (rng() % 2) s.reg[regs::RB3D_CLRCMP_MSK::offset / 4] &= 0x03000103;  // so that some pixels compare equal
}

inline void random_fast_fill(ChipState& s, Rng& rng) {
  auto pitch = s.get<regs::ZB_DEPTHPITCH>();
  pitch.DEPTHMICROTILE(rng() % 8 ? 1 + rng() % 2 : rng() % 4).DEPTHMACROTILE(rng() % 4 == 0);
  s.set(pitch);
  if (s.get<regs::ZB_CNTL>().Z_ENABLE() && rng() % 2) s.set(s.get<regs::ZB_CNTL>().ZWRITEENABLE(1));
  if (rng() % 8 == 0) s.set(s.get<regs::ZB_ZSTENCILCNTL>().ZFUNC(regs::ZB_ZSTENCILCNTL::ZFUNC__NEVER));
  s.set(regs::ZB_BW_CNTL{}.FAST_FILL(1).RD_COMP_ENABLE(1).WR_COMP_ENABLE(rng() % 3 != 0));
  // In the RAM, in part, beyond it.
  s.set(regs::ZB_ZMASK_OFFSET{}.ZMASK_OFFSET(rng() % 4 ? rng() % 8 : rng() % 4 ? 255 : rng() & 0x7FFF));
  s.set(regs::ZB_ZMASK_PITCH{regs::ZB_HIZ_PITCH{}.HIZ_PITCH(rng() % 8 ? 4 + rng() % 4 : rng() % 64).raw});
  s.set(regs::GB_Z_PEQ_CONFIG{}.Z_PEQ_SIZE(rng() % 2));
  // Often a value that pixels have, too.
  const uint32_t codes[] = {0xFFFFFF00u, 0, 0xFFFF, 0x80000000u, static_cast<uint32_t>(rng())};
  s.set(regs::ZB_DEPTHCLEARVALUE{}.DEPTHCLEARVALUE(codes[rng() % 5]));
}

inline void random_depth(ChipState& s, Rng& rng) {
  regs::ZB_CNTL cntl;
  regs::ZB_ZSTENCILCNTL z;
  cntl.raw = rng() & rng(), z.raw = rng();
  if (rng() % 2) cntl.STENCIL_ENABLE(0).ZSIGNED_COMPARE(0).Z_ENABLE(1);
  if (rng() % 4) z.ZERO_OUTPUT_MASK(0);
  if (rng() % 2) z.ZFUNC(rng() % 2 ? regs::ZB_ZSTENCILCNTL::ZFUNC__LESS_OR_EQUAL : regs::ZB_ZSTENCILCNTL::ZFUNC__GREATER);
  if (rng() % 4) z.STENCILFUNC(7 - rng() % 3).STENCILFUNC_BF(7 - rng() % 3);
  s.set(cntl), s.set(z);
  s.set(regs::ZB_FORMAT{}.DEPTHFORMAT(rng() % 32 == 0 ? 3 : rng() % 3).INVERT(rng() % 2));
  s.reg[regs::ZB_STENCILREFMASK::offset / 4] = rng() & 0xFFFFFF, s.reg[regs::ZB_STENCILREFMASK_BF::offset / 4] = rng() & 0xFFFFFF;
  s.set(regs::ZB_DEPTHOFFSET{}.DEPTHOFFSET(Arena::at(Arena::kDepth) >> 5));
  regs::ZB_DEPTHPITCH pitch;
  pitch.DEPTHPITCH((64 + 4 * (rng() % 9)) / 4);
  if (rng() % 4 == 0) pitch.DEPTHMACROTILE(rng() % 2).DEPTHMICROTILE(rng() % 3);
  if (rng() % 16 == 0) pitch.DEPTHENDIAN(rng() % 4);
  s.set(pitch);
  s.set(regs::ZB_DEPTHXY_OFFSET{}.DEPTHX_OFFSET(rng() % 8 ? 0 : 16).DEPTHY_OFFSET(rng() % 8 ? 0 : 16));
  s.set(regs::ZB_BW_CNTL{}.ZB_CB_CLEAR(rng() % 64 == 0));
  if (rng() % 3 == 0) random_fast_fill(s, rng);
}

/// Several samples per pixel need linear surfaces; resolves, also of one sample.
inline void random_samples(ChipState& s, Rng& rng) {
  s.set(regs::GB_AA_CONFIG{});
  s.set(regs::RB3D_AARESOLVE_CTL{});
  if (rng() % 4) return;
  s.set(regs::GB_AA_CONFIG{}.AA_ENABLE(rng() % 8 != 0).NUM_AA_SUBSAMPLES(rng() % 4));
  const bool resolves = rng() % 2;
  if (resolves) {
    s.set(regs::RB3D_AARESOLVE_CTL{}.AARESOLVE_MODE(1).AARESOLVE_GAMMA(rng() % 3 == 0).AARESOLVE_ALPHA(rng() % 8 != 0));
    s.set(regs::RB3D_AARESOLVE_OFFSET{}.AARESOLVE_OFFSET(Arena::at(1) >> 5));
    s.set(regs::RB3D_AARESOLVE_PITCH{}.AARESOLVE_PITCH((kScreen + 2 * (rng() % 9)) / 2));
  }
  for (uint32_t t = 0; t < 4; ++t)
    if (rng() % 16) s.set(s.get<regs::RB3D_COLORPITCH>(t).COLORTILE(0).COLORMICROTILE(0), t);
  if (rng() % 16) s.set(s.get<regs::ZB_DEPTHPITCH>().DEPTHMACROTILE(0).DEPTHMICROTILE(0));
}

inline void random_fog(ChipState& s, Rng& rng) {
  regs::FG_ALPHA_FUNC a;
  if (rng() % 2) {
    a.raw = rng();
    a.AF_EN(rng() % 2).AM_EN(rng() % 8 == 0);
  }
  s.set(a);
  s.reg[regs::FG_ALPHA_VALUE::offset / 4] = rng() % 2 ? rng() & 0xFFFF : rng() % 0x3C00;
  regs::FG_FOG_BLEND fog;
  if (rng() % 8 == 0) fog.ENABLE(1).FN(rng() % 4);
  s.set(fog);
  s.set(regs::GB_SELECT{}.FOG_SELECT(rng() % 4 ? regs::GB_SELECT::FOG_SELECT__Z : 6));
  for (uint32_t offset :
       {regs::FG_FOG_FACTOR::offset, regs::FG_FOG_COLOR_R::offset, regs::FG_FOG_COLOR_G::offset, regs::FG_FOG_COLOR_B::offset})
    s.reg[offset / 4] = rng() & 0x3FF;
  s.reg[regs::GA_FOG_SCALE::offset / 4] = std::bit_cast<uint32_t>(any_float(rng));
  s.reg[regs::GA_FOG_OFFSET::offset / 4] = std::bit_cast<uint32_t>(any_float(rng));
}

/// `scissor` is part of a kScreen x kScreen target.
inline void random_state(ChipState& s, Rng& rng, output::Rect& scissor) {
  s.profile = rng() % 8 ? Profile::r500 : Profile::r300;
  random_color(s, rng);
  random_depth(s, rng);
  random_samples(s, rng);
  random_fog(s, rng);
  const auto range = [&](int32_t& a, int32_t& b) {
    a = rng() % 2 ? 0 : static_cast<int32_t>(rng() % kScreen);
    b = rng() % 2 ? kScreen : a + 1 + static_cast<int32_t>(rng() % static_cast<uint32_t>(kScreen - a));
  };
  range(scissor.x0, scissor.x1), range(scissor.y0, scissor.y1);
  // Surfaces that end in memory that is not backed.
  if (rng() % 16 == 0) s.set(regs::RB3D_COLOROFFSET{}.COLOROFFSET((Arena::at(0) + Arena::kSize - 64 * (rng() % 40)) >> 5), 0);
  if (rng() % 16 == 0) s.set(regs::ZB_DEPTHOFFSET{}.DEPTHOFFSET((Arena::at(Arena::kDepth) + Arena::kSize - 64 * (rng() % 40)) >> 5));
}

inline void random_block(Block& b, Rng& rng, const output::Rect& scissor) {
  b.x = static_cast<int32_t>(rng() % kScreen) & ~3, b.y = static_cast<int32_t>(rng() % kScreen) & ~3;
  b.mask = static_cast<LaneMask>(rng() % 2 ? 0xFFFF : rng());
  for (int i = 0; i < kLanes; ++i) {
    const int32_t x = b.x + lane_x(i), y = b.y + lane_y(i);
    if (x < scissor.x0 || x >= scissor.x1 || y < scissor.y0 || y >= scissor.y1) b.mask = static_cast<LaneMask>(b.mask & ~(1u << i));
  }
  b.back_facing = rng() % 2;
  for (float& z : b.z.v) z = any_float(rng);
  for (auto& target : b.color)
    for (Lanes& l : target)
      for (float& v : l.v) v = any_float(rng);
}

}  // namespace pumice::hw::fast::test
