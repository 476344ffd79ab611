// SPDX-License-Identifier: MIT
/// Element-wise operations in the Builder: constant folding and identities that hold for every value (NaN, zeros, denormals included).
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "hw/common/numerics/scalar_math.h"
#include "hw/radeon/jit/lane/evaluate.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {
namespace {

using num::bits;
constexpr uint32_t kSign = 0x80000000u;
float as_float(uint32_t u) { return num::from_bits(u); }

/// What is known of values, as far as a look at the nodes that made them tells.
class Facts {
 public:
  explicit Facts(const Program& program) : nodes_(program.nodes) {}

  /// All lanes of the mask are in the other one.
  bool within(int32_t mask, int32_t other, int depth = kDeep) const {
    if (mask == other) return true;
    const Node& n = node(mask);
    if (depth == 0) return false;
    if (n.op == Op::mask_and) return within(n.a, other, depth - 1) || within(n.b, other, depth - 1);
    return n.op == Op::mask_andnot && within(n.b, other, depth - 1);
  }

  /// Has no sign, unless it is NaN.
  bool never_negative(int32_t v, int depth = kDeep) const {
    const Node& n = node(v);
    if (depth == 0) return false;
    const auto both = [&] { return never_negative(n.a, depth - 1) && never_negative(n.b, depth - 1); };
    switch (n.op) {
      case Op::constant: return !(n.imm & kSign);
      case Op::splat: return is_ordinary(n) && !is_negative_ordinary(n);
      case Op::mul: return n.a == n.b || both();
      case Op::fma: return n.imm == 0 && never_negative(n.c, depth - 1) && (n.a == n.b || both());
      case Op::maximum: return node(n.b).op == Op::constant && never_negative(n.b, 1);  // it stays where both are zero
      case Op::add:
      case Op::minimum:
      case Op::select: return both();
      default: return false;
    }
  }
  /// A sum with a number that is not small: what it rounds to is a multiple of 2^-48 of that, and 0 of numbers that cancel.
  bool never_minus_zero(int32_t v) const {
    const Node& n = node(v);
    if (n.op == Op::to_float || never_negative(v)) return true;
    const int32_t added = n.op == Op::add ? n.b : n.op == Op::fma ? n.c : -1;
    if (added < 0) return false;
    if (is_ordinary(node(added))) return true;
    if (node(added).op != Op::constant) return false;
    const float c = std::fabs(as_float(node(added).imm));
    return c >= 0x1p-60f;
  }

  struct Range {
    float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  };
  /// Of what was clamped, which is no NaN, and no zero with a sign when the range ends there.
  std::optional<Range> range(int32_t v, int depth = kDeep) const {
    const Node& n = node(v);
    if (depth == 0 || (n.op != Op::minimum && n.op != Op::maximum)) return {};
    const Node& limit = node(n.b);
    const float k = as_float(limit.imm);
    if (limit.op != Op::constant || num::is_nan(k) || limit.imm == kSign) return {};
    Range r = range(n.a, depth - 1).value_or(Range{});
    if (n.op == Op::minimum)
      r.high = std::min(r.high, k), r.low = std::min(r.low, k);
    else
      r.low = std::max(r.low, k), r.high = std::max(r.high, k);
    return r;
  }

 private:
  static constexpr int kDeep = 8;
  const Node& node(int32_t v) const { return nodes_[size_t(v)]; }
  const std::vector<Node>& nodes_;
};

}  // namespace

#define PUMICE_LANE_ROW(name, ...) \
  Value Builder::name(Value a) { return folded({.op = Op::name, .a = a.id}); }
PUMICE_LANE_UNARY(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, ...) \
  Value Builder::name(Value a, uint32_t n) { return n == 0 ? a : folded({.op = Op::name, .a = a.id, .imm = n}); }
PUMICE_LANE_SHIFTS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, ...) \
  Value Builder::name(Value a, Value b) { return binary(Op::name, a, b); }
