// SPDX-License-Identifier: MIT
/// The lane IR: one routine over 16 lanes. A value is one 32-bit number per lane (float or integer by what is done with it), a mask is one
/// bit per lane. Values are in SSA form; what changes along control flow lives in variables. Float operations are those of the processor
/// with FTZ and DAZ set: denormal operands count as zero, tiny results become zero, NaN results have any payload.
///
/// Nodes stand in execution order. Labels and jumps are nodes; a value may be used where its definition has surely run before.
/// The operations themselves: operations.h.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/short_text.h"
#include "hw/common/simd/lanes.h"
#include "hw/radeon/jit/lane/operations.h"

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
/// Index into Program::buffers.
struct Buffer {
  int32_t id = -1;
};
/// An address: the argument of the routine (kArgs) or a pointer read through another one when the routine starts.
struct Pointer {
  int32_t id = 0;
};
inline constexpr Pointer kArgs{0};
/// PointerSource::parent of the routine's own scratch memory: the offset is the place in it.
inline constexpr uint8_t kScratch = 0xFF;
/// PointerSource::parent of an address that is known when the program is made: the offset is an index into Program::addresses.
inline constexpr uint8_t kKnown = 0xFE;
/// PointerSource::parent of a pointer that begins at the argument + offset and moves (Builder::advance).
inline constexpr uint8_t kMoving = 0xFD;

enum class Op : uint8_t {
#define PUMICE_LANE_ROW(name, ...) name,
  PUMICE_LANE_OPERATIONS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
};

enum class Type : uint8_t { none, value, mask };

/// What a, b, c or imm of a node is. A node's p is a pointer where the trait says so.
enum class Role : uint8_t {
  none,
  value,  ///< index of a node
  mask,   ///< index of a node
  // Of a and b alone.
  number,     ///< int32
  now,        ///< 1: memory that changes is read where the node stands; -1: it does not change
  half,       ///< 1: a 16-bit word; -1: a dword
  range,      ///< index into Program::ranges
  bit_field,  ///< index into Program::fields
  budget,     ///< index into Program::budgets
  // Of imm, scalar of a too.
  scalar,
  bits,
  mask_bits,  ///< 16
  offset,     ///< bytes from the pointer
  table,      ///< index into Program::tables
  shift,      ///< 0..31
  lane,       ///< 0..3
  signs,      ///< bit 0: -(a*b), bit 1: -c
  variable,
  mask_variable,
  call,    ///< index into Program::calls
  buffer,  ///< index into Program::buffers
  label,
};

struct Signature {
  Type result = Type::none;
  Role a = Role::none, b = Role::none, c = Role::none, imm = Role::none;
};

namespace trait {
enum Trait : uint16_t {
  plain = 0,
  flushed = 1,    ///< a float operation whose result is never denormal, as its operands are when it hands one on (Builder sees to that)
  commutes = 2,   ///< a and b may change places
  effect = 4,     ///< stays though nothing uses the result; nothing passes it
  fixed = 8,      ///< reads what effects change: nothing passes it
  remade = 16,    ///< makes no instruction where it stands: constants and unchanging memory, operands of their users
  pointer = 32,   ///< p is used
  whole = 64,     ///< no vector instructions (AVX2: done once, between runs)
  apart = 128,    ///< lanes meet in it: AVX2 does both halves before the next operation
  ends_run = 256  ///< registers are empty after it
};
constexpr Trait operator|(Trait a, Trait b) { return Trait(unsigned{a} | unsigned{b}); }
}  // namespace trait

/// What is known of an operation without looking at a node.
struct Operation {
  Signature signature;
  trait::Trait traits;
  uint8_t latency;
  constexpr Role operand(int k) const { return k == 0 ? signature.a : k == 1 ? signature.b : signature.c; }
  constexpr bool is(trait::Trait t) const { return traits & t; }
};

