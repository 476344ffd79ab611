// SPDX-License-Identifier: MIT
/// The address puzzle of one slot (us-isa A3): backtracking over at most six operands and three source numbers.
#include "compiler/us_r500/schedule.h"

namespace pumice::compiler::us {
namespace {

/// The three source numbers of one unit: which are taken, and by what.
struct Port {
  std::array<bool, 3> taken{};
  std::array<Address, 3> address;
  bool fits(bool wanted, unsigned n, const Address& a) const { return !wanted || !taken[n] || address[n] == a; }
  /// True if the number was free before.
  bool put(bool wanted, unsigned n, const Address& a) {
    if (!wanted || taken[n]) return false;
    taken[n] = true;
    address[n] = a;
    return true;
  }
};
struct Board {
  Port rgb, alpha;
};

using Operands = isa::Small<const PhysicalOperand*, 6>;

bool solve(const Operands& operands, size_t i, Board& board, std::array<uint8_t, 6>& choice) {
  if (i == operands.size()) return true;
  const PhysicalOperand& o = *operands[i];
  choice[i] = 0;
  if (!o.rgb && !o.alpha) return solve(operands, i + 1, board, choice);
  for (uint8_t n = 0; n < (o.first ? 1 : 3); n++) {
    if (!board.rgb.fits(o.rgb, n, o.address) || !board.alpha.fits(o.alpha, n, o.address)) continue;
    const bool rgb = board.rgb.put(o.rgb, n, o.address), alpha = board.alpha.put(o.alpha, n, o.address);
    choice[i] = n;
    if (solve(operands, i + 1, board, choice)) return true;
    if (rgb) board.rgb.taken[n] = false;
    if (alpha) board.alpha.taken[n] = false;
  }
  return false;
}

}  // namespace

bool place_sources(const Half* rgb, const Half* alpha, Instruction& out) {
  Operands operands;
  for (const Half* h : {rgb, alpha}) {
    for (unsigned i = 0; h && i < h->sources; i++) operands.push_back(&h->operand[i]);
  }
  std::array<uint8_t, 6> choice{};
  Board board;
  if (!solve(operands, 0, board, choice)) return false;
  size_t k = 0;
  const auto fill = [&](const Half* h, Unit& unit) {
    if (!h) return;
    unit = h->unit;
    for (unsigned i = 0; i < h->sources; i++) {
      unit.operand[i] = h->operand[i].text;
      unit.operand[i].select = choice[k++];
    }
  };
  fill(rgb, out.rgb);
  fill(alpha, out.alpha);
  for (unsigned n = 0; n < 3; n++) {
    out.rgb.address[n] = board.rgb.taken[n] ? board.rgb.address[n] : Address{};
    out.alpha.address[n] = board.alpha.taken[n] ? board.alpha.address[n] : Address{};
  }
  return true;
}

}  // namespace pumice::compiler::us
