// SPDX-License-Identifier: MIT
/// Subgroups (16 lanes, docs/r5x.md rule 4), barriers, and what is computed from built-ins. Votes and the like are made of ballots; values
/// that are booleans travel as words.
#include "compiler/frontend/translator.h"
#include "compiler/ir/eval_memory.h"

namespace pumice::compiler::frontend {

using ir::Access;
using ir::Atomic;
using ir::Op;
using ir::Type;

namespace {
constexpr unsigned kLanes = 16, kWord = 32;
constexpr uint32_t kAll = (1u << kLanes) - 1;
}  // namespace

/// The value of a built-in, wherever the translation stands.
Operand Translator::builtin(ir::Builtin which, Type type, unsigned comps) {
  uint32_t row = 0;
  while (row < m_.inputs.size() && !(m_.inputs[row].builtin == which && m_.inputs[row].location == 0)) ++row;
  if (row == m_.inputs.size()) m_.inputs.push_back({.builtin = which, .comps = uint8_t(comps), .type = type});
  const ir::Input& input = m_.inputs[row];
  return retag(b_.append({.op = Op::load_input, .index = row}, input.type, input.comps), type);
}

/// gl_SubgroupEqMask and relatives: the first word.
Operand Translator::lane_mask(spv::BuiltIn which) {
  const Operand lane = builtin(ir::Builtin::lane, Type::u32, 1);
  const auto shifted_left = [&](uint32_t x) { return b_.op(Op::ishl, {integer(x, lane), lane}); };
  const auto below = [&](uint32_t x) { return b_.op(Op::isub, {shifted_left(x), integer(1, lane)}); };
  switch (which) {
    case spv::BuiltInSubgroupEqMask: return shifted_left(1);
    case spv::BuiltInSubgroupGeMask: return b_.op(Op::iand, {shifted_left(kAll), integer(kAll, lane)});
    case spv::BuiltInSubgroupGtMask: return b_.op(Op::iand, {shifted_left(kAll - 1), integer(kAll, lane)});
    case spv::BuiltInSubgroupLeMask: return below(2);
    default: return below(1);
  }
}

/// Applies to each leaf; booleans as 0 and 1.
Leaves Translator::each_word(const Leaves& value, const std::function<Operand(const Operand&)>& of_word) {
  Leaves out;
  for (const Operand& leaf : value) {
    const bool truth = leaf.type == Type::boolean;
    const Operand r = of_word(truth ? b_.op_typed(Op::b2i, Type::u32, {leaf}) : leaf);
    out.push_back(truth ? b_.op_typed(Op::ine, Type::boolean, {r, integer(0, r)}) : r);
  }
  return out;
}

Operand Translator::ballot_of(const Operand& truth) {
  ir::Instruction in{.op = Op::ballot, .source_count = 1};
  in.source[0] = truth.source;
  return b_.append(in, Type::u32, 1);
}

void Translator::barrier(const Inst& in) {
  // A barrier among the lanes of a subgroup waits for nothing; what it says about memory is left.
  const bool workgroup = in.op == spv::OpControlBarrier && spv_.constant_u32(in[0]) != spv::ScopeSubgroup && m_.stage == Stage::compute;
  b_.append({.op = workgroup ? Op::barrier : Op::fence}, Type::f32, 0);
}

namespace {
struct Arithmetic {
  Atomic op;
  bool logical = false;
};
std::optional<Arithmetic> arithmetic_of(spv::Op op) {
  switch (op) {
    case spv::OpGroupNonUniformIAdd:
    case spv::OpGroupNonUniformFAdd: return Arithmetic{Atomic::add};
    case spv::OpGroupNonUniformIMul:
    case spv::OpGroupNonUniformFMul: return Arithmetic{Atomic::mul};
    case spv::OpGroupNonUniformSMin:
    case spv::OpGroupNonUniformFMin: return Arithmetic{Atomic::smin};
    case spv::OpGroupNonUniformUMin: return Arithmetic{Atomic::umin};
    case spv::OpGroupNonUniformSMax:
    case spv::OpGroupNonUniformFMax: return Arithmetic{Atomic::smax};
    case spv::OpGroupNonUniformUMax: return Arithmetic{Atomic::umax};
    case spv::OpGroupNonUniformBitwiseAnd: return Arithmetic{Atomic::band};
    case spv::OpGroupNonUniformBitwiseOr: return Arithmetic{Atomic::bor};
    case spv::OpGroupNonUniformBitwiseXor: return Arithmetic{Atomic::bxor};
    case spv::OpGroupNonUniformLogicalAnd: return Arithmetic{Atomic::band, true};
    case spv::OpGroupNonUniformLogicalOr: return Arithmetic{Atomic::bor, true};
    case spv::OpGroupNonUniformLogicalXor: return Arithmetic{Atomic::bxor, true};
    default: return std::nullopt;
  }
}
}  // namespace

Operand Translator::shuffled(const Operand& value, const Operand& from) {
  ir::Instruction x{.op = Op::shuffle, .source_count = 2};
  x.source[0] = value.source;
  x.source[1] = from.source;
  return b_.append(x, value.type, value.comps);
}

/// Every lane reads the active ones of its cluster one after the other: as a scan within the cluster by shuffles.
void Translator::clustered(const Inst& in, Atomic op, uint32_t size) {
  size = std::clamp(size, 1u, group_lanes());
  const Operand lane = builtin(ir::Builtin::lane, Type::u32, 1), active = ballot_of(truth(true));
  const Operand first = b_.op(Op::iand, {lane, integer(~(size - 1), lane)});
  set(in, each_word(group_operand(in, op), [&](const Operand& value) {
        Operand sum;
        for (uint32_t k = 0; k < size; ++k) {
          const Operand from = b_.op(Op::ior, {first, integer(k, first)});
          const Operand other = shuffled(value, from);
          const Operand bit = b_.op(Op::iand, {b_.op(Op::ushr, {active, from}), integer(1, active)});
          const Operand is_active = b_.op_typed(Op::ine, Type::boolean, {bit, integer(0, bit)});
          const Operand term = b_.sel(is_active, other, identity_of(op, value));
          sum = sum ? combined(op, sum, term) : term;
        }
        return group_result(in, op, sum);
      }));
}

Operand Translator::combined(Atomic op, const Operand& a, const Operand& b) {
  const bool floats = ir::info(a.type).cls == ir::TypeClass::flt_;
  switch (op) {
    case Atomic::add: return b_.op(floats ? Op::add : Op::iadd, {a, b});
    case Atomic::mul: return b_.op(floats ? Op::mul : Op::imul, {a, b});
    case Atomic::smin: return b_.op(floats ? Op::nmin : Op::imin, {a, b});
    case Atomic::smax: return b_.op(floats ? Op::nmax : Op::imax, {a, b});
    case Atomic::umin: return b_.op(Op::umin, {a, b});
    case Atomic::umax: return b_.op(Op::umax, {a, b});
    case Atomic::band: return b_.op(Op::iand, {a, b});
    case Atomic::bor: return b_.op(Op::ior, {a, b});
    default: return b_.op(Op::ixor, {a, b});
  }
}

/// The operand of a reduction or scan: integers of 8 and 16 bits as the operation, not their type, counts them.
Leaves Translator::group_operand(const Inst& in, Atomic op) {
  const bool is_signed = op == Atomic::smin || op == Atomic::smax, orders = is_signed || op == Atomic::umin || op == Atomic::umax;
  if (!orders || integer_bits(in.type) >= kWord) return leaves(in[2]);
  return {integer_operand(in[2], is_signed)};
}

/// The result as the type of an integer of 8 or 16 bits holds it. Where nothing was before (exclusive scans) least and largest words stand
/// for the least and the largest number of the type.
Operand Translator::group_result(const Inst& in, Atomic op, const Operand& r) {
  const unsigned bits = integer_bits(in.type);
  if (bits >= kWord || ir::is_wide(r.type)) return r;
  const uint32_t most = (1u << (bits - 1)) - 1;
  switch (op) {
    case Atomic::smin: return wrapped(b_.op(Op::imin, {r, integer(most, r)}), in.type);
    case Atomic::smax: return wrapped(b_.op(Op::imax, {r, integer(~most, r)}), in.type);
    case Atomic::umin: return wrapped(b_.op(Op::umin, {r, integer(2 * most + 1, r)}), in.type);
    default: return wrapped(r, in.type);
  }
}

/// OpReadClockKHR: the chip has one clock.
void Translator::read_clock(const Inst& in) {
  const Operand now = b_.append({.op = Op::clock}, Type::u32, 2);
  const Type type = leaf_type(in.type).type;
  set(in, ir::is_wide(type) ? joined(now.lane(0), now.lane(1), type) : retag(now, type));
}

/// Operands: scope, operation, value, [cluster size].
void Translator::group_arithmetic(const Inst& in) {
  const Arithmetic a = *arithmetic_of(in.op);
  Op op = Op::reduce;
  switch (in.as<spv::GroupOperation>(1)) {
    case spv::GroupOperationReduce: break;
    case spv::GroupOperationInclusiveScan: op = Op::scan; break;
    case spv::GroupOperationExclusiveScan: op = Op::scan_exclusive; break;
    case spv::GroupOperationClusteredReduce:
      if (spv_.constant_u32(in[3]) < kLanes) return clustered(in, a.op, spv_.constant_u32(in[3]));
      break;
    default: fail(in, "group operation " + std::to_string(in[1]), "reductions and scans are what the chip has");
  }
  set(in, each_word(group_operand(in, a.op), [&](const Operand& value) {
        if (ir::is_wide(value.type)) return wide_scan(op, a.op, value);
        ir::Instruction x{.op = op, .source_count = 1};
        x.source[0] = value.source;
        Access access;
        access.sub = uint8_t(a.op);
        x.set_access(access);
        return group_result(in, a.op, b_.append(x, value.type, value.comps));
      }));
}

bool Translator::subgroups(const Inst& in) {
  const auto word = [&](const Operand& o) { return retag(word_of(o), Type::u32); };
  const auto lane = [&] { return builtin(ir::Builtin::lane, Type::u32, 1); };
  const auto zero = [&](const Operand& like) { return integer(0, like); };
  const auto is_zero = [&](const Operand& x) { return b_.op_typed(Op::ieq, Type::boolean, {x, zero(x)}); };
  const auto not_zero = [&](const Operand& x) { return b_.op_typed(Op::ine, Type::boolean, {x, zero(x)}); };
  const auto shuffle = [&](const Operand& from) {
    set(in, each_word(leaves(in[1]), [&](const Operand& value) { return shuffled(value, from); }));
  };
  const auto simple = [&](Op op, unsigned sub, const Leaves& value) {
    return each_word(value, [&](const Operand& v) {
      ir::Instruction x{.op = op, .source_count = 1};
      x.source[0] = v.source;
      Access access;
      access.sub = uint8_t(sub);
      x.set_access(access);
      return b_.append(x, v.type, v.comps);
    });
  };
  /// The lanes 0..15 of a ballot's first word that are meant.
  const auto bits = [&](size_t i) {
    const Operand x = word(operand(in[i]).lane(0));
    return b_.op(Op::iand, {x, integer(kAll, x)});
  };
  switch (in.op) {
    case spv::OpControlBarrier:
    case spv::OpMemoryBarrier: barrier(in); return true;
    case spv::OpIsHelperInvocationEXT: set(in, b_.append({.op = Op::is_helper}, Type::boolean, 1)); return true;
    case spv::OpGroupNonUniformElect: {
      const Operand first = b_.op_typed(Op::find_lsb, Type::u32, {ballot_of(truth(true))});
      set(in, b_.op_typed(Op::ieq, Type::boolean, {first, lane()}));
      return true;
    }
    case spv::OpGroupNonUniformAll:
    case spv::OpSubgroupAllKHR: set(in, is_zero(ballot_of(b_.logical_not(operand(in[in.size() - 1]))))); return true;
    case spv::OpGroupNonUniformAny:
    case spv::OpSubgroupAnyKHR: set(in, not_zero(ballot_of(operand(in[in.size() - 1])))); return true;
    case spv::OpGroupNonUniformAllEqual:
    case spv::OpSubgroupAllEqualKHR: {
      const Leaves value = leaves(in[in.size() - 1]), first = simple(Op::first_lane, 0, value);
      Operand differs;
      for (size_t i = 0; i < value.size(); ++i) {
        for (unsigned k = 0; k < value[i].comps; ++k) {
          const Op op = ir::info(value[i].type).cls == ir::TypeClass::flt_ ? Op::sne : Op::ine;
          const Operand here = b_.op_typed(op, Type::boolean, {value[i].lane(k), first[i].lane(k)});
          differs = differs ? b_.op(Op::ior, {differs, here}) : here;
        }
      }
      set(in, is_zero(ballot_of(differs)));
      return true;
    }
    case spv::OpGroupNonUniformBallot:
    case spv::OpSubgroupBallotKHR: {
      const Operand mask = ballot_of(operand(in[in.size() - 1])), none = zero(mask);
      set(in, b_.vec(std::array{mask, none, none, none}));
      return true;
    }
    case spv::OpGroupNonUniformInverseBallot: {
      const Operand x = bits(1);
      set(in, not_zero(b_.op(Op::iand, {b_.op(Op::ushr, {x, lane()}), integer(1, x)})));
      return true;
    }
    case spv::OpGroupNonUniformBallotBitExtract: {
      const Operand x = bits(1);
      set(in, not_zero(b_.op(Op::iand, {b_.op(Op::ushr, {x, word(operand(in[2]))}), integer(1, x)})));
      return true;
    }
    case spv::OpGroupNonUniformBallotBitCount: {
      Operand x = bits(2);
      if (in[1] == spv::GroupOperationInclusiveScan) x = b_.op(Op::iand, {x, lane_mask(spv::BuiltInSubgroupLeMask)});
      if (in[1] == spv::GroupOperationExclusiveScan) x = b_.op(Op::iand, {x, lane_mask(spv::BuiltInSubgroupLtMask)});
      set(in, b_.op_typed(Op::bit_count, leaf_type(in.type).type, {x}));
      return true;
    }
    case spv::OpGroupNonUniformBallotFindLSB: set(in, b_.op_typed(Op::find_lsb, leaf_type(in.type).type, {bits(1)})); return true;
    case spv::OpGroupNonUniformBallotFindMSB: set(in, b_.op_typed(Op::ufind_msb, leaf_type(in.type).type, {bits(1)})); return true;
    case spv::OpGroupNonUniformBroadcastFirst: set(in, simple(Op::first_lane, 0, leaves(in[1]))); return true;
    case spv::OpSubgroupFirstInvocationKHR: set(in, simple(Op::first_lane, 0, leaves(in[0]))); return true;
    case spv::OpSubgroupReadInvocationKHR: {
      const Operand from = word(operand(in[1]));
      set(in, each_word(leaves(in[0]), [&](const Operand& value) { return shuffled(value, from); }));
      return true;
    }
    case spv::OpReadClockKHR: read_clock(in); return true;
    case spv::OpGroupNonUniformBroadcast:
    case spv::OpGroupNonUniformShuffle: shuffle(word(operand(in[2]))); return true;
    case spv::OpGroupNonUniformShuffleXor: shuffle(b_.op(Op::ixor, {lane(), word(operand(in[2]))})); return true;
    case spv::OpGroupNonUniformShuffleUp: shuffle(b_.op(Op::isub, {lane(), word(operand(in[2]))})); return true;
    case spv::OpGroupNonUniformShuffleDown: shuffle(b_.op(Op::iadd, {lane(), word(operand(in[2]))})); return true;
    case spv::OpGroupNonUniformQuadBroadcast:
      if (spv_.is_constant(in[2])) {
        set(in, simple(Op::quad_broadcast, spv_.constant_u32(in[2]) & 3, leaves(in[1])));
      } else {
        const Operand i = lane(), quad = b_.op(Op::iand, {i, integer(~3u, i)});
        shuffle(b_.op(Op::ior, {quad, word(operand(in[2]))}));
      }
      return true;
    case spv::OpGroupNonUniformQuadSwap: set(in, simple(Op::quad_swap, spv_.constant_u32(in[2]) % 3, leaves(in[1]))); return true;
    default:
      if (!arithmetic_of(in.op)) return false;
      group_arithmetic(in);
      return true;
  }
}

}  // namespace pumice::compiler::frontend
