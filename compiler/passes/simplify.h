// SPDX-License-Identifier: MIT
/// Algebra that shortens code: neutral elements, products with -1, selects with decided arms, clamps to [0,1] as the saturate flag.
/// x * 0 stays (x may be Inf or NaN); x + 0 may lose the sign of a zero, as the chip's adder does (us-isa A5), unless the module keeps
/// them. Part of reduce.cpp.
#pragma once
#include <cmath>

#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

class Simplifier {
  using Instruction = ir::Instruction;
  using Source = ir::Source;
  using Op = ir::Op;
  using Type = ir::Type;
  using ValueId = ir::ValueId;

 public:
  /// `uses`: how often each value is read, kept up to date.
  Simplifier(const ir::Module& m, const Definitions& defs, Vec<uint32_t>& uses) : m_(m), defs_(defs), uses_(uses) {}

  /// True if a rule may fit although no source is a constant.
  bool without_constants(const Instruction& in) const {
    return (in.op == Op::mov && in.saturate) || in.op == Op::sel || in.op == Op::min || in.op == Op::max || in.op == Op::mad ||
           (in.op == Op::add && is_whole(m_.value(in.result).type));
  }

  /// One rule, if one fits.
  bool step(Instruction& in) {
    switch (in.op) {
      case Op::mov: return clamp_at_source(in);
      case Op::add:
        for (unsigned i = 0; i < 2; ++i)
          if (is(in, i, 0.0f) && (!m_.signed_zeros || is_negative(in, i))) return to(in, Op::mov, {in.source[1 - i]}), true;
        return integer_cancels(in);
      case Op::mul:
        for (unsigned i = 0; i < 2; ++i) {
          if (is(in, i, 1.0f)) return to(in, Op::mov, {in.source[1 - i]}), true;
          if (is(in, i, -1.0f)) return to(in, Op::mov, {negated(in.source[1 - i])}), true;
          if (bool_result(in) && is(in, i, 0.0f)) return to(in, Op::mov, {in.source[i]}), true;
        }
        return false;
      case Op::mad:
        // What adds -0 wants the product's sign, which the multiplier loses when it is zero.
        if (is(in, 2, 0.0f) && !is_negative(in, 2)) return to(in, Op::mul, {in.source[0], in.source[1]}), true;
        for (unsigned i = 0; i < 2; ++i) {
          if (is(in, i, 1.0f)) return to(in, Op::add, {in.source[1 - i], in.source[2]}), true;
          if (is(in, i, -1.0f)) return to(in, Op::add, {negated(in.source[1 - i]), in.source[2]}), true;
        }
        return mix_of_truth(in);
      case Op::sel: return select(in);
      case Op::seq: return not_of_comparison(in);
      case Op::sne:
        // boolean != 0 is the boolean.
        if (m_.value(in.source[0].value).type == Type::bool_f32 && is(in, 1, 0.0f)) return to(in, Op::mov, {in.source[0]}), true;
        return false;
      case Op::max:
        for (unsigned i = 0; i < 2; ++i)
          if (bool_result(in) && is(in, i, 0.0f)) return to(in, Op::mov, {in.source[1 - i]}), true;
        return same_sources(in);
      case Op::min:
        for (unsigned i = 0; i < 2; ++i)
          if (is(in, i, 1.0f) && clamp(in, in.source[1 - i])) return true;
        return same_sources(in);
      case Op::iadd:
      case Op::ior:
      case Op::ixor:
        for (unsigned i = 0; i < 2; ++i)
          if (is_word(in, i, 0)) return to(in, Op::mov, {in.source[1 - i]}), true;
        return false;
      case Op::isub:
      case Op::ishl:
      case Op::ishr:
      case Op::ushr: return is_word(in, 1, 0) && (to(in, Op::mov, {in.source[0]}), true);
      case Op::imul:
        for (unsigned i = 0; i < 2; ++i) {
          if (is_word(in, i, 1)) return to(in, Op::mov, {in.source[1 - i]}), true;
          if (is_word(in, i, 0)) return to(in, Op::mov, {in.source[i]}), true;
        }
        return false;
      case Op::idiv:
      case Op::udiv: return is_word(in, 1, 1) && (to(in, Op::mov, {in.source[0]}), true);
      case Op::iand:
        if (m_.value(in.result).type == Type::boolean) return false;
        for (unsigned i = 0; i < 2; ++i) {
          if (is_word(in, i, ~0u)) return to(in, Op::mov, {in.source[1 - i]}), true;
          if (is_word(in, i, 0)) return to(in, Op::mov, {in.source[i]}), true;
        }
        return false;
      case Op::div:
        if (is(in, 1, 1.0f)) return to(in, Op::mov, {in.source[0]}), true;
        if (is(in, 0, 1.0f)) return to(in, Op::rcp, {in.source[1]}), true;
        return false;
      default: return false;
    }
  }

