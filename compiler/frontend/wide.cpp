// SPDX-License-Identifier: MIT
/// Numbers of 64 bits on chips with memory: values of the IR like others (the pass lower_wide makes pairs of words of them). Here is what
/// meets words: constants, memory, conversions between widths, bits as other types, the interface of stages, sums over a subgroup.
#include <algorithm>
#include <bit>
#include <limits>

#include "compiler/frontend/translator.h"
#include "compiler/ir/eval_memory.h"

namespace pumice::compiler::frontend {

using ir::Atomic;
using ir::Op;
using ir::Type;

namespace {
constexpr unsigned kWords = 4;  // of a location
constexpr uint32_t kLocations = 32;
}  // namespace

Operand Translator::wide_constant(const std::array<uint64_t, 4>& x, unsigned comps, Type type) {
  m_.wide = true;
  ir::Lanes low, high;
  for (unsigned i = 0; i < comps; ++i) {
    low.bits[i] = uint32_t(x[i]);
    high.bits[i] = uint32_t(x[i] >> 32);
  }
  return constants_.op_typed(Op::wide_join, type, {constant_lanes(low, comps, Type::u32), constant_lanes(high, comps, Type::u32)});
}

/// Of two words each, the low one first.
Operand Translator::from_words(std::span<const Operand> words, Type type) {
  Vec<Operand> low, high;
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    low.push_back(words[i]);
    high.push_back(words[i + 1]);
  }
  return joined(b_.vec(low), b_.vec(high), type);
}

Vec<Operand> Translator::to_words(const Operand& x) {
  const Operand low = low_words(x), high = high_words(x);
  Vec<Operand> words;
  for (unsigned i = 0; i < x.comps; ++i) {
    words.push_back(low.lane(i));
    words.push_back(high.lane(i));
  }
  return words;
}

/// An integer of another width, one of which is 64; x is extended to a word as its signedness says.
Operand Translator::resized(const Operand& x, Id type, bool is_signed) {
  const LeafType to = leaf_type(type);
  if (!ir::is_wide(to.type)) return wrapped(retag(low_words(x), to.type), type);
  if (ir::is_wide(x.type)) return retag(x, to.type);
  const Operand low = retag(x, Type::u32);
  return joined(low, is_signed ? shifted(Op::ishr, low, 31) : integer(0, low), to.type);
}

/// OpBitcast from or to 64 bits: the words in order, the first component's lowest first.
Operand Translator::bitcast_wide(const Operand& x, unsigned from_bits, const LeafType& to, unsigned to_bits) {
  if (from_bits == to_bits)
    return ir::info(x.type).cls == ir::info(to.type).cls ? retag(x, to.type) : b_.op_typed(Op::bitcast, to.type, {x});
  if (ir::is_wide(x.type)) {
    const Operand words = b_.vec(to_words(x));
    if (to_bits != 32) return bitcast_narrow(words, 32, to, to_bits);
    return to.type == Type::f32 ? b_.op_typed(Op::bitcast, Type::f32, {words}) : retag(words, to.type);
  }
  Vec<Operand> words;
  const unsigned pieces = 32 / from_bits;
  const Operand bits = x.type == Type::f32 ? b_.op_typed(Op::bitcast, Type::u32, {x}) : retag(x, Type::u32);
  for (unsigned k = 0; k < x.comps; k += pieces) {
    Operand word = pieces == 1 ? bits.lane(k) : extended(bits.lane(k), from_bits, false);
    for (unsigned n = 1; n < pieces; ++n)
      word = b_.op(Op::ior, {word, shifted(Op::ishl, extended(bits.lane(k + n), from_bits, false), n * from_bits)});
    words.push_back(word);
  }
  return from_words(words, to.type);
}

/// Of what is addressed by it: 2^32 of anything are more than there is.
Operand Translator::index_operand(Id id) {
  const Operand x = operand(id);
  return x.type == Type::i64 ? retag(low_words(x), Type::i32) : word_of(x);
}

/// OpIAddCarry, OpISubBorrow.
Leaves Translator::carried(const Inst& in, Operand a, Operand b) {
  const bool adds = in.op == spv::OpIAddCarry;
  const Operand r = b_.op(adds ? Op::iadd : Op::isub, {a, b});
  const Operand over = b_.op_typed(Op::b2i, Type::u32, {b_.op_typed(Op::ult, Type::boolean, {adds ? r : a, adds ? a : b})});
  return {r, joined(over, integer(0, over), r.type)};
}

