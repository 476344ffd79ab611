// SPDX-License-Identifier: MIT
/// Loops: see ir/counted.h; their variables are copied at the end of a round. An index that moves with the innermost loop's counter reads
/// by aL.
#include "compiler/pvs/selector.h"

#include <cmath>

#include "compiler/ir/counted.h"
#include "compiler/ir/edges.h"
#include "compiler/isa/error.h"

namespace pumice::compiler::pvs {

void Selector::collect(const ir::NodeList& list) {
  definitions_.resize(module_.values.size());
  for (const ir::Node& n : list) {
    for (const ir::Instruction& x : n.instructions)
      if (x.result) definitions_[x.result] = &x;
    collect(n.then_list);
  }
}

void Selector::nodes(const ir::NodeList& list) {
  for (const ir::Node& n : list) {
    if (n.kind == ir::Node::Kind::loop)
      loop(n);
    else if (n.kind == ir::Node::Kind::block)
      block(n.instructions);
    else
      throw isa::Unsupported("internal: control flow reached the vertex back end");
  }
}

void Selector::block(const Vec<ir::Instruction>& instructions) {
  Vec<Op>& ops = out_.lir.ops;
  for (const ir::Instruction& x : instructions) {
    const size_t before = ops.size();
    instruction(x);
    if (!notes_places_) continue;
    if (const uint32_t* at = ir::origin(module_, x)) place_ = at;
    for (size_t i = before; i < ops.size(); ++i) ops[i].at = place_;
  }
}

void Selector::loop(const ir::Node& n) {
  const std::optional<unsigned> rounds = ir::counted_rounds(module_, n, chip_);
  if (!rounds) throw isa::Unsupported("internal: a loop without a count reached the vertex back end");
  unsigned inner = *rounds, outer = 1;
  while (inner > chip_.loop_rounds) {
    if (++outer > chip_.loop_rounds) throw isa::Unsupported("internal: the rounds of a loop do not divide into two levels");
    if (*rounds % outer == 0) inner = *rounds / outer;
  }
  for (ir::ValueId p : n.params) loop_registers_.push_back(places_.dest(p, 15).index);
  copies(n.params, n.args);
  if (outer > 1) mark(Op::Kind::loop, outer);
  loops_.push_back({out_.lir.ops.size(), outer == 1 ? n.params[0] : 0, 0});
  mark(Op::Kind::loop, inner);
  const ir::NodeList& body = n.then_list;
  size_t test = 0;
  while (body[test].kind != ir::Node::Kind::branch) test++;
  const ir::NodeList front(body.begin(), body.begin() + static_cast<ptrdiff_t>(test));
  nodes(front);
  nodes({body.begin() + static_cast<ptrdiff_t>(test) + 1, body.end() - 1});
  copies(n.params, body.back().args);
  mark(Op::Kind::endloop, 0);
  if (outer > 1) mark(Op::Kind::endloop, 0);
  loops_.pop_back();
  nodes(front);  // what the results need of the last, unsuccessful test
  for (ir::ValueId r : n.results) places_.dest(r, 15);
  copies(n.results, body[test].else_list[0].args);
}

void Selector::mark(Op::Kind kind, unsigned rounds) {
  Op op;
  op.kind = kind;
  op.rounds = static_cast<uint8_t>(rounds);
  out_.lir.ops.push_back(op);
  a0_ = {};
}

/// order_copies() renamed the value, its swizzle still names the lanes of what was saved.
static Operand scratch_operand(const Place& scratch, const ir::Source& s) { return {scratch, s.swizzle, s.abs, s.negate}; }

/// Parallel copies of whole values.
void Selector::copies(std::span<const ir::ValueId> to, std::span<const ir::Source> from) {
  const auto same = [](ir::ValueId a, ir::ValueId b) { return a == b; };
  constexpr ir::ValueId kScratch = ~0u;
  Place scratch;
  const Vec<ir::Copy> sequence = ir::order_copies(module_, to, from, kScratch, same);
  for (const ir::Copy& c : sequence) {
    if (c.destination == kScratch) {
      scratch = temp_like(places_.at(c.source.value));
      move(scratch, places_.read(c.source));
      continue;
    }
    move(places_.at(c.destination), c.source.value == kScratch ? scratch_operand(scratch, c.source) : places_.read(c.source));
  }
}

std::optional<Selector::Affine> Selector::affine(const ir::Source& s, unsigned lane, int depth) const {
  if (s.abs || depth > 8) return {};
  const unsigned from = s.swizzle[lane];
  std::optional<Affine> r;
  if (s.value == loops_.back().counter) {
    r = Affine{1, 0};
  } else if (const ir::Instruction* x = definitions_[s.value]; x && !x->saturate) {
    const auto arg = [&](unsigned i) { return affine(x->source[i], x->op == ir::Op::vec ? 0 : from, depth + 1); };
    if (x->op == ir::Op::constant) {
      r = Affine{0, x->constant[from]};
    } else if (x->op == ir::Op::mov) {
      r = arg(0);
    } else if (x->op == ir::Op::vec) {
      r = arg(from);
    } else if (x->op == ir::Op::add) {
      const auto a = arg(0), b = arg(1);
      if (a && b) r = Affine{a->scale + b->scale, a->offset + b->offset};
    } else if (x->op == ir::Op::mul || x->op == ir::Op::mad) {
      const auto a = arg(0), b = arg(1), c = x->op == ir::Op::mad ? arg(2) : Affine{};
      if (a && b && c && (a->scale == 0 || b->scale == 0))
        r = Affine{a->scale * b->offset + b->scale * a->offset + c->scale, a->offset * b->offset + c->offset};
    }
  }
  if (r && s.negate) r = Affine{-r->scale, -r->offset};
  return r;
}

/// The slot at which aL = 0 reads what `index` names, if aL can count that way.
std::optional<uint32_t> Selector::loop_slot(const ir::Source& index, uint32_t slot) {
  if (loops_.empty() || loops_.back().counter == 0) return {};
  const std::optional<Affine> a = affine(index, 0);
  if (!a || a->scale == 0 || std::floor(a->scale) != a->scale || std::floor(a->offset) != a->offset ||
      std::fabs(a->scale) > float(chip_.loop_step))
    return {};
  const float at = static_cast<float>(slot) + a->offset;
  LoopFrame& loop = loops_.back();
  if (!(at >= 0 && at < float(chip_.vertex.constants)) || (loop.step && loop.step != a->scale)) return {};
  loop.step = a->scale;
  out_.lir.ops[loop.mark].index_step = static_cast<int8_t>(a->scale);
  return static_cast<uint32_t>(at);
}

}  // namespace pumice::compiler::pvs
