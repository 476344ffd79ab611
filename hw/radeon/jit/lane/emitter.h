// SPDX-License-Identifier: MIT
/// x86-64 code from a lane program with asmjit's assembler and an allocator of our own: one forward pass over straight runs of vector
/// operations, the value with the farthest next use leaves its register. AVX-512 keeps a value in one zmm and masks in k1..k6; AVX2 keeps
/// half a value in one ymm and emits every run twice, once per half, with masks as vectors.
///
/// A value that is used after a label or a call of its definition (AVX2: in another run) goes to its stack slot when it is made, so that
/// registers are empty at labels and calls. Constants and reads of unchanging memory are operands of the instructions that use them.
#pragma once
#ifndef ASMJIT_STATIC
#define ASMJIT_STATIC
#endif
#include <asmjit/x86.h>

#include <functional>
#include <span>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/jit/lane/ir.h"
#include "hw/radeon/jit/lane/pins.h"
#include "hw/radeon/jit/lane/strides.h"

namespace pumice::hw::fast::lane {

/// Constants of operations of several instructions: four dwords in each quarter.
namespace inner {
using Quarter = std::array<uint32_t, 4>;
constexpr Quarter all(uint32_t bits) { return {bits, bits, bits, bits}; }
inline constexpr uint32_t k2To31 = 0x4F000000u, k2To23 = 0x4B000000u, k2To39 = 0x53000000u, k2To39And2To23 = 0x53000080u;  // floats
inline constexpr Quarter kNibbles = all(0x0F0F0F0Fu), kEachByte = all(0x01010101u);
inline constexpr Quarter kNibbleCounts = {0x02010100u, 0x03020201u, 0x03020201u, 0x04030302u};
inline constexpr Quarter kReversedNibbles = {0x0C040800u, 0x0E060A02u, 0x0D050901u, 0x0F070B03u};
inline constexpr Quarter kReversedBytes = {0x00010203u, 0x04050607u, 0x08090A0Bu, 0x0C0D0E0Fu};
/// Matrices of VGF2P8AFFINEQB.
inline constexpr Quarter kReversedBits = {0x08040201u, 0x80402010u, 0x08040201u, 0x80402010u};
inline constexpr Quarter kUpperNibbles = {0, 0x10204080u, 0, 0x10204080u};
}  // namespace inner

class Emitter {
 public:
  Emitter(Program program, const Pins& pins, Cpu cpu, CpuExtras extras, asmjit::CodeHolder& code);
  void run();  ///< errors go to the code holder's handler

 private:
  using Reg = asmjit::x86::Vec;
  using Mem = asmjit::x86::Mem;
  using Gp = asmjit::x86::Gp;
  using InstId = asmjit::InstId;
  struct Place {
    int8_t reg = -1;      ///< register, in the class of the value's type
    int32_t slot = -1;    ///< stack offset, when it has one
    bool stored = false;  ///< the slot holds it
    int32_t alias = -1;   ///< the slot, or the register where it has one, is that of this variable (mask variables count on)
  };
  enum Class { kVector, kMask };
  static constexpr int kMasks = 7;  ///< k7 is scratch
  /// The highest index (places()) from which the places of all lanes follow without wrapping.
  static constexpr int kLastInTurn = INT32_MAX - 63;
  /// For addresses of rows.
  static constexpr Gp kRows[] = {asmjit::x86::r8, asmjit::x86::r9, asmjit::x86::r10, asmjit::x86::r11};

