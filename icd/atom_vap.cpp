// SPDX-License-Identifier: MIT
/// VAP: vertex streams, viewport, clipping, output format (pipeline s.2, pvs-isa s.10, s.11).
#include <algorithm>
#include <cmath>

#include "icd/atoms.h"
#include "icd/vertex_input.h"

namespace pumice::icd {
namespace {

bool fills_triangles(const FixedState& f) {
  return f.topology >= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST && f.polygon_mode == VK_POLYGON_MODE_FILL;
}

}  // namespace

float guard_band(const hw::Capabilities& chip, bool fills_triangles, uint32_t samples, float scale, float offset) {
  // Points and lines are clipped exactly: what of them lies outside the volume must not be drawn although the scissor would let it.
  if (!fills_triangles || scale == 0) return 1.0f;
  // So are triangles of several samples when the viewport ends inside pixels, some of whose samples it has.
  if (samples > 1 && (std::floor(offset - scale) != offset - scale || std::floor(offset + scale) != offset + scale)) return 1.0f;
  return std::max(1.0f, (static_cast<float>(chip.guard_band) - std::fabs(offset)) / std::fabs(scale));
}

void emit_stream(Cs& cs, std::span<const StreamElement> elements) {
  using P = regs::VAP_PROG_STREAM_CNTL;
  using X = regs::VAP_PROG_STREAM_CNTL_EXT;
  for (size_t i = 0; i < elements.size(); i += 2) {
    P p;
    X x;
    const StreamElement& a = elements[i];
    p.DATA_TYPE_0(a.type).DST_VEC_LOC_0(a.reg).SIGNED_0(a.is_signed).NORMALIZE_0(a.normalize).LAST_VEC_0(i + 1 == elements.size());
    x.SWIZZLE_SELECT_X_0(a.select[0])
        .SWIZZLE_SELECT_Y_0(a.select[1])
        .SWIZZLE_SELECT_Z_0(a.select[2])
        .SWIZZLE_SELECT_W_0(a.select[3])
        .WRITE_ENA_0(0xF);
    if (i + 1 < elements.size()) {
      const StreamElement& b = elements[i + 1];
      p.DATA_TYPE_1(b.type).DST_VEC_LOC_1(b.reg).SIGNED_1(b.is_signed).NORMALIZE_1(b.normalize).LAST_VEC_1(i + 2 == elements.size());
      x.SWIZZLE_SELECT_X_1(b.select[0])
          .SWIZZLE_SELECT_Y_1(b.select[1])
          .SWIZZLE_SELECT_Z_1(b.select[2])
          .SWIZZLE_SELECT_W_1(b.select[3])
          .WRITE_ENA_1(0xF);
    }
    cs.state(p, static_cast<uint32_t>(i / 2));
    cs.state(x, static_cast<uint32_t>(i / 2));
  }
  // Method 1 everywhere: v / (2^(n-1) - 1), clamped at -1, which is Vulkan's SNORM.
  regs::VAP_PSC_SGN_NORM_CNTL norm;
  norm.raw = 0x55555555u;
  cs.state(norm);
}

void emit_output_format(Cs& cs, bool point_size, std::span<const compiler::Varying> varyings) {
  regs::VAP_OUT_VTX_FMT_0 f0;
  regs::VAP_OUT_VTX_FMT_1 f1;
  regs::PS3_VTX_FMT ps3;
  f0.VTX_POS_PRESENT(1).VTX_PT_SIZE_PRESENT(point_size);
  regs::VAP_CLIP_CNTL clip;
  for (const compiler::Varying& v : varyings) {
    // Fields of the same width in a row: the one of set n is 3n bits up.
    const uint32_t set = chip_set(v.texcoord, varyings.size());
    if (set < 8) f1.raw |= uint32_t{v.components} << (3 * set);
    ps3.raw |= uint32_t{v.components} << (3 * set);
    // Sets 8 and 9 travel as colours 2 and 3.
    if (set == 8) {
      f0.VTX_COLOR_2_PRESENT(1);
      clip.COLOR2_IS_TEXTURE(1);
    }
    if (set == 9) {
      f0.VTX_COLOR_3_PRESENT(1);
      clip.COLOR3_IS_TEXTURE(1);
    }
  }
  cs.state(f0);
  cs.state(f1);
  if (cs.chip().has_shader_model_3) cs.state(ps3);
  cs.state(clip);
  regs::GB_VAP_RASTER_VTX_FMT_0 r0;
  r0.POS_PRESENT(1).PT_SIZE_PRESENT(point_size).COLOR_2_PRESENT(f0.VTX_COLOR_2_PRESENT()).COLOR_3_PRESENT(f0.VTX_COLOR_3_PRESENT());
  regs::GB_VAP_RASTER_VTX_FMT_1 r1;
  r1.raw = f1.raw;
  cs.state(r0);
  cs.state(r1);
}

void atom_vap(Cs& cs, const GfxState& g) {
  const FixedState& f = g.pipeline->fixed;
  // Slots, controllers and engines are performance only; the numbers are R520's.
  cs.state(regs::VAP_CNTL{}.PVS_NUM_SLOTS(10).PVS_NUM_CNTLRS(5).PVS_NUM_FPUS(8).VF_MAX_VTX_NUM(12).DX_CLIP_SPACE_DEF(1).VAP_NO_RENDER(
      f.discard && cs.chip().has_vap_no_render));
  cs.state(regs::VAP_VTE_CNTL{}
               .VPORT_X_SCALE_ENA(1)
               .VPORT_X_OFFSET_ENA(1)
               .VPORT_Y_SCALE_ENA(1)
               .VPORT_Y_OFFSET_ENA(1)
               .VPORT_Z_SCALE_ENA(1)
               .VPORT_Z_OFFSET_ENA(1)
               .VTX_W0_FMT(1));
  const VkViewport& v = g.viewport;
  const float xs = v.width * 0.5f, xo = v.x + xs, ys = v.height * 0.5f, yo = v.y + ys;
  cs.state_float<regs::VAP_VPORT_XSCALE>(xs);
  cs.state_float<regs::VAP_VPORT_XOFFSET>(xo);
  cs.state_float<regs::VAP_VPORT_YSCALE>(ys);
  cs.state_float<regs::VAP_VPORT_YOFFSET>(yo);
  cs.state_float<regs::VAP_VPORT_ZSCALE>(v.maxDepth - v.minDepth);
  cs.state_float<regs::VAP_VPORT_ZOFFSET>(v.minDepth);
  cs.state_float<regs::VAP_GB_HORZ_CLIP_ADJ>(guard_band(cs.chip(), fills_triangles(f), f.samples, xs, xo));
  cs.state_float<regs::VAP_GB_HORZ_DISC_ADJ>(1.0f);
  cs.state_float<regs::VAP_GB_VERT_CLIP_ADJ>(guard_band(cs.chip(), fills_triangles(f), f.samples, ys, yo));
  cs.state_float<regs::VAP_GB_VERT_DISC_ADJ>(1.0f);
  emit_output_format(cs, g.program->vertex.writes_point_size, g.program->varyings);
  emit_stream(cs, stream_elements(f, *g.program, cs.chip()));
}

void emit_fixed_registers(Cs& cs) {
  cs.state(regs::VAP_CNTL_STATUS{});
  cs.state(regs::VAP_VTX_STATE_CNTL{}
               .COLOR_0_ASSEMBLY_CNTL(1)
               .COLOR_1_ASSEMBLY_CNTL(1)
               .COLOR_2_ASSEMBLY_CNTL(1)
               .COLOR_3_ASSEMBLY_CNTL(1)
               .COLOR_4_ASSEMBLY_CNTL(1)
               .COLOR_5_ASSEMBLY_CNTL(1)
               .COLOR_6_ASSEMBLY_CNTL(1)
               .COLOR_7_ASSEMBLY_CNTL(1));
  cs.state(regs::VAP_VF_MIN_VTX_INDX{});
  if (cs.chip().has_color_as_texture) cs.state(regs::VAP_TEX_TO_COLOR_CNTL{});
  cs.state(regs::GB_TILE_CONFIG{}.ENABLE(1).TILE_SIZE(1).SUBPIXEL(regs::GB_TILE_CONFIG::SUBPIXEL__N1_16));
  cs.state(regs::GB_SELECT{});
  if (cs.chip().has_shader_model_3) cs.state(regs::PS3_ENABLE{}.PS3_MODE(1));
  cs.state(regs::GA_OFFSET{});
  cs.state(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND(1).COLOR_ROUND(1).RGB_CLAMP(1).ALPHA_CLAMP(1));
  cs.state(regs::SU_TEX_WRAP{});
  if (cs.chip().has_shader_model_3) cs.state(regs::SU_TEX_WRAP_PS3{});
  cs.state(regs::SU_REG_DEST{});
  cs.state_float<regs::SU_DEPTH_SCALE>(16777215.0f);
  cs.state_float<regs::SU_DEPTH_OFFSET>(0.0f);
  // Top-left rule for triangles and points; the line fields are those of pipeline s.4.
  cs.state(regs::SC_EDGERULE{}.ER_TRI(5).ER_POINT(5).ER_LINE_LR(25).ER_LINE_RL(26).ER_LINE_TB(26).ER_LINE_BT(22));
  cs.state(regs::SC_HYPERZ_EN{});
  if (cs.chip().us_slots) cs.state(regs::US_CONFIG{});  // of the R3xx it comes with the program
  cs.state(regs::FG_FOG_BLEND{});
  cs.state(regs::ZB_DEPTHXY_OFFSET{});
  // Each target has its own mask and format; pixels are rounded, never dithered.
  cs.state(regs::RB3D_DITHER_CTL{}
               .DITHER_MODE(regs::RB3D_DITHER_CTL::DITHER_MODE__ROUND)
               .ALPHA_DITHER_MODE(regs::RB3D_DITHER_CTL::ALPHA_DITHER_MODE__ROUND));
  cs.state(regs::RB3D_AARESOLVE_CTL{});
}

}  // namespace pumice::icd
