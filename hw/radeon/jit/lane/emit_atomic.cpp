// SPDX-License-Identifier: MIT
/// Atomic operations on buffers.
#include <algorithm>

#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

/// Without a lock where no other thread sees the memory. One instruction where the old value is not wanted or there is one that gives it.
/// Else read, combined in R8D, exchanged when nothing came between; what would not change (most minima, maxima, and bits that are set
/// already) is only read.
void Emitter::atomic(int32_t i, const Node& n, const std::function<void()>& combine) {
  const bool wanted = use_begin_[size_t(i)] != use_begin_[size_t(i) + 1];
  const auto place = x86::dword_ptr(x86::r11);
  const Op of_b = program_.nodes[size_t(n.b)].op;
  const bool one_value = n.op == Op::atomic_add && !program_.buffers[n.imm].own && (of_b == Op::constant || of_b == Op::splat);
  if (wanted) {
    emit(I::kIdVxorps, scratch(0), scratch(0), scratch(0));
    emit(I::kIdVmovaps, frame_lanes(3), scratch(0));
  }
  if (one_value) emit(I::kIdVandps, scratch(0), vec(in_register(n.a)), constant_operand(~3u));
  const bool in_runs = n.op == Op::atomic_add && !program_.buffers[n.imm].own && !one_value && !wanted;
  const bool is_float = n.op >= Op::atomic_fadd && n.op <= Op::atomic_fmax;
  if (in_runs) emit(I::kIdXor, x86::r10d, x86::r10d);
  lane_by_lane(n, 4, program_.buffers[n.imm].own && !is_float, [&] {
    emit(I::kIdMov, x86::esi, frame_lane(1));
    if (in_runs) return add_in_run(4);
    if (program_.buffers[n.imm].own) {
      if (n.op == Op::atomic_add && !wanted) return emit(I::kIdAdd, place, x86::esi);
      if (lane::operation(n.op).signature.c == Role::value) emit(I::kIdMov, x86::r10d, frame_lane(2));
      emit(I::kIdMov, x86::r8d, place);
      if (wanted) emit(I::kIdMov, frame_lane(3), x86::r8d);
      combine();
      emit(I::kIdMov, place, x86::r8d);
      return;
    }
    if (one_value) return add_for_place(wanted);
    if (n.op == Op::atomic_exchange || (n.op == Op::atomic_add && wanted)) {
      if (n.op == Op::atomic_exchange)
        emit(I::kIdXchg, place, x86::esi);
      else
        as_.lock().xadd(place, x86::esi);
      if (wanted) emit(I::kIdMov, frame_lane(3), x86::esi);
      return;
    }
    if (n.op == Op::atomic_xor && !wanted) {
      as_.lock().xor_(place, x86::esi);
      return;
    }
    const asmjit::Label again = as_.newLabel(), done = as_.newLabel();
    if (lane::operation(n.op).signature.c == Role::value) emit(I::kIdMov, x86::r10d, frame_lane(2));
    emit(I::kIdMov, x86::eax, place);
    as_.bind(again);
    emit(I::kIdMov, x86::r8d, x86::eax);
    combine();
    emit(I::kIdCmp, x86::r8d, x86::eax);
    as_.je(done);
    as_.lock().cmpxchg(place, x86::r8d);
    as_.jnz(again);
    as_.bind(done);
    if (wanted) emit(I::kIdMov, frame_lane(3), x86::eax);
  });
  if (in_runs) end_run(4);
  release_dead(n);
  const Reg x = vec(result(i));
  if (wanted) emit(I::kIdVmovaps, x, frame_lanes(3));
}
/// In lane_by_lane(): numbers (RSI) of lanes after each other that have one place are added up (in R8; the place is R10, or 0), and added
/// to memory when a lane has another one.
void Emitter::add_in_run(uint32_t size) {
  const asmjit::Label begin = as_.newLabel(), done = as_.newLabel();
  emit(I::kIdCmp, x86::r11, x86::r10);
  as_.jne(begin);
  emit(I::kIdAdd, x86::r8, x86::rsi);
  as_.jmp(done);
  as_.bind(begin);
  end_run(size);
  emit(I::kIdMov, x86::r10, x86::r11);
  emit(I::kIdMov, x86::r8, x86::rsi);
  as_.bind(done);
}
void Emitter::end_run(uint32_t size) {
  const asmjit::Label none = as_.newLabel(), plain = as_.newLabel();
  emit(I::kIdTest, x86::r10, x86::r10);
  as_.jz(none);
  if (size == 4) {
    as_.lock().add(x86::dword_ptr(x86::r10), x86::r8d);
  } else {
    emit(I::kIdTest, x86::r10b, imm(7));
    as_.jnz(plain);
    as_.lock().add(x86::qword_ptr(x86::r10), x86::r8);
    as_.jmp(none);
    as_.bind(plain);
    emit(I::kIdAdd, x86::qword_ptr(x86::r10), x86::r8);
  }
  as_.bind(none);
}
/// In lane_by_lane(): all lanes add the same number (ESI), so those of one place (scratch(0)) are one addition: the lock is most of its
/// cost.
void Emitter::add_for_place(bool wanted) {
  const Reg same = scratch(1);
  const auto place = x86::dword_ptr(x86::r11);
  if (wide_) {
    emit(I::kIdVpbroadcastd, same, x86::eax);
    emit(I::kIdVpcmpeqd, x86::k7, same, scratch(0));
    emit(I::kIdKmovw, x86::eax, x86::k7);
  } else {
    emit(I::kIdVmovd, same.xmm(), x86::eax);
    emit(I::kIdVpbroadcastd, same, same.xmm());
    emit(I::kIdVpcmpeqd, same, same, scratch(0));
    emit(I::kIdVmovmskps, x86::eax, same);
  }
  emit(I::kIdAnd, x86::eax, x86::ecx);
  emit(I::kIdXor, x86::ecx, x86::eax);
  emit(I::kIdPopcnt, x86::r8d, x86::eax);
  emit(I::kIdInc, x86::r8d);
  emit(I::kIdImul, x86::r8d, x86::esi);
  if (!wanted) {
    as_.lock().add(place, x86::r8d);
    return;
  }
  as_.lock().xadd(place, x86::r8d);
  const asmjit::Label next = as_.newLabel(), done = as_.newLabel();
  as_.bind(next);
  emit(I::kIdMov, frame_lane(3), x86::r8d);
  emit(I::kIdTest, x86::eax, x86::eax);
  as_.jz(done);
  lowest_bit(x86::edx, x86::eax);
  emit(I::kIdBtr, x86::eax, x86::edx);
  emit(I::kIdAdd, x86::r8d, x86::esi);
  as_.jmp(next);
  as_.bind(done);
}
/// In R8D, of floats in R8D and ESI.
void Emitter::float_atomic(InstId id, bool is_extreme) {
  const auto old = scratch(0).xmm(), b = scratch(1).xmm();
  const asmjit::Label number = as_.newLabel(), done = as_.newLabel();
  emit(I::kIdVmovd, old, x86::r8d);
  emit(I::kIdVmovd, b, x86::esi);
  if (is_extreme) {  // the instruction gives b where one is NaN; the sum flushes
    const asmjit::Label both = as_.newLabel();
    Mem zero = constant_bits(0x80000000u);
    zero.setSize(4);
    emit(I::kIdVucomiss, b, b);
    as_.jnp(both);
    emit(I::kIdVaddss, old, old, zero);
    as_.jmp(number);
    as_.bind(both);
  }
  emit(id, old, old, b);
  as_.bind(number);
  emit(I::kIdVmovd, x86::r8d, old);
  emit(I::kIdVucomiss, old, old);
  as_.jnp(done);
  emit(I::kIdMov, x86::r8d, imm(0x7FFFFFFFu));
  as_.bind(done);
}

