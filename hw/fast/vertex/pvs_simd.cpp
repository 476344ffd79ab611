// SPDX-License-Identifier: MIT
/// Vertex programs on 16 vertices, one instruction after the other: as hw/vap/pvs_alu.cpp does it for one. Serves every instruction set;
/// where there is native code it runs the first batches of a program and what the code generator refuses.
#include "hw/fast/simd/math.h"
#include "hw/fast/vertex/routines_simd.h"
#include "hw/numerics/kernels.h"
#include "hw/regs_r500.h"

namespace pumice::hw::fast::vertex::PUMICE_SIMD {

using namespace pumice::hw::fast::PUMICE_SIMD;

namespace {

using V = regs::PVS_INST_DST;
using M = regs::PVS_INST_DST_MATH;

constexpr float kFloatMax = 0x1.fffffep127f, kPi = 0x1.921fb6p+1f;
constexpr float kInfinity = __builtin_inff();

constexpr F16 kOne = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
constexpr F16 kZero = {};

enum class Compare : uint8_t { eq, gt, gte, neq };
Mask holds(Compare c, F16 x) {
  switch (c) {
    case Compare::eq: return eq(x, kZero);
    case Compare::gt: return gt(x, kZero);
    case Compare::gte: return ge(x, kZero);
    default: return ne(x, kZero);
  }
}
Compare compare(uint32_t opcode, uint32_t first) { return static_cast<Compare>(opcode - first); }

F16 boolean(Mask m) { return select(m, kOne, kZero); }

F16 power(F16 base, F16 exponent) {
  return by_lane([&](int i) {
    const float r = scalar_power(__builtin_fabsf(base[i]), exponent[i]);
    return base[i] < 0.0f ? -r : r;
  });
}

class Machine {
 public:
  explicit Machine(Batch& batch) : b_(batch) {}
  void execute(const PvsOp& op);

 private:
  /// Component c of the operand.
  F16 fetch(const Source& s, uint32_t c) const;
  F16 relative(const Source& s, uint32_t component) const;
  /// The vector engine: value[c] for the components in the mask it returns; written: per component lanes that the operation itself writes.
  uint32_t vector_operation(const PvsOp& op, Mask exec, F16 (&value)[4], Mask (&written)[4]);
  uint32_t math_operation(uint32_t opcode, F16 a, F16 b, F16 c, Mask exec, F16 (&value)[4]);
  void predicate(Mask exec, Mask p) { predicate_ = (exec & p) | (~exec & predicate_); }
  void merge(Lanes& row, Mask m, F16 v) { store(row, all(m) ? v : select(m, v, load(row))); }
  void write(const PvsOp& op, uint32_t component, Mask m, F16 v);

