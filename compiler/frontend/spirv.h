// SPDX-License-Identifier: MIT
/// A SPIR-V module as tables: definitions, types, decorations, names, and functions as basic blocks, with the specialization constants
/// resolved. The input has not been validated: the reader checks every length, that ids are defined once, that types and constants are
/// built from earlier ones only, and that types are well formed; it throws Unsupported on malformed input. The operands of instructions
/// in functions are checked by the translator.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/memory.h"
#include "spirv/unified1/spirv.hpp"

namespace pumice::compiler::frontend {

using Id = uint32_t;

/// Thrown inside the frontend only; becomes a Diagnostic.
struct Unsupported {
  std::string text;
  const uint32_t* at = nullptr;  ///< in the module's words: the instruction that is refused, when known
};

struct Inst {
  spv::Op op = spv::OpNop;
  Id type = 0, result = 0;
  std::span<const uint32_t> operands;  ///< after type and result
  uint32_t operator[](size_t i) const { return i < operands.size() ? operands[i] : throw Unsupported{"truncated instruction"}; }
  size_t size() const { return operands.size(); }
  /// Operand i as one of SPIR-V's enumerations; words that these cannot hold become their Max.
  template <class E>
  E as(size_t i) const {
    return static_cast<E>(std::min<uint32_t>((*this)[i], 0x7FFFFFFF));
  }
};

struct Block {
  Id label = 0;
  std::span<const Inst> phis, body;  ///< body: without phis, merge and terminator
  const Inst* merge = nullptr;       ///< OpSelectionMerge or OpLoopMerge
  Inst terminator;
};

struct Function {
  Inst inst;
  Vec<Inst> parameters;
  Vec<Inst> variables;
  Vec<Id> labels;  ///< the entry block first
};

/// "OpFoo", or a number if the header does not know it.
std::string opcode_name(uint32_t opcode);

class SpirvModule {
 public:
  /// Keeps references to the words.
  SpirvModule(std::span<const uint32_t> words, const std::string& entry_point, spv::ExecutionModel model,
              const std::vector<Specialization>& specializations);

  const Inst& def(Id id) const { return defs_[index(id)]; }
  const Inst& type_of(Id value) const { return def(def(value).type); }
  /// Every id that is defined has an index below index_count(), so that tables by id are dense.
  uint32_t index(Id id) const {
    if (!known(id)) [[unlikely]]
      undefined(id);
    return index_[id] - 1;
  }
  uint32_t index_count() const { return uint32_t(defs_.size()); }
  /// Whether there is a type of 16-bit floats.
  bool has_halves() const { return has_halves_; }
  /// Whether addresses of memory can be pointers (PhysicalStorageBuffer64).
  bool has_addresses() const { return has_addresses_; }
  std::string name(Id id) const;  ///< debug name or "%id"

  std::optional<uint32_t> decoration(Id id, spv::Decoration decoration) const { return find(id, -1, decoration); }
  std::optional<uint32_t> member_decoration(Id type, uint32_t member, spv::Decoration decoration) const {
    return find(type, int(member), decoration);
  }
  uint32_t constant_u32(Id id) const;  ///< value of a scalar integer constant
  bool is_constant(Id id) const;
  /// A scalar constant as its word (a boolean as 0 or 1); undefined ones as 0.
  std::optional<uint32_t> decided(Id id) const;

  std::span<const Id> interface() const { return interface_; }
  const Vec<Inst>& variables() const { return variables_; }  ///< module scope
  /// OpSpecConstantOp that was not decided, as the instructions they stand for.
  const Vec<Inst>& constant_operations() const { return constant_operations_; }
  const Block& block(Id label) const;
  const Function& function(Id id) const;
  const Vec<Function>& functions() const { return functions_; }
  Id entry_function() const { return entry_function_; }
  /// Ids from here on are unused by the module; the translator may allocate pseudo-ids from them.
  Id bound() const { return bound_; }
  Id glsl_std_450() const { return glsl_; }
  bool has_mode(spv::ExecutionMode mode) const { return this->mode(mode) != nullptr; }
  /// Of the entry point; operands from the mode on.
  const Vec<Inst>& modes() const { return modes_; }
  /// Its operands: literals, or ids of constants where the mode says so. Null without.
  const Inst* mode(spv::ExecutionMode mode) const;
  /// The constant decorated with this built-in.
  std::optional<Id> constant_builtin(spv::BuiltIn builtin) const;

 private:
  struct Decoration {
    Id id;
    int member;
    uint32_t decoration, value;
    bool operator<(const Decoration& o) const { return place() != o.place() ? place() < o.place() : decoration < o.decoration; }
    uint64_t place() const { return uint64_t{id} << 32 | uint32_t(member + 1); }
  };

  bool has_halves_ = false, has_addresses_ = false;
  Set<Id> forward_;  ///< pointers that are declared before their types are known

  void read(std::span<const uint32_t> words);
  void read_functions();
  void define(const Inst& in);
  void sort_decorations();
  bool declaration(Inst& in);
  void group_decorate(const Inst& in);
  void check_type(const Inst& in);
  void check_constant(const Inst& in) const;
  [[noreturn]] static void undefined(Id id);
  bool known(Id id) const { return id < index_.size() && index_[id]; }
  void specialize(Inst& in);
  // constants.cpp
  void constant_operation(const Inst& in);
  bool fold_constant(const Inst& in);
  Id scalar(Id type, uint32_t word);
  std::optional<uint32_t> find(Id id, int member, spv::Decoration decoration) const;

  Id bound_ = 0;
  Vec<uint32_t> index_;  ///< by id: index + 1
  Vec<Inst> defs_;       ///< by index
  Vec<uint8_t> depth_;   ///< by index, of types: nesting
  Vec<Decoration> decorations_;
  Vec<uint64_t> decorated_;  ///< by id: bit N: it or a member has a decoration whose number is N mod 64
  bool sorted_ = true;
  Vec<std::pair<Id, std::span<const uint32_t>>> names_;
  Vec<Id> interface_;
  Vec<Inst> variables_, constant_operations_;
  Vec<Inst> modes_;  ///< of the entry point; operands from the mode on
  Vec<Inst> code_;   ///< everything between the first OpFunction and the end
  Vec<Block> blocks_;
  Vec<uint32_t> block_of_, function_of_;  ///< by index: position + 1
  Vec<Function> functions_;
  std::deque<std::array<uint32_t, 4>> own_words_;  ///< operands of constants made here
  Id entry_function_ = 0, glsl_ = 0;
  const std::string& entry_name_;
  spv::ExecutionModel model_;
  const std::vector<Specialization>& specializations_;
};

/// The NUL-terminated string packed in the words.
std::string literal_string(std::span<const uint32_t> words);

}  // namespace pumice::compiler::frontend
