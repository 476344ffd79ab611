// SPDX-License-Identifier: MIT
/// Structured control flow: markers, conditions and the copies of every edge.
#include "compiler/us/selector.h"

#include <algorithm>

#include "compiler/ir/edges.h"
#include "compiler/isa/error.h"
#include "compiler/us/loops.h"

namespace pumice::compiler::us::select_detail {

void Selector::flow(Op::Kind kind, unsigned pop) {
  Op op;
  op.kind = kind;
  op.pop = static_cast<uint16_t>(pop);
  op.at = place_;
  emit(op);
}

void Selector::note_place(const ir::Instruction& x) {
  if (const uint32_t* at = ir::origin(module_, x)) place_ = at;
}

void Selector::copies(const Vec<ir::ValueId>& all_destinations, const Vec<ir::Source>& all_args) {
  Vec<ir::ValueId> destinations;
  Vec<ir::Source> args;
  for (size_t i = 0; i < all_destinations.size(); ++i) {
    if (!needs_copy(all_destinations[i], all_args[i])) continue;
    destinations.push_back(all_destinations[i]);
    args.push_back(all_args[i]);
  }
  if (destinations.empty()) return;
  for (ir::ValueId d : destinations) places_.dest(d, scalar_class());
  constexpr ir::ValueId kScratch = 0xFFFFFFFFu;
  Place scratch;
  const auto same = [](ir::ValueId a, ir::ValueId b) { return a == b; };
  for (const ir::Copy& c : ir::order_copies(module_, destinations, args, kScratch, same)) {
    if (c.destination == kScratch) {
      const unsigned lanes = module_.comps(c.source.value);
      Vec<uint8_t> channels;
      scratch = Place{};
      scratch.kind = Place::Kind::reg;
      for (unsigned l = 0; l < lanes; l++) {
        channels.push_back(l < 3 ? kRgbChannels : kAlphaChannel);
        scratch.lane[l] = static_cast<uint8_t>(l);
      }
      scratch.index = lir_.new_register(channels);
      move(scratch, places_.read(c.source));
    } else if (c.source.value == kScratch) {
      move(places_.at(c.destination), isa::Operand{scratch, c.source.swizzle, c.source.abs, c.source.negate});
    } else {
      const Place d = places_.at(c.destination);
      isa::Operand o = places_.read(c.source);
      if (o.place.kind == Place::Kind::reg && o.place.index == d.index) {  // a shuffle of itself: not lane group by lane group
        const Place t = temp_like(d);
        move(t, o);
        o = whole(t);
      }
      move(d, o);
    }
  }
}

/// Not where a loop's result is another name of its variable: name_results().
bool Selector::needs_copy(ir::ValueId destination, const ir::Source& source) {
  const Place &to = places_.at(destination), &from = places_.at(source.value);
  return to.kind != Place::Kind::reg || from.kind != Place::Kind::reg || to.index != from.index || to.lane != from.lane ||
         !reads_whole(module_, source);
}

/// Sets the ALU result bit where the truth value is the wanted one.
void Selector::condition(const isa::Operand& cond, bool wanted) {
  VUnit a;
  if (options_.chip->memory) {
    a.op = AluOp::XI;
    a.xi = XiOp::MOV;
    a.sources = 1;
    a.source[0] = source(cond, {0}, {OperandClass::integer});
  } else {
    a.op = AluOp::MAX;
    a.sources = 2;
    a.source[0] = a.source[1] = source(cond, {0});
  }
  a.condition = true;
  if (!wanted) a.condition_op = regs::US_CMN_INST::ALU_RESULT_OP__EQUAL;
  Op op;
  op.alpha = a;
  emit(op);
}

void Selector::list(const ir::NodeList& nodes) {
  for (size_t i = 0; i < nodes.size(); i++) {
    const ir::Node& n = nodes[i];
    switch (n.kind) {
      case ir::Node::Kind::block:
        for (const ir::Instruction& x : n.instructions) {
          if (options_.lines) note_place(x);
          instruction(x);
        }
        if (!n.instructions.empty()) note_place(n.instructions.back());
        break;
      case ir::Node::Kind::branch: branch(n); break;
      case ir::Node::Kind::loop: loop(n); break;
      case ir::Node::Kind::jump: jump(n); break;
    }
  }
}

/// `if (c) break;` on chips with memory: one instruction. The loop's results are copied in lanes that stay, too: they will copy others when
/// they leave.
bool Selector::conditional_break(const ir::Node& n) {
  if (!options_.chip->memory || loops_.empty() || !n.results.empty() || n.then_list.empty() == n.else_list.empty()) return false;
  const bool wanted = n.else_list.empty();
  const ir::NodeList& arm = wanted ? n.then_list : n.else_list;
  constexpr size_t kFewCopies = 4;
  if (arm.size() != 1 || arm[0].kind != ir::Node::Kind::jump || arm[0].jump != ir::Node::Jump::break_) return false;
  const LoopFrame& f = loops_.back();
  size_t needed = 0;
  for (size_t i = 0; i < arm[0].args.size(); ++i) needed += needs_copy(f.node->results[i], arm[0].args[i]);
  if (needed > kFewCopies) return false;
  copies(f.node->results, arm[0].args);
  condition(places_.read(n.cond), wanted);
  flow(Op::Kind::break_, depth_ - f.depth);
  lir_.ops.back().conditional = true;
  return true;
}

void Selector::branch(const ir::Node& n) {
  if (!options_.chip->flow_control)
    throw isa::Unsupported(
        "a branch that cannot be converted to selections, the " + std::string(options_.chip->name) + " fragment unit has no flow control",
        ir::first_origin(module_, n.then_list));
  if (conditional_break(n)) return;
  for (ir::ValueId r : n.results) places_.dest(r, scalar_class());
  // An empty first arm costs an instruction and a jump.
  const bool swapped = options_.chip->memory && n.then_list.empty() && !n.else_list.empty();
  const ir::NodeList &first = swapped ? n.else_list : n.then_list, &second = swapped ? n.then_list : n.else_list;
  condition(places_.read(n.cond), !swapped);
  flow(Op::Kind::if_);
  depth_++;
  const Vec<ir::ValueId>* outer = yield_to_;
  yield_to_ = &n.results;
  list(first);
  if (!second.empty()) {
    flow(Op::Kind::else_);
    list(second);
  }
  yield_to_ = outer;
  depth_--;
  flow(Op::Kind::endif);
}

uint8_t Selector::counter(int step) {
  const auto found = std::find(lir_.counters.begin(), lir_.counters.end(), step);
  const size_t i = static_cast<size_t>(found - lir_.counters.begin());
  if (found == lir_.counters.end()) lir_.counters.push_back(static_cast<int8_t>(step));
  return static_cast<uint8_t>(std::min<size_t>(i, options_.chip->fragment.loop_constants));  // too many: compile() refuses
}

void Selector::loop(const ir::Node& n) {
  if (const uint32_t* at = ir::first_origin(module_, n.then_list)) place_ = at;
  if (!options_.chip->flow_control)
    throw isa::Unsupported("a loop that cannot be unrolled (its number of rounds has no small bound that can be proven), the " +
                               std::string(options_.chip->name) + " fragment unit has no flow control",
                           place_);
  if (!options_.chip->memory)
    for (ir::ValueId r : n.results) places_.dest(r, scalar_class());
  for (ir::ValueId p : n.params) loop_registers_.push_back(places_.dest(p, scalar_class()).index);
  if (options_.chip->memory) {
    name_results(n);
    for (ir::ValueId r : n.results) places_.dest(r, scalar_class());
  }
  copies(n.params, n.args);
  if (options_.chip->memory) {
    loops_.push_back({&n, depth_, false, 0, false, {}});
    flow(Op::Kind::loop);
    list(n.then_list);
    flow(Op::Kind::endloop);
    loops_.pop_back();
    return;
  }
  LoopFrame frame{&n, depth_, false, 0, ir::has_inner_loop(n), {}};
  for (const ir::Instruction* x : ir::indexed_constants(n)) {
    if (const auto line = inductions().line(n, x->source[0])) frame.step = line->step;
  }
  // A loop not known to end within the rounds of one hardware loop gets a second level around it: their square. Loops that index
  // constants are known to end (chip form).
  frame.two_level = !frame.step && !ends_within(module_, n, options_.chip->loop_rounds);
  const uint8_t plain = frame.two_level ? counter(0) : uint8_t{0}, own = counter(frame.step);
  const auto mark = [&](Op::Kind kind, uint8_t which) {
    flow(kind);
    lir_.ops.back().counter = which;
  };
  if (frame.two_level) {
    frame.left.kind = Place::Kind::reg;
    frame.left.index = lir_.new_register({kAlphaChannel});
    frame.left.lane = {0, kNoLane, kNoLane, kNoLane};
    move(frame.left, literal(0));
    mark(Op::Kind::loop, plain);
  }
  mark(Op::Kind::loop, own);
  loops_.push_back(frame);
  list(n.then_list);
  loops_.pop_back();
  mark(Op::Kind::endloop, own);
  lir_.ops.back().may_exhaust = frame.two_level;
  if (frame.two_level) {
    condition(whole(frame.left));
    flow(Op::Kind::if_);
    flow(Op::Kind::break_, 1);
    flow(Op::Kind::endif);
    mark(Op::Kind::endloop, plain);
  }
}

/// A constant addressed by aL. In a loop with others inside it is copied at once: they have an aL of their own.
void Selector::counted_constant(const ir::Instruction& x) {
  const auto line = loops_.empty() ? std::nullopt : inductions().line(*loops_.back().node, x.source[0]);
  if (!line || line->step != loops_.back().step) throw isa::Unsupported("internal: a constant is not indexed by its loop's counter");
  Place p;
  p.kind = Place::Kind::constant;
  p.index = constants_.slot(x) + static_cast<uint32_t>(line->start);
  p.lane = {0, 1, 2, 3};
  p.relative = true;
  if (loops_.back().nested)
    move(places_.dest(x.result, scalar_class()), whole(p));
  else
    places_.at(x.result) = p;
}

void Selector::jump(const ir::Node& n) {
  if (n.jump == ir::Node::Jump::yield) {
    if (yield_to_) copies(*yield_to_, n.args);
    return;
  }
  LoopFrame& f = loops_.back();
  if (n.jump == ir::Node::Jump::break_) {
    copies(f.node->results, n.args);
    if (f.two_level) move(f.left, literal(1));
    flow(Op::Kind::break_, depth_ - f.depth);
    return;
  }
  copies(f.node->params, n.args);
  // At the end of the body itself ENDLOOP follows anyway.
  if (depth_ > f.depth) flow(Op::Kind::continue_, depth_ - f.depth);
}

}  // namespace pumice::compiler::us::select_detail
