// SPDX-License-Identifier: MIT
/// Dead code elimination: unused values, results and params that are never read (also around loops), stores to temporaries that are never
/// loaded, empty ifs and loops without effect. Neighbouring blocks are merged; results that are the same in all arms become copies.
#include <algorithm>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

/// Backwards everything that reads a value is known before the value is met, so one walk says what lives and drops the rest. Only what goes
/// around a loop is read before: loops are walked before that only to mark, until no more of their params live.
class Eliminator {
 public:
  explicit Eliminator(Module& m) : m_(m), live_(m.values.size()), loaded_(m.temps.size()) {}

  bool run() {
    if (!m_.temps.empty())
      any_instruction(m_.body, [&](const Instruction& in) {
        if (in.op == Op::load_temp) loaded_[in.index] = true;
        return false;
      });
    list<true>(m_.body, nullptr, nullptr);
    return changed_;
  }

 private:
  /// What a list does besides computing values. jumps: break and continue of the loop around count too.
  struct Effect {
    bool plain = false, jumps = false;
    void add(const Effect& e) {
      plain |= e.plain;
      jumps |= e.jumps;
    }
  };

  bool is_root(const Instruction& in) const { return in.op == Op::store_temp ? bool(loaded_[in.index]) : !in.result || has_effect(in.op); }
  void mark(ValueId v) {
    fresh_params_ += live_[v] == kParam;
    live_[v] |= kLive;
  }
  void mark(const Source& s) { mark(s.value); }
  bool live(ValueId v) const { return live_[v] & kLive; }
  void mark(const Vec<Source>& args, const Vec<ValueId>& ids) {
    for (size_t i = 0; i < args.size(); ++i)
      if (live(ids[i])) mark(args[i]);
  }
  bool any_live(const Vec<ValueId>& ids) const {
    return std::any_of(ids.begin(), ids.end(), [&](ValueId v) { return live(v); });
  }

  /// Drops the entries of `args` whose destination is dead.
  void prune(Vec<Source>& args, const Vec<ValueId>& ids) const {
    size_t kept = 0;
    for (size_t i = 0; i < args.size(); ++i)
      if (live(ids[i])) args[kept++] = args[i];
    args.resize(kept);
  }
  void erase_dead(Vec<ValueId>& ids) {
    const size_t before = ids.size();
    erase_if(ids, [&](ValueId v) { return !live(v); });
    changed_ |= ids.size() != before;
  }

  /// Marks the params of the loop and of those inside as such.
  void note_params(const Node& node) {
    for (ValueId v : node.params) live_[v] |= kParam;
    for (const NodeList* nodes : {&node.then_list, &node.else_list})
      for (const Node& inner : *nodes)
        if (inner.kind != Node::Kind::block) note_params(inner);
  }
  void mark_all_of(Node& loop) {
    note_params(loop);
    do {
      fresh_params_ = 0;
      list<false>(loop.then_list, nullptr, &loop);
    } while (fresh_params_);
  }

  template <bool kDrop>
  Effect block(Node& node) {
    Effect effect;
    Vec<Instruction>& all = node.instructions;
    size_t kept = all.size();  // those from here on stay
    for (size_t i = all.size(); i-- > 0;) {
      Instruction& in = all[i];
      const bool root = is_root(in);
      if (!root && !(in.result && live(in.result))) continue;
      if (root && !info(in.op).pure) effect.plain = effect.jumps = true;
      // Value 0 stands for sources that are none.
      for (unsigned k = 0; k < 4; ++k) mark(in.source_value(k));
      if (kDrop && --kept != i) all[kept] = in;
    }
    if (kDrop && kept) {
      changed_ = true;
      all.erase(all.begin(), all.begin() + long(kept));
    }
    return effect;
  }

