// SPDX-License-Identifier: MIT
/// Full unrolling of loops by running them: the body is cloned iteration by iteration with constants folded on the way, so that the
/// loop's own tests decide themselves. Where the budget says so (always in the vertex stage, which has no data-dependent loops) an
/// undecided test that leaves the loop becomes an if whose other arm holds all that follows. A loop that does not end within the budget
/// stays.
#include <algorithm>
#include <functional>

#include "compiler/passes/loop_constants.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"
#include "compiler/passes/trip_count.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr unsigned kMaxDepth = 24;  // of ifs made here; chips end at 32 (ChipLimits::branch_depth)

/// `instructions`: those that are left of the copies. What folds to constants or copies counts where `folded` does not have a share of its
/// own. `code`: limits their weight, a transcendental function being as long as four vector operations for each component.
struct Budget {
  unsigned instructions, iterations;
  bool undecided_exits;
  unsigned folded = 0, code = ~0u;
};
constexpr Budget kVertex{6000, 1024, true};
/// Loops that can stay loops (bound_loops).
constexpr Budget kVertexBounded{400, 255, true};
constexpr Budget kFragment{256, 64, false};
/// Where nothing may stay a loop.
constexpr Budget kFragmentStraight{4000, 256, true};
/// Loops that index arrays or constants, but not by the counter alone: ladders cost more than copies of the body, even than nested ifs.
constexpr Budget kFragmentIndexing[] = {{2000, 256, false}, {800, 16, true}};
/// Chips with memory index everything but temporaries, which are faster as values than in scratch memory.
constexpr Budget kIndexingTemps{2000, 256, false};
/// With integers, counters, divisions of them and masks fold away, which costs a loop more than a body of a few lookups. Weights of 512
/// fill the first-level instruction cache with AVX2.
constexpr Budget kIntegers{256, 64, false, 2000, 512};

class Unroller {
 public:
  Unroller(Module& m, const Node& loop, const Vec<Instruction>& defs, Budget budget)
      : m_(m), loop_(loop), defs_{defs}, budget_(budget), map_(m.values.size()) {}

  /// True and the straight code (with the loop's results defined at the end), or false.
  bool run(NodeList& out) {
    const size_t values = m_.values.size(), marks = m_.marks.size();
    bind(loop_.params, loop_.args);
    continue_in_ = &out;
    iterate();
    if (!ok_ || !left_) {
      m_.values.resize(values);
      m_.marks.resize(marks);
      return false;
    }
    add_mark(m_, ValueId(m_.values.size()), nullptr);  // what later passes make is no copy
    if (!loop_.results.empty() && (out.empty() || out.back().kind != Node::Kind::block)) out.emplace_back();
    for (size_t i = 0; i < loop_.results.size(); ++i) {
      Instruction mov{.op = Op::mov, .source_count = 1, .result = loop_.results[i]};
      mov.source[0] = final_[i];
      out.back().instructions.push_back(mov);
    }
    return true;
  }

 private:
  using Continuation = std::function<void(NodeList&)>;

  Source mapped(const Source& s) const { return s.value < map_.size() && map_[s.value].value ? compose(s, map_[s.value]) : s; }
  void bind(const Vec<ValueId>& to, const Vec<Source>& args) {
    Vec<Source> values;
    for (const Source& s : args) values.push_back(mapped(s));
    for (size_t i = 0; i < to.size(); ++i) map_[to[i]] = values[i];
  }
  ValueId fresh(ValueId old) {
    const ValueId v = m_.new_value(m_.value(old).type, m_.comps(old));
    map_[old] = read(m_, v);
    if (!m_.marks.empty()) copy_mark(old, v);
    return v;
  }
  /// Copies come from where the original does.
  void copy_mark(ValueId old, ValueId copy) {
    if (old < mark_.first || old >= mark_.end) mark_ = mark_range(m_, old);
    add_mark(m_, copy, mark_.at);
  }
  void spend(unsigned n) {
    spent_ += n;
    if (spent_ > budget_.instructions) ok_ = false;
  }
  void weigh(const Instruction& in) {
    const auto among = [&](Op first, Op last) { return in.op >= first && in.op <= last; };
    const bool is_function = among(Op::exp2, Op::cos_cycles) || among(Op::pow, Op::log) || among(Op::tan, Op::atanh);
    weight_ += is_function ? 4 * m_.comps(in.result) : 1;
    if (weight_ > budget_.code) ok_ = false;
  }

