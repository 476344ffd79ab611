// SPDX-License-Identifier: MIT
/// ALU and OUTPUT slots: sources, XI operations (docs/r5x.md s.3, hw/radeon/ref/us/xi.cpp), results.
#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Address;
using isa::us_r500::OperandClass;
using isa::us_r500::Type;
using isa::us_r500::Unit;
using isa::us_r500::XiOp;
using isa::us_r500::XiOpInfo;

namespace {

constexpr uint32_t kAlphaChannel = 3;
constexpr uint32_t kNotZero = 3;  ///< the test that sets predicates of XI operations

}  // namespace

Number Translator::source(const Address& a, uint32_t channel) {
  switch (a.file) {
    case Address::File::constant:
      if (a.value < open_.size() && open_[a.value] >> channel & 1u)
        return {b_.ordinary(b_.pointer(lane::kArgs, offsetof(GroupArgs, literals)), 4 * (4 * a.value + channel),
                            (literals_[a.value][channel] & 0x80000000u) != 0)};
      if (a.value < literals_.size()) return {b_.constant_bits(literals_[a.value][channel])};
      problem_ = "constant outside the literals";
      return {zero()};
    case Address::File::inline_float:
      if (a.relative) problem_ = "relative inline constant";
      return {b_.constant(isa::us_r500::inline_float_value(a.value))};
    case Address::File::temp: break;
  }
  return read_temp(a.value, channel);
}

/// The bits of an operand that is an integer or raw.
Translator::Value Translator::integer(const isa::us_r500::Operand& o, uint32_t swizzle, bool has_modifier) {
  Value v = zero();
  if (swizzle > 3) {
    v = b_.constant_bits(swizzle == 6);
  } else if (o.select < 3) {
    const Address& a = (swizzle == kAlphaChannel ? now_->alpha : now_->rgb).address[o.select];
    if (a.file == Address::File::inline_float && a.relative) problem_ = "relative inline constant";
    v = a.file == Address::File::inline_float ? b_.constant_bits(a.value) : bits(source(a, swizzle));
  }
  if (!has_modifier) return v;
  if (o.modifier & 2) v = b_.bit_not(v);
  if (o.modifier & 1) v = b_.isub(zero(), v);
  return v;
}

