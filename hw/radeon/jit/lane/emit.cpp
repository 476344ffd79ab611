// SPDX-License-Identifier: MIT
/// Operations of one instruction or nearly so, and the code column of operations.h.
#include <algorithm>

#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

void Emitter::operation(int32_t i) {
  const Node& n = program_.nodes[size_t(i)];
  if (lane::is_remade(n) || (half_ == 1 && made_[size_t(i)] != Made::twice)) return;  // emitted where it is used, or before
  now_ = i;
  read_again(n);
  choose_float_mode(n.op);
  switch (n.op) {
#define PUMICE_LANE_ROW(name, signature, traits, latency, scalar, simd, code) \
  case Op::name: code; break;
    PUMICE_LANE_ELEMENTWISE(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, type) \
  case Op::name: load_buffer(i, n, sizeof(type), std::is_signed_v<type>); break;
    PUMICE_LANE_LOADS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, type) \
  case Op::name: store_buffer(i, n, sizeof(type)); break;
    PUMICE_LANE_STORES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, scalar, code) \
  case Op::name: atomic(i, n, [&] { code; }); break;
    PUMICE_LANE_ATOMICS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, scalar, code) \
  case Op::name: code; break;
    PUMICE_LANE_DOUBLES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, function) \
  case Op::name: function(i, n); break;
    PUMICE_LANE_OTHERS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
  }
  if (type_of(n.op) != Type::none) {
    if ((side_by_side_ || half_ == 1) && mask_of_jump_ == i) {
      Place& p = place_[size_t(i)];
      if (p.slot < 0) p.slot = new_slot();
      p.stored = false;
    } else if (crosses_[size_t(i)] || is_shared(i)) {
      // One slot for both halves.
      store_to_slot(i);
    } else if (next_use(i, i) == INT32_MAX) {
      drop(i);
    }
  }
  end_operation();
}

void Emitter::binary(InstId id, int32_t i, const Node& n) {
  int32_t a = n.a, b = n.b;
  if (lane::operation(n.op).is(trait::commutes) && !has_register(a) && (has_register(b) || (can_be_memory(a) && !can_be_memory(b))))
    std::swap(a, b);
  const Reg x = vec(in_register(a));
  const Operand y = either(b);
  release_dead(n);
  emit(id, vec(result(i)), x, y);
}

void Emitter::unary(InstId id, int32_t i, const Node& n, int number) {
  const Operand x = either(n.a);
  release_dead(n);
  if (number < 0)
    emit(id, vec(result(i)), x);
  else
    emit(id, vec(result(i)), x, imm(number));
}
/// Bit 3 of the mode: no exceptions.
void Emitter::round(int32_t i, const Node& n, int mode) { unary(wide_ ? I::kIdVrndscaleps : I::kIdVroundps, i, n, mode); }
void Emitter::quad(int32_t i, const Node& n) { unary(I::kIdVpermilps, i, n, int(n.imm * 0x55)); }
void Emitter::shift(InstId id, int32_t i, const Node& n) {
  const Reg x = vec(in_register(n.a));
  release_dead(n);
  emit(id, vec(result(i)), x, imm(n.imm));
}

/// Forms: 213 is x = y*x + z, 231 is x += y*z, 132 is x = x*z + y; only z may be memory.
void Emitter::fma(int32_t i, const Node& n) {
  static constexpr InstId kForm[4][3] = {{I::kIdVfmadd213ps, I::kIdVfmadd231ps, I::kIdVfmadd132ps},
                                         {I::kIdVfnmadd213ps, I::kIdVfnmadd231ps, I::kIdVfnmadd132ps},
                                         {I::kIdVfmsub213ps, I::kIdVfmsub231ps, I::kIdVfmsub132ps},
                                         {I::kIdVfnmsub213ps, I::kIdVfnmsub231ps, I::kIdVfnmsub132ps}};
  const auto& form = kForm[n.imm & 3];
  int32_t a = n.a, b = n.b;
  const int32_t c = n.c;
  const bool c_memory = can_be_memory(c) && c != a && c != b;
  if (!c_memory && can_be_memory(a) && !can_be_memory(b)) std::swap(a, b);
  const bool b_memory = !c_memory && can_be_memory(b) && b != a && b != c;
  const int8_t ra = in_register(a);
  Mem memory;
  int8_t rb = -1, rc = -1;
  if (!b_memory) rb = in_register(b);
  if (!c_memory) rc = in_register(c);
  if (b_memory) memory = memory_of(b);
  if (c_memory) memory = memory_of(c);
  const bool a_dies = dies(a) && is_own(ra), b_dies = dies(b) && is_own(rb), c_dies = dies(c) && is_own(rc);
  release_dead(n);
  const auto into = [&](int8_t r) {  // the result takes over the register of an operand that dies
    give(i, r);
    locked_[kVector] |= 1u << r;
    return vec(r);
  };
  const auto copy = [&](int8_t r) {
    // The operands that were released must not be overwritten by the copy.
    for (const int8_t o : {ra, rb, rc})
      if (o >= 0) locked_[kVector] |= 1u << o;
    const Reg x = vec(result(i));
    emit(I::kIdVmovaps, x, vec(r));
    return x;
  };
  if (c_memory) {
    if (a_dies)
      emit(form[0], into(ra), vec(rb), memory);
    else if (b_dies)
      emit(form[0], into(rb), vec(ra), memory);
    else
      emit(form[0], copy(ra), vec(rb), memory);
  } else if (b_memory) {
    if (c_dies)
      emit(form[1], into(rc), vec(ra), memory);
    else if (a_dies)
      emit(form[2], into(ra), vec(rc), memory);
    else
      emit(form[1], copy(rc), vec(ra), memory);
  } else if (c_dies && c != a && c != b) {
    emit(form[1], into(rc), vec(ra), vec(rb));
  } else if (a_dies) {
    emit(form[0], into(ra), vec(rb), vec(rc));
  } else if (b_dies) {
    emit(form[0], into(rb), vec(ra), vec(rc));
  } else {
    emit(form[1], copy(rc), vec(ra), vec(rb));
  }
}