namespace rows {
using namespace trait;
inline constexpr Signature unary_values{Type::value, Role::value},
    shift_of_value{.result = Type::value, .a = Role::value, .imm = Role::shift}, binary_values{Type::value, Role::value, Role::value},
    select_values{Type::value, Role::value, Role::value, Role::mask},
    fused_values{Type::value, Role::value, Role::value, Role::value, Role::signs},
    fused_doubles{Type::value, Role::value, Role::value, Role::value}, compare_values{Type::mask, Role::value, Role::value},
    binary_masks{Type::mask, Role::mask, Role::mask}, buffer_load{Type::value, Role::value, Role::now, Role::mask, Role::buffer},
    buffer_store{Type::none, Role::value, Role::value, Role::mask, Role::buffer},
    buffer_atomic{Type::value, Role::value, Role::value, Role::mask, Role::buffer},
    buffer_exchange{Type::value, Role::value, Role::value, Role::value, Role::buffer};
inline constexpr Operation kOperations[] = {
#define PUMICE_LANE_ROW(name, signature, traits, latency, ...) {signature, traits, latency},
    PUMICE_LANE_OPERATIONS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
};
inline constexpr ShortText<27> kNames[] = {
#define PUMICE_LANE_ROW(name, ...) #name,
    PUMICE_LANE_OPERATIONS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
};
}  // namespace rows

constexpr const Operation& operation(Op op) { return rows::kOperations[size_t(op)]; }
constexpr const char* name_of(Op op) { return rows::kNames[size_t(op)].c_str(); }
constexpr Type type_of(Op op) { return operation(op).signature.result; }

struct Node {
  Op op;
  uint8_t p = 0;  ///< a pointer; of loads and stores of a buffer: so many dwords after the offsets
  int32_t a = -1, b = -1, c = -1;
  uint32_t imm = 0;
  bool operator==(const Node&) const = default;
};

/// Bytes between a lane's offset and its place.
constexpr uint32_t displacement(const Node& n) { return operation(n.op).is(trait::pointer) ? 0 : 4u * n.p; }
/// A splat of Builder::ordinary().
constexpr bool is_ordinary(const Node& n) { return n.op == Op::splat && n.b >= 0; }
constexpr bool is_negative_ordinary(const Node& n) { return n.op == Op::splat && n.b == 1; }
constexpr int32_t operand(const Node& n, int k) { return k == 0 ? n.a : k == 1 ? n.b : n.c; }
constexpr bool is_node(Role f) { return f == Role::value || f == Role::mask; }
/// Calls f(k, id) for the operands a, b, c (k = 0..2) that are nodes. For `Node&` the id may be changed.
template <class N, class F>
constexpr void for_operands(N& n, F f) {
  const Signature& s = operation(n.op).signature;
  if (is_node(s.a)) f(0, n.a);
  if (is_node(s.b)) f(1, n.b);
  if (is_node(s.c)) f(2, n.c);
}
/// Bit k: operand k is a node.
constexpr uint8_t operand_bits(Op op) {
  const Signature& s = operation(op).signature;
  return uint8_t(is_node(s.a) | is_node(s.b) << 1 | is_node(s.c) << 2);
}
constexpr bool reads_now(const Node& n) { return operation(n.op).signature.b == Role::now && n.b >= 0; }
/// Makes no instruction where it stands.
constexpr bool is_remade(const Node& n) { return operation(n.op).is(trait::remade) && !reads_now(n); }
/// Stays where it is, and nothing passes it. Other reads of memory that changes move between two effects at most.
constexpr bool is_fixed(const Node& n) { return operation(n.op).is(trait::effect) || (operation(n.op).is(trait::fixed) && !is_remade(n)); }
/// Node::p of it is a displacement.
constexpr bool has_displacement(Op op) {
  switch (op) {
#define PUMICE_LANE_ROW(name, ...) case Op::name:
    PUMICE_LANE_LOADS(PUMICE_LANE_ROW)
    PUMICE_LANE_STORES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
    return true;
    default: return false;
  }
}
/// Computes with numbers of binary64, whose denormals stay.
constexpr bool is_double(Op op) {
  switch (op) {
#define PUMICE_LANE_ROW(name, ...) case Op::name:
    PUMICE_LANE_DOUBLES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
    return true;
    default: return false;
  }
}
inline constexpr uint64_t kDoubleNan = 0x7FF8000000000000u;  ///< the only NaN that dnumber has
/// See trait::apart. Reads of buffers are not: what writes buffers is apart, so between two reads of a run nothing changes.
constexpr bool is_apart(const Node& n) { return operation(n.op).is(trait::apart); }
constexpr bool is_jump(Op op) { return operation(op).signature.imm == Role::label && op != Op::label; }

