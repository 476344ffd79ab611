// SPDX-License-Identifier: MIT
#include "icd/meta.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace pumice::icd {
namespace {

using Slot = std::array<uint32_t, 6>;

/// OUT to target 0..3 of temp 0 or of constant 0: MAX(x, x) without output modifier, the canonical copy (us-isa A5).
constexpr Slot copy_out(bool constant, uint32_t target, uint32_t write_mask) {
  using Cmn = regs::US_CMN_INST;
  using Rgb = regs::US_ALU_RGB_ADDR;
  using Alpha = regs::US_ALU_ALPHA_ADDR;
  using RgbInst = regs::US_ALU_RGB_INST;
  using AlphaInst = regs::US_ALU_ALPHA_INST;
  using Rgba = regs::US_ALU_RGBA_INST;
  Cmn cmn;
  cmn.TYPE(Cmn::TYPE__OUTPUT).TEX_SEM_WAIT(1).LAST(1).RGB_OMASK(write_mask & Cmn::RGB_OMASK__RGB).ALPHA_OMASK(write_mask >> 3);
  // Source 0: the register.
  Rgb rgb;
  rgb.ADDR0(0).ADDR0_CONST(constant).ADDR1(Rgb::ADDR1__INLINE_ZERO).ADDR2(Rgb::ADDR2__INLINE_ZERO);
  Alpha alpha;
  alpha.ADDR0(0).ADDR0_CONST(constant).ADDR1(Alpha::ADDR1__INLINE_ZERO).ADDR2(Alpha::ADDR2__INLINE_ZERO);
  RgbInst ri;
  ri.RGB_SEL_A(RgbInst::RGB_SEL_A__SRC0)
      .RED_SWIZ_A(RgbInst::RED_SWIZ_A__R)
      .GREEN_SWIZ_A(RgbInst::GREEN_SWIZ_A__G)
      .BLUE_SWIZ_A(RgbInst::BLUE_SWIZ_A__B)
      .RGB_SEL_B(RgbInst::RGB_SEL_B__SRC0)
      .RED_SWIZ_B(RgbInst::RED_SWIZ_B__R)
      .GREEN_SWIZ_B(RgbInst::GREEN_SWIZ_B__G)
      .BLUE_SWIZ_B(RgbInst::BLUE_SWIZ_B__B)
      .OMOD(RgbInst::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP)
      .TARGET(target);
  AlphaInst ai;
  ai.ALPHA_OP(AlphaInst::ALPHA_OP__MAX)
      .ALPHA_SEL_A(AlphaInst::ALPHA_SEL_A__SRC0)
      .ALPHA_SWIZ_A(AlphaInst::ALPHA_SWIZ_A__A)
      .ALPHA_SEL_B(AlphaInst::ALPHA_SEL_B__SRC0)
      .ALPHA_SWIZ_B(AlphaInst::ALPHA_SWIZ_B__A)
      .OMOD(AlphaInst::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP)
      .TARGET(target);
  Rgba ci;
  ci.RGB_OP(Rgba::RGB_OP__MAX)
      .RED_SWIZ_C(Rgba::RED_SWIZ_C__N0_0)
      .GREEN_SWIZ_C(Rgba::GREEN_SWIZ_C__N0_0)
      .BLUE_SWIZ_C(Rgba::BLUE_SWIZ_C__N0_0)
      .ALPHA_SWIZ_C(Rgba::ALPHA_SWIZ_C__N0_0);
  return {cmn.raw, rgb.raw, alpha.raw, ri.raw, ai.raw, ci.raw};
}

/// LD unit 0 at temp 0's (s, t, r) into temp 0.
constexpr Slot texel() {
  using Cmn = regs::US_CMN_INST;
  using Inst = regs::US_TEX_INST;
  using Addr = regs::US_TEX_ADDR;
  Cmn cmn;
  cmn.TYPE(Cmn::TYPE__TEXTURE).TEX_SEM_WAIT(1).RGB_WMASK(Cmn::RGB_WMASK__RGB).ALPHA_WMASK(1);
  Inst inst;
  inst.TEX_ID(0).INST(Inst::INST__LD).TEX_SEM_ACQUIRE(1);
  Addr addr;
  addr.SRC_ADDR(0)
      .SRC_S_SWIZ(Addr::SRC_S_SWIZ__R)
      .SRC_T_SWIZ(Addr::SRC_T_SWIZ__G)
      .SRC_R_SWIZ(Addr::SRC_R_SWIZ__B)
      .SRC_Q_SWIZ(Addr::SRC_Q_SWIZ__A)
      .DST_ADDR(0)
      .DST_R_SWIZ(Addr::DST_R_SWIZ__R)
      .DST_G_SWIZ(Addr::DST_G_SWIZ__G)
      .DST_B_SWIZ(Addr::DST_B_SWIZ__B)
      .DST_A_SWIZ(Addr::DST_A_SWIZ__A);
  return {cmn.raw, inst.raw, addr.raw, 0, 0, 0};
}

constexpr std::array<Slot, 1> kNoOutput = {copy_out(true, 0, 0)};

/// out[i] = in[i] + 0 (pvs-isa s.4: MOV).
constexpr std::array<uint32_t, 4> move(uint32_t out, uint32_t in) {
  using Dst = regs::PVS_INST_DST;
  using Src = regs::PVS_INST_SRC;
  Dst dst;
  dst.PVS_DST_OPCODE(Dst::PVS_DST_OPCODE__ADD)
      .PVS_DST_REG_TYPE(Dst::PVS_DST_REG_TYPE__OUTPUT)
      .PVS_DST_OFFSET(out)
      .PVS_DST_WE_X(1)
      .PVS_DST_WE_Y(1)
      .PVS_DST_WE_Z(1)
      .PVS_DST_WE_W(1);
  Src a;
  a.PVS_SRC_REG_TYPE(Src::PVS_SRC_REG_TYPE__INPUT)
      .PVS_SRC_OFFSET(in)
      .PVS_SRC_SWIZZLE_X(Src::PVS_SRC_SWIZZLE_X__X)
      .PVS_SRC_SWIZZLE_Y(Src::PVS_SRC_SWIZZLE_Y__Y)
      .PVS_SRC_SWIZZLE_Z(Src::PVS_SRC_SWIZZLE_Z__Z)
      .PVS_SRC_SWIZZLE_W(Src::PVS_SRC_SWIZZLE_W__W);
  Src zero = a;
  zero.PVS_SRC_SWIZZLE_X(Src::PVS_SRC_SWIZZLE_X__N0_0)
      .PVS_SRC_SWIZZLE_Y(Src::PVS_SRC_SWIZZLE_Y__N0_0)
      .PVS_SRC_SWIZZLE_Z(Src::PVS_SRC_SWIZZLE_Z__N0_0)
      .PVS_SRC_SWIZZLE_W(Src::PVS_SRC_SWIZZLE_W__N0_0);
  return {dst.raw, a.raw, zero.raw, zero.raw};
}

}  // namespace

