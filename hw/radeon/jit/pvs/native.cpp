// SPDX-License-Identifier: MIT
/// Vertex programs on 16 vertices as lane programs (hw/radeon/ref/vap/pvs_alu.cpp is the specification): registers are SSA values, the
/// predicate is a mask. Registers of a file that A0 addresses are rows of the Batch.
#include "hw/radeon/jit/pvs/native.h"

#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include "hw/common/numerics/kernels.h"
#include "hw/common/numerics/transcendental.h"
#include "hw/db/isa_pvs.h"

namespace pumice::hw::fast::vertex {
namespace {

using lane::kArgs;
using lane::Mask;
using lane::Value;
using isa::pvs::MathOp;
using isa::pvs::VectorOp;

constexpr float kFloatMax = std::numeric_limits<float>::max(), kInfinity = std::numeric_limits<float>::infinity(), kPi = 0x1.921fb6p+1f;

uint32_t row_offset(int32_t row) { return uint32_t(offsetof(Batch, row) + size_t(row) * sizeof(Lanes)); }

class Translator {
 public:
  explicit Translator(lane::Builder& b) : b_(b) {
    constants_ = b.pointer(kArgs, offsetof(Batch, constant));
    predicate_ = b.mask_constant(0);
    everyone_ = b.mask_constant(0xFFFF);
    for (Value& a : a0_) a = b.constant_bits(0);
  }
  uint64_t run(const PvsCode& code) {
    for (uint32_t i = 0; i < code.count; ++i) {
      const PvsOp& op = code.op[i];
      for (const Source& s : op.src)
        if (s.kind == Source::Kind::relative_row) put_in_memory(s.first_row);
      if (op.dual && op.dual_src.kind == Source::Kind::relative_row) put_in_memory(op.dual_src.first_row);
      if (op.dst == PvsOp::Dst::relative) put_in_memory(op.dst_first_row);
    }
    for (uint32_t i = 0; i < code.zero_registers; ++i)
      for (int32_t row = 4 * code.zero_register[i]; row < 4 * code.zero_register[i] + 4; ++row)
        if (in_memory(row)) b_.store(kArgs, row_offset(row), zero());
    const bool all_outputs = in_memory(kOutputRow);
    for (int32_t row = kOutputRow; all_outputs && row < kRows; ++row) b_.store(kArgs, row_offset(row), (row & 3) == 3 ? one() : zero());
    for (uint32_t i = 0; i < code.count; ++i) execute(code.op[i]);
    if (all_outputs) return ~uint64_t{0};
    uint64_t written = 0;
    for (int32_t row = kOutputRow; row < kRows; ++row) {
      if (!reg_[size_t(row)]) continue;
      b_.store(kArgs, row_offset(row), reg_[size_t(row)]);
      written |= uint64_t{1} << (row - kOutputRow);
    }
    return written;
  }

 private:
  enum class Compare : uint8_t { eq, gt, gte, neq };
  using Vector = std::array<Value, 4>;

  Value zero() { return b_.constant(0.0f); }
  Value one() { return b_.constant(1.0f); }
  Mask holds(Compare c, Value x) {
    switch (c) {
      case Compare::eq: return b_.eq(x, zero());
      case Compare::gt: return b_.gt(x, zero());
      case Compare::gte: return b_.ge(x, zero());
      default: return b_.ne(x, zero());
    }
  }
  static Compare compare(uint32_t opcode, uint32_t first) { return static_cast<Compare>(opcode - first); }
  Value boolean(Mask m) { return b_.select(m, one(), zero()); }

  /// The files in the order of their rows.
  static size_t file_of(int32_t row) { return row < kAltRow ? 0 : row < kInputRow ? 1 : row < kOutputRow ? 2 : 3; }
  bool in_memory(int32_t row) const { return file_in_memory_[file_of(row)]; }
  void put_in_memory(int32_t first_row) { file_in_memory_[file_of(first_row)] = true; }

  void write_reg(int32_t row, Mask m, Value v) {
    const Value merged_value = merged(m, v, m == everyone_ ? v : reg(row));
    if (in_memory(row))
      b_.store(kArgs, row_offset(row), merged_value);
    else
      reg_[size_t(row)] = merged_value;
  }
  Value reg(int32_t row) {
    if (in_memory(row)) return b_.lanes_now(kArgs, row_offset(row));
    Value& v = reg_[size_t(row)];
    if (!v) {
      if (row >= kInputRow && row < kOutputRow)
        v = b_.lanes(kArgs, row_offset(row));
      else
        v = row >= kOutputRow && (row & 3) == 3 ? one() : zero();
    }
    return v;
  }

