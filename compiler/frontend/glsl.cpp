// SPDX-License-Identifier: MIT
/// The GLSL.std.450 instructions.
#include "spirv/unified1/GLSL.std.450.h"

#include <bit>
#include <optional>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

namespace {

std::optional<Op> direct(uint32_t function) {
  switch (function) {
    case GLSLstd450RoundEven:
    case GLSLstd450Round: return Op::round_even;  // Round may break ties either way
    case GLSLstd450Trunc: return Op::trunc;
    case GLSLstd450FSign: return Op::sign;
    case GLSLstd450SSign: return Op::isign;
    case GLSLstd450Floor: return Op::floor;
    case GLSLstd450Ceil: return Op::ceil;
    case GLSLstd450Fract: return Op::fract;
    case GLSLstd450Sin: return Op::sin;
    case GLSLstd450Cos: return Op::cos;
    case GLSLstd450Tan: return Op::tan;
    case GLSLstd450Asin: return Op::asin;
    case GLSLstd450Acos: return Op::acos;
    case GLSLstd450Atan: return Op::atan;
    case GLSLstd450Sinh: return Op::sinh;
    case GLSLstd450Cosh: return Op::cosh;
    case GLSLstd450Tanh: return Op::tanh;
    case GLSLstd450Asinh: return Op::asinh;
    case GLSLstd450Acosh: return Op::acosh;
    case GLSLstd450Atanh: return Op::atanh;
    case GLSLstd450Atan2: return Op::atan2;
    case GLSLstd450Pow: return Op::pow;
    case GLSLstd450Exp: return Op::exp;
    case GLSLstd450Log: return Op::log;
    case GLSLstd450Exp2: return Op::exp2;
    case GLSLstd450Log2: return Op::log2;
    case GLSLstd450Sqrt: return Op::sqrt;
    case GLSLstd450InverseSqrt: return Op::rsq;
    case GLSLstd450FMin:
    case GLSLstd450NMin: return Op::min;
    case GLSLstd450UMin: return Op::umin;
    case GLSLstd450SMin: return Op::imin;
    case GLSLstd450FMax:
    case GLSLstd450NMax: return Op::max;
    case GLSLstd450UMax: return Op::umax;
    case GLSLstd450SMax: return Op::imax;
    case GLSLstd450SAbs: return Op::iabs;
    case GLSLstd450Fma: return Op::mad;
    default: return std::nullopt;
  }
}

}  // namespace