  void spend_folded() {
    if (++spent_folded_ > budget_.folded) ok_ = false;
  }
  unsigned cost(const Instruction& in) const {
    const bool high = info(in.op).level == OpInfo::Level::high || info(in.op).level == OpInfo::Level::exact;
    const bool costly = high || (in.op >= Op::rcp && in.op <= Op::cos);
    return costly && m_.stage == Stage::vertex ? 6 : 1;
  }

  /// Runs iterations as long as the last one reached a continue. Whatever meets a continue names the list to go on in and returns up to
  /// here (every call in between is in tail position), so that the stack does not grow with the number of iterations.
  void iterate() {
    while (ok_ && continue_in_) {
      NodeList& out = *continue_in_;
      continue_in_ = nullptr;
      if (++iterations_ > budget_.iterations) ok_ = false;
      list(loop_.then_list, 0, out, [this](NodeList& end) { continue_in_ = &end; });
    }
  }

  /// Clones nodes from i on, then calls `next` where the list's end is reached.
  void list(const NodeList& nodes, size_t i, NodeList& out, const Continuation& next) {
    for (; i < nodes.size(); ++i) {
      if (!ok_) return;
      const Node& node = nodes[i];
      switch (node.kind) {
        case Node::Kind::block: block(node, out); break;
        case Node::Kind::branch: {
          const Source cond = mapped(node.cond);
          const auto condition = constant_words(defs_, cond, 1);
          if (condition) {
            const NodeList& arm = holds(m_, cond, *condition) ? node.then_list : node.else_list;
            return list(arm, 0, out, [&, i](NodeList& end) {
              yield(arm, node);
              list(nodes, i + 1, end, next);
            });
          }
          if (!leaves_loop(node.then_list) && !leaves_loop(node.else_list)) {
            whole(node, out);
            break;
          }
          if (!budget_.undecided_exits) {
            ok_ = false;
            return;
          }
          return split(node, nodes, i, out, next);
        }
        case Node::Kind::loop: whole(node, out); break;
        case Node::Kind::jump:
          if (node.jump == Node::Jump::yield) break;
          if (node.jump == Node::Jump::continue_) {
            bind(loop_.params, node.args);
            continue_in_ = &out;
            return;
          }
          return leave(node, out);
      }
    }
    next(out);
  }
  void yield(const NodeList& arm, const Node& node) {
    if (!arm.empty() && arm.back().kind == Node::Kind::jump && arm.back().jump == Node::Jump::yield) bind(node.results, arm.back().args);
  }

  void leave(const Node& node, NodeList& out) {
    Vec<Source> args;
    for (const Source& s : node.args) args.push_back(mapped(s));
    finish(args, out);
  }
  void finish(const Vec<Source>& args, NodeList& out) {
    if (depth_ == 0) {
      final_ = args;
      left_ = true;
      return;
    }
    Node& jump = out.emplace_back();
    jump.kind = Node::Kind::jump;
    jump.args = args;
  }

