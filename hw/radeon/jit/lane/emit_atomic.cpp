// SPDX-License-Identifier: MIT
/// Atomic operations on buffers.
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
  lane_by_lane(n, 4, [&] {
    emit(I::kIdMov, x86::esi, frame_lane(1));
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
    if (n.op == Op::atomic_add || (n.op == Op::atomic_xor && !wanted)) {
      if (n.op == Op::atomic_add)
        as_.lock().add(place, x86::esi);
      else
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
  release_dead(n);
  const Reg x = vec(result(i));
  if (wanted) emit(I::kIdVmovaps, x, frame_lanes(3));
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
  emit(I::kIdBsf, x86::edx, x86::eax);
  as_.jz(done);
  emit(I::kIdBtr, x86::eax, x86::edx);
  emit(I::kIdAdd, x86::r8d, x86::esi);
  as_.jmp(next);
  as_.bind(done);
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
