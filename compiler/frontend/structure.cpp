// SPDX-License-Identifier: MIT
/// Structured SPIR-V control flow -> nested nodes.
///
/// A region is the code between a point and the block `end` behind the enclosing construct (merge block, continue block, loop header,
/// or kEnd for the function). A branch to the innermost end simply falls out of the node list. A branch further out, which SPIR-V allows
/// to switch merges, continue and break blocks and return, sets a flag; whatever lies between is put into the arm that does not
/// leave or guarded by the flag. A branch out of a loop that is not a plain break sets the flag, breaks, and is resumed behind the loop.
#include <algorithm>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Node;
using ir::Op;

namespace {
constexpr Id kEnd = 0;
constexpr size_t kMaxDepth = 128;  // protects the stack; the chip's branch counter ends at 32 anyway
}  // namespace

Node& Translator::append_node(Node::Kind kind) {
  Node& node = b_.list().emplace_back();
  node.kind = kind;
  return node;
}

void Translator::append_jump(Node::Jump jump) { append_node(Node::Kind::jump).jump = jump; }

uint32_t Translator::flag(Id target) {
  const auto [it, added] = flags_.try_emplace(target, uint32_t(m_.temps.size()));
  if (added) m_.temps.push_back({1, 1, ir::Type::boolean});
  return it->second;
}

void Translator::store_flag(Id target, bool value) {
  ir::Instruction in{.op = Op::store_temp, .source_count = 1, .mask = 1, .index = flag(target)};
  in.source[0] = truth(value).source;
  b_.append(in, ir::Type::boolean, 0);
}

void Translator::store_phis(Id from, Id to) {
  if (to == kEnd) return;
  // All values exist before the first store: phis are loaded into values at the head of their block.
  for (const Inst& phi : spv_.block(to).phis) {
    for (size_t i = 0; i + 1 < phi.size(); i += 2) {
      if (phi[i + 1] != from) continue;
      const Leaves value = leaves(phi[i]);
      std::span<const Operand> rest(value);
      store_tree(tree_of(phi.result, phi.type), phi.type, 0, {}, rest);
    }
  }
}

void Translator::check_depth() const {
  if (constructs_.size() > kMaxDepth) throw Unsupported{"control flow nested deeper than " + std::to_string(kMaxDepth) + " levels"};
}

bool Translator::leaveable(Id target) const {
  for (const Construct& c : constructs_)
    if (c.target == target) return true;
  return false;
}

/// Flags start as zero, as all temporaries do: only what runs again needs a reset.
void Translator::reset_flag(Id target) {
  for (const Construct& c : constructs_)
    if (c.kind == Construct::Kind::loop) return store_flag(target, false);
}

/// Where a branch or switch goes if its condition is a constant.
std::optional<Id> Translator::decided_target(const Inst& t) const {
  const auto word = spv_.decided(t[0]);
  if (!word) return std::nullopt;
  if (t.op == spv::OpBranchConditional) return *word ? t[1] : t[2];
  const Inst& selector = spv_.def(t[0]);
  const uint64_t high = selector.op == spv::OpConstant && literal_words(t) == 2 ? selector[1] : 0;
  for (const Case& c : cases(t))
    if (c.literal == (high << 32 | *word)) return c.label;
  return t[1];
}

/// Literals of a switch have the width of its selector, narrower ones a word.
unsigned Translator::literal_words(const Inst& t) const { return integer_bits(spv_.def(t[0]).type) > 32 ? 2 : 1; }

Vec<Translator::Case> Translator::cases(const Inst& t) const {
  Vec<Case> out;
  const unsigned words = literal_words(t);
  for (size_t i = 2; i + words < t.size(); i += words + 1)
    out.push_back({words == 2 ? uint64_t{t[i + 1]} << 32 | t[i] : t[i], t[i + words]});
  return out;
}

