// SPDX-License-Identifier: MIT
/// Loads and stores of a block of 4x4 places: a row is one access (Builder::load_rows).
#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

/// Addresses of the rows.
constexpr x86::Gp kRows[] = {x86::r8, x86::r9, x86::r10, x86::r11};
/// VPERMQ by it exchanges the middle pairs of dwords of both halves: quads to rows and back.
constexpr int kRowsAndQuads = 0xD8;

}  // namespace

/// kRows, two of them on AVX2. Jumps to `outside` where the last place is beyond the end.
void Emitter::row_places(const Node& n, uint32_t size, Reg offset, asmjit::Label outside) {
  const auto lane = [&](int l) { return x86::dword_ptr(x86::rsp, lanes_at_ + 4 * l); };
  emit(I::kIdVmovaps, frame_lanes(0), offset);
  view(program_.buffers[n.imm], x86::rcx, x86::eax);
  emit(I::kIdMov, x86::edx, lane(wide_ ? 15 : 7));
  emit(I::kIdAdd, x86::rdx, imm(size));
  emit(I::kIdCmp, x86::rdx, x86::rax);
  as_.ja(outside);
  for (int r = 0; r < (wide_ ? 4 : 2); ++r) {
    emit(I::kIdMov, kRows[r].r32(), lane(2 * r + (r >= 2 ? 4 : 0)));
    emit(I::kIdAdd, kRows[r], x86::rcx);
  }
}

void Emitter::load_rows_of(int32_t i, const Node& n, uint32_t size) {
  const Reg offset = vec(in_register(n.a));
  const int8_t m = in_register(n.c);
  const Reg x = vec(result(i)), s = scratch(0), t = scratch(1);
  const asmjit::Label outside = as_.newLabel(), done = as_.newLabel();
  const int rows = wide_ ? 4 : 2;
  row_places(n, size, offset, outside);
  if (size == 1) {
    emit(I::kIdVmovd, s.xmm(), x86::dword_ptr(kRows[0]));
    for (int r = 1; r < rows; ++r) emit(I::kIdVpinsrd, s.xmm(), s.xmm(), x86::dword_ptr(kRows[r]), imm(r));
    emit(I::kIdVpmovzxbd, x, s.xmm());
  } else if (size == 2) {
    emit(I::kIdVmovq, s.xmm(), x86::qword_ptr(kRows[0]));
    emit(I::kIdVpinsrq, s.xmm(), s.xmm(), x86::qword_ptr(kRows[1]), imm(1));
    if (wide_) {
      emit(I::kIdVmovq, t.xmm(), x86::qword_ptr(kRows[2]));
      emit(I::kIdVpinsrq, t.xmm(), t.xmm(), x86::qword_ptr(kRows[3]), imm(1));
      emit(I::kIdVinserti32x4, s.ymm(), s.ymm(), t.xmm(), imm(1));
      emit(I::kIdVpmovzxwd, x, s.ymm());
    } else {
      emit(I::kIdVpmovzxwd, x, s.xmm());
    }
  } else if (wide_) {
    emit(I::kIdVbroadcasti32x4, x, x86::xmmword_ptr(kRows[0]));
    for (int r = 1; r < rows; ++r) emit(I::kIdVinserti32x4, x, x, x86::xmmword_ptr(kRows[r]), imm(r));
  } else {
    emit(I::kIdVmovups, x.xmm(), x86::xmmword_ptr(kRows[0]));
    emit(I::kIdVinserti128, x, x, x86::xmmword_ptr(kRows[1]), imm(1));
  }
  emit(I::kIdVpermq, x, x, imm(kRowsAndQuads));
  if (wide_) {
    as_.k(k(m)).z();
    emit(I::kIdVmovaps, x, x);
  } else {
    emit(I::kIdVandps, x, x, vec(m));
  }
  as_.jmp(done);
  as_.bind(outside);
  gather_buffer(x, size, false, offset, m, n);
  as_.bind(done);
  release_dead(n);
}

