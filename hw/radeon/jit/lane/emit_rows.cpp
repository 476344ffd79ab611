// SPDX-License-Identifier: MIT
/// Loads and stores of a block of 4x4 places: a row is one access (Builder::load_rows). Pixels of more dwords: emit_parts.cpp.
#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

/// VPERMQ by it exchanges the middle pairs of dwords of both halves: quads to rows and back.
constexpr int kRowsAndQuads = 0xD8;

}  // namespace

/// row_ by kRows, two of them on AVX2. Jumps to `outside` where the last place is beyond the end.
void Emitter::row_places(const Node& n, uint32_t size, Reg offset, asmjit::Label outside) {
  const Node& from = program_.nodes[size_t(n.a)];
  // Offsets in memory are read there: through the frame they would wait for the store.
  const bool is_memory = from.op == Op::lanes && lane::is_remade(from);
  Gp base = x86::rsp;
  int32_t at = lanes_at_;
  if (is_memory) {
    base = pointer(from.p, x86::rax);
    at = int32_t(from.imm) + 32 * half_;
  } else {
    emit(I::kIdVmovaps, frame_lanes(0), offset);
  }
  const int rows = wide_ ? 4 : 2;
  emit(I::kIdMov, x86::edx, x86::dword_ptr(base, at + 4 * (wide_ ? 15 : 7)));
  for (int r = 0; r < rows; ++r) emit(I::kIdMov, kRows[r].r32(), x86::dword_ptr(base, at + 4 * (2 * r + (r >= 2 ? 4 : 0))));
  view(program_.buffers[n.imm], x86::rcx, x86::eax);
  emit(I::kIdAdd, x86::rdx, imm(size));
  emit(I::kIdCmp, x86::rdx, x86::rax);
  as_.ja(outside);
  for (int r = 0; r < rows; ++r) {
    emit(I::kIdAdd, kRows[r], x86::rcx);
    row_[size_t(r)] = x86::ptr(kRows[r]);
  }
}

/// The rows of a block's buffer, two of them on AVX2. RAX, RCX, RDX and R8 change.
void Emitter::block_rows(const Program::Buffer& b) {
  const auto rows_at = int32_t(b.rows);
  emit(I::kIdMov, x86::rcx, x86::qword_ptr(pointer(b.p, x86::rcx), int32_t(b.offset)));
  const Gp rows = pointer(uint8_t(b.rows_p), x86::rdx);
  emit(I::kIdMov, x86::eax, x86::dword_ptr(rows, rows_at + int32_t(offsetof(BlockRows, first))));
  emit(I::kIdMov, x86::edx, x86::dword_ptr(rows, rows_at + int32_t(offsetof(BlockRows, pitch))));
  emit(I::kIdAdd, x86::rcx, x86::rax);
  if (wide_)
    as_.lea(x86::r8, x86::ptr(x86::rcx, x86::rdx, 1));
  else if (half_)
    as_.lea(x86::rcx, x86::ptr(x86::rcx, x86::rdx, 1));
  row_ = {x86::ptr(x86::rcx), x86::ptr(x86::rcx, x86::rdx), x86::ptr(x86::r8), x86::ptr(x86::r8, x86::rdx)};
}

bool Emitter::is_all(int32_t mask) const {
  const Node& n = program_.nodes[size_t(mask)];
  return n.op == Op::mask_constant && n.imm == 0xFFFF;
}

