// SPDX-License-Identifier: MIT
/// Building a lane program: constant folding, common subexpressions, identities that hold for every value (NaN, zeros, denormals included).
#include <bit>
#include <cmath>

#include "hw/common/numerics/scalar_math.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {
namespace {

using num::bits;
using num::from_bits;
constexpr uint32_t kSign = 0x80000000u;

uint32_t hash(const Node& n) {
  uint64_t h = uint64_t(n.op) * 0x9E3779B97F4A7C15u + n.p;
  for (const uint32_t w : {uint32_t(n.a), uint32_t(n.b), uint32_t(n.c), n.imm}) h = (h ^ w) * 0xD6E8FEB86659FD93u, h ^= h >> 29;
  return uint32_t(h ^ h >> 32);
}
float as_float(uint32_t u) { return from_bits(u); }

}  // namespace

int32_t Builder::emit(const Node& n) {
  program_.nodes.push_back(n);
  return int32_t(program_.nodes.size()) - 1;
}

Value Builder::pure(const Node& n) {
  const size_t mask = table_.size() - 1;
  size_t i = hash(n) & mask;
  for (; table_[i] >= 0; i = (i + 1) & mask) {
    const int32_t id = table_[i];
    if (program_.nodes[size_t(id)] != n) continue;
    if (id >= block_begin_ || id < first_block_end_) return {id};
    return {table_[i] = emit(n)};  // the nearer one serves the rest of this block
  }
  const int32_t id = table_[i] = emit(n);
  if (++table_used_ * 2 > table_.size()) {
    std::vector<int32_t> old(table_.size() * 2, -1);
    old.swap(table_);
    for (const int32_t o : old) {
      if (o < 0) continue;
      size_t k = hash(program_.nodes[size_t(o)]) & (table_.size() - 1);
      while (table_[k] >= 0) k = (k + 1) & (table_.size() - 1);
      table_[k] = o;
    }
  }
  return {id};
}
Mask Builder::pure_mask(const Node& n) { return {pure(n).id}; }

Pointer Builder::pointer(Pointer parent, uint32_t offset) {
  for (size_t i = 1; i < program_.pointers.size(); ++i)
    if (program_.pointers[i].parent == parent.id && program_.pointers[i].offset == offset) return {int32_t(i)};
  program_.pointers.push_back({uint8_t(parent.id), offset});
  return {int32_t(program_.pointers.size()) - 1};
}

Pointer Builder::scratch(uint32_t bytes) {
  program_.pointers.push_back({kScratch, program_.scratch});
  program_.scratch += (bytes + 63) & ~63u;
  return {int32_t(program_.pointers.size()) - 1};
}

Value Builder::constant_bits(uint32_t b) { return pure({.op = Op::constant, .imm = b}); }
Value Builder::constant(float v) { return constant_bits(bits(v)); }
Value Builder::table(const std::array<uint32_t, kLanes>& lanes) {
  uint32_t i = 0;
  while (i < program_.tables.size() && program_.tables[i] != lanes) ++i;
  if (i == program_.tables.size()) program_.tables.push_back(lanes);
  return pure({.op = Op::table, .imm = i});
}
Value Builder::emit_read(Op op, Pointer p, uint32_t offset) { return pure({.op = op, .p = uint8_t(p.id), .imm = offset}); }
Value Builder::splat(Pointer p, uint32_t offset) { return emit_read(Op::splat, p, offset); }
Value Builder::lanes_now(Pointer p, uint32_t offset) { return {emit({.op = Op::lanes, .p = uint8_t(p.id), .b = 1, .imm = offset})}; }
Value Builder::splat_at(Pointer p, Scalar index, uint32_t offset, uint32_t stride, uint32_t count) {
  program_.ranges.push_back({stride, count});
  return {emit({.op = Op::splat_at, .p = uint8_t(p.id), .a = index.id, .b = int32_t(program_.ranges.size()) - 1, .imm = offset})};
}
Value Builder::from_scalar(Scalar s) { return {emit({.op = Op::from_scalar, .a = s.id})}; }
Value Builder::gather(Pointer p, Value byte_offset, Mask m) {
  return pure({.op = Op::gather, .p = uint8_t(p.id), .a = byte_offset.id, .c = m.id});
}

