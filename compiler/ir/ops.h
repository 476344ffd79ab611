// SPDX-License-Identifier: MIT
/// The one table of IR operations. Columns: name, number of sources (-1: depends on the instruction, see source_lanes()),
/// shape, pure, level, class of the sources, class of the result.
///   shape  cw     componentwise: result lane i from lane i of every swizzled source
///          dotN   one result lane from N lanes of two sources
///          other  stated beside the row
///   pure   the result depends on nothing but the sources and state constant during the run: may be moved, merged and deleted
///   level  core   every back end accepts it after run_passes()
///          high   gone after run_passes()
///          exact  the same, but core on chips with memory (ChipLimits), which have the instruction, correctly rounded
///          typed  integers and booleans: gone after lower_integers, which chips without integers begin with
///          ext    of chips with memory only, whose back end accepts it. Sources and Access (ir.h) are stated beside the row; [index] is the
///                 last source if Access::kIndexed or kSamplerIndexed is set: bytes from the descriptor of `element` to the one meant; two
///                 lanes where both are set, the second of the sampler. `address` is one integer lane in bytes, `offset` is added to it.
///   class  flt, int, bit (types.h); word: int or bit, bits: flt or int; any: whatever the result is (stores: what they store to)
///          own    stated beside the row or in validate.cpp; none: there is none
/// A condition (sel, kill_if, if) is of class bit, or a float that is 0.0 or 1.0 after lower_integers; so are results of class bit.
/// Indices (load_*, store_temp) are integers in either form.
/// Values of 64 bits (lower_wide makes pairs of words of them before anything else): mov, vec, sel, *_temp, bitcast between them, typed operations
/// whose results and operands are all of them (shifts: by a word modulo 64; comparisons; conversions), shuffle, first_lane, quad_*; of f64 (denormals
/// kept, mad fused, correctly rounded) add to floor, fract, rcp, rsq, dots, comparisons, div, sqrt, ceil, trunc, round_even, sign, nmin, nmax, ldexp, frexp_*.
/// Float lanes: denormals count as zero (us-isa A5); mad is fused, every other result is rounded to nearest even.
#pragma once

