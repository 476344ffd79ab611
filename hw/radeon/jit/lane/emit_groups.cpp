// SPDX-License-Identifier: MIT
/// Dwords of buffers: stores that lie side by side, and accesses of neighbouring dwords (components of a vector) as one, of 16 bytes per
/// lane. What the short way does not cover (lanes out of bounds; stores: inactive lanes) goes the long one.
#include "hw/radeon/jit/lane/emitter.h"
#include "hw/radeon/jit/lane/schedule.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

namespace {
constexpr uint32_t kSign = 0x80000000u;
/// Bytes of a group beyond its first dword.
constexpr int kBeyond = 12;
}  // namespace

/// Four dwords; three are loaded as four.
void Emitter::find_groups() {
  const auto& nodes = program_.nodes;
  group_.assign(nodes.size(), 0), joined_.assign(nodes.size(), 0);
  for (size_t i = 0; i + 1 < nodes.size(); ++i) {
    const Node& n = nodes[i];
    if (n.op != Op::load_32 && n.op != Op::store_32) continue;
    size_t count = 1;
    while (count < 4 && i + count < nodes.size() && follows(nodes[i + count - 1], nodes[i + count])) ++count;
    if (count < (n.op == Op::load_32 ? 3u : 4u)) continue;
    group_[i] = uint8_t(count);
    for (size_t j = 1; j < count; ++j) joined_[i + j] = 1;
    i += count - 1;
  }
}

/// Aligned places of the lanes.
void Emitter::dword_places(const Node& n, Reg x, Reg offset) {
  if (displacement(n)) emit(I::kIdVpaddd, x, offset, constant_operand(displacement(n)));
  emit(I::kIdVandps, x, displacement(n) ? x : offset, constant_operand(~3u));
}

/// Four registers of a dword each to registers of every fourth lane, one in each quarter; all others are lost.
void Emitter::turn(Reg x[4], const Reg (&v)[4], Reg s, Reg t, const Reg (&more)[3]) {
  emit(I::kIdVunpcklps, s, v[0], v[1]);
  emit(I::kIdVunpcklps, t, v[2], v[3]);
  x[0] = more[0], x[1] = more[1], x[2] = more[2], x[3] = t;
  emit(I::kIdVunpcklpd, x[0], s, t);
  emit(I::kIdVunpckhpd, x[1], s, t);
  emit(I::kIdVunpckhps, s, v[0], v[1]);
  emit(I::kIdVunpckhps, t, v[2], v[3]);
  emit(I::kIdVunpcklpd, x[2], s, t);
  emit(I::kIdVunpckhpd, x[3], s, t);
}

/// From places of their own; jumps where some are out of bounds.
void Emitter::load_group_apart(const Reg (&x)[4], int count, Reg offset, int8_t m, const Node& n, asmjit::Label apart) {
  const Reg s = scratch(0), t = scratch(1);
  const bool all = is_all(n.c);
  dword_places(n, s, offset);
  view(program_.buffers[n.imm], x86::rcx, x86::eax);
  emit(I::kIdAnd, x86::eax, imm(-4));
  emit(I::kIdSub, x86::eax, imm(kBeyond));
  as_.jbe(apart);
  if (wide_) {
    emit(I::kIdVpbroadcastd, t, x86::eax);
    if (!all) as_.k(k(m));
    emit(I::kIdVpcmpud, x86::k7, s, t, imm(5));
    emit(I::kIdKortestw, x86::k7, x86::k7);
    as_.jnz(apart);
    if (!all) {
      as_.k(k(m)).z();
      emit(I::kIdVmovdqa32, s, s);
    }
  } else {
    emit(I::kIdXor, x86::eax, imm(kSign));
    emit(I::kIdVmovd, t.xmm(), x86::eax);
    emit(I::kIdVpbroadcastd, t, t.xmm());
    emit(I::kIdVxorps, x[0], s, constant_operand(kSign));
    emit(I::kIdVpcmpgtd, t, t, x[0]);
    emit(I::kIdVandnps, t, t, vec(m));
    emit(I::kIdVtestps, t, t);
    as_.jnz(apart);
    if (!all) emit(I::kIdVandps, s, s, vec(m));
  }
  emit(I::kIdVmovaps, frame_lanes(0), s);
  load_turned(x, count, x86::rcx, 0);
}

