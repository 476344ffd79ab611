// SPDX-License-Identifier: MIT
/// Every operation of the lane IR, once. From these rows come the enumeration, names, signatures and traits (ir.h), the Builder's methods
/// (ir.h, builder.cpp), constant folding and the scalar interpreter (evaluate.cpp, reference.cpp), the SIMD interpreter
/// (interpret_simd.cpp), code for AVX-512 and AVX2 (emit.cpp), printing and validation (print.cpp, validate.cpp), and the scheduler's
/// facts. A row that one of them does not serve does not compile.
///
/// All rows begin with X(name, signature, traits, latency, ...).
///   signature  what a, b, c and imm of the node are; the short ones are in ir.h
///   traits     trait flags joined with |
///   latency    cycles from operands to result for the scheduler, roughly: chosen, not measured
/// Rows of element-wise operations go on with (scalar, simd, code):
///   scalar     the result for one lane, of a, b, c (bits), fa, fb, fc (as floats), ia, ib (as signed integers) and imm;
///              S is num::ScalarMath
///   simd       the same of U16 a, b, c (masks are lanes of 0 or -1) with the vectors of simd.h
///   code       statement of Emitter for node n, number i, on AVX-512 (wide_) and AVX2
/// Rows of the other groups say what they have instead.
#pragma once

// clang-format off

/// Value from value.
#define PUMICE_LANE_UNARY(X)                                                                                                                         \
  X(sqrt, unary_values, flushed, 18, S::sqrt(fa), sqrt(as_float(a)), unary(I::kIdVsqrtps, i, n))                                                     \
  X(floor, unary_values, flushed, 4, std::floor(num::flush_denormal(fa)), floor(as_float(a)), round(i, n, 9))                                        \
  X(ceil, unary_values, flushed, 4, std::ceil(num::flush_denormal(fa)), -floor(-as_float(a)), round(i, n, 10))                                       \
  X(trunc, unary_values, flushed, 4, std::trunc(num::flush_denormal(fa)), trunc(as_float(a)), round(i, n, 11))                                       \
  X(round_even, unary_values, flushed, 4, S::round_even(fa), SimdMath::round_even(as_float(a)), round(i, n, 8))                                      \
  /* Integer to float, to nearest even. */                                                                                                           \
  X(to_float, unary_values, flushed, 4, float(ia), to_float(as_int(a)), unary(I::kIdVcvtdq2ps, i, n))                                                \
  X(uint_to_float, unary_values, flushed, 4, float(a), uint_to_float(a), uint_to_float(i, n))                                                        \
  /* Float to integer, towards zero; INT32_MIN for what does not fit and NaN. */                                                                     \
  X(to_int, unary_values, plain, 4, truncated(fa), truncate(as_float(a)), unary(I::kIdVcvttps2dq, i, n))                                             \
  /* The same, the nearest integer for what does not fit, 0 for NaN. */                                                                              \
  X(to_int_clamped, unary_values, plain, 8, int_clamped(fa), int_clamped(as_float(a)), to_int_clamped(i, n))                                         \
  X(to_uint_clamped, unary_values, plain, 8, uint_clamped(fa), uint_clamped(as_float(a)), to_uint_clamped(i, n))                                     \
  /* Half floats in the low 16 bits. Exact, and to nearest even with denormal halves; a NaN becomes quiet and keeps sign and upper bits. */          \
  X(half_to_float, unary_values, plain, 8, from_half(a), from_half(a), half_to_float(i, n))                                                          \
  X(float_to_half, unary_values, plain, 8, to_half(fa), to_half(as_float(a)), float_to_half(i, n))                                                   \
  X(popcount, unary_values, plain, 14, uint32_t(std::popcount(a)), popcount(a), popcount(i, n))                                                      \
  /* 32 for 0. */                                                                                                                                    \
  X(leading_zeros, unary_values, plain, 8, uint32_t(std::countl_zero(a)), leading_zeros(a), leading_zeros(i, n))                                     \
  X(bit_reverse, unary_values, plain, 4, reversed(a), reversed(a), bit_reverse(i, n))                                                                \
  /* The number of an sRGB code, the low 8 bits (num::srgb). */                                                                                      \
  X(srgb_decode, unary_values, plain, 32, num::srgb::kDecoded[a & 255], srgb_decode(a), srgb_decode(i, n))                                           \
  /* As many ones from bit 0 up; all for 32 and more. */                                                                                             \
  X(low_bits, unary_values, plain, 2, a < 32 ? (1u << a) - 1 : ~0u, low_bits(a), low_bits(i, n))

