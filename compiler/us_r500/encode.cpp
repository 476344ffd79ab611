// SPDX-License-Identifier: MIT
/// US slot <-> dwords through the generated word types (us-isa A2, A3, A4, A8, A9). One description serves both directions.
#include <bit>
#include <cmath>

#include "compiler/us_r500/machine.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::us {
namespace {

template <bool kEncode, class Word>
struct Io {
  Word& word;
  template <class Getter, class Setter, class Member>
  void field(Getter get, Setter set, Member& member) {
    if constexpr (kEncode) {
      set(word, static_cast<uint32_t>(member));
    } else {
      member = static_cast<std::remove_const_t<Member>>(get(word));
    }
  }
};
// A field's getter and setter share one name, so only a macro can name both.
#define FIELD(NAME, MEMBER) io.field([](const auto& w) { return w.NAME(); }, [](auto& w, uint32_t v) { w.NAME(v); }, MEMBER)

template <bool kEncode, class Addr, class UnitT>
void addresses(Addr& word, UnitT& unit) {
  Io<kEncode, Addr> io{word};
  std::array<uint32_t, 3> value{}, constant{}, relative{};
  if constexpr (kEncode) {
    for (int i = 0; i < 3; i++) {
      const Address& a = unit.address[i];
      constant[i] = a.file == Address::File::constant;
      relative[i] = a.relative;
      value[i] = a.file == Address::File::inline_float ? 0x80u | a.value : a.value;
    }
  }
  FIELD(ADDR0, value[0]);
  FIELD(ADDR0_CONST, constant[0]);
  FIELD(ADDR0_REL, relative[0]);
  FIELD(ADDR1, value[1]);
  FIELD(ADDR1_CONST, constant[1]);
  FIELD(ADDR1_REL, relative[1]);
  FIELD(ADDR2, value[2]);
  FIELD(ADDR2_CONST, constant[2]);
  FIELD(ADDR2_REL, relative[2]);
  FIELD(SRCP_OP, unit.presubtract);
  if constexpr (!kEncode) {
    for (int i = 0; i < 3; i++) {
      Address& a = unit.address[i];
      a.relative = relative[i];
      a.file = constant[i] ? Address::File::constant : value[i] & 0x80u ? Address::File::inline_float : Address::File::temp;
      a.value = static_cast<uint8_t>(constant[i] ? value[i] : value[i] & 0x7Fu);
    }
  }
}

template <bool kEncode, class W, class I>
void common(W& word, I& x) {
  Io<kEncode, W> io{word};
  FIELD(TYPE, x.type);
  FIELD(TEX_SEM_WAIT, x.tex_sem_wait);
  FIELD(RGB_PRED_SEL, x.rgb_predicate);
  FIELD(RGB_PRED_INV, x.rgb_predicate_invert);
  FIELD(WRITE_INACTIVE, x.write_inactive);
  FIELD(LAST, x.last);
  FIELD(NOP, x.nop);
  FIELD(ALU_WAIT, x.alu_wait);
  FIELD(RGB_WMASK, x.rgb.write);
  FIELD(ALPHA_WMASK, x.alpha.write);
  FIELD(RGB_OMASK, x.rgb.output);
  FIELD(ALPHA_OMASK, x.alpha.output);
  FIELD(RGB_CLAMP, x.rgb.clamp);
  FIELD(ALPHA_CLAMP, x.alpha.clamp);
  FIELD(ALU_RESULT_SEL, x.result_alpha);
  FIELD(ALPHA_PRED_INV, x.alpha_predicate_invert);
  FIELD(ALU_RESULT_OP, x.result_op);
  FIELD(ALPHA_PRED_SEL, x.alpha_predicate);
}

template <bool kEncode, class W, class I>
void rgb_inst(W& word, I& x) {
  Io<kEncode, W> io{word};
  auto& [a, b, c] = x.rgb.operand;
  FIELD(RGB_SEL_A, a.select);
  FIELD(RED_SWIZ_A, a.swizzle[0]);
  FIELD(GREEN_SWIZ_A, a.swizzle[1]);
  FIELD(BLUE_SWIZ_A, a.swizzle[2]);
  FIELD(RGB_MOD_A, a.modifier);
  FIELD(RGB_SEL_B, b.select);
  FIELD(RED_SWIZ_B, b.swizzle[0]);
  FIELD(GREEN_SWIZ_B, b.swizzle[1]);
  FIELD(BLUE_SWIZ_B, b.swizzle[2]);
  FIELD(RGB_MOD_B, b.modifier);
  FIELD(OMOD, x.rgb.omod);
  FIELD(TARGET, x.rgb.target);
  FIELD(ALU_WMASK, x.result_write);
  static_cast<void>(c);
}

template <bool kEncode, class W, class I>
void alpha_inst(W& word, I& x) {
  Io<kEncode, W> io{word};
  auto& [a, b, c] = x.alpha.operand;
  FIELD(ALPHA_OP, x.alpha.op);
  FIELD(ALPHA_ADDRD, x.alpha.dest);
  FIELD(ALPHA_ADDRD_REL, x.alpha.dest_relative);
  FIELD(ALPHA_SEL_A, a.select);
  FIELD(ALPHA_SWIZ_A, a.swizzle[0]);
  FIELD(ALPHA_MOD_A, a.modifier);
  FIELD(ALPHA_SEL_B, b.select);
  FIELD(ALPHA_SWIZ_B, b.swizzle[0]);
  FIELD(ALPHA_MOD_B, b.modifier);
  FIELD(OMOD, x.alpha.omod);
  FIELD(TARGET, x.alpha.target);
  FIELD(W_OMASK, x.depth_write);
  static_cast<void>(c);
}

template <bool kEncode, class W, class I>
void rgba_inst(W& word, I& x) {
  Io<kEncode, W> io{word};
  auto& c = x.rgb.operand[2];
  auto& ca = x.alpha.operand[2];
  FIELD(RGB_OP, x.rgb.op);
  FIELD(RGB_ADDRD, x.rgb.dest);
  FIELD(RGB_ADDRD_REL, x.rgb.dest_relative);
  FIELD(RGB_SEL_C, c.select);
  FIELD(RED_SWIZ_C, c.swizzle[0]);
  FIELD(GREEN_SWIZ_C, c.swizzle[1]);
  FIELD(BLUE_SWIZ_C, c.swizzle[2]);
  FIELD(RGB_MOD_C, c.modifier);
  FIELD(ALPHA_SEL_C, ca.select);
  FIELD(ALPHA_SWIZ_C, ca.swizzle[0]);
  FIELD(ALPHA_MOD_C, ca.modifier);
}

template <bool kEncode, class I>
void texture(regs::US_TEX_INST& inst, regs::US_TEX_ADDR& addr, regs::US_TEX_ADDR_DXDY& dxdy, I& x) {
  {
    Io<kEncode, regs::US_TEX_INST> io{inst};
    FIELD(TEX_ID, x.unit);
    FIELD(INST, x.inst);
    FIELD(TEX_SEM_ACQUIRE, x.acquire);
    FIELD(IGNORE_UNCOVERED, x.ignore_uncovered);
    FIELD(UNSCALED, x.unscaled);
  }
  {
    Io<kEncode, regs::US_TEX_ADDR> io{addr};
    FIELD(SRC_ADDR, x.source.temp);
    FIELD(SRC_ADDR_REL, x.source.relative);
    FIELD(SRC_S_SWIZ, x.source.swizzle[0]);
    FIELD(SRC_T_SWIZ, x.source.swizzle[1]);
    FIELD(SRC_R_SWIZ, x.source.swizzle[2]);
    FIELD(SRC_Q_SWIZ, x.source.swizzle[3]);
    FIELD(DST_ADDR, x.dest.temp);
    FIELD(DST_ADDR_REL, x.dest.relative);
    FIELD(DST_R_SWIZ, x.dest.swizzle[0]);
    FIELD(DST_G_SWIZ, x.dest.swizzle[1]);
    FIELD(DST_B_SWIZ, x.dest.swizzle[2]);
    FIELD(DST_A_SWIZ, x.dest.swizzle[3]);
  }
  Io<kEncode, regs::US_TEX_ADDR_DXDY> io{dxdy};
  FIELD(DX_ADDR, x.dx.temp);
  FIELD(DX_ADDR_REL, x.dx.relative);
  FIELD(DX_S_SWIZ, x.dx.swizzle[0]);
  FIELD(DX_T_SWIZ, x.dx.swizzle[1]);
  FIELD(DX_R_SWIZ, x.dx.swizzle[2]);
  FIELD(DX_Q_SWIZ, x.dx.swizzle[3]);
  FIELD(DY_ADDR, x.dy.temp);
  FIELD(DY_ADDR_REL, x.dy.relative);
  FIELD(DY_S_SWIZ, x.dy.swizzle[0]);
  FIELD(DY_T_SWIZ, x.dy.swizzle[1]);
  FIELD(DY_R_SWIZ, x.dy.swizzle[2]);
  FIELD(DY_Q_SWIZ, x.dy.swizzle[3]);
}

template <bool kEncode, class I>
void flow(regs::US_FC_INST& inst, regs::US_FC_ADDR& addr, I& x) {
  {
    Io<kEncode, regs::US_FC_INST> io{inst};
    FIELD(OP, x.op);
    FIELD(B_ELSE, x.is_else);
    FIELD(JUMP_ANY, x.jump_any);
    FIELD(A_OP, x.address_op);
    FIELD(JUMP_FUNC, x.jump_func);
    FIELD(B_POP_CNT, x.pop_count);
    FIELD(B_OP0, x.branch_op0);
    FIELD(B_OP1, x.branch_op1);
    FIELD(IGNORE_UNCOVERED, x.ignore_uncovered);
  }
  Io<kEncode, regs::US_FC_ADDR> io{addr};
  FIELD(BOOL_ADDR, x.bool_address);
  FIELD(INT_ADDR, x.int_address);
  FIELD(JUMP_ADDR, x.target);
  FIELD(JUMP_GLOBAL, x.global);
}
#undef FIELD

/// The words of a slot under every reading; only those of the instruction's type reach the stream.
struct Slot {
  regs::US_CMN_INST cmn;
  regs::US_ALU_RGB_ADDR rgb_addr;
  regs::US_ALU_ALPHA_ADDR alpha_addr;
  regs::US_ALU_RGB_INST rgb;
  regs::US_ALU_ALPHA_INST alpha;
  regs::US_ALU_RGBA_INST rgba;
  regs::US_TEX_INST tex;
  regs::US_TEX_ADDR tex_addr;
  regs::US_TEX_ADDR_DXDY tex_dxdy;
  regs::US_FC_INST fc;
  regs::US_FC_ADDR fc_addr;
};

template <bool kEncode, class I>
void transfer(Slot& s, I& x) {
  common<kEncode>(s.cmn, x);
  switch (x.type) {
    case Type::alu:
    case Type::out:
      addresses<kEncode>(s.rgb_addr, x.rgb);
      addresses<kEncode>(s.alpha_addr, x.alpha);
      rgb_inst<kEncode>(s.rgb, x);
      alpha_inst<kEncode>(s.alpha, x);
      rgba_inst<kEncode>(s.rgba, x);
      break;
    case Type::tex: texture<kEncode>(s.tex, s.tex_addr, s.tex_dxdy, x.tex); break;
    case Type::flow: flow<kEncode>(s.fc, s.fc_addr, x.flow); break;
  }
}

}  // namespace

