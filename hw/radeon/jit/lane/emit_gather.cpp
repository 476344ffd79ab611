// SPDX-License-Identifier: MIT
/// Gathers, and reads of tables that are small enough to be permuted. The cost of a gather is per element, whatever its width, so
/// gathers of neighbouring dwords at the same offsets, which the scheduler keeps together, use wider elements.
#include "hw/radeon/jit/lane/emitter.h"
#include "hw/radeon/jit/lane/schedule.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

/// So many rows of texels are loaded where they are used; more are long code, which costs more when it is made and run first than a call
/// each time.
constexpr int32_t kInline = 16;

/// Dwords `first`, `first` + 2, ... of two registers of 8 qwords.
std::array<uint32_t, kLanes> every_second(uint32_t first) {
  std::array<uint32_t, kLanes> lanes;
  for (uint32_t l = 0; l < kLanes; ++l) lanes[l] = (2 * l + first) % (2 * kLanes);
  return lanes;
}

}  // namespace

void Emitter::gather(int32_t i, const Node& n) {
  if (i < gathered_) return release_dead(n);
  int32_t count = 1;
  while (count < 4 && i + count <= run_end_ && follows(program_.nodes[size_t(i + count) - 1], program_.nodes[size_t(i + count)])) ++count;
  const Node& m = program_.nodes[size_t(n.c)];
  if (count == 4 && m.op == Op::mask_constant && m.imm == 0xFFFF) return gather_quads(i, n);
  if (count > 1) return gather_pairs(i, n);
  const Reg index = vec(in_register(n.a));
  const int8_t lanes = in_register(n.c);
  const Reg x = vec(result(i));  // not the index: taken before that is released
  emit(I::kIdVxorps, x, x, x);
  const Mem from = x86::ptr(pointer(n.p, x86::rax), index, 0, int32_t(n.imm));
  if (wide_) {
    emit(I::kIdKmovw, x86::k7, k(lanes));
    as_.k(x86::k7);
    emit(I::kIdVgatherdps, x, from);
  } else {
    emit(I::kIdVmovaps, scratch(0), vec(lanes));
    emit(I::kIdVgatherdps, x, from, scratch(0));
  }
  release_dead(n);
}

/// Of all lanes.
void Emitter::gather_all(Reg x, Gp base, Reg index, int32_t offset) {
  const Mem from = x86::ptr(base, index, 0, offset);
  emit(I::kIdVxorps, x, x, x);
  if (wide_) {
    emit(I::kIdKxnorw, x86::k7, x86::k7, x86::k7);
    as_.k(x86::k7);
    emit(I::kIdVgatherdps, x, from);
  } else {
    emit(I::kIdVpcmpeqd, scratch(0), scratch(0), scratch(0));
    emit(I::kIdVgatherdps, x, from, scratch(0));
  }
}

/// Jumps where a lane's second place is not `bytes` behind the first. Scratch(0) and EAX change.
void Emitter::jump_unless_beside(Reg first, Reg second, uint32_t bytes, asmjit::Label apart) {
  const Reg s = scratch(0);
  emit(I::kIdVpaddd, s, first, constant_operand(bytes));
  if (wide_) {
    emit(I::kIdVpcmpd, x86::k7, s, second, imm(4));
    emit(I::kIdKortestw, x86::k7, x86::k7);
    as_.jnz(apart);
  } else {
    emit(I::kIdVpcmpeqd, s, s, second);
    emit(I::kIdVmovmskps, x86::eax, s);
    emit(I::kIdCmp, x86::eax, imm(0xFF));
    as_.jne(apart);
  }
}

