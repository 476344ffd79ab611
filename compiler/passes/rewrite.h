// SPDX-License-Identifier: MIT
/// What passes share: walking, composing sources, replacing instructions.
#pragma once
#include <bit>
#include <functional>
#include <optional>

#include "compiler/ir/builder.h"
#include "compiler/ir/scalar.h"

namespace pumice::compiler::passes {

/// `use` reads lanes of a value that is itself a copy `of`: the same read without the copy.
inline ir::Source compose(const ir::Source& use, const ir::Source& of) {
  // As one word: what is written byte by byte waits when it is read as a whole.
  const auto lanes = [&](unsigned i) { return uint32_t{of.swizzle[use.swizzle[i] & 3]}; };
  const uint32_t swizzle = std::endian::native == std::endian::little ? lanes(0) | lanes(1) << 8 | lanes(2) << 16 | lanes(3) << 24
                                                                      : lanes(0) << 24 | lanes(1) << 16 | lanes(2) << 8 | lanes(3);
  return {.value = of.value,
          .swizzle = std::bit_cast<std::array<uint8_t, 4>>(swizzle),
          .abs = of.abs || use.abs,
          .negate = (of.negate && !use.abs) != use.negate};
}

/// Every read in order: visit(source, lanes, keep_type), with the number of lanes read and whether it must keep its type.
template <class Visit>
void visit_sources(const ir::Module& module, ir::Instruction& in, const Visit& visit) {
  for (unsigned i = 0; i < in.source_count; ++i) {
    const bool condition = i == 0 && (in.op == ir::Op::sel || in.op == ir::Op::kill_if);
    visit(in.source[i], source_lanes(module, in, i), condition);
  }
}

/// Calls back in program order. Jumps get the node that their args go to.
struct Ignore {
  template <class... Args>
  void operator()(Args&&...) const {}
};
template <class OnInstruction = Ignore, class BeforeNode = Ignore, class AfterNode = Ignore, class OnJump = Ignore>
struct Walker {
  OnInstruction instruction{};
  BeforeNode before_node{};  ///< branch, loop: before their lists
  AfterNode after_node{};
  OnJump jump{};  ///< (jump, to)
  void walk(ir::NodeList& nodes, const ir::Node* branch = nullptr, const ir::Node* loop = nullptr) const {
    for (ir::Node& node : nodes) {
      switch (node.kind) {
        case ir::Node::Kind::block:
          for (ir::Instruction& in : node.instructions) instruction(in);
          break;
        case ir::Node::Kind::branch:
          before_node(node);
          walk(node.then_list, &node, loop);
          walk(node.else_list, &node, loop);
          after_node(node);
          break;
        case ir::Node::Kind::loop:
          before_node(node);
          walk(node.then_list, nullptr, &node);
          after_node(node);
          break;
        case ir::Node::Kind::jump: jump(node, node.jump == ir::Node::Jump::yield ? *branch : *loop); break;
      }
    }
  }
};
/// How often each value is read.
Vec<uint32_t> count_uses(const ir::Module& module);
/// The ids a jump to this node sets.
const Vec<ir::ValueId>& destinations(const ir::Node& jump, const ir::Node& to);

/// All instructions by result (copies); values of params and results have op mov without source.
Vec<ir::Instruction> definitions(ir::Module& module);

/// The same without copies, for passes that change instructions where they stand: good as long as no block gains or loses instructions,
/// and within replace_instructions().
class Definitions {
 public:
  explicit Definitions(const ir::Module& module) : at_(module.values.size(), &kNone) { walk(module.body); }
  /// The kind of definition a value has, as bits so that several kinds can be tested at once.
  enum Sort : uint8_t { kCopy = 1, kConstant = 2, kOther = 4 };
  static Sort sort_of(ir::Op op) { return op == ir::Op::constant ? kConstant : op == ir::Op::mov || op == ir::Op::vec ? kCopy : kOther; }

  /// Counts the reads of each value too (see count_uses(); of value 0 there are some), and says the Sort of each.
  Definitions(const ir::Module& module, Vec<uint32_t>& uses, Vec<uint8_t>* sorts = nullptr)
      : at_(module.values.size(), &kNone), uses_(&uses), sorts_(sorts) {
    uses.assign(at_.size(), 0);
    if (sorts) sorts->assign(at_.size(), kOther);
    walk(module.body);
    at_[0] = &kNone;
  }
  const ir::Instruction& operator[](ir::ValueId v) const { return v < at_.size() ? *at_[v] : kNone; }
  size_t size() const { return at_.size(); }