  struct Place {
    Value offset;
    Mask in;
  };
  /// Component 0 of register A0 + offset of a file in memory.
  Place relative(uint8_t a0, int32_t offset, int32_t first_row, int32_t count) {
    const Value index = b_.iadd(a0_[a0], b_.constant_bits(uint32_t(offset)));
    const Mask in = b_.mask_andnot(b_.ilt(index, b_.constant_bits(0)), b_.ilt(index, b_.constant_bits(uint32_t(count))));
    std::array<uint32_t, kLanes> own;
    for (uint32_t l = 0; l < kLanes; ++l) own[l] = row_offset(first_row) + 4 * l;
    return {b_.iadd(b_.shl(index, 8), b_.table(own)), in};
  }
  Value component(Value offset, uint32_t c) { return b_.iadd(offset, b_.constant_bits(uint32_t(sizeof(Lanes)) * c)); }

  Value fetch(const Source& s, uint32_t c) {
    const uint32_t swizzle = s.swizzle[c];
    Value v;
    if (swizzle >= 4) {
      v = swizzle == 5 ? one() : zero();
    } else {
      switch (s.kind) {
        case Source::Kind::row: v = reg(s.index + int32_t(swizzle)); break;
        case Source::Kind::constant: v = b_.splat(constants_, 16 * uint32_t(s.index) + 4 * swizzle); break;
        case Source::Kind::relative_constant: {
          const Value index = b_.iadd(a0_[s.a0], b_.constant_bits(uint32_t(s.index)));
          const Mask in = b_.mask_andnot(b_.ilt(index, b_.constant_bits(0)), b_.ilt(index, b_.constant_bits(uint32_t(s.count))));
          v = b_.gather(constants_, b_.iadd(b_.shl(index, 4), b_.constant_bits(4 * swizzle)), in);
          break;
        }
        case Source::Kind::relative_row: {
          const Place p = relative(s.a0, s.index, s.first_row, s.count);
          v = b_.gather_now(kArgs, component(p.offset, swizzle), p.in);
          break;
        }
        default: v = zero(); break;
      }
    }
    if (s.abs) v = b_.magnitude(v);
    if (s.negate >> c & 1) v = b_.negate(v);
    return v;
  }

  void predicate(Mask exec, Mask p) { predicate_ = b_.mask_or(b_.mask_and(exec, p), b_.mask_andnot(exec, predicate_)); }