/// R8, of R8, RSI and R10.
void Emitter::combine_64(Atomic64 op) {
  const auto choose = [&](InstId cmov) {
    emit(I::kIdCmp, x86::r8, x86::rsi);
    emit(cmov, x86::r8, x86::rsi);
  };
  switch (op) {
    case Atomic64::add: return void(emit(I::kIdAdd, x86::r8, x86::rsi));
    case Atomic64::imin: return choose(I::kIdCmovg);
    case Atomic64::imax: return choose(I::kIdCmovl);
    case Atomic64::umin: return choose(I::kIdCmova);
    case Atomic64::umax: return choose(I::kIdCmovb);
    case Atomic64::bit_and: return void(emit(I::kIdAnd, x86::r8, x86::rsi));
    case Atomic64::bit_or: return void(emit(I::kIdOr, x86::r8, x86::rsi));
    case Atomic64::bit_xor: return void(emit(I::kIdXor, x86::r8, x86::rsi));
    case Atomic64::exchange: return void(emit(I::kIdMov, x86::r8, x86::rsi));
    case Atomic64::compare_exchange:
      emit(I::kIdCmp, x86::r8, x86::r10);
      emit(I::kIdCmove, x86::r8, x86::rsi);
      return;
    case Atomic64::mul: return void(emit(I::kIdImul, x86::r8, x86::rsi));
  }
}

