// SPDX-License-Identifier: MIT
/// The one table of IR operations. Columns: name, number of sources (-1: depends on the instruction, see source_lanes()),
/// shape, pure, level.
///   shape  cw     componentwise: result lane i from lane i of every swizzled source
///          dotN   one result lane from N lanes of two sources
///          other  stated beside the row
///   pure   the result depends on nothing but the sources and state constant during the run: may be moved, merged and deleted
///   level  core   both back ends accept it after run_passes()
///          high   gone after run_passes()
/// Operands are FP32 lanes; denormals count as zero (us-isa A5); mad is fused, every other result is rounded to nearest even.
#pragma once

// clang-format off
#define PUMICE_IR_OPS(X)                                                                                                       \
  /*   name          n  shape  pure  level   meaning */                                                                         \
  X(constant,        0, other, true, core)  /* immediate `constant` */                                                        \
  X(mov,             1, cw,    true, core)  /* a; also changes the type tag */                                                \
  X(vec,            -1, other, true, core)  /* lane i = first lane of source i; 2..4 sources */                               \
  X(add,             2, cw,    true, core)                                                                                    \
  X(mul,             2, cw,    true, core)                                                                                    \
  X(mad,             3, cw,    true, core)  /* fma(a, b, c) */                                                                \
  X(min,             2, cw,    true, core)  /* a < b ? a : b */                                                               \
  X(max,             2, cw,    true, core)  /* a >= b ? a : b; a NaN anywhere gives b (us-isa A5) */                          \
  X(floor,           1, cw,    true, core)                                                                                    \
  X(fract,           1, cw,    true, core)  /* a - floor(a) */                                                                \
  X(rcp,             1, cw,    true, core)  /* 1/a; the result has one lane after run_passes(), so down to cos_cycles */      \
  X(rsq,             1, cw,    true, core)  /* 1/sqrt(|a|) */                                                                 \
  X(exp2,            1, cw,    true, core)                                                                                    \
  X(log2,            1, cw,    true, core)  /* of a >= 0 */                                                                   \
  X(sin,             1, cw,    true, core)  /* radians. After run_passes(): vertex stage only, |a| <= pi */                   \
  X(cos,             1, cw,    true, core)                                                                                    \
  X(sin_cycles,      1, cw,    true, core)  /* sin(2 pi a), 0 <= a < 1. After run_passes(): fragment stage only */            \
  X(cos_cycles,      1, cw,    true, core)                                                                                    \
  X(dot2,            2, dot2,  true, core)                                                                                    \
  X(dot3,            2, dot3,  true, core)                                                                                    \
  X(dot4,            2, dot4,  true, core)                                                                                    \
  X(slt,             2, cw,    true, core)  /* a < b, result bool 0.0 or 1.0; a NaN gives 0 */                                \
  X(sge,             2, cw,    true, core)  /* a >= b; a NaN gives 0 */                                                       \
  X(seq,             2, cw,    true, core)  /* a == b; a NaN gives 0 */                                                       \
  X(sne,             2, cw,    true, core)  /* a != b; a NaN gives 1 */                                                       \
  X(sel,             3, cw,    true, core)  /* a ? b : c; a is a bool, exactly 0.0 or 1.0, never with modifiers */            \
  X(ddx,             1, cw,    true, core)  /* fragment stage; coarse: one value a quad is enough */                          \
  X(ddy,             1, cw,    true, core)                                                                                    \
  X(load_input,      0, other, true, core)  /* input `index`, all its lanes */                                                \
  X(load_uniform,   -1, other, true, core)  /* f32x4: slot offset [+ source 0 (1 lane, 0..max_index)] of block `index` */     \
  X(load_push,      -1, other, true, core)  /* f32x4: slot offset [+ source 0] of the push constants */                       \
  X(load_param,      0, other, true, core)  /* f32x4: driver parameter; texture_size: of texture `index`, vec4 `offset` 0..1 */ \
  X(tex,            -1, other, true, core)  /* texture `index`; sources: coord, [q], [dx, dy], [dref], see TexKind */         \
  X(kill_if,         1, other, false, core) /* discards the fragment where the bool lane is 1; the program goes on as helper */ \
  X(store_output,    1, other, false, core) /* lanes of `mask` of output `index` from the same lanes of source 0 */           \
  X(load_temp,      -1, other, false, high) /* element offset [+ source 0 (1 lane, 0..max_index)] of indexable temp `index` */ \
  X(store_temp,     -1, other, false, high) /* source 0 (lanes of `mask`) to element offset [+ source 1] of temp `index` */   \
  X(div,             2, cw,    true, high)                                                                                    \
  X(sqrt,            1, cw,    true, high)                                                                                    \
  X(pow,             2, cw,    true, high)                                                                                    \
  X(exp,             1, cw,    true, high)                                                                                    \
  X(log,             1, cw,    true, high)                                                                                    \
  X(ceil,            1, cw,    true, high)                                                                                    \
  X(trunc,           1, cw,    true, high)                                                                                    \
  X(round_even,      1, cw,    true, high)                                                                                    \
  X(sign,            1, cw,    true, high)                                                                                    \
  X(idiv,            2, cw,    true, high)  /* exact quotient of integers, rounded to zero */                                 \
  X(imod,            2, cw,    true, high)  /* a - b * floor(a / b), sign of b */                                             \
  X(irem,            2, cw,    true, high)  /* a - b * trunc(a / b), sign of a */                                             \
  X(tan,             1, cw,    true, high)                                                                                    \
  X(asin,            1, cw,    true, high)                                                                                    \
  X(acos,            1, cw,    true, high)                                                                                    \
  X(atan,            1, cw,    true, high)                                                                                    \
  X(atan2,           2, cw,    true, high)  /* atan2(a = y, b = x) */                                                         \
  X(sinh,            1, cw,    true, high)                                                                                    \
  X(cosh,            1, cw,    true, high)                                                                                    \
  X(tanh,            1, cw,    true, high)                                                                                    \
  X(asinh,           1, cw,    true, high)                                                                                    \
  X(acosh,           1, cw,    true, high)                                                                                    \
  X(atanh,           1, cw,    true, high)
// clang-format on
