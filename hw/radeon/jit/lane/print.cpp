// SPDX-License-Identifier: MIT
/// A program as text.
#include <cstdarg>
#include <cstdio>

#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {
namespace {

class Text {
 public:
  explicit Text(const Program& program) : program_(program) {}

  std::string all() {
    for (size_t i = 1; i < program_.pointers.size(); ++i) {
      const auto& p = program_.pointers[i];
      if (p.parent == kScratch)
        add("p%zu = scratch + %u\n", i, p.offset);
      else if (p.parent == kMoving)
        add("p%zu = p0 + %u, moving\n", i, p.offset);
      else if (p.parent == kKnown)
        add("p%zu = address %u\n", i, p.offset);
      else
        add("p%zu = [p%u + %u]\n", i, p.parent, p.offset);
    }
    for (size_t i = 0; i < program_.tables.size(); ++i) {
      add("t%zu =", i);
      for (const uint32_t word : program_.tables[i]) add(" 0x%X", word);
      add("\n");
    }
    for (size_t i = 0; i < program_.nodes.size(); ++i) line(i);
    return std::move(text_);
  }

 private:
  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) {
    char room[128];
    va_list list;
    va_start(list, format);
    std::vsnprintf(room, sizeof room, format, list);
    va_end(list);
    text_ += room;
  }

  /// The result comes first, then operands, then offsets and labels.
  void line(size_t i) {
    const Node& n = program_.nodes[i];
    const Operation& op = operation(n.op);
    if (n.op == Op::label) return add("L%u:\n", n.imm);
    add("  ");
    if (op.signature.result != Type::none) add("%c%zu = ", op.signature.result == Type::mask ? 'm' : 'v', i);
    add("%s", name_of(n.op));
    const Role imm = op.signature.imm;
    if (imm == Role::scalar || imm == Role::variable || imm == Role::mask_variable) immediate(n, imm);
    for (int k = 0; k < 3; ++k) operand_of(n, op.operand(k), operand(n, k));
    if (imm != Role::scalar && imm != Role::variable && imm != Role::mask_variable) immediate(n, imm);
    add("\n");
  }

  void operand_of(const Node& n, Role role, int32_t v) {
    switch (role) {
      case Role::value: return add(" v%d", v);
      case Role::mask: return add(" m%d", v);
      case Role::scalar: return add(" s%d", v);
      case Role::number: return add(" %d", v);
      case Role::now: return add("%s", v >= 0 ? " now" : "");
      case Role::half: return add("%s", v >= 0 ? " half" : "");
      case Role::range: {
        const auto& r = program_.ranges[size_t(v)];
        return add(" stride %u count %u", r.stride, r.count);
      }
      case Role::bit_field: {
        const auto& f = program_.fields[size_t(v)];
        return add(" [p%u + %u] %s bits %u from %u", n.p, f.offset, f.is_signed ? "signed" : "unsigned", f.bits, f.shift);
      }
      case Role::budget: {
        const auto& b = program_.budgets[size_t(v)];
        return add(" [p%u + %u] - %u", n.p, b.offset, b.amount);
      }
      default: return;
    }
  }

  void immediate(const Node& n, Role role) {
    switch (role) {
      case Role::bits: return add(" 0x%08X (%g)", n.imm, double(__builtin_bit_cast(float, n.imm)));
      case Role::mask_bits: return add(" 0x%04X", n.imm);
      case Role::offset: return add(" [p%u + %u]", n.p, n.imm);
      case Role::table: return add(" t%u", n.imm);
      case Role::shift:
      case Role::lane: return add(" %u", n.imm);
      case Role::signs: return add("%s%s", n.imm & 1 ? " -ab" : "", n.imm & 2 ? " -c" : "");
      case Role::scalar: return add(" s%u", n.imm);
      case Role::variable: return add(" x%u", n.imm);
      case Role::mask_variable: return add(" y%u", n.imm);
      case Role::label: return add(" L%u", n.imm);
      case Role::call: {
        const auto& c = program_.calls[n.imm];
        if (c.function)  // its address differs from run to run
          add(" function");
        else
          add(" [p%u + %u]", c.object, c.offset);
        return add("(p%u, p%u + %u)", c.object, c.argument, c.argument_offset);
      }
      case Role::buffer: {
        const auto& b = program_.buffers[n.imm];
        add(" buffer [p%u + %u", b.p, b.offset);
        if (b.index >= 0) add(" + %u * s%d, below %u", b.stride, b.index, b.count);
        if (b.is_block()) add(", rows [p%d + %u]", b.rows_p, b.rows);
        add(b.own ? " own]" : "]");
        if (operation(n.op).is(trait::pointer))
          add(", rows at p%u", n.p);
        else if (n.p)
          add(" + %u", displacement(n));
        return;
      }
      default: return;
    }
  }

  const Program& program_;
  std::string text_;
};

}  // namespace

std::string print(const Program& program) { return Text(program).all(); }

}  // namespace pumice::hw::fast::lane
