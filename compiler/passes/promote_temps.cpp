// SPDX-License-Identifier: MIT
/// Temporaries that are indexed statically everywhere become SSA values: every (temp, element) is a variable, its current value is followed
/// through the lists; ifs and loops get results and params for the variables that are stored inside of them.
#include <algorithm>
#include <map>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

class Promotion {
 public:
  explicit Promotion(Module& m) : m_(m), first_(m.temps.size(), kNone) {}

  bool run() {
    if (m_.temps.empty()) return false;
    Vec<uint8_t> dynamic(m_.temps.size()), used(m_.temps.size());
    any_instruction(m_.body, [&](const Instruction& in) {
      if (in.op != Op::load_temp && in.op != Op::store_temp) return false;
      used[in.index] = true;
      if (in.source_count > (in.op == Op::load_temp ? 0 : 1)) dynamic[in.index] = true;
      return false;
    });
    for (size_t t = 0; t < m_.temps.size(); ++t) {
      if (dynamic[t] || !used[t]) continue;
      first_[t] = uint32_t(current_.size());
      for (uint32_t e = 0; e < m_.temps[t].elements; ++e) {
        current_.push_back(0);
        temp_of_.push_back(uint32_t(t));
      }
    }
    if (current_.empty()) return false;
    seen_.resize(current_.size());
    survey(m_.body);
    list(m_.body, nullptr);
    if (!zeros_.empty()) m_.body.insert(m_.body.begin(), std::move(zero_block_));
    // Passes that look for temporaries then need not walk over the code.
    if (std::find(dynamic.begin(), dynamic.end(), 1) == dynamic.end()) m_.temps.clear();
    return true;
  }

 private:
  static constexpr uint32_t kNone = ~0u;
  using State = Vec<ValueId>;

  struct Frame {
    Node* node;
    Vec<uint32_t> variables;  ///< stored inside: params and results in this order behind the existing ones
  };
  struct Arm {
    bool reached = false;
    State at_end;
    Node* yield = nullptr;  ///< the jump that ends it, if there is one
  };

  const Temp& temp(uint32_t variable) const { return m_.temps[temp_of_[variable]]; }
  bool promoted(const Instruction& in) const { return (in.op == Op::load_temp || in.op == Op::store_temp) && first_[in.index] != kNone; }

  /// Variables read before anything was stored hold some value: zero.
  ValueId value(uint32_t variable) {
    if (current_[variable]) return current_[variable];
    ValueId& zero = zeros_[{temp(variable).type, temp(variable).comps}];
    if (!zero) {
      Instruction in{.op = Op::constant};
      in.result = zero = m_.new_value(temp(variable).type, temp(variable).comps);
      zero_block_.instructions.push_back(in);
    }
    return current_[variable] = zero;
  }

  /// What lies in an if or loop, both in the order of the program: variables stored, and ifs and loops inside.
  struct Inside {
    uint32_t first = 0, last = 0;      ///< of stores_
    uint32_t else_begin = 0, end = 0;  ///< of insides_: the first of the else list, the first behind the node
  };
  void survey(const NodeList& nodes) {
    for (const Node& node : nodes) {
      for (const Instruction& in : node.instructions)
        if (in.op == Op::store_temp && promoted(in)) stores_.push_back(first_[in.index] + in.offset);
      if (node.kind != Node::Kind::branch && node.kind != Node::Kind::loop) continue;
      const size_t at = insides_.size();
      insides_.emplace_back().first = uint32_t(stores_.size());
      survey(node.then_list);
      insides_[at].else_begin = uint32_t(insides_.size());
      survey(node.else_list);
      insides_[at].last = uint32_t(stores_.size());
      insides_[at].end = uint32_t(insides_.size());
    }
  }