  uint32_t vector_operation(const PvsOp& op, Mask exec, Vector& value, std::array<Mask, 4>& written) {
    const auto a = [&](uint32_t k) { return fetch(op.src[0], k); };
    const auto b = [&](uint32_t k) { return fetch(op.src[1], k); };
    const auto c = [&](uint32_t k) { return fetch(op.src[2], k); };
    const uint32_t wanted = op.replicate_x ? op.write_mask | 1u : op.write_mask;
    const auto each = [&](const auto& f) {
      for (uint32_t k = 0; k < 4; ++k)
        if (wanted >> k & 1) value[k] = f(k);
      return 15u;
    };
    const auto replicate = [&](Value v) {
      value.fill(v);
      return 15u;
    };
    switch (VectorOp(op.opcode)) {
      case VectorOp::DOT_PRODUCT: {
        Value r = b_.mul(a(0), b(0));
        for (uint32_t k = 1; k < 4; ++k) r = b_.fma(a(k), b(k), r);
        return replicate(r);
      }
      case VectorOp::MULTIPLY: return each([&](uint32_t k) { return b_.mul(a(k), b(k)); });
      case VectorOp::ADD: return each([&](uint32_t k) { return b_.add(a(k), b(k)); });
      case VectorOp::MULTIPLY_ADD: return each([&](uint32_t k) { return b_.fma(a(k), b(k), c(k)); });
      case VectorOp::DISTANCE_VECTOR: value = {one(), b_.mul(a(1), b(1)), a(2), b(3)}; return 15;
      case VectorOp::FRACTION:
        return each([&](uint32_t k) {
          const Value x = a(k);
          return b_.sub(x, b_.floor(x));
        });
      case VectorOp::MAXIMUM:
        return each([&](uint32_t k) {
          const Value x = a(k), y = b(k);
          return b_.select(b_.ge(x, y), x, y);
        });
      case VectorOp::MINIMUM: return each([&](uint32_t k) { return b_.minimum(a(k), b(k)); });
      case VectorOp::SET_GREATER_THAN_EQUAL: return each([&](uint32_t k) { return boolean(b_.ge(a(k), b(k))); });
      case VectorOp::SET_LESS_THAN: return each([&](uint32_t k) { return boolean(b_.lt(a(k), b(k))); });
      case VectorOp::MULTIPLYX2_ADD:
        return each([&](uint32_t k) {
          const Value x = a(k);
          return b_.fma(b_.add(x, x), b(k), c(k));
        });
      case VectorOp::MULTIPLY_CLAMP: {
        const Value high = c(3), low = c(0), p = b_.mul(a(0), b(0));
        return replicate(b_.select(b_.lt(high, b_.mul(a(3), b(3))), high, b_.select(b_.ge(low, p), low, p)));
      }
      case VectorOp::FLT2FIX_DX: return each([&](uint32_t k) { return b_.floor(a(k)); });
      case VectorOp::FLT2FIX_DX_RND: return each([&](uint32_t k) { return b_.floor(b_.add(a(k), b_.constant(0.5f))); });
      case VectorOp::PRED_SET_EQ_PUSH:
      case VectorOp::PRED_SET_GT_PUSH:
      case VectorOp::PRED_SET_GTE_PUSH:
      case VectorOp::PRED_SET_NEQ_PUSH: {
        const Value counter = a(3);
        const Mask p = b_.mask_and(b_.eq(counter, zero()), holds(compare(op.opcode, uint32_t(VectorOp::PRED_SET_EQ_PUSH)), b(3)));
        predicate(exec, p);
        replicate(b_.select(p, zero(), b_.add(counter, one())));
        return 8;
      }
      case VectorOp::COND_WRITE_EQ:
      case VectorOp::COND_WRITE_GT:
      case VectorOp::COND_WRITE_GTE:
      case VectorOp::COND_WRITE_NEQ:
        for (uint32_t k = 0; k < 4; ++k) written[k] = holds(compare(op.opcode, uint32_t(VectorOp::COND_WRITE_EQ)), a(k));
        return each([&](uint32_t k) { return b(k); });
      case VectorOp::COND_MUX_EQ:
      case VectorOp::COND_MUX_GT:
      case VectorOp::COND_MUX_GTE:
        return each([&](uint32_t k) { return b_.select(holds(compare(op.opcode, uint32_t(VectorOp::COND_MUX_EQ)), a(k)), b(k), c(k)); });
      case VectorOp::SET_GREATER_THAN: return each([&](uint32_t k) { return boolean(b_.gt(a(k), b(k))); });
      case VectorOp::SET_EQUAL: return each([&](uint32_t k) { return boolean(b_.eq(a(k), b(k))); });
      case VectorOp::SET_NOT_EQUAL: return each([&](uint32_t k) { return boolean(b_.ne(a(k), b(k))); });
      case VectorOp::NOP: break;
    }
    return 0;
  }

  /// num::powf_ lane by lane: it computes in double precision, which lane IR lacks.
  static void power_of_lanes(void* memory, void*) {
    Lanes* const l = static_cast<Lanes*>(memory);
    for (int i = 0; i < kLanes; ++i) l[0].v[i] = num::powf_(l[0].v[i], l[1].v[i]);
  }
  Value power(Value base, Value exponent) {
    if (!power_memory_) power_memory_ = b_.scratch(2 * sizeof(Lanes));
    b_.store(*power_memory_, 0, base);
    b_.store(*power_memory_, sizeof(Lanes), exponent);
    b_.call(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(&power_of_lanes)), *power_memory_, *power_memory_, 0);
    return b_.lanes_now(*power_memory_, 0);
  }
  /// |base| to the exponent with base's sign.
  Value signed_power(Value base, Value exponent) {
    const Value r = power(b_.magnitude(base), exponent);
    return b_.select(b_.lt(base, zero()), b_.negate(r), r);
  }

