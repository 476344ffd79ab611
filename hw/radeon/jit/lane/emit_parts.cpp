// SPDX-License-Identifier: MIT
/// Loads and stores of pixels of two and four dwords in a block of 4x4 (Builder::load_pixels).
#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

bool Emitter::offsets_in_memory(const Node& n) const {
  const Node& from = program_.nodes[size_t(n.a)];
  return from.op == Op::lanes && lane::is_remade(from);
}

/// kRows: offsets of the quads' dwords, two on AVX2. RCX: the buffer.
void Emitter::part_places(const Node& n, Reg offset) {
  const Part part = part_of(n.op);
  const Node& from = program_.nodes[size_t(n.a)];
  Gp base = x86::rsp;
  int32_t at = lanes_at_;
  if (offsets_in_memory(n)) {
    base = pointer(from.p, x86::rax);
    at = int32_t(from.imm) + 32 * half_;
  } else {
    emit(I::kIdVmovaps, frame_lanes(0), offset);
  }
  for (int q = 0; q < (wide_ ? 4 : 2); ++q) emit(I::kIdMov, kRows[q].r32(), x86::dword_ptr(base, at + 4 * (4 * q + int(part.first))));
  const Program::Buffer& buffer = program_.buffers[n.imm];
  view(buffer, x86::rcx, x86::eax);
  if (!buffer.is_block()) return;
  emit(I::kIdMov, x86::eax, x86::dword_ptr(pointer(uint8_t(buffer.rows_p), x86::rax), int32_t(buffer.rows + offsetof(BlockRows, first))));
  emit(I::kIdAdd, x86::rcx, x86::rax);
}

/// The mask of the pixels as one of the dwords: k7, or scratch(1) on AVX2. AVX-512: carry when all are in it.
void Emitter::part_mask(int8_t mask, Part part) {
  if (!wide_) return emit(I::kIdVpermilps, scratch(1), vec(mask), imm(int(part.first) * 0x55 + (part.pair ? 0x50 : 0)));
  emit(I::kIdKmovw, x86::eax, k(mask));
  if (part.first) emit(I::kIdShr, x86::eax, imm(part.first));
  if (part.pair) {
    emit(I::kIdMov, x86::edx, x86::eax);
    emit(I::kIdAnd, x86::eax, imm(0x1111));
    emit(I::kIdAnd, x86::edx, imm(0x2222));
    as_.lea(x86::eax, x86::ptr(x86::rax, x86::rax, 1));
    as_.lea(x86::edx, x86::ptr(x86::rdx, x86::rdx, 1));
    as_.lea(x86::eax, x86::ptr(x86::rax, x86::rdx, 1));
  } else {
    emit(I::kIdAnd, x86::eax, imm(0x1111));
    emit(I::kIdImul, x86::eax, x86::eax, imm(15));
  }
  emit(I::kIdKmovw, x86::k7, x86::eax);
}

/// Pixels 2k and 2k + 1 of two quads side by side are a row of a block: of rows k and 2 + k, AVX2 of row k of the half.
void Emitter::pair_rows(const Node& n) {
  block_rows(program_.buffers[n.imm]);
  const size_t k = part_of(n.op).first / 2;
  row_ = {row_[k], row_[wide_ ? 2 + k : k]};
}

void Emitter::load_pair_rows(int32_t i, const Node& n) {
  const bool all = is_all(n.c);
  const int8_t m = all ? int8_t{-1} : in_register(n.c);
  const Reg x = vec(result(i)), t = scratch(1);
  pair_rows(n);
  emit(I::kIdVmovups, x.ymm(), row_[0]);
  if (wide_) emit(I::kIdVinsertf64x4, x, x, row_[1], imm(1));
  if (!all) {
    part_mask(m, part_of(n.op));
    if (wide_) {
      as_.k(x86::k7).z();
      emit(I::kIdVmovaps, x, x);
    } else {
      emit(I::kIdVandps, x, x, t);
    }
  }
  release_dead(n);
}

