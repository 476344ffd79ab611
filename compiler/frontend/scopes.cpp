// SPDX-License-Identifier: MIT
/// In SPIR-V a value may be used wherever its block dominates; in the IR it must not leave its list. Values that do pass through a
/// temporary: stored after the definition, loaded before each use that cannot see it.
#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using namespace ir;

namespace {

class Repair {
 public:
  explicit Repair(Module& m) : m_(m), visible_(m.values.size()), temp_(m.values.size()) {}

  void run() {
    find(m_.body);
    if (!any_) return;
    visible_.assign(visible_.size(), false);
    rewrite(m_.body);
  }

 private:
  static constexpr uint32_t kNone = 0;

  void check(const Source& s) {
    if (visible_[s.value] || temp_[s.value] != kNone) return;
    temp_[s.value] = uint32_t(m_.temps.size()) + 1;
    m_.temps.push_back({1, m_.comps(s.value), m_.value(s.value).type});
    any_ = true;
  }
  void find(const NodeList& nodes) {
    Vec<ValueId> scope;
    for (const Node& node : nodes) {
      for (const Instruction& in : node.instructions) {
        for (const Source& s : in.sources()) check(s);
        if (in.result) visible_[in.result] = true, scope.push_back(in.result);
      }
      if (node.kind == Node::Kind::branch) check(node.cond);
      find(node.then_list);
      find(node.else_list);
    }
    for (ValueId v : scope) visible_[v] = false;
  }

  void read(Source& s, Vec<Instruction>& out) {
    if (visible_[s.value] || temp_[s.value] == kNone) return;
    Instruction load{.op = Op::load_temp, .index = temp_[s.value] - 1};
    load.result = m_.new_value(m_.value(s.value).type, m_.comps(s.value));
    out.push_back(load);
    s.value = load.result;
  }
  void rewrite(NodeList& nodes) {
    Vec<ValueId> scope;
    NodeList done;
    for (Node& node : nodes) {
      Vec<Instruction> out;
      if (node.kind == Node::Kind::branch) {
        read(node.cond, out);
        if (!out.empty()) done.emplace_back().instructions = out;
      }
      for (Instruction& in : node.instructions) {
        for (Source& s : in.sources()) read(s, out);
        out.push_back(in);
        if (!in.result) continue;
        visible_[in.result] = true, scope.push_back(in.result);
        if (temp_[in.result] == kNone) continue;
        Instruction store{.op = Op::store_temp, .source_count = 1, .index = temp_[in.result] - 1};
        store.mask = uint8_t((1u << m_.comps(in.result)) - 1);
        store.source[0] = ir::read(m_, in.result);
        out.push_back(store);
      }
      if (node.kind == Node::Kind::block) node.instructions = std::move(out);
      rewrite(node.then_list);
      rewrite(node.else_list);
      done.push_back(std::move(node));
    }
    nodes = std::move(done);
    for (ValueId v : scope) visible_[v] = false;
  }

  Module& m_;
  Vec<uint8_t> visible_;  // loads made here are used at once and need no entry
  Vec<uint32_t> temp_;    // temp + 1
  bool any_ = false;
};

}  // namespace

void repair_scopes(Module& module) { Repair(module).run(); }

}  // namespace pumice::compiler::frontend