bool Translator::glsl(const Inst& in) {
  const uint32_t f = in[1];
  auto x = [&](size_t i) { return operand(in[2 + i]); };
  if (memory_ && glsl_exact(in, f)) return true;
  if (glsl_narrow(in, f)) return true;
  if (const auto op = direct(f)) {
    const bool transcendental = *op >= Op::exp2 && *op <= Op::cos_cycles;
    const bool high = *op == Op::pow || *op == Op::exp || *op == Op::log || (*op >= Op::tan && *op <= Op::atanh);
    if ((transcendental || high) && ir::is_wide(x(0).type)) fail(in, "a function of 64-bit floats", "GLSL.std.450 has it of 32 bits");
    if (m_.signed_zeros && *op >= Op::asin && *op <= Op::atanh) {
      // Made of comparisons and limits, which lose a NaN.
      Operand r = in.size() == 3 ? b_.op(*op, {x(0)}) : b_.op(*op, {x(0), x(1)});
      for (size_t i = 0; i + 2 < in.size(); ++i) r = b_.sel(b_.op_typed(Op::sne, Type::boolean, {x(i), x(i)}), x(i), r);
      return set(in, r), true;
    }
    switch (in.size() - 2) {
      case 1: set(in, b_.op(*op, {x(0)})); return true;
      case 2: set(in, b_.op(*op, {x(0), x(1)})); return true;
      default: set(in, b_.op(*op, {x(0), x(1), x(2)})); return true;
    }
  }
  switch (f) {
    case GLSLstd450FAbs: set(in, x(0).abs()); return true;
    // Of halves the factors are halves: float_controls.fp16.*.degrees of the conformance suite.
    case GLSLstd450Radians: set(in, product(in, x(0), constant(is_half(in.type) ? 0.01745605f : 0.0174532925199f))); return true;
    case GLSLstd450Degrees: set(in, product(in, x(0), constant(is_half(in.type) ? 57.28125f : 57.2957795131f))); return true;
    case GLSLstd450FClamp:
    case GLSLstd450NClamp: set(in, b_.op(Op::min, {b_.op(Op::max, {x(0), x(1)}), x(2)})); return true;
    case GLSLstd450UClamp: set(in, b_.op(Op::umin, {b_.op(Op::umax, {x(0), x(1)}), x(2)})); return true;
    case GLSLstd450SClamp: set(in, b_.op(Op::imin, {b_.op(Op::imax, {x(0), x(1)}), x(2)})); return true;
    case GLSLstd450FMix: {
      // a + t * (b - a) is one instruction shorter than a * (1 - t) + b * t, but must give b for t = 1: x * (1 - t) does.
      const Operand a = x(0), b = x(1), t = x(2);
      set(in, b_.mad(b, t, b_.mul(a, b_.sub(real(1.0f, t), t))));
      return true;
    }
    case GLSLstd450Step: {
      const Operand above = b_.op(Op::sge, {x(1), x(0)});
      const bool wide = ir::is_wide(x(1).type);
      set(in, wide ? b_.sel(above, real(1.0f, x(1)), real(0.0f, x(1))) : b_.number(above));
      return true;
    }
    case GLSLstd450SmoothStep: {
      const Operand low = x(0), high = x(1);
      const Operand ratio = b_.op(Op::div, {b_.sub(x(2), low), b_.sub(high, low)});
      const Operand t = b_.op(Op::min, {b_.op(Op::max, {ratio, real(0.0f, ratio)}), real(1.0f, ratio)});
      set(in, b_.mul(b_.mul(t, t), b_.mad(t, real(-2.0f, t), real(3.0f, t))));
      return true;
    }
    case GLSLstd450Ldexp: set(in, b_.mul(x(0), b_.op(Op::exp2, {number(x(1))}))); return true;
    case GLSLstd450Modf: {
      const Operand whole = b_.op(Op::trunc, {x(0)});
      store(pointer(in[3]), {whole});
      set(in, b_.sub(x(0), whole));
      return true;
    }
    case GLSLstd450ModfStruct: {
      const Operand whole = b_.op(Op::trunc, {x(0)});
      set(in, Leaves{b_.sub(x(0), whole), whole});
      return true;
    }
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct: {
      // exponent = floor(log2 |x|) + 1, then one correction step: log2 may round across an integer. Scaling by exp2 of an integer is exact.
      const Operand v = x(0), one = constant(1.0f);
      const Operand zero = b_.op(Op::seq, {v, constant(0.0f)});
      Operand e = b_.add(b_.op(Op::floor, {b_.op(Op::log2, {b_.sel(zero, one, v.abs())})}), one);
      Operand m = b_.mul(v, b_.op(Op::exp2, {-e}));
      const Operand big = b_.op(Op::sge, {m.abs(), one});
      const Operand small = b_.logical_and(b_.op(Op::slt, {m.abs(), constant(0.5f)}), b_.op(Op::sne, {v, constant(0.0f)}));
      e = b_.sub(b_.add(e, b_.number(big)), b_.number(small));
      m = b_.mul(v, b_.op(Op::exp2, {-e}));
      e = b_.sel(zero, constant(0.0f), e);
      const Type to = f == GLSLstd450Frexp ? leaf_type(pointer(in[3]).type).type : leaf_type(member_type(in.type, 1)).type;
      const Operand exponent = b_.op_typed(to == Type::u32 ? Op::whole2u : Op::whole2i, to, {e});
      if (f == GLSLstd450FrexpStruct) {
        set(in, Leaves{m, exponent});
      } else {
        store(pointer(in[3]), {exponent});
        set(in, m);
      }
      return true;
    }
    case GLSLstd450InterpolateAtCentroid:
    case GLSLstd450InterpolateAtSample:
    case GLSLstd450InterpolateAtOffset: fail(in, "interpolation at another place", "the chip interpolates before the shader starts");
    default: return glsl_integer(in, f) || glsl_composite(in, f);
  }
}

/// An exponent of any width as a word: what does not fit is far beyond every float as the nearest word, too.
Operand Translator::exponent_word(const Operand& x) {
  if (!ir::is_wide(x.type)) return x;
  const Operand low = low_words(x), high = high_words(x);
  const Operand fits = b_.op_typed(Op::ieq, Type::boolean, {shifted(Op::ishr, low, 31), high});
  return b_.op(Op::sel, {fits, low, b_.op(Op::ixor, {shifted(Op::ishr, high, 31), integer(0x7FFFFFFF, high)})});
}

