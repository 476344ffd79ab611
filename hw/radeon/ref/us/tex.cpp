// SPDX-License-Identifier: MIT
/// US texture instructions (us-isa A8): coordinates from temps through 2-bit swizzles, texels to a temp through swizzle and mask, TEXKILL.
#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us {
namespace {

using Inst = regs::US_TEX_INST;
using Cmn = regs::US_CMN_INST;

struct Port {
  uint32_t address;
  bool relative;
  std::array<uint32_t, 4> swizzle;
};

void read(Thread& t, const Port& port, std::array<Vec4, 4>& out) {
  const int32_t i = t.temp_index(port.address, port.relative);
  for (uint32_t p = 0; p < 4; ++p)
    for (uint32_t c = 0; c < 4; ++c) out[p][c] = i < 0 ? 0.0f : t.quad.temp[size_t(i)][p][port.swizzle[c]];
}

/// Predicates of the four channels: r, g, b from the RGB unit's selection, a from the alpha unit's.
std::array<Mask, 4> enabled_channels(const Thread& t, Cmn cmn) {
  std::array<Mask, 4> e;
  for (uint32_t c = 0; c < 3; ++c) e[c] = t.enabled(cmn.RGB_PRED_SEL(), cmn.RGB_PRED_INV(), c);
  e[3] = t.enabled(cmn.ALPHA_PRED_SEL(), cmn.ALPHA_PRED_INV(), 3);
  return e;
}

/// Any component with its sign bit set kills, -0.0 included (us-isa A8, Mesa's comment); NaN does not. The write mask plays no part.
/// S, T, R are tested where the RGB predicate allows, Q where the alpha predicate does (UNCONFIRMED).
void kill(Thread& t, Cmn cmn, const std::array<Vec4, 4>& coord) {
  const std::array<Mask, 4> enabled = enabled_channels(t, cmn);
  for (uint32_t p = 0; p < 4; ++p)
    for (uint32_t c = 0; c < 4; ++c)
      if ((t.active & enabled[c]) >> p & 1u)
        if (!is_nan(coord[p][c]) && (bits(coord[p][c]) >> 31)) t.quad.killed |= uint8_t(1u << p);
}

}  // namespace

void execute_tex(Thread& t, const Code& code) {
  const Cmn cmn{code[0]};
  const Inst inst{code[1]};
  const regs::US_TEX_ADDR addr{code[2]};
  if (inst.INST() == Inst::INST__NOP) return;

  tx::Request request;
  request.unit = inst.TEX_ID();
  request.unscaled = inst.UNSCALED();
  read(t, {addr.SRC_ADDR(), bool(addr.SRC_ADDR_REL()), {addr.SRC_S_SWIZ(), addr.SRC_T_SWIZ(), addr.SRC_R_SWIZ(), addr.SRC_Q_SWIZ()}},
       request.coord);
  switch (inst.INST()) {
    case Inst::INST__TEXKILL: return kill(t, cmn, request.coord);
    case Inst::INST__LD: request.lookup = tx::Lookup::ld; break;
    case Inst::INST__PROJ: request.lookup = tx::Lookup::proj; break;
    case Inst::INST__LODBIAS: request.lookup = tx::Lookup::lod_bias; break;
    case Inst::INST__LOD: request.lookup = tx::Lookup::lod; break;
    case Inst::INST__DXDY: {
      const regs::US_TEX_ADDR_DXDY d{code[3]};
      request.lookup = tx::Lookup::dxdy;
      read(t, {d.DX_ADDR(), bool(d.DX_ADDR_REL()), {d.DX_S_SWIZ(), d.DX_T_SWIZ(), d.DX_R_SWIZ(), d.DX_Q_SWIZ()}}, request.dx);
      read(t, {d.DY_ADDR(), bool(d.DY_ADDR_REL()), {d.DY_S_SWIZ(), d.DY_T_SWIZ(), d.DY_R_SWIZ(), d.DY_Q_SWIZ()}}, request.dy);
      break;
    }
    default: t.complain(Complaint::reserved, "reserved texture operation 7: nothing done"); return;
  }

  // Every pixel is looked up, uncovered and inactive ones too: quad differences need their coordinates anyway.
  const uint32_t wmask = cmn.RGB_WMASK() | cmn.ALPHA_WMASK() << 3;
  if (wmask == 0) return;
  const Mask live = cmn.WRITE_INACTIVE() ? kAllPixels : t.active;
  if (live == 0) return;
  std::array<Vec4, 4> texel;
  t.quad.killed |= uint8_t(tx::sample(t.ctx, request, texel) & t.active);

  const int32_t dst = t.temp_index(addr.DST_ADDR(), addr.DST_ADDR_REL());
  if (dst < 0) return;
  const std::array<uint32_t, 4> swizzle = {addr.DST_R_SWIZ(), addr.DST_G_SWIZ(), addr.DST_B_SWIZ(), addr.DST_A_SWIZ()};
  const std::array<Mask, 4> enabled = enabled_channels(t, cmn);
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t p = 0; p < 4; ++p)
      if ((wmask >> c & 1u) && ((live & enabled[c]) >> p & 1u)) t.quad.temp[size_t(dst)][p][c] = texel[p][swizzle[c]];
}

}  // namespace pumice::hw::us