void Emitter::compare_floats(int32_t i, const Node& n, int predicate, int mirrored) {
  int32_t a = n.a, b = n.b;
  if (mirrored != predicate) {  // exchanged when the left side alone is memory
    if (can_be_memory(a) && !can_be_memory(b)) std::swap(a, b), predicate = mirrored;
  } else if (can_be_memory(a)) {
    std::swap(a, b);
  }
  const Reg x = vec(in_register(a));
  const Operand y = either(b);
  release_dead(n);
  const int8_t r = result(i);
  if (wide_)
    emit(I::kIdVcmpps, k(r), x, y, imm(predicate));
  else
    emit(I::kIdVcmpps, vec(r), x, y, imm(predicate));
}

/// Predicates 0: equal, 1: less, 2: less or equal, 4: not equal. AVX2 has equal and signed greater.
void Emitter::compare_integers(int32_t i, const Node& n, bool is_unsigned, int predicate) {
  const bool symmetric = predicate == 0 || predicate == 4;
  int32_t a = n.a, b = n.b;
  if (symmetric && can_be_memory(a)) std::swap(a, b);
  if (wide_) {
    const Reg x = vec(in_register(a));
    const Operand y = either(b);
    release_dead(n);
    emit(is_unsigned ? I::kIdVpcmpud : I::kIdVpcmpd, k(result(i)), x, y, imm(predicate));
    return;
  }
  const bool turned = predicate == 4 || (predicate == 1 && is_unsigned) || (predicate == 2 && !is_unsigned);
  if (predicate == (is_unsigned ? 2 : 1)) std::swap(a, b);  // b > a; b >= a
  const Reg x = vec(in_register(a));
  const Operand y = either(b);
  release_dead(n);
  const Reg r = vec(result(i));
  if (is_unsigned) {
    emit(I::kIdVpmaxud, scratch(0), x, y);  // x >= y where x is the maximum
    emit(I::kIdVpcmpeqd, r, scratch(0), x);
  } else {
    emit(symmetric ? I::kIdVpcmpeqd : I::kIdVpcmpgtd, r, x, y);
  }
  if (!turned) return;
  emit(I::kIdVpcmpeqd, scratch(0), scratch(0), scratch(0));
  emit(I::kIdVxorps, r, r, scratch(0));
}

void Emitter::logic(InstId wide, InstId narrow, int32_t i, const Node& n) {
  if (!wide_) return binary(narrow, i, n);
  const int8_t a = in_register(n.a), b = in_register(n.b);
  release_dead(n);
  emit(wide, k(result(i)), k(a), k(b));
}

void Emitter::select(int32_t i, const Node& n) {
  const Node& otherwise = program_.nodes[size_t(n.b)];
  if (wide_) {
    const int8_t m = in_register(n.c);
    if (otherwise.op == Op::constant && otherwise.imm == 0) {
      const Reg a = vec(in_register(n.a));
      release_dead(n);
      const Reg x = vec(result(i));
      as_.k(k(m)).z();
      emit(I::kIdVmovaps, x, a);
      return;
    }
    const Reg b = vec(in_register(n.b));
    const Operand a = either(n.a);
    release_dead(n);
    const Reg x = vec(result(i));
    as_.k(k(m));
    emit(I::kIdVblendmps, x, b, a);
    return;
  }
  const Reg m = vec(in_register(n.c)), b = vec(in_register(n.b));
  const Operand a = either(n.a);
  release_dead(n);
  emit(I::kIdVblendvps, vec(result(i)), b, a, m);
}