Operand Translator::matches(const Operand& selector, uint64_t literal) {
  const Operand x = ir::is_wide(selector.type) ? wide_constant({literal}, 1, selector.type) : integer(uint32_t(literal), selector);
  return b_.op(Op::ieq, {selector, x});
}

Flow Translator::leave(Id target, bool set_flag) {
  auto raise = [&] {
    if (set_flag) raise_flag(target);
  };
  bool crossed = false, innermost = true;
  for (size_t i = constructs_.size(); i-- > 0;) {
    const Construct& c = constructs_[i];
    if (c.target == target) {
      if (crossed) {
        raise();
        append_jump(Node::Jump::break_);
        return {.crossing = {target}};
      }
      if (c.kind == Construct::Kind::loop) {
        append_jump(Node::Jump::break_);
        broken_loops_.insert(target);
        return {};
      }
      if (innermost) return {.falls = true};
      if (c.continue_block && c.continue_block == target) {
        store_phis(target, c.header);
        append_jump(Node::Jump::continue_);
        return {};
      }
      raise();
      return {.pending = {target}};
    }
    crossed |= c.kind == Construct::Kind::loop;
    innermost = false;
  }
  throw Unsupported{"unstructured control flow"};
}

/// Puts what follows under "none of the flags is set".
bool Translator::guard(const Set<Id>& targets) {
  Operand any;
  for (Id target : targets) {
    ir::Instruction in{.op = Op::load_temp, .index = flag(target)};
    const Operand set = b_.append(in, ir::Type::boolean, 1);
    any = any ? b_.op(Op::ior, {any, set}) : set;
  }
  if (!any) return false;
  Node& node = append_node(Node::Kind::branch);
  node.cond = any.source;
  b_.set_list(node.else_list);
  return true;
}

void Translator::kill(const Operand& condition) {
  if (m_.stage != Stage::fragment) throw Unsupported{"OpKill outside of a fragment shader"};
  ir::Instruction in{.op = Op::kill_if, .source_count = 1};
  in.source[0] = condition.source;
  b_.append(in, ir::Type::boolean, 0);
}

/// Emits from `block` on until every path has ended. The caller has pushed the construct whose end this region has.
Flow Translator::region(Id label) {
  Flow total;
  std::optional<Id> next = label;
  while (next) {
    const Block& block = spv_.block(*next);
    if (block.merge && block.merge->op == spv::OpLoopMerge && !visited_.count(block.label)) {
      visited_.insert(block.label);
      next = loop(block, total);
      continue;
    }
    const bool header = block.merge && block.merge->op == spv::OpLoopMerge;
    if (!(header ? headers_ : visited_).insert(block.label).second) throw Unsupported{"unstructured control flow"};
    for (const Inst& phi : block.phis) {
      Leaves value;
      load_tree(tree_of(phi.result, phi.type), phi.type, 0, {}, value);
      set(phi, value);
    }
    bool reached = true;
    for (const Inst& in : block.body) {
      if (in.op != spv::OpFunctionCall) {
        instruction(in);
        continue;
      }
      const Flow flow = call(in);
      total.note(flow);
      if (!(reached = flow.falls)) break;
      guard(flow.pending);
    }
    next = reached ? finish_block(block, total) : std::nullopt;
    // The end of a construct may be that of the one around it, too.
    if (next && leaveable(*next)) {
      total.join(leave(*next));
      next = std::nullopt;
    }
  }
  return total;
}