  /// An if that may leave: everything that follows goes into both arms.
  void split(const Node& node, const NodeList& nodes, size_t i, NodeList& out, const Continuation& next) {
    spend(1);
    Node copy;
    copy.kind = Node::Kind::branch;
    copy.cond = mapped(node.cond);
    Vec<Source> results;
    for (ValueId r : loop_.results) {
      copy.results.push_back(m_.new_value(m_.value(r).type, m_.comps(r)));
      results.push_back(read(m_, copy.results.back()));
    }
    const auto map = map_;
    const unsigned iterations = iterations_;
    if (++depth_ > kMaxDepth) ok_ = false;
    for (const NodeList* arm : {&node.then_list, &node.else_list}) {
      NodeList& into = arm == &node.then_list ? copy.then_list : copy.else_list;
      map_ = map;
      iterations_ = iterations;
      list(*arm, 0, into, [&, i](NodeList& end) {
        yield(*arm, node);
        list(nodes, i + 1, end, next);
      });
      iterate();
    }
    --depth_;
    out.push_back(std::move(copy));
    finish(results, out);
  }

  void block(const Node& node, NodeList& out) {
    if (out.empty() || out.back().kind != Node::Kind::block) out.emplace_back();
    const bool at_once = budget_.folded == 0;
    if (at_once)
      for (const Instruction& in : node.instructions) spend(cost(in));
    if (!ok_) return;
    Vec<Instruction>& code = out.back().instructions;
    if (const size_t need = code.size() + node.instructions.size(); need > code.capacity())
      code.reserve(std::max(need, 2 * code.capacity()));
    for (const Instruction& original : node.instructions) {
      Instruction in = original;
      bool folded = false;
      for (Source& s : in.sources()) s = mapped(s);
      if (in.result) {
        in.result = fresh(in.result);
        if (const auto value = fold(m_, in, defs_)) {
          in = Instruction{.op = Op::constant, .result = in.result, .constant = *value};
          folded = true;
        } else if (in.op == Op::mov && !in.saturate && m_.value(original.result).type == m_.value(in.source[0].value).type) {
          map_[original.result] = in.source[0];  // a copy: read its source, which may be a constant
          folded = true;
        }
        defs_.add(in);
      }
      if (!at_once) folded ? spend_folded() : spend(cost(original));
      if (!folded) weigh(original);
      code.push_back(in);
    }
  }

  /// Clone of a node that does not leave the loop.
  void whole(const Node& node, NodeList& out) {
    Node copy = clone(node);
    out.push_back(std::move(copy));
  }
  Node clone(const Node& node) {
    Node copy;
    copy.kind = node.kind;
    copy.jump = node.jump;
    if (node.kind == Node::Kind::branch) copy.cond = mapped(node.cond);
    for (const Source& s : node.args) copy.args.push_back(mapped(s));
    for (ValueId v : node.params) copy.params.push_back(fresh(v));
    if (node.kind == Node::Kind::block) {
      NodeList one;
      block(node, one);
      if (!one.empty()) copy.instructions = std::move(one.back().instructions);
    }
    for (const Node& n : node.then_list) copy.then_list.push_back(clone(n));
    for (const Node& n : node.else_list) copy.else_list.push_back(clone(n));
    for (ValueId v : node.results) copy.results.push_back(fresh(v));
    return copy;
  }

  Module& m_;
  const Node& loop_;
  /// The definitions of the module and, of the copies made here, those of constants: no others are looked up.
  struct Table {
    const Vec<Instruction>& module;
    Vec<Instruction> constants{Instruction{}};  ///< entry 0 stands for all that is none
    Vec<uint32_t> own;
    size_t size() const { return module.size() + own.size(); }
    const Instruction& operator[](ValueId v) const { return v < module.size() ? module[v] : constants[own[v - module.size()]]; }
    void add(const Instruction& in) {
      const size_t at = in.result - module.size();
      if (own.size() <= at) own.resize(at + 1);
      own[at] = 0;
      if (in.op != Op::constant) return;
      own[at] = uint32_t(constants.size());
      constants.push_back(in);
    }
  } defs_;
  Budget budget_;
  Vec<Source> map_;  ///< by value of the loop's body; value 0: stays
  unsigned spent_ = 0, spent_folded_ = 0, weight_ = 0, iterations_ = 0, depth_ = 0;
  NodeList* continue_in_ = nullptr;
  MarkRange mark_;  ///< of the value that was copied last
  bool ok_ = true, left_ = false;
  Vec<Source> final_;
};