/// The dwords of a row: of both texels at once where every second one is right behind the first. Gathers of them take three times as long.
void Emitter::gather_first(int32_t i, const Node& n) {
  if (i < gathered_) return release_dead(n);
  const auto node = [&](int32_t k) -> const Node& { return program_.nodes[size_t(i + k)]; };
  int32_t count = 1;
  while (count < 4 && i + count <= run_end_ && follows(node(count - 1), node(count))) ++count;
  const Gp base = pointer(n.p, x86::rcx);
  const auto offset = int32_t(n.imm);
  const bool is_first = n.op == Op::gather_first;
  if (!is_first || count < 4 || offset) {
    gather_all(vec(result(i)), base, vec(in_register(is_first ? n.a : n.c)), offset);
    return release_dead(n);
  }
  gathered_ = i + count;
  const Reg first = vec(in_register(n.a)), second = vec(in_register(n.c));
  Reg x[4];
  for (int32_t k = 0; k < count; ++k) x[k] = vec(result(i + k));
  const asmjit::Label apart = as_.newLabel(), done = as_.newLabel();
  jump_unless_beside(first, second, 8, apart);
  emit(I::kIdVmovaps, frame_lanes(0), first);
  if (texel_rows_ <= kInline) {
    load_turned(x, 4, base, 0);
  } else {
    if (!row_code_[1].isValid()) row_code_[1] = as_.newLabel();
    if (base != x86::rcx) emit(I::kIdMov, x86::rcx, base);
    as_.call(row_code_[1]);
    for (int32_t k = 0; k < count; ++k) emit(I::kIdVmovaps, x[k], k < 2 ? Operand(scratch(k)) : Operand(frame_lanes(2 + k)));
  }
  as_.jmp(done);
  as_.bind(apart);
  for (int32_t k = 0; k < count; ++k) gather_all(x[k], base, k < 2 ? first : second, k % 2 * 4);
  as_.bind(done);
}
void Emitter::gather_second(int32_t i, const Node& n) { gather_first(i, n); }

/// This node and the next one: both texels of a lane side by side, 8 bytes, as they lie in memory.
void Emitter::gather_beside(int32_t i, const Node& n) {
  if (i < gathered_) return release_dead(n);
  const bool both = n.op == Op::gather_low && i < run_end_ && follows(n, program_.nodes[size_t(i) + 1]);
  const Gp base = pointer(n.p, x86::rcx);
  const auto offset = int32_t(n.imm);
  const Reg first = vec(in_register(n.a)), second = vec(in_register(n.c)), s = scratch(0), t = scratch(1);
  const Reg x = vec(result(i));
  if (!both) {
    gather_all(x, base, first, offset);
    gather_all(t, base, second, offset);
    emit(n.op == Op::gather_low ? I::kIdVunpcklps : I::kIdVunpckhps, x, x, t);
    return release_dead(n);
  }
  gathered_ = i + 2;
  const Reg y = vec(result(i + 1));
  const asmjit::Label apart = as_.newLabel(), done = as_.newLabel();
  jump_unless_beside(first, second, 4, apart);
  emit(I::kIdVmovaps, frame_lanes(0), first);
  if (texel_rows_ <= kInline) {
    load_beside(x, y, s, [&](int lane) {
      emit(I::kIdMov, x86::eax, x86::dword_ptr(x86::rsp, lanes_at_ + 4 * lane));
      return x86::ptr(base, x86::rax, 0, offset);
    });
  } else {
    if (!row_code_[0].isValid()) row_code_[0] = as_.newLabel();
    if (base != x86::rcx || offset) as_.lea(x86::rcx, x86::ptr(base, offset));
    as_.call(row_code_[0]);
    emit(I::kIdVmovaps, x, s);
    emit(I::kIdVmovaps, y, t);
  }
  as_.jmp(done);
  as_.bind(apart);
  gather_all(x, base, first, offset);
  gather_all(t, base, second, offset);
  emit(I::kIdVunpckhps, y, x, t);
  emit(I::kIdVunpcklps, x, x, t);
  as_.bind(done);
}

/// 8 bytes of each lane: of lanes 0 and 1 of each quad, and of 2 and 3. `part` is lost.
void Emitter::load_beside(Reg low, Reg high, Reg part, const std::function<Mem(int)>& from) {
  for (int q = 0; q < (wide_ ? 4 : 2); ++q)
    for (const auto& [to, lane] : {std::pair(low, 4 * q), std::pair(high, 4 * q + 2)}) {
      const Reg x = q ? part : to;
      emit(I::kIdVmovq, x.xmm(), from(lane));
      emit(I::kIdVmovhps, x.xmm(), x.xmm(), from(lane + 1));
      if (q) emit(wide_ ? I::kIdVinsertf32x4 : I::kIdVinsertf128, to, to, x.xmm(), imm(q));
    }
}