std::optional<Id> Translator::finish_block(const Block& block, Flow& total) {
  const Inst& t = block.terminator;
  const bool selects = block.merge && block.merge->op == spv::OpSelectionMerge;
  switch (t.op) {
    case spv::OpBranch: {
      const Id target = t[0];
      store_phis(block.label, target);
      if (!leaveable(target)) return target;
      total.join(leave(target));
      return std::nullopt;
    }
    case spv::OpBranchConditional: return selects ? selection(block, (*block.merge)[0], total) : branch(block, total);
    case spv::OpSwitch:
      if (!selects) throw Unsupported{"OpSwitch without OpSelectionMerge"};
      return switch_(block, (*block.merge)[0], total);
    case spv::OpReturnValue: {
      const Call& current = calls_.back();
      if (!current.result || spv_.def(t[0]).type != current.type)
        throw Unsupported{"the SPIR-V is not valid: a function returns another type"};
      const Leaves value = leaves(t[0]);
      std::span<const Operand> rest(value);
      store_tree(*current.result, current.type, 0, {}, rest);
      total.join(leave(current.end));
      return std::nullopt;
    }
    case spv::OpReturn: total.join(leave(calls_.back().end)); return std::nullopt;
    case spv::OpKill:
    case spv::OpTerminateInvocation: {
      kill(truth(true));
      // Killed invocations go on as helpers, except that they must not stay in a loop whose exit they no longer compute.
      bool in_loop = false;
      for (const Construct& c : constructs_) in_loop |= c.kind == Construct::Kind::loop;
      total.join(in_loop ? leave(kEnd) : Flow{.falls = true});
      return std::nullopt;
    }
    case spv::OpUnreachable: return std::nullopt;
    default: throw Unsupported{opcode_name(t.op) + " cannot end a block of the entry point"};
  }
}

Flow Translator::arm(const Block* from, Id target, Id end, ir::NodeList& list) {
  check_depth();
  ir::NodeList& outer = b_.list();
  b_.set_list(list);
  constructs_.push_back({Construct::Kind::region, end});
  if (from) store_phis(from->label, target);
  Flow flow = leaveable(target) ? leave(target) : region(target);
  constructs_.pop_back();
  b_.set_list(outer);
  if (flow.pending.erase(end)) flow.falls = true;
  return flow;
}

/// A conditional branch without merge: at least one side leaves (break, continue, back edge).
std::optional<Id> Translator::branch(const Block& block, Flow& total) {
  const Inst& t = block.terminator;
  const Id then_target = t[1], else_target = t[2];
  const std::optional<Id> only = then_target == else_target ? then_target : decided_target(t);
  if (only) {
    store_phis(block.label, *only);
    if (!leaveable(*only)) return only;
    total.join(leave(*only));
    return std::nullopt;
  }
  const Operand condition = operand(t[0]);
  const bool then_leaves = leaveable(then_target), else_leaves = leaveable(else_target);
  if (!then_leaves && !else_leaves) throw Unsupported{"conditional branch without merge block into two directions"};
  ir::NodeList& outer = b_.list();
  Node& node = append_node(Node::Kind::branch);
  node.cond = condition.source;
  auto side = [&](Id target, ir::NodeList& list) {
    b_.set_list(list);
    store_phis(block.label, target);
    const Flow flow = leave(target);
    b_.set_list(outer);
    total.join(flow);
    return flow;
  };
  if (then_leaves && else_leaves) {
    side(then_target, node.then_list);
    side(else_target, node.else_list);
    return std::nullopt;
  }
  const Flow flow = then_leaves ? side(then_target, node.then_list) : side(else_target, node.else_list);
  if (flow.falls || !flow.pending.empty()) b_.set_list(then_leaves ? node.else_list : node.then_list);
  const Id rest = then_leaves ? else_target : then_target;
  store_phis(block.label, rest);
  return rest;
}

std::optional<Id> Translator::selection(const Block& block, Id merge, Flow& total) {
  const Inst& t = block.terminator;
  if (const std::optional<Id> only = t[1] == t[2] ? t[1] : decided_target(t)) {
    const Flow flow = arm(&block, *only, merge, b_.list());
    total.note(flow);
    if (!flow.falls) return std::nullopt;
    guard(flow.pending);
    return merge;
  }
  const Operand condition = operand(t[0]);
  Node& node = append_node(Node::Kind::branch);
  node.cond = condition.source;
  const Flow a = arm(&block, t[1], merge, node.then_list), e = arm(&block, t[2], merge, node.else_list);
  total.note(a);
  total.note(e);
  if (!a.falls && !e.falls) return std::nullopt;
  if (a.falls != e.falls && (a.falls ? a : e).pending.empty()) {
    // The other arm leaves entirely: by jumps, or by flags, then the rest belongs into this arm.
    if (!(a.falls ? e : a).pending.empty()) b_.set_list(a.falls ? node.then_list : node.else_list);
    return merge;
  }
  Flow both = a;
  both.note(e);
  guard(both.pending);
  return merge;
}