void Emitter::load_group(int32_t i, const Node& n) {
  const int count = group_[size_t(i)];
  const Reg offset = vec(in_register(n.a));
  const int8_t m = in_register(n.c);
  Reg x[4];
  for (int j = 0; j < count; ++j) x[j] = vec(result(i + j));
  if (count == 3) x[3] = vec(take_locked(kVector));
  const asmjit::Label apart = as_.newLabel(), done = as_.newLabel();
  if (!load_group_strided(x, count, offset, n, apart)) load_group_apart(x, count, offset, m, n, apart);
  for (int j = 0; j < count; ++j) keep_lanes(x[j], n.c, m);
  as_.jmp(done);
  as_.bind(apart);
  for (int j = 0; j < count; ++j) gather_buffer(x[j], 4, false, offset, m, program_.nodes[size_t(i + j)]);
  as_.bind(done);
  release_dead(n);
}

/// Lane after lane in ascending order; all registers are lost.
void Emitter::store_turned(const Reg (&v)[4], Reg s, Reg t, const Reg (&more)[3], const std::function<Mem(int)>& to) {
  Reg x[4];
  turn(x, v, s, t, more);
  for (int l = 0; l < int(lanes_in_register()); ++l) {
    if (l < 4)
      emit(I::kIdVmovups, to(l), x[l % 4].xmm());
    else
      emit(wide_ ? I::kIdVextractf32x4 : I::kIdVextractf128, to(l), x[l % 4], imm(l / 4));
  }
}

/// From the base in RDI on, by the places in the frame from lane `first` on.
Emitter::Mem Emitter::placed(int lane) {
  emit(I::kIdMov, x86::eax, x86::dword_ptr(x86::rsp, lanes_at_ + 4 * lane));
  return x86::ptr(x86::rdi, x86::rax);
}

/// The dwords of one lane after the other are what dword after dword of all lanes would be where lanes that meet do so in the same dwords:
/// their places are the same modulo 16.
void Emitter::store_group(int32_t i, const Node& n) {
  const Reg offset = vec(in_register(n.a)), s = scratch(0), t = scratch(1);
  const int8_t m = in_register(n.c);
  Reg v[4], more[3];
  for (int j = 0; j < 4; ++j) {
    const Node& store = program_.nodes[size_t(i + j)];
    if (j && (pins_.values || pins_.masks)) read_again(store);
    v[j] = vec(in_register(store.b));
  }
  for (Reg& r : more) r = vec(take_locked(kVector));
  const asmjit::Label apart = as_.newLabel(), done = as_.newLabel();
  if (!is_all(n.c)) {
    emit(I::kIdKortestw, k(m), k(m));
    as_.jnc(apart);
  }
  if (const auto stride = group_stride(n)) {
    first_place(n, offset, *stride * (kLanes - 1) + kBeyond, apart);
    store_turned({v[0], v[1], v[2], v[3]}, s, t, {more[0], more[1], more[2]}, [&](int l) { return behind_first(*stride * uint32_t(l)); });
    as_.jmp(done);
  } else {
    dword_places(n, s, offset);
    view(program_.buffers[n.imm], x86::rdi, x86::r9d);
    emit(I::kIdAnd, x86::r9d, imm(-4));
    emit(I::kIdSub, x86::r9d, imm(kBeyond));
    as_.jbe(apart);
    emit(I::kIdVmovaps, frame_lanes(0), s);
    emit(I::kIdVpbroadcastd, t, s.xmm());
    emit(I::kIdVpxord, t, t, s);
    emit(I::kIdVptestmd, x86::k7, t, constant_operand(15));
    emit(I::kIdKortestw, x86::k7, x86::k7);
    as_.jnz(apart);
    emit(I::kIdVpbroadcastd, t, x86::r9d);
    emit(I::kIdVpcmpud, x86::k7, s, t, imm(5));
    emit(I::kIdKortestw, x86::k7, x86::k7);
    as_.jnz(apart);
    store_turned({v[0], v[1], v[2], v[3]}, s, t, {more[0], more[1], more[2]}, [&](int l) { return placed(l); });
    as_.jmp(done);
  }
  as_.bind(apart);
  for (int j = 0; j < 4; ++j) store_dwords(program_.nodes[size_t(i + j)]);
  as_.bind(done);
  release_dead(n);
}

