// SPDX-License-Identifier: MIT
/// See case.h.
#include "tests/hw/fast/draw/case.h"

#include <cmath>
#include <random>

namespace pumice::hw::test {

namespace {

using namespace regs;
using Vf = VAP_VF_CNTL;

class Maker {
 public:
  Maker(uint32_t seed, const Arena& arena) : rng_(seed), arena_(arena) {}
  Packets make();

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  uint32_t word() { return static_cast<uint32_t>(rng_()); }
  float coordinate(float extent);
  float attribute();
  void base_state();
  void raster_state();
  void output_state();
  void fast_fill_state();
  void clear_tiles();
  void sample_state();
  void rare_state();
  void texture_state();
  void program();
  void draw();
  void mesh();
  template <class R>
  void raw(uint32_t value, uint32_t i = 0) {
    p_.set(R{value}, i);
  }

  std::mt19937 rng_;
  const Arena& arena_;
  Packets p_;
  uint32_t width_ = 0, height_ = 0;
  bool two_colors_ = false;
  bool plain_depth_ = false;  ///< one depth format, tests in one direction mostly: what HiZ is made for
  uint32_t depth_format_ = 0, depth_func_ = 0;
  bool simple_ = false;     ///< linear colour, nothing that fails or blends in most steps: what is filled
  bool fast_fill_ = false;  ///< the Z mask is in use in some steps
  bool samples_ = false;    ///< several samples per pixel in most steps
  bool color_mask_ = false;
  uint32_t rotation_ = 0;  ///< of the surfaces
};

float Maker::coordinate(float extent) {
  switch (below(40)) {
    case 0: return std::bit_cast<float>(word());
    case 1: return std::bit_cast<float>(0x7F800000u | (word() & 0x80000000u));
    case 2: return std::bit_cast<float>(0x7FC00000u);
    case 3: return (static_cast<float>(below(2000001)) - 1000000) * 10;  // far away
    case 4:
    case 5: return static_cast<float>(below(static_cast<uint32_t>(extent) + 1));  // on pixel corners
    case 6: return static_cast<float>(below(static_cast<uint32_t>(extent) * 2)) / 2 + 0.5f;
    default: return (static_cast<float>(below(30000)) / 20000 - 0.25f) * extent;
  }
}

float Maker::attribute() {
  switch (below(24)) {
    case 0: return std::bit_cast<float>(word());
    case 1: return std::bit_cast<float>(word() & 0x807FFFFFu);  // denormal
    case 2: return -0.0f;
    case 3: return std::bit_cast<float>(0x7F800000u | (word() & 0x80000000u));
    case 4: return 0;
    case 5: return 1;
    case 6: return static_cast<float>(below(64)) - 32;
    default: return static_cast<float>(below(65537)) / 49152 - 0.15f;
  }
}

/// Three FLOAT_4 a vertex: window position as the VTE hands it on, two texcoords.
void Maker::base_state() {
  Target t{width_, height_, arena_.color[0], arena_.depth};
  p_ = plain_state(t);
  p_.set(VAP_VTX_SIZE().DWORDS_PER_VTX(12));
  constexpr uint32_t kFloat4 = VAP_PROG_STREAM_CNTL::DATA_TYPE_0__FLOAT_4;
  p_.set(VAP_PROG_STREAM_CNTL().DATA_TYPE_0(kFloat4).DST_VEC_LOC_0(0).DATA_TYPE_1(kFloat4).DST_VEC_LOC_1(1), 0);
  p_.set(VAP_PROG_STREAM_CNTL().DATA_TYPE_0(kFloat4).DST_VEC_LOC_0(2).LAST_VEC_0(1), 1);
  for (uint32_t i = 0; i < 2; ++i)
    p_.set(VAP_PROG_STREAM_CNTL_EXT()
               .SWIZZLE_SELECT_X_0(0)
               .SWIZZLE_SELECT_Y_0(1)
               .SWIZZLE_SELECT_Z_0(2)
               .SWIZZLE_SELECT_W_0(3)
               .WRITE_ENA_0(15)
               .SWIZZLE_SELECT_X_1(0)
               .SWIZZLE_SELECT_Y_1(1)
               .SWIZZLE_SELECT_Z_1(2)
               .SWIZZLE_SELECT_W_1(3)
               .WRITE_ENA_1(15),
           i);
  const std::array<uint32_t, 4> vs[] = {move_instruction(2, 0, 1, 0), move_instruction(2, 1, 1, 1), move_instruction(2, 2, 1, 2)};
  p_.append(vertex_program(vs));
  // Positions are window coordinates already: no clipping, no viewport; w is 1/w.
  p_.set(VAP_CLIP_CNTL().CLIP_DISABLE(1));
  p_.set(VAP_VTE_CNTL().VTX_XY_FMT(1).VTX_Z_FMT(1).VTX_W0_FMT(one_in(3)));
  two_colors_ = one_in(2);
  p_.set(VAP_OUT_VTX_FMT_0().VTX_POS_PRESENT(1).VTX_COLOR_0_PRESENT(two_colors_));
  p_.set(VAP_OUT_VTX_FMT_1().TEX_0_COMP_CNT(4).TEX_1_COMP_CNT(two_colors_ ? 0 : 4));
  p_.set(PS3_VTX_FMT().TEX_0_COMP_CNT(4).TEX_1_COMP_CNT(4));
}

void Maker::raster_state() {
  if (one_in(3)) {
    const uint32_t x = below(width_), y = below(height_);
    p_.set(SC_SCISSOR0().XS0(x).YS0(y));
    p_.set(SC_SCISSOR1().XS1(std::min(x + below(width_), width_ - 1)).YS1(std::min(y + below(height_), height_ - 1)));
  }
  if (one_in(8)) {
    const uint32_t rule = word() & 0xFFFF;
    p_.set(SC_CLIP_RULE().CLIP_RULE(rule));
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t x = below(width_), y = below(height_);
      const uint32_t corners[] = {SC_CLIP_0_A().XS0(x).YS0(y).raw, SC_CLIP_0_B().XS1(x + below(32)).YS1(y + below(32)).raw};
      p_.write(SC_CLIP_0_A::offset + 8 * i, corners);
    }
  }
  const uint32_t door = one_in(simple_ ? 32 : 8) ? word() & 0xFFFFFF : 0xFFFFFF;
  p_.write(SC_SCREENDOOR::offset, {&door, 1});
  const uint32_t rule = one_in(4) ? word() : 0x2DA49525;
  p_.write(SC_EDGERULE::offset, {&rule, 1});
  if (one_in(4)) p_.set(SU_CULL_MODE{word() & 7});
  p_.set(GB_TILE_CONFIG().ENABLE(1).SUBPIXEL(!one_in(4)).Z_EXTENDED(one_in(4)));
  p_.set(GA_ROUND_MODE().GEOMETRY_ROUND(below(2)).COLOR_ROUND(1).RGB_CLAMP(below(2)).ALPHA_CLAMP(below(2)));
  p_.set(GB_SELECT().W_SELECT(one_in(3)).FOG_SELECT(one_in(6) ? below(4) : 0));
  if (one_in(6)) p_.set(GA_POLY_MODE().POLY_MODE(1).FRONT_PTYPE(below(3)).BACK_PTYPE(below(3)));
  p_.set(GA_COLOR_CONTROL{word() & 0xFFFF});
  p_.set(GA_COLOR_CONTROL_PS3().TEX0_SHADING_PS3(below(4)).TEX1_SHADING_PS3(below(4)));
  p_.set(GA_POINT_SIZE().WIDTH(below(300)).HEIGHT(below(300)));
  p_.set(GA_LINE_CNTL().WIDTH(below(60)).END_TYPE(below(4)));
  if (one_in(6)) p_.set(GB_ENABLE().POINT_STUFF_ENABLE(below(2)).LINE_STUFF_ENABLE(below(2)).TRIANGLE_STUFF_ENABLE(below(2)));
  if (one_in(6)) p_.set(PS3_TEX_SOURCE().TEX2_SOURCE(below(3)));
  if (one_in(4)) {
    p_.set(SU_POLY_OFFSET_ENABLE{word() & 7});
    p_.set_float<SU_POLY_OFFSET_FRONT_SCALE>(attribute() * 12);
    p_.set_float<SU_POLY_OFFSET_FRONT_OFFSET>(attribute() * 1000);
    p_.set_float<SU_POLY_OFFSET_BACK_SCALE>(attribute() * 12);
    p_.set_float<SU_POLY_OFFSET_BACK_OFFSET>(attribute() * 1000);
  }
  // RS: texcoord 0 to temp 0, texcoord 1 or the colour to temp 1, something else to temps 2 and 3.
  p_.set(RS_COUNT().IT_COUNT(8).IC_COUNT(two_colors_).HIRES_EN(1));
  p_.set(RS_INST_COUNT().INST_COUNT(2));
  p_.set(RS_IP().TEX_PTR_S(0).TEX_PTR_T(1).TEX_PTR_R(one_in(4) ? 63 : 2).TEX_PTR_Q(one_in(4) ? 62 : 3), 0);
  p_.set(RS_IP().TEX_PTR_S(4).TEX_PTR_T(5).TEX_PTR_R(one_in(4) ? 8 : 6).TEX_PTR_Q(7).COL_PTR(below(2)).COL_FMT(below(11)), 1);
  p_.set(RS_INST().TEX_ID(0).TEX_CN(1).TEX_ADDR(0), 0);
  p_.set(two_colors_ ? RS_INST().COL_ID(1).COL_CN(1).COL_ADDR(1) : RS_INST().TEX_ID(1).TEX_CN(1).TEX_ADDR(1), 1);
  p_.set(RS_INST().COL_ID(1).COL_CN(below(4)).COL_ADDR(one_in(8) ? 1 : 2), 2);
}

void Maker::output_state() {
  const bool simple = simple_ && !one_in(4), tiles = !simple && (!samples_ || one_in(16));
  p_.set(ZB_ZTOP().ZTOP(below(2)));
  raw<ZB_CNTL>(one_in(3) ? 0 : word() & 0x3F);
  if (one_in(4)) p_.set(ZB_CNTL().Z_ENABLE(1).ZWRITEENABLE(1));
  p_.set(ZB_FORMAT().DEPTHFORMAT(one_in(12) ? below(16) : below(3)).INVERT(below(2)));
  raw<ZB_ZSTENCILCNTL>(word() & 0x7FFFFFFF & ~(one_in(6) ? 0u : ZB_ZSTENCILCNTL{0}.ZERO_OUTPUT_MASK(1).raw));
  raw<ZB_STENCILREFMASK>(word() & 0xFFFFFF);
  raw<ZB_STENCILREFMASK_BF>(word() & 0xFFFFFF);
  p_.set(ZB_DEPTHPITCH()
             .DEPTHPITCH(((width_ + 63) & ~63u) >> 2)
             .DEPTHMACROTILE(tiles && below(2))
             .DEPTHMICROTILE(tiles ? below(3) : 0)
             .DEPTHENDIAN(one_in(6) ? below(4) : 0));
  if (plain_depth_) {
    p_.set(ZB_ZTOP().ZTOP(!one_in(6)));
    p_.set(ZB_CNTL().Z_ENABLE(1).ZWRITEENABLE(!one_in(6)));
    p_.set(ZB_FORMAT().DEPTHFORMAT(depth_format_));
    p_.set(ZB_ZSTENCILCNTL().ZFUNC(one_in(8) ? below(8) : depth_func_));
  }
  raw<FG_ALPHA_FUNC>(one_in(3) ? word() & 0x3FFF : 0);
  raw<FG_ALPHA_VALUE>(word() & 0xFFFF);
  raw<FG_FOG_BLEND>(one_in(5) ? word() & 7 : 0);
  raw<FG_FOG_FACTOR>(below(1024));
  raw<FG_FOG_COLOR_R>(below(1024));
  raw<FG_FOG_COLOR_G>(below(1024));
  raw<FG_FOG_COLOR_B>(below(1024));
  p_.set_float<GA_FOG_SCALE>(attribute() * 2);
  p_.set_float<GA_FOG_OFFSET>(attribute());
  if (simple) {
    p_.set(FG_ALPHA_FUNC());
    p_.set(FG_FOG_BLEND());
    if (!one_in(3)) p_.set(ZB_CNTL());
  }
  p_.set(FG_DEPTH_SRC().DEPTH_SRC(!plain_depth_ && one_in(3)));
  p_.set(US_W_FMT().W_FMT(one_in(4) ? 0 : 1));
  raw<RB3D_BLENDCNTL>(one_in(2) ? 0 : word() | 1);
  raw<RB3D_ABLENDCNTL>(word());
  raw<RB3D_ROPCNTL>(one_in(8) ? word() & 0xF04 : 0);
  raw<RB3D_DITHER_CTL>(one_in(3) ? word() & 15 : 5);
  raw<RB3D_CCTL>(
      one_in(4) ? word() & (RB3D_CCTL{0}.INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE(1).INDEPENDENT_COLORFORMAT_ENABLE(1).NUM_MULTIWRITES(3).raw)
                : 0);
  raw<RB3D_COLOR_CHANNEL_MASK>(one_in(3) ? word() & 0xFFFF : 0xFFFF);
  if (simple) {
    raw<RB3D_BLENDCNTL>(0);
    raw<RB3D_ROPCNTL>(0);
    raw<RB3D_DITHER_CTL>(5);
    raw<RB3D_COLOR_CHANNEL_MASK>(0xFFFF);
  }
  raw<RB3D_CONSTANT_COLOR_AR>(word());
  raw<RB3D_CONSTANT_COLOR_GB>(word());
  raw<RB3D_DISCARD_SRC_PIXEL_LTE_THRESHOLD>(word());
  raw<RB3D_DISCARD_SRC_PIXEL_GTE_THRESHOLD>(word());
  struct Format {
    uint32_t out, color;
  };
  constexpr Format kFormats[] = {{0, 6},
                                 {0, 6},
                                 {0, 3},
                                 {0, 4},
                                 {0, 9},
                                 {0, 13},
                                 {0, 15},
                                 {1, 0},
                                 {1, 1},
                                 {1, 5},
                                 {1, 14},
                                 {US_OUT_FMT::OUT_FMT__C4_8, RB3D_COLORPITCH::COLORFORMAT__YUV422_VYUY},
                                 {US_OUT_FMT::OUT_FMT__C4_8, RB3D_COLORPITCH::COLORFORMAT__YUV422_YVYU},
                                 {US_OUT_FMT::OUT_FMT__C2_16_MPEG, 6},
                                 {US_OUT_FMT::OUT_FMT__C4_16_FP, 10},
                                 {US_OUT_FMT::OUT_FMT__C4_32_FP, 7},
                                 {US_OUT_FMT::OUT_FMT__C_32_FP, 6},
                                 {US_OUT_FMT::OUT_FMT__C4_16, 10}};
  // Surfaces change places from step to step, so that one step's results are another's texture or depth.
  const uint32_t rotation = rotation_ = below(4);
  const uint32_t depth = one_in(6) ? arena_.color[(rotation + 3) % 4] : arena_.depth;
  p_.write(ZB_DEPTHOFFSET::offset, {&depth, 1});
  const uint32_t targets = one_in(3) ? 1 + below(4) : 1;
  const Format shared = kFormats[below(std::size(kFormats))];
  for (uint32_t i = 0; i < 4; ++i) {
    const Format f = one_in(2) ? shared : kFormats[below(std::size(kFormats))];
    if (i >= targets) {
      p_.set(US_OUT_FMT().OUT_FMT(15), i);
      continue;
    }
    p_.set(
        US_OUT_FMT().OUT_FMT(f.out).C0_SEL(below(4)).C1_SEL(below(4)).C2_SEL(below(4)).C3_SEL(below(4)).OUT_SIGN(one_in(5) ? below(16) : 0),
        i);
    p_.write(RB3D_COLOROFFSET::at(i), {&arena_.color[(i + rotation) % 4], 1});
    p_.set(RB3D_COLORPITCH{0}
               .COLORPITCH(((width_ + 63) & ~63u) >> 1)
               .COLORFORMAT(f.color)
               .COLORTILE(tiles && below(2))
               .COLORMICROTILE(tiles ? below(3) : 0)
               .COLORENDIAN(one_in(8) ? below(4) : 0),
           i);
  }
}

/// Mostly the same tiles from step to step; compression, the clear value and the enable change.
void Maker::fast_fill_state() {
  const uint32_t pitch = (width_ + 63) & ~63u;
  p_.set(ZB_BW_CNTL().FAST_FILL(!one_in(6)).RD_COMP_ENABLE(1).WR_COMP_ENABLE(!one_in(4)));
  const bool tiles = !samples_ || one_in(16);  // which samples do not have
  p_.set(ZB_DEPTHPITCH().DEPTHPITCH(pitch >> 2).DEPTHMICROTILE(!tiles ? 0 : one_in(8) ? below(3) : 1).DEPTHMACROTILE(tiles && one_in(6)));
  p_.set(ZB_DEPTHXY_OFFSET().DEPTHX_OFFSET(one_in(12) ? 16 : 0).DEPTHY_OFFSET(one_in(12) ? 16 : 0));
  p_.set(ZB_ZMASK_OFFSET().ZMASK_OFFSET(one_in(6) ? below(4) : 1));
  p_.set(ZB_ZMASK_PITCH{ZB_HIZ_PITCH().HIZ_PITCH((one_in(8) ? pitch + 16 * below(8) : pitch + 32) >> 4).raw});
  p_.set(GB_Z_PEQ_CONFIG().Z_PEQ_SIZE(below(2)));
  constexpr uint32_t kValues[] = {0xFFFFFFFF, 0xFFFFFF00, 0, 0x80008000};
  p_.set(ZB_DEPTHCLEARVALUE().DEPTHCLEARVALUE(one_in(4) ? word() : kValues[below(4)]));
  if (one_in(8)) p_.set(ZB_ZSTENCILCNTL().ZFUNC(ZB_ZSTENCILCNTL::ZFUNC__NEVER));
}

/// Several samples per pixel, linear surfaces; sometimes a resolve of them into another.
void Maker::sample_state() {
  if (one_in(10)) {
    p_.set(GB_AA_CONFIG());
  } else {
    p_.set(GB_AA_CONFIG().AA_ENABLE(1).NUM_AA_SUBSAMPLES(one_in(3) ? below(4) : 2));
  }
  const bool anywhere = one_in(3);
  const uint32_t range = anywhere ? 16 : 12;
  if (one_in(2) || anywhere) {
    p_.set(GB_MSPOS0()
               .MS_X0(below(range))
               .MS_Y0(below(range))
               .MS_X1(below(range))
               .MS_Y1(below(range))
               .MS_X2(below(range))
               .MS_Y2(below(range)));
    p_.set(GB_MSPOS1()
               .MS_X3(below(range))
               .MS_Y3(below(range))
               .MS_X4(below(range))
               .MS_Y4(below(range))
               .MS_X5(below(range))
               .MS_Y5(below(range)));
  } else {
    p_.set(GB_MSPOS0().MS_X0(4).MS_Y0(4).MS_X1(8).MS_Y1(8).MS_X2(2).MS_Y2(10));
    p_.set(GB_MSPOS1().MS_X3(10).MS_Y3(2).MS_X4(5).MS_Y4(9).MS_X5(9).MS_Y5(1));
  }
  if (one_in(6)) {
    const uint32_t door = word() & 0xFFFFFF;
    p_.write(SC_SCREENDOOR::offset, {&door, 1});
  }
  if (one_in(5)) p_.set(FG_ALPHA_FUNC().AM_EN(1).AF_EN(one_in(3)).AF_FUNC(below(8)).AF_EN_8BIT(1).AF_VAL(below(256)).AM_CFG(below(2)));
  if (color_mask_) {
    p_.set(RB3D_CCTL()
               .CMASK_ENABLE(!one_in(8))
               .AA_COMPRESSION_ENABLE(1)
               .WRITE_COMPRESSION_DISABLE(one_in(6))
               .INDEPENDENT_COLORFORMAT_ENABLE(below(2)));
    for (uint32_t i = 0; i < 4; ++i) {  // the same surface has the same mask, mostly
      p_.set(RB3D_CMASK_OFFSET{ZB_ZMASK_OFFSET().ZMASK_OFFSET(one_in(12) ? below(5) : (i + rotation_) % 4).raw}, i);
      p_.set(RB3D_CMASK_PITCH{ZB_HIZ_PITCH().HIZ_PITCH(one_in(12) ? below(6) : (width_ + 63) >> 6 << 2).raw}, i);
    }
    raw<RB3D_COLOR_CLEAR_VALUE>(word());
    raw<RB3D_COLOR_CLEAR_VALUE_AR>(word());
    raw<RB3D_COLOR_CLEAR_VALUE_GB>(word());
  }
  const uint32_t to = arena_.color[below(4)];
  p_.set(RB3D_AARESOLVE_CTL().AARESOLVE_MODE(one_in(4)).AARESOLVE_GAMMA(one_in(3)).AARESOLVE_ALPHA(!one_in(4)));
  p_.write(RB3D_AARESOLVE_OFFSET::offset, {&to, 1});
  p_.set(RB3D_AARESOLVE_PITCH().AARESOLVE_PITCH(((width_ + 63) & ~63u) >> 1));
}

/// State that the tiles leave to the reference, one at a time, in one of ten draws: what lies before and behind such a draw is queued.
void Maker::rare_state() {
  const uint32_t which = one_in(10) ? below(9) : 9;
  p_.set(SC_HYPERZ_EN().HZ_EN(which == 0));
  p_.set(VAP_TEX_TO_COLOR_CNTL{which == 1 ? word() & 0x77u : 0});
  if (which == 0) {
    p_.set(ZB_BW_CNTL()
               .HIZ_ENABLE(1)
               .HIZ_MIN(below(2))
               .HIZ_EQUAL_REJECT_ENABLE(below(2))
               .HIZ_FP_EXP_BITS(below(6))
               .HIZ_FP_INVERT(below(2))
               .FAST_FILL(fast_fill_)
               .RD_COMP_ENABLE(1)
               .WR_COMP_ENABLE(1));
    p_.set(ZB_HIZ_PITCH().HIZ_PITCH((width_ + 15) / 16));
    const uint32_t held[] = {0, 0x400, one_in(2) ? 0xFFFFFFFFu : one_in(2) ? word() : 0};
    p_.command(pm4::Op::N3D_CLEAR_HIZ, held);
  } else if (!fast_fill_) {
    p_.set(ZB_BW_CNTL().ZB_CB_CLEAR(which == 2));
  }
  if (which == 3) p_.set(GB_SELECT().W_SELECT(one_in(3)).DEPTH_SELECT(1));
  if (which == 4) p_.set(GB_SELECT().FOG_SELECT(below(7)).FOG_STUFF_ENABLE(1).FOG_STUFF_TEX(below(3)).FOG_STUFF_COMP(below(4)));
  if (which == 5) p_.set(US_W_FMT().W_FMT(below(3)).W_SRC(below(2)));
  if (which == 5) p_.set(RS_INST().TEX_ID(0).TEX_CN(1).TEX_ADDR(0).W_CN(below(2)), 0);
  if (which == 6) p_.set(RS_INST().TEX_ID(0).TEX_CN(1).TEX_ADDR(0).TEX_ADJ(1), 0);
  if (which == 7) p_.set(RS_INST_COUNT().INST_COUNT(2).TX_OFFSET(1 + below(7)));
  if (which == 7) p_.set(RS_IP().TEX_PTR_S(0).TEX_PTR_T(1).TEX_PTR_R(2).TEX_PTR_Q(3).OFFSET_EN(1), 0);
  if (which == 8) p_.set(GB_ENABLE().STENCIL_AUTO(2));
}

void Maker::clear_tiles() {
  if (color_mask_ && !(fast_fill_ && one_in(2))) {
    const uint32_t all[] = {0, 0x3FFF, one_in(4) ? 0x55555555u : 0u}, part[] = {below(70), below(40), one_in(3) ? word() : 0};
    if (one_in(3)) p_.command(pm4::Op::N3D_CLEAR_CMASK, all);
    if (one_in(3)) p_.command(pm4::Op::N3D_CLEAR_CMASK, part);
    return;
  }
  const uint32_t all[] = {0, 0x3FFF, 0}, part[] = {below(300), below(300), one_in(3) ? word() : 0};
  if (one_in(2)) return p_.command(pm4::Op::N3D_CLEAR_ZMASK, all);
  if (one_in(2)) p_.command(pm4::Op::N3D_CLEAR_ZMASK, part);
  if (one_in(4)) p_.command(one_in(2) ? pm4::Op::N3D_CLEAR_HIZ : pm4::Op::N3D_CLEAR_CMASK, part);
}

void Maker::texture_state() {
  // Sizes that fit into the arena with mips, whatever the format.
  using F = TX_FILTER0;
  const uint32_t log_w = below(5), log_h = below(5);
  p_.set(F().CLAMP_S(below(8)).CLAMP_T(below(8)).CLAMP_R(below(8)).MAG_FILTER(1 + below(2)).MIN_FILTER(1 + below(2)).MIP_FILTER(below(3)));
  p_.set(TX_FILTER1());
  p_.set(TX_FORMAT0().TXWIDTH((1u << log_w) - 1).TXHEIGHT((1u << log_h) - 1).NUM_LEVELS(std::max(log_w, log_h)));
  p_.set(TX_FORMAT1()
             .TXFORMAT(one_in(3) ? below(32) : TX_FORMAT1::TXFORMAT__N8_8_8_8)
             .SEL_RED(below(6))
             .SEL_GREEN(below(6))
             .SEL_BLUE(below(6))
             .SEL_ALPHA(below(6)));
  p_.set(TX_FORMAT2());
  p_.set(TX_OFFSET{one_in(3) ? arena_.color[below(4)] : arena_.texture});
  raw<TX_BORDER_COLOR>(word());
  p_.set(TX_ENABLE().TEX_0_ENABLE(!one_in(8)));
}

std::array<uint32_t, 6> tex_to(uint32_t op, uint32_t src, uint32_t dst) {
  const auto cmn = US_CMN_INST().TYPE(3).TEX_SEM_WAIT(1).RGB_WMASK(7).ALPHA_WMASK(1);
  const auto inst = US_TEX_INST().INST(op).TEX_SEM_ACQUIRE(1);
  const auto addr = US_TEX_ADDR()
                        .SRC_ADDR(src)
                        .SRC_S_SWIZ(0)
                        .SRC_T_SWIZ(1)
                        .SRC_R_SWIZ(2)
                        .SRC_Q_SWIZ(3)
                        .DST_ADDR(dst)
                        .DST_R_SWIZ(0)
                        .DST_G_SWIZ(1)
                        .DST_B_SWIZ(2)
                        .DST_A_SWIZ(3);
  return {cmn.raw, inst.raw, addr.raw, 0, 0, 0};
}

/// OUT of a temp to a target, without LAST. `from` is {temp, whether depth is written}: in braces, so that random numbers are drawn in the
/// same order whatever the compiler.
struct From {
  uint32_t temp;
  bool depth;
};
std::array<uint32_t, 6> out_to(From from, uint32_t target) {
  const auto [temp, depth] = from;
  auto s = out_slot(temp);
  s[0] = US_CMN_INST{s[0]}.LAST(0).raw;
  s[3] = US_ALU_RGB_INST{s[3]}.TARGET(target).raw;
  s[4] = US_ALU_ALPHA_INST{s[4]}.TARGET(target).W_OMASK(depth).raw;
  return s;
}

void Maker::program() {
  std::vector<std::array<uint32_t, 6>> slots;
  if (one_in(4)) {  // the same colours everywhere
    p_.append(us_constants(0, {{bits(attribute()), bits(attribute()), bits(attribute()), bits(attribute())}}));
    auto s = out_slot(0);
    s[1] = US_ALU_RGB_ADDR{s[1]}.ADDR0_CONST(1).raw;
    s[2] = US_ALU_ALPHA_ADDR{s[2]}.ADDR0_CONST(1).raw;
    p_.append(fragment_program({s}, 4));
    return;
  }
  if (!simple_ && one_in(4)) slots.push_back(tex_to(US_TEX_INST::INST__TEXKILL, below(3), 0));
  if (one_in(simple_ ? 6 : 2)) {
    texture_state();
    slots.push_back(tex_to(US_TEX_INST::INST__LD, below(3), 3));
    slots.push_back(out_to({3, false}, 0));
  } else {
    slots.push_back(out_to({below(3), !simple_ && one_in(3)}, 0));
  }
  if (one_in(2)) slots.push_back(out_to({below(4), !simple_ && one_in(4)}, 1));
  if (one_in(4)) {
    const uint32_t temp = below(4);
    slots.push_back(out_to({temp, false}, 2 + below(2)));
  }
  slots.back()[0] = US_CMN_INST{slots.back()[0]}.LAST(1).raw;
  p_.append(fragment_program(slots, 4));
}

void Maker::draw() {
  constexpr uint32_t kTypes[] = {Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_TYPE__TRIANGLE_STRIP,
                                 Vf::PRIM_TYPE__TRIANGLE_FAN,  Vf::PRIM_TYPE__LINE_LIST,     Vf::PRIM_TYPE__LINE_STRIP,
                                 Vf::PRIM_TYPE__POINT_LIST,    Vf::PRIM_TYPE__QUAD_LIST};
  const uint32_t count = 3 + below(10);
  if (one_in(5)) {  // a clear: everything, flat
    const float w = static_cast<float>(width_), h = static_cast<float>(height_), z = static_cast<float>(below(65536)) / 65535;
    std::vector<uint32_t> quad{Vf().PRIM_TYPE(Vf::PRIM_TYPE__QUAD_LIST).PRIM_WALK(3).NUM_VERTICES(4).raw};
    for (const auto& [x, y] : {std::pair{0.0f, 0.0f}, {w, 0.0f}, {w, h}, {0.0f, h}}) {
      for (const float v : {x, y, z, 1.0f}) quad.push_back(bits(v));
      for (uint32_t k = 0; k < 8; ++k) quad.push_back(bits(0.25f));
    }
    return p_.command(pm4::Op::N3D_DRAW_IMMD_2, quad);
  }
  if (one_in(4)) return mesh();
  std::vector<uint32_t> payload{Vf().PRIM_TYPE(kTypes[below(std::size(kTypes))]).PRIM_WALK(3).NUM_VERTICES(count).raw};
  const bool tiny = one_in(3), flat_w = one_in(2), even = one_in(3), flat = one_in(simple_ ? 2 : 4);
  const float x0 = coordinate(static_cast<float>(width_)), y0 = coordinate(static_cast<float>(height_));
  std::array<float, 8> same;
  for (float& v : same) v = attribute();
  for (uint32_t i = 0; i < count; ++i) {
    const float x = tiny ? x0 + static_cast<float>(below(96)) / 16 : coordinate(static_cast<float>(width_));
    const float y = tiny ? y0 + static_cast<float>(below(96)) / 16 : coordinate(static_cast<float>(height_));
    const float z = one_in(16) ? attribute() : static_cast<float>(below(65536)) / 65535;
    const float w = flat_w ? 1.0f : one_in(12) ? attribute() : 0.1f + static_cast<float>(below(1000)) / 250;
    for (const float v : {x, y, z, w}) payload.push_back(bits(v));
    for (uint32_t k = 0; k < 8; ++k) payload.push_back(bits(flat || (even && k % 3) ? same[k] : attribute()));
  }
  p_.command(pm4::Op::N3D_DRAW_IMMD_2, payload);
}

/// Small triangles side by side, some of them twice: blocks are covered by several, most pixels by one.
void Maker::mesh() {
  const uint32_t across = 1 + below(6), down = 1 + below(6);
  const float cell = 1 + static_cast<float>(below(96)) / 16, jitter = one_in(3) ? 0 : cell * static_cast<float>(below(8)) / 8;
  const float x0 = coordinate(static_cast<float>(width_)), y0 = coordinate(static_cast<float>(height_));
  const bool flat_w = one_in(2), flat_z = one_in(3);
  const float z0 = static_cast<float>(below(65536)) / 65535;
  std::array<float, 8> same;
  for (float& v : same) v = attribute();
  const uint32_t constant = one_in(4) ? 255 : below(256);  // attributes that all share
  std::vector<std::array<uint32_t, 12>> vertex;
  for (uint32_t y = 0; y <= down; ++y)
    for (uint32_t x = 0; x <= across; ++x) {
      auto& v = vertex.emplace_back();
      v[0] = bits(x0 + cell * static_cast<float>(x) + jitter * static_cast<float>(below(17)) / 16);
      v[1] = bits(y0 + cell * static_cast<float>(y) + jitter * static_cast<float>(below(17)) / 16);
      v[2] = bits(flat_z ? z0 : static_cast<float>(below(65536)) / 65535);
      v[3] = bits(flat_w ? 1.0f : 0.1f + static_cast<float>(below(1000)) / 250);
      for (uint32_t k = 0; k < 8; ++k) v[4 + k] = bits(constant >> k & 1 ? same[k] : attribute());
    }
  std::vector<uint32_t> index;
  for (uint32_t y = 0; y < down; ++y)
    for (uint32_t x = 0; x < across; ++x) {
      const uint32_t a = y * (across + 1) + x, b = a + across + 1;
      const bool turned = one_in(8);
      for (const uint32_t i : {a, turned ? a + 1 : b, turned ? b : a + 1, a + 1, b, b + 1}) index.push_back(i);
      if (one_in(8)) index.insert(index.end(), {a, b, a + 1});
    }
  const auto count = static_cast<uint32_t>(index.size());
  std::vector<uint32_t> payload{Vf().PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(3).NUM_VERTICES(count).raw};
  for (const uint32_t i : index) payload.insert(payload.end(), vertex[i].begin(), vertex[i].end());
  p_.command(pm4::Op::N3D_DRAW_IMMD_2, payload);
}

Packets Maker::make() {
  width_ = 4 + below(one_in(4) ? 180 : 60);
  height_ = 4 + below(one_in(4) ? 120 : 60);
  plain_depth_ = one_in(3);
  depth_format_ = one_in(2) ? ZB_FORMAT::DEPTHFORMAT__N16_BIT_INTEGER : ZB_FORMAT::DEPTHFORMAT__N24_BIT_INTEGER_8_BIT_STENCIL;
  fast_fill_ = one_in(3);
  samples_ = one_in(3);
  simple_ = one_in(4);
  color_mask_ = samples_ && one_in(2);
  if (samples_) {
    width_ = std::min(width_, 64u), height_ = std::min(height_, 64u);
  }
  constexpr uint32_t kFuncs[] = {ZB_ZSTENCILCNTL::ZFUNC__LESS, ZB_ZSTENCILCNTL::ZFUNC__LESS_OR_EQUAL, ZB_ZSTENCILCNTL::ZFUNC__GREATER,
                                 ZB_ZSTENCILCNTL::ZFUNC__GREATER_OR_EQUAL};
  depth_func_ = kFuncs[below(4)];
  base_state();
  for (uint32_t steps = 1 + below(plain_depth_ ? 8 : 4); steps; --steps) {
    raster_state();
    output_state();
    if (fast_fill_) fast_fill_state();
    if (samples_) sample_state();
    rare_state();
    program();
    for (uint32_t draws = 1 + below(3); draws; --draws) {
      if (fast_fill_ || color_mask_) clear_tiles();
      draw();
    }
    const uint32_t address = arena_.results + 4 * steps;
    p_.write(ZB_ZPASS_ADDR::offset, {&address, 1});
  }
  return p_;
}

}  // namespace

Arena::Arena(Chip& chip) {
  for (uint32_t& c : color) c = chip.allocate(kDwords * 4);  // up to 16 bytes per pixel
  depth = chip.allocate(kDwords);
  texture = chip.allocate(0x8000);
  results = chip.allocate(64);
}

void Arena::fill(Chip& chip, uint32_t seed) const {
  uint32_t v = seed * 0x9E3779B9u + 1;
  const auto noise = [&](uint32_t at, size_t dwords) {
    uint32_t* p = chip.memory(at);
    for (size_t i = 0; i < dwords; ++i) p[i] = v = v * 1664525u + 1013904223u;
  };
  for (const uint32_t c : color) noise(c, kDwords * 4);
  noise(depth, kDwords);
  noise(texture, 0x8000);
  noise(results, 64);
}

Packets random_case(uint32_t seed, const Arena& arena) { return Maker(seed, arena).make(); }

}  // namespace pumice::hw::test
