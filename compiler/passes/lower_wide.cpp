// SPDX-License-Identifier: MIT
/// Values of 64 bits become pairs of words, as docs/r5x.md has it (its memory and registers know words only): every value, phi and
/// temporary of the module twice, every operation on them as wide_integers and wide_floats have it. The module is rebuilt in program order,
/// so that a value's pair is known wherever it is read.
#include <algorithm>
#include <bit>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"
#include "compiler/passes/wide_floats.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

class Lowering {
 public:
  explicit Lowering(Context& c) : c_(c), m_(c.module), b_(m_, m_.body), integers_(b_), floats_(integers_, b_), pairs_(m_.values.size()) {}

  void run() {
    split_temps();
    m_.body = list(m_.body);
    for (Value& v : m_.values)
      if (ir::is_wide(v.type)) v.type = Type::u32;
    add_mark(m_, ValueId(m_.values.size()), nullptr);
    m_.wide = false;
  }

 private:
  bool is_wide(ValueId v) const { return ir::is_wide(m_.value(v).type); }

  /// Integers: low words in the temporary, high words in another. Floats: number by number, two a temporary, as operands of wide_op have
  /// them, so that what a loop carries is not put together and taken apart in each round.
  void split_temps() {
    const size_t rows = m_.temps.size();
    wide_temp_.assign(rows, {});
    for (size_t i = 0; i < rows; ++i) {
      Temp& t = m_.temps[i];
      if (!ir::is_wide(t.type)) continue;
      WideTemp& w = wide_temp_[i];
      w = {.second = uint32_t(m_.temps.size()), .wide = true, .by_number = t.type == Type::f64};
      t.type = Type::u32;
      Temp second = t;
      if (w.by_number) {
        second.comps = t.comps > 2 ? uint8_t(2 * (t.comps - 2)) : uint8_t(0);
        t.comps = uint8_t(2 * std::min<unsigned>(t.comps, 2));
      }
      if (second.comps) m_.temps.push_back(std::move(second));
    }
  }

  // ------------------------------------------------------------------------------------------------------- control flow

  NodeList list(NodeList& nodes) {
    NodeList out;
    NodeList& outer = b_.list();
    for (Node& node : nodes) {
      b_.set_list(out);
      if (node.kind == Node::Kind::block) {
        for (const Instruction& in : node.instructions) {
          const auto fresh = ValueId(m_.values.size());
          instruction(in);
          if (m_.values.size() > fresh) add_mark(m_, fresh, origin(m_, in));
        }
        continue;
      }
      Node made;
      made.kind = node.kind;
      made.jump = node.jump;
      made.cond = node.cond;
      made.args = sources(node.args);
      made.params = ids(node.params);
      made.then_list = list(node.then_list);
      made.else_list = list(node.else_list);
      made.results = ids(node.results);
      out.push_back(std::move(made));
    }
    b_.set_list(outer);
    return out;
  }

  Vec<Source> sources(const Vec<Source>& all) {
    Vec<Source> out;
    for (const Source& s : all) {
      if (!is_wide(s.value)) {
        out.push_back(s);
        continue;
      }
      const Pair p = pair(s, m_.comps(s.value));
      out.push_back(p.low.source);
      out.push_back(p.high.source);
    }
    return out;
  }

  /// Phis: the value itself is the low word.
  Vec<ValueId> ids(const Vec<ValueId>& all) {
    Vec<ValueId> out;
    for (const ValueId v : all) {
      out.push_back(v);
      if (!is_wide(v)) continue;
      out.push_back(m_.new_value(Type::u32, m_.comps(v)));
      pairs_[v] = {b_.value(v).as(Type::u32), b_.value(out.back())};
    }
    return out;
  }

  // ------------------------------------------------------------------------------------------------------- instructions

