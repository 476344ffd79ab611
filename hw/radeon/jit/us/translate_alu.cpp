// SPDX-License-Identifier: MIT
/// ALU and OUT instructions: hw/radeon/ref/us/alu.cpp and arith.h, operation by operation.
#include "hw/radeon/jit/us/translate.h"

#include <algorithm>
#include "hw/common/numerics/float_bits.h"
#include "hw/common/numerics/kernels.h"

namespace pumice::hw::fast::us {

using Cmn = regs::US_CMN_INST;
using RgbInst = regs::US_ALU_RGB_INST;
using AlphaInst = regs::US_ALU_ALPHA_INST;
using RgbaInst = regs::US_ALU_RGBA_INST;

namespace {

constexpr uint32_t kAlphaChannel = 3, kPresubtracted = 3;

/// Operations that both units have, by the RGB unit's codes.
uint32_t common_rgb(uint32_t op) {
  switch (op) {
    case RgbaInst::RGB_OP__MAD:
    case RgbaInst::RGB_OP__MIN:
    case RgbaInst::RGB_OP__MAX:
    case RgbaInst::RGB_OP__CND:
    case RgbaInst::RGB_OP__CMP:
    case RgbaInst::RGB_OP__FRC:
    case RgbaInst::RGB_OP__MDH:
    case RgbaInst::RGB_OP__MDV: return op;
    default: return ~0u;
  }
}
uint32_t common_alpha(uint32_t op) {
  switch (op) {
    case AlphaInst::ALPHA_OP__MAD: return RgbaInst::RGB_OP__MAD;
    case AlphaInst::ALPHA_OP__MIN: return RgbaInst::RGB_OP__MIN;
    case AlphaInst::ALPHA_OP__MAX: return RgbaInst::RGB_OP__MAX;
    case AlphaInst::ALPHA_OP__CND: return RgbaInst::RGB_OP__CND;
    case AlphaInst::ALPHA_OP__CMP: return RgbaInst::RGB_OP__CMP;
    case AlphaInst::ALPHA_OP__FRC: return RgbaInst::RGB_OP__FRC;
    case AlphaInst::ALPHA_OP__MDH: return RgbaInst::RGB_OP__MDH;
    case AlphaInst::ALPHA_OP__MDV: return RgbaInst::RGB_OP__MDV;
    default: return ~0u;
  }
}
bool is_scalar(uint32_t alpha_op) { return alpha_op >= AlphaInst::ALPHA_OP__EX2 && alpha_op <= AlphaInst::ALPHA_OP__COS; }
bool is_dot(uint32_t rgb_op) { return rgb_op >= RgbaInst::RGB_OP__DP3 && rgb_op <= RgbaInst::RGB_OP__D2A; }

float inline_constant(uint32_t code) {
  const uint32_t e = (code >> 3) & 15u, m = code & 7u;
  return e ? num::from_bits((e + 120u) << 23 | m << 20) : float(m) * 0x1p-9f;
}

}  // namespace

Number Translator::source(const Unit& unit, uint32_t n, uint32_t channel) {
  const Source& src = unit.source[n];
  if (src.is_const) {
    constants_end_ = std::max(constants_end_, src.relative ? 256u : src.address + 1);
    if (!src.relative || !uses_al_) return {b_.splat(constants_, src.address * 16 + channel * 4)};
    if (quads_) {
      const Value index = b_.iadd(al_value(), b_.constant_bits(src.address));
      const Mask out = b_.mask_or(b_.ilt(index, b_.constant_bits(0)), b_.ilt(b_.constant_bits(255), index));
      bail(b_.mask_and(out, here_));
      return {b_.gather(constants_, b_.iadd(b_.shl(index, 4), b_.constant_bits(4 * channel)), here_)};
    }
    const lane::Scalar index = b_.scalar();
    b_.move(index, al_);
    b_.add_to(index, int32_t(src.address));
    return {b_.splat_at(constants_, index, channel * 4, 16, 256)};
  }
  if (src.address & 0x80u) {
    if (src.relative) problem_ = "relative inline constant";
    return {b_.constant(inline_constant(src.address & 0x7Fu))};
  }
  return read_temp(src.address, src.relative, channel);
}

Number Translator::read(uint32_t select, uint32_t channel) {
  const Unit& unit = channel == kAlphaChannel ? alpha_ : rgb_;
  if (select != kPresubtracted) return source(unit, select, channel);
  const Value s0 = source(unit, 0, channel).v, one = b_.constant(1.0f);
  switch (unit.srcp & 3u) {
    case 0: return {b_.fma(b_.constant(-2.0f), s0, one), Nan::us};
    case 1: return {b_.sub(source(unit, 1, channel).v, s0), Nan::us};
    case 2: return {b_.add(source(unit, 1, channel).v, s0), Nan::us};
    default: return {b_.sub(one, s0), Nan::us};
  }
}

/// Signs of NaN matter where bits do.
Number Translator::modify(Number n, uint32_t modifier, bool bits_matter) {
  if (modifier == 0) return n;
  if (bits_matter) n = {exact(n), Nan::exact};
  if (modifier & 2) n.v = b_.magnitude(n.v);
  if (modifier & 1) n.v = b_.negate(n.v);
  return n;
}

Number Translator::operand(const Operand& o, bool bits_matter) {
  static constexpr float kLiteral[4] = {0.0f, 0.5f, 1.0f, 0.0f};  // code 7 is "unused"
  const Number n = o.swizzle > 3 ? Number{b_.constant(kLiteral[o.swizzle - 4])} : read(o.select, o.swizzle);
  return modify(n, o.modifier, bits_matter);
}

Number Translator::neighbour(uint32_t channel, uint32_t pixel, uint32_t modifier) {
  Number n = read(0, channel);
  n.v = b_.quad(n.v, pixel);
  return modify(n, modifier, false);
}

/// With the zero rule 0 * Inf and 0 * NaN are +0.
Translator::Value Translator::multiply(Value a, Value b) {
  const Value p = b_.mul(a, b);
  if (!zero_wins_) return p;
  const Value zero = b_.constant(0.0f);
  return b_.select(b_.mask_and(b_.is_nan(p), b_.mask_or(b_.eq(a, zero), b_.eq(b, zero))), zero, p);
}
Translator::Value Translator::multiply_add(Value a, Value b, Value c) {
  if (!zero_wins_) return b_.fma(a, b, c);
  const Value zero = b_.constant(0.0f);
  const Mask wins = b_.mask_and(b_.is_nan(b_.mul(a, b)), b_.mask_or(b_.eq(a, zero), b_.eq(b, zero)));
  return b_.fma(b_.select(wins, zero, a), b_.select(wins, zero, b), c);
}

Number Translator::common(uint32_t op, const Channel& ch, bool bits_matter) {
  switch (op) {
    case RgbaInst::RGB_OP__MAD: return {multiply_add(operand(ch.a, false).v, operand(ch.b, false).v, operand(ch.c, false).v), Nan::us};
    case RgbaInst::RGB_OP__MDH:
    case RgbaInst::RGB_OP__MDV: {
      const uint32_t other = op == RgbaInst::RGB_OP__MDH ? 1 : 2;
      return {
          multiply_add(neighbour(ch.channel, 0, ch.a.modifier).v, operand(ch.b, false).v, neighbour(ch.channel, other, ch.c.modifier).v),
          Nan::us};
    }
    case RgbaInst::RGB_OP__FRC: {
      const Value a = b_.flush(operand(ch.a, false).v);
      return {b_.sub(a, b_.floor(a)), Nan::us};
    }
    default: break;
  }
  const Number a = operand(ch.a, bits_matter), b = operand(ch.b, bits_matter);
  if (op == RgbaInst::RGB_OP__MIN || op == RgbaInst::RGB_OP__MAX) {
    const bool is_min = op == RgbaInst::RGB_OP__MIN;
    if (a.v == b.v && a.nan == b.nan) return a;
    if (!bits_matter) return {is_min ? b_.minimum(a.v, b.v) : b_.maximum(a.v, b.v), Nan::us};
    return select(is_min ? b_.lt(a.v, b.v) : b_.gt(a.v, b.v), a, b);
  }
  const Value c = operand(ch.c, false).v;
  return select(op == RgbaInst::RGB_OP__CND ? b_.lt(b_.constant(0.5f), c) : b_.ge(c, b_.constant(0.0f)), a, b);
}

Number Translator::output_modifier(Number n, uint32_t omod, bool clamp) {
  static constexpr float kScale[7] = {1.0f, 2.0f, 4.0f, 8.0f, 0.5f, 0.25f, 0.125f};
  if (omod >= 7) return n;
  n = {omod == 0 ? b_.flush(n.v) : b_.mul(n.v, b_.constant(kScale[omod])), Nan::us};
  if (clamp) n.v = b_.minimum(b_.maximum(n.v, b_.constant(0.0f)), b_.constant(1.0f));
  return n;
}

Translator::Mask Translator::test(uint32_t op, Value x) {
  const Value zero = b_.constant(0.0f);
  switch (op & 3u) {
    case 0: return b_.eq(x, zero);
    case 1: return b_.lt(x, zero);
    case 2: return b_.mask_not(b_.lt(x, zero));
    default: return b_.ne(x, zero);
  }
}

Translator::Mask Translator::enabled(uint32_t select, bool invert, uint32_t channel) {
  if (select == 0 || select > 5) return all_;
  const Mask p = read_mask(predicate_[select == 1 ? channel : select - 2]);
  return invert ? b_.mask_not(p) : p;
}

void Translator::write_results(const Code& code, const std::array<Number, 4>& result) {
  const Cmn cmn{code[0]};
  const RgbInst rgb{code[3]};
  const AlphaInst alpha{code[4]};
  const RgbaInst rgba{code[5]};
  const uint32_t wmask = cmn.RGB_WMASK() | cmn.ALPHA_WMASK() << 3, omask = cmn.RGB_OMASK() | cmn.ALPHA_OMASK() << 3;
  const bool is_out = cmn.TYPE() == Cmn::TYPE__OUTPUT;
  if (cmn.WRITE_INACTIVE() && has_flow_ && !quads_) problem_ = "WRITE_INACTIVE with flow control";
  const Mask live = cmn.WRITE_INACTIVE() ? here_ : active_;
  std::array<Mask, 4> on;
  for (uint32_t c = 0; c < 3; ++c) on[c] = enabled(cmn.RGB_PRED_SEL(), cmn.RGB_PRED_INV(), c);
  on[3] = enabled(cmn.ALPHA_PRED_SEL(), cmn.ALPHA_PRED_INV(), 3);
  for (uint32_t c = 0; c < 4; ++c) {
    const Mask where = b_.mask_and(on[c], active_);
    if (wmask >> c & 1u)
      write_temp(c < 3 ? rgba.RGB_ADDRD() : alpha.ALPHA_ADDRD(), c < 3 ? rgba.RGB_ADDRD_REL() : alpha.ALPHA_ADDRD_REL(), c, result[c],
                 b_.mask_and(on[c], live));
    if (!(omask >> c & 1u)) continue;
    const uint32_t target = c < 3 ? rgb.TARGET() : alpha.TARGET();
    if (is_out)
      write_cell(kColors + target * 4 + c, result[c], where);
    else
      write_mask(predicate_[c], test(target, result[c].v), where);
  }
  if (is_out && alpha.W_OMASK()) write_cell(kDepth, result[3], b_.mask_and(on[3], active_));
  if (rgb.ALU_WMASK()) {
    const Mask set = test(cmn.ALU_RESULT_OP(), result[cmn.ALU_RESULT_SEL() ? 3 : 0].v);
    alu_result_ = active_ == all_ ? set : b_.mask_or(b_.mask_and(active_, set), b_.mask_andnot(active_, alu_result_));
  }
}

bool Translator::alu(uint32_t pc, const Code& code) {
  const Cmn cmn{code[0]};
  const regs::US_ALU_RGB_ADDR ra{code[1]};
  const regs::US_ALU_ALPHA_ADDR aa{code[2]};
  const RgbInst rgb{code[3]};
  const AlphaInst alpha{code[4]};
  const RgbaInst rgba{code[5]};
  rgb_ = {{{{ra.ADDR0(), bool(ra.ADDR0_CONST()), bool(ra.ADDR0_REL())},
            {ra.ADDR1(), bool(ra.ADDR1_CONST()), bool(ra.ADDR1_REL())},
            {ra.ADDR2(), bool(ra.ADDR2_CONST()), bool(ra.ADDR2_REL())}}},
          ra.SRCP_OP()};
  alpha_ = {{{{aa.ADDR0(), bool(aa.ADDR0_CONST()), bool(aa.ADDR0_REL())},
              {aa.ADDR1(), bool(aa.ADDR1_CONST()), bool(aa.ADDR1_REL())},
              {aa.ADDR2(), bool(aa.ADDR2_CONST()), bool(aa.ADDR2_REL())}}},
            aa.SRCP_OP()};
  const std::array<Channel, 4> channel = {{
      {0,
       {rgb.RGB_SEL_A(), rgb.RED_SWIZ_A(), rgb.RGB_MOD_A()},
       {rgb.RGB_SEL_B(), rgb.RED_SWIZ_B(), rgb.RGB_MOD_B()},
       {rgba.RGB_SEL_C(), rgba.RED_SWIZ_C(), rgba.RGB_MOD_C()}},
      {1,
       {rgb.RGB_SEL_A(), rgb.GREEN_SWIZ_A(), rgb.RGB_MOD_A()},
       {rgb.RGB_SEL_B(), rgb.GREEN_SWIZ_B(), rgb.RGB_MOD_B()},
       {rgba.RGB_SEL_C(), rgba.GREEN_SWIZ_C(), rgba.RGB_MOD_C()}},
      {2,
       {rgb.RGB_SEL_A(), rgb.BLUE_SWIZ_A(), rgb.RGB_MOD_A()},
       {rgb.RGB_SEL_B(), rgb.BLUE_SWIZ_B(), rgb.RGB_MOD_B()},
       {rgba.RGB_SEL_C(), rgba.BLUE_SWIZ_C(), rgba.RGB_MOD_C()}},
      {3,
       {alpha.ALPHA_SEL_A(), alpha.ALPHA_SWIZ_A(), alpha.ALPHA_MOD_A()},
       {alpha.ALPHA_SEL_B(), alpha.ALPHA_SWIZ_B(), alpha.ALPHA_MOD_B()},
       {rgba.ALPHA_SEL_C(), rgba.ALPHA_SWIZ_C(), rgba.ALPHA_MOD_C()}},
  }};

  const uint32_t rgb_op = rgba.RGB_OP(), alpha_op = alpha.ALPHA_OP();
  const bool result_red = rgb.ALU_WMASK() && !cmn.ALU_RESULT_SEL(), result_alpha = rgb.ALU_WMASK() && cmn.ALU_RESULT_SEL();
  const uint32_t rgb_needed = cmn.RGB_WMASK() | cmn.RGB_OMASK() | uint32_t(result_red);
  const bool alpha_needed = cmn.ALPHA_WMASK() || cmn.ALPHA_OMASK() || alpha.W_OMASK() || result_alpha;
  const bool rgb_bits = rgb.OMOD() == 7, alpha_bits = alpha.OMOD() == 7;

  const Number zero{b_.constant(0.0f)};
  std::array<Number, 4> result{zero, zero, zero, zero};
  Number shared = zero;
  const bool alpha_is_dot = alpha_op == AlphaInst::ALPHA_OP__DP;
  if (is_dot(rgb_op) && (rgb_needed || alpha_is_dot)) {
    const auto product = [&](const Channel& ch, Value sum) { return multiply_add(operand(ch.a, false).v, operand(ch.b, false).v, sum); };
    Value sum = multiply(operand(channel[0].a, false).v, operand(channel[0].b, false).v);
    sum = product(channel[1], sum);
    sum = rgb_op == RgbaInst::RGB_OP__D2A ? b_.add(sum, operand(channel[2].c, false).v) : product(channel[2], sum);
    if (rgb_op == RgbaInst::RGB_OP__DP4) sum = product(channel[3], sum);
    shared = {sum, Nan::us};
  }
  if (alpha_needed || (rgb_needed && rgb_op == RgbaInst::RGB_OP__SOP)) {
    if (const uint32_t op = common_alpha(alpha_op); op != ~0u) {
      result[3] = common(op, channel[3], alpha_bits);
    } else if (is_scalar(alpha_op)) {
      const Value a = operand(channel[3].a, false).v;
      switch (alpha_op) {
        case AlphaInst::ALPHA_OP__EX2: result[3].v = num::exp2_kernel(b_, a); break;
        case AlphaInst::ALPHA_OP__LN2: result[3].v = num::log2_kernel(b_, a); break;
        case AlphaInst::ALPHA_OP__RCP: result[3].v = num::rcp_kernel(b_, a); break;
        case AlphaInst::ALPHA_OP__RSQ: result[3].v = num::rsq_kernel(b_, a); break;
        case AlphaInst::ALPHA_OP__SIN: result[3].v = num::sin_cycles_kernel(b_, a); break;
        default: result[3].v = num::cos_cycles_kernel(b_, a); break;
      }
      result[3].nan = Nan::us;
    } else if (alpha_is_dot && is_dot(rgb_op)) {
      result[3] = shared;
    } else {
      return refuse(pc, "reserved ALPHA_OP");
    }
  }
  if (rgb_needed) {
    if (const uint32_t op = common_rgb(rgb_op); op != ~0u) {
      for (uint32_t c = 0; c < 3; ++c)
        if (rgb_needed >> c & 1u) result[c] = common(op, channel[c], rgb_bits);
    } else if (rgb_op == RgbaInst::RGB_OP__SOP && is_scalar(alpha_op)) {
      result[0] = result[1] = result[2] = result[3];
    } else if (is_dot(rgb_op)) {
      result[0] = result[1] = result[2] = shared;
    } else {
      return refuse(pc, "reserved RGB_OP");
    }
  }
  for (uint32_t c = 0; c < 3; ++c)
    if (rgb_needed >> c & 1u) result[c] = output_modifier(result[c], rgb.OMOD(), cmn.RGB_CLAMP());
  if (alpha_needed) result[3] = output_modifier(result[3], alpha.OMOD(), cmn.ALPHA_CLAMP());
  write_results(code, result);
  return true;
}

}  // namespace pumice::hw::fast::us