Operand Translator::identity_of(Atomic op, const Operand& like) {
  if (!ir::is_wide(like.type)) return constant_word(ir::identity(op, like.type == Type::f32), like.comps, like.type);
  const auto real_number = [&] {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double x = op == Atomic::smin ? kInfinity : op == Atomic::smax ? -kInfinity : op == Atomic::mul ? 1.0 : -0.0;
    return std::bit_cast<uint64_t>(x);
  };
  const auto number = [&]() -> uint64_t {
    switch (op) {
      case Atomic::smin: return ~uint64_t{0} >> 1;
      case Atomic::smax: return uint64_t{1} << 63;
      case Atomic::umin:
      case Atomic::band: return ~uint64_t{0};
      case Atomic::mul: return 1;
      default: return 0;
    }
  };
  return wide_constant({like.type == Type::f64 ? real_number() : number()}, 1, like.type);
}

/// A reduction or scan of a subgroup: every lane reads those that count one after the other.
Operand Translator::wide_scan(Op op, Atomic with, const Operand& value) {
  Operand counts = ballot_of(truth(true));
  if (op == Op::scan) counts = b_.op(Op::iand, {counts, lane_mask(spv::BuiltInSubgroupLeMask)});
  if (op == Op::scan_exclusive) counts = b_.op(Op::iand, {counts, lane_mask(spv::BuiltInSubgroupLtMask)});
  const Operand identity = identity_of(with, value);
  Operand sum;
  for (uint32_t k = 0; k < group_lanes(); ++k) {
    const Operand bit = b_.op(Op::iand, {counts, integer(1u << k, counts)});
    const Operand term = b_.sel(b_.op_typed(Op::ine, Type::boolean, {bit, integer(0, bit)}), shuffled(value, integer(k, counts)), identity);
    sum = sum ? combined(with, sum, term) : term;
  }
  return sum;
}

/// An input of 64 bits is one of words, two for each component; more than two components take a second location.
void Translator::add_wide_input(const Inst& variable, const LeafType& leaf, ir::Input input, uint32_t& location, Leaves& out) {
  if (m_.stage == Stage::vertex) throw Unsupported{"a vertex attribute of 64 bits: there are no formats for them"};
  if (!input.flat) throw Unsupported{"the SPIR-V is not valid: an input of 64 bits that is not Flat"};
  const unsigned count = 2 * leaf.comps;
  Vec<Operand> words;
  m_.per_sample |= input.sample;
  while (words.size() < count) {
    input.location = location++;
    input.comps = uint8_t(std::min<size_t>(count - words.size(), kWords));
    input.type = Type::u32;
    input.at = variable.operands.data();
    if (input.component + input.comps > kWords) throw Unsupported{"an input that does not fit its location"};
    if (input.location >= kLocations)
      throw Unsupported{"an input at location " + std::to_string(input.location) + ": the chip has " + std::to_string(kLocations)};
    m_.inputs.push_back(input);
    const Operand four = b_.append({.op = Op::load_input, .index = uint32_t(m_.inputs.size() - 1)}, Type::u32, input.comps);
    for (unsigned i = 0; i < four.comps; ++i) words.push_back(four.lane(i));
  }
  out.push_back(from_words(words, leaf.type));
}

void Translator::store_wide_output(const LeafType& leaf, ir::Output output, uint32_t& location, const Operand& value) {
  if (m_.stage == Stage::fragment) throw Unsupported{"the SPIR-V is not valid: a colour of 64 bits"};
  const Vec<Operand> words = to_words(value);
  for (unsigned first = 0; first < 2 * leaf.comps; first += kWords) {
    const unsigned count = std::min(2 * leaf.comps - first, kWords);
    output.location = location++;
    output.comps = uint8_t(count);
    output.type = Type::u32;
    if (output.component + count > kWords) throw Unsupported{"an output that does not fit its location"};
    m_.outputs.push_back(output);
    ir::Instruction in{.op = Op::store_output, .source_count = 1, .index = uint32_t(m_.outputs.size() - 1)};
    in.mask = uint8_t((1u << count) - 1);
    in.source[0] = b_.vec(std::span(words).subspan(first, count)).source;
    b_.append(in, Type::f32, 0);
  }
}

}  // namespace pumice::compiler::frontend