void Emitter::store_pair_rows(const Node& n) {
  const bool all = is_all(n.c);
  const Reg v = vec(in_register(n.b)), s = scratch(0), t = scratch(1);
  const int8_t m = all ? int8_t{-1} : in_register(n.c);
  const asmjit::Label some = as_.newLabel(), done = as_.newLabel();
  pair_rows(n);
  if (wide_ && !all) {
    emit(I::kIdKortestw, k(m), k(m));
    as_.jnc(some);
  }
  if (!wide_) {
    if (!all) {
      part_mask(m, part_of(n.op));
      emit(I::kIdVmovmskps, x86::eax, t);
      emit(I::kIdCmp, x86::eax, imm(0xFF));
      as_.jne(some);
    }
    emit(I::kIdVmovups, row_[0], v);
    if (!all) {
      as_.jmp(done);
      as_.bind(some);
      emit(I::kIdVmovups, s, row_[0]);
      emit(I::kIdVblendvps, s, s, v, t);
      emit(I::kIdVmovups, row_[0], s);
    }
  } else {
    emit(I::kIdVmovups, row_[0], v.ymm());
    emit(I::kIdVextractf64x4, row_[1], v, imm(1));
    if (!all) {
      as_.jmp(done);
      as_.bind(some);
      part_mask(m, part_of(n.op));
      pair_rows(n);  // the mask takes registers of the rows
      as_.k(x86::k7);
      emit(I::kIdVmovups, row_[0], v.ymm());
      emit(I::kIdVextractf64x4, s.ymm(), v, imm(1));
      emit(I::kIdKshiftrw, x86::k7, x86::k7, imm(8));
      as_.k(x86::k7);
      emit(I::kIdVmovups, row_[1], s.ymm());
    }
  }
  as_.bind(done);
}

void Emitter::load_part(int32_t i, const Node& n) {
  if (part_of(n.op).pair && program_.buffers[n.imm].is_block()) return load_pair_rows(i, n);
  const Reg offset = vec(in_register(n.a));
  const int8_t m = in_register(n.c);
  const Reg x = vec(result(i));
  part_places(n, offset);
  if (wide_) {
    const asmjit::Label some = as_.newLabel(), done = as_.newLabel();
    emit(I::kIdKortestw, k(m), k(m));
    as_.jnc(some);
    emit(I::kIdVmovups, x.xmm(), x86::ptr(x86::rcx, kRows[0]));
    for (int q = 1; q < 4; ++q) emit(I::kIdVinserti32x4, x, x, x86::ptr(x86::rcx, kRows[q]), imm(q));
    as_.jmp(done);
    as_.bind(some);
    part_mask(m, part_of(n.op));
    // Offsets of lanes outside the mask may not be readable: masked moves do not fault there, insertions do.
    for (int q = 0; q < 4; ++q) {
      const Reg to = q ? scratch(0).xmm() : x.xmm();
      as_.k(x86::k7).z();
      emit(I::kIdVmovups, to, x86::ptr(x86::rcx, kRows[q]));
      if (q) emit(I::kIdVinserti32x4, x, x, to, imm(q));
      if (q < 3) emit(I::kIdKshiftrw, x86::k7, x86::k7, imm(4));
    }
    as_.bind(done);
  } else {
    const Reg s = scratch(0), t = scratch(1);
    part_mask(m, part_of(n.op));
    emit(I::kIdVpmaskmovd, x.xmm(), t.xmm(), x86::ptr(x86::rcx, kRows[0]));
    emit(I::kIdVextracti128, t.xmm(), t, imm(1));
    emit(I::kIdVpmaskmovd, s.xmm(), t.xmm(), x86::ptr(x86::rcx, kRows[1]));
    emit(I::kIdVinserti128, x, x, s.xmm(), imm(1));
  }
  release_dead(n);
}