/// From row_, in quads. Both registers change.
void Emitter::load_whole_rows(Reg x, Reg t, uint32_t size) {
  const auto row = [&](int r, uint32_t bytes) {
    Mem m = row_[size_t(r)];
    m.setSize(bytes);
    return m;
  };
  const int rows = wide_ ? 4 : 2;
  if (size == 1) {
    emit(I::kIdVmovd, x.xmm(), row(0, 4));
    for (int r = 1; r < rows; ++r) emit(I::kIdVpinsrd, x.xmm(), x.xmm(), row(r, 4), imm(r));
    emit(I::kIdVpmovzxbd, x, x.xmm());
  } else if (size == 2) {
    emit(I::kIdVmovq, x.xmm(), row(0, 8));
    emit(I::kIdVpinsrq, x.xmm(), x.xmm(), row(1, 8), imm(1));
    if (wide_) {
      emit(I::kIdVmovq, t.xmm(), row(2, 8));
      emit(I::kIdVpinsrq, t.xmm(), t.xmm(), row(3, 8), imm(1));
      emit(I::kIdVinserti32x4, x.ymm(), x.ymm(), t.xmm(), imm(1));
      emit(I::kIdVpmovzxwd, x, x.ymm());
    } else {
      emit(I::kIdVpmovzxwd, x, x.xmm());
    }
  } else if (wide_) {
    emit(I::kIdVbroadcasti32x4, x, row(0, 16));
    for (int r = 1; r < rows; ++r) emit(I::kIdVinserti32x4, x, x, row(r, 16), imm(r));
  } else {
    emit(I::kIdVmovups, x.xmm(), row(0, 16));
    emit(I::kIdVinserti128, x, x, row(1, 16), imm(1));
  }
  emit(I::kIdVpermq, x, x, imm(kRowsAndQuads));
}

void Emitter::load_rows_of(int32_t i, const Node& n, uint32_t size) {
  const Program::Buffer& buffer = program_.buffers[n.imm];
  const asmjit::Label outside = as_.newLabel(), done = as_.newLabel();
  // Without bounds the offsets are not looked at.
  const Reg offset = buffer.is_block() ? Reg() : vec(in_register(n.a));
  const bool all = is_all(n.c);
  const int8_t m = all && buffer.is_block() ? int8_t{-1} : in_register(n.c);
  const Reg x = vec(result(i)), t = scratch(1);
  if (buffer.is_block())
    block_rows(buffer);
  else
    row_places(n, size, offset, outside);
  load_whole_rows(x, t, size);
  if (all) {
    // nothing to clear
  } else if (wide_) {
    as_.k(k(m)).z();
    emit(I::kIdVmovaps, x, x);
  } else {
    emit(I::kIdVandps, x, x, vec(m));
  }
  if (!buffer.is_block()) {
    as_.jmp(done);
    as_.bind(outside);
    gather_buffer(x, size, false, offset, m, n);
    as_.bind(done);
  }
  release_dead(n);
}

/// x: in rows. Both registers are lost.
void Emitter::store_whole_rows(Reg x, Reg t, uint32_t size) {
  const auto row = [&](int r, uint32_t bytes) {
    Mem m = row_[size_t(r)];
    m.setSize(bytes);
    return m;
  };
  const int rows = wide_ ? 4 : 2;
  if (wide_ && size == 4) {
    for (int r = 0; r < rows; ++r) emit(I::kIdVextracti32x4, row(r, 16), x, imm(r));
  } else if (wide_ && size == 2) {
    emit(I::kIdVpmovdw, t.ymm(), x);
    emit(I::kIdVextracti32x4, x.xmm(), t.ymm(), imm(1));
    for (int r = 0; r < rows; ++r) {
      const Reg half = r < 2 ? t.xmm() : x.xmm();
      if (r % 2 == 0)
        emit(I::kIdVmovq, row(r, 8), half);
      else
        emit(I::kIdVpextrq, row(r, 8), half, imm(1));
    }
  } else if (wide_) {
    emit(I::kIdVpmovdb, t.xmm(), x);
    emit(I::kIdVmovd, row(0, 4), t.xmm());
    for (int r = 1; r < rows; ++r) emit(I::kIdVpextrd, row(r, 4), t.xmm(), imm(r));
  } else {
    if (size < 4) {
      emit(I::kIdVandps, x, x, constant_operand((1u << 8 * size) - 1));
      emit(I::kIdVpackusdw, x, x, x);
      if (size == 1) emit(I::kIdVpackuswb, x, x, x);
    }
    for (int r = 0; r < rows; ++r) {
      if (r) emit(I::kIdVextracti128, x.xmm(), x, imm(1));
      if (size == 4)
        emit(I::kIdVmovups, row(r, 16), x.xmm());
      else if (size == 2)
        emit(I::kIdVmovq, row(r, 8), x.xmm());
      else
        emit(I::kIdVmovd, row(r, 4), x.xmm());
    }
  }
}

