// SPDX-License-Identifier: MIT
/// Texture instructions and TEXKILL: hw/radeon/ref/us/tex.cpp.
#include <cstddef>

#include "hw/radeon/jit/us/translate.h"

namespace pumice::hw::fast::us {

using Inst = regs::US_TEX_INST;
using Cmn = regs::US_CMN_INST;
using lane::kArgs;

bool Translator::read_port(uint32_t pc, uint32_t address, bool relative, const std::array<uint32_t, 4>& swizzle,
                           std::array<Number, 4>& out) {
  for (uint32_t c = 0; c < 4; ++c) out[c] = read_temp(address, relative, swizzle[c]);
  return problem_ ? refuse(pc, problem_) : true;
}

bool Translator::tex(uint32_t pc, const Code& code) {
  const Cmn cmn{code[0]};
  const Inst inst{code[1]};
  const regs::US_TEX_ADDR addr{code[2]};
  if (inst.INST() == Inst::INST__NOP) return true;
  if (cmn.WRITE_INACTIVE() && has_flow_ && !quads_) return refuse(pc, "WRITE_INACTIVE with flow control");

  std::array<Number, 4> coord, dx, dy;
  if (!read_port(pc, addr.SRC_ADDR(), addr.SRC_ADDR_REL(), {addr.SRC_S_SWIZ(), addr.SRC_T_SWIZ(), addr.SRC_R_SWIZ(), addr.SRC_Q_SWIZ()},
                 coord))
    return false;
  const auto on = [&](uint32_t c) {
    return c < 3 ? enabled(cmn.RGB_PRED_SEL(), cmn.RGB_PRED_INV(), c) : enabled(cmn.ALPHA_PRED_SEL(), cmn.ALPHA_PRED_INV(), 3);
  };
  tx::LookupKind kind;
  switch (inst.INST()) {
    case Inst::INST__TEXKILL: {
      Mask kill = none_;
      for (uint32_t c = 0; c < 4; ++c) {
        const Value v = coord[c].v;
        const Mask negative = b_.mask_andnot(b_.is_nan(v), b_.ilt(v, b_.constant_bits(0)));
        kill = b_.mask_or(kill, b_.mask_and(on(c), negative));
      }
      write_mask(killed_, b_.mask_or(read_mask(killed_), b_.mask_and(kill, active_)), all_);
      return true;
    }
    case Inst::INST__LD: kind = tx::LookupKind::ld; break;
    case Inst::INST__PROJ: kind = tx::LookupKind::proj; break;
    case Inst::INST__LODBIAS: kind = tx::LookupKind::lod_bias; break;
    case Inst::INST__LOD: kind = tx::LookupKind::lod; break;
    case Inst::INST__DXDY: {
      const regs::US_TEX_ADDR_DXDY d{code[3]};
      kind = tx::LookupKind::dxdy;
      if (!read_port(pc, d.DX_ADDR(), d.DX_ADDR_REL(), {d.DX_S_SWIZ(), d.DX_T_SWIZ(), d.DX_R_SWIZ(), d.DX_Q_SWIZ()}, dx) ||
          !read_port(pc, d.DY_ADDR(), d.DY_ADDR_REL(), {d.DY_S_SWIZ(), d.DY_T_SWIZ(), d.DY_R_SWIZ(), d.DY_Q_SWIZ()}, dy))
        return false;
      break;
    }
    default: return refuse(pc, "reserved texture operation 7");
  }
  const uint32_t wmask = cmn.RGB_WMASK() | cmn.ALPHA_WMASK() << 3;
  if (wmask == 0) return true;

  constexpr uint32_t kSample = uint32_t(offsetof(ShadeArgs, sample)), kLanesSize = uint32_t(sizeof(Lanes));
  const auto place = [&](size_t member, uint32_t c) { return kSample + uint32_t(member) + c * kLanesSize; };
  // Q is looked at by PROJ, LODBIAS and LOD only. Any NaN is as good as another: texture units take neither its sign nor its bits.
  const uint32_t coordinates = kind == tx::LookupKind::ld || kind == tx::LookupKind::dxdy ? 3 : 4;
  for (uint32_t c = 0; c < coordinates; ++c) {
    b_.store(kArgs, place(offsetof(tx::SampleArgs, coord), c), coord[c].v);
    if (kind != tx::LookupKind::dxdy) continue;
    b_.store(kArgs, place(offsetof(tx::SampleArgs, dx), c), dx[c].v);
    b_.store(kArgs, place(offsetof(tx::SampleArgs, dy), c), dy[c].v);
  }
  const lane::Pointer unit = b_.pointer(b_.pointer(kArgs, offsetof(ShadeArgs, unit)), 8 * inst.TEX_ID());
  const size_t table = inst.UNSCALED() ? offsetof(tx::UnitHead, routine_unscaled) : offsetof(tx::UnitHead, routine);
  // Only active lanes can be killed by a chroma key.
  const Mask live = cmn.WRITE_INACTIVE() ? here_ : active_;
  const uint32_t killed_at = place(offsetof(tx::SampleArgs, killed), 0);
  const bool protects = has_flow_ && cmn.WRITE_INACTIVE();
  Mask killed_before;
  if (protects) killed_before = b_.mask_load_now(kArgs, killed_at);
  if (has_flow_) b_.store_half(kArgs, place(offsetof(tx::SampleArgs, active), 0), voters(live));
  b_.call_through(unit, uint32_t(table + 8 * size_t(kind)), kArgs, kSample);
  if (protects) b_.store_half(kArgs, killed_at, b_.mask_or(killed_before, b_.mask_and(b_.mask_load_now(kArgs, killed_at), active_)));

  const std::array<uint32_t, 4> swizzle = {addr.DST_R_SWIZ(), addr.DST_G_SWIZ(), addr.DST_B_SWIZ(), addr.DST_A_SWIZ()};
  std::array<Value, 4> texel;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(wmask >> c & 1u)) continue;
    Value& v = texel[swizzle[c]];
    if (!v) v = b_.lanes_now(kArgs, place(offsetof(tx::SampleArgs, out), swizzle[c]));
    write_temp(addr.DST_ADDR(), addr.DST_ADDR_REL(), c, {v, Nan::exact}, b_.mask_and(on(c), live));
  }
  return problem_ ? refuse(pc, problem_) : true;
}

}  // namespace pumice::hw::fast::us
