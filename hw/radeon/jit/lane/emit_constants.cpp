// SPDX-License-Identifier: MIT
/// Constants inside of operations of several instructions. On AVX2 they are nodes behind the program, so that registers hold them from one
/// operation to the next as they do other constants: an operand in memory is a load, of which a cycle has two.
#include <algorithm>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/numerics/srgb.h"
#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
using namespace inner;
namespace I = x86::Inst;

namespace {

/// What emit_sequences.cpp asks for; what is missing here is an operand in memory.
template <class F>
void for_inner(Op op, CpuExtras extras, F f) {
  const auto each = [&](auto... constants) { (f(Quarter(constants)), ...); };
  switch (op) {
    case Op::uint_to_float: return each(all(0xFFFF), all(k2To23), all(k2To39), all(k2To39And2To23));
    case Op::half_to_float: return each(all(0xFFFF));
    case Op::to_int_clamped: return each(all(k2To31));
    case Op::to_uint_clamped: return each(all(0), all(k2To31));
    case Op::scale: return each(all(127));
    case Op::shl_by:
    case Op::shr_by:
    case Op::sar_by: return each(all(31));
    case Op::leading_zeros: return each(all(158), all(32));
    case Op::popcount:
      if (extras.bit_matrices) f(kUpperNibbles);
      return each(kNibbles, kNibbleCounts, kEachByte);
    case Op::bit_reverse:
      if (extras.bit_matrices) return each(kReversedBits, kReversedBytes);
      return each(kNibbles, kReversedNibbles, kReversedBytes);
    case Op::srgb_decode:
      each(all(255), all(num::srgb::kLastLinear));
      for (const float c : num::srgb::kCurve) f(all(num::bits(c)));
      return;
    default: return;
  }
}

bool is_one_dword(const Quarter& q) {
  return std::all_of(q.begin(), q.end(), [&](uint32_t d) { return d == q[0]; });
}
std::array<uint32_t, kLanes> in_all_quarters(const Quarter& q) {
  std::array<uint32_t, kLanes> lanes;
  for (size_t l = 0; l < kLanes; ++l) lanes[l] = q[l % q.size()];
  return lanes;
}

}  // namespace

int32_t Emitter::inner_node(const Quarter& q) const {
  const auto found = std::find_if(inner_.begin(), inner_.end(), [&](const auto& i) { return i.first == q; });
  return found == inner_.end() ? -1 : found->second;
}

void Emitter::find_inner_constants() {
  if (wide_) return;
  const size_t count = program_.nodes.size();
  for (size_t i = 0; i < count; ++i) {
    const Op op = program_.nodes[i].op;
    if (size_t(op) < inner_of_.size() && !inner_of_[size_t(op)].empty()) continue;
    for_inner(op, extras_, [&](const Quarter& q) {
      if (inner_of_.size() <= size_t(op)) inner_of_.resize(size_t(op) + 1);
      int32_t v = inner_node(q);
      if (v < 0) {
        v = int32_t(program_.nodes.size());
        inner_.emplace_back(q, v);
        if (is_one_dword(q)) {
          program_.nodes.push_back({.op = Op::constant, .imm = q[0]});
        } else {
          program_.nodes.push_back({.op = Op::table, .imm = uint32_t(program_.tables.size())});
          program_.tables.push_back(in_all_quarters(q));
        }
      }
      inner_of_[size_t(op)].push_back(v);
    });
  }
}

Operand Emitter::inner_constant(const Quarter& q) {
  const int32_t v = inner_node(q);
  if (v < 0) return is_one_dword(q) ? constant_operand(q[0]) : table_of(in_all_quarters(q));
  // Operands, the result and what makes room for it have registers besides.
  constexpr int kOthers = 4;
  const auto [first, last] = range_of(kVector);
  int unlocked = 0;
  for (int r = first; r < last; ++r) unlocked += !(locked_[kVector] >> r & 1u);
  if (unlocked < kOthers) return memory_of(v);
  return either(v);
}
/// For operands that are no memory: where none holds it, `otherwise` does.
Emitter::Reg Emitter::inner_register(const Quarter& q, Reg otherwise) {
  const Operand at = inner_constant(q);
  if (at.isReg()) return at.as<Reg>();
  if (is_one_dword(q))
    fill(otherwise, q[0]);
  else
    emit(I::kIdVmovaps, otherwise, at);
  return otherwise;
}

}  // namespace pumice::hw::fast::lane
