// SPDX-License-Identifier: MIT
/// Local simplifications combined in a single forward walk: copy propagation (copies.h), constant folding with the chip's rules
/// (ir/scalar.h) including conditions of ifs and dynamic indices, algebraic identities (simplify.h), and common subexpressions (cse.h).
/// Each is a pass of its own as well.
#include <cmath>
#include <iterator>

#include "compiler/passes/copies.h"
#include "compiler/passes/cse.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/simplify.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

enum Parts : unsigned { kCopies = 1, kFold = 2, kAlgebra = 4, kCommon = 8, kAll = 15 };

class Reducer {
 public:
  Reducer(Module& m, unsigned parts)
      : m_(m), parts_(parts), defs_(m, uses_, &sorts_), copies_(m, defs_, uses_), simplifier_(m, defs_, uses_), common_(m, defs_, uses_) {}
  bool run() {
    list(m_.body, nullptr, nullptr);
    return changed_;
  }
  /// What an instruction becomes hangs on instructions before it, so one walk is enough (nothing is known of what goes around a loop: its
  /// params are values of their own). Not so for what was decided about branches, and a clamp moves to its source once that has no other
  /// reader left.
  bool settled() const { return settled_; }

 private:
  /// Which sorts its sources are of.
  unsigned sorts(const Instruction& in) const {
    unsigned all = 0;
    for (unsigned i = 0; i < 4; ++i) all |= sorts_[in.source_value(i)] & (0u - static_cast<unsigned>(i < in.source_count));
    return all;
  }

  void instruction(Instruction& in) {
    for (;;) {
      unsigned sources = sorts(in);
      if ((parts_ & kCopies) && ((sources & Definitions::kCopy) || in.op == Op::vec)) {
        changed_ |= copies_.instruction(in);
        sources = sorts(in);
      }
      if ((parts_ & kFold) && (sources & Definitions::kConstant)) {
        if (sources == Definitions::kConstant) fold_constant(in);
        dynamic_index(in);
      }
      if (!(parts_ & kAlgebra) || !((sources & Definitions::kConstant) || simplifier_.without_constants(in))) break;
      if (!simplifier_.step(in)) break;
      changed_ = true;
    }
    if (in.op == Op::mov && in.saturate) settled_ = false;
    if (parts_ & kCommon) changed_ |= common_.instruction(in);
    sorts_[in.result] = Definitions::sort_of(in.op);
  }

  void fold_constant(Instruction& in) {
    if (const auto value = fold(m_, in, defs_)) {
      for (const Source& s : in.sources()) --uses_[s.value];
      in = Instruction{.op = Op::constant, .result = in.result, .constant = *value};
      changed_ = true;
    }
  }

  static uint32_t clamped(const Lanes& index, Type type, uint32_t max) {
    if (is_typed(type)) return type == Type::i32 && int32_t(index.bits[0]) < 0 ? 0 : std::min(index.bits[0], max);
    const float whole = std::floor(index[0]);
    return whole > 0.0f ? uint32_t(std::min(whole, float(max))) : 0;
  }
  /// [constant] of a load or store: into the offset.
  void dynamic_index(Instruction& in) {
    const bool load = in.op == Op::load_uniform || in.op == Op::load_push || in.op == Op::load_temp;
    const unsigned i = in.op == Op::store_temp ? 1 : 0;
    if (!(load || in.op == Op::store_temp) || in.source_count <= i) return;
    const auto index = constant_words(defs_, in.source[i], 1);
    if (!index) return;
    in.offset += clamped(*index, m_.value(in.source[i].value).type, in.max_index);
    --uses_[in.source[i].value];
    in.source_count = uint8_t(i);
    in.max_index = 0;
    changed_ = true;
  }