/// Loads of rows, once for a routine, which calls them with the base in RCX and the places in the frame. No other register than those of
/// the results changes. Of texels of a dword: scratch(0) and (1). Of two: dwords 0 and 1 come back in the scratch registers, 2 and 3 in the
/// frame.
void Emitter::row_code() {
  constexpr int32_t kReturn = 8;  // the address that the call pushed
  const auto frame = [&](int k) { return x86::ptr(x86::rsp, lanes_at_ + 64 * k + kReturn); };
  const Reg s = scratch(0), t = scratch(1);
  const auto from = [&](int lane) {
    emit(I::kIdMov, x86::eax, x86::dword_ptr(x86::rsp, lanes_at_ + kReturn + 4 * lane));
    return x86::ptr(x86::rcx, x86::rax);
  };
  const int quarters = wide_ ? 4 : 2;
  const InstId insert = wide_ ? I::kIdVinsertf32x4 : I::kIdVinsertf128;
  if (row_code_[0].isValid()) {
    const Reg part = vec(vectors_ - 1);
    as_.bind(row_code_[0]);
    emit(I::kIdVmovaps, frame(1), part);
    load_beside(s, t, part, from);
    emit(I::kIdVmovaps, part, frame(1));
    as_.ret();
  }
  if (row_code_[1].isValid()) {
    const Reg u = vec(vectors_ - 1), v = vec(vectors_ - 2), x[4] = {s, t, u, v};
    as_.bind(row_code_[1]);
    emit(I::kIdVmovaps, frame(1), u);
    emit(I::kIdVmovaps, frame(2), v);
    for (int j = 0; j < 4; ++j)
      for (int q = 0; q < quarters; ++q) {
        if (q == 0)
          emit(I::kIdVmovups, x[j].xmm(), from(j));
        else
          emit(insert, x[j], x[j], from(4 * q + j), imm(q));
      }
    const Reg w = vec(vectors_ - 3);
    emit(I::kIdVmovaps, frame(3), w);
    emit(I::kIdVunpcklps, w, s, t);
    emit(I::kIdVunpckhps, s, s, t);
    emit(I::kIdVunpcklps, t, u, v);
    emit(I::kIdVunpckhps, u, u, v);
    emit(I::kIdVunpcklpd, v, s, u);
    emit(I::kIdVunpckhpd, u, s, u);
    emit(I::kIdVunpcklpd, s, w, t);
    emit(I::kIdVunpckhpd, t, w, t);
    emit(I::kIdVmovaps, w, frame(3));
    emit(I::kIdVmovaps, frame(4), v);
    emit(I::kIdVmovaps, frame(5), u);
    emit(I::kIdVmovaps, u, frame(1));
    emit(I::kIdVmovaps, v, frame(2));
    as_.ret();
  }
}

/// This node and the next one: qwords.
void Emitter::gather_pairs(int32_t i, const Node& n) {
  gathered_ = i + 2;
  const Reg index = vec(in_register(n.a)), s = scratch(0), t = scratch(1);
  const int8_t lanes = in_register(n.c);
  const Reg x = vec(result(i)), y = vec(result(i + 1));
  const Gp base = pointer(n.p, x86::rax);
  const auto from = [&](const x86::Vec& of) { return x86::ptr(base, of, 0, int32_t(n.imm)); };
  emit(I::kIdVxorps, t, t, t);
  emit(I::kIdVxorps, y, y, y);
  if (wide_) {
    emit(I::kIdVextracti32x8, s.ymm(), index, imm(1));
    emit(I::kIdKmovw, x86::k7, k(lanes));
    as_.k(x86::k7);
    emit(I::kIdVgatherdpd, t, from(index.ymm()));
    emit(I::kIdKshiftrw, x86::k7, k(lanes), imm(8));
    as_.k(x86::k7);
    emit(I::kIdVgatherdpd, y, from(s.ymm()));
    emit(I::kIdVmovaps, x, table_of(every_second(0)));
    emit(I::kIdVpermi2ps, x, t, y);
    emit(I::kIdVmovaps, s, table_of(every_second(1 + kLanes)));  // the later eight are the first operand
    emit(I::kIdVpermt2ps, y, s, t);
    return;
  }
  emit(I::kIdVpmovsxdq, x, vec(lanes).xmm());
  emit(I::kIdVgatherdpd, t, from(index.xmm()), x);
  emit(I::kIdVextracti128, x.xmm(), vec(lanes), imm(1));
  emit(I::kIdVpmovsxdq, x, x.xmm());
  emit(I::kIdVextracti128, s.xmm(), index, imm(1));
  emit(I::kIdVgatherdpd, y, from(s.xmm()), x);
  // Quads 0 and 2, 1 and 3 of dwords are together; qwords 0, 2, 1, 3.
  emit(I::kIdVshufps, x, t, y, imm(0x88));
  emit(I::kIdVshufps, y, t, y, imm(0xDD));
  emit(I::kIdVpermpd, x, x, imm(0xD8));
  emit(I::kIdVpermpd, y, y, imm(0xD8));
}