  /// Signs of f64 are bits of the high word.
  Pair pair(const Source& s, unsigned comps) {
    Source plain = s;
    plain.abs = plain.negate = false;
    Pair p = pairs_[s.value];
    for (Operand* o : {&p.low, &p.high}) {
      o->source = compose(plain, o->source);
      o->comps = uint8_t(comps);
    }
    if (s.abs) p.high = integers_.op(Op::iand, p.high, integers_.word(0x7FFFFFFF));
    if (s.negate) p.high = integers_.op(Op::ixor, p.high, integers_.word(0x80000000));
    return p;
  }
  Operand plain(const Source& s, unsigned comps) const { return {s, m_.value(s.value).type, uint8_t(comps)}; }

  void instruction(const Instruction& in) {
    bool touches = in.result && is_wide(in.result);
    for (const Source& s : in.sources()) touches |= is_wide(s.value);
    if (!touches && !((in.op == Op::load_temp || in.op == Op::store_temp) && wide_temp_[in.index].wide)) return keep(in);
    if (!in.result || is_wide(in.result)) return wide_result(in);
    const Operand r = narrow_result(in);
    Instruction mov{.op = Op::mov, .source_count = 1, .result = in.result};
    mov.source[0] = r.source;
    keep(mov);
  }

  void keep(const Instruction& in) {
    NodeList& out = b_.list();
    if (out.empty() || out.back().kind != Node::Kind::block) out.emplace_back();
    out.back().instructions.push_back(in);
  }

  /// The same instruction on another half.
  Operand half(const Instruction& in, const Operand& source, unsigned comps) {
    Instruction x = in;
    x.result = 0;
    x.source[0] = source.source;
    return b_.append(x, Type::u32, comps);
  }

  void store_temp(const Instruction& in) {
    const WideTemp& t = wide_temp_[in.index];
    const Pair p = pair(in.source[0], unsigned(std::bit_width(in.mask)));
    Instruction x = in;
    if (!t.by_number) {
      x.source[0] = p.low.source;
      keep(x);
      x.index = t.second;
      x.source[0] = p.high.source;
      return keep(x);
    }
    for (unsigned first = 0; first < 4; first += 2) {
      const unsigned mask = in.mask >> first & 3u;
      if (!mask) continue;
      Vec<Operand> words;
      for (unsigned n = first; n < first + std::bit_width(mask); ++n) {
        words.push_back(p.low.lane(n));
        words.push_back(p.high.lane(n));
      }
      x.index = first ? t.second : in.index;
      x.mask = uint8_t((mask & 1u ? 3u : 0u) | (mask & 2u ? 12u : 0u));
      x.source[0] = b_.vec(words).source;
      keep(x);
    }
  }

  Pair load_temp(const Instruction& in, unsigned comps) {
    const WideTemp& t = wide_temp_[in.index];
    Instruction x = in;
    x.result = 0;
    if (!t.by_number) {
      const Operand low = b_.append(x, Type::u32, comps);
      x.index = t.second;
      return {low, b_.append(x, Type::u32, comps)};
    }
    Vec<Operand> low, high;
    for (unsigned first = 0; first < comps; first += 2) {
      const unsigned numbers = std::min(comps - first, 2u);
      x.index = first ? t.second : in.index;
      const Operand words = b_.append(x, Type::u32, 2 * numbers);
      for (unsigned n = 0; n < numbers; ++n) {
        low.push_back(words.lane(2 * n));
        high.push_back(words.lane(2 * n + 1));
      }
    }
    return {b_.vec(low), b_.vec(high)};
  }

