// SPDX-License-Identifier: MIT
/// Constant folding with the chip's rules (ir/scalar.h): results, conditions of ifs, and dynamic indices that turn out to be constant.
#include <cmath>
#include <iterator>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

class Folder {
 public:
  explicit Folder(Module& m) : m_(m), defs_(m) {}
  bool run() {
    list(m_.body);
    return changed_;
  }

 private:
  void instruction(Instruction& in) {
    if (const auto value = fold(m_, in, defs_)) {
      Instruction c{.op = Op::constant, .result = in.result, .constant = *value};
      in = c;
      changed_ = true;
    }
    dynamic_index(in);
  }

  /// [constant] of a load or store: into the offset.
  void dynamic_index(Instruction& in) {
    const bool load = in.op == Op::load_uniform || in.op == Op::load_push || in.op == Op::load_temp;
    const unsigned i = in.op == Op::store_temp ? 1 : 0;
    if (!(load || in.op == Op::store_temp) || in.source_count <= i) return;
    const auto index = constant_of(defs_, in.source[i], 1);
    if (!index) return;
    const float clamped = std::floor((*index)[0]);
    in.offset += clamped > 0.0f ? uint32_t(std::min(clamped, float(in.max_index))) : 0;
    in.source_count = uint8_t(i);
    in.max_index = 0;
    changed_ = true;
  }

  /// Replaces an if by the arm taken. True if that arm jumps away, so that nothing behind it is reached.
  bool splice(Node& node, bool taken, NodeList& out) {
    NodeList arm = std::move(taken ? node.then_list : node.else_list);
    const std::vector<ValueId> results = node.results;
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

  void list(NodeList& nodes) {
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
          const auto condition = constant_of(defs_, node.cond, 1);
          list(node.then_list);
          list(node.else_list);
          if (condition) {
            changed_ = true;
            if (!rebuilding) out.assign(std::make_move_iterator(nodes.begin()), std::make_move_iterator(nodes.begin() + long(i)));
            rebuilding = true;
            ended = splice(node, (*condition)[0] != 0.0f, out);
            continue;
          }
          ended = never_ends(node);
          if (ended) node.results.clear();  // nothing behind can read them
          break;
        }
        case Node::Kind::loop: list(node.then_list); break;
        case Node::Kind::jump: break;
      }
      if (rebuilding) out.push_back(std::move(node));
    }
    if (rebuilding) nodes = std::move(out);
  }

  Module& m_;
  const Definitions defs_;
  bool changed_ = false;
};

}  // namespace

bool fold_constants(Context& c) { return Folder(c.module).run(); }

}  // namespace pumice::compiler::passes