/// Value from value, by imm in 0..31.
#define PUMICE_LANE_SHIFTS(X)                                                                                                                        \
  X(shl, shift_of_value, plain, 1, a << imm, a << int(imm), shift(I::kIdVpslld, i, n))                                                               \
  X(shr, shift_of_value, plain, 1, a >> imm, a >> int(imm), shift(I::kIdVpsrld, i, n))                                                               \
  X(sar, shift_of_value, plain, 1, ia >> imm, as_int(a) >> int(imm), shift(I::kIdVpsrad, i, n))

/// Value from two values.
#define PUMICE_LANE_BINARY(X)                                                                                                                        \
  X(add, binary_values, flushed | commutes, 3, S::add(fa, fb), as_float(a) + as_float(b), binary(I::kIdVaddps, i, n))                                \
  X(sub, binary_values, flushed, 3, S::sub(fa, fb), as_float(a) - as_float(b), binary(I::kIdVsubps, i, n))                                           \
  X(mul, binary_values, flushed | commutes, 3, S::mul(fa, fb), as_float(a) * as_float(b), binary(I::kIdVmulps, i, n))                                \
  X(div, binary_values, flushed, 14, S::div(fa, fb), as_float(a) / as_float(b), binary(I::kIdVdivps, i, n))                                          \
  /* The second operand for NaN and two zeros. */                                                                                                    \
  X(minimum, binary_values, flushed, 1, num::flush_denormal(S::minimum(fa, fb)), min(as_float(a), as_float(b)), binary(I::kIdVminps, i, n))          \
  X(maximum, binary_values, flushed, 1, num::flush_denormal(S::maximum(fa, fb)), max(as_float(a), as_float(b)), binary(I::kIdVmaxps, i, n))          \
  /* a * 2^b for a in 1/2..2 and integral |b| <= 250, or both NaN. */                                                                                \
  X(scale, binary_values, flushed, 5, S::scale(fa, std::clamp(fb, -250.0f, 250.0f)), SimdMath::scale(as_float(a), as_float(b)), scale(i, n))         \
  X(bit_and, binary_values, commutes, 1, a & b, a & b, binary(I::kIdVandps, i, n))                                                                   \
  X(bit_or, binary_values, commutes, 1, a | b, a | b, binary(I::kIdVorps, i, n))                                                                     \
  X(bit_xor, binary_values, commutes, 1, a ^ b, a ^ b, binary(I::kIdVxorps, i, n))                                                                   \
  /* ~a & b. */                                                                                                                                      \
  X(bit_andnot, binary_values, plain, 1, ~a & b, ~a & b, binary(I::kIdVandnps, i, n))                                                                \
  X(iadd, binary_values, commutes, 1, a + b, a + b, binary(I::kIdVpaddd, i, n))                                                                      \
  X(isub, binary_values, plain, 1, a - b, a - b, binary(I::kIdVpsubd, i, n))                                                                         \
  /* The low 32 bits of the product, and the upper ones of signed and unsigned factors. */                                                           \
  X(imul, binary_values, commutes, 10, a * b, a * b, binary(I::kIdVpmulld, i, n))                                                                    \
  X(imul_high, binary_values, commutes, 8, uint32_t(uint64_t(int64_t{ia} * ib) >> 32), imul_high(a, b), multiply_high(I::kIdVpmuldq, i, n))          \
  X(umul_high, binary_values, commutes, 8, uint32_t(uint64_t{a} * b >> 32), umul_high(a, b), multiply_high(I::kIdVpmuludq, i, n))                    \
  /* The products of the lower and of the upper halves, signed, added. */                                                                            \
  X(dot_words, binary_values, commutes, 3, dot_words(a, b), dot_words(a, b), dot_words(i, n))                                                        \
  /* Towards zero. By 0: all ones. INT32_MIN / -1: INT32_MIN. The Builder's remainders follow: a for 0, and 0. */                                    \
  X(idiv, binary_values, plain, 40, quotient(ia, ib), idiv(a, b), idiv(i, n))                                                                        \
  X(udiv, binary_values, plain, 40, b ? a / b : ~0u, udiv(a, b), udiv(i, n))                                                                         \
  X(imin, binary_values, commutes, 1, std::min(ia, ib), min(as_int(a), as_int(b)), binary(I::kIdVpminsd, i, n))                                      \
  X(imax, binary_values, commutes, 1, std::max(ia, ib), max(as_int(a), as_int(b)), binary(I::kIdVpmaxsd, i, n))                                      \
  X(umin, binary_values, commutes, 1, std::min(a, b), min(a, b), binary(I::kIdVpminud, i, n))                                                        \
  X(umax, binary_values, commutes, 1, std::max(a, b), max(a, b), binary(I::kIdVpmaxud, i, n))                                                        \
  /* By the lane's own number modulo 32. */                                                                                                          \
  X(shl_by, binary_values, plain, 2, a << (b & 31), shift_left(a, b & 31u), shift_by(I::kIdVpsllvd, i, n))                                           \
  X(shr_by, binary_values, plain, 2, a >> (b & 31), shift_right(a, b & 31u), shift_by(I::kIdVpsrlvd, i, n))                                          \
  X(sar_by, binary_values, plain, 2, ia >> (b & 31), shift_right_signed(a, b), shift_by(I::kIdVpsravd, i, n))