/// What Op::atomic_64 writes, of the old number and b; compare_exchange: b where c was.
enum class Atomic64 : uint8_t { add, imin, imax, umin, umax, bit_and, bit_or, bit_xor, exchange, compare_exchange, mul };
/// Rows of 16 dwords at its pointer: b, c, the result; of each the lower words first.
struct Atomic64Rows {
  static constexpr uint32_t b = 0, c = 128, out = 256, bytes = 384;
};

/// What a buffer is in memory. An access is aligned to its size: the low bits of a lane's offset that would misalign it count as 0. Where
/// it does not fit into `size` bytes a read gives 0, a write is dropped, and an atomic operation is both. 8- and 16-bit reads touch the
/// whole aligned dword.
struct BufferView {
  const void* base = nullptr;  ///< a multiple of 4
  uint32_t size = 0;           ///< bytes, at most 0xFFFFFFF0 where offsets are limited to that (strides.h)
};

/// Where the rows of a block of 4x4 places lie: bytes from one to the next, and from the view's base to the first.
struct BlockRows {
  uint32_t pitch = 0, first = 0;
};

/// The dwords of a block that load_pair_k, load_pixel_k and their stores access: lane l is a dword of the pixel of lane pixel(l).
struct Part {
  uint32_t first;  ///< pixel of the quad
  bool pair;       ///< pixels of 8 bytes
  constexpr uint32_t pixel(uint32_t lane) const { return (lane & ~3u) + first + (pair ? (lane & 3u) >> 1 : 0u); }
  constexpr uint32_t byte(uint32_t lane) const { return 4 * (lane & (pair ? 1u : 3u)); }
};
constexpr Part part_of(Op op) {
  const bool stores = op >= Op::store_pair_0;
  const auto k = uint32_t(op) - uint32_t(stores ? Op::store_pair_0 : Op::load_pair_0);
  return k < 2 ? Part{2 * k, true} : Part{k - 2, false};
}

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
  /// Memory that lanes address by byte offsets: the view lies at the pointer + offset + stride * index and is read at each access. With an
  /// index outside 0..count-1 the buffer is empty.
  struct Buffer {
    uint8_t p = 0;
    uint32_t offset = 0;
    int32_t index = -1;  ///< scalar, or none
    uint32_t stride = 0, count = 0;
    int32_t rows_p = -1;  ///< of blocks alone (Builder::block_buffer): a pointer, to BlockRows at `rows`
    uint32_t rows = 0;
    bool is_block() const { return rows_p >= 0; }
    bool own = false;  ///< no other thread sees it: atomic operations need no lock
    bool operator==(const Buffer&) const = default;
  };
  std::vector<Node> nodes;
  std::vector<std::array<uint32_t, kLanes>> tables;
  std::vector<PointerSource> pointers = {{}};  ///< [0] is the argument
  std::vector<const void*> addresses;
  std::vector<Call> calls;
  std::vector<Range> ranges;
  std::vector<Field> fields;
  std::vector<Budget> budgets;
  std::vector<Buffer> buffers;
  int32_t variables = 0, mask_variables = 0, scalars = 0, labels = 0;
  /// A pointer, or -1: lanes_now and mask_load_now read there what the routine's own stores wrote, in this run or an earlier one.
  int32_t kept = -1;
  bool stores_in_turn = true;  ///< places of lanes may well follow each other: not in programs of pixels
  int32_t rare = -1;           ///< what stands behind this label hardly ever runs
  uint32_t scratch = 0;        ///< bytes of memory of its own, a multiple of 64; what is in it at the start is open
};

