// SPDX-License-Identifier: MIT
/// See arithmetic.h: hw/radeon/ref/us/alu.h and arith.h, operation by operation.
#include "hw/radeon/jit/us/arithmetic.h"

#include "hw/common/numerics/float_bits.h"
#include "hw/common/numerics/fp24.h"
#include "hw/common/numerics/kernels.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::fast::us {

using isa::us_r500::AluOpInfo;
using lane::Op;

namespace {

constexpr uint32_t kAlphaChannel = 3, kPresubtracted = regs::US_ALU_RGB_INST::RGB_SEL_A__SRCP;
constexpr uint32_t kCopyExactly = regs::US_ALU_RGB_INST::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP;

}  // namespace

bool Arithmetic::refuse(uint32_t pc, const char* text) {
  why_ = "slot " + std::to_string(pc) + ": " + text;
  return false;
}

bool Arithmetic::never_nan(Value v) const {
  const lane::Node& n = b_.node(v);
  const auto sound = [&](int32_t id) {
    const lane::Node& c = b_.node({id});
    return (c.op == Op::constant && !num::is_nan(num::from_bits(c.imm))) || c.op == Op::minimum || c.op == Op::maximum ||
           c.op == Op::to_float || is_ordinary(c);
  };
  switch (n.op) {
    case Op::constant: return !num::is_nan(num::from_bits(n.imm));
    case Op::splat: return is_ordinary(n);
    case Op::to_float: return true;
    case Op::minimum:
    case Op::maximum: return b_.node({n.b}).op == Op::constant ? never_nan({n.b}) : never_nan({n.a}) && never_nan({n.b});
    case Op::select: return sound(n.a) && sound(n.b) && never_nan({n.a}) && never_nan({n.b});
    default: return false;
  }
}

Arithmetic::Value Arithmetic::exact(Number n) {
  if (n.nan == Nan::exact || never_nan(n.v)) return n.v;
  return b_.select(b_.is_nan(n.v), b_.constant_bits(n.nan == Nan::us ? kUsNan : num::kQuietNan), n.v);
}

Number Arithmetic::select(Mask m, Number a, Number b) {
  if (a.nan == b.nan) return {b_.select(m, a.v, b.v), a.nan};
  if (b.nan == Nan::exact && never_nan(b.v)) return {b_.select(m, a.v, b.v), a.nan};
  if (a.nan == Nan::exact && never_nan(a.v)) return {b_.select(m, a.v, b.v), b.nan};
  return {b_.select(m, exact(a), exact(b)), Nan::exact};
}

// ---- Operands and operations -----------------------------------------------------------------------------------------------------

Number Arithmetic::read(uint32_t select, uint32_t channel) {
  const isa::us_r500::Unit& unit = channel == kAlphaChannel ? now_->alpha : now_->rgb;
  if (select != kPresubtracted) return source(unit.address[select], channel);
  const Value s0 = source(unit.address[0], channel).v, one = b_.constant(1.0f);
  const auto result = [&](Value v) -> Number { return {fp24_ ? to_fp24(v) : v, Nan::us}; };
  switch (unit.presubtract) {
    case 0: return result(b_.fma(b_.constant(-2.0f), s0, one));
    case 1: return result(b_.sub(source(unit.address[1], channel).v, s0));
    case 2: return result(b_.add(source(unit.address[1], channel).v, s0));
    default: return result(b_.sub(one, s0));
  }
}

Arithmetic::Value Arithmetic::to_fp24(Value v) {
  const Value magnitude = b_.magnitude(v), kept = b_.bit_and(v, b_.constant_bits(num::kFp24Mask));
  const Value sign = b_.bit_and(v, b_.constant_bits(0x80000000u));
  const Value finite = b_.select(b_.lt(magnitude, b_.constant(num::kFp24Least)), sign, kept);
  // The product is infinity of the same sign, or NaN.
  return b_.select(b_.lt(magnitude, b_.constant(num::kFp24End)), finite, b_.mul(v, b_.constant_bits(0x7F800000u)));
}

/// Signs of NaN matter where bits do.
Number Arithmetic::modify(Number n, uint32_t modifier, bool bits_matter) {
  if (modifier == 0) return n;
  if (bits_matter) n = {exact(n), Nan::exact};
  if (modifier & 2) n.v = b_.magnitude(n.v);
  if (modifier & 1) n.v = b_.negate(n.v);
  return n;
}

