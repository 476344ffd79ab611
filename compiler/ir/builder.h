// SPDX-License-Identifier: MIT
/// Appends instructions to a node list. Operands are `Operand`s: a source with its type and lane count, so that swizzles and signs
/// cost nothing while building.
#pragma once
#include <initializer_list>

#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {

struct Operand {
  Source source;
  Type type = Type::f32;
  uint8_t comps = 1;

  Operand lane(unsigned i) const;                   ///< one lane
  Operand lanes(unsigned first, unsigned n) const;  ///< n lanes from `first`
  Operand swizzle(std::initializer_list<unsigned> order) const;
  Operand operator-() const;
  Operand abs() const;
  Operand as(Type t) const;  ///< retagged without an instruction: only for operands of ops that set their own result type
  explicit operator bool() const { return source.value != 0; }
};

class Builder {
 public:
  Builder(Module& module, NodeList& out) : m_(module), out_(&out) {}

  Module& module() { return m_; }
  void set_list(NodeList& out) { out_ = &out; }
  NodeList& list() { return *out_; }

  Operand value(ValueId id) const { return {read(m_, id), m_.value(id).type, m_.comps(id)}; }
  /// Appends as it is; `comps` 0 for instructions without result.
  Operand append(const Instruction& instruction, Type type, unsigned comps);

  /// Componentwise or dot op: lanes = the widest operand (1 for dots), one-lane operands are broadcast. The result type is the first
  /// operand's (the second's for sel, the module's truth value for comparisons).
  Operand op(Op op, std::initializer_list<Operand> operands);
  Operand op_typed(Op op, Type type, std::initializer_list<Operand> operands);
  Operand constant(float x, unsigned comps = 1, Type type = Type::f32);
  Operand constants(std::initializer_list<float> lanes, Type type = Type::f32);
  Operand truth(bool x);                        ///< of the module's type
  Operand vec(std::span<const Operand> lanes);  ///< of one-lane operands; one operand gives itself
  /// The operand as a plain value (a mov if it has a swizzle or sign).
  ValueId materialize(const Operand& operand);
  Operand mov(const Operand& operand, Type type);

  Operand add(const Operand& a, const Operand& b) { return op(Op::add, {a, b}); }
  Operand sub(const Operand& a, const Operand& b) { return op(Op::add, {a, -b}); }
  Operand mul(const Operand& a, const Operand& b) { return m_.signed_zeros ? signed_product(a, b) : op(Op::mul, {a, b}); }
  Operand signed_product(const Operand& a, const Operand& b);
  Operand mad(const Operand& a, const Operand& b, const Operand& c) { return op(Op::mad, {a, b, c}); }
  Operand dot(const Operand& a, const Operand& b);  ///< of any lane count
  Operand sel(const Operand& condition, const Operand& a, const Operand& b) { return op(Op::sel, {condition, a, b}); }
  Operand logical_and(const Operand& a, const Operand& b);
  Operand logical_or(const Operand& a, const Operand& b);
  Operand logical_not(const Operand& a);
  /// An index, an integer in either form, against a literal.
  Operand at_least(const Operand& index, uint32_t i);
  Operand is(const Operand& index, uint32_t i);
  /// A comparison's result as 0.0 or 1.0.
  Operand number(const Operand& truth);

  bool precise = false;  ///< given to every instruction appended

 private:
  Operand integer(uint32_t x, const Operand& like);
  Module& m_;
  NodeList* out_;
};

}  // namespace pumice::compiler::ir