/// AVX2: the four stores of a block's pixels of four dwords, which follow each other, with one test whether all pixels are in the mask.
/// False where they do not.
bool Emitter::store_pixels(int32_t i, const Node& n) {
  if (wide_ || n.op != Op::store_pixel_0 || !program_.buffers[n.imm].is_block() || is_all(n.c) || i + 3 > run_end_) return false;
  const auto node = [&](int32_t k) -> const Node& { return program_.nodes[size_t(i + k)]; };
  for (int32_t k = 1; k < 4; ++k)
    if (int(node(k).op) != int(n.op) + k || node(k).a != n.a || node(k).c != n.c || node(k).imm != n.imm) return false;
  const Reg m = vec(in_register(n.c));
  if (!offsets_in_memory(n)) in_register(n.a);
  Reg v[4];
  for (int32_t k = 0; k < 4; ++k) v[k] = vec(in_register(node(k).b));
  const asmjit::Label some = as_.newLabel(), done = as_.newLabel();
  emit(I::kIdVmovmskps, x86::eax, m);
  emit(I::kIdCmp, x86::eax, imm(0xFF));
  as_.jne(some);
  block_rows(program_.buffers[n.imm]);
  for (int32_t k = 0; k < 4; ++k) {
    Mem at = row_[size_t(k / 2)];
    at.addOffset(k % 2 * 16);
    emit(I::kIdVmovups, at, v[k].xmm());
    at.addOffset(32);
    emit(I::kIdVextractf128, at, v[k], imm(1));
  }
  as_.jmp(done);
  as_.bind(some);
  for (int32_t k = 0; k < 4; ++k) store_one_part(node(k));
  as_.bind(done);
  gathered_ = i + 4;
  return true;
}

void Emitter::store_part(int32_t i, const Node& n) {
  if (i >= gathered_ && !store_pixels(i, n)) store_one_part(n);
  release_dead(n);
}
void Emitter::store_one_part(const Node& n) {
  if (part_of(n.op).pair && program_.buffers[n.imm].is_block()) return store_pair_rows(n);
  const Reg offset = offsets_in_memory(n) ? scratch(0) : vec(in_register(n.a)), v = vec(in_register(n.b)), s = scratch(0), t = scratch(1);
  const int8_t m = in_register(n.c);
  const asmjit::Label some = as_.newLabel(), done = as_.newLabel();
  part_places(n, offset);
  if (wide_) {
    emit(I::kIdKortestw, k(m), k(m));
    as_.jnc(some);
    emit(I::kIdVmovups, x86::ptr(x86::rcx, kRows[0]), v.xmm());
    for (int q = 1; q < 4; ++q) emit(I::kIdVextracti32x4, x86::ptr(x86::rcx, kRows[q]), v, imm(q));
    as_.jmp(done);
    as_.bind(some);
    part_mask(m, part_of(n.op));
    for (int q = 0; q < 4; ++q) {
      const Reg from = q ? s.xmm() : v.xmm();
      if (q) emit(I::kIdVextracti32x4, from, v, imm(q));
      as_.k(x86::k7);
      emit(I::kIdVmovups, x86::ptr(x86::rcx, kRows[q]), from);
      if (q < 3) emit(I::kIdKshiftrw, x86::k7, x86::k7, imm(4));
    }
  } else {
    emit(I::kIdVextracti128, s.xmm(), v, imm(1));
    part_mask(m, part_of(n.op));
    emit(I::kIdVmovmskps, x86::eax, t);
    emit(I::kIdCmp, x86::eax, imm(0xFF));
    as_.jne(some);
    emit(I::kIdVmovups, x86::ptr(x86::rcx, kRows[0]), v.xmm());
    emit(I::kIdVmovups, x86::ptr(x86::rcx, kRows[1]), s.xmm());
    as_.jmp(done);
    as_.bind(some);
    emit(I::kIdVpmaskmovd, x86::ptr(x86::rcx, kRows[0]), t.xmm(), v.xmm());
    emit(I::kIdVextracti128, t.xmm(), t, imm(1));
    emit(I::kIdVpmaskmovd, x86::ptr(x86::rcx, kRows[1]), t.xmm(), s.xmm());
  }
  as_.bind(done);
}

}  // namespace pumice::hw::fast::lane