 private:
  /// The source reads this number on all lanes.
  bool is(const Instruction& in, unsigned i, float x) const {
    return defs_[in.source[i].value].op == Op::constant && constant_all(in.source[i], source_lanes(m_, in, i), x);
  }
  /// Of a constant that is the same on all lanes.
  bool is_negative(const Instruction& in, unsigned i) const {
    const Source& s = in.source[i];
    return std::signbit(ir::modify(defs_[s.value].constant[s.swizzle[0]], s));
  }
  /// The source reads this word on all lanes.
  bool is_word(const Instruction& in, unsigned i, uint32_t x) const {
    const Instruction& def = defs_[in.source[i].value];
    if (def.op != Op::constant) return false;
    for (unsigned lane = 0; lane < source_lanes(m_, in, i); ++lane)
      if (def.constant.bits[in.source[i].swizzle[lane]] != x) return false;
    return true;
  }
  void to(Instruction& in, Op op, std::initializer_list<Source> sources) {
    for (const Source& old : in.sources()) --uses_[old.value];
    for (const Source& now : sources) ++uses_[now.value];
    std::array<Source, 4> s{};
    std::copy(sources.begin(), sources.end(), s.begin());
    in.op = op;
    in.source = s;
    in.source_count = uint8_t(sources.size());
    if (op != Op::add && op != Op::mul) in.precise = false;
  }
  static Source negated(Source s) {
    s.negate = !s.negate;
    return s;
  }
  bool bool_result(const Instruction& in) const { return m_.value(in.result).type == Type::bool_f32; }

  /// A clamped copy of a value nothing else reads: clamp where it is computed (computed here, the original dies).
  bool clamp_at_source(Instruction& in) {
    if (!in.saturate) return false;
    const Source s = in.source[0];
    const Instruction def = defs_[s.value];
    if (s.abs || s.negate || uses_[s.value] != 1 || m_.value(def.result).type != Type::f32) return false;
    const bool dot = def.op >= Op::dot2 && def.op <= Op::dot4;
    if (!(def.op >= Op::mov && def.op <= Op::cos_cycles && def.op != Op::vec) && !dot) return false;
    if (def.source_count == 0 || (dot && m_.comps(in.result) != 1)) return false;
    --uses_[s.value];
    for (const Source& now : def.sources()) ++uses_[now.value];
    in.op = def.op;
    in.source_count = def.source_count;
    in.precise = def.precise;
    for (unsigned i = 0; i < def.source_count; ++i) in.source[i] = dot ? def.source[i] : compose(s, def.source[i]);
    return true;
  }

  /// (a + b) - b of integers is a: their sums are exact.
  bool integer_cancels(Instruction& in) {
    auto integral = [&](ValueId v) { return is_whole(m_.value(v).type); };
    if (!integral(in.result)) return false;
    for (unsigned i = 0; i < 2; ++i) {
      const Source s = in.source[i];
      const Instruction& def = defs_[s.value];
      if (def.op != Op::add || s.abs || s.negate || !integral(def.result)) continue;
      for (unsigned k = 0; k < 2; ++k)
        if (opposite(compose(s, def.source[k]), in.source[1 - i], m_.comps(in.result)))
          return to(in, Op::mov, {compose(s, def.source[1 - k])}), true;
    }
    return false;
  }
  bool opposite(const Source& a, const Source& b, unsigned lanes) const {
    const auto x = constant_of(defs_, a, lanes), y = constant_of(defs_, b, lanes);
    if (x.has_value() != y.has_value()) return false;
    for (unsigned i = 0; i < lanes; ++i)
      if (x ? (*x)[i] != -(*y)[i] : a.swizzle[i] != b.swizzle[i]) return false;
    return x || (a.value == b.value && a.abs == b.abs && a.negate != b.negate);
  }

  /// The truth value of which these lanes are 1.0 where it holds and 0.0 elsewhere.
  std::optional<Source> truth_of(const Source& s, unsigned lanes) const {
    const Instruction& def = defs_[s.value];
    if (s.abs || s.negate) return std::nullopt;
    if (def.op == Op::b2f) return compose(s, def.source[0]);
    if (def.op != Op::sel || m_.value(def.source[0].value).type != Type::boolean || def.saturate) return std::nullopt;
    if (!constant_all(compose(s, def.source[1]), lanes, 1.0f) || !constant_all(compose(s, def.source[2]), lanes, 0.0f)) return std::nullopt;
    return compose(s, def.source[0]);
  }
  /// b * t + a * (1 - t), a mix, with a t that is 0 or 1: a choice. Other than in the product, what is not chosen may be Inf or NaN.
  bool mix_of_truth(Instruction& in) {
    const unsigned lanes = m_.comps(in.result);
    const Source addend = in.source[2];
    const Instruction& product = defs_[addend.value];
    if (product.op != Op::mul || product.precise || product.saturate || addend.abs || addend.negate || in.saturate) return false;
    for (unsigned i = 0; i < 2; ++i) {
      const auto truth = truth_of(in.source[i], lanes);
      for (unsigned k = 0; k < 2 && truth; ++k) {
        const Source rest = compose(addend, product.source[k]);
        const Instruction& sum = defs_[rest.value];
        if (sum.op != Op::add || sum.saturate || rest.abs || rest.negate) continue;
        for (unsigned j = 0; j < 2; ++j)
          if (constant_all(compose(rest, sum.source[j]), lanes, 1.0f) &&
              same(negated(compose(rest, sum.source[1 - j])), in.source[i], lanes))
            return to(in, Op::sel, {*truth, in.source[1 - i], compose(addend, product.source[1 - k])}), true;
      }
    }
    return false;
  }