/// AVX2: the places of all lanes to the frame, the base to RDI; jumps where they are out of bounds or lanes could meet in part.
void Emitter::places_of_halves(const Node& n, asmjit::Label apart) {
  const Reg s = scratch(0), t = scratch(1);
  view(program_.buffers[n.imm], x86::rdi, x86::r9d);
  emit(I::kIdAnd, x86::r9d, imm(-4));
  emit(I::kIdSub, x86::r9d, imm(kBeyond));
  as_.jbe(apart);
  emit(I::kIdXor, x86::r9d, imm(kSign));
  for (half_ = 0; half_ < 2; ++half_) {
    const Reg x = vec(half_);
    load(n.a, int8_t(half_));
    dword_places(n, x, x);
    emit(I::kIdVmovaps, x86::ptr(x86::rsp, lanes_at_ + 32 * half_), x);
  }
  half_ = 0;
  emit(I::kIdVpbroadcastd, s, vec(0).xmm());
  emit(I::kIdVxorps, t, s, vec(0));
  emit(I::kIdVxorps, s, s, vec(1));
  emit(I::kIdVorps, s, s, t);
  emit(I::kIdVptest, s, constant_bits(15));
  as_.jnz(apart);
  emit(I::kIdVmovd, s.xmm(), x86::r9d);
  emit(I::kIdVpbroadcastd, s, s.xmm());
  emit(I::kIdVxorps, vec(0), vec(0), constant_bits(kSign));
  emit(I::kIdVxorps, vec(1), vec(1), constant_bits(kSign));
  emit(I::kIdVpcmpgtd, t, s, vec(0));
  emit(I::kIdVpcmpgtd, s, s, vec(1));
  emit(I::kIdVandps, s, s, t);
  emit(I::kIdVmovmskps, x86::eax, s);
  emit(I::kIdCmp, x86::eax, imm(0xFF));
  as_.jne(apart);
}

/// AVX2: operands are in slots, no register holds anything yet.
void Emitter::store_group_by_halves(int32_t i, const Node& n) {
  const asmjit::Label apart = as_.newLabel(), done = as_.newLabel();
  const Reg s = scratch(0), t = scratch(1);
  if (!is_all(n.c)) {
    bits_to_eax(n.c);
    emit(I::kIdCmp, x86::eax, imm(0xFFFF));
    as_.jne(apart);
  }
  const auto stride = group_stride(n);
  if (stride)
    first_places(n, *stride, apart);
  else
    places_of_halves(n, apart);
  for (half_ = 0; half_ < 2; ++half_) {
    for (int8_t j = 0; j < 4; ++j) load(program_.nodes[size_t(i + j)].b, j);
    store_turned({vec(0), vec(1), vec(2), vec(3)}, s, t, {vec(4), vec(5), vec(0)}, [&](int l) {
      return stride ? x86::ptr(x86::rcx, half_ ? x86::r9 : x86::r8, 0, int32_t(*stride) * l) : placed(8 * half_ + l);
    });
  }
  as_.jmp(done);
  as_.bind(apart);
  for (int j = 0; j < 4; ++j)
    for (half_ = 0; half_ < 2; ++half_) {
      forget_registers();
      store_dwords(program_.nodes[size_t(i + j)]);
    }
  half_ = 0;
  forget_registers();
  as_.bind(done);
}

