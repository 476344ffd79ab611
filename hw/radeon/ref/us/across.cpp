// SPDX-License-Identifier: MIT
/// Operations over the lanes of a group that take part (docs/r5x.md s.4): BALLOT, SHUFFLE, FIRST, REDUCE, SCANI, SCANX.
#include <bit>

#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/group.h"

namespace pumice::hw::us {

using isa::us_r500::Extended;
using isa::us_r500::SubOp;
using isa::us_r500::XOp;

namespace {

uint32_t identity(uint32_t sub, bool is_float) {
  switch (SubOp(sub)) {
    case SubOp::MUL: return is_float ? bits(1.0f) : 1u;
    case SubOp::SMIN: return is_float ? num::kInf : 0x7FFFFFFFu;
    case SubOp::SMAX: return is_float ? num::kInf | 0x80000000u : 0x80000000u;
    case SubOp::UMIN:
    case SubOp::AND: return ~0u;
    default: return 0;
  }
}

template <size_t N>
void reduce(GroupThread<N>& t, const Instruction& x, const typename GroupThread<N>::Lanes4& source, typename GroupThread<N>::Lanes4& out) {
  const Extended& e = x.tex.x;
  const bool exchanges = SubOp(e.sub) == SubOp::EXCHANGE || SubOp(e.sub) == SubOp::COMPARE_EXCHANGE;
  if (exchanges || !has_combine(e.sub, e.is_float)) return t.complain(Complaint::reserved, "reduction that does not exist: result 0");
  const auto part = t.taking_part();
  for (uint32_t c = 0; c < 4; ++c) {
    uint32_t sum = identity(e.sub, e.is_float);
    bool begun = false;
    for (uint32_t l = 0; l < N; ++l) {
      if (!(part >> l & 1u)) continue;
      out[l][c] = sum;  // SCANX
      sum = begun ? combine(e.sub, e.is_float, sum, source[l][c]) : source[l][c];
      begun = true;
      if (e.op == XOp::SCANI) out[l][c] = sum;
    }
    if (e.op == XOp::REDUCE)
      for (uint32_t l = 0; l < N; ++l) out[l][c] = sum;
  }
}

}  // namespace

template <size_t N>
void execute_across(GroupThread<N>& t, const Instruction& x) {
  const auto source = t.read(x.tex.source);
  typename GroupThread<N>::Lanes4 out{};
  switch (x.tex.x.op) {
    case XOp::BALLOT: {
      uint32_t mask = 0;
      for (uint32_t l = 0; l < N; ++l) mask |= uint32_t((t.taking_part() >> l & 1u) && source[l][0] != 0) << l;
      out.fill({mask, 0, 0, 0});
      break;
    }
    case XOp::SHUFFLE: {
      const auto from = t.read(x.tex.dx);
      for (uint32_t l = 0; l < N; ++l)
        if (from[l][0] < N) out[l] = source[from[l][0]];
      break;
    }
    case XOp::FIRST:
      if (t.active) out.fill(source[size_t(std::countr_zero(t.taking_part()))]);
      break;
    default: reduce(t, x, source, out);
  }
  t.write(x, out);
}

template void execute_across(GroupThread<4>&, const Instruction&);
template void execute_across(GroupThread<kGroupLanes>&, const Instruction&);

}  // namespace pumice::hw::us