void Emitter::from_scalar(int32_t i, const Node& n) { emit(I::kIdVbroadcastss, vec(result(i)), scalar(n.a)); }

/// AVX2: the operand's halves are in memory: the operation is a run of its own, or the operand a table or memory that does not change. One
/// permutation where both halves are the same.
void Emitter::permute(int32_t i, const Node& n) {
  const Reg lane = vec(in_register(n.b));
  if (wide_) {
    const Operand a = either(n.a);
    release_dead(n);
    emit(I::kIdVpermd, vec(result(i)), lane, a);
    return;
  }
  const bool is_memory = lane::is_remade(program_.nodes[size_t(n.a)]);
  if (program_.nodes[size_t(n.a)].op == Op::table) {
    const std::array<uint32_t, kLanes>& lanes = tables_[program_.nodes[size_t(n.a)].imm];
    if (std::equal(lanes.begin(), lanes.begin() + kLanes / 2, lanes.begin() + kLanes / 2)) {
      release_dead(n);
      return emit(I::kIdVpermd, vec(result(i)), lane, memory_of(n.a));
    }
  }
  const Reg x = vec(result(i));
  const int half = half_;
  for (half_ = 0; half_ < 2; ++half_) {
    if (!is_memory) load(n.a, int8_t(vectors_ + half_));
    emit(I::kIdVpermd, scratch(half_), lane, is_memory ? Operand(memory_of(n.a)) : Operand(scratch(half_)));
  }
  half_ = half;
  emit(I::kIdVpslld, x, lane, imm(28));
  emit(I::kIdVblendvps, x, scratch(0), scratch(1), x);
  release_dead(n);
}

/// VPMADDWD has no operand that one dword of memory is repeated for (EVEX.b), as constants are on AVX-512.
void Emitter::dot_words(int32_t i, const Node& n) {
  if (!wide_) return binary(I::kIdVpmaddwd, i, n);
  const Reg a = vec(in_register(n.a)), b = vec(in_register(n.b));
  release_dead(n);
  emit(I::kIdVpmaddwd, vec(result(i)), a, b);
}

void Emitter::unzip(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a));
  const Operand b = either(n.b);
  release_dead(n);
  emit(I::kIdVshufps, vec(result(i)), a, b, imm(n.op == Op::unzip_even ? 0x88 : 0xDD));
}
void Emitter::shuffle_bytes(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a));
  release_dead(n);
  emit(I::kIdVpshufb, vec(result(i)), a, table_memory(n.imm));
}

void Emitter::get(int32_t i, const Node& n) {
  const int32_t alias = int32_t(n.imm) + (n.op == Op::mask_get ? program_.variables : 0);
  const int32_t from = variable_slot_[size_t(alias)];
  if (is_pinned(alias)) {
    Place& p = place_[size_t(i)];
    p.reg = pin_of(alias), p.alias = alias;
    aliases_[size_t(alias)].push_back(i);
    return;
  }
  if (crosses_[size_t(i)]) {
    const int8_t r = result(i);
    if (class_of(i) == kMask)
      emit(I::kIdKmovw, k(r), slot(from));
    else
      emit(I::kIdVmovaps, vec(r), slot(from));
  } else {
    Place& p = place_[size_t(i)];
    p.slot = from, p.stored = true, p.alias = alias;
    aliases_[size_t(alias)].push_back(i);
  }
}
void Emitter::set(int32_t, const Node& n) {
  const int32_t alias = int32_t(n.imm) + (n.op == Op::mask_set ? program_.variables : 0);
  const int8_t r = in_register(n.a);
  variable_changes(alias);
  if (is_pinned(alias))
    move(class_of(n.a), pin_of(alias), r);
  else if (class_of(n.a) == kMask)
    emit(I::kIdKmovw, slot(variable_slot_[size_t(alias)]), k(r));
  else
    emit(I::kIdVmovaps, slot(variable_slot_[size_t(alias)]), vec(r));
  release_dead(n);
}

void Emitter::mask_load(int32_t i, const Node& n) {
  if (wide_) {
    emit(I::kIdKmovw, k(result(i)), x86::word_ptr(pointer(n.p, x86::rax), int32_t(n.imm)));
  } else {
    std::array<uint32_t, kLanes> bit;
    for (uint32_t l = 0; l < kLanes; ++l) bit[l] = 1u << l;
    tables_.push_back(bit);
    const Mem bits = x86::ptr(pool_, int32_t(64 * (tables_.size() - 1)) + 32 * half_);
    emit(I::kIdVpbroadcastd, scratch(0), at(n.p, n.imm));
    emit(I::kIdVpand, scratch(0), scratch(0), bits);
    emit(I::kIdVpcmpeqd, vec(result(i)), scratch(0), bits);
  }
}

}  // namespace pumice::hw::fast::lane
