// SPDX-License-Identifier: MIT
/// Operations of several instructions. Where the result is written before the last operand has been read it gets a register that no operand
/// has: it is taken before dead operands are released.
#include "hw/common/numerics/float_bits.h"
#include "hw/common/numerics/srgb.h"
#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

namespace {
using inner::k2To31;
constexpr uint32_t kSign = 0x80000000u;
constexpr int kOrdered = 7, kGreaterOrEqual = 0x1D;  // VCMPPS

/// A dword four times, in each quarter.
std::array<uint32_t, kLanes> quarters(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return {a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d};
}
}  // namespace

/// AVX2: 2^n in two factors, so that neither leaves the range of floats.
void Emitter::scale(int32_t i, const Node& n) {
  if (wide_) return binary(I::kIdVscalefps, i, n);
  const Reg p = vec(in_register(n.a)), e = vec(in_register(n.b)), s = scratch(0), t = scratch(1);
  emit(I::kIdVcvtps2dq, s, e);
  emit(I::kIdVpsrad, t, s, imm(1));
  emit(I::kIdVpsubd, s, s, t);
  const Operand bias = inner_constant(127);
  emit(I::kIdVpaddd, s, s, bias);
  emit(I::kIdVpaddd, t, t, bias);
  emit(I::kIdVpslld, s, s, imm(23));
  emit(I::kIdVpslld, t, t, imm(23));
  emit(I::kIdVmulps, t, p, t);
  release_dead(n);
  emit(I::kIdVmulps, vec(result(i)), t, s);
}

/// AVX2: both halves of the number as fractions of 2^23 and 2^39, put together with one rounding.
void Emitter::uint_to_float(int32_t i, const Node& n) {
  if (wide_) return unary(I::kIdVcvtudq2ps, i, n);
  const Reg a = vec(in_register(n.a)), s = scratch(0), t = scratch(1);
  emit(I::kIdVpsrld, t, a, imm(16));
  emit(I::kIdVandps, s, a, inner_constant(0xFFFFu));
  release_dead(n);
  const Reg x = vec(result(i));
  emit(I::kIdVorps, t, t, inner_constant(inner::k2To39));
  emit(I::kIdVorps, s, s, inner_constant(inner::k2To23));
  emit(I::kIdVsubps, t, t, inner_constant(inner::k2To39And2To23));
  emit(I::kIdVaddps, x, t, s);
}

/// The conversion gives 0x80000000 for what does not fit: right below, and turned it is right above.
void Emitter::to_int_clamped(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), x = vec(result(i)), s = scratch(0);
  if (wide_) {
    emit(I::kIdVcmpps, x86::k7, a, a, imm(kOrdered));
    as_.k(x86::k7).z();
    emit(I::kIdVcvttps2dq, x, a);
    emit(I::kIdVcmpps, x86::k7, a, constant_operand(k2To31), imm(kGreaterOrEqual));
    as_.k(x86::k7);
    emit(I::kIdVbroadcastss, x, constant_bits(0x7FFFFFFFu));
  } else {
    emit(I::kIdVcvttps2dq, x, a);
    emit(I::kIdVcmpps, s, a, inner_constant(k2To31), imm(kGreaterOrEqual));
    emit(I::kIdVxorps, x, x, s);
    emit(I::kIdVcmpps, s, a, a, imm(kOrdered));
    emit(I::kIdVandps, x, x, s);
  }
  release_dead(n);
}
/// The maximum with 0 is 0 for NaN. AVX-512 converts the rest as it should be. AVX2: what does not fit below 2^31 has the sign, which is
/// the upper bit, and 2^31 less in the others; if that does not fit either, all ones.
void Emitter::to_uint_clamped(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), x = vec(result(i)), s = scratch(0), t = scratch(1);
  if (wide_) {
    emit(I::kIdVxorps, s, s, s);
    emit(I::kIdVmaxps, x, a, s);
    emit(I::kIdVcvttps2udq, x, x);
  } else {
    emit(I::kIdVmaxps, x, a, inner_constant(0));
    emit(I::kIdVsubps, s, x, inner_constant(k2To31));
    emit(I::kIdVcvttps2dq, x, x);
    emit(I::kIdVcvttps2dq, s, s);
    emit(I::kIdVpsrad, t, s, imm(31));
    emit(I::kIdVorps, s, s, x);
    emit(I::kIdVorps, s, s, t);
    emit(I::kIdVblendvps, x, x, s, x);
  }
  release_dead(n);
}

void Emitter::half_to_float(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), s = scratch(0), t = scratch(1);
  if (wide_) {
    release_dead(n);
    emit(I::kIdVpmovdw, s.ymm(), a);
    emit(I::kIdVcvtph2ps, vec(result(i)), s.ymm());
    return;
  }
  emit(I::kIdVandps, s, a, inner_constant(0xFFFFu));
  release_dead(n);
  const Reg x = vec(result(i));
  emit(I::kIdVextracti128, t.xmm(), s, imm(1));
  emit(I::kIdVpackusdw, s.xmm(), s.xmm(), t.xmm());
  emit(I::kIdVcvtph2ps, x, s.xmm());
}
void Emitter::float_to_half(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), s = scratch(0);
  release_dead(n);
  const Reg x = vec(result(i));
  const Operand half = wide_ ? Operand(s.ymm()) : Operand(s.xmm());
  emit(I::kIdVcvtps2ph, half, a, imm(0));  // to nearest even
  emit(I::kIdVpmovzxwd, x, half);
}