/// Value from three operands.
#define PUMICE_LANE_TERNARY(X)                                                                                                                       \
  /* a*b + c, one rounding. */                                                                                                                       \
  X(fma, fused_values, flushed, 4, S::fma(imm & 1 ? -fa : fa, fb, imm & 2 ? -fc : fc), fused(a, b, c, imm), fma(i, n))                               \
  X(select, select_values, plain, 2, c ? a : b, select(as_mask(c), a, b), select(i, n))

/// Mask from two values. `code` has the predicates of VCMPPS (and for exchanged operands) or those of VPCMPD.
#define PUMICE_LANE_COMPARISONS(X)                                                                                                                   \
  X(lt, compare_values, plain, 4, S::lt(fa, fb), lt(as_float(a), as_float(b)), compare_floats(i, n, 0x11, 0x1E))                                     \
  X(le, compare_values, plain, 4, S::ge(fb, fa), le(as_float(a), as_float(b)), compare_floats(i, n, 0x12, 0x1D))                                     \
  X(eq, compare_values, plain, 4, S::eq(fa, fb), eq(as_float(a), as_float(b)), compare_floats(i, n, 0x00, 0x00))                                     \
  /* True for NaN, the other ones false. */                                                                                                          \
  X(ne, compare_values, plain, 4, !S::eq(fa, fb), ne(as_float(a), as_float(b)), compare_floats(i, n, 0x04, 0x04))                                    \
  /* a or b is NaN. */                                                                                                                               \
  X(unordered, compare_values, plain, 4, num::is_nan(fa) || num::is_nan(fb),                                                                         \
    ne(as_float(a), as_float(a)) | ne(as_float(b), as_float(b)), compare_floats(i, n, 0x03, 0x03))                                                   \
  X(ieq, compare_values, plain, 4, a == b, eq(a, b), compare_integers(i, n, false, 0))                                                               \
  X(ine, compare_values, plain, 4, a != b, ~eq(a, b), compare_integers(i, n, false, 4))                                                              \
  X(ilt, compare_values, plain, 4, ia < ib, lt(as_int(a), as_int(b)), compare_integers(i, n, false, 1))                                              \
  X(ile, compare_values, plain, 4, ia <= ib, ~lt(as_int(b), as_int(a)), compare_integers(i, n, false, 2))                                            \
  X(ult, compare_values, plain, 4, a < b, lt(a, b), compare_integers(i, n, true, 1))                                                                 \
  X(ule, compare_values, plain, 4, a <= b, ~lt(b, a), compare_integers(i, n, true, 2))

/// Mask from two masks.
#define PUMICE_LANE_MASKS(X)                                                                                                                         \
  X(mask_and, binary_masks, commutes, 1, a & b, a & b, logic(I::kIdKandw, I::kIdVandps, i, n))                                                       \
  X(mask_or, binary_masks, commutes, 1, a | b, a | b, logic(I::kIdKorw, I::kIdVorps, i, n))                                                          \
  X(mask_xor, binary_masks, commutes, 1, a ^ b, a ^ b, logic(I::kIdKxorw, I::kIdVxorps, i, n))                                                       \
  X(mask_andnot, binary_masks, plain, 1, ~a & b, ~a & b, logic(I::kIdKandnw, I::kIdVandnps, i, n)) /* ~a & b */

