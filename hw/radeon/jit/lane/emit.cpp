// SPDX-License-Identifier: MIT
/// Instructions of the vector operations.
#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

namespace {
constexpr int kFloor = 9, kRoundEven = 8;  // no exceptions
}

void Emitter::binary(InstId id, int32_t i, const Node& n, bool commutes) {
  int32_t a = n.a, b = n.b;
  if (commutes && !has_register(a) && (has_register(b) || (can_be_memory(a) && !can_be_memory(b)))) std::swap(a, b);
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
  const bool a_dies = dies(a), b_dies = dies(b), c_dies = dies(c);
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

void Emitter::compare(int32_t i, const Node& n) {
  const bool integer = n.op == Op::ieq || n.op == Op::ilt;
  int32_t a = n.a, b = n.b;
  int predicate = 0;
  switch (n.op) {
    case Op::lt: predicate = 0x11; break;
    case Op::le: predicate = 0x12; break;
    case Op::eq: predicate = 0x00; break;
    case Op::ne: predicate = 0x04; break;
    case Op::unordered: predicate = 0x03; break;
    case Op::ilt: predicate = 1; break;
    default: break;
  }
  if (n.op == Op::lt || n.op == Op::le) {  // mirrored when the left side alone is memory
    if (can_be_memory(a) && !can_be_memory(b)) std::swap(a, b), predicate = n.op == Op::lt ? 0x1E : 0x1D;
  } else if (n.op != Op::ilt && can_be_memory(a)) {
    std::swap(a, b);
  }
  if (!wide_ && n.op == Op::ilt) std::swap(a, b);  // vpcmpgtd
  const Reg x = vec(in_register(a));
  const Operand y = either(b);
  release_dead(n);
  const int8_t r = result(i);
  if (wide_) {
    if (integer)
      emit(I::kIdVpcmpd, k(r), x, y, imm(predicate));
    else
      emit(I::kIdVcmpps, k(r), x, y, imm(predicate));
  } else if (integer) {
    emit(n.op == Op::ieq ? I::kIdVpcmpeqd : I::kIdVpcmpgtd, vec(r), x, y);
  } else {
    emit(I::kIdVcmpps, vec(r), x, y, imm(predicate));
  }
}

void Emitter::mask_logic(int32_t i, const Node& n) {
  static constexpr InstId kWide[4] = {I::kIdKandw, I::kIdKorw, I::kIdKxorw, I::kIdKandnw};
  static constexpr InstId kNarrow[4] = {I::kIdVandps, I::kIdVorps, I::kIdVxorps, I::kIdVandnps};
  const size_t which = size_t(n.op) - size_t(Op::mask_and);
  if (!wide_) return binary(kNarrow[which], i, n, which != 3);
  const int8_t a = in_register(n.a), b = in_register(n.b);
  release_dead(n);
  emit(kWide[which], k(result(i)), k(a), k(b));
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

/// AVX2: 2^n in two factors, so that neither leaves the range of floats.
void Emitter::scale(int32_t i, const Node& n) {
  if (wide_) return binary(I::kIdVscalefps, i, n, false);
  const Reg p = vec(in_register(n.a)), e = vec(in_register(n.b)), s = scratch(0), t = scratch(1);
  emit(I::kIdVcvtps2dq, s, e);
  emit(I::kIdVpsrad, t, s, imm(1));
  emit(I::kIdVpsubd, s, s, t);
  const Mem bias = constant_bits(127);
  emit(I::kIdVpaddd, s, s, bias);
  emit(I::kIdVpaddd, t, t, bias);
  emit(I::kIdVpslld, s, s, imm(23));
  emit(I::kIdVpslld, t, t, imm(23));
  emit(I::kIdVmulps, t, p, t);
  release_dead(n);
  emit(I::kIdVmulps, vec(result(i)), t, s);
}

void Emitter::gather(int32_t i, const Node& n) {
  const Reg index = vec(in_register(n.a));
  const int8_t m = in_register(n.c);
  const Reg x = vec(result(i));  // not the index: taken before that is released
  emit(I::kIdVxorps, x, x, x);
  Mem m0 = x86::ptr(pointer(n.p, x86::rax), index);
  if (wide_) {
    emit(I::kIdKmovw, x86::k7, k(m));
    as_.k(x86::k7);
    emit(I::kIdVgatherdps, x, m0);
  } else {
    emit(I::kIdVmovaps, scratch(0), vec(m));
    emit(I::kIdVgatherdps, x, m0, scratch(0));
  }
  release_dead(n);
}

void Emitter::scatter(const Node& n) {
  const Reg index = vec(in_register(n.a)), x = vec(in_register(n.b));
  const int8_t m = in_register(n.c);
  const Gp base = pointer(n.p, x86::rax);
  if (wide_) {
    emit(I::kIdKmovw, x86::k7, k(m));
    as_.k(x86::k7);
    emit(I::kIdVscatterdps, x86::ptr(base, index), x);
    return release_dead(n);
  }
  // AVX2 has none: lane by lane, through the offsets and values in memory.
  const Mem offsets = x86::ptr(x86::rsp, scatter_at_), values = x86::ptr(x86::rsp, scatter_at_ + 32);
  emit(I::kIdVmovaps, offsets, index);
  emit(I::kIdVmovaps, values, x);
  emit(I::kIdVmovmskps, x86::ecx, vec(m));
  for (int l = 0; l < 8; ++l) {
    const asmjit::Label next = as_.newLabel();
    emit(I::kIdTest, x86::ecx, imm(1 << l));
    as_.jz(next);
    emit(I::kIdMov, x86::edx, x86::dword_ptr(x86::rsp, scatter_at_ + 4 * l));
    emit(I::kIdMov, x86::esi, x86::dword_ptr(x86::rsp, scatter_at_ + 32 + 4 * l));
    emit(I::kIdMov, x86::dword_ptr(base, x86::rdx), x86::esi);
    as_.bind(next);
  }
  release_dead(n);
}

void Emitter::splat_at(int32_t i, const Node& n) {
  const auto& range = program_.ranges[size_t(n.b)];
  const Reg x = vec(result(i));
  const Gp base = pointer(n.p, x86::rcx);
  const asmjit::Label outside = as_.newLabel();
  emit(I::kIdVxorps, x, x, x);
  emit(I::kIdMov, x86::eax, scalar(n.a));
  emit(I::kIdCmp, x86::eax, imm(range.count));
  emit(I::kIdJae, outside);
  emit(I::kIdImul, x86::rax, x86::rax, imm(range.stride));
  emit(I::kIdVbroadcastss, x, x86::dword_ptr(base, x86::rax, 0, int32_t(n.imm)));
  as_.bind(outside);
}

void Emitter::vector_op(int32_t i) {
  const Node& n = program_.nodes[size_t(i)];
  now_ = i;
  switch (n.op) {
    case Op::constant:
    case Op::table:
    case Op::splat:
    case Op::mask_constant: return;  // made where it is used
    case Op::lanes:
      if (n.b < 0) return;
      emit(I::kIdVmovups, vec(result(i)), at(n.p, n.imm + uint32_t(32 * half_)));
      break;
    case Op::splat_at: splat_at(i, n); break;
    case Op::from_scalar: emit(I::kIdVbroadcastss, vec(result(i)), scalar(n.a)); break;
    case Op::gather: gather(i, n); break;
    case Op::add: binary(I::kIdVaddps, i, n, true); break;
    case Op::sub: binary(I::kIdVsubps, i, n, false); break;
    case Op::mul: binary(I::kIdVmulps, i, n, true); break;
    case Op::div: binary(I::kIdVdivps, i, n, false); break;
    case Op::fma: fma(i, n); break;
    case Op::sqrt: unary(I::kIdVsqrtps, i, n); break;
    case Op::min: binary(I::kIdVminps, i, n, false); break;
    case Op::max: binary(I::kIdVmaxps, i, n, false); break;
    case Op::floor: unary(wide_ ? I::kIdVrndscaleps : I::kIdVroundps, i, n, kFloor); break;
    case Op::round_even: unary(wide_ ? I::kIdVrndscaleps : I::kIdVroundps, i, n, kRoundEven); break;
    case Op::scale: scale(i, n); break;
    case Op::bit_and: binary(I::kIdVandps, i, n, true); break;
    case Op::bit_or: binary(I::kIdVorps, i, n, true); break;
    case Op::bit_xor: binary(I::kIdVxorps, i, n, true); break;
    case Op::bit_andnot: binary(I::kIdVandnps, i, n, false); break;
    case Op::shl:
    case Op::shr:
    case Op::sar: {
      const InstId id = n.op == Op::shl ? I::kIdVpslld : n.op == Op::shr ? I::kIdVpsrld : I::kIdVpsrad;
      const Reg x = vec(in_register(n.a));
      release_dead(n);
      emit(id, vec(result(i)), x, imm(n.imm));
      break;
    }
    case Op::iadd: binary(I::kIdVpaddd, i, n, true); break;
    case Op::isub: binary(I::kIdVpsubd, i, n, false); break;
    case Op::to_float: unary(I::kIdVcvtdq2ps, i, n); break;
    case Op::to_int: unary(I::kIdVcvttps2dq, i, n); break;
    case Op::quad: unary(I::kIdVpermilps, i, n, int(n.imm * 0x55)); break;
    case Op::select: select(i, n); break;
    case Op::get:
    case Op::mask_get: {
      const int32_t alias = int32_t(n.imm) + (n.op == Op::mask_get ? program_.variables : 0);
      const int32_t from = variable_slot_[size_t(alias)];
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
      break;
    }
    case Op::mask_load:
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
      break;
    case Op::lt:
    case Op::le:
    case Op::eq:
    case Op::ne:
    case Op::unordered:
    case Op::ieq:
    case Op::ilt: compare(i, n); break;
    case Op::mask_and:
    case Op::mask_or:
    case Op::mask_xor:
    case Op::mask_andnot: mask_logic(i, n); break;
    case Op::set:
    case Op::mask_set: {
      const int32_t alias = int32_t(n.imm) + (n.op == Op::mask_set ? program_.variables : 0);
      const int8_t r = in_register(n.a);
      variable_changes(alias);
      if (class_of(n.a) == kMask)
        emit(I::kIdKmovw, slot(variable_slot_[size_t(alias)]), k(r));
      else
        emit(I::kIdVmovaps, slot(variable_slot_[size_t(alias)]), vec(r));
      release_dead(n);
      break;
    }
    case Op::store: {
      const Reg x = vec(in_register(n.a));
      emit(I::kIdVmovups, at(n.p, n.imm + uint32_t(32 * half_)), x);
      release_dead(n);
      break;
    }
    case Op::scatter: scatter(n); break;
    default: break;
  }
  if (type_of(n.op) != Type::none) {
    if (crosses_[size_t(i)]) {
      // One slot for both halves.
      store_to_slot(i);
    } else if (next_use(i, i) == INT32_MAX) {
      drop(i);
    }
  }
  end_operation();
}

}  // namespace pumice::hw::fast::lane