Value Builder::gather_now(Pointer p, Value byte_offset, Mask m) {
  return {emit({.op = Op::gather, .p = uint8_t(p.id), .a = byte_offset.id, .b = 1, .c = m.id})};
}

/// The number that an operation on constants gives. NaN may have any payload, as everywhere.
bool Builder::fold(const Node& n, uint32_t& out) const {
  using S = num::ScalarMath;
  const Operands operands = operands_of(n.op);
  if (operands.masks) return false;
  uint32_t v[3] = {};
  const int32_t ids[3] = {n.a, n.b, n.c};
  for (int i = 0; i < 3; ++i) {
    if (!(operands.values >> i & 1)) continue;
    const Node& o = program_.nodes[size_t(ids[i])];
    if (o.op != Op::constant) return false;
    v[i] = o.imm;
  }
  const float a = as_float(v[0]), b = as_float(v[1]), c = as_float(v[2]);
  switch (n.op) {
    case Op::add: out = bits(S::add(a, b)); return true;
    case Op::sub: out = bits(S::sub(a, b)); return true;
    case Op::mul: out = bits(S::mul(a, b)); return true;
    case Op::div: out = bits(S::div(a, b)); return true;
    case Op::fma: out = bits(S::fma(n.imm & 1 ? -a : a, b, n.imm & 2 ? -c : c)); return true;
    case Op::sqrt: out = bits(S::sqrt(a)); return true;
    case Op::min: out = bits(num::flush_denormal(S::minimum(a, b))); return true;
    case Op::max: out = bits(num::flush_denormal(S::maximum(a, b))); return true;
    case Op::floor: out = bits(std::floor(num::flush_denormal(a))); return true;
    case Op::round_even: out = bits(S::round_even(a)); return true;
    case Op::bit_and: out = v[0] & v[1]; return true;
    case Op::bit_or: out = v[0] | v[1]; return true;
    case Op::bit_xor: out = v[0] ^ v[1]; return true;
    case Op::bit_andnot: out = ~v[0] & v[1]; return true;
    case Op::shl: out = v[0] << n.imm; return true;
    case Op::shr: out = v[0] >> n.imm; return true;
    case Op::sar: out = uint32_t(int32_t(v[0]) >> n.imm); return true;
    case Op::iadd: out = v[0] + v[1]; return true;
    case Op::isub: out = v[0] - v[1]; return true;
    case Op::to_float: out = bits(float(int32_t(v[0]))); return true;
    case Op::quad: out = v[0]; return true;
    default: return false;
  }
}

Value Builder::unary(Op op, Value a, uint32_t imm) {
  const Node n{.op = op, .a = a.id, .imm = imm};
  uint32_t folded;
  return fold(n, folded) ? constant_bits(folded) : pure(n);
}
/// Constants go to the right of what commutes.
Value Builder::binary(Op op, Value a, Value b) {
  const bool commutes = op == Op::add || op == Op::mul || op == Op::bit_and || op == Op::bit_or || op == Op::bit_xor || op == Op::iadd;
  const bool a_last = node(a).op == Op::constant && node(b).op != Op::constant;
  const bool b_last = node(b).op == Op::constant && node(a).op != Op::constant;
  if (commutes && !b_last && (a_last || a.id > b.id)) std::swap(a, b);
  const Node n{.op = op, .a = a.id, .b = b.id};
  uint32_t folded;
  return fold(n, folded) ? constant_bits(folded) : pure(n);
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
  if (is_flushed(n.op)) return true;
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

Value Builder::add(Value a, Value b) {
  if (is_constant(b, kSign)) return flush(a);
  if (is_constant(a, kSign)) return flush(b);
  Value of;
  if (is_negation(b, of)) return sub(a, of);
  if (is_negation(a, of)) return sub(b, of);
  return binary(Op::add, a, b);
}
Value Builder::sub(Value a, Value b) {
  Value of;
  if (is_negation(b, of)) return binary(Op::add, a, of);
  return binary(Op::sub, a, b);
}
Value Builder::mul(Value a, Value b) {
  if (is_constant(b, bits(1.0f))) return flush(a);
  if (is_constant(a, bits(1.0f))) return flush(b);
  Value x, y;
  if (is_negation(a, x) && is_negation(b, y)) return mul(x, y);
  return binary(Op::mul, a, b);
}
Value Builder::div(Value a, Value b) { return binary(Op::div, a, b); }
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
  if (node(b).op != Op::constant && a.id > b.id) std::swap(a, b);
  const Node n{.op = Op::fma, .a = a.id, .b = b.id, .c = c.id, .imm = negate_bits};
  uint32_t folded;
  return fold(n, folded) ? constant_bits(folded) : pure(n);
}
Value Builder::sqrt(Value a) { return unary(Op::sqrt, a); }
Value Builder::minimum(Value a, Value b) { return binary(Op::min, flush(a), flush(b)); }
Value Builder::maximum(Value a, Value b) { return binary(Op::max, flush(a), flush(b)); }
Value Builder::floor(Value a) { return unary(Op::floor, a); }
Value Builder::round_even(Value a) { return unary(Op::round_even, a); }
Value Builder::scale(Value p, Value n) { return binary(Op::scale, p, n); }
Value Builder::split(Value x, Value& e) {
  const Value half_root = constant_bits(num::ScalarMath::kHalfRoot), offset = isub(x, half_root);
  e = to_float(sar(offset, 23));
  return iadd(bit_and(offset, constant_bits(0x7FFFFFu)), half_root);
}