/// One line per node, in a form that stays; operands as v and m with the index of their node. First what the nodes refer to.
std::string print(const Program& program);
/// "" or what is wrong: operands of the right type whose definition has surely run, labels placed once, indices in range. In time that
/// grows with the square of the number of blocks: for tests and builds without optimization (assemble).
std::string validate(const Program& program);
/// Removes what no effect needs. Indices change.
void remove_dead(Program& program);
/// Variables that hold words of 64-bit numbers hold the numbers instead (pair_variables.cpp). False: there are none. Indices change.
bool pair_variables(Program& program);
/// Moves values that are the same in every round of a loop in front of its label, `loop`, if they take several operations. Nothing but
/// jumps to that label leads back. Indices change.
void hoist(Program& program, Label loop);

/// No lane of the value has more, as far as a look tells.
uint32_t most_of(const Program& program, int32_t v, int depth = 4);

/// Makes a Program. Folds constants, finds common subexpressions since the last label (and everything in the first block) and simplifies.
/// Serves hw/common/numerics/kernels.h as `M`.
class Builder {
 public:
  using V = Value;
  Program& program() { return program_; }

  Pointer pointer(Pointer parent, uint32_t offset);  ///< the same one twice gives the same pointer
  Pointer address(const void* memory);               ///< of a constant table of the process
  /// Begins at the argument of the routine + offset. What is read through it is as unchanging as anything else, from a label to the next
  /// advance(), which stands before a jump back to that label.
  Pointer moving(uint32_t offset);
  void advance(Pointer p, uint32_t bytes) { effect({.op = Op::advance, .p = uint8_t(p.id), .imm = bytes}); }
  Pointer scratch(uint32_t bytes);  ///< memory of the routine, 64-byte aligned; read it with lanes_now and gather_now
  Variable variable() { return {program_.variables++}; }
  MaskVariable mask_variable() { return {program_.mask_variables++}; }
  Scalar scalar() { return {program_.scalars++}; }
  Label make_label() { return {program_.labels++}; }

  Value constant(float v);
  Value constant_bits(uint32_t bits);
  Value table(const std::array<uint32_t, kLanes>& lanes);
  Value splat(Pointer p, uint32_t offset);  ///< memory read here must not change during the routine
  /// The same of a number whose magnitude is in 2^-60 to 2^61, with this sign.
  Value ordinary(Pointer p, uint32_t offset, bool negative);
  Value lanes(Pointer p, uint32_t offset) { return emit_read(Op::lanes, p, offset); }
  /// Memory that calls or stores of this routine change: never merged with an earlier read.
  Value lanes_now(Pointer p, uint32_t offset);
  Value splat_at(Pointer p, Scalar index, uint32_t offset, uint32_t stride, uint32_t count);
  Value from_scalar(Scalar s);
  /// The dword at `byte_offset` + `more`; neighbouring dwords at the same offsets are read together.
  Value gather(Pointer p, Value byte_offset, Mask m, uint32_t more = 0);
  Value gather_now(Pointer p, Value byte_offset, Mask m, uint32_t more = 0);
  /// Both texels of a row, each of one or two dwords: of all lanes, the second mostly right behind the first. Its dwords come last.
  std::array<Value, 4> gather_row(Pointer p, Value first, Value second, uint32_t dwords, bool changes);
  /// The same for texels of a dword, as zip_low() and zip_high() of the first and the second one would make them.
  std::array<Value, 2> gather_beside(Pointer p, Value first, Value second, bool changes);
  /// Entry `index` modulo 2^bits of a constant table of the process, `bits` 4 to 8: faster than a gather where tables are permuted.
  Value look_up(const void* entries, uint32_t bits, Value index);