// clang-format off
#define PUMICE_IR_OPS(X)                                                                                                                         \
  /*   name               n  shape  pure   level  from  to      meaning */                                                                       \
  X(constant,           0, other, true,  core,  none, own )  /* immediate `constant` */                                                          \
  X(mov,                1, cw,    true,  core,  any,  own )  /* a; within a class it changes the type */                                         \
  X(vec,               -1, other, true,  core,  any,  own )  /* lane i = first lane of source i; 2..4 sources */                                 \
  X(add,                2, cw,    true,  core,  flt,  flt )                                                                                      \
  X(mul,                2, cw,    true,  core,  flt,  flt )                                                                                      \
  X(mad,                3, cw,    true,  core,  flt,  flt )  /* fma(a, b, c) */                                                                  \
  X(min,                2, cw,    true,  core,  flt,  flt )  /* a < b ? a : b */                                                                 \
  X(max,                2, cw,    true,  core,  flt,  flt )  /* a >= b ? a : b; a NaN anywhere gives b (us-isa A5) */                            \
  X(floor,              1, cw,    true,  core,  flt,  flt )                                                                                      \
  X(fract,              1, cw,    true,  core,  flt,  flt )  /* a - floor(a) */                                                                  \
  X(rcp,                1, cw,    true,  core,  flt,  flt )  /* 1/a; the result has one lane after run_passes(), so down to cos_cycles */        \
  X(rsq,                1, cw,    true,  core,  flt,  flt )  /* 1/sqrt(|a|) */                                                                   \
  X(exp2,               1, cw,    true,  core,  flt,  flt )                                                                                      \
  X(log2,               1, cw,    true,  core,  flt,  flt )  /* of a >= 0 */                                                                     \
  X(sin,                1, cw,    true,  core,  flt,  flt )  /* radians. After run_passes(): vertex stage only, |a| <= pi */                     \
  X(cos,                1, cw,    true,  core,  flt,  flt )                                                                                      \
  X(sin_cycles,         1, cw,    true,  core,  flt,  flt )  /* sin(2 pi a), 0 <= a < 1. After run_passes(): fragment stage only */              \
  X(cos_cycles,         1, cw,    true,  core,  flt,  flt )                                                                                      \
  X(dot2,               2, dot2,  true,  core,  flt,  flt )                                                                                      \
  X(dot3,               2, dot3,  true,  core,  flt,  flt )                                                                                      \
  X(dot4,               2, dot4,  true,  core,  flt,  flt )                                                                                      \
  X(slt,                2, cw,    true,  core,  flt,  bit )  /* a < b; a NaN gives false */                                                      \
  X(sge,                2, cw,    true,  core,  flt,  bit )  /* a >= b; a NaN gives false */                                                     \
  X(seq,                2, cw,    true,  core,  flt,  bit )  /* a == b; a NaN gives false */                                                     \
  X(sne,                2, cw,    true,  core,  flt,  bit )  /* a != b; a NaN gives true */                                                      \
  X(sel,                3, cw,    true,  core,  any,  own )  /* a ? b : c; a is a truth value, never with modifiers */                           \
  X(ddx,                1, cw,    true,  core,  flt,  flt )  /* fragment stage; coarse: one value a quad is enough */                            \
  X(ddy,                1, cw,    true,  core,  flt,  flt )                                                                                      \
  X(load_input,         0, other, true,  core,  none, own )  /* input `index`, all its lanes */                                                  \
  X(load_uniform,      -1, other, true,  core,  none, own )  /* four lanes: slot offset [+ source 0 (1 lane, 0..max_index)] of block `index` */  \
  X(load_push,         -1, other, true,  core,  none, own )  /* four lanes: slot offset [+ source 0] of the push constants */                    \
  X(load_param,         0, other, true,  core,  none, own )  /* f32x4: driver parameter; texture_size: of texture `index`, vec4 `offset` 0..1 */ \
  X(tex,               -1, other, true,  core,  flt,  own )  /* texture `index`; sources: coord, [q], [dx, dy], [dref], see TexKind */           \
  X(kill_if,            1, other, false, core,  bit,  none)  /* discards the fragment where the lane is true; the program goes on as helper */   \
  X(store_output,       1, other, false, core,  any,  none)  /* lanes of `mask` of output `index` from the same lanes of source 0 */             \
  X(load_temp,         -1, other, false, high,  none, own )  /* element offset [+ source 0 (1 lane, 0..max_index)] of indexable temp `index` */  \
  X(store_temp,        -1, other, false, high,  any,  none)  /* source 0 (lanes of `mask`) to element offset [+ source 1] of temp `index` */     \
  X(div,                2, cw,    true,  exact, flt,  flt )                                                                                      \
  X(sqrt,               1, cw,    true,  exact, flt,  flt )                                                                                      \
  X(pow,                2, cw,    true,  high,  flt,  flt )                                                                                      \
  X(exp,                1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(log,                1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(ceil,               1, cw,    true,  exact, flt,  flt )                                                                                      \
  X(trunc,              1, cw,    true,  exact, flt,  flt )                                                                                      \
  X(round_even,         1, cw,    true,  exact, flt,  flt )                                                                                      \
  X(sign,               1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(whole_div,          2, cw,    true,  high,  flt,  flt )  /* exact quotient of integers held in floats, rounded to zero */                    \
  X(whole_mod,          2, cw,    true,  high,  flt,  flt )  /* a - b * floor(a / b), sign of b */                                               \
  X(whole_rem,          2, cw,    true,  high,  flt,  flt )  /* a - b * trunc(a / b), sign of a */                                               \
  X(tan,                1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(asin,               1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(acos,               1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(atan,               1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(atan2,              2, cw,    true,  high,  flt,  flt )  /* atan2(a = y, b = x) */                                                           \
  X(sinh,               1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(cosh,               1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(tanh,               1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(asinh,              1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(acosh,              1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(atanh,              1, cw,    true,  high,  flt,  flt )                                                                                      \
  X(iadd,               2, cw,    true,  typed, int,  int )  /* modulo 2^32, as isub, imul and ineg */                                           \
  X(isub,               2, cw,    true,  typed, int,  int )                                                                                      \
  X(imul,               2, cw,    true,  typed, int,  int )                                                                                      \
  X(ineg,               1, cw,    true,  typed, int,  int )                                                                                      \
  X(iabs,               1, cw,    true,  typed, int,  int )                                                                                      \
  X(isign,              1, cw,    true,  typed, int,  int )  /* -1, 0, 1 */                                                                      \
  X(idiv,               2, cw,    true,  typed, int,  int )  /* signed, rounded to zero; by zero, and of what does not fit: 0 */                 \
  X(udiv,               2, cw,    true,  typed, int,  int )  /* by zero: 0, as umod, imod and irem */                                            \
  X(imod,               2, cw,    true,  typed, int,  int )  /* signed, sign of b */                                                             \
  X(irem,               2, cw,    true,  typed, int,  int )  /* signed, sign of a */                                                             \
  X(umod,               2, cw,    true,  typed, int,  int )                                                                                      \
  X(imin,               2, cw,    true,  typed, int,  int )                                                                                      \
  X(imax,               2, cw,    true,  typed, int,  int )                                                                                      \
  X(umin,               2, cw,    true,  typed, int,  int )                                                                                      \
  X(umax,               2, cw,    true,  typed, int,  int )                                                                                      \
  X(ishl,               2, cw,    true,  typed, int,  int )  /* by b modulo 32, as ishr and ushr */                                              \
  X(ishr,               2, cw,    true,  typed, int,  int )  /* arithmetic */                                                                    \
  X(ushr,               2, cw,    true,  typed, int,  int )  /* logical */                                                                       \
  X(iand,               2, cw,    true,  typed, word, word)  /* of integers or truth values, as ior, ixor, inot */                               \
  X(ior,                2, cw,    true,  typed, word, word)                                                                                      \
  X(ixor,               2, cw,    true,  typed, word, word)                                                                                      \
  X(inot,               1, cw,    true,  typed, word, word)                                                                                      \
  X(ilt,                2, cw,    true,  typed, int,  bit )  /* signed a < b */                                                                  \
  X(ige,                2, cw,    true,  typed, int,  bit )                                                                                      \
  X(ult,                2, cw,    true,  typed, int,  bit )                                                                                      \
  X(uge,                2, cw,    true,  typed, int,  bit )                                                                                      \
  X(ieq,                2, cw,    true,  typed, word, bit )  /* of integers or truth values */                                                   \
  X(ine,                2, cw,    true,  typed, word, bit )                                                                                      \
  X(i2f,                1, cw,    true,  typed, int,  flt )  /* to the nearest */                                                                \
  X(u2f,                1, cw,    true,  typed, int,  flt )                                                                                      \
  X(f2i,                1, cw,    true,  typed, flt,  int )  /* rounded to zero, clamped; NaN gives 0 */                                         \
  X(f2u,                1, cw,    true,  typed, flt,  int )                                                                                      \
  X(whole2i,            1, cw,    true,  typed, flt,  int )  /* of a float that is an integer in range: whatever the rounding */                 \
  X(whole2u,            1, cw,    true,  typed, flt,  int )                                                                                      \
  X(b2f,                1, cw,    true,  typed, bit,  flt )  /* 0.0 or 1.0 */                                                                    \
  X(b2i,                1, cw,    true,  typed, bit,  int )  /* 0 or 1 */                                                                        \
  X(bitcast,            1, cw,    true,  typed, bits, bits)  /* the same bits: between floats and integers */                                    \
  X(ibfe,               3, cw,    true,  typed, int,  int )  /* signed field of a: c bits from bit b */                                          \
  X(ubfe,               3, cw,    true,  typed, int,  int )                                                                                      \
  X(bfi,                4, cw,    true,  typed, int,  int )  /* a with its d bits from bit c replaced by the lowest of b */                      \
  X(bit_reverse,        1, cw,    true,  typed, int,  int )                                                                                      \
  X(bit_count,          1, cw,    true,  typed, int,  int )                                                                                      \
  X(find_lsb,           1, cw,    true,  typed, int,  int )  /* lowest one; -1 without */                                                        \
  X(ifind_msb,          1, cw,    true,  typed, int,  int )  /* highest bit that differs from the sign; -1 without */                            \
  X(ufind_msb,          1, cw,    true,  typed, int,  int )  /* highest one; -1 without */                                                       \
  X(uadd_carry,         2, cw,    true,  typed, int,  int )  /* 0 or 1 */                                                                        \
  X(usub_borrow,        2, cw,    true,  typed, int,  int )  /* 0 or 1 */                                                                        \
  X(umul_high,          2, cw,    true,  typed, int,  int )  /* bits 32..63 of the product */                                                    \
  X(imul_high,          2, cw,    true,  typed, int,  int )                                                                                      \
  X(pack_snorm4x8,      1, other, true,  typed, flt,  int )  /* one word of 4 lanes, lowest first; as GLSL.std.450 */                            \
  X(pack_unorm4x8,      1, other, true,  typed, flt,  int )  /* one word of 4 lanes */                                                           \
  X(pack_snorm2x16,     1, other, true,  typed, flt,  int )  /* one word of 2 lanes */                                                           \
  X(pack_unorm2x16,     1, other, true,  typed, flt,  int )  /* one word of 2 lanes */                                                           \
  X(pack_half2x16,      1, other, true,  typed, flt,  int )  /* one word of 2 lanes */                                                           \
  X(unpack_snorm4x8,    1, other, true,  typed, int,  flt )  /* 4 lanes of one word */                                                           \
  X(unpack_unorm4x8,    1, other, true,  typed, int,  flt )  /* 4 lanes of one word */                                                           \
  X(unpack_snorm2x16,   1, other, true,  typed, int,  flt )  /* 2 lanes of one word */                                                           \
  X(unpack_unorm2x16,   1, other, true,  typed, int,  flt )  /* 2 lanes of one word */                                                           \
  X(unpack_half2x16,    1, other, true,  typed, int,  flt )  /* 2 lanes of one word */                                                           \
  X(wide_join,          2, cw,    true,  high,  bits, bits)  /* 64 bits of a, the low words, and b, the high words: gone after lower_wide, which comes first */ \
  X(wide_low,           1, cw,    true,  high,  bits, bits)  /* the low words of a value of 64 bits */                                           \
  X(wide_high,          1, cw,    true,  high,  bits, bits)                                                                                      \
  X(resize_float,       1, cw,    true,  high,  flt,  flt )  /* between f32 and f64, to the nearest: gone after lower_wide */                     \
  X(nmin,                2, cw,   true,  ext,   flt,  flt )  /* a NaN gives the other operand */                                                 \
  X(nmax,                2, cw,   true,  ext,   flt,  flt )                                                                                      \
  X(ldexp,               2, cw,   true,  ext,   bits, flt )  /* a * 2^b, b an integer; denormal results are zero */                              \
  X(frexp_mant,          1, cw,   true,  ext,   flt,  flt )  /* in [0.5, 1) with the sign of a; zero, Inf, NaN: a */                             \
  X(frexp_exp,           1, cw,   true,  ext,   flt,  int )  /* 0 for zero, Inf, NaN */                                                          \
  X(ddx_fine,            1, cw,   true,  ext,   flt,  flt )  /* fragment stage */                                                                \
  X(ddy_fine,            1, cw,   true,  ext,   flt,  flt )                                                                                      \
  X(quad_broadcast,      1, cw,   true,  ext,   any,  own )  /* of pixel `sub` of the quad */                                                    \
  X(quad_swap,           1, cw,   true,  ext,   any,  own )  /* of the neighbour; sub: 0 horizontal, 1 vertical, 2 diagonal */                   \
  X(interpolate,        -1, other,true,  ext,   own,  own )  /* input `index` at sub: 1 centre, 2 centroid, 3 sample a (int), 4 offset a (2 lanes) */ \
  X(load_const,         -1, other,true,  ext,   own,  bits)  /* address, [index]: 1..4 lanes of buffer `index`, which nothing writes meanwhile */ \
  X(load_buffer,        -1, other,false, ext,   own,  bits)  /* the same of one that may be written */                                           \
  X(store_buffer,       -1, other,false, ext,   own,  none)  /* address, data (lanes of `mask`: 1, 3, 7 or 15), [index] */                       \
  X(atomic_buffer,      -1, other,false, ext,   own,  bits)  /* address, data, [compare value], [index]: the old word, or two: 64 bits; `sub`: Atomic */ \
  X(buffer_size,        -1, other,true,  ext,   own,  int )  /* [index]: bytes */                                                                \
  X(load_pushed,         1, other,true,  ext,   int,  bits)  /* address in the push constants */                                                 \
  X(load_shared,         1, other,false, ext,   int,  bits)  /* address in the memory of the workgroup */                                        \
  X(store_shared,        2, other,false, ext,   own,  none)  /* address, data */                                                                 \
  X(atomic_shared,      -1, other,false, ext,   own,  bits)  /* address, data, [compare value] */                                                \
  X(load_scratch,        1, other,false, ext,   int,  bits)  /* address in the invocation's own memory */                                        \
  X(store_scratch,       2, other,false, ext,   own,  none)  /* address, data */                                                                 \
  X(load_image,         -1, other,false, ext,   own,  bits)  /* texel (image_lanes()), [index]: 4 lanes */                                       \
  X(store_image,        -1, other,false, ext,   own,  none)  /* texel, data (4 lanes), [index] */                                                \
  X(atomic_image,       -1, other,false, ext,   own,  bits)  /* texel, data, [compare value], [index]: the old word */                           \
  X(sample,             -1, other,true,  ext,   own,  bits)  /* coord (sample_lanes()), [src2, [src3]] (4 lanes), [index]: 4 lanes; see Access */ \
  X(image_size,         -1, other,true,  ext,   own,  int )  /* level (int), [index]: 3 lanes: its size, then layers; texel buffers: texels, and those of an element - 1 */ \
  X(image_levels,       -1, other,true,  ext,   own,  int )  /* [index]: 2 lanes: levels, samples */                                             \
  X(sample_lod,         -1, other,true,  ext,   own,  flt )  /* coord, [index]: 2 lanes: level that would be used, unclamped one */              \
  X(is_helper,           0, other,false, ext,   none, bit )  /* now */                                                                           \
  X(clock,               0, other,false, ext,   none, int )  /* two lanes, low word first: nanoseconds of the chip's clock */                     \
  X(barrier,             0, other,false, ext,   none, none)  /* of the workgroup, memory included */                                             \
  X(fence,               0, other,false, ext,   none, none)  /* memory operations before it are visible before those behind it */                \
  X(ballot,              1, other,false, ext,   bit,  int )  /* one lane: mask of the active lanes where a is true */                            \
  X(shuffle,             2, other,false, ext,   own,  own )  /* a (lanes of the result) of lane b (int) */                                       \
  X(first_lane,          1, cw,   false, ext,   any,  own )  /* of the lowest active lane */                                                     \
  X(reduce,              1, cw,   false, ext,   bits, bits)  /* over the active lanes, as scan and scan_exclusive; `sub`: Atomic add .. bxor, mul */ \
  X(scan,                1, cw,   false, ext,   bits, bits)  /* inclusive */                                                                     \
  X(scan_exclusive,      1, cw,   false, ext,   bits, bits)  /* begins with the identity */                                                     \
  X(wide_op,            -1, other,true,  ext,   bits, bits)  /* `sub`: WideOp of docs/r5x.md, 4.2, on 1..3 sources: two lanes for each number, as the result */
// clang-format on