/// Of each byte, moved down.
void Emitter::upper_nibbles(Reg to, Reg a) {
  if (extras_.bit_matrices) return emit(I::kIdVgf2p8affineqb, to, a, inner_constant(inner::kUpperNibbles), imm(0));
  emit(I::kIdVpsrld, to, a, imm(4));
  emit(I::kIdVandps, to, to, inner_constant(inner::kNibbles));
}
/// Counts of nibbles from a table, summed up by a multiplication.
void Emitter::popcount(int32_t i, const Node& n) {
  if (wide_ && extras_.counts_ones) return unary(I::kIdVpopcntd, i, n);
  const Reg a = vec(in_register(n.a)), x = vec(result(i)), s = scratch(0), t = scratch(1);
  upper_nibbles(s, a);
  emit(I::kIdVandps, t, a, inner_constant(inner::kNibbles));
  const Reg counts = inner_register(inner::kNibbleCounts, x);
  emit(I::kIdVpshufb, s, counts, s);
  emit(I::kIdVpshufb, t, counts, t);
  emit(I::kIdVpaddb, s, s, t);
  emit(I::kIdVpmulld, s, s, inner_constant(inner::kEachByte));
  emit(I::kIdVpsrld, x, s, imm(24));
  release_dead(n);
}
/// The exponent of a float; the bit below the highest one goes, so that nothing rounds up. Of 0 it is 0, and negative above 2^31.
void Emitter::leading_zeros(int32_t i, const Node& n) {
  if (wide_ && extras_.counts_zeros) return unary(I::kIdVplzcntd, i, n);
  const Reg a = vec(in_register(n.a)), s = scratch(0), t = scratch(1);
  release_dead(n);
  const Reg x = vec(result(i));
  emit(I::kIdVpsrld, s, a, imm(1));
  emit(I::kIdVandnps, s, s, a);
  emit(I::kIdVcvtdq2ps, s, s);
  emit(I::kIdVpsrld, s, s, imm(23));
  emit(I::kIdVpsubd, s, inner_register(inner::all(158), t), s);
  emit(I::kIdVxorps, t, t, t);
  emit(I::kIdVpmaxsd, s, s, t);
  emit(I::kIdVpminsd, x, s, inner_constant(32));
}
/// Bits of bytes by a matrix, or nibbles by tables; then bytes.
void Emitter::bit_reverse(int32_t i, const Node& n) {
  if (extras_.bit_matrices) {
    const Reg a = vec(in_register(n.a));
    const Operand bits = inner_constant(inner::kReversedBits), bytes = inner_constant(inner::kReversedBytes);
    release_dead(n);
    const Reg x = vec(result(i));
    emit(I::kIdVgf2p8affineqb, x, a, bits, imm(0));
    emit(I::kIdVpshufb, x, x, bytes);
    return;
  }
  const Reg a = vec(in_register(n.a)), x = vec(result(i)), s = scratch(0), t = scratch(1);
  upper_nibbles(s, a);
  emit(I::kIdVandps, t, a, inner_constant(inner::kNibbles));
  const Reg reversed = inner_register(inner::kReversedNibbles, x);
  emit(I::kIdVpshufb, s, reversed, s);
  emit(I::kIdVpshufb, t, reversed, t);
  emit(I::kIdVpslld, t, t, imm(4));
  emit(I::kIdVorps, s, s, t);
  emit(I::kIdVpshufb, x, s, inner_constant(inner::kReversedBytes));
  release_dead(n);
}
/// The polynomial costs less than a table: a gather of 8 dwords takes 1.9 ns on Zen 5.
void Emitter::srgb_decode(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), s = scratch(0), t = scratch(1);
  emit(I::kIdVandps, s, a, inner_constant(255));
  release_dead(n);
  const Reg x = vec(result(i));
  const Operand last = inner_constant(num::srgb::kLastLinear);
  if (wide_)
    emit(I::kIdVpcmpgtd, x86::k7, s, last);
  else
    emit(I::kIdVpcmpgtd, t, s, last);
  emit(I::kIdVcvtdq2ps, s, s);
  const auto& curve = num::srgb::kCurve;
  fill(x, num::bits(curve[5]));
  for (int k = 4; k >= 0; --k) emit(I::kIdVfmadd213ps, x, s, inner_constant(num::bits(curve[k])));
  if (wide_) {
    as_.k(x86::k7);
    emit(I::kIdVblendmps, x, s, x);
  } else {
    emit(I::kIdVblendvps, x, s, x, t);
  }
}
void Emitter::low_bits(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), s = scratch(0), t = scratch(1);
  release_dead(n);
  const Reg x = vec(result(i));
  fill(t, ~0u);
  emit(I::kIdVpsllvd, s, t, a);
  emit(I::kIdVxorps, x, s, t);
}