  // Element-wise operations.
#define PUMICE_LANE_ROW(name, ...) Value name(Value a);
  PUMICE_LANE_UNARY(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, ...) Value name(Value a, uint32_t n);
  PUMICE_LANE_SHIFTS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, ...) Value name(Value a, Value b);
  PUMICE_LANE_BINARY(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, ...) \
  Mask name(Value a, Value b) { return compare(Op::name, a, b); }
  PUMICE_LANE_COMPARISONS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, ...) Mask name(Mask a, Mask b);
  PUMICE_LANE_MASKS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
  Value fma(Value a, Value b, Value c);
  Value select(Mask m, Value a, Value b);
  Mask mask_constant(LaneMask bits);
  Mask mask_load(Pointer p, uint32_t offset);
  Mask mask_load_now(Pointer p, uint32_t offset);

  // Between lanes.
  Value quad(Value a, uint32_t lane);
  Value zip_low(Value a, Value b) { return zip(Op::zip_low, a, b); }                                 ///< of each quad: a0 b0 a1 b1
  Value zip_high(Value a, Value b) { return zip(Op::zip_high, a, b); }                               ///< a2 b2 a3 b3
  Value unzip_even(Value a, Value b) { return pure({.op = Op::unzip_even, .a = a.id, .b = b.id}); }  ///< of each quad: a0 a2 b0 b2
  Value unzip_odd(Value a, Value b) { return pure({.op = Op::unzip_odd, .a = a.id, .b = b.id}); }    ///< a1 a3 b1 b3
  Value shuffle_bytes(Value a, const std::array<uint8_t, 16>& from);  ///< of each quad the bytes of these numbers; 128: 0
  Value permute(Value a, Value lane);                                 ///< a of the lane `lane` modulo 16

  // Numbers of binary64, two of each quad.
#define PUMICE_LANE_ROW(name, ...) \
  Value name(Value a, Value b = {}, Value c = {}) { return of_doubles(Op::name, a, b, c); }
  PUMICE_LANE_DOUBLES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
  Value widen_low(Value a) { return pure({.op = Op::widen_low, .a = a.id}); }    ///< of binary32, lanes 0 and 1
  Value widen_high(Value a) { return pure({.op = Op::widen_high, .a = a.id}); }  ///< lanes 2 and 3
  Value narrow(Value low, Value high) { return pure({.op = Op::narrow, .a = low.id, .b = high.id}); }

  // Of several operations.
  Value flush(Value a);  ///< denormals to zero; free when the value cannot be one
  Value negate(Value a) { return bit_xor(a, constant_bits(0x80000000u)); }
  Value magnitude(Value a) { return bit_and(a, constant_bits(0x7FFFFFFFu)); }
  Value with_sign(Value a, Value sign) { return bit_or(a, bit_and(sign, constant_bits(0x80000000u))); }
  Value split(Value x, Value& e);  ///< hw/common/numerics/kernels.h
  Value bit_not(Value a) { return bit_xor(a, constant_bits(~0u)); }
  Value irem(Value a, Value b) { return isub(a, imul(idiv(a, b), b)); }  ///< a by 0; the sign of a
  Value urem(Value a, Value b) { return isub(a, imul(udiv(a, b), b)); }  ///< a by 0
  Value find_lsb(Value a);                                               ///< of the ones; -1: none
  Value find_msb(Value a);                                               ///< of the ones; -1: none
  Value find_imsb(Value a) { return find_msb(bit_xor(a, sar(a, 31))); }  ///< the highest bit unlike the sign; -1: none
  /// `count` bits from `first` up, first + count <= 32; zeros or the sign above them. No bits are 0.
  Value extract(Value a, Value first, Value count) { return bit_and(shr_by(a, first), low_bits(count)); }
  Value extract_signed(Value a, Value first, Value count);
  /// a, with the low `count` bits of `bits` from `first` up.
  Value insert(Value a, Value bits, Value first, Value count);
  Mask gt(Value a, Value b) { return lt(b, a); }
  Mask ge(Value a, Value b) { return le(b, a); }
  Mask is_nan(Value a) { return unordered(a, a); }
  Mask mask_not(Mask a) { return mask_xor(a, mask_constant(0xFFFF)); }

  // Buffers (BufferView). Offsets are bytes of each lane; lanes that are not in the mask do nothing and read 0.
  enum class Memory : uint8_t { changes, unchanging };
  Buffer buffer(Pointer p, uint32_t offset, bool own = false) { return buffer({.p = uint8_t(p.id), .offset = offset, .own = own}); }
  Buffer buffer(Pointer p, uint32_t offset, Scalar index, uint32_t stride, uint32_t count) {
    return buffer({.p = uint8_t(p.id), .offset = offset, .index = index.id, .stride = stride, .count = count});
  }
  /// For load_rows, load_pixels and their stores alone, with offsets that are `pitch` from row to row and begin at 0 (lanes' places in
  /// the block); they count from `first`. All 16 places are memory that nothing else changes meanwhile: the view's size does not matter,
  /// and stores may write back what places outside the mask have.
  Buffer block_buffer(Pointer p, uint32_t offset, Pointer rows, uint32_t rows_offset) {
    return buffer({.p = uint8_t(p.id), .offset = offset, .rows_p = rows.id, .rows = rows_offset});
  }