/// Of a block's buffer. AVX2: what is not in the mask is written back, as its masked stores are slow on some processors (AMD). AVX-512 does
/// not wait for memory that nothing reads.
void Emitter::store_block_rows(const Node& n, uint32_t size) {
  const Reg v = vec(in_register(n.b)), x = scratch(0), t = scratch(1);
  const bool all = is_all(n.c);
  const int8_t m = all ? int8_t{-1} : in_register(n.c);
  const asmjit::Label some = as_.newLabel();
  block_rows(program_.buffers[n.imm]);
  if (!all) {
    if (wide_) {
      emit(I::kIdKortestw, k(m), k(m));
      as_.jnc(some);
    } else {
      emit(I::kIdVmovmskps, x86::eax, vec(m));
      emit(I::kIdCmp, x86::eax, imm(0xFF));
      as_.jne(some);
    }
  }
  emit(I::kIdVpermq, x, v, imm(kRowsAndQuads));
  if (all) {
    store_whole_rows(x, t, size);
  } else if (wide_) {
    const asmjit::Label done = as_.newLabel();
    store_whole_rows(x, t, size);
    as_.jmp(done);
    as_.bind(some);
    emit(I::kIdVpermq, x, v, imm(kRowsAndQuads));
    store_masked_rows(x, t, m, size);
    as_.bind(done);
  } else {
    const asmjit::Label store = as_.newLabel();
    as_.jmp(store);
    as_.bind(some);
    load_whole_rows(x, t, size);
    emit(I::kIdVblendvps, x, x, v, vec(m));
    emit(I::kIdVpermq, x, x, imm(kRowsAndQuads));
    as_.bind(store);
    store_whole_rows(x, t, size);
  }
  release_dead(n);
}

/// Of words and bytes on AVX-512 alone.
void Emitter::store_masked_rows(Reg x, Reg t, int8_t mask, uint32_t size) {
  const auto row = [&](int r) {
    Mem m = row_[size_t(r)];
    m.setSize(16);
    return m;
  };
  if (!wide_) {
    emit(I::kIdVpermq, t, vec(mask), imm(kRowsAndQuads));
    emit(I::kIdVpmaskmovd, row(0), t.xmm(), x.xmm());
    emit(I::kIdVextracti128, x.xmm(), x, imm(1));
    emit(I::kIdVextracti128, t.xmm(), t, imm(1));
    emit(I::kIdVpmaskmovd, row(1), t.xmm(), x.xmm());
    return;
  }
  // The mask's bits by rows.
  emit(I::kIdVpmovm2d, t, k(mask));
  emit(I::kIdVpermq, t, t, imm(kRowsAndQuads));
  emit(I::kIdVpmovd2m, x86::k7, t);
  if (size == 4) {
    for (int r = 0; r < 4; ++r) {
      as_.k(x86::k7);
      emit(I::kIdVextracti32x4, row(r), x, imm(r));
      if (r < 3) emit(I::kIdKshiftrw, x86::k7, x86::k7, imm(4));
    }
    return;
  }
  emit(I::kIdKmovw, x86::eax, x86::k7);
  if (size == 1) emit(I::kIdVpmovdb, t.xmm(), x);
  if (size == 2) emit(I::kIdVpmovdw, t.ymm(), x);
  for (int r = 0; r < 4; ++r) {
    // Bits of other rows would mask memory beyond this one.
    emit(I::kIdMov, x86::esi, x86::eax);
    emit(I::kIdAnd, x86::esi, imm(15));
    emit(I::kIdKmovw, x86::k7, x86::esi);
    if (r < 3) emit(I::kIdShr, x86::eax, imm(4));
    if (size == 2 && r == 2) emit(I::kIdVextracti32x4, t.xmm(), t.ymm(), imm(1));
    const Reg from = size == 2 && r % 2 ? x.xmm() : t.xmm();
    if (size == 2 && r % 2) emit(I::kIdVpsrldq, from, t.xmm(), imm(8));
    as_.k(x86::k7);
    emit(size == 2 ? I::kIdVmovdqu16 : I::kIdVmovdqu8, row(r), from);
    if (size == 1 && r < 3) emit(I::kIdVpsrldq, t.xmm(), t.xmm(), imm(4));
  }
}

void Emitter::store_rows_of(const Node& n, uint32_t size) {
  if (program_.buffers[n.imm].is_block()) return store_block_rows(n, size);
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