/// This node and the next three, of all lanes: 16 bytes of each, turned. Registers get every fourth lane, one in each quarter.
void Emitter::gather_quads(int32_t i, const Node& n) {
  gathered_ = i + 4;
  const Mem offsets = x86::ptr(x86::rsp, lanes_at_);
  emit(I::kIdVmovaps, offsets, vec(in_register(n.a)));
  Reg x[4];
  for (int j = 0; j < 4; ++j) x[j] = vec(result(i + j));
  load_turned(x, 4, pointer(n.p, x86::rcx), int32_t(n.imm));
}

/// From the base and the places in the frame on.
void Emitter::load_turned(const Reg (&x)[4], int count, Gp base, int32_t offset) {
  load_turned(x, count, [&](int lane) {
    emit(I::kIdMov, x86::eax, x86::dword_ptr(x86::rsp, lanes_at_ + 4 * lane));
    return x86::ptr(base, x86::rax, 0, offset);
  });
}

/// 16 bytes per lane as `count` registers of a dword of all lanes each; three: x[3] is lost.
void Emitter::load_turned(const Reg (&x)[4], int count, const std::function<Mem(int)>& from) {
  const Reg s = scratch(0), t = scratch(1);
  for (int j = 0; j < 4; ++j)
    for (int q = 0; q < (wide_ ? 4 : 2); ++q) {
      if (q == 0)
        emit(I::kIdVmovups, x[j].xmm(), from(j));
      else
        emit(wide_ ? I::kIdVinsertf32x4 : I::kIdVinsertf128, x[j], x[j], from(4 * q + j), imm(q));
    }
  emit(I::kIdVunpcklps, s, x[0], x[1]);
  emit(I::kIdVunpckhps, x[1], x[0], x[1]);
  emit(I::kIdVunpcklps, t, x[2], x[3]);
  emit(I::kIdVunpckhps, x[3], x[2], x[3]);
  emit(I::kIdVunpcklpd, x[0], s, t);
  emit(I::kIdVunpcklpd, x[2], x[1], x[3]);
  if (count == 4) emit(I::kIdVunpckhpd, x[3], x[1], x[3]);
  emit(I::kIdVunpckhpd, x[1], s, t);
}

/// A register for this operation only.
int8_t Emitter::take_locked(Class c) {
  const int8_t r = take(c);
  locked_[c] |= 1u << r;
  return r;
}

/// 2^bits entries from `offset`, at most 32 of them by one permutation; `to` has a register more for each doubling above that.
void Emitter::permuted(Gp base, uint32_t offset, uint32_t bits, Reg index, std::span<const Reg> to, std::span<const int8_t> masks) {
  const auto part = [&](uint32_t at) { return x86::ptr(base, int32_t(offset + at)); };
  if (bits == 4) return emit(I::kIdVpermps, to[0], index, part(0));
  if (bits == 5) {
    emit(I::kIdVmovups, to[0], part(0));
    return emit(I::kIdVpermt2ps, to[0], index, part(64));
  }
  permuted(base, offset, bits - 1, index, to, masks);
  permuted(base, offset + (2u << bits), bits - 1, index, to.subspan(1), masks);
  as_.k(k(masks[bits - 6]));
  emit(I::kIdVmovaps, to[0], to[1]);
}

/// AVX2: gathered.
void Emitter::look_up(int32_t i, const Node& n) {
  const Reg index = vec(in_register(n.a));
  const Reg x = vec(result(i)), s = scratch(0), t = scratch(1);
  const auto bits = uint32_t(n.b);
  if (!wide_) {
    emit(I::kIdVandps, t, index, constant_bits((1u << bits) - 1));
    emit(I::kIdVpcmpeqd, s, s, s);
    emit(I::kIdVgatherdps, x, x86::ptr(pointer(n.p, x86::rax), t, 2, int32_t(n.imm)), s);
    return release_dead(n);
  }
  const int8_t masks[3] = {bits > 5 ? take_locked(kMask) : int8_t{}, bits > 6 ? take_locked(kMask) : int8_t{}, 7};
  const Reg more = bits > 7 ? vec(take_locked(kVector)) : x;
  for (uint32_t b = 5; b < bits; ++b) emit(I::kIdVptestmd, k(masks[b - 5]), index, constant_operand(1u << b));
  const Reg to[] = {x, s, t, more};
  permuted(pointer(n.p, x86::rax), n.imm, bits, index, to, masks);
  release_dead(n);
}

}  // namespace pumice::hw::fast::lane