  // allocate.cpp
  void analyse();
  std::vector<uint8_t> find_cuts() const;
  Class class_of(int32_t v) const { return wide_ && type_of(program_.nodes[size_t(v)].op) == Type::mask ? kMask : kVector; }
  bool is_remade(int32_t v) const { return lane::is_remade(program_.nodes[size_t(v)]); }  ///< needs no slot
  bool resets_registers(const Node& n) const;                                             ///< before and after it
  int32_t next_use(int32_t v, int32_t after) const;
  bool dies(int32_t v) const { return next_use(v, now_) > run_end_; }
  int8_t take(Class c);
  void evict(Class c, int8_t reg);
  void load(int32_t v, int8_t reg);
  int8_t in_register(int32_t v);  ///< locks it until the operation is done
  bool has_register(int32_t v) const { return place_[size_t(v)].reg >= 0; }
  bool can_be_memory(int32_t v) const;  ///< not in a register, and not worth one
  bool is_full() const;                 ///< every register has a value
  Mem memory_of(int32_t v);             ///< slot, constant or unchanging memory
  void release_dead(const Node& n);     ///< operands that die at this operation give their registers back
  int8_t result(int32_t v);             ///< a register for the value of the current node
  void give(int32_t v, int8_t reg);     ///< v now lives in reg
  void drop(int32_t v);
  void end_operation();
  void forget_registers();
  int32_t new_slot();
  void store_to_slot(int32_t v);
  void variable_changes(int32_t alias);
  void find_kept_reads();
  void find_made_once();
  bool is_shared(int32_t v) const { return made_[size_t(v)] == Made::shared; }
  Mem slot_of(int32_t v) const;
  bool keeps_slot(int32_t v) const { return crosses_[size_t(v)] || (half_ == 0 && is_shared(v)); }
  void read_again(const Node& n);  ///< operands that are kept reads are their variables' registers
  bool is_pinned(int32_t alias) const { return pins_.pin[size_t(alias)] >= 0; }
  int8_t pin_of(int32_t alias) const {
    const int8_t n = pins_.pin[size_t(alias)];
    if (alias >= program_.variables) return int8_t(kMasks - 1 - n);
    return int8_t(vectors_ - 1 - (wide_ ? n : 2 * n + half_));
  }
  /// Registers of the class that a value may have.
  std::pair<int, int> range_of(Class c) const {
    if (c == kMask) return {1, kMasks - pins_.masks};
    const int own = own_vectors();
    if (!side_by_side_) return {0, own};
    return {half_ * (own / 2), (half_ + 1) * (own / 2)};
  }
  int32_t own_vectors() const { return vectors_ - pins_.values * (wide_ ? 1 : 2); }  ///< those of no variable come first
  bool is_own(int32_t reg) const { return reg < own_vectors(); }
  void move(Class c, int8_t to, int8_t from);
  void save_variables(bool back);

  // control.cpp
  void prologue();
  void epilogue();
  void pools();
  void emit_run(int32_t begin, int32_t end);
  void emit_side_by_side(int32_t begin, int32_t end);
  int32_t mask_of_jump(int32_t end) const;
  void test_for_jump(const Place* other);
  void free_slots_of(int32_t begin, int32_t end);
  bool fits_twice(int32_t begin, int32_t end) const;
  void change_halves();
  void bits_to_eax(int32_t mask);
  void mask_store(int32_t i, const Node& n);
  void store_word(int32_t i, const Node& n);
  void call(int32_t i, const Node& n);
  void scalar_set(int32_t i, const Node& n);
  void scalar_load(int32_t i, const Node& n);
  void scalar_add(int32_t i, const Node& n);
  void scalar_sum(int32_t i, const Node& n);
  void scalar_move(int32_t i, const Node& n);
  void advance(int32_t i, const Node& n);
  void label(int32_t i, const Node& n);
  void jump(int32_t i, const Node& n);
  void jump_mask(int32_t i, const Node& n);
  void jump_scalar(int32_t i, const Node& n);
  void jump_spent(int32_t i, const Node& n);