  bool same_sources(Instruction& in) {
    if (!same(in.source[0], in.source[1], m_.comps(in.result))) return false;
    return to(in, Op::mov, {Source(in.source[0])}), true;
  }
  static bool same(const Source& a, const Source& b, unsigned lanes) {
    if (a.value != b.value || a.abs != b.abs || a.negate != b.negate) return false;
    for (unsigned i = 0; i < lanes; ++i)
      if (a.swizzle[i] != b.swizzle[i]) return false;
    return true;
  }

  bool select(Instruction& in) {
    const Source c = in.source[0], a = in.source[1], b = in.source[2];
    if (m_.value(c.value).type == Type::boolean) return typed_select(in);
    if (is(in, 0, 1.0f)) return to(in, Op::mov, {a}), true;
    if (is(in, 0, 0.0f)) return to(in, Op::mov, {b}), true;
    if (is(in, 1, 1.0f) && is(in, 2, 0.0f)) return to(in, Op::mov, {c}), true;
    if (is(in, 1, -1.0f) && is(in, 2, 0.0f)) return to(in, Op::mov, {negated(c)}), true;
    if (same(a, b, m_.comps(in.result))) return to(in, Op::mov, {a}), true;
    // sel(x == 0, a, b) with a boolean x: swap the arms instead of negating.
    const Instruction& def = defs_[c.value];
    if (def.op == Op::seq && m_.value(def.source[0].value).type == Type::bool_f32 && !def.source[0].abs && !def.source[0].negate &&
        constant_all(def.source[1], m_.comps(def.result), 0.0f))
      return to(in, Op::sel, {compose(c, def.source[0]), b, a}), true;
    return false;
  }
  bool typed_select(Instruction& in) {
    const unsigned lanes = m_.comps(in.result);
    if (const auto c = constant_words(defs_, in.source[0], lanes)) {
      const bool all = c->bits[0] != 0;
      for (unsigned i = 1; i < lanes; ++i)
        if ((c->bits[i] != 0) != all) return false;
      return to(in, Op::mov, {Source(in.source[all ? 1 : 2])}), true;
    }
    return same(in.source[1], in.source[2], lanes) && (to(in, Op::mov, {Source(in.source[1])}), true);
  }
  bool constant_all(const Source& s, unsigned lanes, float x) const {
    const Instruction& def = defs_[s.value];
    if (def.op != Op::constant) return false;
    for (unsigned i = 0; i < lanes; ++i)
      if (!(ir::modify(def.constant[s.swizzle[i]], s) == x)) return false;
    return true;
  }

  /// (a < b) == 0 is a >= b; a NaN would tell them apart, and comparisons with NaN may give any result here (no SignedZeroInfNanPreserve).
  bool not_of_comparison(Instruction& in) {
    if (m_.value(in.source[0].value).type != Type::bool_f32 || !is(in, 1, 0.0f)) return false;
    const Instruction& def = defs_[in.source[0].value];
    Op opposite;
    switch (def.op) {
      case Op::slt: opposite = Op::sge; break;
      case Op::sge: opposite = Op::slt; break;
      case Op::seq: opposite = Op::sne; break;
      case Op::sne: opposite = Op::seq; break;
      default: return false;
    }
    if (in.source[0].abs || in.source[0].negate) return false;
    const Source a = compose(in.source[0], def.source[0]), b = compose(in.source[0], def.source[1]);
    return to(in, opposite, {a, b}), true;
  }

  /// min(max(x, 0), 1)
  bool clamp(Instruction& in, const Source& inner) {
    const Instruction& def = defs_[inner.value];
    if (def.op != Op::max || inner.abs || inner.negate || def.saturate || m_.value(in.result).type != Type::f32) return false;
    for (unsigned i = 0; i < 2; ++i) {
      if (!constant_all(def.source[i], m_.comps(def.result), 0.0f)) continue;
      to(in, Op::mov, {compose(inner, def.source[1 - i])});
      in.saturate = true;
      return true;
    }
    return false;
  }

  const ir::Module& m_;
  const Definitions& defs_;
  Vec<uint32_t>& uses_;
};

}  // namespace pumice::compiler::passes