Words encode(const Instruction& x) {
  Slot s;
  transfer<true>(s, x);
  switch (x.type) {
    case Type::tex: return {s.cmn.raw, s.tex.raw, s.tex_addr.raw, s.tex_dxdy.raw, 0, 0};
    case Type::flow: return {s.cmn.raw, 0, s.fc.raw, s.fc_addr.raw, 0, 0};
    default: return {s.cmn.raw, s.rgb_addr.raw, s.alpha_addr.raw, s.rgb.raw, s.alpha.raw, s.rgba.raw};
  }
}

Instruction decode(const Words& w) {
  Slot s{{w[0]}, {w[1]}, {w[2]}, {w[3]}, {w[4]}, {w[5]}, {w[1]}, {w[2]}, {w[3]}, {w[2]}, {w[3]}};
  Instruction x;
  transfer<false>(s, x);
  return x;
}

float inline_value(uint8_t code) {
  const int e = (code >> 3) & 15, m = code & 7;
  const float mantissa = static_cast<float>(m) / 8.0f;
  return e ? std::ldexp(1.0f + mantissa, e - 7) : std::ldexp(mantissa, -6);
}

int inline_code(float value) {
  const uint32_t magnitude = std::bit_cast<uint32_t>(value) & 0x7FFFFFFFu;
  // 1.mmm * 2^(e - 7), and the eight denormals.
  const int e = static_cast<int>(magnitude >> 23) - 127 + 7;
  if (e >= 1 && e <= 15) return magnitude & 0xFFFFF ? -1 : e << 3 | static_cast<int>(magnitude >> 20 & 7);
  for (uint8_t code = 0; code < 8; code++) {
    if (std::bit_cast<uint32_t>(inline_value(code)) == magnitude) return code;
  }
  return -1;
}

}  // namespace pumice::compiler::us
