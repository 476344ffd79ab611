// SPDX-License-Identifier: MIT
/// Branch conditions. Selection materialises a boolean and tests it; here the test moves into the operation that computes it (us-isa A6:
/// the ALU result bit compares a result with 0), so that `if (a < b)` costs one operation. Branches that became empty go.
#include <algorithm>

#include "compiler/us/lir.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::us {
namespace {

using C = regs::US_CMN_INST;

/// Either unit can do it, lane by lane.
bool componentwise(const VUnit& u) {
  return u.op == AluOp::XI ? !info(u.xi).neighbours : info(u.op).componentwise && !info(u.op).derivative;
}

bool is_literal(const VSource& s, uint8_t code) { return s.kind == VSource::Kind::none && s.lane[0] == code && !s.negate; }
bool is_read(const VUnit& u) {
  if (u.op == AluOp::XI) return copied(u) != nullptr;
  const VSource &a = u.source[0], &b = u.source[1];
  return u.op == AluOp::MAX && a.kind == VSource::Kind::reg && b.kind == VSource::Kind::reg && a.index == b.index &&
         a.lane[0] == b.lane[0] && !a.abs && !a.negate && !b.abs && !b.negate && !u.clamp;
}
VUnit read_of(VSource s) {
  s.abs = s.negate = false;
  VUnit u;
  u.op = AluOp::MAX;
  u.sources = 2;
  u.source[0] = u.source[1] = s;
  return u;
}

class Folder {
 public:
  explicit Folder(Lir& lir) : lir_(lir) {}

  void fold(size_t at) {
    VUnit& u = *lir_.ops[at].alpha;
    size_t before = at;
    while (is_read(u)) {
      std::optional<VUnit> d = definition({u.source[0].index, u.source[0].lane[0]}, at, before);
      if (!d) return;
      if (u.op == AluOp::XI) {
        if (d->op != AluOp::XI) return;
        d->condition_op = u.condition_op;
        if (d->xi == XiOp::MOV && d->source[0].abs && !d->source[0].negate) {  // the other truth value
          d->source[0].abs = false;
          d->condition_op ^= C::ALU_RESULT_OP__EQUAL ^ C::ALU_RESULT_OP__NOT_EQUAL;
        }
        d->condition = true;
        u = *d;
        continue;
      }
      const bool equal_zero = d->op == AluOp::CMP && is_literal(d->source[0], swz::one) && is_literal(d->source[1], swz::zero);
      const bool not_zero = d->op == AluOp::CMP && is_literal(d->source[0], swz::zero) && is_literal(d->source[1], swz::one);
      const VSource& c = d->source[2];
      if (u.condition_op == C::ALU_RESULT_OP__NOT_EQUAL && (equal_zero || not_zero) && c.kind == VSource::Kind::reg && c.negate &&
          (c.abs || (not_zero && saturated(c, at, before)))) {
        // -|c| >= 0 is c == 0; for c in [0, 1] so is -c >= 0.
        const uint8_t op = equal_zero ? C::ALU_RESULT_OP__EQUAL : C::ALU_RESULT_OP__NOT_EQUAL;
        d = read_of(c);
        d->condition_op = op;
      } else {
        d->condition_op = u.condition_op;
      }
      d->condition = true;
      u = *d;
    }
  }

 private:
  /// The operation that wrote the lane, as one of the alpha unit, if it lies between the block's begin and `before` and could as well be
  /// done at `at`. `before` becomes its index.
  std::optional<VUnit> definition(const isa::Lane& lane, size_t at, size_t& before) const {
    for (size_t j = before; j-- > 0;) {
      const Op& op = lir_.ops[j];
      if (op.kind != Op::Kind::alu && op.kind != Op::Kind::tex) return {};
      if (!writes(op, lane)) continue;
      if (op.kind == Op::Kind::tex || (op.rgb && op.alpha)) return {};
      VUnit u = op.rgb ? *op.rgb : *op.alpha;
      if (u.dot || u.derivative) return {};
      unsigned slot = 0;
      if (op.rgb) {
        while (u.dst_lane[slot] != lane.lane) slot++;
      }
      if (!componentwise(u)) return {};
      for (VSource& s : u.source) s.lane[0] = s.lane[slot];
      for (unsigned i = 0; i < u.sources; i++) {
        if (u.source[i].kind == VSource::Kind::reg && u.source[i].lane[0] < 4 &&
            written_between({u.source[i].index, u.source[i].lane[0]}, j, at))
          return {};
      }
      u.dst = -1;
      u.slots = 0;
      before = j;
      return u;
    }
    return {};
  }
  bool saturated(const VSource& s, size_t at, size_t before) const {
    const std::optional<VUnit> d = definition({s.index, s.lane[0]}, at, before);
    return d && d->clamp;
  }
  bool written_between(const isa::Lane& lane, size_t from, size_t to) const {
    for (size_t i = from; i < to; i++) {
      if (writes(lir_.ops[i], lane)) return true;
    }
    return false;
  }
  static bool writes(const VUnit& u, const isa::Lane& lane) {
    return u.dst == static_cast<int32_t>(lane.reg) &&
           std::find(u.dst_lane.begin(), u.dst_lane.begin() + u.slots, lane.lane) != u.dst_lane.begin() + u.slots;
  }
  static bool writes(const Op& op, const isa::Lane& lane) {
    if (op.rgb && writes(*op.rgb, lane)) return true;
    if (op.alpha && writes(*op.alpha, lane)) return true;
    return op.kind == Op::Kind::tex && op.dst == static_cast<int32_t>(lane.reg) &&
           std::find(op.dst_lane.begin(), op.dst_lane.end(), lane.lane) != op.dst_lane.end();
  }

  Lir& lir_;
};

}  // namespace

void fold_conditions(Lir& lir) {
  if (std::none_of(lir.ops.begin(), lir.ops.end(), [](const Op& op) { return op.alpha && op.alpha->condition; })) return;
  Folder folder(lir);
  for (size_t i = 0; i < lir.ops.size(); i++) {
    const Op& op = lir.ops[i];
    if (op.kind == Op::Kind::alu && op.alpha && op.alpha->condition) folder.fold(i);
  }
}

bool remove_empty_branches(Lir& lir) {
  size_t kept = 0;
  Vec<Op>& ops = lir.ops;
  const auto last = [&](Op::Kind kind) { return kept && ops[kept - 1].kind == kind; };
  for (size_t i = 0; i < ops.size(); i++) {
    if (ops[i].kind == Op::Kind::endif) {
      if (last(Op::Kind::else_)) kept--;
      if (last(Op::Kind::if_)) {
        kept--;
        // Selection puts the condition right before the branch.
        if (kept && ops[kept - 1].alpha && ops[kept - 1].alpha->condition) kept--;
        continue;
      }
    }
    if (kept != i) ops[kept] = ops[i];
    kept++;
  }
  const bool changed = kept != ops.size();
  ops.resize(kept);
  return changed;
}

}  // namespace pumice::compiler::us
