// SPDX-License-Identifier: MIT
/// Chips with memory: literal parts of addresses move into the offset of the instruction, out of sums and through products with literals
/// (a[i + 1] and a[i] have one address then). Addresses are modulo 2^32.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr int kDepth = 6;

bool takes_address(Op op) {
  switch (op) {
    case Op::load_const:
    case Op::load_buffer:
    case Op::store_buffer:
    case Op::atomic_buffer:
    case Op::load_pushed:
    case Op::load_shared:
    case Op::store_shared:
    case Op::atomic_shared:
    case Op::load_scratch:
    case Op::store_scratch: return true;
    default: return false;
  }
}

class Folder {
 public:
  explicit Folder(Module& m) : m_(m), defs_(m) {}
  bool run() {
    return replace_instructions(m_, [&](const Instruction& in, Builder& b) { return fold(in, b); });
  }

 private:
  /// value + literal; without a value the literal alone.
  struct Sum {
    Operand value;
    uint32_t literal = 0;
    bool changed = false;  ///< the value is not what was read
  };

  static Source one(Source s, unsigned lane) {
    s.swizzle.fill(s.swizzle[lane]);
    return s;
  }
  Operand read(const Source& s) const { return {s, m_.value(s.value).type, 1}; }
  std::optional<uint32_t> literal(const Source& s) const {
    const auto c = constant_words(defs_, s, 1);
    return c ? std::optional(c->bits[0]) : std::nullopt;
  }

  /// Lane 0 of the source.
  Sum split(const Source& s, Builder& b, int depth) const {
    if (const auto c = literal(s)) return {{}, *c, true};
    const Sum whole{read(one(s, 0)), 0, false};
    if (depth == 0 || s.value >= defs_.size()) return whole;
    const Instruction& def = defs_[s.value];
    const unsigned lane = s.swizzle[0];
    switch (def.op) {
      case Op::iadd: {
        const Sum x = split(one(def.source[0], lane), b, depth - 1), y = split(one(def.source[1], lane), b, depth - 1);
        if (!x.literal && !y.literal && !x.changed && !y.changed) return whole;
        const Operand sum = !x.value ? y.value : !y.value ? x.value : b.op_typed(Op::iadd, Type::u32, {x.value, y.value});
        return {sum, x.literal + y.literal, true};
      }
      case Op::isub: {
        const auto c = literal(one(def.source[1], lane));
        if (!c) return whole;
        const Sum x = split(one(def.source[0], lane), b, depth - 1);
        return {x.value, x.literal - *c, true};
      }
      case Op::imul:
      case Op::ishl: {
        for (unsigned i = 0; i < 2; ++i) {
          const auto c = literal(one(def.source[1 - i], lane));
          if (!c || (def.op == Op::ishl && i)) continue;
          const uint32_t factor = def.op == Op::ishl ? 1u << (*c & 31) : *c;
          const Sum x = split(one(def.source[i], lane), b, depth - 1);
          if (!x.changed || !x.literal) return whole;
          const Operand scale = b.append({.op = Op::constant, .constant = Lanes(std::array{factor, 0u, 0u, 0u})}, Type::u32, 1);
          return {x.value ? b.op_typed(Op::imul, Type::u32, {x.value, scale}) : Operand{}, x.literal * factor, true};
        }
        return whole;
      }
      default: return whole;
    }
  }

  std::optional<Operand> fold(const Instruction& in, Builder& b) const {
    if (!takes_address(in.op) || literal(in.source[0]) == 0u) return std::nullopt;
    const Op above = in.source[0].value < defs_.size() ? defs_[in.source[0].value].op : Op::mov;
    if (above != Op::constant && above != Op::iadd && above != Op::isub && above != Op::imul && above != Op::ishl) return std::nullopt;
    const Sum sum = split(in.source[0], b, kDepth);
    if (!sum.changed || !sum.literal) return std::nullopt;
    Instruction out = in;
    out.result = 0;
    out.offset += sum.literal;
    out.source[0] =
        sum.value ? sum.value.source : b.append({.op = Op::constant, .constant = Lanes(std::array{0u, 0u, 0u, 0u})}, Type::u32, 1).source;
    if (in.result) return b.append(out, m_.value(in.result).type, m_.comps(in.result));
    b.append(out, Type::f32, 0);
    return Operand{};
  }

  Module& m_;
  const Definitions defs_;
};

}  // namespace

bool fold_addresses(Context& c) {
  const auto addresses = [](const Instruction& in) { return takes_address(in.op); };
  return c.module.memory && any_instruction(c.module.body, addresses) && Folder(c.module).run();
}

}  // namespace pumice::compiler::passes