  uint32_t math_operation(uint32_t opcode, Value a, Value b, Value c, Mask exec, Vector& value) {
    const auto replicate = [&](Value v) {
      value.fill(v);
      return 15u;
    };
    const auto with_zero = [&](float at_zero, Value v) { return b_.select(b_.eq(a, zero()), b_.constant(at_zero), v); };
    const auto set = [&](Mask p, Value v) {
      predicate(exec, p);
      replicate(v);
      return 8u;
    };
    const auto log2 = [&] { return num::log2_kernel(b_, b_.magnitude(a)); };
    const auto rsq = [&] { return num::rsq_kernel(b_, b_.magnitude(a)); };
    const auto rcp = [&] { return num::rcp_kernel(b_, a); };
    const auto within_pi = [&] { return b_.le(b_.magnitude(a), b_.constant(kPi)); };
    switch (MathOp(opcode)) {
      case MathOp::EXP_BASE2_DX: {
        const Value whole = b_.floor(a);
        value = {num::exp2_kernel(b_, whole), b_.select(b_.gt(a, b_.constant(128.0f)), zero(), b_.sub(a, whole)), num::exp2_kernel(b_, a),
                 one()};
        return 15;
      }
      case MathOp::LOG_BASE2_DX: {
        const Value x = b_.magnitude(a);
        const Mask is_zero = b_.eq(x, zero()), nan = b_.is_nan(x), odd = b_.mask_or(nan, b_.eq(x, b_.constant(kInfinity)));
        const Value exponent = b_.to_float(b_.isub(b_.shr(x, 23), b_.constant_bits(127)));
        const Value mantissa = b_.bit_or(b_.bit_and(x, b_.constant_bits(0x7FFFFFu)), b_.constant_bits(0x3F800000u));
        value[0] = b_.select(is_zero, b_.constant(-kFloatMax), b_.select(odd, x, exponent));
        value[1] = b_.select(is_zero, one(), b_.select(nan, x, b_.select(odd, one(), mantissa)));
        value[2] = b_.select(is_zero, b_.constant(-kFloatMax), b_.select(odd, x, log2()));
        value[3] = one();
        return 15;
      }
      case MathOp::LIGHT_COEFF_DX: {
        const Mask lit = b_.gt(b, zero());
        const Value low = b_.constant(-128.0f), high = b_.constant(128.0f);
        const Value exponent = b_.select(b_.lt(c, low), low, b_.select(b_.gt(c, high), high, c));
        value = {one(), b_.select(lit, b, zero()), b_.select(lit, power(b_.select(b_.gt(a, zero()), a, zero()), exponent), zero()), one()};
        return 15;
      }
      case MathOp::POWER_FUNC_FF: return replicate(signed_power(a, c));
      case MathOp::POWER_FUNC_FF_CLAMP_B: return replicate(b_.select(b_.lt(a, b), zero(), signed_power(a, c)));
      case MathOp::POWER_FUNC_FF_CLAMP_B1:
        return replicate(b_.select(b_.lt(a, b), zero(), b_.select(b_.gt(a, one()), one(), signed_power(a, c))));
      case MathOp::POWER_FUNC_FF_CLAMP_01:
        return replicate(b_.select(b_.le(a, zero()), zero(), b_.select(b_.gt(a, one()), one(), signed_power(a, c))));
      case MathOp::EXP_BASEE_FF: return replicate(num::exp_kernel(b_, a));
      case MathOp::RECIP_DX: return replicate(with_zero(kFloatMax, rcp()));
      case MathOp::RECIP_FF: return replicate(with_zero(0.0f, rcp()));
      case MathOp::RECIP_SQRT_DX: return replicate(with_zero(kFloatMax, rsq()));
      case MathOp::RECIP_SQRT_FF: return replicate(with_zero(0.0f, rsq()));
      case MathOp::MULTIPLY: return replicate(b_.mul(a, b));
      case MathOp::EXP_BASE2_FULL_DX: return replicate(num::exp2_kernel(b_, a));
      case MathOp::LOG_BASE2_FULL_DX: return replicate(with_zero(-kFloatMax, log2()));
      case MathOp::SIN:
        return replicate(b_.select(b_.is_nan(a), a, b_.select(within_pi(), num::sin_radians_kernel(b_, a), zero())));
      case MathOp::COS:
        return replicate(b_.select(b_.is_nan(a), a, b_.select(within_pi(), num::cos_radians_kernel(b_, a), b_.constant(-1.0f))));
      case MathOp::LOG_BASE2_IEEE: return replicate(with_zero(-kInfinity, log2()));
      case MathOp::RECIP_IEEE: return replicate(rcp());
      case MathOp::RECIP_SQRT_IEEE: return replicate(rsq());
      case MathOp::PRED_SET_EQ:
      case MathOp::PRED_SET_GT:
      case MathOp::PRED_SET_GTE:
      case MathOp::PRED_SET_NEQ: {
        const Mask p = holds(compare(opcode, uint32_t(MathOp::PRED_SET_EQ)), a);
        return set(p, b_.select(p, zero(), one()));
      }
      case MathOp::PRED_SET_CLR: predicate(exec, b_.mask_constant(0)); return replicate(b_.constant(kFloatMax));
      case MathOp::PRED_SET_INV: {
        const Mask p = b_.eq(a, one());
        return set(p, b_.select(p, zero(), b_.select(b_.eq(a, zero()), one(), a)));
      }
      case MathOp::PRED_SET_POP: {
        const Mask p = b_.le(a, one());
        return set(p, b_.select(p, zero(), b_.sub(a, one())));
      }
      case MathOp::PRED_SET_RESTORE: predicate(exec, b_.eq(a, zero())); return replicate(a);
      case MathOp::NOP: break;
    }
    return 0;
  }

