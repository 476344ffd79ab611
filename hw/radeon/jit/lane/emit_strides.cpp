// SPDX-License-Identifier: MIT
/// Dwords of buffers at offsets whose stride is known (strides.h): one bounds check on lane 0's place stands for all lanes. Where not all
/// lanes are within bounds the access goes the way of unknown offsets.
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

/// How far lane 0's offset is from lane 1's if dwords there can be reached from lane 0's place.
std::optional<uint32_t> Emitter::stride_of(const Node& n) const {
  const Stride stride = strides_.empty() ? Stride{} : strides_[size_t(n.a)];
  return stride && *stride % 4 == 0 && *stride <= kFarthest ? stride : std::nullopt;
}

/// The base in RCX and lane 0's place in RDX. Jumps where the dword `beyond` bytes behind it is out of bounds. EAX changes.
void Emitter::first_place(const Node& n, Reg offset, uint32_t beyond, asmjit::Label apart) {
  view(program_.buffers[n.imm], x86::rcx, x86::eax);
  emit(I::kIdVmovd, x86::edx, offset.xmm());
  if (displacement(n)) emit(I::kIdAdd, x86::edx, imm(displacement(n)));
  emit(I::kIdAnd, x86::edx, imm(-4));
  emit(I::kIdAnd, x86::eax, imm(-4));
  if (beyond) {
    emit(I::kIdSub, x86::eax, imm(beyond));
    as_.jbe(apart);
  }
  emit(I::kIdCmp, x86::edx, x86::eax);
  as_.jae(apart);
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
  const auto stride = stride_of(n);
  if (stride == 0u) {
    emit(I::kIdVxorps, x, x, x);
    first_place(n, offset, 0, done);
    emit(I::kIdVbroadcastss, x, behind_first(0));
    keep_lanes(x, n.c, mask);
    return true;
  }
  if (stride != 4u) return false;
  const asmjit::Label apart = as_.newLabel();
  first_place(n, offset, 4 * (lanes_in_register() - 1), apart);
  emit(I::kIdVmovups, x, behind_first(0));
  keep_lanes(x, n.c, mask);
  as_.jmp(done);
  as_.bind(apart);
  return false;
}

/// The dwords of a group, lane by lane `stride` bytes apart.
bool Emitter::load_group_strided(const Reg (&x)[4], int count, Reg offset, const Node& n, asmjit::Label apart) {
  const auto stride = stride_of(n);
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
  if (stride_of(n) != 4u) return;
  const asmjit::Label apart = as_.newLabel();
  if (!wide_ && !is_all(n.c)) {
    emit(I::kIdVmovmskps, x86::eax, vec(m));
    emit(I::kIdCmp, x86::eax, imm(0xFF));
    as_.jne(apart);
  }
  first_place(n, offset, 4 * (lanes_in_register() - 1), apart);
  if (wide_ && !is_all(n.c)) as_.k(k(m));
  emit(I::kIdVmovups, behind_first(0), v);
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