/// The labels in an order in which a case that runs into another one comes first; empty if none does.
Vec<Id> Translator::fallthrough_order(const Vec<Id>& labels, Id merge) const {
  Map<Id, Set<Id>> into;
  bool any = false;
  for (Id label : labels) {
    if (label == merge) continue;
    Set<Id> seen{merge};
    for (const Construct& c : constructs_) seen.insert({c.target, c.header});
    Vec<Id> todo{label};
    while (!todo.empty()) {
      const Id id = todo.back();
      todo.pop_back();
      if (!seen.insert(id).second) continue;
      if (id != label && std::find(labels.begin(), labels.end(), id) != labels.end()) {
        into[label].insert(id);
        any = true;
        continue;
      }
      const Block& block = spv_.block(id);
      const Inst& t = block.terminator;
      if (t.op == spv::OpBranch) todo.push_back(t[0]);
      if (t.op == spv::OpBranchConditional) todo.insert(todo.end(), {t[1], t[2]});
      if (t.op == spv::OpSwitch) {
        todo.push_back(t[1]);
        for (const Case& c : cases(t)) todo.push_back(c.label);
      }
      if (block.merge) todo.push_back((*block.merge)[0]);
    }
  }
  if (!any) return {};
  Vec<Id> order;
  Set<Id> left(labels.begin(), labels.end());
  while (!left.empty()) {
    const size_t before = order.size();
    for (Id label : labels) {
      if (!left.count(label)) continue;
      const bool ready = std::none_of(left.begin(), left.end(), [&](Id o) { return o != label && into[o].count(label); });
      if (!ready) continue;
      order.push_back(label);
      left.erase(label);
      break;
    }
    if (order.size() == before) throw Unsupported{"switch cases that run into each other in a circle"};
  }
  return order;
}

std::optional<Id> Translator::switch_(const Block& block, Id merge, Flow& total) {
  const Inst& t = block.terminator;
  const Id default_label = t[1];
  if (const std::optional<Id> only = decided_target(t)) {
    reset_flag(merge);
    const Flow flow = arm(&block, *only, merge, b_.list());
    total.note(flow);
    if (!flow.falls) return std::nullopt;
    guard(flow.pending);
    return merge;
  }
  const Operand selector = operand(t[0]);
  Vec<Id> labels;  // without the default
  Map<Id, Operand> by_label;
  for (const Case& c : cases(t)) {
    const Operand match = matches(selector, c.literal);
    if (c.label == default_label) continue;
    Operand& m = by_label[c.label];
    if (!m) labels.push_back(c.label);
    m = m ? b_.op(Op::ior, {m, match}) : match;
  }
  reset_flag(merge);
  ir::NodeList& outer = b_.list();
  Vec<Id> all = labels;
  all.push_back(default_label);
  const Vec<Id> order = fallthrough_order(all, merge);
  Flow flow;
  if (order.empty()) {
    // if (a) .. else if (b) .. else default
    for (Id label : labels) {
      Node& node = append_node(Node::Kind::branch);
      node.cond = by_label[label].source;
      flow.join(arm(&block, label, merge, node.then_list));
      b_.set_list(node.else_list);
    }
    flow.join(arm(&block, default_label, merge, b_.list()));
  } else {
    // A flag a label says "enter here", set by its match or by a case that runs into it.
    Operand& by_default = by_label[default_label];
    by_default = default_condition(t, default_label, selector);
    for (Id label : all) {
      if (label != merge) reset_flag(label);
      Node& node = append_node(Node::Kind::branch);
      node.cond = by_label[label].source;
      b_.set_list(node.then_list);
      store_phis(block.label, label);
      if (label != merge) raise_flag(label);
      b_.set_list(outer);
    }
    flow.falls = true;  // at least when no flag is set
    for (size_t i = order.size(); i-- > 0;) constructs_.push_back({Construct::Kind::region, order[i], 0, 0});
    for (Id label : order) {
      constructs_.pop_back();
      if (label == merge) continue;
      const Operand enter = b_.append({.op = Op::load_temp, .index = flag(label)}, ir::Type::boolean, 1);
      Node& node = append_node(Node::Kind::branch);
      node.cond = enter.source;
      flow.join(arm(nullptr, label, merge, node.then_list));
    }
    for (Id label : order) flow.pending.erase(label);
  }
  b_.set_list(outer);
  total.note(flow);
  if (!flow.falls) return std::nullopt;
  guard(flow.pending);
  return merge;
}

