// SPDX-License-Identifier: MIT
/// Dead code: values nothing needs, results and params nobody reads (also around loops), stores to temporaries nobody loads, empty
/// ifs and loops without effect. Neighbouring blocks become one; results that are the same in all arms become copies.
#include <algorithm>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

class Eliminator {
 public:
  explicit Eliminator(Module& m) : m_(m), live_(m.values.size()), first_(m.values.size()), loaded_(m.temps.size()) {}

  bool run() {
    any_instruction(m_.body, [&](const Instruction& in) {
      if (in.op == Op::load_temp) loaded_[in.index] = true;
      return false;
    });
    needs_.reserve(m_.values.size() * 2);
    effects_.reserve(16);
    note_effects(m_.body);
    collect(m_.body, nullptr, nullptr);
    while (!todo_.empty()) {
      const ValueId v = todo_.back();
      todo_.pop_back();
      for (uint32_t n = first_[v]; n; n = needs_[n].next) mark(needs_[n].value);
    }
    at_ = 0;
    list(m_.body, nullptr, nullptr);
    return changed_;
  }

 private:
  bool is_root(const Instruction& in) const { return in.op == Op::store_temp ? bool(loaded_[in.index]) : !in.result; }
  void mark(ValueId v) {
    if (live_[v]) return;
    live_[v] = true;
    todo_.push_back(v);
  }

  void need(ValueId by, ValueId value) {
    needs_.push_back({value, first_[by]});
    first_[by] = uint32_t(needs_.size() - 1);
  }

  void collect(const NodeList& nodes, const Node* branch, const Node* loop) {
    for (const Node& node : nodes) {
      for (const Instruction& in : node.instructions) {
        for (const Source& s : in.sources()) {
          if (in.result)
            need(in.result, s.value);
          else if (is_root(in))
            mark(s.value);
        }
      }
      switch (node.kind) {
        case Node::Kind::block: break;
        case Node::Kind::branch:
          // The condition matters if anything inside does: effects, jumps, or a live result.
          if (effects_[at_++].jumps) mark(node.cond.value);
          for (ValueId r : node.results) need(r, node.cond.value);
          collect(node.then_list, &node, loop);
          collect(node.else_list, &node, loop);
          break;
        case Node::Kind::loop:
          ++at_;
          for (size_t i = 0; i < node.params.size(); ++i) need(node.params[i], node.args[i].value);
          collect(node.then_list, nullptr, &node);
          break;
        case Node::Kind::jump: {
          const Node& to = node.jump == Node::Jump::yield ? *branch : *loop;
          const auto& ids = destinations(node, to);
          for (size_t i = 0; i < node.args.size(); ++i) need(ids[i], node.args[i].value);
          break;
        }
      }
    }
  }

  /// What a branch or loop does besides computing values. jumps: break and continue of the loop around count too.
  struct Effect {
    bool plain = false, jumps = false;
    size_t end = 0;  ///< index of the next one behind it, past those inside
  };
  /// Fills effects_, one entry for each branch and loop in the order of their beginnings; gives the list's own.
  Effect note_effects(const NodeList& nodes) {
    Effect all;
    for (const Node& node : nodes) {
      for (const Instruction& in : node.instructions)
        if (is_root(in) && !info(in.op).pure && in.op != Op::load_temp) all.plain = true;
      if (node.kind == Node::Kind::jump && node.jump != Node::Jump::yield) all.jumps = true;
      if (node.kind != Node::Kind::branch && node.kind != Node::Kind::loop) continue;
      const size_t at = effects_.size();
      effects_.emplace_back();
      Effect e = note_effects(node.then_list);
      const Effect other = note_effects(node.else_list);
      e.plain |= other.plain;
      e.jumps |= other.jumps;
      // A loop that stays may hang on jumps inside; those are its own.
      if (node.kind == Node::Kind::loop) e.jumps = e.plain;
      e.jumps |= e.plain;
      e.end = effects_.size();
      effects_[at] = e;
      all.plain |= e.plain;
      all.jumps |= e.jumps;
    }
    all.jumps |= all.plain;
    return all;
  }
  bool any_live(const std::vector<ValueId>& ids) const {
    return std::any_of(ids.begin(), ids.end(), [&](ValueId v) { return live_[v]; });
  }

  /// Drops the entries of `args` whose destination is dead.
  void prune(std::vector<Source>& args, const std::vector<ValueId>& ids) const {
    size_t kept = 0;
    for (size_t i = 0; i < args.size(); ++i)
      if (live_[ids[i]]) args[kept++] = args[i];
    args.resize(kept);
  }