  template <bool kDrop>
  Effect list(NodeList& nodes, const Node* branch, const Node* loop) {
    Effect all;
    size_t kept = nodes.size();  // the nodes from here on stay
    for (size_t i = nodes.size(); i-- > 0;) {
      Node& node = nodes[i];
      switch (node.kind) {
        case Node::Kind::block: {
          all.add(block<kDrop>(node));
          if (!kDrop || node.instructions.empty()) continue;
          if (kept < nodes.size() && nodes[kept].kind == Node::Kind::block) {
            auto& next = nodes[kept].instructions;
            if (node.instructions.size() < next.size()) {
              next.insert(next.begin(), node.instructions.begin(), node.instructions.end());
            } else {
              node.instructions.insert(node.instructions.end(), next.begin(), next.end());
              next = std::move(node.instructions);
            }
            continue;
          }
          break;
        }
        case Node::Kind::branch: {
          Effect effect;
          if (!node.then_list.empty()) effect.add(list<kDrop>(node.then_list, &node, loop));
          if (!node.else_list.empty()) effect.add(list<kDrop>(node.else_list, &node, loop));
          // The condition matters if anything inside does: effects, jumps, or a live result.
          const bool stays = effect.jumps || any_live(node.results);
          if (stays) mark(node.cond);
          all.add(effect);
          if (!kDrop) continue;
          if (!stays) {
            changed_ = true;
            continue;
          }
          erase_dead(node.results);
          break;
        }
        case Node::Kind::loop: {
          if (kDrop && !loops_) mark_all_of(node);
          ++loops_;
          Effect effect = list<kDrop>(node.then_list, nullptr, &node);
          --loops_;
          // A loop that stays may hang on jumps inside; those are its own.
          effect.jumps = effect.plain;
          all.add(effect);
          mark(node.args, node.params);
          if (!kDrop) continue;
          if (!effect.plain && !any_live(node.results)) {
            changed_ = true;
            continue;
          }
          prune(node.args, node.params);
          erase_dead(node.params);
          erase_dead(node.results);
          break;
        }
        case Node::Kind::jump: {
          const bool yields = node.jump == Node::Jump::yield;
          const Vec<ValueId>& ids = destinations(node, yields ? *branch : *loop);
          all.jumps |= !yields;
          mark(node.args, ids);
          if (!kDrop) continue;
          prune(node.args, ids);
          if (yields && node.args.empty()) continue;
          break;
        }
      }
      if (--kept != i) nodes[kept] = std::move(node);
    }
    if (!kDrop) return all;
    nodes.erase(nodes.begin(), nodes.begin() + long(kept));
    // A continue without values at the end of a loop body says nothing.
    if (loop && !branch && !nodes.empty() && nodes.back().kind == Node::Kind::jump && nodes.back().jump == Node::Jump::continue_ &&
        nodes.back().args.empty())
      nodes.pop_back();
    return all;
  }

  Module& m_;
  static constexpr uint8_t kLive = 1, kParam = 2;
  Vec<uint8_t> live_;  ///< by value, these bits
  Vec<uint8_t> loaded_;
  unsigned fresh_params_ = 0;  ///< params that have become live
  unsigned loops_ = 0;         ///< around the list being walked
  bool changed_ = false;
};

bool same(const Source& a, const Source& b, unsigned lanes) {
  return a.value == b.value && a.abs == b.abs && a.negate == b.negate &&
         std::equal(a.swizzle.begin(), a.swizzle.begin() + lanes, b.swizzle.begin());
}

/// Results that every edge sets to one value from outside, and params that never change, become copies.
class TrivialPhis {
 public:
  explicit TrivialPhis(Module& m) : m_(m) {}
  bool run() {
    if (!any_phi(m_.body)) return false;
    depth_.resize(m_.values.size(), kUnknown);
    list(m_.body, 0);
    return changed_;
  }

 private:
  static constexpr int kUnknown = 1 << 20;