  void wide_result(const Instruction& in) {
    if (in.op == Op::store_temp) return store_temp(in);
    if (!in.result) return internal(in);
    const unsigned n = m_.comps(in.result);
    Pair& to = pairs_[in.result];
    switch (in.op) {
      case Op::wide_join: to = {plain(in.source[0], n), plain(in.source[1], n)}; return;
      case Op::mov:
      case Op::bitcast: to = pair(in.source[0], n); return;
      case Op::vec: {
        Vec<Operand> low, high;
        for (const Source& s : in.sources()) {
          const Pair p = pair(s, 1);
          low.push_back(p.low);
          high.push_back(p.high);
        }
        to = {b_.vec(low), b_.vec(high)};
        return;
      }
      case Op::sel: to = integers_.sel(plain(in.source[0], n), pair(in.source[1], n), pair(in.source[2], n)); return;
      case Op::load_temp: to = load_temp(in, n); return;
      case Op::shuffle:
      case Op::first_lane:
      case Op::quad_broadcast:
      case Op::quad_swap: {
        const Pair p = pair(in.source[0], n);
        to = {half(in, p.low, n), half(in, p.high, n)};
        return;
      }
      case Op::f2i:
      case Op::f2u:
        if (is_wide(in.source[0].value))
          to = floats_.of(in.op == Op::f2i ? WideOp::D2L : WideOp::D2UL, {pair(in.source[0], n)});
        else
          to = integers_.from_float(plain(in.source[0], n), in.op == Op::f2i);
        return;
      default: {
        const Pair r = m_.value(in.result).type == Type::f64 ? float_arithmetic(in, n) : arithmetic(in, n);
        pairs_[in.result] = r;
        return;
      }
    }
  }

  Pair arithmetic(const Instruction& in, unsigned n) {
    const auto x = [&](unsigned i) { return pair(in.source[i], n); };
    WideIntegers& w = integers_;
    switch (in.op) {
      case Op::iadd: return w.add(x(0), x(1));
      case Op::isub: return w.sub(x(0), x(1));
      case Op::imul: return w.mul(x(0), x(1));
      case Op::ineg: return w.negated(x(0));
      case Op::iabs: return w.magnitude(x(0));
      case Op::isign: return w.sign(x(0));
      case Op::idiv: return w.signed_quotient(x(0), x(1));
      case Op::udiv: return w.unsigned_quotient(x(0), x(1));
      case Op::imod: return w.modulus(x(0), x(1));
      case Op::irem: return w.signed_remainder(x(0), x(1));
      case Op::umod: return w.unsigned_remainder(x(0), x(1));
      case Op::imin:
      case Op::umin: return w.sel(w.less(x(0), x(1), in.op == Op::imin), x(0), x(1));
      case Op::imax:
      case Op::umax: return w.sel(w.less(x(0), x(1), in.op == Op::imax), x(1), x(0));
      case Op::ishl: return w.shifted_left(x(0), plain(in.source[1], n));
      case Op::ishr:
      case Op::ushr: return w.shifted_right(x(0), plain(in.source[1], n), in.op == Op::ishr);
      case Op::iand:
      case Op::ior:
      case Op::ixor: return w.each(in.op, x(0), x(1));
      case Op::inot: return {w.op(Op::inot, x(0).low), w.op(Op::inot, x(0).high)};
      case Op::umul_high:
      case Op::imul_high: return w.mul_high(x(0), x(1), in.op == Op::imul_high);
      default: internal(in); return {w.word(0), w.word(0)};
    }
  }

