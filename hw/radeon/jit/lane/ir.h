// SPDX-License-Identifier: MIT
/// The lane IR: one routine over 16 lanes. A value is one 32-bit number a lane (float or integer by what is done with it), a mask is one
/// bit a lane. Values are in SSA form; what changes along control flow lives in variables. Float operations are those of the processor with
/// FTZ and DAZ set: denormal operands count as zero, tiny results become zero, NaN results have any payload.
///
/// Nodes stand in execution order. Labels and jumps are nodes; a value may be used where its definition has surely run before.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/common/simd/lanes.h"

namespace pumice::hw::fast::lane {

/// Index of a node.
struct Value {
  int32_t id = -1;
  explicit operator bool() const { return id >= 0; }
  bool operator==(const Value&) const = default;
};
struct Mask {
  int32_t id = -1;
  explicit operator bool() const { return id >= 0; }
  bool operator==(const Mask&) const = default;
};
struct Variable {
  int32_t id = -1;
};
struct MaskVariable {
  int32_t id = -1;
};
/// An int32 that is the same for all lanes: loop counters, aL.
struct Scalar {
  int32_t id = -1;
};
struct Label {
  int32_t id = -1;
};
/// An address: the argument of the routine (kArgs) or a pointer read through another one when the routine starts.
struct Pointer {
  int32_t id = 0;
};
inline constexpr Pointer kArgs{0};
/// PointerSource::parent of the routine's own scratch memory: the offset is the place in it.
inline constexpr uint8_t kScratch = 0xFF;

enum class Op : uint8_t {
  // Values. a, b, c: operands; m: a mask operand in c; p: pointer, imm: byte offset or number.
  constant,  ///< imm: the bits
  table,     ///< imm: index into Program::tables
  splat,     ///< p, imm: one dword for all lanes
  lanes,     ///< p, imm: 16 dwords; b = 1: now, not where they are used
  splat_at,  ///< p, scalar a, imm, b = (stride, count) in Program::ranges: the dword at imm + stride*scalar, 0 unless 0 <= scalar < count
  from_scalar,  ///< a: scalar
  gather,       ///< p, a: byte offsets (below 2^31), c: mask; 0 in the other lanes, which are not read; b = 1: now
  add,
  sub,
  mul,
  div,
  fma,  ///< a*b + c; imm bit 0: -(a*b), bit 1: -c
  sqrt,
  min,
  max,  ///< the second operand for NaN and two zeros
  floor,
  round_even,
  scale,  ///< a * 2^b for integral |b| <= 256 or NaN, a in 1/2..2
  bit_and,
  bit_or,
  bit_xor,
  bit_andnot,  ///< ~a & b
  shl,
  shr,
  sar,  ///< by imm
  iadd,
  isub,
  to_float,  ///< int32 to float
  to_int,    ///< towards zero, INT32_MIN for what does not fit
  quad,      ///< lane imm (0..3) of each quad in all four
  select,    ///< c ? a : b
  get,       ///< imm: variable
  // Masks.
  mask_constant,  ///< imm: 16 bits
  mask_load,      ///< p, imm: the low 16 bits of a dword
  lt,
  le,
  eq,         ///< false for NaN
  ne,         ///< true for NaN
  unordered,  ///< a or b is NaN
  ieq,
  ilt,  ///< signed integers
  mask_and,
  mask_or,
  mask_xor,
  mask_andnot,  ///< ~a & b
  mask_get,     ///< imm: mask variable
  // Effects.
  set,
  mask_set,     ///< imm: variable, a
  store,        ///< p, imm: 16 dwords, a
  scatter,      ///< p, a: byte offsets (below 2^31), b: what is stored, c: mask; what a lane stores only this lane reads
  mask_store,   ///< p, imm: a dword (b = 1: a 16-bit word), a
  store_word,   ///< p, imm: a dword, a: the number
  call,         ///< imm: index into Program::calls
  scalar_set,   ///< imm: scalar, a: the number
  scalar_load,  ///< imm: scalar, p, a: index into Program::fields
  scalar_add,   ///< imm: scalar, a: the number
  scalar_sum,   ///< imm: scalar, a: scalar added to it
  scalar_move,  ///< imm: scalar, a: scalar
  // Control.
  label,                ///< imm
  jump,                 ///< imm
  jump_any,             ///< imm: label, a: mask: when any lane is set
  jump_none,            ///< imm: label, a: mask
  jump_scalar_zero,     ///< imm: label, a: scalar
  jump_scalar_nonzero,  ///< imm: label, a: scalar
  jump_spent,           ///< imm: label, p, a: index into Program::budgets
};

struct Node {
  Op op;
  uint8_t p = 0;
  int32_t a = -1, b = -1, c = -1;
  uint32_t imm = 0;
  bool operator==(const Node&) const = default;
};

enum class Type : uint8_t { none, value, mask };
Type type_of(Op op);
const char* name_of(Op op);
/// Operands a, b, c are values or masks: bit i for operand i. Others are numbers.
struct Operands {
  uint8_t values = 0, masks = 0;
};
Operands operands_of(Op op);
bool has_effect(Op op);
/// A float operation whose result is never denormal, as its operands are when it hands one on (Builder sees to that).
bool is_flushed(Op op);

struct Program {
  struct PointerSource {
    uint8_t parent = 0;
    uint32_t offset = 0;
  };
  /// function(object, argument) with function = *(parent + offset), or an address.
  struct Call {
    uint8_t object = 0;  ///< pointer; also where the function is looked up
    uint32_t offset = 0;
    const void* function = nullptr;  ///< instead of a look-up
    uint8_t argument = 0;
    uint32_t argument_offset = 0;
  };
  struct Range {
    uint32_t stride = 16, count = 0;
  };
  /// Bits of a dword at imm..: (dword at offset >> shift) & mask, sign extended from `bits` when is_signed.
  struct Field {
    uint32_t offset = 0, shift = 0, bits = 32;
    bool is_signed = false;
  };
  /// int64 at offset -= amount; spent when negative.
  struct Budget {
    uint32_t offset = 0, amount = 0;
  };
  std::vector<Node> nodes;
  std::vector<std::array<uint32_t, kLanes>> tables;
  std::vector<PointerSource> pointers = {{}};  ///< [0] is the argument
  std::vector<Call> calls;
  std::vector<Range> ranges;
  std::vector<Field> fields;
  std::vector<Budget> budgets;
  int32_t variables = 0, mask_variables = 0, scalars = 0, labels = 0;
  uint32_t scratch = 0;  ///< bytes of memory of its own, a multiple of 64; what is in it at the start is open
};

std::string print(const Program& program);
/// "" or what is wrong: operands defined before use and of the right type, jumps to labels that exist, indices in range.
std::string validate(const Program& program);
/// Removes what no effect needs. Indices change.
void remove_dead(Program& program);

/// Makes a Program. Folds constants, finds common subexpressions since the last label (and everything in the first block) and simplifies.
/// Serves hw/common/numerics/kernels.h as `M`.
class Builder {
 public:
  using V = Value;
  Program& program() { return program_; }

