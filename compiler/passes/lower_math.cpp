// SPDX-License-Identifier: MIT
/// High-level operations -> what both chips have. Accuracy against Vulkan's table ("Precision and Operation of SPIR-V Instructions"):
/// division is a * rcp(b) (2.5 ulp required), sqrt is 1/rsq, atan and relatives a polynomial with about 2e-5 relative error (4096 ulp
/// = 2.4e-4 required). Results at singular points follow from rcp, rsq and log2 (Inf), so sqrt(0) = 0 and pow(0, y > 0) = 0.
#include <cmath>
#include <limits>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr float kPi = 3.14159265358979f, kHalfPi = 1.57079632679490f, kTwoPi = 6.28318530717959f, kInverseTwoPi = 0.159154943091895f;
constexpr float kLog2E = 1.44269504088896f, kLn2 = 0.693147180559945f;
constexpr float kTiny = 1e-37f, kSmallest = std::numeric_limits<float>::min();

class Lowering {
 public:
  Lowering(Module& m, const ChipLimits& chip) : m_(m), defs_(m), exact_(chip.memory), sines_(chip.sines) {}

  bool run() {
    return replace_instructions(m_, [&](const Instruction& in, Builder& b) { return lower(in, b); });
  }

 private:
  struct Math {
    Builder& b;
    Type type;  // of integer results
    bool exact, sines;
    Operand c(float x) const { return b.constant(x); }
    Operand rcp(const Operand& x) const { return b.op(Op::rcp, {x}); }
    Operand fract(const Operand& x) const { return b.op_typed(Op::fract, Type::f32, {x}); }
    Operand floor(const Operand& x) const { return exact ? b.op_typed(Op::floor, Type::f32, {x}) : b.sub(x, fract(x)); }
    Operand lt(const Operand& x, const Operand& y) const { return b.op(Op::slt, {x, y}); }
    /// Comparisons as 0.0 or 1.0.
    Operand one_if_ge(const Operand& x, const Operand& y) const { return b.number(b.op(Op::sge, {x, y})); }
    Operand one_if_lt(const Operand& x, const Operand& y) const { return b.number(b.op(Op::slt, {x, y})); }
    Operand one_if_eq(const Operand& x, const Operand& y) const { return b.number(b.op(Op::seq, {x, y})); }
    Operand pick(const Operand& condition, const Operand& x, const Operand& y) const { return b.sel(condition, x, y); }
    Operand sqrt(const Operand& x) const { return exact ? b.op(Op::sqrt, {x}) : rcp(b.op(Op::rsq, {x})); }
    Operand exp(const Operand& x) const { return b.op(Op::exp2, {b.mul(x, c(kLog2E))}); }
    Operand log(const Operand& x) const { return b.mul(b.op(Op::log2, {x}), c(kLn2)); }
    Operand copy_sign(const Operand& magnitude, const Operand& sign) const { return pick(lt(sign, c(0)), -magnitude, magnitude); }
    Operand trunc(const Operand& x) const { return copy_sign(floor(x.abs()), x); }

    /// sin, cos with the argument reduced to the range the stage's unit requires (ir/ops.h).
    Operand periodic(Op op, const Operand& x) const {
      if (b.module().stage == Stage::fragment && !sines)
        return polynomial_sine(b.mad(x, c(kInverseTwoPi), c(op == Op::sin ? 0.25f : 0.5f)));
      if (b.module().stage == Stage::fragment || exact)
        return b.op(op == Op::sin ? Op::sin_cycles : Op::cos_cycles, {fract(b.mul(x, c(kInverseTwoPi)))});
      return b.op(op, {b.mad(fract(b.mad(x, c(kInverseTwoPi), c(0.5f))), c(kTwoPi), c(-kPi))});
    }

    /// cos(2 pi (t - 0.5)) = sin(2 pi w) with w = 0.25 - |fract(t) - 0.5| in [-0.25, 0.25]; the polynomial is off by 7e-5 at most
    /// (2^-11 required).
    Operand polynomial_sine(const Operand& t) const {
      const Operand w = b.sub(c(0.25f), b.sub(fract(t), c(0.5f)).abs()), w2 = b.mul(w, w);
      return b.mul(b.mad(b.mad(w2, c(73.5854516f), c(-41.0952387f)), w2, c(6.28128003f)), w);
    }