  Pair float_arithmetic(const Instruction& in, unsigned n) {
    const auto x = [&](unsigned i) { return pair(in.source[i], n); };
    WideFloats& f = floats_;
    switch (in.op) {
      case Op::add: return f.of(WideOp::DADD, {x(0), x(1)});
      case Op::mul: return f.of(WideOp::DMUL, {x(0), x(1)});
      case Op::mad: return f.of(WideOp::DFMA, {x(0), x(1), x(2)});
      case Op::div: return f.of(WideOp::DDIV, {x(0), x(1)});
      case Op::sqrt: return f.of(WideOp::DSQRT, {x(0)});
      case Op::rcp: return f.of(WideOp::DDIV, {f.constant(1), x(0)});
      case Op::rsq: return f.of(WideOp::DDIV, {f.constant(1), f.of(WideOp::DSQRT, {x(0)})});
      case Op::min:
      case Op::nmin: return f.of(WideOp::DMIN, {x(0), x(1)});
      case Op::max:
      case Op::nmax: return f.of(WideOp::DMAX, {x(0), x(1)});
      case Op::floor: return f.of(WideOp::DFLOOR, {x(0)});
      case Op::ceil: return f.of(WideOp::DCEIL, {x(0)});
      case Op::trunc: return f.of(WideOp::DTRUNC, {x(0)});
      case Op::round_even: return f.of(WideOp::DRNE, {x(0)});
      case Op::fract: return f.difference(x(0), f.of(WideOp::DFLOOR, {x(0)}));
      case Op::sign: return f.sign(x(0));
      case Op::frexp_mant: return f.of(WideOp::DFREXPM, {x(0)});
      case Op::ldexp: return f.of(WideOp::DLDEXP, {x(0), {plain(in.source[1], n), integers_.word(0)}});
      case Op::resize_float: return f.of(WideOp::F2D, {{bits(in.source[0], n), integers_.word(0)}});
      case Op::dot2:
      case Op::dot3:
      case Op::dot4: {
        const unsigned lanes = source_lanes(m_, in, 0);
        return f.dot(pair(in.source[0], lanes), pair(in.source[1], lanes), lanes);
      }
      case Op::i2f:
      case Op::u2f: {
        const bool is_signed = in.op == Op::i2f;
        if (is_wide(in.source[0].value)) return f.of(is_signed ? WideOp::L2D : WideOp::UL2D, {x(0)});
        const Operand word = plain(in.source[0], n);
        return f.of(is_signed ? WideOp::L2D : WideOp::UL2D,
                    {{word, is_signed ? integers_.op(Op::ishr, word, integers_.word(31)) : integers_.word(0)}});
      }
      default: internal(in); return f.constant(0);
    }
  }
  /// A float's word, with its signs.
  Operand bits(const Source& s, unsigned n) { return b_.op_typed(Op::bitcast, Type::u32, {plain(s, n)}); }

  Operand narrow_result(const Instruction& in) {
    const unsigned n = m_.comps(in.result);
    const auto x = [&](unsigned i) { return pair(in.source[i], n); };
    WideIntegers& w = integers_;
    switch (in.op) {
      case Op::wide_low: return x(0).low;
      case Op::wide_high: return x(0).high;
      case Op::ilt:
      case Op::ult: return w.less(x(0), x(1), in.op == Op::ilt);
      case Op::ige:
      case Op::uge: return b_.op_typed(Op::inot, Type::boolean, {w.less(x(0), x(1), in.op == Op::ige)});
      case Op::ieq: return w.equal(x(0), x(1));
      case Op::ine: return b_.op_typed(Op::inot, Type::boolean, {w.equal(x(0), x(1))});
      case Op::i2f:
      case Op::u2f: return w.to_float(x(0), in.op == Op::i2f);
      case Op::slt: return floats_.test(WideOp::DLT, x(0), x(1));
      case Op::sge: return floats_.test(WideOp::DGE, x(0), x(1));
      case Op::seq: return floats_.test(WideOp::DEQ, x(0), x(1));
      case Op::sne: return b_.op_typed(Op::inot, Type::boolean, {floats_.test(WideOp::DEQ, x(0), x(1))});
      case Op::f2i: return floats_.of(WideOp::D2L, {x(0)}).low;
      case Op::f2u: return floats_.of(WideOp::D2UL, {x(0)}).low;
      case Op::frexp_exp: return floats_.of(WideOp::DFREXPE, {x(0)}).low;
      case Op::resize_float: return b_.op_typed(Op::bitcast, Type::f32, {floats_.of(WideOp::D2F, {x(0)}).low});
      default: internal(in); return w.word(0);
    }
  }

  void internal(const Instruction& in) {
    c_.refuse("internal error: " + std::string(info(in.op).name) + " of 64 bits, which the front end should have refused", origin(m_, in));
  }

  Context& c_;
  Module& m_;
  Builder b_;
  WideIntegers integers_;
  WideFloats floats_;
  Vec<Pair> pairs_;  ///< by value, of those that were there at the beginning
  struct WideTemp {
    uint32_t second = 0;  ///< temporary of the high words, or of the third and fourth number
    bool wide = false, by_number = false;
  };
  Vec<WideTemp> wide_temp_;  ///< by temporary
};

}  // namespace

bool lower_wide(Context& c) {
  if (!c.module.wide) return false;
  Lowering(c).run();
  return true;
}

}  // namespace pumice::compiler::passes