  Pointer pointer(Pointer parent, uint32_t offset);  ///< the same one twice gives the same pointer
  Pointer scratch(uint32_t bytes);                   ///< memory of the routine, 64-byte aligned; read it with lanes_now and gather_now
  Variable variable() { return {program_.variables++}; }
  MaskVariable mask_variable() { return {program_.mask_variables++}; }
  Scalar scalar() { return {program_.scalars++}; }
  Label make_label() { return {program_.labels++}; }

  Value constant(float v);
  Value constant_bits(uint32_t bits);
  Value table(const std::array<uint32_t, kLanes>& lanes);
  Value splat(Pointer p, uint32_t offset);  ///< memory read here must not change during the routine
  Value lanes(Pointer p, uint32_t offset) { return emit_read(Op::lanes, p, offset); }
  /// Memory that calls or stores of this routine change: never merged with an earlier read.
  Value lanes_now(Pointer p, uint32_t offset);
  Value splat_at(Pointer p, Scalar index, uint32_t offset, uint32_t stride, uint32_t count);
  Value from_scalar(Scalar s);
  Value gather(Pointer p, Value byte_offset, Mask m);
  Value gather_now(Pointer p, Value byte_offset, Mask m);

  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value fma(Value a, Value b, Value c);
  Value sqrt(Value a);
  Value minimum(Value a, Value b);  ///< denormals flushed
  Value maximum(Value a, Value b);
  Value floor(Value a);
  Value round_even(Value a);
  Value scale(Value p, Value n);
  Value split(Value x, Value& e);
  Value negate(Value a) { return bit_xor(a, constant_bits(0x80000000u)); }
  Value magnitude(Value a) { return bit_and(a, constant_bits(0x7FFFFFFFu)); }
  Value with_sign(Value a, Value sign) { return bit_or(a, bit_and(sign, constant_bits(0x80000000u))); }
  Value flush(Value a);  ///< denormals to zero; free when the value cannot be one
  Value bit_and(Value a, Value b);
  Value bit_or(Value a, Value b);
  Value bit_xor(Value a, Value b);
  Value bit_andnot(Value a, Value b);
  Value shl(Value a, uint32_t n);
  Value shr(Value a, uint32_t n);
  Value sar(Value a, uint32_t n);
  Value iadd(Value a, Value b);
  Value isub(Value a, Value b);
  Value to_float(Value a);
  Value to_int(Value a);
  Value quad(Value a, uint32_t lane);
  Value select(Mask m, Value a, Value b);

