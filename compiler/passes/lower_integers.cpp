// SPDX-License-Identifier: MIT
/// Integers and booleans as floats, for chips that know nothing else (docs/numerics.md, decision 16): i32 and u32 become floats that hold
/// exact integers (|v| <= 2^24, in fragment programs of the R3xx 2^17), booleans 0.0 and 1.0. Runs first, so that everything behind it sees
/// floats only; check_exactness follows the ranges later, when constants are known.
///   arithmetic, comparisons   the float operation of the same meaning
///   shifts by constants       products with powers of two
///   masks of one run of ones, fields at constant places   differences of remainders
///   all other bit logic       refused
/// One walk: most operations become one other in their place; signs become source modifiers.
#include <algorithm>
#include <bit>
#include <utility>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr const char* kNoBits = "this chip computes in 32-bit floats and has no operations on bits; integers are exact up to 2^24 only";

Type lowered(Type t) {
  switch (t) {
    case Type::i32: return Type::int_f32;
    case Type::u32: return Type::uint_f32;
    case Type::boolean: return Type::bool_f32;
    default: return t;
  }
}

/// The float operation with the same operands, if there is one.
std::optional<Op> same_operands(Op op) {
  switch (op) {
    case Op::iadd: return Op::add;
    case Op::imul: return Op::mul;
    case Op::isign: return Op::sign;
    case Op::idiv:
    case Op::udiv: return Op::whole_div;
    case Op::imod:
    case Op::umod: return Op::whole_mod;
    case Op::irem: return Op::whole_rem;
    case Op::imin:
    case Op::umin: return Op::min;
    case Op::imax:
    case Op::umax: return Op::max;
    case Op::ilt:
    case Op::ult: return Op::slt;
    case Op::ige:
    case Op::uge: return Op::sge;
    case Op::ieq: return Op::seq;
    case Op::ine: return Op::sne;
    case Op::i2f:
    case Op::u2f:
    case Op::whole2i:
    case Op::whole2u:
    case Op::b2f:
    case Op::b2i: return Op::mov;
    case Op::f2i:
    case Op::f2u: return Op::trunc;
    default: return std::nullopt;
  }
}
std::optional<Op> of_truth_values(Op op) {
  switch (op) {
    case Op::iand: return Op::mul;
    case Op::ior: return Op::max;
    case Op::ixor: return Op::sne;
    default: return std::nullopt;
  }
}

struct Refusal {
  const char* construct;
  const char* why = kNoBits;
};
Refusal refusal(Op op) {
  switch (op) {
    case Op::ishl:
    case Op::ishr:
    case Op::ushr: return {"a shift by a variable or large amount"};
    case Op::ibfe:
    case Op::ubfe: return {"a bit field with a variable or large place"};
    case Op::bitcast: return {"reinterpreting the bits of a value"};
    case Op::find_lsb:
    case Op::ifind_msb:
    case Op::ufind_msb: return {"searching for a bit", "this chip computes in 32-bit floats and has no operations on bits"};
    case Op::uadd_carry:
    case Op::usub_borrow:
    case Op::umul_high:
    case Op::imul_high: return {"integer arithmetic with a carry or a wide result"};
    default:
      if (packs(op) || unpacks(op))
        return {"packing numbers into the bits of an integer", "the chip has no operations on bits, and its integers have 24 bits"};
      return {"bit logic on integers"};
  }
}

class Lowering {
 public:
  explicit Lowering(Context& c)
      : c_(c), m_(c.module), exact_bits_(c.options.chip->exact_bits(m_.stage == Stage::fragment)), b_(m_, code_) {}

  void run() {
    m_.floats_only = true;
    bool any = false;
    const auto lower = [&](auto& rows) {
      for (auto& row : rows) any |= lowered(row.type) != row.type, row.type = lowered(row.type);
    };
    lower(m_.values), lower(m_.inputs), lower(m_.outputs), lower(m_.temps);
    if (any) list(m_.body);
    m_.origins.clear();
    if (constants_.instructions.empty()) return;
    const auto constant = [](const Instruction& in) { return in.op == Op::constant; };
    const bool first = !m_.body.empty() && m_.body[0].kind == Node::Kind::block &&
                       std::all_of(m_.body[0].instructions.begin(), m_.body[0].instructions.end(), constant);
    if (first)
      m_.body[0].instructions.insert(m_.body[0].instructions.end(), constants_.instructions.begin(), constants_.instructions.end());
    else
      m_.body.insert(m_.body.begin(), std::move(constants_));
  }

 private:
  void list(NodeList& nodes) {
    for (Node& node : nodes) {
      if (node.kind == Node::Kind::block) {
        block(node.instructions);
        continue;
      }
      if (!aliases_.empty())
        for (Source& s : node.args) follow(s);
      list(node.then_list);
      list(node.else_list);
    }
  }