  Batch& b_;
  Mask predicate_ = mask_from(0);
};

F16 Machine::relative(const Source& s, uint32_t component) const {
  const I16 index = load_unaligned<I16>(b_.a0[s.a0]) + s.index;
  const Mask in = ~lt(index, I16{}) & lt(index, splat(s.count));
  if (s.kind == Source::Kind::relative_constant) return as_float(gather31(b_.constant, index * 16 + int32_t(4 * component), in));
  const I16 row = (index * 4 + int32_t(s.first_row + component)) * 64 + kLaneIndex * 4;
  return as_float(gather31(b_.row, row, in));
}

F16 Machine::fetch(const Source& s, uint32_t c) const {
  const uint32_t swizzle = s.swizzle[c];
  F16 v = {};
  if (swizzle >= 4) {
    if (swizzle == 5) v = kOne;
  } else {
    switch (s.kind) {
      case Source::Kind::zero: break;
      case Source::Kind::row: v = load(b_.row[s.index + int32_t(swizzle)]); break;
      case Source::Kind::constant: v = splat(b_.constant[s.index][swizzle]); break;
      default: v = relative(s, swizzle); break;
    }
  }
  if (s.abs) v = abs(v);
  if (s.negate >> c & 1) v = as_float(as_uint(v) ^ 0x80000000u);
  return v;
}

uint32_t Machine::vector_operation(const PvsOp& op, Mask exec, F16 (&value)[4], Mask (&written)[4]) {
  const auto a = [&](uint32_t c) { return fetch(op.src[0], c); };
  const auto b = [&](uint32_t c) { return fetch(op.src[1], c); };
  const auto c = [&](uint32_t k) { return fetch(op.src[2], k); };
  const uint32_t wanted = op.replicate_x ? op.write_mask | 1u : op.write_mask;
  const auto each = [&](const auto& f) {
    for (uint32_t k = 0; k < 4; ++k)
      if (wanted >> k & 1) value[k] = f(k);
    return 15u;
  };
  const auto replicate = [&](F16 v) {
    for (F16& x : value) x = v;
    return 15u;
  };
  switch (op.opcode) {
    case V::PVS_DST_OPCODE__DOT_PRODUCT: {
      F16 r = a(0) * b(0);
      for (uint32_t k = 1; k < 4; ++k) r = fma(a(k), b(k), r);
      return replicate(r);
    }
    case V::PVS_DST_OPCODE__MULTIPLY: return each([&](uint32_t k) { return a(k) * b(k); });
    case V::PVS_DST_OPCODE__ADD: return each([&](uint32_t k) { return a(k) + b(k); });
    case V::PVS_DST_OPCODE__MULTIPLY_ADD: return each([&](uint32_t k) { return fma(a(k), b(k), c(k)); });
    case V::PVS_DST_OPCODE__DISTANCE_VECTOR: value[0] = kOne, value[1] = a(1) * b(1), value[2] = a(2), value[3] = b(3); return 15;
    case V::PVS_DST_OPCODE__FRACTION:
      return each([&](uint32_t k) {
        const F16 x = a(k);
        return x - floor(x);
      });
    case V::PVS_DST_OPCODE__MAXIMUM:
      return each([&](uint32_t k) {
        const F16 x = a(k), y = b(k);
        return select(ge(x, y), x, y);
      });
    case V::PVS_DST_OPCODE__MINIMUM: return each([&](uint32_t k) { return min(a(k), b(k)); });
    case V::PVS_DST_OPCODE__SET_GREATER_THAN_EQUAL: return each([&](uint32_t k) { return boolean(ge(a(k), b(k))); });
    case V::PVS_DST_OPCODE__SET_LESS_THAN: return each([&](uint32_t k) { return boolean(lt(a(k), b(k))); });
    case V::PVS_DST_OPCODE__MULTIPLYX2_ADD:
      return each([&](uint32_t k) {
        const F16 x = a(k);
        return fma(x + x, b(k), c(k));
      });
    case V::PVS_DST_OPCODE__MULTIPLY_CLAMP: {
      const F16 high = c(3), low = c(0), p = a(0) * b(0);
      return replicate(select(lt(high, a(3) * b(3)), high, select(ge(low, p), low, p)));
    }
    case V::PVS_DST_OPCODE__FLT2FIX_DX: return each([&](uint32_t k) { return floor(a(k)); });
    case V::PVS_DST_OPCODE__FLT2FIX_DX_RND: return each([&](uint32_t k) { return floor(a(k) + splat(0.5f)); });
    case V::PVS_DST_OPCODE__PRED_SET_EQ_PUSH:
    case V::PVS_DST_OPCODE__PRED_SET_GT_PUSH:
    case V::PVS_DST_OPCODE__PRED_SET_GTE_PUSH:
    case V::PVS_DST_OPCODE__PRED_SET_NEQ_PUSH: {
      const F16 counter = a(3);
      const Mask p = eq(counter, kZero) & holds(compare(op.opcode, V::PVS_DST_OPCODE__PRED_SET_EQ_PUSH), b(3));
      predicate(exec, p);
      replicate(select(p, kZero, counter + kOne));
      return 8;
    }
    case V::PVS_DST_OPCODE__COND_WRITE_EQ:
    case V::PVS_DST_OPCODE__COND_WRITE_GT:
    case V::PVS_DST_OPCODE__COND_WRITE_GTE:
    case V::PVS_DST_OPCODE__COND_WRITE_NEQ:
      for (uint32_t k = 0; k < 4; ++k) written[k] = holds(compare(op.opcode, V::PVS_DST_OPCODE__COND_WRITE_EQ), a(k));
      return each([&](uint32_t k) { return b(k); });
    case V::PVS_DST_OPCODE__COND_MUX_EQ:
    case V::PVS_DST_OPCODE__COND_MUX_GT:
    case V::PVS_DST_OPCODE__COND_MUX_GTE:
      return each([&](uint32_t k) { return select(holds(compare(op.opcode, V::PVS_DST_OPCODE__COND_MUX_EQ), a(k)), b(k), c(k)); });
    case V::PVS_DST_OPCODE__SET_GREATER_THAN: return each([&](uint32_t k) { return boolean(gt(a(k), b(k))); });
    case V::PVS_DST_OPCODE__SET_EQUAL: return each([&](uint32_t k) { return boolean(eq(a(k), b(k))); });
    case V::PVS_DST_OPCODE__SET_NOT_EQUAL: return each([&](uint32_t k) { return boolean(ne(a(k), b(k))); });
    default: return 0;
  }
}

uint32_t Machine::math_operation(uint32_t opcode, F16 a, F16 b, F16 c, Mask exec, F16 (&value)[4]) {
  SimdMath m;
  const Mask nan = ne(a, a);
  const auto replicate = [&](F16 v) {
    for (F16& x : value) x = v;
    return 15u;
  };
  const auto with_zero = [&](float at_zero, F16 v) { return select(eq(a, kZero), splat(at_zero), v); };
  const auto set = [&](Mask p, F16 v) {
    predicate(exec, p);
    replicate(v);
    return 8u;
  };
  const auto log2 = [&] { return num::log2_kernel(m, abs(a)); };
  switch (opcode) {
    case M::PVS_DST_OPCODE__EXP_BASE2_DX: {
      const F16 whole = floor(a);
      value[0] = num::exp2_kernel(m, whole);
      value[1] = select(gt(a, splat(128.0f)), kZero, a - whole);
      value[2] = num::exp2_kernel(m, a);
      value[3] = kOne;
      return 15;
    }
    case M::PVS_DST_OPCODE__LOG_BASE2_DX: {
      const F16 x = abs(a);
      const U16 bits = as_uint(x);
      const Mask zero = eq(x, kZero), odd = nan | eq(x, splat(kInfinity));
      value[0] = select(zero, splat(-kFloatMax), select(odd, x, to_float(as_int(bits >> 23) - 127)));
      value[1] = select(zero, kOne, select(nan, x, select(odd, kOne, as_float((bits & 0x7FFFFFu) | 0x3F800000u))));
      value[2] = select(zero, splat(-kFloatMax), select(odd, x, log2()));
      value[3] = kOne;
      return 15;
    }
    case M::PVS_DST_OPCODE__EXP_BASEE_FF: return replicate(num::exp_kernel(m, a));
    case M::PVS_DST_OPCODE__LIGHT_COEFF_DX: {
      const Mask lit = gt(b, kZero);
      const F16 exponent = select(lt(c, splat(-128.0f)), splat(-128.0f), select(gt(c, splat(128.0f)), splat(128.0f), c));
      const F16 base = select(gt(a, kZero), a, kZero);
      value[0] = kOne;
      value[1] = select(lit, b, kZero);
      value[2] = select(lit, by_lane([&](int i) { return scalar_power(base[i], exponent[i]); }), kZero);
      value[3] = kOne;
      return 15;
    }
    case M::PVS_DST_OPCODE__POWER_FUNC_FF: return replicate(power(a, c));
    case M::PVS_DST_OPCODE__RECIP_DX: return replicate(with_zero(kFloatMax, kOne / a));
    case M::PVS_DST_OPCODE__RECIP_FF: return replicate(with_zero(0.0f, kOne / a));
    case M::PVS_DST_OPCODE__RECIP_SQRT_DX: return replicate(with_zero(kFloatMax, num::rsq_kernel(m, abs(a))));
    case M::PVS_DST_OPCODE__RECIP_SQRT_FF: return replicate(with_zero(0.0f, num::rsq_kernel(m, abs(a))));
    case M::PVS_DST_OPCODE__MULTIPLY: return replicate(a * b);
    case M::PVS_DST_OPCODE__EXP_BASE2_FULL_DX: return replicate(num::exp2_kernel(m, a));
    case M::PVS_DST_OPCODE__LOG_BASE2_FULL_DX: return replicate(with_zero(-kFloatMax, log2()));
    case M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B: return replicate(select(lt(a, b), kZero, power(a, c)));
    case M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B1: return replicate(select(lt(a, b), kZero, select(gt(a, kOne), kOne, power(a, c))));
    case M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_01: return replicate(select(le(a, kZero), kZero, select(gt(a, kOne), kOne, power(a, c))));
    case M::PVS_DST_OPCODE__SIN: return replicate(select(nan, a, select(le(abs(a), splat(kPi)), num::sin_radians_kernel(m, a), kZero)));
    case M::PVS_DST_OPCODE__COS:
      return replicate(select(nan, a, select(le(abs(a), splat(kPi)), num::cos_radians_kernel(m, a), splat(-1.0f))));
    case M::PVS_DST_OPCODE__LOG_BASE2_IEEE: return replicate(with_zero(-kInfinity, log2()));
    case M::PVS_DST_OPCODE__RECIP_IEEE: return replicate(kOne / a);
    case M::PVS_DST_OPCODE__RECIP_SQRT_IEEE: return replicate(num::rsq_kernel(m, abs(a)));
    case M::PVS_DST_OPCODE__PRED_SET_EQ:
    case M::PVS_DST_OPCODE__PRED_SET_GT:
    case M::PVS_DST_OPCODE__PRED_SET_GTE:
    case M::PVS_DST_OPCODE__PRED_SET_NEQ: {
      const Mask p = holds(compare(opcode, M::PVS_DST_OPCODE__PRED_SET_EQ), a);
      return set(p, select(p, kZero, kOne));
    }
    case M::PVS_DST_OPCODE__PRED_SET_CLR: predicate(exec, mask_from(0)); return replicate(splat(kFloatMax));
    case M::PVS_DST_OPCODE__PRED_SET_INV: {
      const Mask p = eq(a, kOne);
      return set(p, select(p, kZero, select(eq(a, kZero), kOne, a)));
    }
    case M::PVS_DST_OPCODE__PRED_SET_POP: {
      const Mask p = le(a, kOne);
      return set(p, select(p, kZero, a - kOne));
    }
    case M::PVS_DST_OPCODE__PRED_SET_RESTORE: predicate(exec, eq(a, kZero)); return replicate(a);
    default: return 0;
  }
}

/// x > 0 ? min(x, 1) : 0, NaN gives 0.
F16 saturated(F16 x) { return min(max(x, kZero), kOne); }

void Machine::write(const PvsOp& op, uint32_t component, Mask m, F16 v) {
  switch (op.dst) {
    case PvsOp::Dst::none: break;
    case PvsOp::Dst::row: merge(b_.row[op.dst_index + int32_t(component)], m, v); break;
    case PvsOp::Dst::a0: {
      const F16 limited = min(max(floor(v), splat(-256.0f)), splat(255.0f));
      const I16 address = truncate(select(eq(v, v), limited, kZero));
      store_unaligned(b_.a0[component], select(m, address, load_unaligned<I16>(b_.a0[component])));
      break;
    }
    case PvsOp::Dst::relative: {
      const LaneMask lanes = bits_of(m);
      for (int i = 0; i < kLanes; ++i) {
        const int32_t index = b_.a0[op.dst_a0][i] + op.dst_index;
        if ((lanes >> i & 1) && index >= 0 && index < op.dst_count) b_.row[op.dst_first_row + 4 * index + int32_t(component)].v[i] = v[i];
      }
    }
  }
}

void Machine::execute(const PvsOp& op) {
  const Mask exec = op.predicated ? (op.sense ? predicate_ : ~predicate_) : mask_from(0xFFFF);
  if (op.predicated && !any(exec)) return;
  F16 value[4] = {};
  const Mask everyone = mask_from(0xFFFF);
  Mask written[4] = {everyone, everyone, everyone, everyone};
  uint32_t mask = op.engine == PvsOp::Engine::math
                      ? math_operation(op.opcode, fetch(op.src[0], 3), fetch(op.src[1], 3), fetch(op.src[2], 3), exec, value)
                      : vector_operation(op, exec, value, written);
  if (op.saturate)
    for (F16& v : value) v = saturated(v);
  if (op.dual) {
    F16 side[4] = {};
    const F16 a = fetch(op.dual_src, 0), b = fetch(op.dual_src, 1);
    if (math_operation(op.dual_opcode, a, b, b, exec, side)) {
      const F16 v = side[op.dual_channel];
      merge(b_.row[op.dual_row], exec, op.dual_saturate ? saturated(v) : v);
    }
  }
  mask &= op.write_mask;
  // The components are fixed before any is written: a destination that is addressed by A0 does not change A0.
  for (uint32_t k = 0; k < 4; ++k)
    if (mask >> k & 1) write(op, k, exec & written[k], op.replicate_x ? value[0] : value[k]);
}

}  // namespace

void run(const PvsCode& code, Batch& batch) {
  for (uint32_t i = 0; i < code.zero_registers; ++i)
    for (uint32_t c = 0; c < 4; ++c) store(batch.row[4 * code.zero_register[i] + c], kZero);
  for (uint32_t i = 0; i < 4 * kOutputs; ++i) store(batch.row[kOutputRow + i], (i & 3) == 3 ? kOne : kZero);
  if (code.uses_a0)
    for (auto& a : batch.a0) store_unaligned(a, I16{});
  Machine machine(batch);
  for (uint32_t i = 0; i < code.count; ++i) machine.execute(code.op[i]);
}

const Routines kVertexRoutines = {load_rows, convert, run, emit};

}  // namespace pumice::hw::fast::vertex::PUMICE_SIMD