Value Builder::bit_and(Value a, Value b) {
  if (node(a).op == Op::constant) std::swap(a, b);
  if (is_constant(b, ~0u) || a == b) return a;
  if (is_constant(b, 0)) return b;
  const Node& inner = node(a);
  if (node(b).op == Op::constant && (inner.op == Op::bit_and || inner.op == Op::bit_xor || inner.op == Op::bit_or) &&
      node({inner.b}).op == Op::constant) {
    const uint32_t m = node(b).imm, k = node({inner.b}).imm;
    const Value of{inner.a};
    if (inner.op == Op::bit_and) return bit_and(of, constant_bits(m & k));
    if ((m & k) == 0) return bit_and(of, constant_bits(m));  // the magnitude of a negation
  }
  return binary(Op::bit_and, a, b);
}
Value Builder::bit_or(Value a, Value b) {
  if (node(a).op == Op::constant) std::swap(a, b);
  if (is_constant(b, 0) || a == b) return a;
  return binary(Op::bit_or, a, b);
}
Value Builder::bit_xor(Value a, Value b) {
  if (node(a).op == Op::constant) std::swap(a, b);
  if (is_constant(b, 0)) return a;
  const Node& inner = node(a);
  if (node(b).op == Op::constant && inner.op == Op::bit_xor && node({inner.b}).op == Op::constant) {
    const uint32_t k = node(b).imm ^ node({inner.b}).imm;
    return bit_xor({inner.a}, constant_bits(k));
  }
  return binary(Op::bit_xor, a, b);
}
Value Builder::bit_andnot(Value a, Value b) {
  if (node(a).op == Op::constant) return bit_and(b, constant_bits(~node(a).imm));
  return binary(Op::bit_andnot, a, b);
}
Value Builder::shl(Value a, uint32_t n) { return n == 0 ? a : unary(Op::shl, a, n); }
Value Builder::shr(Value a, uint32_t n) { return n == 0 ? a : unary(Op::shr, a, n); }
Value Builder::sar(Value a, uint32_t n) { return n == 0 ? a : unary(Op::sar, a, n); }
Value Builder::iadd(Value a, Value b) { return is_constant(b, 0) ? a : is_constant(a, 0) ? b : binary(Op::iadd, a, b); }
Value Builder::isub(Value a, Value b) { return is_constant(b, 0) ? a : binary(Op::isub, a, b); }
Value Builder::to_float(Value a) { return unary(Op::to_float, a); }
Value Builder::to_int(Value a) { return unary(Op::to_int, a); }
Value Builder::quad(Value a, uint32_t lane) {
  const Op op = node(a).op;
  if (op == Op::splat || op == Op::quad || op == Op::splat_at || op == Op::from_scalar) return a;
  return unary(Op::quad, a, lane);
}