  /// In place as long as one instruction becomes one.
  void block(Vec<Instruction>& code) {
    size_t done = 0;
    while (done < code.size() && in_place(code[done])) ++done;
    if (done == code.size()) return;
    const Vec<Instruction> rest(code.begin() + long(done), code.end());
    code.resize(done);
    for (Instruction in : rest) {
      if (in_place(in)) {
        code.push_back(in);
        continue;
      }
      code_.clear();
      become(in, expand(in));
      for (const Node& n : code_) code.insert(code.end(), n.instructions.begin(), n.instructions.end());
    }
  }

  /// False: the instruction needs expand(), and is as it was.
  bool in_place(Instruction& in) {
    if (!aliases_.empty())
      for (Source& s : in.sources()) follow(s);
    if (is_typed(in.op)) return typed_in_place(in);
    if (in.op == Op::constant) constant(in);
    return (in.op != Op::load_uniform && in.op != Op::load_push) || type(in) == Type::f32;
  }

  bool typed_in_place(Instruction& in) {
    std::optional<Op> op = same_operands(in.op);
    if (!op && type(in) == Type::bool_f32) op = of_truth_values(in.op);
    if (op) {
      in.op = *op;
      return true;
    }
    switch (in.op) {
      case Op::isub:
        in.op = Op::add;
        in.source[1].negate = !in.source[1].negate;
        return true;
      case Op::inot:
        if (type(in) == Type::uint_f32) return false;
        if (type(in) == Type::bool_f32) {
          replace(in, Op::seq, number(0.0f, Type::f32));
        } else {
          in.source[0].negate = !in.source[0].negate;
          replace(in, Op::add, number(-1.0f, Type::int_f32));
        }
        return true;
      case Op::ishl: {
        const auto amount = known(in, 1);
        if (!amount || *amount >= exact_bits_) return false;
        replace(in, Op::mul, number(float(1u << *amount), type(in)));
        return true;
      }
      default: return false;
    }
  }
  static void replace(Instruction& in, Op op, const Operand& second) {
    in.op = op;
    in.source_count = 2;
    in.source[1] = second.source;
  }

  /// Code for the instruction in code_, and what stands for its result; nothing if it was refused.
  Operand expand(const Instruction& in) {
    const Type t = type(in);
    const auto source = [&](unsigned i) { return Operand{in.source[i], m_.value(in.source[i].value).type, m_.comps(in.result)}; };
    switch (in.op) {
      case Op::load_uniform:
      case Op::load_push: {
        Instruction load = in;
        load.op = Op::load_uniform;
        load.index = converted_row(in);
        load.result = 0;
        return b_.append(load, Type::f32, 4);
      }
      case Op::ineg: return -source(0);
      case Op::iabs: return source(0).abs();
      case Op::ishr:
      case Op::ushr:
        if (const auto amount = known(in, 1); amount && *amount < exact_bits_)
          return b_.op_typed(Op::floor, t, {scaled_down(source(0), *amount, t)});
        break;
      case Op::iand: {
        const auto right = known(in, 1), left = right ? std::nullopt : known(in, 0);
        if (!right && !left) break;
        if (const Operand r = right ? mask_bits(source(0), *right) : mask_bits(source(1), *left)) return r;
        break;
      }
      case Op::ibfe:
      case Op::ubfe: {
        const auto offset = known(in, 1), bits = known(in, 2);
        if (!offset || !bits || uint64_t{*offset} + *bits > exact_bits_) break;
        return field(source(0), *offset, *bits, in.op == Op::ibfe, t);
      }
      default: break;
    }
    refuse(in);
    return {};
  }

  Operand scaled_down(const Operand& x, uint32_t bits, Type constant_type) {
    return b_.mul(x, number(1.0f / float(1u << bits), constant_type));
  }
  /// x & mask for masks of one run of ones, by differences of remainders (exact, also for negative x in two's complement). Nothing if the
  /// mask is another.
  Operand mask_bits(const Operand& x, uint32_t mask) {
    if (mask == 0) return number(0.0f, x.type, x.comps);
    const auto low = uint32_t(std::countr_zero(mask)), width = uint32_t(std::popcount(mask));
    if (width + low > exact_bits_ || (mask >> low) != (1u << width) - 1) return {};
    const auto remainder = [&](uint32_t bits) {
      const Operand floored = b_.op(Op::floor, {scaled_down(x, bits, x.type)});
      return b_.mad(floored, number(-float(1u << bits), x.type), x);
    };
    const Operand high = remainder(low + width);
    return low == 0 ? high : b_.sub(high, remainder(low));
  }
  Operand field(const Operand& x, uint32_t offset, uint32_t bits, bool is_signed, Type t) {
    if (bits == 0) return number(0.0f, t, x.comps);
    // Moved down first: what lies above the field goes with the remainder.
    const Operand moved = b_.op(Op::floor, {scaled_down(x, offset, x.type)});
    const Operand bare = mask_bits(moved, (1u << bits) - 1);
    if (!is_signed) return bare;
    const Operand negative = b_.op(Op::sge, {bare, number(float(1u << (bits - 1)), bare.type)});
    return b_.mad(b_.mov(negative, bare.type), number(-float(1u << bits), bare.type), bare);
  }

