// SPDX-License-Identifier: MIT
/// What operations are, printing, checking, and removal of what no effect needs.
#include <cstdio>

#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {
namespace {

enum Kind : uint8_t { kPlain = 0, kFloat = 1, kEffect = 2 };
struct Info {
  Op op;
  const char* name;
  Type type;
  uint8_t values, masks;
  Kind kind = kPlain;
};
constexpr Info kInfo[] = {
    {Op::constant, "constant", Type::value, 0, 0},
    {Op::table, "table", Type::value, 0, 0},
    {Op::splat, "splat", Type::value, 0, 0},
    {Op::lanes, "lanes", Type::value, 0, 0},
    {Op::splat_at, "splat_at", Type::value, 0, 0},
    {Op::from_scalar, "from_scalar", Type::value, 0, 0},
    {Op::gather, "gather", Type::value, 1, 4},
    {Op::add, "add", Type::value, 3, 0, kFloat},
    {Op::sub, "sub", Type::value, 3, 0, kFloat},
    {Op::mul, "mul", Type::value, 3, 0, kFloat},
    {Op::div, "div", Type::value, 3, 0, kFloat},
    {Op::fma, "fma", Type::value, 7, 0, kFloat},
    {Op::sqrt, "sqrt", Type::value, 1, 0, kFloat},
    {Op::min, "min", Type::value, 3, 0, kFloat},
    {Op::max, "max", Type::value, 3, 0, kFloat},
    {Op::floor, "floor", Type::value, 1, 0, kFloat},
    {Op::round_even, "round_even", Type::value, 1, 0, kFloat},
    {Op::scale, "scale", Type::value, 3, 0, kFloat},
    {Op::bit_and, "and", Type::value, 3, 0},
    {Op::bit_or, "or", Type::value, 3, 0},
    {Op::bit_xor, "xor", Type::value, 3, 0},
    {Op::bit_andnot, "andnot", Type::value, 3, 0},
    {Op::shl, "shl", Type::value, 1, 0},
    {Op::shr, "shr", Type::value, 1, 0},
    {Op::sar, "sar", Type::value, 1, 0},
    {Op::iadd, "iadd", Type::value, 3, 0},
    {Op::isub, "isub", Type::value, 3, 0},
    {Op::to_float, "to_float", Type::value, 1, 0, kFloat},
    {Op::to_int, "to_int", Type::value, 1, 0},
    {Op::quad, "quad", Type::value, 1, 0},
    {Op::select, "select", Type::value, 3, 4},
    {Op::get, "get", Type::value, 0, 0},
    {Op::mask_constant, "mask_constant", Type::mask, 0, 0},
    {Op::mask_load, "mask_load", Type::mask, 0, 0},
    {Op::lt, "lt", Type::mask, 3, 0},
    {Op::le, "le", Type::mask, 3, 0},
    {Op::eq, "eq", Type::mask, 3, 0},
    {Op::ne, "ne", Type::mask, 3, 0},
    {Op::unordered, "unordered", Type::mask, 3, 0},
    {Op::ieq, "ieq", Type::mask, 3, 0},
    {Op::ilt, "ilt", Type::mask, 3, 0},
    {Op::mask_and, "mask_and", Type::mask, 0, 3},
    {Op::mask_or, "mask_or", Type::mask, 0, 3},
    {Op::mask_xor, "mask_xor", Type::mask, 0, 3},
    {Op::mask_andnot, "mask_andnot", Type::mask, 0, 3},
    {Op::mask_get, "mask_get", Type::mask, 0, 0},
    {Op::set, "set", Type::none, 1, 0, kEffect},
    {Op::mask_set, "mask_set", Type::none, 0, 1, kEffect},
    {Op::store, "store", Type::none, 1, 0, kEffect},
    {Op::scatter, "scatter", Type::none, 3, 4, kEffect},
    {Op::mask_store, "mask_store", Type::none, 0, 1, kEffect},
    {Op::store_word, "store_word", Type::none, 0, 0, kEffect},
    {Op::call, "call", Type::none, 0, 0, kEffect},
    {Op::scalar_set, "scalar_set", Type::none, 0, 0, kEffect},
    {Op::scalar_load, "scalar_load", Type::none, 0, 0, kEffect},
    {Op::scalar_add, "scalar_add", Type::none, 0, 0, kEffect},
    {Op::scalar_sum, "scalar_sum", Type::none, 0, 0, kEffect},
    {Op::scalar_move, "scalar_move", Type::none, 0, 0, kEffect},
    {Op::label, "label", Type::none, 0, 0, kEffect},
    {Op::jump, "jump", Type::none, 0, 0, kEffect},
    {Op::jump_any, "jump_any", Type::none, 0, 1, kEffect},
    {Op::jump_none, "jump_none", Type::none, 0, 1, kEffect},
    {Op::jump_scalar_zero, "jump_scalar_zero", Type::none, 0, 0, kEffect},
    {Op::jump_scalar_nonzero, "jump_scalar_nonzero", Type::none, 0, 0, kEffect},
    {Op::jump_spent, "jump_spent", Type::none, 0, 0, kEffect},
};
constexpr bool in_order() {
  for (size_t i = 0; i < std::size(kInfo); ++i)
    if (size_t(kInfo[i].op) != i) return false;
  return size_t(Op::jump_spent) + 1 == std::size(kInfo);
}
static_assert(in_order());

const Info& info(Op op) { return kInfo[size_t(op)]; }
bool has_pointer(Op op) {
  switch (op) {
    case Op::splat:
    case Op::lanes:
    case Op::splat_at:
    case Op::gather:
    case Op::mask_load:
    case Op::store:
    case Op::scatter:
    case Op::mask_store:
    case Op::store_word:
    case Op::scalar_load:
    case Op::jump_spent: return true;
    default: return false;
  }
}
bool is_control(Op op) { return op >= Op::label; }
int32_t operand(const Node& n, int i) { return i == 0 ? n.a : i == 1 ? n.b : n.c; }

}  // namespace

