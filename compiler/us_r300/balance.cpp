// SPDX-License-Identifier: MIT
/// One-lane operations are given to the unit that has less to do in their level: either can do them, and read any channel.
#include <algorithm>

#include "compiler/us_r300/lir.h"

namespace pumice::compiler::us_r300 {
namespace {

using us::Op;
using us::VUnit;

bool in_both_units(us::AluOp op) {
  switch (op) {
    case us::AluOp::MAD:
    case us::AluOp::MIN:
    case us::AluOp::MAX:
    case us::AluOp::CND:
    case us::AluOp::CMP:
    case us::AluOp::FRC: return true;
    default: return false;
  }
}

}  // namespace

bool either_unit(const us::Lir& lir, const Op& op) {
  if (op.kind != Op::Kind::alu || (op.rgb && op.alpha)) return false;
  const VUnit& u = op.rgb ? *op.rgb : *op.alpha;
  for (unsigned i = 0; i < u.sources; i++)
    if (u.source[i].kind == us::VSource::Kind::presubtracted) return false;  // of its unit's addresses
  return u.slots == 1 && u.dst >= 0 && !u.depth && !u.dot && in_both_units(u.op) && lir.registers[static_cast<size_t>(u.dst)].lanes == 1;
}

void change_unit(us::Lir& lir, Op& op) {
  std::swap(op.rgb, op.alpha);
  const VUnit& u = op.rgb ? *op.rgb : *op.alpha;
  lir.registers[static_cast<size_t>(u.dst)].channels[0] = op.rgb ? us::kRgbChannels : us::kAlphaChannel;
}

void balance(us::Lir& lir, const Vec<Part>& parts) {
  Vec<uint8_t> writers(lir.registers.size());
  for (const Op& op : lir.ops) {
    isa::Point p;
    access(op, p, &lir);
    for (const isa::Lane& l : p.writes) writers[l.reg] = static_cast<uint8_t>(std::min(writers[l.reg] + 1, 2));
  }
  // Sources that are presubtracted have their channels.
  for (const us::Lir::Presubtract& row : lir.presubtracts) {
    for (const us::VSource& s : row.source)
      if (s.kind == us::VSource::Kind::reg) writers[s.index] = 2;
  }
  const auto movable = [&](const Op& op) {
    return either_unit(lir, op) && writers[static_cast<size_t>(op.rgb ? op.rgb->dst : op.alpha->dst)] == 1;
  };
  for (const Part& part : parts) {
    unsigned rgb = 0, alpha = 0;
    for (size_t i = part.arithmetic; i < part.end; i++) {
      const Op& op = lir.ops[i];
      if (movable(op)) continue;
      rgb += op.rgb.has_value();
      alpha += op.alpha.has_value();
    }
    for (size_t i = part.arithmetic; i < part.end; i++) {
      Op& op = lir.ops[i];
      if (!movable(op)) continue;
      const bool to_alpha = alpha < rgb || (alpha == rgb && op.alpha);
      (to_alpha ? alpha : rgb)++;
      if (to_alpha == op.alpha.has_value()) continue;
      change_unit(lir, op);
    }
  }
}

}  // namespace pumice::compiler::us_r300