/// x: in rows. Both registers are lost.
void Emitter::store_whole_rows(Reg x, Reg t, uint32_t size) {
  const int rows = wide_ ? 4 : 2;
  if (wide_ && size == 4) {
    for (int r = 0; r < rows; ++r) emit(I::kIdVextracti32x4, x86::xmmword_ptr(kRows[r]), x, imm(r));
  } else if (wide_ && size == 2) {
    emit(I::kIdVpmovdw, t.ymm(), x);
    emit(I::kIdVextracti32x4, x.xmm(), t.ymm(), imm(1));
    for (int r = 0; r < rows; ++r) {
      const Reg half = r < 2 ? t.xmm() : x.xmm();
      if (r % 2 == 0)
        emit(I::kIdVmovq, x86::qword_ptr(kRows[r]), half);
      else
        emit(I::kIdVpextrq, x86::qword_ptr(kRows[r]), half, imm(1));
    }
  } else if (wide_) {
    emit(I::kIdVpmovdb, t.xmm(), x);
    emit(I::kIdVmovd, x86::dword_ptr(kRows[0]), t.xmm());
    for (int r = 1; r < rows; ++r) emit(I::kIdVpextrd, x86::dword_ptr(kRows[r]), t.xmm(), imm(r));
  } else {
    if (size < 4) {
      emit(I::kIdVandps, x, x, constant_operand((1u << 8 * size) - 1));
      emit(I::kIdVpackusdw, x, x, x);
      if (size == 1) emit(I::kIdVpackuswb, x, x, x);
    }
    for (int r = 0; r < rows; ++r) {
      if (r) emit(I::kIdVextracti128, x.xmm(), x, imm(1));
      if (size == 4)
        emit(I::kIdVmovups, x86::xmmword_ptr(kRows[r]), x.xmm());
      else if (size == 2)
        emit(I::kIdVmovq, x86::qword_ptr(kRows[r]), x.xmm());
      else
        emit(I::kIdVmovd, x86::dword_ptr(kRows[r]), x.xmm());
    }
  }
}

/// Of words and bytes on AVX-512 alone.
void Emitter::store_masked_rows(Reg x, Reg t, int8_t mask, uint32_t size) {
  if (!wide_) {
    emit(I::kIdVpermq, t, vec(mask), imm(kRowsAndQuads));
    emit(I::kIdVpmaskmovd, x86::xmmword_ptr(kRows[0]), t.xmm(), x.xmm());
    emit(I::kIdVextracti128, x.xmm(), x, imm(1));
    emit(I::kIdVextracti128, t.xmm(), t, imm(1));
    emit(I::kIdVpmaskmovd, x86::xmmword_ptr(kRows[1]), t.xmm(), x.xmm());
    return;
  }
  // The mask's bits by rows: pairs 2, 3 and 4, 5 of each byte exchanged.
  emit(I::kIdKmovw, x86::eax, k(mask));
  emit(I::kIdMov, x86::edx, x86::eax);
  emit(I::kIdShr, x86::edx, imm(2));
  emit(I::kIdXor, x86::edx, x86::eax);
  emit(I::kIdAnd, x86::edx, imm(0x0C0C));
  emit(I::kIdXor, x86::eax, x86::edx);
  emit(I::kIdShl, x86::edx, imm(2));
  emit(I::kIdXor, x86::eax, x86::edx);
  if (size == 1) emit(I::kIdVpmovdb, t.xmm(), x);
  if (size == 2) emit(I::kIdVpmovdw, t.ymm(), x);
  for (int r = 0; r < 4; ++r) {
    // Bits of other rows would be those of what lies behind this one.
    emit(I::kIdMov, x86::edx, x86::eax);
    emit(I::kIdAnd, x86::edx, imm(15));
    emit(I::kIdKmovw, x86::k7, x86::edx);
    if (r < 3) emit(I::kIdShr, x86::eax, imm(4));
    if (size == 2 && r == 2) emit(I::kIdVextracti32x4, t.xmm(), t.ymm(), imm(1));
    const Reg row = size == 2 && r % 2 ? x.xmm() : t.xmm();
    if (size == 2 && r % 2) emit(I::kIdVpsrldq, row, t.xmm(), imm(8));
    as_.k(x86::k7);
    if (size == 4)
      emit(I::kIdVextracti32x4, x86::xmmword_ptr(kRows[r]), x, imm(r));
    else
      emit(size == 2 ? I::kIdVmovdqu16 : I::kIdVmovdqu8, x86::xmmword_ptr(kRows[r]), row);
    if (size == 1 && r < 3) emit(I::kIdVpsrldq, t.xmm(), t.xmm(), imm(4));
  }
}

void Emitter::store_rows_of(const Node& n, uint32_t size) {
  const Reg offset = vec(in_register(n.a)), v = vec(in_register(n.b)), x = scratch(0), t = scratch(1);
  const int8_t m = in_register(n.c);
  const asmjit::Label outside = as_.newLabel(), some = as_.newLabel(), done = as_.newLabel();
  const bool has_masked = wide_ || size == 4;
  row_places(n, size, offset, outside);
  if (wide_) {
    emit(I::kIdKortestw, k(m), k(m));
    emit(I::kIdVpermq, x, v, imm(kRowsAndQuads));
    as_.jnc(some);
  } else {
    emit(I::kIdVmovmskps, x86::eax, vec(m));
    emit(I::kIdVpermq, x, v, imm(kRowsAndQuads));
    emit(I::kIdCmp, x86::eax, imm(0xFF));
    as_.jne(has_masked ? some : outside);
  }
  store_whole_rows(x, t, size);
  as_.jmp(done);
  as_.bind(some);
  if (has_masked) {
    store_masked_rows(x, t, m, size);
    as_.jmp(done);
  }
  as_.bind(outside);
  scatter_buffer(n, size);
  as_.bind(done);
  release_dead(n);
}

}  // namespace pumice::hw::fast::lane