/// The selector equals no literal except those of the default label itself.
Operand Translator::default_condition(const Inst& t, Id default_label, const Operand& selector) {
  Operand any;
  for (const Case& c : cases(t)) {
    if (c.label == default_label) continue;
    const Operand match = matches(selector, c.literal);
    any = any ? b_.op(Op::ior, {any, match}) : match;
  }
  return any ? b_.logical_not(any) : truth(true);
}

std::optional<Id> Translator::loop(const Block& header, Flow& total) {
  const Id merge = (*header.merge)[0], continue_block = (*header.merge)[1];
  const Block& c = spv_.block(continue_block);
  const bool trivial = continue_block != header.label && c.phis.empty() && c.body.empty() && c.terminator.op == spv::OpBranch &&
                       c.terminator[0] == header.label;
  check_depth();
  reset_flag(merge);
  ir::NodeList& outer = b_.list();
  ir::NodeList& body = append_node(Node::Kind::loop).then_list;
  b_.set_list(body);
  constructs_.push_back({Construct::Kind::loop, merge, 0, header.label});
  const bool known = flags_.count(continue_block);
  constructs_.push_back({Construct::Kind::region, continue_block, trivial ? continue_block : kEnd, header.label});
  Flow flow = region(header.label);
  constructs_.pop_back();
  const bool continues = flow.pending.erase(continue_block) || flow.falls;
  // Each round begins without the flag of its continue block. Few loops have one, and only then is there anything to reset.
  if (continue_block != header.label && (known || flags_.count(continue_block))) {
    ir::NodeList head(1);
    b_.set_list(head);
    store_flag(continue_block, false);
    body.insert(body.begin(), std::make_move_iterator(head.begin()), std::make_move_iterator(head.end()));
  }
  b_.set_list(body);
  if (continues && continue_block != header.label) {
    constructs_.push_back({Construct::Kind::region, header.label, 0, header.label});
    flow.note(region(continue_block));
    constructs_.pop_back();
  }
  constructs_.pop_back();
  b_.set_list(outer);
  if (!flow.pending.empty()) throw Unsupported{"unstructured control flow around a loop"};
  // Ways out that lead further than the merge block.
  Set<Id> pending;
  for (Id target : flow.crossing) {
    const Operand set = b_.append({.op = Op::load_temp, .index = flag(target)}, ir::Type::boolean, 1);
    Node& node = append_node(Node::Kind::branch);
    node.cond = set.source;
    b_.set_list(node.then_list);
    const Flow further = leave(target, false);
    b_.set_list(outer);
    if (further.falls || !further.pending.empty()) pending.insert(target);
    total.join(further);
  }
  if (!broken_loops_.count(merge)) return std::nullopt;
  guard(pending);
  return merge;
}

}  // namespace pumice::compiler::frontend