  static bool any_phi(const NodeList& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](const Node& n) {
      return !n.results.empty() || !n.params.empty() || any_phi(n.then_list) || any_phi(n.else_list);
    });
  }

  Instruction copy(ValueId result, const Source& s) {
    changed_ = true;
    Instruction mov{.op = Op::mov, .source_count = 1, .result = result};
    mov.source[0] = s;
    return mov;
  }
  /// Jumps of a list to the node itself, not to nodes inside.
  static void jumps_to(NodeList& nodes, bool loop, Vec<Node*>& out) {
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::jump && (n.jump == Node::Jump::yield) != loop) out.push_back(&n);
      if (n.kind == Node::Kind::branch && loop) jumps_to(n.then_list, loop, out), jumps_to(n.else_list, loop, out);
    }
  }
  template <class Keep>
  void drop(Vec<ValueId>& ids, const Vec<Vec<Source>*>& args, Vec<Instruction>& out, const Keep& trivial) {
    for (size_t i = 0; i < ids.size();) {
      const std::optional<Source> s = trivial(i);
      if (!s) {
        ++i;
        continue;
      }
      out.push_back(copy(ids[i], *s));
      ids.erase(ids.begin() + long(i));
      for (auto* a : args) a->erase(a->begin() + long(i));
    }
  }

  static size_t insert_block(NodeList& nodes, size_t at, Vec<Instruction> instructions) {
    if (instructions.empty()) return 0;
    nodes.emplace(nodes.begin() + long(at))->instructions = std::move(instructions);
    return 1;
  }

  /// depth_[v]: nesting depth of the list that defines v; a value is visible behind a node of a list at depth d if its depth is <= d
  /// (and it was seen before the node began).
  void list(NodeList& nodes, int depth) {
    for (size_t at = 0; at < nodes.size(); ++at) {
      Node& node = nodes[at];
      for (const Instruction& in : node.instructions)
        if (in.result) depth_[in.result] = depth;
      if (node.kind != Node::Kind::branch && node.kind != Node::Kind::loop) continue;
      Vec<Instruction> before, after;  // copies that stand before and behind the node
      if (node.kind == Node::Kind::branch) {
        list(node.then_list, depth + 1);
        list(node.else_list, depth + 1);
        if (node.results.empty()) continue;
        Vec<Node*> yields;
        jumps_to(node.then_list, false, yields);
        jumps_to(node.else_list, false, yields);
        Vec<Vec<Source>*> args;
        for (Node* y : yields) args.push_back(&y->args);
        drop(node.results, args, after, [&](size_t i) -> std::optional<Source> {
          if (args.empty()) return std::nullopt;
          const Source& first = (*args[0])[i];
          for (auto* a : args)
            if (!same(first, (*a)[i], m_.comps(node.results[i]))) return std::nullopt;
          return depth_[first.value] <= depth ? std::optional(first) : std::nullopt;
        });
      } else {
        for (ValueId v : node.params) depth_[v] = depth + 1;
        list(node.then_list, depth + 1);
        if (node.results.empty() && node.params.empty()) continue;
        Vec<Node*> jumps;
        jumps_to(node.then_list, true, jumps);
        Vec<Vec<Source>*> continues, breaks;
        for (Node* j : jumps) (j->jump == Node::Jump::continue_ ? continues : breaks).push_back(&j->args);
        drop(node.results, breaks, after, [&](size_t i) -> std::optional<Source> {
          if (breaks.empty()) return std::nullopt;
          const Source& first = (*breaks[0])[i];
          for (auto* a : breaks)
            if (!same(first, (*a)[i], m_.comps(node.results[i]))) return std::nullopt;
          return depth_[first.value] <= depth ? std::optional(first) : std::nullopt;
        });
        auto with_init = continues;
        with_init.push_back(&node.args);
        drop(node.params, with_init, before, [&](size_t i) -> std::optional<Source> {
          const Source self = read(m_, node.params[i]);
          for (auto* a : continues)
            if (!same(self, (*a)[i], m_.comps(node.params[i]))) return std::nullopt;
          return node.args[i];
        });
      }
      for (const Instruction& in : before) depth_[in.result] = depth;
      for (const Instruction& in : after) depth_[in.result] = depth;
      for (ValueId v : node.results) depth_[v] = depth;
      at += insert_block(nodes, at, std::move(before));
      at += insert_block(nodes, at + 1, std::move(after));
    }
  }

  Module& m_;
  Vec<int> depth_;
  bool changed_ = false;
};

}  // namespace

bool eliminate_dead(Context& c) {
  const bool trivial = TrivialPhis(c.module).run();
  if (trivial) c.settled = false;  // there are new copies
  return Eliminator(c.module).run() || trivial;
}

}  // namespace pumice::compiler::passes