  Value saturated(Value x) { return b_.minimum(b_.maximum(x, zero()), one()); }
  Value merged(Mask m, Value v, Value old) { return m == everyone_ ? v : b_.select(m, v, old); }

  void execute(const PvsOp& op) {
    const Mask exec = !op.predicated ? everyone_ : op.sense ? predicate_ : b_.mask_not(predicate_);
    Vector value{};
    std::array<Mask, 4> written = {everyone_, everyone_, everyone_, everyone_};
    uint32_t mask = op.engine == PvsOp::Engine::math
                        ? math_operation(op.opcode, fetch(op.src[0], 3), fetch(op.src[1], 3), fetch(op.src[2], 3), exec, value)
                        : vector_operation(op, exec, value, written);
    if (op.saturate)
      for (Value& v : value)
        if (v) v = saturated(v);
    if (op.dual) {
      Vector side{};
      const Value a = fetch(op.dual_src, 0), b = fetch(op.dual_src, 1);
      if (math_operation(op.dual_opcode, a, b, b, exec, side)) {
        const Value v = side[op.dual_channel];
        write_reg(op.dual_row, exec, op.dual_saturate ? saturated(v) : v);
      }
    }
    mask &= op.write_mask;
    for (uint32_t k = 0; k < 4; ++k) {
      if (!(mask >> k & 1)) continue;
      const Value v = op.replicate_x ? value[0] : value[k];
      const Mask m = written[k] == everyone_ ? exec : exec == everyone_ ? written[k] : b_.mask_and(exec, written[k]);
      if (op.dst == PvsOp::Dst::row) {
        write_reg(op.dst_index + int32_t(k), m, v);
      } else if (op.dst == PvsOp::Dst::a0) {
        const Value limited = b_.minimum(b_.maximum(b_.floor(v), b_.constant(-256.0f)), b_.constant(255.0f));
        a0_[k] = merged(m, b_.to_int(b_.select(b_.eq(v, v), limited, zero())), a0_[k]);
      } else if (op.dst == PvsOp::Dst::relative) {
        const Place p = relative(op.dst_a0, op.dst_index, op.dst_first_row, op.dst_count);
        b_.scatter(kArgs, component(p.offset, k), v, b_.mask_and(m, p.in));
      }
    }
  }

  lane::Builder& b_;
  lane::Pointer constants_;
  std::array<Value, kRows> reg_{};
  std::array<Value, 4> a0_;
  Mask predicate_, everyone_;
  std::array<bool, 4> file_in_memory_{};
  std::optional<lane::Pointer> power_memory_;
};

}  // namespace

lane::Program translate(const PvsCode& code, uint64_t& written) {
  lane::Builder b;
  written = Translator(b).run(code);
  lane::remove_dead(b.program());
  return std::move(b.program());
}

}  // namespace pumice::hw::fast::vertex