/// Element-wise operations.
#define PUMICE_LANE_ELEMENTWISE(X)                                                                                                                   \
  PUMICE_LANE_UNARY(X) PUMICE_LANE_SHIFTS(X) PUMICE_LANE_BINARY(X) PUMICE_LANE_TERNARY(X) PUMICE_LANE_COMPARISONS(X) PUMICE_LANE_MASKS(X)

/// Reads of a buffer (ir.h, Program::Buffer), X(..., type in memory). a: byte offsets, b: whether memory changes, c: lanes.
#define PUMICE_LANE_LOADS(X)                                                                                                                         \
  X(load_u8, buffer_load, plain, 26, uint8_t)                                                                                                        \
  X(load_i8, buffer_load, plain, 27, int8_t)                                                                                                         \
  X(load_u16, buffer_load, plain, 26, uint16_t)                                                                                                      \
  X(load_i16, buffer_load, plain, 27, int16_t)                                                                                                       \
  X(load_32, buffer_load, plain, 22, uint32_t)

/// Writes to a buffer, X(..., type in memory): the low bits of b. a: byte offsets, c: lanes. In ascending order: the last lane stays.
#define PUMICE_LANE_STORES(X)                                                                                                                        \
  X(store_8, buffer_store, effect | apart, 1, uint8_t)                                                                                               \
  X(store_16, buffer_store, effect | apart, 1, uint16_t)                                                                                             \
  X(store_32, buffer_store, effect | apart, 1, uint32_t)

/// Atomic operations on dwords of a buffer, lane after lane in ascending order; the result is what was there before.
/// X(..., scalar, code): what is written, of old, b, and c where that is a value (bits; iold, ib signed); the code has old in EAX and R8D, b in
/// ESI, c in R10D and leaves the result in R8D.
#define PUMICE_LANE_ATOMICS(X)                                                                                                                       \
  X(atomic_add, buffer_atomic, effect | apart, 20, old + b, emit(I::kIdAdd, x86::r8d, x86::esi))                                                     \
  X(atomic_and, buffer_atomic, effect | apart, 20, old & b, emit(I::kIdAnd, x86::r8d, x86::esi))                                                     \
  X(atomic_or, buffer_atomic, effect | apart, 20, old | b, emit(I::kIdOr, x86::r8d, x86::esi))                                                       \
  X(atomic_xor, buffer_atomic, effect | apart, 20, old ^ b, emit(I::kIdXor, x86::r8d, x86::esi))                                                     \
  X(atomic_imin, buffer_atomic, effect | apart, 20, uint32_t(std::min(iold, ib)), choose(I::kIdCmovg))                                               \
  X(atomic_imax, buffer_atomic, effect | apart, 20, uint32_t(std::max(iold, ib)), choose(I::kIdCmovl))                                               \
  X(atomic_umin, buffer_atomic, effect | apart, 20, std::min(old, b), choose(I::kIdCmova))                                                           \
  X(atomic_umax, buffer_atomic, effect | apart, 20, std::max(old, b), choose(I::kIdCmovb))                                                           \
  X(atomic_imul, buffer_atomic, effect | apart, 20, old * b, emit(I::kIdImul, x86::r8d, x86::esi))                                                   \
  /* Of floats, which flush; a NaN is 0x7FFFFFFF. The least and greatest are b for two zeros, and the other one for a NaN. */                        \
  X(atomic_fadd, buffer_atomic, effect | apart, 20, lane::float_sum(old, b), float_atomic(I::kIdVaddss, false))                                      \
  X(atomic_fmul, buffer_atomic, effect | apart, 20, lane::float_product(old, b), float_atomic(I::kIdVmulss, false))                                  \
  X(atomic_fmin, buffer_atomic, effect | apart, 20, lane::float_least(old, b), float_atomic(I::kIdVminss, true))                                     \
  X(atomic_fmax, buffer_atomic, effect | apart, 20, lane::float_greatest(old, b), float_atomic(I::kIdVmaxss, true))                                  \
  X(atomic_exchange, buffer_atomic, effect | apart, 20, b, emit(I::kIdMov, x86::r8d, x86::esi))                                                      \
  /* b where c was. No mask: the Builder moves offsets of other lanes out of bounds. */                                                              \
  X(atomic_compare_exchange, buffer_exchange, effect | apart, 20, old == c ? b : old, exchange_if_equal())