  // emit.cpp: what is one instruction, or nearly so. `n` is the current node, `i` its number.
  void operation(int32_t i);
  void binary(InstId id, int32_t i, const Node& n);
  void unary(InstId id, int32_t i, const Node& n, int imm = -1);
  void round(int32_t i, const Node& n, int mode);
  void shift(InstId id, int32_t i, const Node& n);
  void fma(int32_t i, const Node& n);
  void select(int32_t i, const Node& n);
  void compare_floats(int32_t i, const Node& n, int predicate, int mirrored);
  void compare_integers(int32_t i, const Node& n, bool is_unsigned, int predicate);
  void logic(InstId wide, InstId narrow, int32_t i, const Node& n);
  void from_scalar(int32_t i, const Node& n);
  void quad(int32_t i, const Node& n);
  void permute(int32_t i, const Node& n);
  void zip(int32_t i, const Node& n) {
    binary(n.op == Op::zip_low ? asmjit::x86::Inst::kIdVunpcklps : asmjit::x86::Inst::kIdVunpckhps, i, n);
  }
  void dot_words(int32_t i, const Node& n);
  void unzip(int32_t i, const Node& n);
  void shuffle_bytes(int32_t i, const Node& n);
  void get(int32_t i, const Node& n);
  void set(int32_t i, const Node& n);
  void mask_load(int32_t i, const Node& n);
  void constant(int32_t, const Node&) {}  // made where they are used
  void splat(int32_t, const Node&) {}
  void mask_constant(int32_t, const Node&) {}

  // emit_sequences.cpp: several instructions.
  void scale(int32_t i, const Node& n);
  void uint_to_float(int32_t i, const Node& n);
  void to_int_clamped(int32_t i, const Node& n);
  void to_uint_clamped(int32_t i, const Node& n);
  void half_to_float(int32_t i, const Node& n);
  void float_to_half(int32_t i, const Node& n);
  void upper_nibbles(Reg to, Reg a);
  void popcount(int32_t i, const Node& n);
  void leading_zeros(int32_t i, const Node& n);
  void bit_reverse(int32_t i, const Node& n);
  void srgb_decode(int32_t i, const Node& n);
  void low_bits(int32_t i, const Node& n);
  void multiply_high(InstId id, int32_t i, const Node& n);
  void idiv(int32_t i, const Node& n);
  void udiv(int32_t i, const Node& n);
  template <class F>
  void divide(Reg x, Reg a, Reg b, F quotient);
  void shift_by(InstId id, int32_t i, const Node& n);

  // emit_doubles.cpp
  void choose_float_mode(Op op);
  void set_float_mode(bool keeps_denormals);
  void doubles(InstId id, int32_t i, const Node& n);
  void fused_double(int32_t i, const Node& n);
  void extreme_double(InstId id, int32_t i, const Node& n);
  void round_double(int32_t i, const Node& n, int mode);
  void compare_doubles(int32_t i, const Node& n, int predicate);
  void number_double(int32_t i, const Node& n);
  void widen(int32_t i, const Node& n);
  void narrow(int32_t i, const Node& n);

  // emit_gather.cpp
  void gather(int32_t i, const Node& n);
  void gather_first(int32_t i, const Node& n);
  void gather_second(int32_t i, const Node& n);
  void gather_beside(int32_t i, const Node& n);
  void load_beside(Reg low, Reg high, Reg part, const std::function<Mem(int)>& from);
  void jump_unless_beside(Reg first, Reg second, uint32_t bytes, asmjit::Label apart);
  void gather_all(Reg x, Gp base, Reg index, int32_t offset);
  void row_code();
  void gather_pairs(int32_t i, const Node& n);
  void gather_quads(int32_t i, const Node& n);
  int8_t take_locked(Class c);
  void permuted(Gp base, uint32_t offset, uint32_t bits, Reg index, std::span<const Reg> to, std::span<const int8_t> masks);
  void look_up(int32_t i, const Node& n);