Value Builder::select(Mask m, Value a, Value b) {
  if (a == b) return a;
  const Node& mn = program_.nodes[size_t(m.id)];
  if (mn.op == Op::mask_constant && mn.imm == 0xFFFF) return a;
  if (mn.op == Op::mask_constant && mn.imm == 0) return b;
  if (node(a).op == Op::select && node(a).c == m.id) a = {node(a).a};
  if (node(b).op == Op::select && node(b).c == m.id) b = {node(b).b};
  if (a == b) return a;
  return pure({.op = Op::select, .a = a.id, .b = b.id, .c = m.id});
}

Mask Builder::mask_constant(LaneMask b) { return pure_mask({.op = Op::mask_constant, .imm = b}); }
Mask Builder::mask_load(Pointer p, uint32_t offset) { return pure_mask({.op = Op::mask_load, .p = uint8_t(p.id), .imm = offset}); }
Mask Builder::mask_load_now(Pointer p, uint32_t offset) { return {emit({.op = Op::mask_load, .p = uint8_t(p.id), .imm = offset})}; }
Mask Builder::compare(Op op, Value a, Value b) {
  const Node &x = node(a), &y = node(b);
  if (x.op == Op::constant && y.op == Op::constant) {
    const float f = num::flush_denormal(as_float(x.imm)), g = num::flush_denormal(as_float(y.imm));
    bool r = false;
    switch (op) {
      case Op::lt: r = f < g; break;
      case Op::le: r = f <= g; break;
      case Op::eq: r = f == g; break;
      case Op::ne: r = f != g; break;
      case Op::unordered: r = num::is_nan(f) || num::is_nan(g); break;
      case Op::ieq: r = x.imm == y.imm; break;
      default: r = int32_t(x.imm) < int32_t(y.imm); break;
    }
    return mask_constant(r ? 0xFFFF : 0);
  }
  return pure_mask({.op = op, .a = a.id, .b = b.id});
}
Mask Builder::mask_and(Mask a, Mask b) {
  if (a == b) return a;
  const Node &x = program_.nodes[size_t(a.id)], &y = program_.nodes[size_t(b.id)];
  if (x.op == Op::mask_constant && y.op == Op::mask_constant) return mask_constant(LaneMask(x.imm & y.imm));
  if (x.op == Op::mask_constant) std::swap(a, b);
  const Node& k = program_.nodes[size_t(b.id)];
  if (k.op == Op::mask_constant && k.imm == 0xFFFF) return a;
  if (k.op == Op::mask_constant && k.imm == 0) return b;
  return pure_mask({.op = Op::mask_and, .a = a.id, .b = b.id});
}
Mask Builder::mask_or(Mask a, Mask b) {
  if (a == b) return a;
  const Node &x = program_.nodes[size_t(a.id)], &y = program_.nodes[size_t(b.id)];
  if (x.op == Op::mask_constant && y.op == Op::mask_constant) return mask_constant(LaneMask(x.imm | y.imm));
  if (x.op == Op::mask_constant) std::swap(a, b);
  const Node& k = program_.nodes[size_t(b.id)];
  if (k.op == Op::mask_constant && k.imm == 0) return a;
  if (k.op == Op::mask_constant && k.imm == 0xFFFF) return b;
  return pure_mask({.op = Op::mask_or, .a = a.id, .b = b.id});
}
Mask Builder::mask_xor(Mask a, Mask b) {
  if (a == b) return mask_constant(0);
  const Node &x = program_.nodes[size_t(a.id)], &y = program_.nodes[size_t(b.id)];
  if (x.op == Op::mask_constant && y.op == Op::mask_constant) return mask_constant(LaneMask(x.imm ^ y.imm));
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
  const Node &x = program_.nodes[size_t(a.id)], &y = program_.nodes[size_t(b.id)];
  if (x.op == Op::mask_constant) return mask_and(mask_constant(LaneMask(~x.imm)), b);
  if (y.op == Op::mask_constant && y.imm == 0) return b;
  if (y.op == Op::mask_constant && y.imm == 0xFFFF) return mask_xor(a, b);
  return pure_mask({.op = Op::mask_andnot, .a = a.id, .b = b.id});
}