Type type_of(Op op) { return info(op).type; }
const char* name_of(Op op) { return info(op).name; }
Operands operands_of(Op op) { return {info(op).values, info(op).masks}; }
bool has_effect(Op op) { return info(op).kind == kEffect; }
bool is_flushed(Op op) { return info(op).kind == kFloat; }

std::string print(const Program& program) {
  std::string out;
  char text[160];
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    const Node& n = program.nodes[i];
    const Operands o = operands_of(n.op);
    out += n.op == Op::label ? "" : "  ";
    if (type_of(n.op) != Type::none) {
      std::snprintf(text, sizeof text, "%s%zu = ", type_of(n.op) == Type::mask ? "m" : "v", i);
      out += text;
    }
    out += name_of(n.op);
    for (int k = 0; k < 3; ++k) {
      const bool value = o.values >> k & 1, mask = o.masks >> k & 1;
      if (!value && !mask) continue;
      std::snprintf(text, sizeof text, " %s%d", value ? "v" : "m", operand(n, k));
      out += text;
    }
    if (has_pointer(n.op)) {
      std::snprintf(text, sizeof text, " [p%u]", n.p);
      out += text;
    }
    if (n.op == Op::constant)
      std::snprintf(text, sizeof text, " 0x%08X (%g)", n.imm, double(__builtin_bit_cast(float, n.imm)));
    else if (is_control(n.op))
      std::snprintf(text, sizeof text, " L%u%s", n.imm, n.op == Op::label ? ":" : "");
    else
      std::snprintf(text, sizeof text, " %u", n.imm);
    if (n.op == Op::constant || n.imm || has_pointer(n.op) || has_effect(n.op) || n.op == Op::get || n.op == Op::mask_get) out += text;
    if ((n.op >= Op::scalar_set && n.op <= Op::scalar_move) || n.op == Op::store_word || n.op == Op::from_scalar || n.op == Op::splat_at ||
        n.op >= Op::jump_scalar_zero) {
      std::snprintf(text, sizeof text, " #%d", n.a);
      out += text;
    }
    out += '\n';
  }
  return out;
}

