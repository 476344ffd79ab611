// SPDX-License-Identifier: MIT
#include "compiler/passes/trip_count.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

/// A set of floats. NaN is left out: a test that a NaN decides otherwise ends the loop later than the bound at worst, and such loops
/// have no meaning (conversions of NaN to integers are undefined, a float counter does not become NaN).
struct Interval {
  float low = -kInf, high = kInf;
  bool point() const { return low == high; }
};

enum Outcome : unsigned { kFalls = 1, kBreaks = 2, kContinues = 4 };

class Runner {
 public:
  Runner(const Module& m, const Node& loop, const Vec<Instruction>& defs) : m_(m), loop_(loop), defs_(defs) {}

  std::optional<TripCount> run(unsigned limit) {
    for (size_t i = 0; i < loop_.params.size(); ++i) {
      if (m_.comps(loop_.params[i]) != 1) continue;
      const Interval start = lane(loop_.args[i], 0, 0);
      if (start.point()) known_[loop_.params[i]] = start;
    }
    bool exact = true;
    for (unsigned round = 1; round <= limit; ++round) {
      if (known_.empty()) return {};
      edges_.clear();
      memo_.clear();
      undefined_ = false;
      const unsigned o = outcomes(loop_.then_list);
      if (!(o & (kFalls | kContinues))) return TripCount{round, exact && !undefined_, within_};
      exact &= !(o & kBreaks) && !undefined_ && edges_.size() <= 1;
      Map<ValueId, Interval> next;
      for (size_t i = 0; i < loop_.params.size(); ++i) {
        if (!known_.count(loop_.params[i]) || edges_.empty()) continue;
        bool same = true;
        Interval v;
        for (const Node* jump : edges_) {
          const Interval x = lane(jump->args[i], 0, 0);
          same &= x.point() && (jump == edges_[0] || x.low == v.low);
          v = x;
        }
        if (same) next[loop_.params[i]] = v;
      }
      known_ = std::move(next);
    }
    return {};
  }

 private:
  unsigned outcomes(const NodeList& list) {
    unsigned result = 0;
    for (const Node& n : list) {
      if (n.kind == Node::Kind::block && beyond(n)) {
        undefined_ = true;
        within_ = false;
        return result | kBreaks;
      }
      if (n.kind == Node::Kind::jump) {
        if (n.jump == Node::Jump::yield) break;
        if (n.jump == Node::Jump::continue_) edges_.push_back(&n);
        return result | (n.jump == Node::Jump::break_ ? kBreaks : kContinues);
      }
      if (n.kind != Node::Kind::branch) continue;
      const Interval c = lane(n.cond, 0, 0);
      unsigned arms = 0;
      if (!(c.point() && c.low == 0)) arms |= outcomes(n.then_list);
      if (!(c.point() && c.low != 0)) arms |= outcomes(n.else_list);
      result |= arms & ~unsigned(kFalls);
      if (!(arms & kFalls)) return result;
    }
    return result | kFalls;
  }

  /// Reads a constant beyond the last one that the source program may read.
  bool beyond(const Node& block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(), [&](const Instruction& in) {
      return (in.op == Op::load_uniform || in.op == Op::load_push || in.op == Op::load_temp) && in.source_count &&
             lane(in.source[0], 0, 0).low > float(in.max_index);
    });
  }

  Interval lane(const Source& s, unsigned i, int depth) {
    const uint8_t from = s.swizzle[i];
    Interval v;
    if (const auto it = known_.find(s.value); it != known_.end() && from == 0) {
      v = it->second;
    } else if (depth < 16 && s.value < defs_.size() && defs_[s.value].result) {
      const auto key = std::pair(s.value, from);
      const auto memo = memo_.find(key);
      v = memo != memo_.end() ? memo->second : memo_[key] = result(defs_[s.value], from, depth + 1);
    }
    if (s.abs) v = {v.low > 0 ? v.low : v.high < 0 ? -v.high : 0, std::max(std::fabs(v.low), std::fabs(v.high))};
    if (s.negate) v = {-v.high, -v.low};
    return v;
  }

  static Interval truth(bool always, bool never) { return {always ? 1.0f : 0.0f, never ? 0.0f : 1.0f}; }
  static Interval checked(Interval v) { return std::isnan(v.low) || std::isnan(v.high) ? Interval{} : v; }

  Interval result(const Instruction& in, unsigned i, int depth) {
    if (info(m_.value(in.result).type).cls == TypeClass::int_) return {};  // only floats are followed
    const auto arg = [&](unsigned k) { return lane(in.source[k], i, depth); };
    Interval v = unsaturated(in, i, depth, arg);
    if (in.saturate) v = {std::clamp(v.low, 0.0f, 1.0f), std::clamp(v.high, 0.0f, 1.0f)};
    return v;
  }
  template <class Arg>
  Interval unsaturated(const Instruction& in, unsigned i, int depth, const Arg& arg) {
    switch (in.op) {
      case Op::constant: return {in.constant[i], in.constant[i]};
      case Op::mov: return in.source_count ? arg(0) : Interval{};
      case Op::vec: return lane(in.source[i], 0, depth);
      case Op::add: return checked({arg(0).low + arg(1).low, arg(0).high + arg(1).high});
      case Op::mul: {
        const Interval a = arg(0), b = arg(1);
        const float p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
        if (std::any_of(std::begin(p), std::end(p), [](float x) { return std::isnan(x); })) return {};
        return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
      }
      case Op::min: return {std::min(arg(0).low, arg(1).low), std::min(arg(0).high, arg(1).high)};
      case Op::max: return {std::max(arg(0).low, arg(1).low), std::max(arg(0).high, arg(1).high)};
      case Op::floor: return {std::floor(arg(0).low), std::floor(arg(0).high)};
      case Op::ceil: return {std::ceil(arg(0).low), std::ceil(arg(0).high)};
      case Op::trunc: return {std::trunc(arg(0).low), std::trunc(arg(0).high)};
      case Op::whole_mod: return arg(1).point() && arg(1).low > 0 ? Interval{0, arg(1).low - 1} : Interval{};
      case Op::sel: return {std::min(arg(1).low, arg(2).low), std::max(arg(1).high, arg(2).high)};
      case Op::slt: return truth(arg(0).high < arg(1).low, arg(0).low >= arg(1).high);
      case Op::sge: return truth(arg(0).low >= arg(1).high, arg(0).high < arg(1).low);
      case Op::seq:
      case Op::sne: {
        const Interval a = arg(0), b = arg(1);
        const bool same = a.point() && b.point() && a.low == b.low, apart = a.high < b.low || b.high < a.low;
        return in.op == Op::seq ? truth(same, apart) : truth(apart, same);
      }
      default: return {};
    }
  }

  const Module& m_;
  const Node& loop_;
  const Vec<Instruction>& defs_;
  Map<ValueId, Interval> known_;
  Map<std::pair<ValueId, uint8_t>, Interval> memo_;
  Vec<const Node*> edges_;
  bool undefined_ = false, within_ = true;
};

}  // namespace

std::optional<TripCount> trip_count(const Module& module, const Node& loop, const Vec<Instruction>& definitions, unsigned limit) {
  return Runner(module, loop, definitions).run(limit);
}

}  // namespace pumice::compiler::passes
