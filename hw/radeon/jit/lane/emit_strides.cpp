// SPDX-License-Identifier: MIT
/// Dwords of buffers at offsets whose stride is known (strides.h): one bounds check on lane 0's place stands for all lanes. Where not all
/// lanes are within bounds the access goes the way of unknown offsets.
#include <algorithm>

#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

namespace {
/// Bytes of a group beyond its first dword.
constexpr uint32_t kBeyond = 12;
/// The largest distance between lanes whose places are displacements of lane 0's.
constexpr uint32_t kFarthest = 4096;
}  // namespace

void Emitter::find_all_strides() {
  const auto uses = [](const Node& n) { return n.op == Op::load_32 || n.op == Op::store_32; };
  if (std::none_of(program_.nodes.begin(), program_.nodes.end(), uses)) return;
  strides_ = find_strides(program_, lanes_in_register());
  if (wide_) half_strides_ = find_strides(program_, 8);
}

namespace {
std::optional<uint32_t> of_offset(const std::vector<Stride>& strides, const Node& n) {
  const Stride stride = strides.empty() ? Stride{} : strides[size_t(n.a)];
  return stride && *stride % 4 == 0 && *stride <= kFarthest ? stride : std::nullopt;
}
}  // namespace

/// How far lane 0's offset is from lane 1's if dwords there can be reached from lane 0's place.
std::optional<uint32_t> Emitter::stride_of(const Node& n) const { return of_offset(strides_, n); }
/// The same of each half where that of all lanes is not known.
std::optional<uint32_t> Emitter::half_stride_of(const Node& n) const {
  return wide_ && !stride_of(n) ? of_offset(half_strides_, n) : std::nullopt;
}

/// The base in RCX and lane 0's place in RDX. Jumps where the dword `beyond` bytes behind it is out of bounds. EAX changes.
void Emitter::first_place(const Node& n, Reg offset, uint32_t beyond, asmjit::Label apart) {
  view(program_.buffers[n.imm], x86::rcx, x86::eax);
  emit(I::kIdAnd, x86::eax, imm(-4));
  if (beyond) {
    emit(I::kIdSub, x86::eax, imm(beyond));
    as_.jbe(apart);
  }
  place_below(n, x86::edx, offset, apart);
}
/// The place of a register's first lane; jumps unless it is below EAX.
void Emitter::place_below(const Node& n, Gp to, Reg offset, asmjit::Label apart) {
  emit(I::kIdVmovd, to, offset.xmm());
  if (displacement(n)) emit(I::kIdAdd, to, imm(displacement(n)));
  emit(I::kIdAnd, to, imm(-4));
  emit(I::kIdCmp, to, x86::eax);
  as_.jae(apart);
}

/// AVX-512: as first_place(), and lane 8's place in RSI.
void Emitter::half_places(const Node& n, Reg offset, uint32_t beyond, asmjit::Label apart) {
  first_place(n, offset, beyond, apart);
  emit(I::kIdVextracti32x4, scratch(0).xmm(), offset, imm(2));
  place_below(n, x86::esi, scratch(0), apart);
}
/// A lane's dwords after half_places().
Emitter::Mem Emitter::behind_half(uint32_t lane, uint32_t stride) const {
  return x86::ptr(x86::rcx, lane < 8 ? x86::rdx : x86::rsi, 0, int32_t(stride * (lane % 8)));
}

Emitter::Mem Emitter::behind_first(uint32_t bytes) const { return x86::ptr(x86::rcx, x86::rdx, 0, int32_t(bytes)); }

/// Lanes outside of the mask become 0.
void Emitter::keep_lanes(Reg x, int32_t mask, int8_t m) {
  if (is_all(mask)) return;
  if (wide_) {
    as_.k(k(m)).z();
    emit(I::kIdVmovaps, x, x);
  } else {
    emit(I::kIdVandps, x, x, vec(m));
  }
}

/// True: that is all. False: lanes that are not within bounds, or whose stride is another one, are left; the others jump to `done`.
bool Emitter::load_strided(Reg x, Reg offset, int8_t mask, const Node& n, asmjit::Label done) {
  const auto stride = stride_of(n), half = half_stride_of(n);
  if (stride == 0u) {
    emit(I::kIdVxorps, x, x, x);
    first_place(n, offset, 0, done);
    emit(I::kIdVbroadcastss, x, behind_first(0));
    keep_lanes(x, n.c, mask);
    return true;
  }
  const asmjit::Label apart = as_.newLabel();
  if (stride == 4u) {
    first_place(n, offset, 4 * (lanes_in_register() - 1), apart);
    emit(I::kIdVmovups, x, behind_first(0));
  } else if (stride == 8u) {
    load_every_second(x, offset, n, apart);
  } else if (half == 0u) {
    half_places(n, offset, 0, apart);
    emit(I::kIdVbroadcastss, x, behind_half(0, 0));
    emit(I::kIdVbroadcastss, scratch(0), behind_half(8, 0));
    emit(I::kIdVshuff64x2, x, x, scratch(0), imm(0x44));
  } else if (half == 4u) {
    half_places(n, offset, 28, apart);
    emit(I::kIdVmovups, x.ymm(), behind_half(0, 4));
    emit(I::kIdVinsertf64x4, x, x, behind_half(8, 4), imm(1));
  } else {
    return false;
  }
  keep_lanes(x, n.c, mask);
  as_.jmp(done);
  as_.bind(apart);
  return false;
}