  /// The last instruction of code_ gets the result's id; if `r` is not that instruction's value, reads of the result become reads of `r`.
  void become(const Instruction& in, Operand r) {
    if (!r) return;
    if (r.type != type(in)) r = b_.mov(r, type(in));
    if (!code_.empty() && code_.back().instructions.back().result == r.source.value && !r.source.negate && !r.source.abs) {
      code_.back().instructions.back().result = in.result;
      return;
    }
    if (aliases_.empty()) aliases_.resize(m_.values.size());
    aliases_[in.result] = r.source;
  }
  void follow(Source& s) const {
    if (s.value < aliases_.size() && aliases_[s.value].value) s = compose(s, aliases_[s.value]);
  }

  Type type(const Instruction& in) const { return m_.value(in.result).type; }

  void constant(Instruction& in) {
    const Type t = type(in);
    if (t == Type::f32) return;
    known_.push_back({in.result, in.constant});
    for (uint32_t& word : in.constant.bits) {
      // Beyond 2^24 the nearest float, as the driver converts uniform data: good for comparisons ("no index", "no limit"), while
      // check_exactness refuses arithmetic with it.
      const float x = t == Type::bool_f32 ? (word ? 1.0f : 0.0f) : t == Type::uint_f32 ? float(word) : float(int32_t(word));
      word = std::bit_cast<uint32_t>(x);
    }
  }
  /// The number that source i reads on all lanes, as bits, if it is a constant.
  std::optional<uint32_t> known(const Instruction& in, unsigned i) const {
    const Source& s = in.source[i];
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& k) { return k.first == s.value; });
    if (found == known_.end() || s.abs || s.negate) return std::nullopt;
    const uint32_t word = found->second.bits[s.swizzle[0]];
    for (unsigned lane = 1; lane < m_.comps(in.result); ++lane)
      if (found->second.bits[s.swizzle[lane]] != word) return std::nullopt;
    return word;
  }

  /// A constant, in front of everything.
  Operand number(float x, Type t, unsigned comps = 1) {
    Operand& cached = cache_[{t, std::bit_cast<uint32_t>(x)}];
    if (!cached) {
      Instruction in{.op = Op::constant, .result = m_.new_value(t, 1)};
      in.constant.bits[0] = std::bit_cast<uint32_t>(x);
      constants_.instructions.push_back(in);
      cached = {read(m_, in.result), t, 1};
    }
    Operand r = cached;
    r.comps = uint8_t(comps);
    return r;
  }

  /// The row that shows the same memory as integers (ir.h, UniformBlock::view): the driver converts what it loads into those constants.
  uint32_t converted_row(const Instruction& in) {
    UniformBlock block;
    if (in.op == Op::load_push) {
      block.push = true;
      block.size = m_.push_size;
    } else {
      block = m_.uniforms[in.index];
    }
    block.view = type(in) == Type::int_f32 ? Type::i32 : Type::u32;
    const auto same = [&](const UniformBlock& u) {
      return u.immediate.empty() && u.push == block.push && u.view == block.view && u.set == block.set && u.binding == block.binding &&
             u.element == block.element && u.size == block.size;
    };
    const auto found = std::find_if(m_.uniforms.begin(), m_.uniforms.end(), same);
    if (found != m_.uniforms.end()) return uint32_t(found - m_.uniforms.begin());
    m_.uniforms.push_back(std::move(block));
    return uint32_t(m_.uniforms.size() - 1);
  }

  void refuse(const Instruction& in) {
    if (++refused_ > kMostRefusals) return;
    const auto origin = std::find_if(m_.origins.begin(), m_.origins.end(), [&](const Origin& o) { return o.value == in.result; });
    const Refusal r = refusal(in.op);
    c_.refuse(std::string(r.construct) + " (" + (origin == m_.origins.end() ? std::string(info(in.op).name) : origin->text) + "): " + r.why,
              origin == m_.origins.end() ? ir::origin(m_, in) : origin->at);
  }

  Context& c_;
  Module& m_;
  const uint32_t exact_bits_;
  NodeList code_;  ///< what the current instruction becomes
  Builder b_;
  Node constants_;
  Vec<std::pair<ValueId, Lanes>> known_;  ///< integer and boolean constants as they were
  Map<std::pair<Type, uint32_t>, Operand> cache_;
  Vec<Source> aliases_;  ///< by value: what to read instead
  static constexpr unsigned kMostRefusals = 100;
  unsigned refused_ = 0;
};

}  // namespace

bool lower_integers(Context& c) {
  if (c.module.floats_only) return false;
  Lowering(c).run();
  return true;
}

}  // namespace pumice::compiler::passes
