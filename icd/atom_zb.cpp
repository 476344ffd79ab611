// SPDX-License-Identifier: MIT
/// FG and ZB: alpha to coverage, depth and stencil (pipeline s.7, s.8).
#include <algorithm>
#include <cmath>

#include "icd/atoms.h"

namespace pumice::icd {
namespace {

uint32_t compare_code(VkCompareOp op) {
  using Z = regs::ZB_ZSTENCILCNTL;
  switch (op) {
    case VK_COMPARE_OP_NEVER: return Z::ZFUNC__NEVER;
    case VK_COMPARE_OP_LESS: return Z::ZFUNC__LESS;
    case VK_COMPARE_OP_EQUAL: return Z::ZFUNC__EQUAL;
    case VK_COMPARE_OP_LESS_OR_EQUAL: return Z::ZFUNC__LESS_OR_EQUAL;
    case VK_COMPARE_OP_GREATER: return Z::ZFUNC__GREATER;
    case VK_COMPARE_OP_NOT_EQUAL: return Z::ZFUNC__NOT_EQUAL;
    case VK_COMPARE_OP_GREATER_OR_EQUAL: return Z::ZFUNC__GREATER_OR_EQUAL;
    default: return Z::ZFUNC__ALWAYS;
  }
}

uint32_t stencil_code(VkStencilOp op) { return static_cast<uint32_t>(op); }  // the same numbers (pipeline s.8)

}  // namespace

void atom_fg(Cs& cs, const GfxState& g) {
  const FixedState& f = g.pipeline->fixed;
  regs::FG_ALPHA_FUNC a;
  // One sample: alpha to coverage keeps it or not.
  if (f.alpha_to_coverage && f.samples > 1)
    a.AM_EN(1).AM_CFG(regs::FG_ALPHA_FUNC::AM_CFG__N2_OR_4_SAMPLES);
  else if (f.alpha_to_coverage)
    a.AF_EN(1).AF_EN_8BIT(cs.chip().has_wide_alpha_test).AF_FUNC(regs::FG_ALPHA_FUNC::AF_FUNC__GREATER_OR_EQUAL).AF_VAL(128);
  cs.state(a);
  cs.state(regs::FG_DEPTH_SRC{}.DEPTH_SRC(g.program->fragment.writes_depth));
}

void atom_zb(Cs& cs, const GfxState& g) {
  const FixedState& f = g.pipeline->fixed;
  const compiler::FragmentProgram& p = g.program->fragment;
  const bool depth = g.depth.format && f.depth_test, stencil = g.depth.format && (g.depth.format->flags & kStencil) && f.stencil_test;
  cs.state(regs::ZB_CNTL{}
               .Z_ENABLE(depth)
               .ZWRITEENABLE(depth && f.depth_write)
               .STENCIL_ENABLE(stencil)
               .STENCIL_FRONT_BACK(stencil)
               .STENCIL_REFMASK_FRONT_BACK(stencil && cs.chip().has_stencil_refmask_per_face));
  // After the shader if the shader can discard pixels, change coverage or write depth.
  cs.state(regs::ZB_ZTOP{}.ZTOP(p.early_tests || (!p.kills && !p.writes_depth && !f.alpha_to_coverage)));
  regs::ZB_ZSTENCILCNTL z;
  z.ZFUNC(depth ? compare_code(f.depth_compare) : regs::ZB_ZSTENCILCNTL::ZFUNC__ALWAYS);
  if (stencil) {
    z.STENCILFUNC(compare_code(f.front.compareOp)).STENCILFAIL(stencil_code(f.front.failOp));
    z.STENCILZPASS(stencil_code(f.front.passOp)).STENCILZFAIL(stencil_code(f.front.depthFailOp));
    z.STENCILFUNC_BF(compare_code(f.back.compareOp)).STENCILFAIL_BF(stencil_code(f.back.failOp));
    z.STENCILZPASS_BF(stencil_code(f.back.passOp)).STENCILZFAIL_BF(stencil_code(f.back.depthFailOp));
    cs.state(regs::ZB_STENCILREFMASK{}
                 .STENCILREF(g.stencil_reference[0] & 0xFF)
                 .STENCILMASK(g.stencil_compare[0] & 0xFF)
                 .STENCILWRITEMASK(g.stencil_write[0] & 0xFF));
    if (cs.chip().has_stencil_refmask_per_face)
      cs.state(regs::ZB_STENCILREFMASK_BF{}
                   .STENCILREF(g.stencil_reference[1] & 0xFF)
                   .STENCILMASK(g.stencil_compare[1] & 0xFF)
                   .STENCILWRITEMASK(g.stencil_write[1] & 0xFF));
  }
  cs.state(z);
}

void emit_depth_surface(Cs& cs, const FormatInfo& f, const Plane& p, bool fast_fill) {
  using F = regs::ZB_FORMAT;
  cs.state(
      F{}.DEPTHFORMAT(f.format == VK_FORMAT_D16_UNORM ? F::DEPTHFORMAT__N16_BIT_INTEGER : F::DEPTHFORMAT__N24_BIT_INTEGER_8_BIT_STENCIL));
  cs.state(regs::ZB_DEPTHOFFSET{}.DEPTHOFFSET(address32(p.address) >> 5));
  cs.state(regs::ZB_DEPTHPITCH{}.DEPTHPITCH(p.pitch_units >> 2).DEPTHMICROTILE(p.micro_tiled));
  cs.state(regs::ZB_BW_CNTL{}.FAST_FILL(fast_fill).RD_COMP_ENABLE(fast_fill).WR_COMP_ENABLE(fast_fill));
}

namespace {

/// Of the Z mask RAM of a part with one pipe (pipeline s.1); each covers 16x16 pixels.
constexpr uint32_t kZmaskDwords = hw::most::zmask_dwords;
uint32_t row_dwords(const Plane& p) { return (p.pitch_units + 15) / 16; }

}  // namespace

uint32_t zmask_rows(const Plane& p) {
  const uint32_t rows = (p.height + 15) / 16, fit = kZmaskDwords / row_dwords(p);
  if (p.samples > 1) return std::min(p.height, std::min(rows, fit) * 16);
  return p.micro_tiled && rows <= fit ? p.height : 0;
}

void emit_fast_depth_clear(Cs& cs, const FormatInfo& f, const Plane& p, const VkClearDepthStencilValue& value) {
  const double max = f.format == VK_FORMAT_D16_UNORM ? 65535.0 : 16777215.0;
  const double z = value.depth > 0 ? std::min(value.depth, 1.0f) : 0;
  const auto code =
      static_cast<uint32_t>(std::floor(z * max + 0.5));  // the code that a rectangle of this depth gets (hw/radeon/ref/zb/README.md)
  regs::ZB_DEPTHCLEARVALUE word;
  word.DEPTHCLEARVALUE(f.format == VK_FORMAT_D16_UNORM ? code : code << 8 | (value.stencil & 0xFF));
  cs.state(word);
  cs.state(regs::ZB_ZMASK_OFFSET{});
  cs.state(regs::ZB_ZMASK_PITCH{regs::ZB_HIZ_PITCH{}.HIZ_PITCH(row_dwords(p)).raw});  // the form is HiZ's (hw/radeon/ref/zb/README.md)
  // All of the RAM is cleared: no contents that queued draws use remain, so the chip need not wait for them.
  const uint32_t all[] = {0, kZmaskDwords, 0};
  cs.packet(pm4::Op::N3D_CLEAR_ZMASK, all);
}

}  // namespace pumice::icd