/// A dword of pairs: the even dwords of one register's worth and the odd ones of another that ends with the last lane's.
void Emitter::load_every_second(Reg x, Reg offset, const Node& n, asmjit::Label apart) {
  const uint32_t lanes = lanes_in_register(), second = 4 * (lanes - 1);
  first_place(n, offset, 2 * second, apart);
  emit(I::kIdVmovups, x, behind_first(0));
  if (wide_) {
    std::array<uint32_t, kLanes> from;
    for (uint32_t l = 0; l < kLanes; ++l) from[l] = 2 * l + (l >= 8);
    emit(I::kIdVmovaps, scratch(0), table_of(from));
    emit(I::kIdVpermt2ps, x, scratch(0), behind_first(second));
  } else {
    emit(I::kIdVshufps, x, x, behind_first(second), imm(0xD8));
    emit(I::kIdVpermpd, x, x, imm(0xD8));
  }
}

/// The dwords of a group, lane by lane `stride` bytes apart. False: no code.
bool Emitter::load_group_strided(const Reg (&x)[4], int count, Reg offset, const Node& n, asmjit::Label apart) {
  const auto stride = stride_of(n), half = half_stride_of(n);
  if (half) {
    half_places(n, offset, *half * 7 + kBeyond, apart);
    load_turned(x, count, [&](int lane) { return behind_half(uint32_t(lane), *half); });
    return true;
  }
  if (!stride) return false;
  first_place(n, offset, *stride * (lanes_in_register() - 1) + kBeyond, apart);
  if (*stride)
    load_turned(x, count, [&](int lane) { return behind_first(*stride * uint32_t(lane)); });
  else
    for (int j = 0; j < count; ++j) emit(I::kIdVbroadcastss, x[j], behind_first(4 * uint32_t(j)));
  return true;
}

/// As load_strided(): where all lanes are within bounds and, on AVX2, active, it jumps to `done`.
void Emitter::store_strided(Reg offset, Reg v, int8_t m, const Node& n, asmjit::Label done) {
  const bool all = is_all(n.c), in_turn = stride_of(n) == 4u;
  const bool pairs = wide_ && all && stride_of(n) == 8u, halves = half_stride_of(n) == 4u;
  if (!in_turn && !pairs && !halves) return;
  const asmjit::Label apart = as_.newLabel();
  if (!wide_ && !all) {
    emit(I::kIdVmovmskps, x86::eax, vec(m));
    emit(I::kIdCmp, x86::eax, imm(0xFF));
    as_.jne(apart);
  }
  if (in_turn) {
    first_place(n, offset, 4 * (lanes_in_register() - 1), apart);
    if (wide_ && !all) as_.k(k(m));
    emit(I::kIdVmovups, behind_first(0), v);
  } else if (halves) {
    half_places(n, offset, 28, apart);
    if (!all) as_.k(k(m));
    emit(I::kIdVmovups, behind_half(0, 4), v.ymm());
    emit(I::kIdVextractf64x4, scratch(0).ymm(), v, imm(1));
    if (!all) {
      emit(I::kIdKshiftrw, x86::k7, k(m), imm(8));
      as_.k(x86::k7);
    }
    emit(I::kIdVmovups, behind_half(8, 4), scratch(0).ymm());
  } else {
    first_place(n, offset, 8 * (kLanes - 1), apart);
    emit(I::kIdMov, x86::eax, imm(0x5555));
    emit(I::kIdKmovw, x86::k7, x86::eax);
    for (uint32_t half = 0; half < 2; ++half) {
      std::array<uint32_t, kLanes> from;
      for (uint32_t l = 0; l < kLanes; ++l) from[l] = 8 * half + l / 2;
      emit(I::kIdVmovaps, scratch(0), table_of(from));
      emit(I::kIdVpermps, scratch(0), scratch(0), v);
      as_.k(x86::k7);
      emit(I::kIdVmovups, behind_first(64 * half), scratch(0));
    }
  }
  as_.jmp(done);
  as_.bind(apart);
}

/// How far lanes are apart if 16 bytes of each can be stored one lane after the other: none meets another's.
std::optional<uint32_t> Emitter::group_stride(const Node& n) const {
  const auto stride = stride_of(n);
  return stride && *stride && *stride % 16 == 0 ? stride : std::nullopt;
}

/// AVX2: both halves' first places, RCX + R8 and R9. Jumps where lanes are out of bounds or halves could meet in part.
void Emitter::first_places(const Node& n, uint32_t stride, asmjit::Label apart) {
  for (half_ = 0; half_ < 2; ++half_) {
    load(n.a, int8_t(half_));
    first_place(n, vec(half_), stride * (lanes_in_register() - 1) + kBeyond, apart);
    emit(I::kIdMov, half_ ? x86::r9d : x86::r8d, x86::edx);
  }
  half_ = 0;
  emit(I::kIdXor, x86::edx, x86::r8d);
  emit(I::kIdTest, x86::edx, imm(15));
  as_.jnz(apart);
}

}  // namespace pumice::hw::fast::lane