/// Even lanes, odd lanes, and their upper halves side by side.
void Emitter::multiply_high(InstId id, int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), b = vec(in_register(n.b)), s = scratch(0), t = scratch(1);
  release_dead(n);
  const Reg x = vec(result(i));
  emit(I::kIdVmovshdup, s, a);
  emit(I::kIdVmovshdup, t, b);
  emit(id, s, s, t);
  emit(id, t, a, b);
  emit(I::kIdVshufps, s, t, s, imm(0xDD));  // even, even, odd, odd
  emit(I::kIdVpshufd, x, s, imm(0xD8));
}

/// x = a / b by `quotient(numerators, denominators)`, which makes integers out of half as many in registers half as wide. Exact in double:
/// a quotient that is no integer is further from one than it is rounded.
template <class F>
void Emitter::divide(Reg x, Reg a, Reg b, F quotient) {
  const Reg s = scratch(0), t = scratch(1);
  const auto half = [&](Reg r) { return wide_ ? Reg(r.ymm()) : Reg(r.xmm()); };
  const InstId extract = wide_ ? I::kIdVextracti64x4 : I::kIdVextracti128, insert = wide_ ? I::kIdVinserti64x4 : I::kIdVinserti128;
  emit(extract, half(s), a, imm(1));
  emit(extract, half(t), b, imm(1));
  quotient(x, s, t);
  emit(I::kIdVmovaps, half(s), half(a));
  emit(I::kIdVmovaps, half(t), half(b));
  quotient(s, s, t);
  emit(insert, x, s, half(x), imm(1));
}
/// INT32_MIN / -1 does not fit and becomes INT32_MIN by the conversion.
void Emitter::idiv(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), b = vec(in_register(n.b)), x = vec(result(i));
  const auto half = [&](Reg r) { return wide_ ? Reg(r.ymm()) : Reg(r.xmm()); };
  divide(x, a, b, [&](Reg to, Reg s, Reg t) {
    emit(I::kIdVcvtdq2pd, s, half(s));
    emit(I::kIdVcvtdq2pd, t, half(t));
    emit(I::kIdVdivpd, s, s, t);
    emit(I::kIdVcvttpd2dq, half(to), s);
  });
  if (wide_) {
    emit(I::kIdVptestnmd, x86::k7, b, b);
    as_.k(x86::k7);
    emit(I::kIdVbroadcastss, x, constant_bits(~0u));
  } else {
    emit(I::kIdVxorps, scratch(0), scratch(0), scratch(0));
    emit(I::kIdVpcmpeqd, scratch(0), scratch(0), b);
    emit(I::kIdVorps, x, x, scratch(0));
  }
  release_dead(n);
}
/// AVX-512 makes all ones of what is infinite or no number; AVX2 converts signed integers only, 2^31 below.
void Emitter::udiv(int32_t i, const Node& n) {
  const Reg a = vec(in_register(n.a)), b = vec(in_register(n.b)), x = vec(result(i));
  if (wide_) {
    divide(x, a, b, [&](Reg to, Reg s, Reg t) {
      emit(I::kIdVcvtudq2pd, s, s.ymm());
      emit(I::kIdVcvtudq2pd, t, t.ymm());
      emit(I::kIdVdivpd, s, s, t);
      emit(I::kIdVcvttpd2udq, to.ymm(), s);
    });
    return release_dead(n);
  }
  const Mem limit = table_of(quarters(0, 0x41E00000u, 0, 0x41E00000u));  // 2^31 as a double
  const Mem sign = constant_bits(kSign);
  divide(x, a, b, [&](Reg to, Reg s, Reg t) {
    for (const Reg& r : {s, t}) {
      emit(I::kIdVxorps, r.xmm(), r.xmm(), sign);
      emit(I::kIdVcvtdq2pd, r, r.xmm());
      emit(I::kIdVaddpd, r, r, limit);
    }
    emit(I::kIdVdivpd, s, s, t);
    emit(I::kIdVroundpd, s, s, imm(11));
    emit(I::kIdVsubpd, s, s, limit);
    emit(I::kIdVcvttpd2dq, to.xmm(), s);
  });
  emit(I::kIdVxorps, x, x, sign);
  emit(I::kIdVxorps, scratch(0), scratch(0), scratch(0));
  emit(I::kIdVpcmpeqd, scratch(0), scratch(0), b);
  emit(I::kIdVorps, x, x, scratch(0));
  release_dead(n);
}

void Emitter::shift_by(InstId id, int32_t i, const Node& n) {
  if (most_of(program_, n.b) < 32) return binary(id, i, n);
  const Reg a = vec(in_register(n.a)), b = vec(in_register(n.b));
  emit(I::kIdVandps, scratch(0), b, inner_constant(31));
  release_dead(n);
  emit(id, vec(result(i)), a, scratch(0));
}

}  // namespace pumice::hw::fast::lane
