// SPDX-License-Identifier: MIT
/// What passes share: walking, composing sources, replacing instructions.
#pragma once
#include <functional>
#include <optional>

#include "compiler/ir/builder.h"

namespace pumice::compiler::passes {

/// `use` reads lanes of a value that is itself a copy `of`: the same read without the copy.
ir::Source compose(const ir::Source& use, const ir::Source& of);

/// Every read in program order with the number of lanes read and the type it must keep (none: any type will do).
using SourceVisitor = std::function<void(ir::Source&, unsigned lanes, bool keep_type)>;
void visit_sources(ir::Module& module, ir::Instruction& instruction, const SourceVisitor& visit);

/// Calls back in program order. Jumps get the ids their args go to.
struct Walker {
  std::function<void(ir::Instruction&)> instruction = [](ir::Instruction&) {};
  std::function<void(ir::Node&)> before_node = [](ir::Node&) {};  ///< branch, loop: before their lists
  std::function<void(ir::Node&)> after_node = [](ir::Node&) {};
  std::function<void(ir::Node&, const ir::Node& to)> jump = [](ir::Node&, const ir::Node&) {};
  void walk(ir::NodeList& nodes, const ir::Node* branch = nullptr, const ir::Node* loop = nullptr) const;
};
/// The ids a jump to this node sets.
const std::vector<ir::ValueId>& destinations(const ir::Node& jump, const ir::Node& to);

/// All instructions by result (copies); values of params and results have op mov without source.
std::vector<ir::Instruction> definitions(ir::Module& module);

/// For each instruction `replace` may append code through the builder and return the operand that stands for the result (a mov keeps
/// the id), or drop an instruction without result by returning an empty operand; nullopt keeps the instruction. True if anything changed.
bool replace_instructions(ir::Module& module,
                          const std::function<std::optional<ir::Operand>(const ir::Instruction&, ir::Builder&)>& replace);

/// Lanes of a constant source after swizzle and signs, if its value is a constant.
std::optional<std::array<float, 4>> constant_of(const std::vector<ir::Instruction>& definitions, const ir::Source& source, unsigned lanes);

/// The instruction's result if all its sources are constants and its value is the same on every host.
std::optional<std::array<float, 4>> fold(const ir::Module& module, const ir::Instruction& in,
                                         const std::vector<ir::Instruction>& definitions);

unsigned count_instructions(const ir::NodeList& nodes);
bool any_instruction(const ir::NodeList& nodes, const std::function<bool(const ir::Instruction&)>& test);
/// Contains a break or continue of the loop around the list (not of loops inside).
bool leaves_loop(const ir::NodeList& nodes);

}  // namespace pumice::compiler::passes