  // emit_memory.cpp
  void lanes(int32_t i, const Node& n);
  void store(int32_t i, const Node& n);
  void splat_at(int32_t i, const Node& n);
  void scatter(int32_t i, const Node& n);
  void view(const Program::Buffer& b, Gp base, Gp size);  ///< size: its 32-bit form
  void places(const Node& n, uint32_t size, Reg offset, int8_t mask);
  void load_buffer(int32_t i, const Node& n, uint32_t size, bool is_signed);
  void store_buffer(int32_t i, const Node& n, uint32_t size);
  void row_places(const Node& n, uint32_t size, Reg offset, asmjit::Label outside);
  void block_rows(const Program::Buffer& b);
  bool is_all(int32_t mask) const;
  void load_whole_rows(asmjit::x86::Vec x, asmjit::x86::Vec t, uint32_t size);
  void store_block_rows(const Node& n, uint32_t size);
  void load_rows_of(int32_t i, const Node& n, uint32_t size);
  void load_rows(int32_t i, const Node& n) { load_rows_of(i, n, 4); }
  void load_rows_16(int32_t i, const Node& n) { load_rows_of(i, n, 2); }
  void load_rows_8(int32_t i, const Node& n) { load_rows_of(i, n, 1); }
  void store_rows_of(const Node& n, uint32_t size);
  void store_rows(int32_t, const Node& n) { store_rows_of(n, 4); }
  void store_rows_16(int32_t, const Node& n) { store_rows_of(n, 2); }
  void store_rows_8(int32_t, const Node& n) { store_rows_of(n, 1); }
  bool offsets_in_memory(const Node& n) const;
  void part_places(const Node& n, Reg offset);
  void load_part(int32_t i, const Node& n);
  void store_part(int32_t i, const Node& n);
  bool store_pixels(int32_t i, const Node& n);
  void store_one_part(const Node& n);
  void part_mask(int8_t mask, Part part);
  void pair_rows(const Node& n);
  void load_pair_rows(int32_t i, const Node& n);
  void store_pair_rows(const Node& n);
  void store_whole_rows(asmjit::x86::Vec x, asmjit::x86::Vec t, uint32_t size);
  void store_masked_rows(asmjit::x86::Vec x, asmjit::x86::Vec t, int8_t mask, uint32_t size);
  void find_groups();
  bool is_joined(size_t i) const { return i < joined_.size() && joined_[i]; }
  void dword_places(const Node& n, Reg x, Reg offset);
  void load_group(int32_t i, const Node& n);
  void load_group_apart(const Reg (&x)[4], int count, Reg offset, int8_t m, const Node& n, asmjit::Label apart);
  void load_turned(const Reg (&x)[4], int count, Gp base, int32_t offset);
  void load_turned(const Reg (&x)[4], int count, const std::function<Mem(int)>& from);
  void turn(Reg x[4], const Reg (&v)[4], Reg s, Reg t, const Reg (&more)[3]);
  void store_group(int32_t i, const Node& n);
  void store_group_by_halves(int32_t i, const Node& n);
  void store_turned(const Reg (&v)[4], Reg s, Reg t, const Reg (&more)[3], const std::function<Mem(int)>& to);
  Mem placed(int lane);
  void places_of_halves(const Node& n, asmjit::Label apart);
  void store_dwords(const Node& n);
  void jump_unless_in_turn(Reg t, asmjit::Label apart);
  void gather_dwords(Reg x, Reg offset, int8_t mask, const Node& n);
  void gather_buffer(Reg x, uint32_t size, bool is_signed, Reg offset, int8_t mask, const Node& n);
  void scatter_buffer(const Node& n, uint32_t size);