Number Arithmetic::operand(const Operand& o, bool bits_matter) {
  static constexpr float kLiteral[4] = {0.0f, 0.5f, 1.0f, 0.0f};  // code 7 is "unused"
  const Number n = o.swizzle > 3 ? Number{b_.constant(kLiteral[o.swizzle - 4])} : read(o.select, o.swizzle);
  return modify(n, o.modifier, bits_matter);
}

Number Arithmetic::neighbour(uint32_t channel, uint32_t pixel, uint32_t modifier) {
  Number n = read(0, channel);
  n.v = b_.quad(n.v, pixel);
  return modify(n, modifier, false);
}

/// With the zero rule 0 * Inf and 0 * NaN are +0.
Arithmetic::Value Arithmetic::multiply(Value a, Value b) {
  const Value p = b_.mul(a, b);
  if (!zero_wins_) return p;
  const Value zero = b_.constant(0.0f);
  return b_.select(b_.mask_and(b_.is_nan(p), b_.mask_or(b_.eq(a, zero), b_.eq(b, zero))), zero, p);
}
Arithmetic::Value Arithmetic::multiply_add(Value a, Value b, Value c) {
  if (!zero_wins_) return b_.fma(a, b, c);
  const Value zero = b_.constant(0.0f);
  const Mask wins = b_.mask_and(b_.is_nan(b_.mul(a, b)), b_.mask_or(b_.eq(a, zero), b_.eq(b, zero)));
  return b_.fma(b_.select(wins, zero, a), b_.select(wins, zero, b), c);
}

/// What a componentwise or scalar operation makes of one channel.
Number Arithmetic::operation(AluOp op, const Channel& ch, bool bits_matter) {
  const auto scalar = [&](auto kernel) -> Number { return {kernel(b_, operand(ch.a, false).v), Nan::us}; };
  switch (op) {
    case AluOp::MAD: return {multiply_add(operand(ch.a, false).v, operand(ch.b, false).v, operand(ch.c, false).v), Nan::us};
    case AluOp::MDH:
    case AluOp::MDV: {
      const uint32_t other = op == AluOp::MDH ? 1 : 2;
      return {
          multiply_add(neighbour(ch.channel, 0, ch.a.modifier).v, operand(ch.b, false).v, neighbour(ch.channel, other, ch.c.modifier).v),
          Nan::us};
    }
    case AluOp::FRC: {
      const Value a = b_.flush(operand(ch.a, false).v);
      return {b_.sub(a, b_.floor(a)), Nan::us};
    }
    case AluOp::MIN:
    case AluOp::MAX: {
      const Number a = operand(ch.a, bits_matter), b = operand(ch.b, bits_matter);
      const bool is_min = op == AluOp::MIN;
      if (a.v == b.v && a.nan == b.nan) return a;
      if (!bits_matter) return {is_min ? b_.minimum(a.v, b.v) : b_.maximum(a.v, b.v), Nan::us};
      return select(is_min ? b_.lt(a.v, b.v) : b_.gt(a.v, b.v), a, b);
    }
    case AluOp::CND:
    case AluOp::CMP: {
      const Number a = operand(ch.a, bits_matter), b = operand(ch.b, bits_matter);
      const Value c = operand(ch.c, false).v;
      return select(op == AluOp::CND ? b_.lt(b_.constant(0.5f), c) : b_.ge(c, b_.constant(0.0f)), a, b);
    }
    case AluOp::XI: return extended_operation(ch.channel);
    case AluOp::EX2: return scalar([](auto& b, Value a) { return num::exp2_kernel(b, a); });
    case AluOp::LN2: return scalar([](auto& b, Value a) { return num::log2_kernel(b, a); });
    case AluOp::RCP: return scalar([](auto& b, Value a) { return num::rcp_kernel(b, a); });
    case AluOp::RSQ: return scalar([](auto& b, Value a) { return num::rsq_kernel(b, a); });
    case AluOp::SIN: return scalar([](auto& b, Value a) { return num::sin_cycles_kernel(b, a); });
    case AluOp::COS: return scalar([](auto& b, Value a) { return num::cos_cycles_kernel(b, a); });
    case AluOp::DP3:
    case AluOp::DP4:
    case AluOp::D2A:
    case AluOp::DP:
    case AluOp::SOP: break;  // several channels: alu()
  }
  return {b_.constant(0.0f)};
}