  /// Ascending.
  Vec<uint32_t> stored_in(const Inside& inside) {
    Vec<uint32_t> out;
    const uint32_t now = ++generation_;
    for (uint32_t i = inside.first; i < inside.last; ++i) {
      const uint32_t variable = stores_[i];
      if (seen_[variable] != now) out.push_back(variable);
      seen_[variable] = now;
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  void block(Node& node) {
    for (Instruction& in : node.instructions) {
      if (!promoted(in)) continue;
      const uint32_t variable = first_[in.index] + in.offset;
      const uint8_t comps = temp(variable).comps;
      if (in.op == Op::load_temp) {
        Instruction mov{.op = Op::mov, .source_count = 1, .result = in.result};
        mov.source[0] = read(m_, value(variable));
        in = mov;
        continue;
      }
      const unsigned all = (1u << comps) - 1;
      Instruction set{.op = Op::mov, .source_count = 1};
      set.source[0] = in.source[0];
      if ((in.mask & all) != all) {
        const ValueId old = value(variable);
        set.op = Op::vec;
        set.source_count = comps;
        for (unsigned i = 0; i < comps; ++i) {
          if (in.mask >> i & 1) {
            set.source[i] = in.source[0];
            set.source[i].swizzle.fill(in.source[0].swizzle[i]);
          } else {
            set.source[i] = read_lane(old, i);
          }
        }
      }
      set.result = m_.new_value(temp(variable).type, comps);
      in = set;
      current_[variable] = set.result;
    }
  }

  /// The end of a list as far as the enclosing if is concerned.
  Arm list(NodeList& nodes, const Frame* loop) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      Node& node = nodes[i];
      switch (node.kind) {
        case Node::Kind::block: block(node); break;
        case Node::Kind::branch:
          if (!run_branch(node, loop)) return {};
          break;
        case Node::Kind::loop: run_loop(node); break;
        case Node::Kind::jump: {
          if (node.jump == Node::Jump::yield) return {true, current_, &node};
          for (uint32_t variable : loop->variables) node.args.push_back(read(m_, value(variable)));
          return {};
        }
      }
    }
    return {true, current_, nullptr};
  }

  bool run_branch(Node& node, const Frame* loop) {
    const Inside inside = insides_[next_inside_++];
    const Vec<uint32_t> stored = stored_in(inside);
    for (uint32_t v : stored) value(v);  // zeros are made before the arms: they are shared
    const State before = current_;
    Arm a = list(node.then_list, loop);
    current_ = before;
    next_inside_ = inside.else_begin;
    Arm e = list(node.else_list, loop);
    next_inside_ = inside.end;
    if (!a.reached && !e.reached) return false;
    current_ = a.reached ? a.at_end : e.at_end;
    // Variables may first be read (as zero) in an arm only: both states know all of them afterwards.
    Vec<uint32_t> merged;
    for (uint32_t v : stored) {
      const ValueId x = a.reached ? a.at_end[v] : 0, y = e.reached ? e.at_end[v] : 0;
      if ((a.reached && x != before[v]) || (e.reached && y != before[v])) merged.push_back(v);
    }
    auto yield = [&](Arm& arm, NodeList& nodes) {
      if (!arm.reached || merged.empty()) return;
      if (!arm.yield) {
        nodes.emplace_back().kind = Node::Kind::jump;
        arm.yield = &nodes.back();
      }
      for (uint32_t v : merged) arm.yield->args.push_back(read(m_, arm.at_end[v]));
    };
    yield(a, node.then_list);
    yield(e, node.else_list);
    for (uint32_t v : merged) {
      node.results.push_back(m_.new_value(temp(v).type, temp(v).comps));
      current_[v] = node.results.back();
    }
    return true;
  }

  void run_loop(Node& node) {
    const Inside inside = insides_[next_inside_++];
    Frame frame{&node, stored_in(inside)};
    for (uint32_t v : frame.variables) node.args.push_back(read(m_, value(v)));
    for (uint32_t v : frame.variables) {
      node.params.push_back(m_.new_value(temp(v).type, temp(v).comps));
      current_[v] = node.params.back();
    }
    const Arm end = list(node.then_list, &frame);
    next_inside_ = inside.end;
    if (end.reached && !frame.variables.empty()) {
      Node& jump = node.then_list.emplace_back();
      jump.kind = Node::Kind::jump;
      jump.jump = Node::Jump::continue_;
      for (uint32_t v : frame.variables) jump.args.push_back(read(m_, end.at_end[v]));
    }
    for (uint32_t v : frame.variables) {
      node.results.push_back(m_.new_value(temp(v).type, temp(v).comps));
      current_[v] = node.results.back();
    }
  }

  Module& m_;
  Vec<uint32_t> first_;    ///< variable of element 0 by temp
  Vec<uint32_t> temp_of_;  ///< by variable
  State current_;
  Vec<Inside> insides_;
  Vec<uint32_t> stores_;      ///< all of them
  uint32_t next_inside_ = 0;  ///< of the node that comes next
  Vec<uint32_t> seen_;        ///< by variable: the generation_ it was last noted in
  uint32_t generation_ = 0;
  Map<std::pair<Type, uint8_t>, ValueId> zeros_;
  Node zero_block_;
};

}  // namespace

bool promote_temps(Context& c) { return Promotion(c.module).run(); }

}  // namespace pumice::compiler::passes
