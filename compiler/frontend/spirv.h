// SPDX-License-Identifier: MIT
/// A SPIR-V module as tables: definitions, types, decorations, names, and the entry function as basic blocks. Input must have been
/// validated (legalize.h); reading still bounds-checks and throws Unsupported on nonsense.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/unified1/spirv.hpp"

namespace pumice::compiler::frontend {

using Id = uint32_t;

/// Thrown inside the frontend only; becomes a Diagnostic.
struct Unsupported {
  std::string text;
};

struct Inst {
  spv::Op op = spv::OpNop;
  Id type = 0, result = 0;
  std::span<const uint32_t> operands;  ///< after type and result
  uint32_t operator[](size_t i) const { return i < operands.size() ? operands[i] : throw Unsupported{"truncated instruction"}; }
  size_t size() const { return operands.size(); }
};

struct Block {
  Id label = 0;
  std::vector<Inst> phis, body;
  std::optional<Inst> merge;  ///< OpSelectionMerge or OpLoopMerge
  Inst terminator;
};

/// "OpFoo", or a number if the header does not know it.
std::string opcode_name(uint32_t opcode);

class SpirvModule {
 public:
  /// Keeps a reference to the words.
  SpirvModule(std::span<const uint32_t> words, const std::string& entry_point, spv::ExecutionModel model);

  const Inst& def(Id id) const;
  const Inst& type_of(Id value) const { return def(def(value).type); }
  std::string name(Id id) const;  ///< debug name or "%id"

  std::optional<uint32_t> decoration(Id id, spv::Decoration decoration) const { return find(id, -1, decoration); }
  std::optional<uint32_t> member_decoration(Id type, uint32_t member, spv::Decoration decoration) const {
    return find(type, int(member), decoration);
  }
  uint32_t constant_u32(Id id) const;  ///< value of a scalar integer constant
  bool is_constant(Id id) const;

  std::span<const Id> interface() const { return interface_; }
  const std::vector<Inst>& variables() const { return variables_; }  ///< module scope
  /// OpSpecConstantOp that the optimizer did not fold, as the instructions they stand for.
  const std::vector<Inst>& constant_operations() const { return constant_operations_; }
  const std::vector<Inst>& locals() const { return locals_; }  ///< variables of the entry function
  const Block& block(Id label) const;
  Id entry_block() const { return entry_block_; }
  Id glsl_std_450() const { return glsl_; }
  bool has_mode(spv::ExecutionMode mode) const;

 private:
  void read(std::span<const uint32_t> words);
  std::optional<uint32_t> find(Id id, int member, spv::Decoration decoration) const;

  std::unordered_map<Id, Inst> defs_;
  std::unordered_map<Id, std::string> names_;
  std::map<std::tuple<Id, int, uint32_t>, uint32_t> decorations_;
  std::vector<Id> interface_;
  std::vector<Inst> variables_, locals_, constant_operations_;
  std::vector<uint32_t> modes_;
  std::unordered_map<Id, Block> blocks_;
  Id entry_function_ = 0, entry_block_ = 0, glsl_ = 0;
  std::string entry_name_;
  spv::ExecutionModel model_;
};

/// The NUL-terminated string packed in the words.
std::string literal_string(std::span<const uint32_t> words);

}  // namespace pumice::compiler::frontend