/// Places that follow each other are one store (looked at where it is likely). Else scattered where that is an instruction (it writes in
/// the order of the lanes); AVX2: lane by lane, at once where all are active and within bounds.
void Emitter::store_dwords(const Node& n) {
  const Reg offset = vec(in_register(n.a)), v = vec(in_register(n.b)), s = scratch(0), t = scratch(1);
  const int8_t m = in_register(n.c);
  const asmjit::Label apart = as_.newLabel(), done = as_.newLabel();
  store_strided(offset, v, m, n, done);
  places(n, 4, offset, m);
  if (wide_ && (!program_.stores_in_turn || stride_of(n) || half_stride_of(n))) {
    as_.k(x86::k7);
    emit(I::kIdVscatterdps, x86::ptr(x86::rcx, s), v);
    as_.bind(done);
    return;
  }
  if (wide_) {
    std::array<uint32_t, kLanes> in_turn;
    for (uint32_t l = 0; l < kLanes; ++l) in_turn[l] = 4 * l;
    emit(I::kIdVmovd, x86::edx, s.xmm());
    emit(I::kIdVpbroadcastd, t, s.xmm());
    emit(I::kIdVpaddd, t, t, table_of(in_turn));
    emit(I::kIdKmovw, x86::eax, x86::k7);
    emit(I::kIdVpcmpd, x86::k7, t, s, imm(4));
    emit(I::kIdKortestw, x86::k7, x86::k7);
    emit(I::kIdKmovw, x86::k7, x86::eax);
    as_.jnz(apart);
    emit(I::kIdCmp, x86::edx, imm(kLastInTurn));
    as_.jg(apart);
    emit(I::kIdMovsxd, x86::rdx, x86::edx);
    as_.k(x86::k7);
    emit(I::kIdVmovups, x86::ptr(x86::rcx, x86::rdx), v);
    as_.jmp(done);
    as_.bind(apart);
    as_.k(x86::k7);
    emit(I::kIdVscatterdps, x86::ptr(x86::rcx, s), v);
    as_.bind(done);
    return;
  }
  const asmjit::Label some = as_.newLabel();
  emit(I::kIdVmovmskps, x86::eax, t);
  emit(I::kIdCmp, x86::eax, imm(0xFF));
  as_.jne(some);
  jump_unless_in_turn(t, apart);
  emit(I::kIdVmovups, x86::ptr(x86::rcx, x86::rdx), v);
  as_.jmp(done);
  as_.bind(apart);
  emit(I::kIdVmovaps, frame_lanes(0), s);
  emit(I::kIdVextracti128, t.xmm(), v, imm(1));
  for (int l = 0; l < 8; ++l) {
    emit(I::kIdMovsxd, x86::rax, x86::dword_ptr(x86::rsp, lanes_at_ + 4 * l));
    emit(I::kIdVextractps, x86::dword_ptr(x86::rcx, x86::rax), l < 4 ? v.xmm() : t.xmm(), imm(l % 4));
  }
  as_.jmp(done);
  // The lanes in EAX.
  const asmjit::Label next = as_.newLabel();
  as_.bind(some);
  emit(I::kIdVmovaps, frame_lanes(0), s);
  emit(I::kIdVmovaps, frame_lanes(1), v);
  as_.bind(next);
  emit(I::kIdBsf, x86::edx, x86::eax);
  as_.jz(done);
  emit(I::kIdBtr, x86::eax, x86::edx);
  emit(I::kIdMovsxd, x86::rdi, frame_lane(0));
  emit(I::kIdMov, x86::esi, frame_lane(1));
  emit(I::kIdMov, x86::dword_ptr(x86::rcx, x86::rdi), x86::esi);
  as_.jmp(next);
  as_.bind(done);
}

}  // namespace pumice::hw::fast::lane