bool indexes(const NodeList& nodes) {
  return any_instruction(nodes, [](const Instruction& in) {
    return (in.op == Op::load_uniform || in.op == Op::load_push || in.op == Op::load_temp) ? in.source_count > 0
                                                                                           : in.op == Op::store_temp && in.source_count > 1;
  });
}

bool has_loop(const Node& node) {
  return node.kind == Node::Kind::loop || std::any_of(node.then_list.begin(), node.then_list.end(), has_loop) ||
         std::any_of(node.else_list.begin(), node.else_list.end(), has_loop);
}

/// Whether the nodes have a loop without a provable bound, which the vertex stage would refuse.
bool has_unbounded_loop(const Module& m, const NodeList& nodes, const Vec<Instruction>& defs, const ChipLimits& chip) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& n) {
    return (n.kind == Node::Kind::loop && !trip_count(m, n, defs, chip.nested_rounds())) ||
           has_unbounded_loop(m, n.then_list, defs, chip) || has_unbounded_loop(m, n.else_list, defs, chip);
  });
}

bool unroll_in(Module& m, NodeList& nodes, const Vec<Instruction>& defs, const ChipLimits& chip) {
  bool changed = false, rebuilding = false;
  NodeList out;  // from the first unrolled loop on
  for (size_t n = 0; n < nodes.size(); ++n) {
    Node& node = nodes[n];
    // Inner loops first: outer ones then copy straight code.
    if (!node.then_list.empty()) changed |= unroll_in(m, node.then_list, defs, chip);
    if (!node.else_list.empty()) changed |= unroll_in(m, node.else_list, defs, chip);
    if (node.kind == Node::Kind::loop) {
      std::span<const Budget> budgets(&kFragment, 1);
      if (m.memory) {
        budgets = {indexes(node.then_list) ? &kIndexingTemps : &kIntegers, 1};
      } else if (m.stage == Stage::vertex) {
        const bool bounded = trip_count(m, node, defs, chip.nested_rounds()).has_value();
        budgets = {bounded ? &kVertexBounded : &kVertex, 1};
        // An inner loop stayed: copies of it would use up the flow control entries. But one whose bound is this one's counter has a
        // literal bound in each copy, and none otherwise.
        if (bounded && std::any_of(node.then_list.begin(), node.then_list.end(), has_loop))
          budgets = has_unbounded_loop(m, node.then_list, defs, chip) ? std::span(&kVertex, 1) : std::span<const Budget>();
      }
      if (!m.memory && m.stage == Stage::fragment && !chip.flow_control)
        budgets = {&kFragmentStraight, 1};
      else if (!m.memory && m.stage == Stage::fragment && indexes(node.then_list) && !addressed_by_counter(m, node, defs, chip))
        budgets = kFragmentIndexing;
      bool done = false;
      for (const Budget& budget : budgets) {
        NodeList straight;
        if (!Unroller(m, node, defs, budget).run(straight)) continue;
        if (!rebuilding) out.assign(std::make_move_iterator(nodes.begin()), std::make_move_iterator(nodes.begin() + long(n)));
        rebuilding = true;
        for (Node& copy : straight) out.push_back(std::move(copy));
        changed = done = true;
        break;
      }
      if (done) continue;
    }
    if (rebuilding) out.push_back(std::move(node));
  }
  if (rebuilding) nodes = std::move(out);
  return changed;
}

}  // namespace

bool unroll_loops(Context& c) {
  if (std::none_of(c.module.body.begin(), c.module.body.end(), has_loop)) return false;
  return unroll_in(c.module, c.module.body, definitions(c.module), *c.options.chip);
}

}  // namespace pumice::compiler::passes