/// Of each quad two numbers of binary64, the lower dword first: those of zip_low(lower, upper), which are lanes 0 and 1, or of zip_high(). Denormals are
/// kept. The bits of a NaN are open, but for dnumber. X(..., scalar, code): the result of x, y and z, a number or a truth value.
#define PUMICE_LANE_DOUBLES(X)                                                                                                                       \
  X(dadd, binary_values, commutes, 4, x + y, doubles(I::kIdVaddpd, i, n))                                                                            \
  X(dmul, binary_values, commutes, 4, x * y, doubles(I::kIdVmulpd, i, n))                                                                            \
  X(ddiv, binary_values, plain, 20, x / y, doubles(I::kIdVdivpd, i, n))                                                                              \
  X(dfma, fused_doubles, plain, 4, std::fma(x, y, z), fused_double(i, n))                                                                            \
  X(dsqrt, unary_values, plain, 24, std::sqrt(x), doubles(I::kIdVsqrtpd, i, n))                                                                      \
  /* NaN where both are; of equal ones the second. */                                                                                                \
  X(dmin, binary_values, plain, 8, std::isnan(x) ? y : std::isnan(y) || x < y ? x : y, extreme_double(I::kIdVminpd, i, n))                           \
  X(dmax, binary_values, plain, 8, std::isnan(x) ? y : std::isnan(y) || x > y ? x : y, extreme_double(I::kIdVmaxpd, i, n))                           \
  X(dfloor, unary_values, plain, 8, std::floor(x), round_double(i, n, 9))                                                                            \
  X(dceil, unary_values, plain, 8, std::ceil(x), round_double(i, n, 10))                                                                             \
  X(dtrunc, unary_values, plain, 8, std::trunc(x), round_double(i, n, 11))                                                                           \
  X(dround_even, unary_values, plain, 8, std::nearbyint(x), round_double(i, n, 8))                                                                   \
  /* All ones or zeros; zeros for NaN. */                                                                                                            \
  X(dlt, binary_values, plain, 4, x < y, compare_doubles(i, n, 0x11))                                                                                \
  X(dge, binary_values, plain, 4, x >= y, compare_doubles(i, n, 0x1D))                                                                               \
  X(deq, binary_values, commutes, 4, x == y, compare_doubles(i, n, 0x00))                                                                            \
  /* The same number; of NaN the one that Builder::kDoubleNan is. */                                                                                 \
  X(dnumber, unary_values, plain, 4, std::isnan(x) ? std::bit_cast<double>(kDoubleNan) : x, number_double(i, n))