 private:
  static const ir::Instruction kNone;
  void walk(const ir::NodeList& nodes);
  Vec<const ir::Instruction*> at_;
  Vec<uint32_t>* uses_ = nullptr;
  Vec<uint8_t>* sorts_ = nullptr;
};

/// For each instruction `replace` may append code through the builder and return the operand that stands for the result (a mov keeps
/// the id), or drop an instruction without result by returning an empty operand; nullopt keeps the instruction. True if anything changed.
bool replace_instructions(ir::Module& module,
                          const std::function<std::optional<ir::Operand>(const ir::Instruction&, ir::Builder&)>& replace);

/// Lanes of a constant source after swizzle and signs, if its value is a constant. `Table`: Vec<Instruction> or Definitions.
template <class Table>
std::optional<std::array<float, 4>> constant_of(const Table& definitions, const ir::Source& s, unsigned lanes) {
  if (s.value >= definitions.size()) return std::nullopt;
  const ir::Instruction& def = definitions[s.value];
  if (def.op != ir::Op::constant) return std::nullopt;
  std::array<float, 4> r{};
  for (unsigned i = 0; i < lanes; ++i) r[i] = ir::modify(def.constant[s.swizzle[i]], s);
  return r;
}

/// The same as words, for values of any type.
template <class Table>
std::optional<ir::Lanes> constant_words(const Table& definitions, const ir::Source& s, unsigned lanes) {
  if (s.value >= definitions.size() || definitions[s.value].op != ir::Op::constant) return std::nullopt;
  const ir::Lanes& from = definitions[s.value].constant;
  ir::Lanes r;
  for (unsigned i = 0; i < lanes; ++i)
    r.bits[i] = s.abs || s.negate ? std::bit_cast<uint32_t>(ir::modify(from[s.swizzle[i]], s)) : from.bits[s.swizzle[i]];
  return r;
}
/// Whether a constant condition is true (one lane).
inline bool holds(const ir::Module& module, const ir::Source& s, const ir::Lanes& constant) {
  return module.value(s.value).type == ir::Type::boolean ? constant.bits[0] != 0 : constant[0] != 0.0f;
}

/// The instruction's result for these sources if its value is the same on every host; of typed operations and results.
std::optional<ir::Lanes> fold_words_of(const ir::Module& module, const ir::Instruction& in, const std::array<ir::Lanes, 4>& sources);
/// Of floats.
std::optional<std::array<float, 4>> fold_constants_of(const ir::Module& module, const ir::Instruction& in,
                                                      const std::array<std::array<float, 4>, 4>& sources);
/// The instruction's result if all its sources are constants and its value is the same on every host.
template <class Table>
std::optional<ir::Lanes> fold(const ir::Module& module, const ir::Instruction& in, const Table& definitions) {
  if (!in.result || in.source_count == 0) return std::nullopt;
  for (const ir::Source& source : in.sources())
    if (source.value >= definitions.size() || definitions[source.value].op != ir::Op::constant) return std::nullopt;
  if (ir::is_typed(in.op) || ir::is_ext(in.op) || ir::is_typed(module.value(in.result).type) ||
      (in.op == ir::Op::sel && module.value(in.source[0].value).type == ir::Type::boolean)) {
    std::array<ir::Lanes, 4> words;
    for (unsigned i = 0; i < in.source_count; ++i) words[i] = *constant_words(definitions, in.source[i], source_lanes(module, in, i));
    return fold_words_of(module, in, words);
  }
  std::array<std::array<float, 4>, 4> s{};
  for (unsigned i = 0; i < in.source_count; ++i) {
    const auto c = constant_of(definitions, in.source[i], source_lanes(module, in, i));
    if (!c) return std::nullopt;
    s[i] = *c;
  }
  return fold_constants_of(module, in, s);
}

unsigned count_instructions(const ir::NodeList& nodes);
template <class Test>
bool any_instruction(const ir::NodeList& nodes, const Test& test) {
  for (const ir::Node& node : nodes) {
    for (const ir::Instruction& in : node.instructions)
      if (test(in)) return true;
    if (!node.then_list.empty() && any_instruction(node.then_list, test)) return true;
    if (!node.else_list.empty() && any_instruction(node.else_list, test)) return true;
  }
  return false;
}
/// Contains a break or continue of the loop around the list (not of loops inside).
bool leaves_loop(const ir::NodeList& nodes);

}  // namespace pumice::compiler::passes