  // emit_strides.cpp
  std::optional<uint32_t> stride_of(const Node& n) const;
  std::optional<uint32_t> group_stride(const Node& n) const;
  std::optional<uint32_t> half_stride_of(const Node& n) const;
  void find_all_strides();
  void place_below(const Node& n, Gp to, Reg offset, asmjit::Label apart);
  void half_places(const Node& n, Reg offset, uint32_t beyond, asmjit::Label apart);
  Mem behind_half(uint32_t lane, uint32_t stride) const;
  void load_every_second(Reg x, Reg offset, const Node& n, asmjit::Label apart);
  void first_place(const Node& n, Reg offset, uint32_t beyond, asmjit::Label apart);
  void first_places(const Node& n, uint32_t stride, asmjit::Label apart);
  Mem behind_first(uint32_t bytes) const;
  void keep_lanes(Reg x, int32_t mask, int8_t m);
  bool load_strided(Reg x, Reg offset, int8_t mask, const Node& n, asmjit::Label done);
  bool load_group_strided(const Reg (&x)[4], int count, Reg offset, const Node& n, asmjit::Label apart);
  void store_strided(Reg offset, Reg v, int8_t m, const Node& n, asmjit::Label done);

  // emit_atomic.cpp
  void atomic(int32_t i, const Node& n, const std::function<void()>& combine);
  void add_for_place(bool wanted);
  void add_in_run(uint32_t size);
  void end_run(uint32_t size);
  void numbers_to_frame(uint8_t p, uint32_t from, int row);
  bool reads_atomic_results(uint8_t p) const;
  void atomic_64(int32_t i, const Node& n);
  void combine_64(Atomic64 op);
  void float_atomic(InstId id, bool is_extreme);
  void choose(InstId cmov);
  void exchange_if_equal();
  void lowest_bit(Gp to, Gp from);
  void lane_by_lane(const Node& n, uint32_t size, bool short_access, const std::function<void()>& access);
  Mem frame_lanes(int k) const { return asmjit::x86::ptr(asmjit::x86::rsp, lanes_at_ + 64 * k); }
  Mem frame_lane(int k) const {
    const int32_t at = lanes_at_ + 64 * k;
    return lane_ < 0 ? asmjit::x86::dword_ptr(asmjit::x86::rsp, asmjit::x86::rdx, 2, at)
                     : asmjit::x86::dword_ptr(asmjit::x86::rsp, at + 4 * lane_);
  }

  Reg vec(int reg) const { return wide_ ? Reg(asmjit::x86::zmm(uint32_t(reg))) : Reg(asmjit::x86::ymm(uint32_t(reg))); }
  asmjit::x86::KReg k(int reg) const { return asmjit::x86::k(uint32_t(reg)); }
  uint32_t lanes_in_register() const { return wide_ ? 16 : 8; }
  Reg scratch(int i) const { return vec(vectors_ + i); }
  Gp pointer(uint8_t p, Gp temporary);  ///< the register that holds it, or loads it
  Mem at(uint8_t p, uint32_t offset) { return asmjit::x86::ptr(pointer(p, asmjit::x86::rax), int32_t(offset)); }
  Mem slot(int32_t offset) const { return asmjit::x86::ptr(asmjit::x86::rsp, offset + 32 * half_); }
  Mem scalar(int32_t s) const { return asmjit::x86::dword_ptr(asmjit::x86::rsp, scalars_at_ + 4 * s); }
  Mem constant_memory(int32_t v);
  Mem constant_bits(uint32_t bits);
  Mem constant_operand(uint32_t bits) { return wide_ ? constant_bits(bits)._1to16() : constant_bits(bits); }
  Mem table_memory(uint32_t index);
  Mem table_of(const std::array<uint32_t, kLanes>& lanes);
  void fill(Reg x, uint32_t bits);
  // emit_constants.cpp
  void find_inner_constants();
  int32_t inner_node(const inner::Quarter& q) const;
  /// Operands, and constants inside of the operation.
  template <class F>
  void for_uses(const Node& n, F f) const {
    for_operands(n, [&](int, int32_t v) { f(v); });
    if (size_t(n.op) < inner_of_.size())
      for (const int32_t v : inner_of_[size_t(n.op)]) f(v);
  }
  asmjit::Operand inner_constant(const inner::Quarter& q);
  asmjit::Operand inner_constant(uint32_t bits) { return inner_constant(inner::all(bits)); }
  Reg inner_register(const inner::Quarter& q, Reg otherwise);

