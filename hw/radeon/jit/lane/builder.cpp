// SPDX-License-Identifier: MIT
/// Building a lane program: nodes, common subexpressions, memory, variables and control flow. Element-wise operations: simplify.cpp.
#include <algorithm>
#include <cstring>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {
namespace {

uint32_t hash(const Node& n) {
  uint64_t h = uint64_t(n.op) * 0x9E3779B97F4A7C15u + n.p;
  for (const uint32_t w : {uint32_t(n.a), uint32_t(n.b), uint32_t(n.c), n.imm}) h = (h ^ w) * 0xD6E8FEB86659FD93u, h ^= h >> 29;
  return uint32_t(h ^ h >> 32);
}

/// Whether the variable has the value since the last label.
bool is_set(const std::vector<Node>& nodes, int32_t begin, const Node& set) {
  constexpr int32_t kFar = 200;
  const auto end = int32_t(nodes.size());
  for (int32_t i = end - 1; i >= std::max(begin, end - kFar); --i)
    if (const Node& n = nodes[size_t(i)]; n.op == set.op && n.imm == set.imm) return n.a == set.a;
  return false;
}

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

Pointer Builder::address(const void* memory) {
  std::vector<const void*>& known = program_.addresses;
  const auto i = uint32_t(std::find(known.begin(), known.end(), memory) - known.begin());
  if (i == known.size()) known.push_back(memory);
  return pointer({kKnown}, i);
}

Pointer Builder::moving(uint32_t offset) {
  program_.pointers.push_back({kMoving, offset});
  return {int32_t(program_.pointers.size()) - 1};
}

Pointer Builder::scratch(uint32_t bytes) {
  program_.pointers.push_back({kScratch, program_.scratch});
  program_.scratch += (bytes + 63) & ~63u;
  return {int32_t(program_.pointers.size()) - 1};
}

Value Builder::constant_bits(uint32_t b) { return pure({.op = Op::constant, .imm = b}); }
Value Builder::constant(float v) { return constant_bits(num::bits(v)); }
Value Builder::table(const std::array<uint32_t, kLanes>& lanes) {
  uint32_t i = 0;
  while (i < program_.tables.size() && program_.tables[i] != lanes) ++i;
  if (i == program_.tables.size()) program_.tables.push_back(lanes);
  return pure({.op = Op::table, .imm = i});
}
Value Builder::emit_read(Op op, Pointer p, uint32_t offset) { return pure({.op = op, .p = uint8_t(p.id), .imm = offset}); }
Value Builder::splat(Pointer p, uint32_t offset) { return emit_read(Op::splat, p, offset); }
Value Builder::ordinary(Pointer p, uint32_t offset, bool negative) {
  return pure({.op = Op::splat, .p = uint8_t(p.id), .b = negative ? 1 : 0, .imm = offset});
}
Value Builder::lanes_now(Pointer p, uint32_t offset) { return {emit({.op = Op::lanes, .p = uint8_t(p.id), .b = 1, .imm = offset})}; }
Value Builder::splat_at(Pointer p, Scalar index, uint32_t offset, uint32_t stride, uint32_t count) {
  program_.ranges.push_back({stride, count});
  return {emit({.op = Op::splat_at, .p = uint8_t(p.id), .a = index.id, .b = int32_t(program_.ranges.size()) - 1, .imm = offset})};
}
Value Builder::from_scalar(Scalar s) { return {emit({.op = Op::from_scalar, .a = s.id})}; }
Value Builder::gather(Pointer p, Value byte_offset, Mask m, uint32_t more) {
  return pure({.op = Op::gather, .p = uint8_t(p.id), .a = byte_offset.id, .c = m.id, .imm = more});
}
Value Builder::gather_now(Pointer p, Value byte_offset, Mask m, uint32_t more) {
  return {emit({.op = Op::gather, .p = uint8_t(p.id), .a = byte_offset.id, .b = 1, .c = m.id, .imm = more})};
}
std::array<Value, 2> Builder::gather_beside(Pointer p, Value first, Value second, bool changes) {
  std::array<Value, 2> out;
  for (uint32_t i = 0; i < 2; ++i) {
    const Node n{.op = i ? Op::gather_high : Op::gather_low, .p = uint8_t(p.id), .a = first.id, .b = changes ? 1 : -1, .c = second.id};
    out[i] = changes ? Value{emit(n)} : pure(n);
  }
  return out;
}
std::array<Value, 4> Builder::gather_row(Pointer p, Value first, Value second, uint32_t dwords, bool changes) {
  std::array<Value, 4> out;
  if (dwords == 1) {
    const auto [low, high] = gather_beside(p, first, second, changes);
    return {unzip_even(low, high), unzip_odd(low, high)};
  }
  for (uint32_t i = 0; i < 2 * dwords; ++i) {
    const Node n{.op = i < dwords ? Op::gather_first : Op::gather_second,
                 .p = uint8_t(p.id),
                 .a = first.id,
                 .b = changes ? 1 : -1,
                 .c = second.id,
                 .imm = 4 * (i % dwords)};
    out[i] = changes ? Value{emit(n)} : pure(n);
  }
  return out;
}

Value Builder::look_up(const void* entries, uint32_t bits, Value index) {
  if (node(index).op == Op::constant) {
    uint32_t entry;
    std::memcpy(&entry, static_cast<const char*>(entries) + 4 * (node(index).imm & ((1u << bits) - 1)), sizeof entry);
    return constant_bits(entry);
  }
  return pure({.op = Op::look_up, .p = uint8_t(address(entries).id), .a = index.id, .b = int32_t(bits)});
}

Value Builder::shuffle_bytes(Value a, const std::array<uint8_t, 16>& from) {
  std::array<uint32_t, kLanes> lanes{};
  for (uint32_t n = 0; n < 4 * kLanes; ++n) lanes[n / 4] |= uint32_t{from[n % 16]} << n % 4 * 8;
  return pure({.op = Op::shuffle_bytes, .a = a.id, .imm = node(table(lanes)).imm});
}

Value Builder::permute(Value a, Value lane) {
  const Op op = node(a).op;
  if (op == Op::constant || op == Op::splat || op == Op::splat_at || op == Op::from_scalar) return a;
  return pure({.op = Op::permute, .a = a.id, .b = lane.id});
}
Value Builder::quad(Value a, uint32_t lane) {
  const Op op = node(a).op;
  if (op == Op::constant || op == Op::splat || op == Op::quad || op == Op::splat_at || op == Op::from_scalar) return a;
  return pure({.op = Op::quad, .a = a.id, .imm = lane});
}

Mask Builder::mask_load(Pointer p, uint32_t offset) { return pure_mask({.op = Op::mask_load, .p = uint8_t(p.id), .imm = offset}); }
Mask Builder::mask_load_now(Pointer p, uint32_t offset) { return {emit({.op = Op::mask_load, .p = uint8_t(p.id), .imm = offset})}; }

Buffer Builder::buffer(const Program::Buffer& b) {
  const auto found = std::find(program_.buffers.begin(), program_.buffers.end(), b);
  const auto id = int32_t(found - program_.buffers.begin());
  if (found == program_.buffers.end()) program_.buffers.push_back(b);
  return {id};
}
/// A buffer that a scalar chooses is another one every time.
Value Builder::load(Op op, Buffer b, Value offset, Mask m, Memory memory) {
  const bool now = memory == Memory::changes || program_.buffers[size_t(b.id)].index >= 0;
  const Node n = displaced({.op = op, .a = offset.id, .b = now ? 1 : -1, .c = m.id, .imm = uint32_t(b.id)});
  return now ? Value{emit(n)} : pure(n);
}
Value Builder::access(Op op, Buffer b, Value offset, Value v, int32_t c) {
  return {emit(displaced({.op = op, .a = offset.id, .b = v.id, .c = c, .imm = uint32_t(b.id)}))};
}
/// A sum of the offset and some dwords: the accesses of a vector's components have one offset.
Node Builder::displaced(Node n) const {
  if (!has_displacement(n.op)) return n;
  const Node& sum = program_.nodes[size_t(n.a)];
  if (sum.op != Op::iadd) return n;
  for (const auto& [x, y] : {std::pair{sum.a, sum.b}, std::pair{sum.b, sum.a}}) {
    const Node& k = program_.nodes[size_t(y)];
    if (k.op != Op::constant || k.imm % 4 != 0 || k.imm / 4 > 0xFF) continue;
    n.a = x, n.p = uint8_t(k.imm / 4);
    break;
  }
  return n;
}

/// Zips make dwords by pixel of dwords by number, and the reverse.
void Builder::load_pixels(Buffer b, Value offset, Mask m, Value* dword, uint32_t dwords, Memory memory) {
  const auto part = [&](Op first, uint32_t k) { return load(Op(uint32_t(first) + k), b, offset, m, memory); };
  if (dwords == 2) {
    const Value p = part(Op::load_pair_0, 0), q = part(Op::load_pair_0, 1), even = zip_low(p, q), odd = zip_high(p, q);
    dword[0] = zip_low(even, odd), dword[1] = zip_high(even, odd);
    return;
  }
  const Value p[4] = {part(Op::load_pixel_0, 0), part(Op::load_pixel_0, 1), part(Op::load_pixel_0, 2), part(Op::load_pixel_0, 3)};
  transpose(p, dword);
}
void Builder::store_pixels(Buffer b, Value offset, const Value* dword, uint32_t dwords, Mask m) {
  const auto part = [&](Op first, uint32_t k, Value v) { access(Op(uint32_t(first) + k), b, offset, v, m.id); };
  if (dwords == 2) {
    part(Op::store_pair_0, 0, zip_low(dword[0], dword[1]));
    part(Op::store_pair_0, 1, zip_high(dword[0], dword[1]));
    return;
  }
  Value p[4];
  transpose(dword, p);
  for (uint32_t k = 0; k < 4; ++k) part(Op::store_pixel_0, k, p[k]);
}
/// Of the four lanes of each quad.
void Builder::transpose(const Value* from, Value* to) {
  const Value even[2] = {zip_low(from[0], from[2]), zip_high(from[0], from[2])};
  const Value odd[2] = {zip_low(from[1], from[3]), zip_high(from[1], from[3])};
  for (uint32_t k = 0; k < 4; ++k) to[k] = k % 2 ? zip_high(even[k / 2], odd[k / 2]) : zip_low(even[k / 2], odd[k / 2]);
}

std::array<Value, 2> Builder::atomic(Atomic64 op, Buffer b, Value offset, std::array<Value, 2> v, std::array<Value, 2> expected, Mask m) {
  if (atomic_rows_.id < 0) atomic_rows_ = scratch(Atomic64Rows::bytes);
  const Pointer rows = atomic_rows_;
  for (uint32_t i = 0; i < 2; ++i) {
    store(rows, Atomic64Rows::b + 64 * i, v[i]);
    if (op == Atomic64::compare_exchange) store(rows, Atomic64Rows::c + 64 * i, expected[i]);
  }
  effect({.op = Op::atomic_64, .p = uint8_t(rows.id), .a = offset.id, .b = int32_t(op), .c = m.id, .imm = uint32_t(b.id)});
  return {lanes_now(rows, Atomic64Rows::out), lanes_now(rows, Atomic64Rows::out + 64)};
}

Value Builder::get(Variable v) { return {emit({.op = Op::get, .imm = uint32_t(v.id)})}; }
Mask Builder::get(MaskVariable v) { return {emit({.op = Op::mask_get, .imm = uint32_t(v.id)})}; }
void Builder::set(Variable v, Value x) {
  if (const Node n{.op = Op::set, .a = x.id, .imm = uint32_t(v.id)}; !is_set(program_.nodes, block_begin_, n)) effect(n);
}
void Builder::set(MaskVariable v, Mask m) {
  if (const Node n{.op = Op::mask_set, .a = m.id, .imm = uint32_t(v.id)}; !is_set(program_.nodes, block_begin_, n)) effect(n);
}
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