    /// Good up to the largest numbers, whose reciprocal is flushed, and 1 of two infinities.
    Operand ratio(const Operand& low, const Operand& high) const {
      return pick(b.op(Op::seq, {low, c(std::numeric_limits<float>::infinity())}), c(1), b.op(Op::div, {low, high}));
    }
    /// Polynomial on [0,1] after dividing the smaller by the larger, then octants.
    Operand atan2(const Operand& y, const Operand& x) const {
      const Operand ax = x.abs(), ay = y.abs();
      const Operand low = b.op(Op::min, {ax, ay}), high = b.op(Op::max, {b.op(Op::max, {ax, ay}), c(exact ? kSmallest : kTiny)});
      const Operand t = exact ? ratio(low, high) : b.mul(low, rcp(high)), t2 = b.mul(t, t);
      Operand p = c(-0.01172120f);
      for (float k : {0.05265332f, -0.11643287f, 0.19354346f, -0.33262347f, 0.99997726f}) p = b.mad(p, t2, c(k));
      p = b.mul(p, t);
      p = pick(lt(ax, ay), b.sub(c(kHalfPi), p), p);
      p = pick(lt(x, c(0)), b.sub(c(kPi), p), p);
      return with_sign_of(p, y);
    }
    /// The same with the sign of a zero or denormal, where the chip has integers to see it: atan2(-0, -1) is -pi.
    Operand with_sign_of(const Operand& magnitude, const Operand& sign) const {
      if (!exact || sign.source.abs) return copy_sign(magnitude, sign);
      Operand plain = sign;
      plain.source.negate = false;
      const Operand zero = b.append({.op = Op::constant}, Type::i32, 1);
      const Operand below = b.op_typed(Op::ilt, Type::boolean, {b.op_typed(Op::bitcast, Type::i32, {plain}), zero});
      return sign.source.negate ? pick(below, magnitude, -magnitude) : pick(below, -magnitude, magnitude);
    }
    Operand one_minus_square_root(const Operand& x) const { return sqrt(b.op(Op::max, {b.mul(b.sub(c(1), x), b.add(x, c(1))), c(0)})); }

    /// floor(a / b) for 0 <= a <= 2^24, 0 < b: the estimate is off by at most a few units for quotients near 2^24, by one below 2^22.
    Operand quotient(const Operand& a, const Operand& bb) const {
      Operand q = floor(b.mul(a, rcp(bb)));
      const Operand r = b.mad(-q, bb, a);
      return b.sub(b.add(q, one_if_ge(r, bb)), one_if_lt(r, c(0)));
    }
  };

  std::optional<float> splat(const Source& s, unsigned lanes) const {
    const auto v = constant_of(defs_, s, lanes);
    if (!v) return std::nullopt;
    for (unsigned i = 1; i < lanes; ++i)
      if ((*v)[i] != (*v)[0]) return std::nullopt;
    return (*v)[0];
  }

  std::optional<Operand> power(const Math& m, const Instruction& in, const Operand& x, const Operand& y) const {
    const auto e = splat(in.source[1], m_.comps(in.result));
    if (e == 1.0f) return x;
    if (e == 2.0f) return m.b.mul(x, x);
    if (e == 3.0f) return m.b.mul(m.b.mul(x, x), x);
    if (e == 4.0f) {
      const Operand square = m.b.mul(x, x);
      return m.b.mul(square, square);
    }
    if (e == 0.5f) return m.sqrt(x);
    return m.b.op(Op::exp2, {m.b.mul(y, m.b.op(Op::log2, {x}))});
  }