#define PUMICE_LANE_ROW(name, ...) \
  Value name(Buffer b, Value offset, Mask m, Memory memory = Memory::changes) { return load(Op::name, b, offset, m, memory); }
  PUMICE_LANE_LOADS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, ...) \
  void name(Buffer b, Value offset, Value v, Mask m) { access(Op::name, b, offset, v, m.id); }
  PUMICE_LANE_STORES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
  /// As load_32, load_u16, load_u8 and their stores (`bytes`: 4, 2, 1), for a block of 4x4 places of which quad q is lanes 4q to 4q + 3:
  /// the offsets of lanes 0, 1, 4, 5 follow each other by `bytes`, so do those of 2, 3, 6, 7, of 8, 9, 12, 13 and of 10, 11, 14, 15; no
  /// lane's is above that of lane 15. All are multiples of `bytes`. Places of lanes outside the mask may be read (not written) where that
  /// of lane 15 is within bounds.
  Value load_rows(Buffer b, Value offset, Mask m, Memory memory = Memory::changes, uint32_t bytes = 4) {
    return load(bytes == 4 ? Op::load_rows : bytes == 2 ? Op::load_rows_16 : Op::load_rows_8, b, offset, m, memory);
  }
  void store_rows(Buffer b, Value offset, Value v, Mask m, uint32_t bytes = 4) {
    access(bytes == 4 ? Op::store_rows : bytes == 2 ? Op::store_rows_16 : Op::store_rows_8, b, offset, v, m.id);
  }
  /// The same for pixels of 2 or 4 dwords, at multiples of 4. Places of lanes in the mask must be within bounds.
  void load_pixels(Buffer b, Value offset, Mask m, Value* dword, uint32_t dwords, Memory memory = Memory::changes);
  void store_pixels(Buffer b, Value offset, const Value* dword, uint32_t dwords, Mask m);
  /// What was there before.
  Value atomic(Op op, Buffer b, Value offset, Value v, Mask m) { return access(op, b, offset, v, m.id); }
  Value atomic_compare_exchange(Buffer b, Value offset, Value expected, Value v, Mask m) {
    return access(Op::atomic_compare_exchange, b, select(m, offset, constant_bits(~0u)), v, expected.id);
  }

  /// The same of numbers of 64 bits, lower words first, at multiples of 8 bytes. A place that is no such multiple in memory (of a buffer
  /// that begins elsewhere) is not changed in one step.
  std::array<Value, 2> atomic(Atomic64 op, Buffer b, Value offset, std::array<Value, 2> v, std::array<Value, 2> expected, Mask m);

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
  Mask logic(Op op, Mask a, Mask b);
  Value folded(Node n);  ///< the node, or the constant that it makes of constants
  Value binary(Op op, Value a, Value b);
  Value zip(Op op, Value a, Value b);
  Value of_doubles(Op op, Value a, Value b, Value c);
  Value udiv_constant(Value a, uint32_t d);
  Value idiv_constant(Value a, uint32_t d);
  Buffer buffer(const Program::Buffer& b);
  Value load(Op op, Buffer b, Value offset, Mask m, Memory memory);
  Value access(Op op, Buffer b, Value offset, Value v, int32_t c);
  Node displaced(Node n) const;
  void transpose(const Value* from, Value* to);
  bool is_negation(Value v, Value& of) const;
  bool never_denormal(Value a, int depth) const;
  void effect(const Node& n) { emit(n); }
  void leave(const Node& n);

  Program program_;
  std::vector<int32_t> table_ = std::vector<int32_t>(256, -1);  ///< open hash of nodes that may be found again
  size_t table_used_ = 0;
  int32_t block_begin_ = 0;  ///< nodes before are out of reach, but those of the first block
  int32_t first_block_end_ = INT32_MAX;
  Pointer atomic_rows_{-1};  ///< Atomic64Rows
};

}  // namespace pumice::hw::fast::lane