  Mask mask_constant(LaneMask bits);
  Mask mask_load(Pointer p, uint32_t offset);
  Mask mask_load_now(Pointer p, uint32_t offset);
  Mask lt(Value a, Value b) { return compare(Op::lt, a, b); }
  Mask le(Value a, Value b) { return compare(Op::le, a, b); }
  Mask gt(Value a, Value b) { return compare(Op::lt, b, a); }
  Mask ge(Value a, Value b) { return compare(Op::le, b, a); }
  Mask eq(Value a, Value b) { return compare(Op::eq, a, b); }
  Mask ne(Value a, Value b) { return compare(Op::ne, a, b); }
  Mask is_nan(Value a) { return compare(Op::unordered, a, a); }
  Mask ieq(Value a, Value b) { return compare(Op::ieq, a, b); }
  Mask ilt(Value a, Value b) { return compare(Op::ilt, a, b); }
  Mask mask_and(Mask a, Mask b);
  Mask mask_or(Mask a, Mask b);
  Mask mask_xor(Mask a, Mask b);
  Mask mask_andnot(Mask a, Mask b);  ///< ~a & b
  Mask mask_not(Mask a) { return mask_xor(a, mask_constant(0xFFFF)); }

  Value get(Variable v);
  Mask get(MaskVariable v);
  void set(Variable v, Value x);
  void set(MaskVariable v, Mask m);
  void store(Pointer p, uint32_t offset, Value v);
  void scatter(Pointer p, Value byte_offset, Value v, Mask m);
  void store(Pointer p, uint32_t offset, Mask m);       ///< as a dword
  void store_half(Pointer p, uint32_t offset, Mask m);  ///< as a 16-bit word
  void store_word(Pointer p, uint32_t offset, int32_t word);
  /// function(object, argument + argument_offset), the function read from object + offset.
  void call_through(Pointer object, uint32_t offset, Pointer argument, uint32_t argument_offset);
  /// function(object, argument + argument_offset).
  void call(const void* function, Pointer object, Pointer argument, uint32_t argument_offset);

  void set(Scalar s, int32_t number);
  void add_to(Scalar s, int32_t number);
  void add_to(Scalar s, Scalar other);
  void move(Scalar to, Scalar from);
  void load(Scalar s, Pointer p, const Program::Field& field);

  void place(Label l);
  void jump(Label l);
  void jump_any(Mask m, Label l);
  void jump_none(Mask m, Label l);
  void jump_zero(Scalar s, Label l);
  void jump_nonzero(Scalar s, Label l);
  /// Subtracts from the int64 at the place and jumps when it is negative.
  void jump_spent(Pointer p, uint32_t offset, uint32_t amount, Label l);

  const Node& node(Value v) const { return program_.nodes[size_t(v.id)]; }
  bool is_constant(Value v, uint32_t bits) const { return node(v).op == Op::constant && node(v).imm == bits; }

 private:
  int32_t emit(const Node& n);
  Value pure(const Node& n);
  Mask pure_mask(const Node& n);
  Value emit_read(Op op, Pointer p, uint32_t offset);
  Mask compare(Op op, Value a, Value b);
  bool fold(const Node& n, uint32_t& bits) const;
  Value unary(Op op, Value a, uint32_t imm = 0);
  Value binary(Op op, Value a, Value b);
  bool is_negation(Value v, Value& of) const;
  bool never_denormal(Value a, int depth) const;
  void effect(const Node& n) { emit(n); }
  void leave(const Node& n);

  Program program_;
  std::vector<int32_t> table_ = std::vector<int32_t>(256, -1);  ///< open hash of nodes that may be found again
  size_t table_used_ = 0;
  int32_t block_begin_ = 0;  ///< nodes before are out of reach, but those of the first block
  int32_t first_block_end_ = INT32_MAX;
};

}  // namespace pumice::hw::fast::lane