Number Translator::extended_operation(uint32_t channel) {
  const Unit& unit = channel == kAlphaChannel ? now_->alpha : now_->rgb;
  const XiOp op = unit.xi();
  const XiOpInfo& i = info(op);
  std::array<Value, 3> v;
  std::array<Number, 2> raw;
  for (uint32_t n = 0; n < i.sources; ++n) {
    const isa::us_r500::Operand& o = unit.operand[n];
    const uint32_t swizzle = o.swizzle[channel == kAlphaChannel ? 0 : channel];
    if (i.classes[n] == OperandClass::real) {
      v[n] = operand({o.select, swizzle, n < 2 ? o.modifier : 0u}, false).v;
      continue;
    }
    // Copies keep the form of a NaN.
    const bool copies = n < 2 && (op == XiOp::SEL || op == XiOp::MOV) && o.modifier == 0 && swizzle <= 3 && o.select < 3;
    const Address* const a = copies ? &(swizzle == kAlphaChannel ? now_->alpha : now_->rgb).address[o.select] : nullptr;
    const Number whole = a && a->file != Address::File::inline_float ? source(*a, swizzle) : Number{integer(o, swizzle, n < 2)};
    v[n] = whole.v;
    if (n < 2) raw[n] = whole;
  }
  const Value a = v[0], b = v[1], c = v[2];  // no structured binding: lambdas below take them
  const auto real = [](Value r) { return Number{r, Nan::us}; };
  const auto whole = [](Value r) { return Number{r}; };
  const auto from_lane = [&](auto lane_of) {
    std::array<uint32_t, kLanes> t;
    for (uint32_t l = 0; l < kLanes; ++l) t[l] = lane_of(l);
    return b_.permute(a, b_.table(t));
  };
  switch (op) {
    case XiOp::IADD: return whole(b_.iadd(a, b));
    case XiOp::IMUL: return whole(b_.imul(a, b));
    case XiOp::IMAD: return whole(b_.iadd(b_.imul(a, b), c));
    case XiOp::IMULH: return whole(b_.imul_high(a, b));
    case XiOp::UMULH: return whole(b_.umul_high(a, b));
    case XiOp::IDIV: return whole(b_.select(b_.ieq(b, zero()), zero(), b_.idiv(a, b)));
    case XiOp::UDIV: return whole(b_.select(b_.ieq(b, zero()), zero(), b_.udiv(a, b)));
    case XiOp::IREM: return whole(b_.irem(a, b));
    case XiOp::UREM: return whole(b_.urem(a, b));
    case XiOp::AND: return whole(b_.bit_and(a, b));
    case XiOp::OR: return whole(b_.bit_or(a, b));
    case XiOp::XOR: return whole(b_.bit_xor(a, b));
    case XiOp::BITSEL: return whole(b_.bit_or(b_.bit_and(a, c), b_.bit_andnot(c, b)));
    case XiOp::SHL: return whole(b_.shl_by(a, b));
    case XiOp::LSHR: return whole(b_.shr_by(a, b));
    case XiOp::ASHR: return whole(b_.sar_by(a, b));
    case XiOp::IMIN: return whole(b_.imin(a, b));
    case XiOp::IMAX: return whole(b_.imax(a, b));
    case XiOp::UMIN: return whole(b_.umin(a, b));
    case XiOp::UMAX: return whole(b_.umax(a, b));
    case XiOp::IEQ: return whole(truth(b_.ieq(a, b)));
    case XiOp::INE: return whole(truth(b_.ine(a, b)));
    case XiOp::ILT: return whole(truth(b_.ilt(a, b)));
    case XiOp::IGE: return whole(truth(b_.ile(b, a)));
    case XiOp::ULT: return whole(truth(b_.ult(a, b)));
    case XiOp::UGE: return whole(truth(b_.ule(b, a)));
    case XiOp::FEQ: return whole(truth(b_.eq(a, b)));
    case XiOp::FNE: return whole(truth(b_.ne(a, b)));
    case XiOp::FLT: return whole(truth(b_.lt(a, b)));
    case XiOp::FGE: return whole(truth(b_.ge(a, b)));
    case XiOp::SEL: return select(b_.ine(c, zero()), raw[0], raw[1]);
    case XiOp::MOV: return raw[0];
    case XiOp::F2I: return whole(b_.to_int_clamped(a));
    case XiOp::F2U: return whole(b_.to_uint_clamped(a));
    case XiOp::I2F: return whole(b_.to_float(a));
    case XiOp::U2F: return whole(b_.uint_to_float(a));
    case XiOp::FLOOR: return real(b_.floor(a));
    case XiOp::CEIL: return real(b_.ceil(a));
    case XiOp::TRUNC: return real(b_.trunc(a));
    case XiOp::RNE: return real(b_.round_even(a));
    case XiOp::FDIV: return real(b_.div(a, b));
    case XiOp::FSQRT: return real(b_.sqrt(a));
    case XiOp::FMIN: return real(b_.select(b_.is_nan(b), b_.flush(a), b_.minimum(a, b)));
    case XiOp::FMAX: return real(b_.select(b_.is_nan(b), b_.flush(a), b_.maximum(a, b)));
    case XiOp::LDEXP: {
      const Value exponent = b_.bit_and(b_.shr(a, 23), b_.constant_bits(255));
      const Value by = b_.imax(b_.imin(b, b_.constant_bits(400)), b_.constant_bits(uint32_t(-400)));
      const Value moved = b_.iadd(exponent, by);
      const Value sign = b_.bit_and(a, b_.constant_bits(0x80000000u));
      Value r = b_.bit_or(b_.bit_and(a, b_.constant_bits(0x807FFFFFu)), b_.shl(moved, 23));
      r = b_.select(b_.ilt(moved, b_.constant_bits(1)), sign, r);
      r = b_.select(b_.ilt(b_.constant_bits(254), moved), b_.bit_or(sign, b_.constant_bits(num::kInf)), r);
      r = b_.select(b_.ieq(exponent, zero()), sign, r);
      return real(b_.select(b_.ieq(exponent, b_.constant_bits(255)), a, r));
    }
    case XiOp::FREXPM:
    case XiOp::FREXPE: {
      const Value exponent = b_.bit_and(b_.shr(a, 23), b_.constant_bits(255));
      const Mask special = b_.mask_or(b_.ieq(exponent, zero()), b_.ieq(exponent, b_.constant_bits(255)));
      if (op == XiOp::FREXPE) return whole(b_.select(special, zero(), b_.isub(exponent, b_.constant_bits(126))));
      const Value mantissa = b_.bit_or(b_.bit_and(a, b_.constant_bits(0x807FFFFFu)), b_.constant_bits(0x3F000000u));
      return real(b_.select(special, b_.flush(a), mantissa));
    }
    case XiOp::BCNT: return whole(b_.popcount(a));
    case XiOp::FFBL: return whole(b_.find_lsb(a));
    case XiOp::FFBH: return whole(b_.find_msb(a));
    case XiOp::FFBI: return whole(b_.find_imsb(a));
    case XiOp::BREV: return whole(b_.bit_reverse(a));
    case XiOp::BFM: return whole(b_.shl_by(b_.low_bits(a), b));
    case XiOp::UBFE:
    case XiOp::IBFE: {
      const Value count = b_.umin(c, b_.isub(b_.constant_bits(32), b));
      const Value field = op == XiOp::UBFE ? b_.extract(a, b, count) : b_.extract_signed(a, b, count);
      return whole(b_.select(b_.ult(b, b_.constant_bits(32)), field, zero()));
    }
    case XiOp::PKH: {
      const auto half = [&](Value f) { return b_.select(b_.is_nan(f), b_.constant_bits(0x7E00), b_.float_to_half(f)); };
      return whole(b_.bit_or(half(a), b_.shl(half(b), 16)));
    }
    case XiOp::UNPKL: return real(b_.half_to_float(b_.bit_and(a, b_.constant_bits(0xFFFF))));
    case XiOp::UNPKH: return real(b_.half_to_float(b_.shr(a, 16)));
    case XiOp::QBC0:
    case XiOp::QBC1:
    case XiOp::QBC2:
    case XiOp::QBC3: return whole(b_.quad(a, uint32_t(op) & 3u));
    case XiOp::QSWH: return whole(from_lane([](uint32_t l) { return l ^ 1u; }));
    case XiOp::QSWV: return whole(from_lane([](uint32_t l) { return l ^ 2u; }));
    case XiOp::QSWD: return whole(from_lane([](uint32_t l) { return l ^ 3u; }));
    case XiOp::DDXC: return real(b_.sub(b_.quad(a, 1), b_.quad(a, 0)));
    case XiOp::DDYC: return real(b_.sub(b_.quad(a, 2), b_.quad(a, 0)));
    case XiOp::DDXF: return real(b_.sub(from_lane([](uint32_t l) { return l | 1u; }), from_lane([](uint32_t l) { return l & ~1u; })));
    case XiOp::DDYF: return real(b_.sub(from_lane([](uint32_t l) { return l | 2u; }), from_lane([](uint32_t l) { return l & ~2u; })));
  }
  problem_ = "reserved XI operation";
  return {zero()};
}

