// SPDX-License-Identifier: MIT
/// Integers are floats here, exact up to 2^24 (in fragment programs of the R3xx, whose floats have 24 bits: 2^17). This pass follows the
/// range of every integer value and refuses programs that leave the exact range or wrap an unsigned value below zero for certain, or by
/// design (products with large constants: hashes, random numbers). Ranges come from constants, remainders and min/max. Sums and products
/// that may or may not leave the range (of inputs, converted floats, loop counters) are ASSUMED to stay inside, as indices and counters do:
/// a promise of the shader's author (docs/numerics.md).
#include <algorithm>
#include <cmath>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr double kLargeFactor = 4096.0;

struct Range {
  double low = 0, high = 0;
  bool known = false;
  double magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }
};

class Checker {
 public:
  explicit Checker(Context& c)
      : c_(c),
        m_(c.module),
        bits_(c.options.chip->exact_bits(m_.stage == Stage::fragment)),
        exact_(double(1u << bits_)),
        ranges_(m_.values.size(), unknown()) {}

  void run() {
    const auto instruction = [&](Instruction& in) {
      if (in.result) ranges_[in.result] = of(in);
    };
    const auto on_jump = [&](Node& jump, const Node& to) {
      if (jump.jump != Node::Jump::yield) return;
      for (size_t i = 0; i < jump.args.size(); ++i) {
        Range& r = ranges_[to.results[i]];
        const Range s = source(jump.args[i]);
        // First arm sets, second arm widens. `low > high` cannot occur otherwise.
        if (seen_.size() <= to.results[i]) seen_.resize(to.results[i] + 1);
        r = seen_[to.results[i]] ? join(r, s) : s;
        seen_[to.results[i]] = true;
      }
    };
    const Walker<decltype(instruction), Ignore, Ignore, decltype(on_jump)> w{.instruction = instruction, .jump = on_jump};
    w.walk(m_.body);
  }

 private:
  Range unknown() const { return {-exact_, exact_, false}; }
  static Range join(const Range& a, const Range& b) { return {std::min(a.low, b.low), std::max(a.high, b.high), a.known && b.known}; }
  Range source(const Source& s) const {
    Range r = ranges_[s.value];
    if (s.abs) r = {r.low > 0 ? r.low : 0.0, r.magnitude(), r.known};
    if (s.negate) r = {-r.high, -r.low, r.known};
    return r;
  }
  bool integral(ValueId v) const { return is_whole(m_.value(v).type); }

  Range bounded(const Instruction& in, Range r, const char* what) {
    if (!integral(in.result)) return r;
    if (r.known && (r.low > exact_ || r.high < -exact_))
      refuse(in, std::string(what) + " is " + std::to_string(int64_t(r.low)) + " or more: integers are exact up to 2^" +
                     std::to_string(bits_) + " here");
    if (r.known && m_.value(in.result).type == Type::uint_f32 && r.high < 0)
      refuse(in, std::string(what) + " is below zero: unsigned wrap-around needs 32-bit integers, which this chip does not have");
    if (r.known && r.magnitude() > exact_) r = unknown();
    if (!r.known) r = unknown();
    if (m_.value(in.result).type == Type::uint_f32 && r.low < 0) r.low = 0;
    return r;
  }
  void refuse(const Instruction& in, const std::string& why) {
    if (!refused_) c_.refuse("integer arithmetic (" + std::string(name(in.op)) + "): " + why, ir::origin(m_, in));
    refused_ = true;
  }

  /// What the shader's author wrote.
  static std::string_view name(Op op) {
    switch (op) {
      case Op::whole_div: return "division";
      case Op::whole_mod:
      case Op::whole_rem: return "remainder";
      default: return info(op).name;
    }
  }

  Range of(const Instruction& in) {
    auto s = [&](unsigned i) { return source(in.source[i]); };
    if (integral(in.result) &&
        (in.op == Op::add || in.op == Op::mul || in.op == Op::whole_div || in.op == Op::whole_mod || in.op == Op::whole_rem))
      for (unsigned i = 0; i < 2; ++i)
        if (const Range r = s(i); r.known && (r.low > exact_ || r.high < -exact_))
          refuse(in, "with a value of " + std::to_string(int64_t(r.low)) + " or more: integers are exact up to 2^" + std::to_string(bits_) +
                         " here");
    switch (in.op) {
      case Op::constant: {
        Range r{in.constant[0], in.constant[0], true};
        for (unsigned i = 1; i < m_.comps(in.result); ++i) r = join(r, {in.constant[i], in.constant[i], true});
        return r;
      }
      case Op::mov: return s(0);
      case Op::vec: {
        Range r = s(0);
        for (unsigned i = 1; i < in.source_count; ++i) r = join(r, s(i));
        return r;
      }
      case Op::add: return bounded(in, {s(0).low + s(1).low, s(0).high + s(1).high, s(0).known && s(1).known}, "a sum");
      case Op::mul: {
        const Range a = s(0), b = s(1);
        for (const auto& [factor, other] : {std::pair(a, b), std::pair(b, a)})
          if (integral(in.result) && factor.known && factor.low == factor.high && factor.magnitude() > kLargeFactor &&
              other.magnitude() * factor.magnitude() > exact_)
            refuse(in, "a product with " + std::to_string(int64_t(factor.low)) + " that may reach " +
                           std::to_string(int64_t(other.magnitude() * factor.magnitude())) + ": integers are exact up to 2^" +
                           std::to_string(bits_) + " here");
        const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
        return bounded(in, {*std::min_element(p, p + 4), *std::max_element(p, p + 4), a.known && b.known}, "a product");
      }
      case Op::whole_mod: {
        const Range d = s(1);
        return d.known && d.low > 0 ? Range{0, d.high - 1, true} : unknown();
      }
      case Op::whole_div: {
        const Range a = s(0);
        return a.known ? Range{-a.magnitude(), a.magnitude(), true} : unknown();  // |b| >= 1
      }
      case Op::floor:
      case Op::trunc: {
        const Range a = s(0);
        return a.known ? Range{std::floor(a.low), std::ceil(a.high), true} : unknown();
      }
      case Op::min: return both(s(0), s(1), true);
      case Op::max: return both(s(0), s(1), false);
      case Op::sel: return join(s(1), s(2));
      case Op::slt:
      case Op::sge:
      case Op::seq:
      case Op::sne: return {0, 1, true};
      default: return unknown();
    }
  }
  static Range both(const Range& a, const Range& b, bool min) {
    Range r = min ? Range{std::min(a.low, b.low), std::min(a.high, b.high), false}
                  : Range{std::max(a.low, b.low), std::max(a.high, b.high), false};
    r.known = a.known && b.known;
    return r;
  }

  Context& c_;
  Module& m_;
  const uint32_t bits_;
  const double exact_;  ///< whole numbers up to this one are exact
  Vec<Range> ranges_;
  Vec<bool> seen_;
  bool refused_ = false;
};

}  // namespace

bool check_exactness(Context& c) {
  // Only these can be refused.
  const bool any = any_instruction(c.module.body, [&](const Instruction& in) {
    if (in.op != Op::add && in.op != Op::mul && in.op != Op::whole_div && in.op != Op::whole_mod && in.op != Op::whole_rem) return false;
    return is_whole(c.module.value(in.result).type);
  });
  if (any) Checker(c).run();
  return false;
}

}  // namespace pumice::compiler::passes