std::string validate(const Program& program) {
  std::string wrong;
  const auto complain = [&](size_t i, const char* what) {
    wrong += "node " + std::to_string(i) + " (" + name_of(program.nodes[i].op) + "): " + what + "\n";
  };
  std::vector<int> placed(size_t(program.labels), 0);
  for (const Node& n : program.nodes)
    if (n.op == Op::label && n.imm < placed.size()) ++placed[n.imm];
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    const Node& n = program.nodes[i];
    const Operands o = operands_of(n.op);
    for (int k = 0; k < 3; ++k) {
      const bool value = o.values >> k & 1, mask = o.masks >> k & 1;
      if (!value && !mask) continue;
      const int32_t id = operand(n, k);
      if (id < 0 || size_t(id) >= i)
        complain(i, "operand is not defined before");
      else if (type_of(program.nodes[size_t(id)].op) != (value ? Type::value : Type::mask))
        complain(i, "operand has the wrong type");
    }
    if (has_pointer(n.op) && n.p >= program.pointers.size()) complain(i, "no such pointer");
    if (is_control(n.op) && (n.imm >= placed.size() || placed[n.imm] != 1)) complain(i, "label is not placed once");
    const auto limit = [&](uint32_t index, size_t count) {
      if (index >= count) complain(i, "index out of range");
    };
    switch (n.op) {
      case Op::table: limit(n.imm, program.tables.size()); break;
      case Op::splat_at: limit(uint32_t(n.a), size_t(program.scalars)), limit(uint32_t(n.b), program.ranges.size()); break;
      case Op::get:
      case Op::set: limit(n.imm, size_t(program.variables)); break;
      case Op::mask_get:
      case Op::mask_set: limit(n.imm, size_t(program.mask_variables)); break;
      case Op::call: limit(n.imm, program.calls.size()); break;
      case Op::scalar_sum:
      case Op::scalar_move: limit(uint32_t(n.a), size_t(program.scalars)), limit(n.imm, size_t(program.scalars)); break;
      case Op::scalar_load: limit(uint32_t(n.a), program.fields.size()), limit(n.imm, size_t(program.scalars)); break;
      case Op::scalar_set:
      case Op::scalar_add: limit(n.imm, size_t(program.scalars)); break;
      case Op::from_scalar:
      case Op::jump_scalar_zero:
      case Op::jump_scalar_nonzero: limit(uint32_t(n.a), size_t(program.scalars)); break;
      case Op::jump_spent: limit(uint32_t(n.a), program.budgets.size()); break;
      case Op::shl:
      case Op::shr:
      case Op::sar: limit(n.imm, 32); break;
      case Op::quad: limit(n.imm, 4); break;
      default: break;
    }
  }
  for (size_t i = 1; i < program.pointers.size(); ++i)
    if (program.pointers[i].parent >= i && program.pointers[i].parent != kScratch)
      wrong += "pointer " + std::to_string(i) + " is read through a later one\n";
  return wrong;
}

void remove_dead(Program& program) {
  std::vector<Node>& nodes = program.nodes;
  std::vector<std::vector<int32_t>> writes(size_t(program.variables)), mask_writes(size_t(program.mask_variables));
  std::vector<int32_t> todo;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& n = nodes[i];
    if (n.op == Op::set)
      writes[n.imm].push_back(int32_t(i));
    else if (n.op == Op::mask_set)
      mask_writes[n.imm].push_back(int32_t(i));
    else if (has_effect(n.op))
      todo.push_back(int32_t(i));
  }
  std::vector<int32_t> to(nodes.size(), -1);           // first: 0 = live, then the new index
  const auto need = [&](std::vector<int32_t>& list) {  // a variable that is read needs its writes, once
    todo.insert(todo.end(), list.begin(), list.end());
    list.clear();
  };
  while (!todo.empty()) {
    const int32_t i = todo.back();
    todo.pop_back();
    if (to[size_t(i)] == 0) continue;
    to[size_t(i)] = 0;
    const Node& n = nodes[size_t(i)];
    const Operands o = operands_of(n.op);
    for (int k = 0; k < 3; ++k)
      if ((o.values | o.masks) >> k & 1) todo.push_back(operand(n, k));
    if (n.op == Op::get) need(writes[n.imm]);
    if (n.op == Op::mask_get) need(mask_writes[n.imm]);
  }
  size_t kept = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (to[i] < 0) continue;
    Node n = nodes[i];
    const Operands o = operands_of(n.op);
    const uint8_t used = o.values | o.masks;
    if (used & 1) n.a = to[size_t(n.a)];
    if (used & 2) n.b = to[size_t(n.b)];
    if (used & 4) n.c = to[size_t(n.c)];
    to[i] = int32_t(kept);
    nodes[kept++] = n;
  }
  nodes.resize(kept);
}

}  // namespace pumice::hw::fast::lane