  void list(NodeList& nodes, const Node* branch, const Node* loop) {
    size_t kept = 0;  // the nodes before stay
    for (size_t i = 0; i < nodes.size(); ++i) {
      Node& node = nodes[i];
      switch (node.kind) {
        case Node::Kind::block: {
          const size_t before = node.instructions.size();
          std::erase_if(node.instructions, [&](const Instruction& in) { return in.result ? !live_[in.result] : !is_root(in); });
          changed_ |= node.instructions.size() != before;
          if (node.instructions.empty()) continue;
          if (kept && nodes[kept - 1].kind == Node::Kind::block) {
            auto& last = nodes[kept - 1].instructions;
            last.insert(last.end(), node.instructions.begin(), node.instructions.end());
            continue;
          }
          break;
        }
        case Node::Kind::branch: {
          const Effect effect = effects_[at_++];
          if (!any_live(node.results) && !effect.jumps) {
            changed_ = true;
            at_ = effect.end;
            continue;
          }
          list(node.then_list, &node, loop);
          list(node.else_list, &node, loop);
          erase_dead(node.results);
          break;
        }
        case Node::Kind::loop: {
          const Effect effect = effects_[at_++];
          if (!any_live(node.results) && !effect.plain) {
            changed_ = true;
            at_ = effect.end;
            continue;
          }
          prune(node.args, node.params);
          list(node.then_list, nullptr, &node);
          erase_dead(node.params);
          erase_dead(node.results);
          break;
        }
        case Node::Kind::jump: {
          const Node& to = node.jump == Node::Jump::yield ? *branch : *loop;
          prune(node.args, destinations(node, to));
          if (node.jump == Node::Jump::yield && node.args.empty()) continue;
          break;
        }
      }
      if (kept != i) nodes[kept] = std::move(node);
      ++kept;
    }
    nodes.resize(kept);
    // A continue without values at the end of a loop body says nothing.
    if (loop && !branch && !nodes.empty() && nodes.back().kind == Node::Kind::jump && nodes.back().jump == Node::Jump::continue_ &&
        nodes.back().args.empty())
      nodes.pop_back();
  }
  void erase_dead(std::vector<ValueId>& ids) {
    const size_t before = ids.size();
    std::erase_if(ids, [&](ValueId v) { return !live_[v]; });
    changed_ |= ids.size() != before;
  }

  Module& m_;
  std::vector<uint8_t> live_;
  /// What the computation of a value reads: lists in one vector, entry 0 ends them.
  struct Need {
    ValueId value;
    uint32_t next;
  };
  std::vector<Effect> effects_;
  size_t at_ = 0;  ///< the next branch or loop
  std::vector<uint32_t> first_;
  std::vector<Need> needs_{Need{}};
  std::vector<uint8_t> loaded_;
  std::vector<ValueId> todo_;
  bool changed_ = false;
};

bool same(const Source& a, const Source& b, unsigned lanes) {
  return a.value == b.value && a.abs == b.abs && a.negate == b.negate &&
         std::equal(a.swizzle.begin(), a.swizzle.begin() + lanes, b.swizzle.begin());
}

/// Results that every edge sets to one value from outside, and params that never change, become copies.
class TrivialPhis {
 public:
  explicit TrivialPhis(Module& m) : m_(m), depth_(m.values.size(), kUnknown) {}
  bool run() {
    list(m_.body, 0);
    return changed_;
  }

 private:
  static constexpr int kUnknown = 1 << 20;

  Instruction copy(ValueId result, const Source& s) {
    changed_ = true;
    Instruction mov{.op = Op::mov, .source_count = 1, .result = result};
    mov.source[0] = s;
    return mov;
  }
  /// Jumps of a list to the node itself, not to nodes inside.
  static void jumps_to(NodeList& nodes, bool loop, std::vector<Node*>& out) {
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::jump && (n.jump == Node::Jump::yield) != loop) out.push_back(&n);
      if (n.kind == Node::Kind::branch && loop) jumps_to(n.then_list, loop, out), jumps_to(n.else_list, loop, out);
    }
  }
  template <class Keep>
  void drop(std::vector<ValueId>& ids, const std::vector<std::vector<Source>*>& args, std::vector<Instruction>& out, const Keep& trivial) {
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

  static size_t insert_block(NodeList& nodes, size_t at, std::vector<Instruction> instructions) {
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
      std::vector<Instruction> before, after;  // copies that stand before and behind the node
      if (node.kind == Node::Kind::branch) {
        list(node.then_list, depth + 1);
        list(node.else_list, depth + 1);
        if (node.results.empty()) continue;
        std::vector<Node*> yields;
        jumps_to(node.then_list, false, yields);
        jumps_to(node.else_list, false, yields);
        std::vector<std::vector<Source>*> args;
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
        std::vector<Node*> jumps;
        jumps_to(node.then_list, true, jumps);
        std::vector<std::vector<Source>*> continues, breaks;
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
  std::vector<int> depth_;
  bool changed_ = false;
};

}  // namespace

bool eliminate_dead(Context& c) {
  const bool trivial = TrivialPhis(c.module).run();
  if (trivial) c.settled = false;  // there are new copies
  return Eliminator(c.module).run() || trivial;
}

}  // namespace pumice::compiler::passes