PUMICE_LANE_BINARY(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW

/// Constants go to the right of what commutes. NaN may have any payload, as everywhere. What is below 2^31 is converted as a signed number,
/// which is one instruction on AVX2, too.
Value Builder::folded(Node n) {
  if (n.op == Op::uint_to_float && most_of(program_, n.a) <= uint32_t{INT32_MAX}) n.op = Op::to_float;
  if (operation(n.op).is(trait::commutes)) {
    const bool a_last = node({n.a}).op == Op::constant && node({n.b}).op != Op::constant;
    const bool b_last = node({n.b}).op == Op::constant && node({n.a}).op != Op::constant;
    if (!b_last && (a_last || n.a > n.b)) std::swap(n.a, n.b);
  }
  if (node({n.a}).op != Op::constant) return pure(n);  // nearly always
  uint32_t v[3] = {};
  bool constant = true;
  for_operands(n, [&](int k, int32_t id) {
    const Node& o = program_.nodes[size_t(id)];
    constant = constant && o.op == Op::constant;
    v[k] = o.imm;
  });
  return constant ? constant_bits(evaluate(n.op, n.imm, v[0], v[1], v[2])) : pure(n);
}

bool Builder::is_negation(Value v, Value& of) const {
  const Node& n = node(v);
  if (n.op != Op::bit_xor || !is_constant({n.b}, kSign)) return false;
  of = {n.a};
  return true;
}

Value Builder::flush(Value a) {
  const Node& n = node(a);
  if (n.op == Op::constant) return constant_bits(bits(num::flush_denormal(as_float(n.imm))));
  return never_denormal(a, 8) ? a : pure({.op = Op::mul, .a = a.id, .b = constant(1.0f).id});
}
bool Builder::never_denormal(Value a, int depth) const {
  const Node& n = node(a);
  if (operation(n.op).is(trait::flushed) || is_ordinary(n)) return true;
  if (n.op == Op::constant) return num::flush_denormal(as_float(n.imm)) == as_float(n.imm) || num::is_nan(as_float(n.imm));
  if (depth == 0) return false;
  switch (n.op) {
    case Op::quad: return never_denormal({n.a}, depth - 1);
    case Op::select: return never_denormal({n.a}, depth - 1) && never_denormal({n.b}, depth - 1);
    case Op::bit_xor: return is_constant({n.b}, kSign) && never_denormal({n.a}, depth - 1);
    case Op::bit_and: return is_constant({n.b}, ~kSign) && never_denormal({n.a}, depth - 1);
    default: return false;
  }
}

/// Two values: identities of the operation, then folding.
Value Builder::binary(Op op, Value a, Value b) {
  const auto plain = [&](Op o, Value x, Value y) { return folded({.op = o, .a = x.id, .b = y.id}); };
  Value of, other;
  switch (op) {
    case Op::add:
      if (is_constant(b, kSign)) return flush(a);
      if (is_constant(a, kSign)) return flush(b);
      if (is_negation(b, of)) return sub(a, of);
      if (is_negation(a, of)) return sub(b, of);
      if (is_constant(b, 0) && Facts(program_).never_minus_zero(a.id)) return flush(a);
      if (is_constant(a, 0) && Facts(program_).never_minus_zero(b.id)) return flush(b);
      break;
    case Op::sub:
      if (is_negation(b, of)) return plain(Op::add, a, of);
      break;
    case Op::mul:
      if (is_constant(b, bits(1.0f))) return flush(a);
      if (is_constant(a, bits(1.0f))) return flush(b);
      if (is_negation(a, of) && is_negation(b, other)) return mul(of, other);
      break;
    case Op::minimum:
    case Op::maximum:
      b = flush(b), a = flush(a);
      // A second clamp to the same range. Of zeros the constant stays.
      if (node(b).op == Op::constant && node(b).imm != kSign)
        if (const auto r = Facts(program_).range(a.id)) {
          const float k = as_float(node(b).imm);
          if (op == Op::maximum ? r->low >= k && !num::is_nan(k) : r->high <= k && k != 0) return a;
        }
      break;
    case Op::bit_and: {
      if (node(a).op == Op::constant) std::swap(a, b);
      if (is_constant(b, ~0u) || a == b) return a;
      if (is_constant(b, 0)) return b;
      if (node(b).op == Op::constant && std::has_single_bit(node(b).imm + 1) && most_of(program_, a.id) <= node(b).imm) return a;
      const Node& inner = node(a);
      if (node(b).op == Op::constant && (inner.op == Op::bit_and || inner.op == Op::bit_xor || inner.op == Op::bit_or) &&
          node({inner.b}).op == Op::constant) {
        const uint32_t m = node(b).imm, k = node({inner.b}).imm;
        const Value from{inner.a};
        if (inner.op == Op::bit_and) return bit_and(from, constant_bits(m & k));
        if ((m & k) == 0) return bit_and(from, constant_bits(m));  // the magnitude of a negation
      }
      break;
    }
    case Op::bit_or:
      if (node(a).op == Op::constant) std::swap(a, b);
      if (is_constant(b, 0) || a == b) return a;
      break;
    case Op::bit_xor: {
      if (node(a).op == Op::constant) std::swap(a, b);
      if (is_constant(b, 0)) return a;
      const Node& inner = node(a);
      if (node(b).op == Op::constant && inner.op == Op::bit_xor && node({inner.b}).op == Op::constant) {
        const uint32_t k = node(b).imm ^ node({inner.b}).imm;
        return bit_xor({inner.a}, constant_bits(k));
      }
      break;
    }
    case Op::bit_andnot:
      if (node(a).op == Op::constant) return bit_and(b, constant_bits(~node(a).imm));
      break;
    case Op::iadd:
      if (is_constant(b, 0)) return a;
      if (is_constant(a, 0)) return b;
      break;
    case Op::isub:
      if (is_constant(b, 0)) return a;
      break;
    case Op::imul:
      if (node(a).op == Op::constant) std::swap(a, b);
      if (is_constant(b, 0)) return b;
      if (node(b).op == Op::constant && std::has_single_bit(node(b).imm)) return shl(a, uint32_t(std::countr_zero(node(b).imm)));
      break;
    case Op::udiv:
      if (node(b).op == Op::constant) return udiv_constant(a, node(b).imm);
      break;
    case Op::idiv:
      if (node(b).op == Op::constant) return idiv_constant(a, node(b).imm);
      break;
    case Op::umin: {
      if (a == b) return a;
      if (node(a).op == Op::constant) std::swap(a, b);
      if (node(b).op != Op::constant) break;
      if (most_of(program_, a.id) <= node(b).imm) return a;
      // Below 2^24 clamped as a float.
      if (node(a).op == Op::to_uint_clamped && node(b).imm <= 1u << 24)
        return to_int(minimum(maximum({node(a).a}, constant(0)), constant(float(node(b).imm))));
      break;
    }
    case Op::imin:
    case Op::imax:
    case Op::umax:
      if (a == b) return a;
      break;
    case Op::shl_by:
      if (node(b).op == Op::constant) return shl(a, node(b).imm & 31);
      break;
    case Op::shr_by:
      if (node(b).op == Op::constant) return shr(a, node(b).imm & 31);
      break;
    case Op::sar_by:
      if (node(b).op == Op::constant) return sar(a, node(b).imm & 31);
      break;
    default: break;
  }
  return plain(op, a, b);
}

uint32_t most_of(const Program& program, int32_t v, int depth) {
  const auto node = [&](int32_t id) -> const Node& { return program.nodes[size_t(id)]; };
  const Node& n = node(v);
  const auto constant_of = [&](int32_t id) { return node(id).op == Op::constant ? std::optional(node(id).imm) : std::nullopt; };
  const auto most = [&](int32_t id) { return depth ? most_of(program, id, depth - 1) : constant_of(id).value_or(~0u); };
  switch (n.op) {
    case Op::constant: return n.imm;
    case Op::shr: return most(n.a) >> n.imm;
    case Op::shl: {
      const uint32_t of_a = most(n.a);
      return of_a <= ~0u >> n.imm ? of_a << n.imm : ~0u;
    }
    case Op::bit_and:
    case Op::umin: return std::min(most(n.a), most(n.b));
    case Op::bit_or:
    case Op::bit_xor: {
      const uint32_t bits = most(n.a) | most(n.b);
      return bits ? ~0u >> std::countl_zero(bits) : 0;
    }
    case Op::iadd: {
      const uint64_t sum = uint64_t{most(n.a)} + most(n.b);
      return sum <= ~0u ? uint32_t(sum) : ~0u;
    }
    case Op::umax:
    case Op::select: return std::max(most(n.a), most(n.b));
    case Op::popcount:
    case Op::leading_zeros: return 32;
    case Op::load_u8: return 0xFF;
    case Op::load_u16: return 0xFFFF;
    case Op::to_int: {
      // Of a number that is neither negative nor NaN.
      const Node& least = node(n.a);
      if (least.op != Op::minimum) return ~0u;
      const Node& x = node(least.a);
      const auto limit = constant_of(least.b), zero = x.op == Op::maximum ? constant_of(x.b) : std::nullopt;
      return limit && zero == 0u && *limit <= 0x4B800000u ? uint32_t(std::bit_cast<float>(*limit)) : ~0u;
    }
    default: return ~0u;
  }
}

/// a / d as the upper half of a product (Granlund and Montgomery): with m = 2^(32 + s) / d, rounded up by e / d, the error stays below one
/// step where e <= 2^s, for numerators below 2^32.
Value Builder::udiv_constant(Value a, uint32_t d) {
  if (d == 0) return constant_bits(~0u);
  if (std::has_single_bit(d)) return shr(a, uint32_t(std::countr_zero(d)));
  const auto steps = uint32_t(std::bit_width(d));
  const auto find = [&](uint64_t by, uint32_t spare) -> std::optional<std::pair<uint32_t, uint32_t>> {
    for (uint32_t s = 0; s < 32; ++s) {
      const uint64_t power = uint64_t{1} << (32 + s), m = (power + by - 1) / by;
      if (m >> 32) return {};
      if (m * by - power <= uint64_t{1} << (s + spare)) return std::pair(uint32_t(m), s);
    }
    return {};
  };
  if (const auto it = find(d, 0)) return shr(umul_high(a, constant_bits(it->first)), it->second);
  const auto even = uint32_t(std::countr_zero(d));
  if (const auto it = even ? find(d >> even, even) : std::nullopt)
    return shr(umul_high(shr(a, even), constant_bits(it->first)), it->second);
  // m has 33 bits.
  const auto m = uint32_t((((uint64_t{1} << steps) - d) << 32) / d + 1);
  const Value t = umul_high(a, constant_bits(m));
  return shr(iadd(t, shr(isub(a, t), 1)), steps - 1);
}

/// Likewise, rounded down and one more where a is negative; m - 2^32 is what fits.
Value Builder::idiv_constant(Value a, uint32_t d) {
  if (d == 0) return constant_bits(~0u);
  if (d == 1) return a;
  const Value zero = constant_bits(0);
  if (d == ~0u) return isub(zero, a);
  const uint32_t size = d >> 31 ? 0u - d : d, steps = uint32_t(std::bit_width(size - 1));
  const auto m = uint32_t((uint64_t{1} << (31 + steps)) / size + 1);
  const Value q = sar(iadd(a, imul_high(a, constant_bits(m))), steps - 1), sign = sar(a, 31);
  return d >> 31 ? isub(sign, q) : isub(q, sign);
}

Value Builder::fma(Value a, Value b, Value c) {
  uint32_t negate_bits = 0;
  Value of;
  if (is_negation(a, of)) a = of, negate_bits ^= 1;
  if (is_negation(b, of)) b = of, negate_bits ^= 1;
  if (is_negation(c, of)) c = of, negate_bits ^= 2;
  if (node(a).op == Op::constant) std::swap(a, b);
  for (const uint32_t one : {bits(1.0f), bits(-1.0f)})
    if (is_constant(b, one)) {
      if (one & kSign) negate_bits ^= 1;
      if (!(negate_bits & 1)) return negate_bits & 2 ? sub(a, c) : add(a, c);
      return negate_bits & 2 ? sub(negate(a), c) : sub(c, a);
    }
  if (is_constant(c, negate_bits & 2 ? 0 : kSign)) {  // plus -0
    const Value p = mul(a, b);
    return negate_bits & 1 ? negate(p) : p;
  }
  // Products of constants that are zero.
  const auto is_zero = [&](Value v) { return node(v).op == Op::constant && num::flush_denormal(as_float(node(v).imm)) == 0; };
  const auto is_finite = [&](Value v) { return node(v).op == Op::constant && (node(v).imm & 0x7F800000u) != 0x7F800000u; };
  if ((is_zero(a) && is_finite(b)) || (is_zero(b) && is_finite(a))) {
    const uint32_t sign = (node(a).imm ^ node(b).imm ^ negate_bits << 31) & kSign;
    return negate_bits & 2 ? sub(constant_bits(sign), c) : add(c, constant_bits(sign));
  }
  if (node(b).op != Op::constant && a.id > b.id) std::swap(a, b);
  return folded({.op = Op::fma, .a = a.id, .b = b.id, .c = c.id, .imm = negate_bits});
}
Value Builder::split(Value x, Value& e) {
  const Value half_root = constant_bits(num::ScalarMath::kHalfRoot), offset = isub(x, half_root);
  e = to_float(sar(offset, 23));
  return iadd(bit_and(offset, constant_bits(0x7FFFFFu)), half_root);
}

/// -1 where leading_zeros is 32.
Value Builder::find_msb(Value a) { return isub(constant_bits(31), leading_zeros(a)); }
Value Builder::find_lsb(Value a) { return find_msb(bit_and(a, isub(constant_bits(0), a))); }
Value Builder::extract_signed(Value a, Value first, Value count) {
  const Value mask = low_bits(count), sign = bit_xor(mask, shr(mask, 1)), bits = bit_and(shr_by(a, first), mask);
  return isub(bit_xor(bits, sign), sign);
}
/// first + count is at most 32, so first is 32 with no bits alone.
Value Builder::insert(Value a, Value bits, Value first, Value count) {
  const Value mask = shl_by(low_bits(count), first);
  return bit_xor(a, bit_and(bit_xor(a, shl_by(bits, first)), mask));
}

Value Builder::select(Mask m, Value a, Value b) {
  if (a == b) return a;
  const Node& mn = program_.nodes[size_t(m.id)];
  if (mn.op == Op::mask_constant && mn.imm == 0xFFFF) return a;
  if (mn.op == Op::mask_constant && mn.imm == 0) return b;
  const Facts facts(program_);
  if (node(a).op == Op::select && facts.within(m.id, node(a).c)) a = {node(a).a};
  if (node(b).op == Op::select && facts.within(node(b).c, m.id)) b = {node(b).b};
  if (a == b) return a;
  if (node(b).op == Op::select && node(b).a == a.id && facts.within(m.id, node(b).c)) return b;
  return pure({.op = Op::select, .a = a.id, .b = b.id, .c = m.id});
}

Mask Builder::mask_constant(LaneMask b) { return pure_mask({.op = Op::mask_constant, .imm = b}); }
Mask Builder::compare(Op op, Value a, Value b) {
  const Node x = node(a), y = node(b);
  if (x.op == Op::constant && y.op == Op::constant) return mask_constant(evaluate(op, 0, x.imm, y.imm) ? 0xFFFF : 0);
  // Of a truth value that is a choice of constants: the mask itself.
  if ((op == Op::ieq || op == Op::ine) && y.op == Op::constant && x.op == Op::select) {
    const auto known = [&](int32_t id, int depth, auto& self) -> bool {
      const Node& n = program_.nodes[size_t(id)];
      return n.op == Op::constant || (depth > 0 && n.op == Op::select && self(n.a, depth - 1, self) && self(n.b, depth - 1, self));
    };
    if (known(x.a, 2, known) && known(x.b, 2, known)) {
      const Mask m{x.c}, yes = compare(op, {x.a}, b), no = compare(op, {x.b}, b);
      return mask_or(mask_and(m, yes), mask_andnot(m, no));
    }
  }
  return pure_mask({.op = op, .a = a.id, .b = b.id});
}
Mask Builder::mask_and(Mask a, Mask b) {
  if (a == b) return a;
  const Node &x = program_.nodes[size_t(a.id)], &y = program_.nodes[size_t(b.id)];
  if (x.op == Op::mask_and && (x.a == b.id || x.b == b.id)) return a;
  if (y.op == Op::mask_and && (y.a == a.id || y.b == a.id)) return b;
  if (x.op == Op::mask_constant && y.op == Op::mask_constant) return mask_constant(LaneMask(evaluate(Op::mask_and, 0, x.imm, y.imm)));
  if (x.op == Op::mask_constant) std::swap(a, b);
  const Node& k = program_.nodes[size_t(b.id)];
  if (k.op == Op::mask_constant && k.imm == 0xFFFF) return a;
  if (k.op == Op::mask_constant && k.imm == 0) return b;
  return pure_mask({.op = Op::mask_and, .a = a.id, .b = b.id});
}
Mask Builder::mask_or(Mask a, Mask b) {
  if (a == b) return a;
  const Node &x = program_.nodes[size_t(a.id)], &y = program_.nodes[size_t(b.id)];
  if (x.op == Op::mask_constant && y.op == Op::mask_constant) return mask_constant(LaneMask(evaluate(Op::mask_or, 0, x.imm, y.imm)));
  if (x.op == Op::mask_constant) std::swap(a, b);
  const Node& k = program_.nodes[size_t(b.id)];
  if (k.op == Op::mask_constant && k.imm == 0) return a;
  if (k.op == Op::mask_constant && k.imm == 0xFFFF) return b;
  return pure_mask({.op = Op::mask_or, .a = a.id, .b = b.id});
}
Mask Builder::mask_xor(Mask a, Mask b) {
  if (a == b) return mask_constant(0);
  const Node &x = program_.nodes[size_t(a.id)], &y = program_.nodes[size_t(b.id)];
  if (x.op == Op::mask_constant && y.op == Op::mask_constant) return mask_constant(LaneMask(evaluate(Op::mask_xor, 0, x.imm, y.imm)));
  if (x.op == Op::mask_constant) std::swap(a, b);
  const Node &v = program_.nodes[size_t(a.id)], &k = program_.nodes[size_t(b.id)];
  if (k.op == Op::mask_constant && k.imm == 0) return a;
  // Not of a comparison, where the opposite exists.
  if (k.op == Op::mask_constant && k.imm == 0xFFFF) {
    if (v.op == Op::eq) return pure_mask({.op = Op::ne, .a = v.a, .b = v.b});
    if (v.op == Op::ne) return pure_mask({.op = Op::eq, .a = v.a, .b = v.b});
    if (v.op == Op::mask_xor && v.b == b.id) return {v.a};
  }
  return pure_mask({.op = Op::mask_xor, .a = a.id, .b = b.id});
}
Mask Builder::mask_andnot(Mask a, Mask b) {
  if (a == b) return mask_constant(0);
  {
    const Node& n = program_.nodes[size_t(a.id)];
    if (n.op == Op::mask_and && n.a == b.id) return mask_andnot({n.b}, b);
    if (n.op == Op::mask_and && n.b == b.id) return mask_andnot({n.a}, b);
    const Node k = n.op == Op::mask_xor ? program_.nodes[size_t(n.b)] : Node{.op = Op::constant};
    if (k.op == Op::mask_constant && k.imm == 0xFFFF) return mask_and({n.a}, b);  // of a complement
  }
  const Node &x = program_.nodes[size_t(a.id)], &y = program_.nodes[size_t(b.id)];
  if (x.op == Op::mask_constant) return mask_and(mask_constant(LaneMask(~x.imm)), b);
  if (y.op == Op::mask_constant && y.imm == 0) return b;
  if (y.op == Op::mask_constant && y.imm == 0xFFFF) return mask_xor(a, b);
  return pure_mask({.op = Op::mask_andnot, .a = a.id, .b = b.id});
}

}  // namespace pumice::hw::fast::lane