Value Builder::get(Variable v) { return {emit({.op = Op::get, .imm = uint32_t(v.id)})}; }
Mask Builder::get(MaskVariable v) { return {emit({.op = Op::mask_get, .imm = uint32_t(v.id)})}; }
void Builder::set(Variable v, Value x) { effect({.op = Op::set, .a = x.id, .imm = uint32_t(v.id)}); }
void Builder::set(MaskVariable v, Mask m) { effect({.op = Op::mask_set, .a = m.id, .imm = uint32_t(v.id)}); }
void Builder::store(Pointer p, uint32_t offset, Value v) { effect({.op = Op::store, .p = uint8_t(p.id), .a = v.id, .imm = offset}); }
void Builder::scatter(Pointer p, Value byte_offset, Value v, Mask m) {
  effect({.op = Op::scatter, .p = uint8_t(p.id), .a = byte_offset.id, .b = v.id, .c = m.id});
}
void Builder::store(Pointer p, uint32_t offset, Mask m) { effect({.op = Op::mask_store, .p = uint8_t(p.id), .a = m.id, .imm = offset}); }
void Builder::store_half(Pointer p, uint32_t offset, Mask m) {
  effect({.op = Op::mask_store, .p = uint8_t(p.id), .a = m.id, .b = 1, .imm = offset});
}
void Builder::store_word(Pointer p, uint32_t offset, int32_t word) {
  effect({.op = Op::store_word, .p = uint8_t(p.id), .a = word, .imm = offset});
}
void Builder::call_through(Pointer object, uint32_t offset, Pointer argument, uint32_t argument_offset) {
  program_.calls.push_back({uint8_t(object.id), offset, nullptr, uint8_t(argument.id), argument_offset});
  effect({.op = Op::call, .imm = uint32_t(program_.calls.size()) - 1});
}
void Builder::call(const void* function, Pointer object, Pointer argument, uint32_t argument_offset) {
  program_.calls.push_back({uint8_t(object.id), 0, function, uint8_t(argument.id), argument_offset});
  effect({.op = Op::call, .imm = uint32_t(program_.calls.size()) - 1});
}

void Builder::set(Scalar s, int32_t number) { effect({.op = Op::scalar_set, .a = number, .imm = uint32_t(s.id)}); }
void Builder::add_to(Scalar s, int32_t number) { effect({.op = Op::scalar_add, .a = number, .imm = uint32_t(s.id)}); }
void Builder::add_to(Scalar s, Scalar other) { effect({.op = Op::scalar_sum, .a = other.id, .imm = uint32_t(s.id)}); }
void Builder::move(Scalar to, Scalar from) { effect({.op = Op::scalar_move, .a = from.id, .imm = uint32_t(to.id)}); }
void Builder::load(Scalar s, Pointer p, const Program::Field& field) {
  program_.fields.push_back(field);
  effect({.op = Op::scalar_load, .p = uint8_t(p.id), .a = int32_t(program_.fields.size()) - 1, .imm = uint32_t(s.id)});
}

void Builder::place(Label l) {
  effect({.op = Op::label, .imm = uint32_t(l.id)});
  block_begin_ = int32_t(program_.nodes.size());
  if (first_block_end_ == INT32_MAX) first_block_end_ = block_begin_;
}
void Builder::leave(const Node& n) {
  emit(n);
  // What follows does not run whenever the first block does.
  if (first_block_end_ == INT32_MAX) first_block_end_ = int32_t(program_.nodes.size());
}
void Builder::jump(Label l) { leave({.op = Op::jump, .imm = uint32_t(l.id)}); }
void Builder::jump_any(Mask m, Label l) { leave({.op = Op::jump_any, .a = m.id, .imm = uint32_t(l.id)}); }
void Builder::jump_none(Mask m, Label l) { leave({.op = Op::jump_none, .a = m.id, .imm = uint32_t(l.id)}); }
void Builder::jump_zero(Scalar s, Label l) { leave({.op = Op::jump_scalar_zero, .a = s.id, .imm = uint32_t(l.id)}); }
void Builder::jump_nonzero(Scalar s, Label l) { leave({.op = Op::jump_scalar_nonzero, .a = s.id, .imm = uint32_t(l.id)}); }
void Builder::jump_spent(Pointer p, uint32_t offset, uint32_t amount, Label l) {
  program_.budgets.push_back({offset, amount});
  leave({.op = Op::jump_spent, .p = uint8_t(p.id), .a = int32_t(program_.budgets.size()) - 1, .imm = uint32_t(l.id)});
}

}  // namespace pumice::hw::fast::lane