/// The test of a unit's result: on bits if the operation is of XI.
Translator::Mask Translator::test_result(const Unit& unit, uint32_t op, Number n) {
  if (unit.op != AluOp::XI) return test(op, n.v);
  const Value v = bits(n);
  switch (op & 3u) {
    case 0: return b_.ieq(v, zero());
    case 1: return b_.ilt(v, zero());
    case 2: return b_.ile(zero(), v);
    default: return b_.ine(v, zero());
  }
}

bool Translator::alu(uint32_t pc, const Instruction& x) {
  Values result;
  if (!results(pc, x, result)) return false;
  const uint32_t wmask = x.rgb.write | x.alpha.write << 3, omask = x.rgb.output | x.alpha.output << 3;
  const bool is_out = x.type == Type::OUTPUT;
  const std::array<Mask, 4> on = enabled_channels(x);  // read before predicates change
  if (is_out && stage_code_) {
    export_output(x, result, on);
  } else if (is_out) {
    for (uint32_t c = 0; c < 4; ++c)
      if ((omask >> c & 1u) || (c == 3 && x.depth_write))
        b_.store(lane::kArgs, uint32_t(offsetof(GroupArgs, temp) + c * sizeof(Lanes)), bits(result[c]));
    call_slot(pc, x);
  }
  for (uint32_t c = 0; c < 4; ++c) {
    const Unit& unit = c < 3 ? x.rgb : x.alpha;
    if (wmask >> c & 1u) write_temp(unit.dest, c, result[c], on[c], x.write_inactive ? all_ : active_);
    if (is_out || !(omask >> c & 1u)) continue;
    const uint32_t how = unit.op == AluOp::XI ? kNotZero : unit.target;
    write_predicate(c, test_result(unit, how, result[c]), on[c]);
  }
  if (x.result_write) {
    const uint32_t c = x.result_alpha ? 3 : 0;
    alu_result_ = test_result(c ? x.alpha : x.rgb, x.result_op, result[c]);  // flow control uses active lanes only
  }
  return true;
}

}  // namespace pumice::hw::fast::extended