  asmjit::Operand either(int32_t v);  ///< register or memory, whichever is at hand
  template <class... O>
  void emit(InstId id, const O&... operands) {
    as_.emit(id, operands...);
  }

  Program program_;
  std::vector<std::pair<inner::Quarter, int32_t>> inner_;  ///< nodes behind it: emit_constants.cpp
  std::vector<std::vector<int32_t>> inner_of_;             ///< by operation
  const Pins& pins_;
  asmjit::CodeHolder& code_;
  asmjit::x86::Assembler as_;
  const bool wide_;
  const CpuExtras extras_;
  const int vectors_;  ///< registers for values; two more after are scratch

  std::vector<uint32_t> use_begin_, uses_;  ///< users of each value, ascending
  mutable std::vector<uint32_t> last_use_;  ///< by value: what next_use() found among its users
  std::vector<int32_t> run_of_;             ///< number of the stretch between resets of registers
  std::vector<uint8_t> crosses_;            ///< used in another stretch
  /// Reads of variables (AVX-512: pinned ones) that are used in another stretch, where the variable still has the value: they need no slot.
  std::vector<uint8_t> kept_reads_;
  std::vector<uint8_t> group_;   ///< so many accesses of neighbouring dwords begin here and are one (emit_groups.cpp)
  std::vector<uint8_t> joined_;  ///< done with the one before
  /// AVX2: what is the same in all lanes is made for the first half alone; shared: in a slot, where the second one reads it.
  enum class Made : uint8_t { twice, once, shared };
  std::vector<Made> made_;
  std::vector<Stride> strides_, half_strides_;  ///< of all nodes; empty where no buffer is accessed by dwords
  std::vector<Place> place_;
  std::array<std::array<int32_t, 32>, 2> owner_{};
  std::array<uint32_t, 2> locked_{};
  std::vector<int32_t> free_slots_;
  std::vector<int32_t> released_slots_;        ///< free when the operation has been emitted
  std::vector<std::vector<int32_t>> aliases_;  ///< values that are a variable's slot
  int32_t frame_ = 0, scalars_at_ = 0, scratch_at_ = 0, lanes_at_ = 0;
  std::vector<int32_t> variable_slot_;
  int32_t now_ = 0, run_end_ = 0;
  int32_t gathered_ = 0;  ///< nodes before are done: gather(), store_part()
  int half_ = 0;
  /// AVX2, in a run that is emitted for both halves operation by operation: what the other one's values have. Each has half the registers.
  struct Half {
    std::vector<Place> place;
    std::array<std::array<int32_t, 32>, 2> owner{};
    std::vector<std::vector<int32_t>> aliases;
    int32_t gathered = 0;
  } other_;
  bool side_by_side_ = false;
  int32_t mask_of_jump_ = -1;     ///< of the run
  int32_t tested_ = -1;           ///< the flags are those of this mask
  int32_t lane_ = -1;             ///< lane_by_lane(): the lane, where it is not in RDX
  bool keeps_denormals_ = false;  ///< the processor's mode where code is emitted: doubles
  std::vector<int8_t> pointer_register_;
  std::vector<asmjit::Label> labels_;
  asmjit::Label pool_;
  int32_t texel_rows_ = 0;                 ///< nodes that load first texels of rows
  std::array<asmjit::Label, 2> row_code_;  ///< loads of rows, where the routine has them: by texels of one and of two dwords
  std::vector<std::array<uint32_t, kLanes>> tables_;
  std::vector<uint32_t> constants_;
  std::vector<int32_t> constant_at_;  ///< by node
  size_t frame_patch_ = 0;
  std::array<Mem, 4> row_;  ///< rows of a block, while one is accessed
};

}  // namespace pumice::hw::fast::lane
