// SPDX-License-Identifier: MIT
/// Operations on numbers of binary64. They keep denormals, which the rest of a routine flushes: the processor's mode changes where
/// operations of both kinds meet, and is the routine's at labels, jumps and calls.
#include "hw/common/simd/flush.h"
#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

constexpr int kUnordered = 3;

/// Operations whose results are the same in both modes: moves and integers. They may stand between two of doubles.
bool has_no_mode(Op op) {
  switch (op) {
    case Op::zip_low:
    case Op::zip_high:
    case Op::unzip_even:
    case Op::unzip_odd:
    case Op::get:
    case Op::set:
    case Op::mask_get:
    case Op::mask_set:
    case Op::select:
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::bit_andnot:
    case Op::iadd:
    case Op::isub:
    case Op::imul:
    case Op::shl:
    case Op::shr:
    case Op::sar:
    case Op::ieq:
    case Op::ine:
    case Op::ilt:
    case Op::ile:
    case Op::ult:
    case Op::ule:
    case Op::mask_and:
    case Op::mask_or:
    case Op::mask_xor:
    case Op::mask_andnot:
    case Op::load_32: return true;
    default: return false;
  }
}

/// For VPERMQ.
std::array<uint32_t, kLanes> pairs(const std::array<uint32_t, kLanes / 2>& from) {
  std::array<uint32_t, kLanes> t{};
  for (size_t l = 0; l < kLanes; l += 2) t[l] = from[l / 2];
  return t;
}

}  // namespace

void Emitter::choose_float_mode(Op op) {
  const bool keeps = is_double(op);
  if (keeps != keeps_denormals_ && (keeps || !has_no_mode(op))) set_float_mode(keeps);
}

void Emitter::set_float_mode(bool keeps_denormals) {
  Mem mode = constant_bits(keeps_denormals ? FloatState::kOrdinary : FloatState::kFlush);
  mode.setSize(4);
  emit(I::kIdVldmxcsr, mode);
  keeps_denormals_ = keeps_denormals;
}

void Emitter::doubles(InstId id, int32_t i, const Node& n) {
  // On AVX-512 some memory is a dword that is repeated, which instructions for doubles take for 8 bytes.
  const auto whole = [&](int32_t v) {
    return v >= 0 && program_.nodes[size_t(v)].op != Op::constant && program_.nodes[size_t(v)].op != Op::splat;
  };
  if (n.b >= 0 && (!wide_ || (whole(n.a) && whole(n.b)))) return binary(id, i, n);
  const Reg a = vec(in_register(n.a));
  const Reg b = n.b >= 0 ? vec(in_register(n.b)) : a;
  release_dead(n);
  if (n.b >= 0)
    emit(id, vec(result(i)), a, b);
  else
    emit(id, vec(result(i)), a);
}

// Below, the result has a register of its own where operands are read after it is first written.

void Emitter::fused_double(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), b = vec(in_register(n.b)), c = vec(in_register(n.c)), x = vec(result(i));
  emit(I::kIdVmovapd, x, a);
  emit(I::kIdVfmadd213pd, x, b, c);
  release_dead(n);
}

/// The instruction gives b if one is NaN.
void Emitter::extreme_double(InstId id, int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), b = vec(in_register(n.b)), x = vec(result(i));
  emit(id, x, a, b);
  if (wide_) {
    emit(I::kIdVcmppd, x86::k7, b, b, imm(kUnordered));
    as_.k(x86::k7);
    emit(I::kIdVmovapd, x, a);
  } else {
    emit(I::kIdVcmppd, scratch(0), b, b, imm(kUnordered));
    emit(I::kIdVblendvpd, x, x, a, scratch(0));
  }
  release_dead(n);
}

/// As round().
void Emitter::round_double(int32_t i, const Node& n, int mode) {
  const Reg a = vec(in_register(n.a));
  release_dead(n);
  emit(wide_ ? I::kIdVrndscalepd : I::kIdVroundpd, vec(result(i)), a, imm(mode));
}

void Emitter::compare_doubles(int32_t i, const Node& n, int predicate) {
  const Reg a = vec(in_register(n.a)), b = vec(in_register(n.b));
  release_dead(n);
  const Reg x = vec(result(i));
  if (!wide_) return emit(I::kIdVcmppd, x, a, b, imm(predicate));
  emit(I::kIdVcmppd, x86::k7, a, b, imm(predicate));
  as_.k(x86::k7).z();
  emit(I::kIdVpternlogq, x, x, x, imm(0xFF));
}

void Emitter::number_double(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), x = vec(result(i));
  std::array<uint32_t, kLanes> nan;
  for (size_t l = 0; l < kLanes; ++l) nan[l] = uint32_t(kDoubleNan >> (l % 2 ? 32 : 0));
  if (wide_) {
    emit(I::kIdVmovapd, x, a);
    emit(I::kIdVcmppd, x86::k7, a, a, imm(kUnordered));
    as_.k(x86::k7);
    emit(I::kIdVmovapd, x, table_of(nan));
  } else {
    emit(I::kIdVcmppd, scratch(0), a, a, imm(kUnordered));
    emit(I::kIdVblendvpd, x, a, table_of(nan), scratch(0));
  }
  release_dead(n);
}

void Emitter::widen(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a));
  const bool high = n.op == Op::widen_high;
  release_dead(n);
  if (wide_) {
    emit(I::kIdVmovaps, scratch(0), table_of(high ? pairs({1, 3, 5, 7}) : pairs({0, 2, 4, 6})));
    emit(I::kIdVpermq, scratch(0), scratch(0), a);
    emit(I::kIdVcvtps2pd, vec(result(i)), scratch(0).ymm());
  } else {
    emit(I::kIdVpermq, scratch(0), a, imm(high ? 0x0D : 0x08));
    emit(I::kIdVcvtps2pd, vec(result(i)), scratch(0).xmm());
  }
}

void Emitter::narrow(int32_t i, const Node& n) {
  const Reg low = vec(in_register(n.a)), high = vec(in_register(n.b));
  release_dead(n);
  if (wide_) {
    emit(I::kIdVcvtpd2ps, scratch(0).ymm(), low);
    emit(I::kIdVcvtpd2ps, scratch(1).ymm(), high);
    emit(I::kIdVinserti64x4, scratch(0), scratch(0), scratch(1).ymm(), imm(1));
    emit(I::kIdVmovaps, scratch(1), table_of(pairs({0, 4, 1, 5, 2, 6, 3, 7})));
    emit(I::kIdVpermq, vec(result(i)), scratch(1), scratch(0));
  } else {
    emit(I::kIdVcvtpd2ps, scratch(0).xmm(), low);
    emit(I::kIdVcvtpd2ps, scratch(1).xmm(), high);
    emit(I::kIdVinserti128, scratch(0), scratch(0), scratch(1).xmm(), imm(1));
    emit(I::kIdVpermq, vec(result(i)), scratch(0), imm(0xD8));
  }
}

}  // namespace pumice::hw::fast::lane