  /// Replaces an if by the arm taken. True if that arm jumps away, so that nothing behind it is reached.
  bool splice(Node& node, bool taken, NodeList& out) {
    NodeList arm = std::move(taken ? node.then_list : node.else_list);
    const Vec<ValueId> results = node.results;
    bool jumps = false;
    Node movs;
    if (!arm.empty() && arm.back().kind == Node::Kind::jump) {
      if (arm.back().jump == Node::Jump::yield) {
        for (size_t i = 0; i < results.size(); ++i) {
          Instruction mov{.op = Op::mov, .source_count = 1, .result = results[i]};
          mov.source[0] = arm.back().args[i];
          movs.instructions.push_back(mov);
        }
        arm.pop_back();
      } else {
        jumps = true;
      }
    }
    for (Node& n : arm) out.push_back(std::move(n));
    if (!movs.instructions.empty()) out.push_back(std::move(movs));
    return jumps || (!out.empty() && never_ends(out.back()));
  }
  static bool never_ends(const Node& node) {
    if (node.kind == Node::Kind::jump) return true;
    if (node.kind != Node::Kind::branch) return false;
    auto leaves = [](const NodeList& l) {
      return !l.empty() && (l.back().kind == Node::Kind::jump ? l.back().jump != Node::Jump::yield : never_ends(l.back()));
    };
    return leaves(node.then_list) && leaves(node.else_list);
  }

  void list(NodeList& nodes, const Node* branch, const Node* loop) {
    const size_t mark = common_.mark();
    NodeList out;  // from the first decided if on
    bool rebuilding = false, ended = false;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (ended) {
        changed_ = true;
        if (!rebuilding) nodes.resize(i);
        break;
      }
      Node& node = nodes[i];
      switch (node.kind) {
        case Node::Kind::block:
          for (Instruction& in : node.instructions) instruction(in);
          break;
        case Node::Kind::branch: {
          if (parts_ & kCopies) changed_ |= copies_.source(node.cond, 1, true);
          const auto condition = parts_ & kFold ? constant_words(defs_, node.cond, 1) : std::nullopt;
          if (!node.then_list.empty()) list(node.then_list, &node, loop);
          if (!node.else_list.empty()) list(node.else_list, &node, loop);
          if (condition) {
            changed_ = true;
            if (!rebuilding) out.assign(std::make_move_iterator(nodes.begin()), std::make_move_iterator(nodes.begin() + long(i)));
            rebuilding = true;
            settled_ = false;
            ended = splice(node, holds(m_, node.cond, *condition), out);
            continue;
          }
          ended = parts_ & kFold && never_ends(node);
          if (ended) node.results.clear();  // nothing behind can read them
          break;
        }
        case Node::Kind::loop:
          if (parts_ & kCopies) changed_ |= copies_.args(node.args, node.params);
          list(node.then_list, nullptr, &node);
          break;
        case Node::Kind::jump:
          if (parts_ & kCopies) changed_ |= copies_.args(node.args, destinations(node, node.jump == Node::Jump::yield ? *branch : *loop));
          break;
      }
      if (rebuilding) out.push_back(std::move(node));
    }
    if (rebuilding) nodes = std::move(out);
    common_.release(mark);
  }

  Module& m_;
  const unsigned parts_;
  Vec<uint32_t> uses_;
  Vec<uint8_t> sorts_;  ///< by value: Definitions::Sort
  const Definitions defs_;
  CopyFollower copies_;
  Simplifier simplifier_;
  CommonFinder common_;
  bool changed_ = false, settled_ = true;
};

}  // namespace

bool propagate_copies(Context& c) { return Reducer(c.module, kCopies).run(); }
bool fold_constants(Context& c) { return Reducer(c.module, kFold).run(); }
bool simplify(Context& c) { return Reducer(c.module, kAlgebra).run(); }
bool eliminate_common(Context& c) { return Reducer(c.module, kCommon).run(); }
bool reduce(Context& c) {
  Reducer r(c.module, kAll);
  const bool changed = r.run();
  if (changed && !r.settled()) c.settled = false;
  return changed;
}

}  // namespace pumice::compiler::passes