/// The rest, X(..., function): what the interpreters (reference.cpp, interpret_simd.cpp) and Emitter (op_...) call for it.
#define PUMICE_LANE_OTHERS(X)                                                                                                                        \
  /* Made where they are used: constants and memory that does not change. */                                                                         \
  X(constant, (Signature{.result = Type::value, .imm = Role::bits}), remade, 1, constant)                                                            \
  X(table, (Signature{.result = Type::value, .imm = Role::table}), remade, 1, lanes)                                                                 \
  X(splat, (Signature{.result = Type::value, .imm = Role::offset}), remade | pointer, 1, splat) /* a dword for all lanes */                          \
  X(lanes, (Signature{.result = Type::value, .b = Role::now, .imm = Role::offset}), remade | fixed | pointer, 1, lanes) /* 16 dwords */                      \
  X(mask_constant, (Signature{.result = Type::mask, .imm = Role::mask_bits}), remade, 1, mask_constant)                                              \
  /* The dword at imm + stride * a, 0 unless 0 <= a < count of the range. */                                                                         \
  X(splat_at, (Signature{.result = Type::value, .a = Role::scalar, .b = Role::range, .imm = Role::offset}), pointer, 1, splat_at)                    \
  X(from_scalar, (Signature{.result = Type::value, .a = Role::scalar}), plain, 1, from_scalar)                                                       \
  /* Dwords at byte offsets (below 2^31) of the lanes in c; 0 in the others, which are not read. */                                                  \
  X(gather, (Signature{Type::value, Role::value, Role::now, Role::mask, Role::offset}), pointer, 20, gather)                                         \
  /* Dwords at the byte offsets a, and those at c: texels of a row, mostly side by side and then one access (Builder::gather_row). */                              \
  X(gather_first, (Signature{Type::value, Role::value, Role::now, Role::value, Role::offset}), pointer, 20, gather_first)                            \
  X(gather_second, (Signature{Type::value, Role::value, Role::now, Role::value, Role::offset}), pointer, 20, gather_second)                          \
  /* The same for texels of a dword: of each quad a0 c0 a1 c1, and a2 c2 a3 c3 (Builder::gather_beside). */                                          \
  X(gather_low, (Signature{Type::value, Role::value, Role::now, Role::value, Role::offset}), pointer, 20, gather_beside)                             \
  X(gather_high, (Signature{Type::value, Role::value, Role::now, Role::value, Role::offset}), pointer, 20, gather_beside)                            \
  /* Dword a modulo 2^b of those at the place; b is 4 to 8. */                                                                                        \
  X(look_up, (Signature{.result = Type::value, .a = Role::value, .b = Role::number, .imm = Role::offset}), pointer, 10, look_up)                     \
  X(mask_load, (Signature{.result = Type::mask, .imm = Role::offset}), pointer, 1, mask_load) /* the low 16 bits of a dword */                       \
  /* Between lanes: lane imm of each quad in all four; lane b (modulo 16) of a. */                                                                   \
  X(quad, (Signature{.result = Type::value, .a = Role::value, .imm = Role::lane}), plain, 1, quad)                                                   \
  X(permute, (Signature{.result = Type::value, .a = Role::value, .b = Role::value}), apart, 3, permute)                                              \
  /* Of each quad: a0 b0 a1 b1, and a2 b2 a3 b3. */                                                                                                  \
  X(zip_low, binary_values, plain, 1, zip)                                                                                                           \
  X(zip_high, binary_values, plain, 1, zip)                                                                                                          \
  /* Back: a0 a2 b0 b2, and a1 a3 b1 b3. */                                                                                                          \
  X(unzip_even, binary_values, plain, 1, unzip)                                                                                                      \
  X(unzip_odd, binary_values, plain, 1, unzip)                                                                                                       \
  /* Lanes 0 and 1, 2 and 3 of each quad as binary64; and from both back. binary32 has no denormals. */                                              \
  X(widen_low, unary_values, plain, 6, widen)                                                                                                        \
  X(widen_high, unary_values, plain, 6, widen)                                                                                                       \
  X(narrow, binary_values, flushed, 8, narrow)                                                                                                       \
  /* The bytes of each quad that the bytes of the table say: 0 to 15, or 0 for 128 and more. */                                                      \
  X(shuffle_bytes, (Signature{.result = Type::value, .a = Role::value, .imm = Role::table}), plain, 1, shuffle_bytes)                                \
  /* Variables, and memory that only this lane reads back. */                                                                                        \
  X(get, (Signature{.result = Type::value, .imm = Role::variable}), fixed, 1, get)                                                                   \
  X(mask_get, (Signature{.result = Type::mask, .imm = Role::mask_variable}), fixed, 1, get)                                                          \
  X(set, (Signature{.a = Role::value, .imm = Role::variable}), effect, 1, set)                                                                       \
  X(mask_set, (Signature{.a = Role::mask, .imm = Role::mask_variable}), effect, 1, set)                                                              \
  X(store, (Signature{.a = Role::value, .imm = Role::offset}), effect | pointer, 1, store) /* 16 dwords */                                           \
  X(scatter, (Signature{Type::none, Role::value, Role::value, Role::mask, Role::offset}), effect | pointer, 1, scatter)                              \
  /* Loads (unsigned) and stores where lanes are a block of 4x4: see Builder. */                                                                     \
  X(load_rows, buffer_load, plain, 12, load_rows)                                                                                                    \
  X(load_rows_16, buffer_load, plain, 12, load_rows_16)                                                                                              \
  X(load_rows_8, buffer_load, plain, 12, load_rows_8)                                                                                                \
  X(store_rows, buffer_store, effect | apart, 1, store_rows)                                                                                         \
  X(store_rows_16, buffer_store, effect | apart, 1, store_rows_16)                                                                                   \
  X(store_rows_8, buffer_store, effect | apart, 1, store_rows_8)                                                                                     \
  /* Dwords of pixels of 8 bytes (pair: pixels 2k and 2k + 1 of each quad) and of 16 (pixel k of each quad): see Builder. */                         \
  X(load_pair_0, buffer_load, plain, 8, load_part)                                                                                                   \
  X(load_pair_1, buffer_load, plain, 8, load_part)                                                                                                   \
  X(load_pixel_0, buffer_load, plain, 8, load_part)                                                                                                  \
  X(load_pixel_1, buffer_load, plain, 8, load_part)                                                                                                  \
  X(load_pixel_2, buffer_load, plain, 8, load_part)                                                                                                  \
  X(load_pixel_3, buffer_load, plain, 8, load_part)                                                                                                  \
  X(store_pair_0, buffer_store, effect | apart, 1, store_part)                                                                                       \
  X(store_pair_1, buffer_store, effect | apart, 1, store_part)                                                                                       \
  X(store_pixel_0, buffer_store, effect | apart, 1, store_part)                                                                                      \
  X(store_pixel_1, buffer_store, effect | apart, 1, store_part)                                                                                      \
  X(store_pixel_2, buffer_store, effect | apart, 1, store_part)                                                                                      \
  X(store_pixel_3, buffer_store, effect | apart, 1, store_part)                                                                                      \
  /* An operation b (Atomic64) on numbers of 64 bits in a buffer, lane after lane in ascending order: see Builder. Operands and results are rows at p. */\
  X(atomic_64, (Signature{.a = Role::value, .b = Role::number, .c = Role::mask, .imm = Role::buffer}), effect | pointer | apart, 40, atomic_64)      \
  /* Masks, numbers and scalars. */                                                                                                                  \
  X(mask_store, (Signature{.a = Role::mask, .b = Role::half, .imm = Role::offset}), effect | pointer | whole, 1, mask_store)                         \
  X(store_word, (Signature{.a = Role::number, .imm = Role::offset}), effect | pointer | whole, 1, store_word)                                        \
  X(call, (Signature{.imm = Role::call}), effect | whole | ends_run, 1, call)                                                                        \
  X(scalar_set, (Signature{.a = Role::number, .imm = Role::scalar}), effect | whole, 1, scalar_set)                                                  \
  X(scalar_load, (Signature{.a = Role::bit_field, .imm = Role::scalar}), effect | pointer | whole, 1, scalar_load)                                   \
  X(scalar_add, (Signature{.a = Role::number, .imm = Role::scalar}), effect | whole, 1, scalar_add)                                                  \
  X(scalar_sum, (Signature{.a = Role::scalar, .imm = Role::scalar}), effect | whole, 1, scalar_sum) /* imm += a */                                   \
  X(scalar_move, (Signature{.a = Role::scalar, .imm = Role::scalar}), effect | whole, 1, scalar_move)                                                \
  /* A moving pointer goes on by imm bytes. */                                                                                                       \
  X(advance, (Signature{.imm = Role::offset}), effect | pointer | whole, 1, advance)                                                                 \
  /* Control flow. */                                                                                                                                \
  X(label, (Signature{.imm = Role::label}), effect | whole | ends_run, 1, label)                                                                     \
  X(jump, (Signature{.imm = Role::label}), effect | whole, 1, jump)                                                                                  \
  X(jump_any, (Signature{.a = Role::mask, .imm = Role::label}), effect | whole, 1, jump_mask)                                                        \
  X(jump_none, (Signature{.a = Role::mask, .imm = Role::label}), effect | whole, 1, jump_mask)                                                       \
  X(jump_scalar_zero, (Signature{.a = Role::scalar, .imm = Role::label}), effect | whole, 1, jump_scalar)                                            \
  X(jump_scalar_nonzero, (Signature{.a = Role::scalar, .imm = Role::label}), effect | whole, 1, jump_scalar)                                         \
  X(jump_spent, (Signature{.a = Role::budget, .imm = Role::label}), effect | pointer | whole, 1, jump_spent)

#define PUMICE_LANE_OPERATIONS(X)                                                                                                                    \
  PUMICE_LANE_ELEMENTWISE(X) PUMICE_LANE_LOADS(X) PUMICE_LANE_STORES(X) PUMICE_LANE_ATOMICS(X) PUMICE_LANE_DOUBLES(X) \
  PUMICE_LANE_OTHERS(X)

// clang-format on
