// SPDX-License-Identifier: MIT
/// If conversion: both arms are executed and the results selected. Always in the vertex stage, which has no branches (pvs-isa 12);
/// and where fragment programs have no flow control; else in the fragment stage and on chips with memory where the arms are short, because
/// a branch costs several flow-control slots (us-isa A9).
#include <algorithm>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr unsigned kShort = 12;

class Converter {
 public:
  Converter(Module& m, const ChipLimits& chip) : m_(m), always_(!m.memory && (m.stage == Stage::vertex || !chip.flow_control)) {}
  bool run() {
    list(m_.body);
    return changed_;
  }

 private:
  bool speculatable(const NodeList& arm) const {
    unsigned count = 0;
    for (const Node& node : arm) {
      if (node.kind == Node::Kind::jump && node.jump == Node::Jump::yield) continue;
      if (node.kind == Node::Kind::loop && always_) {  // of the vertex stage: counted, without effects
        if (m_.stage != Stage::vertex) return false;
        continue;
      }
      if (node.kind != Node::Kind::block) return false;
      count += unsigned(node.instructions.size());
      for (const Instruction& in : node.instructions) {
        if (!info(in.op).pure && in.op != Op::kill_if) return false;
        if (m_.stage == Stage::fragment && in.op == Op::tex && !always_) return false;
        // What reads memory is worth a branch.
        if (names_resource(in.op) || in.op == Op::load_pushed) return false;
      }
    }
    return always_ || count <= kShort;
  }

  void append_arm(NodeList& arm, const Source& condition, bool taken, NodeList& out) {
    Builder b(m_, out);
    const Operand c{condition, m_.truth(), 1};
    for (Node& node : arm) {
      if (node.kind == Node::Kind::loop) {
        out.push_back(std::move(node));
        continue;
      }
      for (Instruction& in : node.instructions) {
        if (in.op == Op::kill_if) {
          const Operand here = taken ? c : b.logical_not(c);
          in.source[0] = b.logical_and(here, Operand{in.source[0], m_.truth(), 1}).source;
        }
        b.append(in, Type::f32, 0);
      }
    }
  }

  void list(NodeList& nodes) {
    NodeList out;  // from the first converted if on
    bool rebuilding = false;
    for (size_t n = 0; n < nodes.size(); ++n) {
      Node& node = nodes[n];
      if (!node.then_list.empty()) list(node.then_list);
      if (!node.else_list.empty()) list(node.else_list);
      if (node.kind != Node::Kind::branch || !speculatable(node.then_list) || !speculatable(node.else_list)) {
        if (rebuilding) out.push_back(std::move(node));
        continue;
      }
      if (!rebuilding) out.assign(std::make_move_iterator(nodes.begin()), std::make_move_iterator(nodes.begin() + long(n)));
      rebuilding = true;
      changed_ = true;
      auto args = [](const NodeList& arm) { return arm.empty() || arm.back().kind != Node::Kind::jump ? Vec<Source>{} : arm.back().args; };
      const Vec<Source> x = args(node.then_list), y = args(node.else_list);
      append_arm(node.then_list, node.cond, true, out);
      append_arm(node.else_list, node.cond, false, out);
      if (node.results.empty()) continue;
      if (out.empty() || out.back().kind != Node::Kind::block) out.emplace_back();
      for (size_t i = 0; i < node.results.size(); ++i) {
        Instruction sel{.op = Op::sel, .source_count = 3, .result = node.results[i]};
        sel.source = {node.cond, x[i], y[i]};
        sel.source[0].swizzle.fill(node.cond.swizzle[0]);
        out.back().instructions.push_back(sel);
      }
    }
    if (rebuilding) nodes = std::move(out);
  }

  Module& m_;
  const bool always_;
  bool changed_ = false;
};

}  // namespace

bool convert_ifs(Context& c) { return Converter(c.module, *c.options.chip).run(); }

}  // namespace pumice::compiler::passes
