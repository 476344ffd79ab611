// SPDX-License-Identifier: MIT
/// XI (docs/r5x.md, 3): integers, booleans (~0 or 0), exact float operations, the quad.
#include "compiler/us/selector.h"

namespace pumice::compiler::us::select_detail {

/// Componentwise as cw(). Operands that the operation reads without modifiers are copied where they have some.
void Selector::xi(XiOp op, const Place& dst, std::initializer_list<isa::Operand> operands) {
  std::array<isa::Operand, 3> all;
  size_t n = 0;
  for (isa::Operand o : operands) {
    const bool plain = n == 2 || info(op).classes[n] == OperandClass::raw;
    if (plain && (o.abs || o.negate)) {
      if (o.place.kind == Place::Kind::immediate) {
        isa::Operand value = literal(0);
        for (unsigned l = 0; l < 4; l++) value.place.value[l] = o.place.lane[o.swizzle[l]] < 4 ? immediate_lane(o, l) : 0;
        o = value;
      } else {
        const Place t = temp_like(dst);
        move(t, o);
        o = whole(t);
      }
    }
    all[n++] = o;
  }
  componentwise(AluOp::XI, op, dst, {all.data(), n}, {});
}

/// The result of a float operation, clamped where that is wanted, which XI cannot.
void Selector::saturated(const ir::Instruction& x, XiOp op, std::initializer_list<isa::Operand> operands) {
  const Place d = places_.dest(x.result, scalar_class());
  if (!x.saturate) return xi(op, d, operands);
  const Place t = temp_like(d);
  xi(op, t, operands);
  move(d, whole(t), true);
}

bool Selector::exact_floats(const ir::Instruction& x) {
  const auto src = [&](unsigned i) { return places_.read(x.source[i]); };
  const auto one = [&](XiOp op) { return saturated(x, op, {src(0)}), true; };
  const auto two = [&](XiOp op) { return saturated(x, op, {src(0), src(1)}), true; };
  switch (x.op) {
    case ir::Op::floor: return one(XiOp::FLOOR);
    case ir::Op::ceil: return one(XiOp::CEIL);
    case ir::Op::trunc: return one(XiOp::TRUNC);
    case ir::Op::round_even: return one(XiOp::RNE);
    case ir::Op::div: return two(XiOp::FDIV);
    case ir::Op::sqrt: return one(XiOp::FSQRT);
    case ir::Op::nmin: return two(XiOp::FMIN);
    case ir::Op::nmax: return two(XiOp::FMAX);
    case ir::Op::ldexp: return two(XiOp::LDEXP);
    case ir::Op::frexp_mant: return one(XiOp::FREXPM);
    case ir::Op::frexp_exp: return one(XiOp::FREXPE);
    case ir::Op::slt: return two(XiOp::FLT);
    case ir::Op::sge: return two(XiOp::FGE);
    case ir::Op::seq: return two(XiOp::FEQ);
    case ir::Op::sne: return two(XiOp::FNE);
    case ir::Op::sel: return saturated(x, XiOp::SEL, {src(1), src(2), src(0)}), true;
    case ir::Op::ddx: return one(XiOp::DDXC);
    case ir::Op::ddy: return one(XiOp::DDYC);
    case ir::Op::ddx_fine: return one(XiOp::DDXF);
    case ir::Op::ddy_fine: return one(XiOp::DDYF);
    case ir::Op::quad_broadcast: return one(XiOp(unsigned(XiOp::QBC0) + x.access().sub));
    case ir::Op::quad_swap: return one(XiOp(unsigned(XiOp::QSWH) + x.access().sub));
    default: return false;
  }
}

bool Selector::integers(const ir::Instruction& x) {
  const auto src = [&](unsigned i) { return places_.read(x.source[i]); };
  const auto dst = [&]() -> Place { return places_.dest(x.result, scalar_class()); };
  const auto one = [&](XiOp op) { return xi(op, dst(), {src(0)}), true; };
  const auto two = [&](XiOp op) { return xi(op, dst(), {src(0), src(1)}), true; };
  const auto three = [&](XiOp op) { return xi(op, dst(), {src(0), src(1), src(2)}), true; };
  switch (x.op) {
    case ir::Op::iadd: return two(XiOp::IADD);
    case ir::Op::isub: return xi(XiOp::IADD, dst(), {src(0), negated(src(1))}), true;
    case ir::Op::imul: return two(XiOp::IMUL);
    case ir::Op::ineg: return xi(XiOp::MOV, dst(), {negated(src(0))}), true;
    case ir::Op::iabs: return xi(XiOp::IMAX, dst(), {src(0), negated(src(0))}), true;
    case ir::Op::isign: {
      const Place d = dst(), t = temp_like(d);
      xi(XiOp::IMAX, t, {src(0), literal_bits(~0u)});
      return xi(XiOp::IMIN, d, {whole(t), literal_bits(1)}), true;
    }
    case ir::Op::idiv: return two(XiOp::IDIV);
    case ir::Op::udiv: return two(XiOp::UDIV);
    case ir::Op::irem: return two(XiOp::IREM);
    case ir::Op::umod: return two(XiOp::UREM);
    case ir::Op::imod: {  // the remainder, plus the divisor where the signs differ
      const Place d = dst(), r = temp_like(d), signs = temp_like(d), other = temp_like(d);
      xi(XiOp::IREM, r, {src(0), src(1)});
      xi(XiOp::XOR, signs, {whole(r), src(1)});
      xi(XiOp::ASHR, signs, {whole(signs), literal_bits(31)});
      xi(XiOp::AND, signs, {whole(signs), src(1)});
      xi(XiOp::IADD, other, {whole(r), whole(signs)});
      return xi(XiOp::SEL, d, {whole(other), literal_bits(0), whole(r)}), true;
    }
    case ir::Op::imin: return two(XiOp::IMIN);
    case ir::Op::imax: return two(XiOp::IMAX);
    case ir::Op::umin: return two(XiOp::UMIN);
    case ir::Op::umax: return two(XiOp::UMAX);
    case ir::Op::ishl: return two(XiOp::SHL);
    case ir::Op::ishr: return two(XiOp::ASHR);
    case ir::Op::ushr: return two(XiOp::LSHR);
    case ir::Op::iand: return two(XiOp::AND);
    case ir::Op::ior: return two(XiOp::OR);
    case ir::Op::ixor: return two(XiOp::XOR);
    case ir::Op::inot: return xi(XiOp::MOV, dst(), {inverted(src(0))}), true;
    case ir::Op::ilt: return two(XiOp::ILT);
    case ir::Op::ige: return two(XiOp::IGE);
    case ir::Op::ult: return two(XiOp::ULT);
    case ir::Op::uge: return two(XiOp::UGE);
    case ir::Op::ieq: return two(XiOp::IEQ);
    case ir::Op::ine: return two(XiOp::INE);
    case ir::Op::i2f: return one(XiOp::I2F);
    case ir::Op::u2f: return one(XiOp::U2F);
    case ir::Op::f2i:
    case ir::Op::whole2i: return one(XiOp::F2I);
    case ir::Op::f2u:
    case ir::Op::whole2u: return one(XiOp::F2U);
    case ir::Op::b2f: return xi(XiOp::AND, dst(), {src(0), literal(1)}), true;
    case ir::Op::b2i: return xi(XiOp::MOV, dst(), {negated(src(0))}), true;
    case ir::Op::bitcast: return mov(x), true;
    case ir::Op::ibfe: return three(XiOp::IBFE);
    case ir::Op::ubfe: return three(XiOp::UBFE);
    case ir::Op::bfi: {
      const Place d = dst(), mask = temp_like(d), bits = temp_like(d);
      xi(XiOp::BFM, mask, {src(3), src(2)});
      xi(XiOp::SHL, bits, {src(1), src(2)});
      return xi(XiOp::BITSEL, d, {whole(bits), src(0), whole(mask)}), true;
    }
    case ir::Op::bit_reverse: return one(XiOp::BREV);
    case ir::Op::bit_count: return one(XiOp::BCNT);
    case ir::Op::find_lsb: return one(XiOp::FFBL);
    case ir::Op::ifind_msb: return one(XiOp::FFBI);
    case ir::Op::ufind_msb: return one(XiOp::FFBH);
    case ir::Op::uadd_carry: {
      const Place d = dst(), sum = temp_like(d), carry = temp_like(d);
      xi(XiOp::IADD, sum, {src(0), src(1)});
      xi(XiOp::ULT, carry, {whole(sum), src(0)});
      return xi(XiOp::MOV, d, {negated(whole(carry))}), true;
    }
    case ir::Op::usub_borrow: {
      const Place d = dst(), borrow = temp_like(d);
      xi(XiOp::ULT, borrow, {src(0), src(1)});
      return xi(XiOp::MOV, d, {negated(whole(borrow))}), true;
    }
    case ir::Op::umul_high: return two(XiOp::UMULH);
    case ir::Op::imul_high: return two(XiOp::IMULH);
    default: return false;
  }
}

namespace {
struct Packed {
  unsigned lanes, bits;
  bool is_signed;
};
Packed packed(ir::Op op) {
  switch (op) {
    case ir::Op::pack_snorm4x8:
    case ir::Op::unpack_snorm4x8: return {4, 8, true};
    case ir::Op::pack_unorm4x8:
    case ir::Op::unpack_unorm4x8: return {4, 8, false};
    case ir::Op::pack_snorm2x16:
    case ir::Op::unpack_snorm2x16: return {2, 16, true};
    default: return {2, 16, false};
  }
}
}  // namespace

/// Normalized components and halves in words, as GLSL.std.450 has them.
bool Selector::packing(const ir::Instruction& x) {
  const isa::Operand a = places_.read(x.source[0]);
  const auto lane = [](isa::Operand o, unsigned l) { return o.swizzle.fill(o.swizzle[l]), o; };
  const auto lanes_of = [&](unsigned n) {
    Place p;
    p.kind = Place::Kind::reg;
    constexpr std::array<uint8_t, 4> kChannels{kRgbChannels, kRgbChannels, kRgbChannels, kAlphaChannel};
    p.index = lir_.new_register(std::span(kChannels).first(n));
    for (unsigned l = 0; l < n; l++) p.lane[l] = static_cast<uint8_t>(l);
    return p;
  };
  const Packed form = packed(x.op);
  const float most = static_cast<float>((1u << (form.bits - form.is_signed)) - 1);
  const Place d = places_.dest(x.result, scalar_class());
  switch (x.op) {
    case ir::Op::pack_half2x16: return xi(XiOp::PKH, d, {lane(a, 0), lane(a, 1)}), true;
    case ir::Op::unpack_half2x16:
      for (unsigned l = 0; l < 2; l++) {
        Place p = d;
        for (unsigned k = 0; k < 4; k++) p.lane[k] = k == l ? d.lane[l] : kNoLane;
        xi(l ? XiOp::UNPKH : XiOp::UNPKL, p, {lane(a, 0)});
      }
      return true;
    case ir::Op::pack_snorm4x8:
    case ir::Op::pack_unorm4x8:
    case ir::Op::pack_snorm2x16:
    case ir::Op::pack_unorm2x16: {
      const Place t = lanes_of(form.lanes);
      if (form.is_signed) {
        xi(XiOp::FMAX, t, {a, literal(-1)});
        xi(XiOp::FMIN, t, {whole(t), literal(1)});
      } else {
        move(t, a, true);
      }
      cw(AluOp::MAD, t, {whole(t), literal(most), literal(0)}, {});
      xi(XiOp::RNE, t, {whole(t)});
      xi(form.is_signed ? XiOp::F2I : XiOp::F2U, t, {whole(t)});
      if (form.is_signed) xi(XiOp::AND, t, {whole(t), literal_bits((1u << form.bits) - 1)});
      // Highest first: word = word * 2^bits + lane.
      isa::Operand word = lane(whole(t), form.lanes - 1);
      for (unsigned l = form.lanes - 1; l-- > 0;) {
        const Place to = l ? lanes_of(1) : d;
        xi(XiOp::IMAD, to, {word, literal_bits(1u << form.bits), lane(whole(t), l)});
        word = whole(to);
      }
      return true;
    }
    case ir::Op::unpack_snorm4x8:
    case ir::Op::unpack_unorm4x8:
    case ir::Op::unpack_snorm2x16:
    case ir::Op::unpack_unorm2x16: {
      const Place t = temp_like(d);
      isa::Operand from = literal(0);
      for (unsigned l = 0; l < form.lanes; l++) from.place.value[l] = std::bit_cast<float>(l * form.bits);
      xi(form.is_signed ? XiOp::IBFE : XiOp::UBFE, t, {lane(a, 0), from, literal_bits(form.bits)});
      xi(form.is_signed ? XiOp::I2F : XiOp::U2F, t, {whole(t)});
      if (!form.is_signed) return xi(XiOp::FDIV, d, {whole(t), literal(most)}), true;
      xi(XiOp::FDIV, t, {whole(t), literal(most)});
      return xi(XiOp::FMAX, d, {whole(t), literal(-1)}), true;
    }
    default: return false;
  }
}

}  // namespace pumice::compiler::us::select_detail