/// What chips with memory have instructions for.
bool Translator::glsl_exact(const Inst& in, uint32_t f) {
  auto x = [&](size_t i) { return operand(in[2 + i]); };
  switch (f) {
    case GLSLstd450NMin: set(in, b_.op(Op::nmin, {x(0), x(1)})); return true;
    case GLSLstd450NMax: set(in, b_.op(Op::nmax, {x(0), x(1)})); return true;
    case GLSLstd450NClamp: set(in, b_.op(Op::nmin, {b_.op(Op::nmax, {x(0), x(1)}), x(2)})); return true;
    case GLSLstd450Ldexp: set(in, b_.op(Op::ldexp, {x(0), exponent_word(integer_operand(in[3], true))})); return true;
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct: {
      const bool both = f == GLSLstd450FrexpStruct;
      const Type to = leaf_type(both ? member_type(in.type, 1) : pointer(in[3]).type).type;
      const Operand m = b_.op(Op::frexp_mant, {x(0)}), e = b_.op_typed(Op::frexp_exp, to, {x(0)});
      if (both) return set(in, Leaves{m, e}), true;
      store(pointer(in[3]), {e});
      set(in, m);
      return true;
    }
    case GLSLstd450InterpolateAtCentroid: set(in, interpolated(in, pointer(in[2]), 2, {})); return true;
    case GLSLstd450InterpolateAtSample: set(in, interpolated(in, pointer(in[2]), 3, operand(in[3]))); return true;
    case GLSLstd450InterpolateAtOffset: set(in, interpolated(in, pointer(in[2]), 4, operand(in[3]))); return true;
    default: return false;
  }
}

/// Searches for bits, and numbers packed into integers.
bool Translator::glsl_integer(const Inst& in, uint32_t f) {
  const auto result = [&](Op op, unsigned comps) {
    ir::Instruction x{.op = op, .source_count = 1};
    x.source[0] = operand(in[2]).source;
    const Operand r = b_.append(x, leaf_type(in.type).type, comps);
    note_origin(in, r);
    set(in, r);
    return true;
  };
  const auto search = [&](Op op) {
    if (ir::is_wide(operand(in[2]).type)) fail(in, "a search in 64 bits", "GLSL.std.450 has it of 32 bits");
    return result(op, operand(in[2]).comps);
  };
  switch (f) {
    case GLSLstd450FindILsb: return search(Op::find_lsb);
    case GLSLstd450FindSMsb: return search(Op::ifind_msb);
    case GLSLstd450FindUMsb: return search(Op::ufind_msb);
    case GLSLstd450PackSnorm4x8: return result(Op::pack_snorm4x8, 1);
    case GLSLstd450PackUnorm4x8: return result(Op::pack_unorm4x8, 1);
    case GLSLstd450PackSnorm2x16: return result(Op::pack_snorm2x16, 1);
    case GLSLstd450PackUnorm2x16: return result(Op::pack_unorm2x16, 1);
    case GLSLstd450PackHalf2x16: return result(Op::pack_half2x16, 1);
    case GLSLstd450UnpackSnorm4x8: return result(Op::unpack_snorm4x8, 4);
    case GLSLstd450UnpackUnorm4x8: return result(Op::unpack_unorm4x8, 4);
    case GLSLstd450UnpackSnorm2x16: return result(Op::unpack_snorm2x16, 2);
    case GLSLstd450UnpackUnorm2x16: return result(Op::unpack_unorm2x16, 2);
    case GLSLstd450UnpackHalf2x16: return result(Op::unpack_half2x16, 2);
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32:
      if (!memory_) fail(in, "numbers of 64 bits", "the chip computes in 32-bit floats only");
      set(in, bitcast(operand(in[2]), spv_.def(in[2]).type, in.type));
      return true;
    default: return false;
  }
}