std::span<const Slot> meta_no_output() { return kNoOutput; }

Meta::Meta(RadeonDevice&) {}

void Meta::draw(CommandBuffer& c, const MetaDraw& d, std::span<const MetaRect> rects) const {
  if (rects.empty()) return;
  const UncountedDraws uncounted(c);
  Cs& cs = c.cs;
  emit_fixed_registers(cs);

  // Vertices come in window coordinates: no clipping, no viewport.
  cs.state(regs::VAP_CNTL{}.PVS_NUM_SLOTS(10).PVS_NUM_CNTLRS(5).PVS_NUM_FPUS(8).VF_MAX_VTX_NUM(12).DX_CLIP_SPACE_DEF(
      regs::VAP_CNTL::DX_CLIP_SPACE_DEF__DIRECTX_0_Z_W));
  using Vte = regs::VAP_VTE_CNTL;
  cs.state(Vte{}
               .VTX_XY_FMT(Vte::VTX_XY_FMT__PRE_DIVIDED)
               .VTX_Z_FMT(Vte::VTX_Z_FMT__PRE_DIVIDED)
               .VTX_W0_FMT(Vte::VTX_W0_FMT__INPUT_IS_W_HARDWARE_TAKES_RECIPROCAL));
  const compiler::Varying coordinate{0, 4, 0, false, false};
  emit_output_format(cs, false, {&coordinate, d.texture ? 1u : 0u});
  cs.state(regs::VAP_CLIP_CNTL{}.CLIP_DISABLE(1));
  StreamElement elements[2];
  elements[0].type = elements[1].type = regs::VAP_PROG_STREAM_CNTL::DATA_TYPE_0__FLOAT_4;
  elements[1].reg = 1;
  emit_stream(cs, {elements, d.texture ? 2u : 1u});
  const std::array<uint32_t, 4> pvs[2] = {move(0, 0), move(1, 1)};
  const uint32_t moves = d.texture ? 2 : 1;
  emit_pvs_code(cs, {pvs, moves});
  emit_pvs_window(cs, moves);
  cs.state(regs::VAP_PVS_FLOW_CNTL_OPC{});
  if (cs.chip().has_index_offset) cs.state(regs::VAP_INDEX_OFFSET{});
  cs.state(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(0xFFFFFF));

  using Shading = regs::GA_COLOR_CONTROL;
  cs.state(Shading{}.RGB0_SHADING(Shading::RGB0_SHADING__GOURAUD).ALPHA0_SHADING(Shading::ALPHA0_SHADING__GOURAUD));
  if (cs.chip().has_shader_model_3)
    cs.state(regs::GA_COLOR_CONTROL_PS3{}.TEX0_SHADING_PS3(regs::GA_COLOR_CONTROL_PS3::TEX0_SHADING_PS3__GOURAUD));
  cs.state(regs::GB_ENABLE{});
  if (cs.chip().has_shader_model_3) cs.state(regs::PS3_TEX_SOURCE{});
  cs.state(regs::GA_POLY_MODE{});
  cs.state(regs::SU_CULL_MODE{});
  cs.state(regs::SU_POLY_OFFSET_ENABLE{});
  // No larger than the rectangles: the chip derives the memory a draw may access from the scissor.
  const float extent = static_cast<float>(cs.chip().raster_extent);
  float x0 = extent, y0 = extent, x1 = 0, y1 = 0;
  for (const MetaRect& r : rects) {
    x0 = std::min({x0, r.x0, r.x1}), x1 = std::max({x1, r.x0, r.x1});
    y0 = std::min({y0, r.y0, r.y1}), y1 = std::max({y1, r.y0, r.y1});
  }
  const auto pixel = [extent](float v) { return static_cast<int32_t>(std::clamp(v, 0.0f, extent)); };
  emit_scissor(cs, pixel(std::floor(x0)), pixel(std::floor(y0)), pixel(std::ceil(x1)), pixel(std::ceil(y1)));
  cs.state(regs::SC_SCREENDOOR{}.SCREENDOOR(0xFFFFFF));

  const bool levels = cs.chip().us_slots == 0;
  if (levels) {
    const RoutedSet set{4, 0};
    emit_rs_sets(cs, {&set, d.texture ? 1u : 0u});
    emit_us_levels(cs, meta_levels(d.texture != nullptr, d.color_slot, d.color_format ? 0xF : 0), 1);
    if (!d.texture) emit_us_levels_constants(cs, 0, d.constant);
  } else {
    cs.state(regs::RS_COUNT{}.IT_COUNT(d.texture ? 4 : 0));
    cs.state(regs::RS_IP{}.TEX_PTR_S(0).TEX_PTR_T(1).TEX_PTR_R(2).TEX_PTR_Q(3), 0);
    cs.state(regs::RS_INST_COUNT{}.INST_COUNT(0));
    cs.state(regs::RS_INST{}.TEX_CN(d.texture != nullptr), 0);

    std::vector<Slot> us;
    if (d.texture) us.push_back(texel());
    us.push_back(copy_out(!d.texture, d.color_slot, d.color_format ? 0xF : 0));
    emit_us_code(cs, us);
    emit_us_window(cs, static_cast<uint32_t>(us.size()), 1, false);
    if (!d.texture) emit_us_constants(cs, 0, d.constant);
  }
  if (d.texture) {
    cs.set(regs::TX_INVALTAGS{});
    emit_texture(cs, 0, *d.texture);
    cs.state(regs::TX_ENABLE{}.TEX_0_ENABLE(1));
  }
  for (uint32_t i = 0; i < cs.chip().color_targets; ++i) emit_out_format(cs, i, i == d.color_slot ? d.color_format : nullptr);
  if (d.raw_output && d.color_format) {
    using Out = regs::US_OUT_FMT;
    cs.state(Out{}
                 .OUT_FMT(d.color_format->out_fmt)
                 .C0_SEL(Out::C0_SEL__RED)
                 .C1_SEL(Out::C1_SEL__GREEN)
                 .C2_SEL(Out::C2_SEL__BLUE)
                 .C3_SEL(Out::C3_SEL__ALPHA),
             d.color_slot);
  }
  cs.state(regs::US_W_FMT{});
  cs.state(regs::FG_ALPHA_FUNC{});
  cs.state(regs::FG_DEPTH_SRC{});

  if (d.expand_depth) cs.state(regs::ZB_BW_CNTL{}.FAST_FILL(1).RD_COMP_ENABLE(1));
  const bool depth = d.depth_format && (d.write_depth || d.write_stencil);
  using Z = regs::ZB_ZSTENCILCNTL;
  cs.state(regs::ZB_CNTL{}.Z_ENABLE(depth && d.write_depth).ZWRITEENABLE(depth && d.write_depth).STENCIL_ENABLE(depth && d.write_stencil));
  cs.state(Z{}.ZFUNC(d.expand_depth ? Z::ZFUNC__NEVER : Z::ZFUNC__ALWAYS)
               .STENCILFUNC(Z::STENCILFUNC__ALWAYS)
               .STENCILFAIL(Z::STENCILFAIL__REPLACE)
               .STENCILZPASS(Z::STENCILZPASS__REPLACE)
               .STENCILZFAIL(Z::STENCILZFAIL__REPLACE));
  cs.state(regs::ZB_STENCILREFMASK{}.STENCILREF(d.stencil & 0xFF).STENCILMASK(0xFF).STENCILWRITEMASK(0xFF));
  cs.state(regs::ZB_ZTOP{}.ZTOP(1));

  emit_color_control(cs, d.emit_surfaces ? d.color_masked : c.gfx.color_mask.on);
  regs::RB3D_COLOR_CHANNEL_MASK mask;
  mask.raw = d.color_format ? d.color_mask << (4 * d.color_slot) : 0;
  cs.state(mask);
  cs.state(regs::RB3D_BLENDCNTL{});
  cs.state(regs::RB3D_ABLENDCNTL{});
  cs.state(regs::RB3D_ROPCNTL{}.ROP(regs::RB3D_ROPCNTL::ROP__SRC));
  if (d.emit_surfaces) {
    emit_barrier(cs);
    emit_samples(cs, d.color_format ? d.color.samples : d.depth.samples);
    if (d.resolve) emit_resolve(cs, *d.color_format, *d.resolve);
    if (d.color_format) emit_color_surface(cs, d.color_slot, *d.color_format, d.color);
    if (d.color_masked) emit_color_mask(cs, d.color_slot, d.color, d.mask_first);
    if (d.depth_format) emit_depth_surface(cs, *d.depth_format, d.depth, false);
    cs.state(regs::SC_CLIP_RULE{}.CLIP_RULE(0xFFFF));
  }

  // Two triangles a rectangle, vertices in the packet. Of several samples pixels on the diagonal would be covered in part by each: a
  // triangle twice as large then, which the scissor cuts, if there is one rectangle.
  const bool once = rects.size() == 1 && !d.texture && (d.emit_surfaces ? std::max(d.color.samples, d.depth.samples) : c.gfx.samples) > 1;
  const uint32_t per_vertex = d.texture ? 8 : 4;
  cs.state(regs::VAP_VTX_SIZE{}.DWORDS_PER_VTX(per_vertex));
  for (const MetaRect& r : rects) {
    std::vector<uint32_t> p;
    p.push_back(regs::VAP_VF_CNTL{}
                    .PRIM_TYPE(regs::VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST)
                    .PRIM_WALK(regs::VAP_VF_CNTL::PRIM_WALK__VERTICES_IN_STREAM)
                    .NUM_VERTICES(once ? 3 : 6)
                    .raw);
    const auto vertex = [&](bool right, bool lower) {
      const float far_x = once ? 2 * r.x1 - r.x0 : r.x1, far_y = once ? 2 * r.y1 - r.y0 : r.y1;
      for (float v : {right ? far_x : r.x0, lower ? far_y : r.y0, r.z, 1.0f}) p.push_back(std::bit_cast<uint32_t>(v));
      if (d.texture)
        for (float v : {right ? r.s1 : r.s0, lower ? r.t1 : r.t0, r.r, 1.0f}) p.push_back(std::bit_cast<uint32_t>(v));
    };
    vertex(false, false);
    vertex(true, false);
    vertex(false, true);
    if (!once) {
      vertex(false, true);
      vertex(true, false);
      vertex(true, true);
    }
    cs.packet(pm4::Op::N3D_DRAW_IMMD_2, p);
  }
  if (d.emit_surfaces) emit_barrier(cs);
  if (d.resolve) cs.state(regs::RB3D_AARESOLVE_CTL{});
  c.gfx.program = nullptr;
  c.gfx.set_dirty(kAllDirty);
}

}  // namespace pumice::icd