  std::optional<Operand> lower(const Instruction& in, Builder& b) const {
    const OpInfo::Level level = info(in.op).level;
    if (exact_ && level == OpInfo::Level::typed) return typed(in, b);
    const bool lowered = level == OpInfo::Level::high || (!exact_ && (level == OpInfo::Level::exact || in.op == Op::floor));
    if (!lowered && in.op != Op::sin && in.op != Op::cos) return std::nullopt;
    if (in.op == Op::load_temp || in.op == Op::store_temp) return std::nullopt;
    const uint8_t n = m_.comps(in.result);
    const Math m{b, m_.value(in.result).type, exact_, sines_};
    // Typed as floats: the mov that keeps the id restores the tag.
    const Operand x{in.source[0], Type::f32, n}, y{in.source[1], Type::f32, n};
    switch (in.op) {
      case Op::floor: return m.floor(x);
      case Op::sin:
      case Op::cos:
        if (bounded(in)) return std::nullopt;
        return m.periodic(in.op, x);
      case Op::div: return b.mul(x, m.rcp(y));
      case Op::sqrt: return m.sqrt(x);
      case Op::pow: return power(m, in, x, y);
      case Op::exp: return m.exp(x);
      case Op::log: return m.log(x);
      case Op::ceil: return -m.floor(-x);
      case Op::trunc: return m.trunc(x);
      case Op::round_even: {
        // Up if the fraction is above one half, or exactly one half and the integer below is odd.
        const Operand f = m.fract(x), low = b.sub(x, f), odd = b.mul(m.fract(b.mul(low, m.c(0.5f))), m.c(2.0f));
        return b.add(low, b.mad(m.one_if_eq(f, m.c(0.5f)), odd, m.one_if_lt(m.c(0.5f), f)));
      }
      case Op::sign: return b.sub(m.one_if_lt(m.c(0), x), m.one_if_lt(x, m.c(0)));
      case Op::whole_div: {
        const Operand q = m.quotient(x.abs(), y.abs());
        return m.pick(m.lt(b.mul(x, y), m.c(0)), -q, q);
      }
      case Op::whole_mod: {
        // For b < 0 both signs are turned: the result has the sign of b.
        const auto divisor = splat(in.source[1], n);
        if (divisor && *divisor > 0.0f) return positive_remainder(m, x, y);
        const Operand sign = m.pick(m.lt(y, m.c(0)), m.c(-1), m.c(1));
        return b.mul(positive_remainder(m, b.mul(x, sign), y.abs()), sign);
      }
      case Op::whole_rem: {
        const Operand a = x.abs(), d = y.abs();
        return m.copy_sign(b.mad(-m.quotient(a, d), d, a), x);
      }
      case Op::tan: return b.mul(m.periodic(Op::sin, x), m.rcp(m.periodic(Op::cos, x)));
      case Op::atan: return m.atan2(x, m.c(1));
      case Op::atan2: return m.atan2(x, y);
      case Op::asin: return m.atan2(x, m.one_minus_square_root(x));
      case Op::acos: return m.atan2(m.one_minus_square_root(x), x);
      case Op::sinh: return b.mul(b.sub(m.exp(x), m.exp(-x)), m.c(0.5f));
      case Op::cosh: return b.mul(b.add(m.exp(x), m.exp(-x)), m.c(0.5f));
      case Op::tanh:  // 1 - 2 / (e^2x + 1) does not overflow to Inf/Inf
        return b.mad(m.rcp(b.add(m.exp(b.mul(x, m.c(2))), m.c(1))), m.c(-2), m.c(1));
      case Op::asinh: return m.copy_sign(m.log(b.add(x.abs(), m.sqrt(b.mad(x, x, m.c(1))))), x);
      case Op::acosh: return m.log(b.add(x, m.sqrt(b.mad(x, x, m.c(-1)))));
      case Op::atanh: return b.mul(m.log(b.mul(b.add(x, m.c(1)), m.rcp(b.sub(m.c(1), x)))), m.c(0.5f));
      default: return std::nullopt;
    }
  }

  /// a - b * floor(a / b) for b > 0 and a of any sign, corrected by one step.
  static Operand positive_remainder(const Math& m, const Operand& a, const Operand& d) {
    Builder& b = m.b;
    Operand r = b.mad(-m.floor(b.mul(a, m.rcp(d))), d, a);
    r = b.mad(m.one_if_lt(r, m.c(0)), d, r);
    return b.mad(-m.one_if_ge(r, d), d, r);
  }