/// Geometric and matrix functions.
bool Translator::glsl_composite(const Inst& in, uint32_t f) {
  auto x = [&](size_t i) { return operand(in[2 + i]); };
  switch (f) {
    case GLSLstd450Length: {
      const Operand v = x(0);
      set(in, v.comps == 1 ? v.abs() : b_.op(Op::sqrt, {b_.dot(v, v)}));
      return true;
    }
    case GLSLstd450Distance: {
      const Operand v = b_.sub(x(0), x(1));
      set(in, v.comps == 1 ? v.abs() : b_.op(Op::sqrt, {b_.dot(v, v)}));
      return true;
    }
    case GLSLstd450Cross: {
      const Operand a = x(0), b = x(1);
      const Operand right = b_.mul(a.swizzle({2, 0, 1}), b.swizzle({1, 2, 0}));
      set(in, b_.mad(a.swizzle({1, 2, 0}), b.swizzle({2, 0, 1}), -right));
      return true;
    }
    case GLSLstd450Normalize: {
      const Operand v = x(0);
      set(in, v.comps == 1 ? b_.op(Op::sign, {v}) : b_.mul(v, b_.op(Op::rsq, {b_.dot(v, v)})));
      return true;
    }
    case GLSLstd450FaceForward: {
      const Operand n = x(0);
      set(in, b_.sel(b_.op(Op::slt, {b_.dot(x(2), x(1)), real(0.0f, n)}), n, -n));
      return true;
    }
    case GLSLstd450Reflect: {
      const Operand i = x(0), n = x(1);
      set(in, b_.mad(n, b_.mul(b_.dot(n, i), real(-2.0f, i)), i));
      return true;
    }
    case GLSLstd450Refract: {
      // Of f64 vectors, too, eta has 32 bits.
      const bool widens = ir::is_wide(x(0).type) && !ir::is_wide(x(2).type);
      const Operand i = x(0), n = x(1), eta = widens ? b_.op_typed(Op::resize_float, Type::f64, {x(2)}) : x(2);
      const Operand d = b_.dot(n, i), one = real(1.0f, i), none = real(0.0f, i);
      const Operand k = b_.mad(b_.mul(-eta, eta), b_.mad(-d, d, one), one);
      const Operand scale = b_.mad(eta, d, b_.op(Op::sqrt, {b_.op(Op::max, {k, none})}));
      const Operand r = b_.mad(-n, scale, b_.mul(i, eta));
      set(in, b_.sel(b_.op(Op::slt, {k, none}), none, r));
      return true;
    }
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse: {
      const Leaves m = columns(in[2]);
      const size_t n = m.size();
      if (m[0].comps != n) fail(in, "the determinant of a matrix that is not square", "the SPIR-V is not valid");
      // Minor without the given rows and columns, by expansion along the first column left.
      auto minor = [&](auto&& self, Vec<unsigned> columns, Vec<unsigned> rows) -> Operand {
        if (columns.size() == 1) return m[columns[0]].lane(rows[0]);
        Operand sum;
        Vec<unsigned> rest_columns(columns.begin() + 1, columns.end());
        for (size_t i = 0; i < rows.size(); ++i) {
          Vec<unsigned> rest_rows = rows;
          rest_rows.erase(rest_rows.begin() + long(i));
          const Operand factor = i % 2 ? -m[columns[0]].lane(rows[i]) : m[columns[0]].lane(rows[i]);
          const Operand sub = self(self, rest_columns, rest_rows);
          sum = sum ? b_.mad(factor, sub, sum) : product(in, factor, sub);
        }
        return sum;
      };
      Vec<unsigned> all;
      for (unsigned i = 0; i < n; ++i) all.push_back(i);
      const Operand determinant = minor(minor, all, all);
      if (f == GLSLstd450Determinant) {
        set(in, determinant);
        return true;
      }
      const Operand scale = b_.op(Op::rcp, {determinant});
      Leaves inverse;
      for (unsigned c = 0; c < n; ++c) {
        Vec<Operand> lanes;
        for (unsigned r = 0; r < n; ++r) {
          // inverse[c][r] = cofactor of column r, row c
          Vec<unsigned> columns = all, rows = all;
          columns.erase(columns.begin() + r);
          rows.erase(rows.begin() + c);
          const Operand cofactor = columns.empty() ? constant(1.0f) : minor(minor, columns, rows);
          lanes.push_back((r + c) % 2 ? -cofactor : cofactor);
        }
        inverse.push_back(product(in, b_.vec(lanes), scale));
      }
      set(in, inverse);
      return true;
    }
    default: return false;
  }
}

}  // namespace pumice::compiler::frontend