/// Rows of lower and of upper words to numbers in the frame.
void Emitter::numbers_to_frame(uint8_t p, uint32_t from, int row) {
  const Reg s = scratch(0), t = scratch(1);
  const auto words = [&](uint32_t at) { return this->at(p, at + uint32_t(32 * half_)); };
  const int32_t to = lanes_at_ + 64 * row;
  if (wide_) {
    for (uint32_t half = 0; half < 2; ++half) {
      std::array<uint32_t, kLanes> lanes;
      for (uint32_t l = 0; l < kLanes; ++l) lanes[l] = l / 2 + 8 * half + (l % 2 ? kLanes : 0);
      emit(I::kIdVmovups, t, words(from));
      emit(I::kIdVmovaps, s, table_of(lanes));
      emit(I::kIdVpermi2ps, s, t, words(from + 64));
      emit(I::kIdVmovaps, x86::ptr(x86::rsp, to + int32_t(64 * half)), s);
    }
    return;
  }
  for (const bool high : {false, true}) {
    emit(I::kIdVmovups, s, words(from));
    emit(high ? I::kIdVunpckhps : I::kIdVunpcklps, s, s, words(from + 64));
    emit(I::kIdVmovaps, x86::ptr(x86::rsp, to + (high ? 16 : 0)), s.xmm());
    emit(I::kIdVextractf128, x86::ptr(x86::rsp, to + (high ? 48 : 32)), s, imm(1));
  }
}
/// Whether the program reads what atomic operations found in memory.
bool Emitter::reads_atomic_results(uint8_t p) const {
  return std::any_of(program_.nodes.begin(), program_.nodes.end(),
                     [&](const Node& n) { return n.op == Op::lanes && n.p == p && n.imm >= Atomic64Rows::out; });
}

/// Operands and results stay in memory: lanes are numbers of one word. What would not change is only read, and numbers that are added at
/// one place are one addition for lanes after each other.
void Emitter::atomic_64(int32_t, const Node& n) {
  constexpr int kB = 1, kC = 3;  // rows of the frame, two each
  const auto op = Atomic64(n.b);
  const bool own = program_.buffers[n.imm].own, wanted = reads_atomic_results(n.p);
  const auto number = [&](int row) {
    const int32_t at = lanes_at_ + 64 * row;
    return lane_ < 0 ? x86::qword_ptr(x86::rsp, x86::rdx, 3, at) : x86::qword_ptr(x86::rsp, at + 8 * lane_);
  };
  numbers_to_frame(n.p, Atomic64Rows::b, kB);
  if (op == Atomic64::compare_exchange) numbers_to_frame(n.p, Atomic64Rows::c, kC);
  if (wanted) {
    emit(I::kIdVxorps, scratch(0), scratch(0), scratch(0));
    for (const uint32_t at : {Atomic64Rows::out, Atomic64Rows::out + 64})
      emit(I::kIdVmovups, this->at(n.p, at + uint32_t(32 * half_)), scratch(0));
  }
  const bool in_runs = op == Atomic64::add && !own && !wanted;
  if (in_runs) emit(I::kIdXor, x86::r10d, x86::r10d);
  const auto place = x86::qword_ptr(x86::r11);
  lane_by_lane(n, 8, !in_runs && !wanted, [&] {
    const asmjit::Label again = as_.newLabel(), plain = as_.newLabel(), done = as_.newLabel();
    emit(I::kIdMov, x86::rsi, number(kB));
    if (in_runs) return add_in_run(8);
    if (op == Atomic64::compare_exchange) emit(I::kIdMov, x86::r10, number(kC));
    emit(I::kIdMov, x86::rax, place);
    as_.bind(again);
    emit(I::kIdMov, x86::r8, x86::rax);
    combine_64(op);
    if (!own) {
      emit(I::kIdCmp, x86::r8, x86::rax);
      as_.je(done);
      emit(I::kIdTest, x86::r11b, imm(7));  // a lock would hold up the whole machine
      as_.jnz(plain);
      as_.lock().cmpxchg(place, x86::r8);
      as_.jnz(again);
      as_.jmp(done);
    }
    as_.bind(plain);
    emit(I::kIdMov, place, x86::r8);
    as_.bind(done);
    if (!wanted) return;
    const Gp rows = pointer(n.p, x86::r8);
    const auto word = [&](uint32_t at) { return x86::dword_ptr(rows, x86::rdx, 2, int32_t(at) + 32 * half_); };
    emit(I::kIdMov, word(Atomic64Rows::out), x86::eax);
    emit(I::kIdShr, x86::rax, imm(32));
    emit(I::kIdMov, word(Atomic64Rows::out + 64), x86::eax);
  });
  if (in_runs) end_run(8);
  release_dead(n);
}

void Emitter::choose(InstId cmov) {
  emit(I::kIdCmp, x86::r8d, x86::esi);
  emit(cmov, x86::r8d, x86::esi);
}
void Emitter::exchange_if_equal() {
  emit(I::kIdCmp, x86::r8d, x86::r10d);
  emit(I::kIdCmove, x86::r8d, x86::esi);
}

}  // namespace pumice::hw::fast::lane
