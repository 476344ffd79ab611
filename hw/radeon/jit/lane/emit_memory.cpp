// SPDX-License-Identifier: MIT
/// Memory: of the routine by pointers, of the program by buffers.
#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

/// Reads that are emitted here; the others are operands of their users.
void Emitter::lanes(int32_t i, const Node& n) { emit(I::kIdVmovups, vec(result(i)), at(n.p, n.imm + uint32_t(32 * half_))); }
void Emitter::store(int32_t, const Node& n) {
  const Reg x = vec(in_register(n.a));
  emit(I::kIdVmovups, at(n.p, n.imm + uint32_t(32 * half_)), x);
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

void Emitter::scatter(int32_t, const Node& n) {
  const Reg index = vec(in_register(n.a)), x = vec(in_register(n.b));
  const int8_t m = in_register(n.c);
  const Gp base = pointer(n.p, x86::rax);
  if (wide_) {
    emit(I::kIdKmovw, x86::k7, k(m));
    as_.k(x86::k7);
    emit(I::kIdVscatterdps, x86::ptr(base, index, 0, int32_t(n.imm)), x);
    return release_dead(n);
  }
  // AVX2 has none: lane by lane, through the offsets and values in memory.
  const Mem offsets = x86::ptr(x86::rsp, lanes_at_), values = x86::ptr(x86::rsp, lanes_at_ + 32);
  emit(I::kIdVmovaps, offsets, index);
  emit(I::kIdVmovaps, values, x);
  emit(I::kIdVmovmskps, x86::ecx, vec(m));
  for (int l = 0; l < 8; ++l) {
    const asmjit::Label next = as_.newLabel();
    emit(I::kIdTest, x86::ecx, imm(1 << l));
    as_.jz(next);
    emit(I::kIdMov, x86::edx, x86::dword_ptr(x86::rsp, lanes_at_ + 4 * l));
    emit(I::kIdMov, x86::esi, x86::dword_ptr(x86::rsp, lanes_at_ + 32 + 4 * l));
    emit(I::kIdMov, x86::dword_ptr(base, x86::rdx, 0, int32_t(n.imm)), x86::esi);
    as_.bind(next);
  }
  release_dead(n);
}

// ---- Buffers ---------------------------------------------------------------------------------------------------------------------

/// The view's address and size into registers; both 0 when there is none.
void Emitter::view(const Program::Buffer& b, Gp base, Gp size) {
  const auto offset = int32_t(b.offset), size_at = offset + int32_t(sizeof(void*));
  if (b.index < 0) {
    const Gp from = pointer(b.p, base);
    emit(I::kIdMov, size, x86::dword_ptr(from, size_at));
    emit(I::kIdMov, base, x86::qword_ptr(from, offset));
    return;
  }
  const asmjit::Label outside = as_.newLabel(), done = as_.newLabel();
  emit(I::kIdMov, size, scalar(b.index));
  emit(I::kIdCmp, size, imm(b.count));
  as_.jae(outside);
  emit(I::kIdImul, size.r64(), size.r64(), imm(b.stride));
  const Gp from = pointer(b.p, base);
  as_.lea(base, x86::ptr(from, size.r64()));
  emit(I::kIdMov, size, x86::dword_ptr(base, size_at));
  emit(I::kIdMov, base, x86::qword_ptr(base, offset));
  as_.jmp(done);
  as_.bind(outside);
  emit(I::kIdXor, size, size);
  emit(I::kIdXor, base.r32(), base.r32());
  as_.bind(done);
}

/// Where the lanes' aligned dwords are: an address in RCX and signed indices in scratch(0), which are 2^31 less while the address is 2^31
/// more. Active lanes within bounds: k7, or scratch(1) on AVX2.
void Emitter::places(const Node& n, uint32_t size, Reg offset, int8_t mask) {
  constexpr uint32_t kSign = 0x80000000u;
  const Reg s = scratch(0), t = scratch(1);
  view(program_.buffers[n.imm], x86::rcx, x86::eax);
  if (size > 1) emit(I::kIdAnd, x86::eax, imm(-int32_t(size)));
  if (!wide_) emit(I::kIdXor, x86::eax, imm(kSign));
  emit(I::kIdMov, x86::edx, imm(kSign));
  emit(I::kIdAdd, x86::rcx, x86::rdx);
  const Reg place = displacement(n) ? s : offset;
  if (displacement(n)) emit(I::kIdVpaddd, s, offset, constant_operand(displacement(n)));
  if (wide_) {
    emit(I::kIdVpbroadcastd, t, x86::eax);
    as_.k(k(mask));
    emit(I::kIdVpcmpud, x86::k7, place, t, imm(1));
  }
  emit(I::kIdVxorps, s, place, constant_operand(kSign));
  if (!wide_) {
    emit(I::kIdVmovd, t.xmm(), x86::eax);
    emit(I::kIdVpbroadcastd, t, t.xmm());
    emit(I::kIdVpcmpgtd, t, t, s);
    emit(I::kIdVandps, t, t, vec(mask));
  }
  emit(I::kIdVandps, s, s, constant_operand(~3u));
}

/// AVX2, after places(): jumps where the lanes' places do not follow each other; else RCX + RDX is the first one. `t` is lost.
void Emitter::jump_unless_in_turn(Reg t, asmjit::Label apart) {
  const Reg s = scratch(0);
  std::array<uint32_t, kLanes> in_turn;
  for (uint32_t l = 0; l < kLanes; ++l) in_turn[l] = 4 * (l % 8);
  emit(I::kIdVmovd, x86::edx, s.xmm());
  emit(I::kIdVpbroadcastd, t, s.xmm());
  emit(I::kIdVpaddd, t, t, table_of(in_turn));
  emit(I::kIdVpcmpeqd, t, t, s);
  emit(I::kIdVmovmskps, x86::eax, t);
  emit(I::kIdCmp, x86::eax, imm(0xFF));
  as_.jne(apart);
  emit(I::kIdCmp, x86::edx, imm(kLastInTurn));
  as_.jg(apart);
  emit(I::kIdMovsxd, x86::rdx, x86::edx);
}

/// Gathered; on AVX2, where it is likely, places that follow each other are one load: a gather of 8 dwords takes ten times as long on
/// Zen 3.
void Emitter::gather_dwords(Reg x, Reg offset, int8_t mask, const Node& n) {
  const Reg s = scratch(0);
  places(n, 4, offset, mask);
  const asmjit::Label apart = as_.newLabel(), done = as_.newLabel();
  if (!wide_ && program_.stores_in_turn && !stride_of(n)) {
    jump_unless_in_turn(x, apart);
    emit(I::kIdVpmaskmovd, x, scratch(1), x86::ptr(x86::rcx, x86::rdx));
    as_.jmp(done);
    as_.bind(apart);
  }
  emit(I::kIdVxorps, x, x, x);
  if (wide_) {
    as_.k(x86::k7);
    emit(I::kIdVgatherdps, x, x86::ptr(x86::rcx, s));
  } else {
    emit(I::kIdVgatherdps, x, x86::ptr(x86::rcx, s), scratch(1));
  }
  as_.bind(done);
}

/// Of less than a dword the aligned one around it is read.
void Emitter::gather_buffer(Reg x, uint32_t size, bool is_signed, Reg offset, int8_t mask, const Node& n) {
  const Reg s = scratch(0);
  if (size == 4) {
    const asmjit::Label done = as_.newLabel();
    if (!load_strided(x, offset, mask, n, done)) gather_dwords(x, offset, mask, n);
    as_.bind(done);
    return;
  }
  places(n, size, offset, mask);
  emit(I::kIdVxorps, x, x, x);
  if (wide_) {
    as_.k(x86::k7);
    emit(I::kIdVgatherdps, x, x86::ptr(x86::rcx, s));
  } else {
    emit(I::kIdVgatherdps, x, x86::ptr(x86::rcx, s), scratch(1));
  }
  emit(I::kIdVpslld, s, offset, imm(3));
  emit(I::kIdVandps, s, s, constant_operand(size == 1 ? 24 : 16));
  emit(I::kIdVpsrlvd, x, x, s);
  if (is_signed) {
    emit(I::kIdVpslld, x, x, imm(32 - 8 * size));
    emit(I::kIdVpsrad, x, x, imm(32 - 8 * size));
  } else {
    emit(I::kIdVandps, x, x, constant_operand((1u << 8 * size) - 1));
  }
}

void Emitter::load_buffer(int32_t i, const Node& n, uint32_t size, bool is_signed) {
  if (group_[size_t(i)]) return load_group(i, n);
  if (is_joined(size_t(i))) return release_dead(n);
  const Reg offset = vec(in_register(n.a));
  const int8_t m = in_register(n.c);
  const Reg x = vec(result(i));  // not the offsets: taken before they are released
  gather_buffer(x, size, is_signed, offset, m, n);
  release_dead(n);
}

/// Offsets and, where they are values, the other operands go to the frame. `access` is code for each active lane whose place is in bounds,
/// with the place's address in R11; it leaves RCX, RDX, RDI and R9 alone, and finds what the lane has at frame_lane(). `short_access`: it
/// is made for each lane besides, for when all are active and in bounds, since rounds of a loop take longer than it.
void Emitter::lane_by_lane(const Node& n, uint32_t size, bool short_access, const std::function<void()>& access) {
  const bool masked = lane::operation(n.op).signature.c == Role::mask;
  const Reg s = scratch(0), t = scratch(1), offset = vec(in_register(n.a));
  if (lane::operation(n.op).signature.b == Role::value) emit(I::kIdVmovaps, frame_lanes(1), vec(in_register(n.b)));
  const int8_t c = in_register(n.c);
  if (!masked) emit(I::kIdVmovaps, frame_lanes(2), vec(c));
  view(program_.buffers[n.imm], x86::rdi, x86::r9d);
  if (size > 1) emit(I::kIdAnd, x86::r9d, imm(-int32_t(size)));
  const uint32_t more = has_displacement(n.op) ? displacement(n) : 0;
  const asmjit::Label next = as_.newLabel(), out = as_.newLabel(), some = as_.newLabel(), done = as_.newLabel();
  const int32_t all = wide_ ? 0xFFFF : 0xFF;
  if (short_access) {
    if (more) emit(I::kIdVpaddd, s, offset, constant_operand(more));
    emit(I::kIdVandps, s, more ? s : offset, constant_operand(0u - size));
    emit(I::kIdVmovaps, frame_lanes(0), s);
    if (wide_) {
      emit(I::kIdVpbroadcastd, t, x86::r9d);
      if (masked) as_.k(k(c));
      emit(I::kIdVpcmpud, x86::k7, s, t, imm(1));
      emit(I::kIdKmovw, x86::ecx, x86::k7);
    } else {
      emit(I::kIdVmovd, t.xmm(), x86::r9d);
      emit(I::kIdVpbroadcastd, t, t.xmm());
      emit(I::kIdVpmaxud, t, t, s);
      emit(I::kIdVpcmpeqd, t, t, s);
      if (masked) emit(I::kIdVandnps, t, t, vec(c));
      emit(I::kIdVmovmskps, x86::ecx, t);
      if (!masked) emit(I::kIdXor, x86::ecx, imm(all));
    }
    emit(I::kIdCmp, x86::ecx, imm(all));
    as_.jne(some);
    for (lane_ = 0; lane_ < int32_t(lanes_in_register()); ++lane_) {
      emit(I::kIdMov, x86::eax, frame_lane(0));
      as_.lea(x86::r11, x86::ptr(x86::rdi, x86::rax));
      access();
    }
    lane_ = -1;
    as_.jmp(done);
    as_.bind(some);
  } else {
    emit(I::kIdVmovaps, frame_lanes(0), offset);
    if (!masked)
      emit(I::kIdMov, x86::ecx, imm(all));
    else if (wide_)
      emit(I::kIdKmovw, x86::ecx, k(c));
    else
      emit(I::kIdVmovmskps, x86::ecx, vec(c));
  }
  emit(I::kIdTest, x86::ecx, x86::ecx);
  as_.jz(done);
  as_.bind(next);
  lowest_bit(x86::edx, x86::ecx);
  as_.lea(x86::r11d, x86::ptr(x86::rcx, -1));
  emit(I::kIdMov, x86::eax, frame_lane(0));
  emit(I::kIdAnd, x86::ecx, x86::r11d);
  if (!short_access) {
    if (more) emit(I::kIdAdd, x86::eax, imm(more));
    if (size > 1) emit(I::kIdAnd, x86::eax, imm(-int32_t(size)));
    emit(I::kIdCmp, x86::eax, x86::r9d);
    as_.jae(out);
  }
  as_.lea(x86::r11, x86::ptr(x86::rdi, x86::rax));
  access();
  as_.bind(out);
  emit(I::kIdTest, x86::ecx, x86::ecx);
  as_.jnz(next);
  as_.bind(done);
}

/// Of what is not 0: TZCNT is BSF on processors that have only that.
void Emitter::lowest_bit(Gp to, Gp from) { emit(I::kIdTzcnt, to, from); }

void Emitter::scatter_buffer(const Node& n, uint32_t size) {
  if (size == 4) return store_dwords(n);
  lane_by_lane(n, size, true, [&] {
    emit(I::kIdMov, x86::esi, frame_lane(1));
    if (size == 2)
      emit(I::kIdMov, x86::word_ptr(x86::r11), x86::si);
    else
      emit(I::kIdMov, x86::byte_ptr(x86::r11), x86::sil);
  });
}
void Emitter::store_buffer(int32_t i, const Node& n, uint32_t size) {
  if (group_[size_t(i)]) {
    if (wide_) return store_group(i, n);
    if (half_ == 0) store_group_by_halves(i, n);
    return;
  }
  if (is_joined(size_t(i))) {
    if (wide_) release_dead(n);
    return;
  }
  scatter_buffer(n, size);
  release_dead(n);
}

}  // namespace pumice::hw::fast::lane