Arithmetic::Channel Arithmetic::channel_of(const Instruction& x, uint32_t channel) {
  const bool alpha = channel == kAlphaChannel;
  const auto operand = [&](uint32_t n) -> Operand {
    const isa::us_r500::Operand& o = (alpha ? x.alpha : x.rgb).operand[n];
    return {o.select, o.swizzle[alpha ? 0 : channel], o.modifier};
  };
  return {channel, operand(0), operand(1), operand(2)};
}

Number Arithmetic::output_modifier(Number n, uint32_t omod, bool clamp) {
  static constexpr float kScale[7] = {1.0f, 2.0f, 4.0f, 8.0f, 0.5f, 0.25f, 0.125f};
  if (omod >= 7) return n;
  n = {omod == 0 ? b_.flush(n.v) : b_.mul(n.v, b_.constant(kScale[omod])), Nan::us};
  if (clamp) n.v = b_.minimum(b_.maximum(n.v, b_.constant(0.0f)), b_.constant(1.0f));
  if (fp24_) n.v = to_fp24(n.v);
  return n;
}

Arithmetic::Mask Arithmetic::test(uint32_t op, Value x) {
  const Value zero = b_.constant(0.0f);
  switch (op & 3u) {
    case 0: return b_.eq(x, zero);
    case 1: return b_.lt(x, zero);
    case 2: return b_.mask_not(b_.lt(x, zero));
    default: return b_.ne(x, zero);
  }
}

bool Arithmetic::results(uint32_t pc, const Instruction& x, std::array<Number, 4>& result) {
  now_ = &x;
  const std::array<Channel, 4> channel = {channel_of(x, 0), channel_of(x, 1), channel_of(x, 2), channel_of(x, 3)};
  const AluOpInfo &rgb = info(x.rgb.op), &alpha = info(x.alpha.op);
  const bool result_red = x.result_write && !x.result_alpha, result_alpha = x.result_write && x.result_alpha;
  const uint32_t rgb_needed = x.rgb.write | x.rgb.output | uint32_t(result_red);
  const bool alpha_needed = x.alpha.write || x.alpha.output || x.depth_write || result_alpha;
  const bool rgb_bits = x.rgb.omod == kCopyExactly, alpha_bits = x.alpha.omod == kCopyExactly;

  const Number zero{b_.constant(0.0f)};
  result.fill(zero);
  Number shared = zero;
  if (rgb.dot && (rgb_needed || alpha.takes_dot)) {
    const auto product = [&](const Channel& ch, Value sum) { return multiply_add(operand(ch.a, false).v, operand(ch.b, false).v, sum); };
    Value sum = multiply(operand(channel[0].a, false).v, operand(channel[0].b, false).v);
    sum = product(channel[1], sum);
    sum = x.rgb.op == AluOp::D2A ? b_.add(sum, operand(channel[2].c, false).v) : product(channel[2], sum);
    if (x.rgb.op == AluOp::DP4) sum = product(channel[3], sum);
    shared = {sum, Nan::us};
  }
  if (alpha_needed || (rgb_needed && rgb.takes_scalar)) {
    if (alpha.componentwise || alpha.scalar || x.alpha.op == AluOp::XI)
      result[3] = operation(x.alpha.op, channel[3], alpha_bits);
    else if (alpha.takes_dot && rgb.dot)
      result[3] = shared;
    else
      return refuse(pc, "reserved ALPHA_OP");
  }
  if (rgb_needed) {
    if (rgb.componentwise || x.rgb.op == AluOp::XI) {
      for (uint32_t c = 0; c < 3; ++c)
        if (rgb_needed >> c & 1u) result[c] = operation(x.rgb.op, channel[c], rgb_bits);
    } else if (rgb.takes_scalar && alpha.scalar) {
      result[0] = result[1] = result[2] = result[3];
    } else if (rgb.dot) {
      result[0] = result[1] = result[2] = shared;
    } else {
      return refuse(pc, "reserved RGB_OP");
    }
  }
  // Of the R3xx that code is reserved.
  if (fp24_ && ((rgb_needed && rgb_bits) || (alpha_needed && alpha_bits))) return refuse(pc, "reserved OMOD");
  for (uint32_t c = 0; c < 3; ++c)
    if ((rgb_needed >> c & 1u) && x.rgb.op != AluOp::XI) result[c] = output_modifier(result[c], x.rgb.omod, x.rgb.clamp);
  if (alpha_needed && x.alpha.op != AluOp::XI) result[3] = output_modifier(result[3], x.alpha.omod, x.alpha.clamp);
  return true;
}

}  // namespace pumice::hw::fast::us