  /// Integer operations that chips with memory have no instruction for (docs/r5x.md, section 3).
  std::optional<Operand> typed(const Instruction& in, Builder& b) const {
    const Type type = m_.value(in.result).type;
    const uint8_t n = m_.comps(in.result);
    const auto integer = [&](uint32_t x, Type t) {
      return b.append({.op = Op::constant, .constant = Lanes(std::array{x, 0u, 0u, 0u})}, t, 1);
    };
    const auto source = [&](unsigned i) { return Operand{in.source[i], m_.value(in.source[i].value).type, n}; };
    switch (in.op) {
      case Op::udiv:
      case Op::umod: {
        const auto c = constant_words(defs_, in.source[1], n);
        if (!c || !std::has_single_bit(c->bits[0])) return std::nullopt;
        for (unsigned i = 1; i < n; ++i)
          if (c->bits[i] != c->bits[0]) return std::nullopt;
        if (in.op == Op::umod) return b.op_typed(Op::iand, type, {source(0), integer(c->bits[0] - 1, type)});
        return b.op_typed(Op::ushr, type, {source(0), integer(uint32_t(std::countr_zero(c->bits[0])), type)});
      }
      case Op::isign: {
        const Operand one = integer(1, type), minus_one = integer(~0u, type);
        return b.op_typed(Op::imin, type, {b.op_typed(Op::imax, type, {source(0), minus_one}), one});
      }
      case Op::imod: {
        // The remainder has the sign of a: where that is not b's, one more b.
        const Operand x = source(0), y = source(1), r = b.op_typed(Op::irem, type, {x, y}), zero = integer(0, type);
        const Operand differs = b.op_typed(Op::ilt, Type::boolean, {b.op_typed(Op::ixor, type, {r, y}), zero});
        const Operand corrects = b.op_typed(Op::iand, Type::boolean, {b.op_typed(Op::ine, Type::boolean, {r, zero}), differs});
        return b.sel(corrects, b.op_typed(Op::iadd, type, {r, y}), r);
      }
      case Op::uadd_carry:
        return b.op_typed(Op::b2i, type,
                          {b.op_typed(Op::ult, Type::boolean, {b.op_typed(Op::iadd, Type::u32, {source(0), source(1)}), source(0)})});
      case Op::usub_borrow: return b.op_typed(Op::b2i, type, {b.op_typed(Op::ult, Type::boolean, {source(0), source(1)})});
      case Op::pack_snorm4x8:
      case Op::pack_unorm4x8:
      case Op::pack_snorm2x16:
      case Op::pack_unorm2x16: {
        const bool four = in.op == Op::pack_snorm4x8 || in.op == Op::pack_unorm4x8;
        const bool is_signed = in.op == Op::pack_snorm4x8 || in.op == Op::pack_snorm2x16;
        const uint8_t lanes = four ? 4 : 2;
        const unsigned bits = four ? 8 : 16;
        const Operand x{in.source[0], Type::f32, lanes};
        const float top = float((1u << (is_signed ? bits - 1 : bits)) - 1);
        // max() gives its second operand where the first is a NaN.
        const Operand clamped = b.op(Op::min, {b.op(Op::max, {x, b.constant(is_signed ? -1.0f : 0.0f)}), b.constant(1.0f)});
        const Operand code =
            b.op_typed(is_signed ? Op::f2i : Op::f2u, Type::u32, {b.op(Op::round_even, {b.mul(clamped, b.constant(top))})});
        Operand word;
        for (unsigned i = 0; i < lanes; ++i) {
          Operand part = code.lane(i);
          if (is_signed) part = b.op(Op::iand, {part, integer((1u << bits) - 1, Type::u32)});
          if (i) part = b.op(Op::ishl, {part, integer(i * bits, Type::u32)});
          word = word ? b.op(Op::ior, {word, part}) : part;
        }
        return word;
      }
      case Op::unpack_snorm4x8:
      case Op::unpack_unorm4x8:
      case Op::unpack_snorm2x16:
      case Op::unpack_unorm2x16: {
        const unsigned lanes = n, bits = lanes == 4 ? 8 : 16;
        const bool is_signed = in.op == Op::unpack_snorm4x8 || in.op == Op::unpack_snorm2x16;
        const Operand word{in.source[0], Type::u32, 1};
        Vec<Operand> parts;
        for (unsigned i = 0; i < lanes; ++i) {
          const Operand at = integer(i * bits, Type::u32), width = integer(bits, Type::u32);
          parts.push_back(b.op_typed(is_signed ? Op::ibfe : Op::ubfe, Type::u32, {word, at, width}));
        }
        const float top = float((1u << (is_signed ? bits - 1 : bits)) - 1);
        const Operand number = b.op_typed(is_signed ? Op::i2f : Op::u2f, Type::f32, {b.vec(parts)});
        const Operand value = b.op(Op::div, {number, b.constant(top)});
        return is_signed ? b.op(Op::max, {value, b.constant(-1.0f)}) : value;
      }
      default: return std::nullopt;
    }
  }

  /// sin or cos in the vertex stage whose argument this pass has already brought into [-pi, pi].
  bool bounded(const Instruction& in) const {
    if (m_.stage != Stage::vertex || exact_) return false;
    const Instruction& d = defs_[in.source[0].value];
    if (d.op != Op::mad || in.source[0].abs || in.source[0].negate) return false;
    const unsigned n = m_.comps(d.result);
    return defs_[d.source[0].value].op == Op::fract && splat(d.source[1], n) == kTwoPi && splat(d.source[2], n) == -kPi;
  }

  Module& m_;
  const Definitions defs_;
  const bool exact_, sines_;  ///< exact_: the chip has the operations of level exact, and floor; sin and cos of all stages take cycles
};

}  // namespace

bool lower_math(Context& c) { return Lowering(c.module, *c.options.chip).run(); }

}  // namespace pumice::compiler::passes
