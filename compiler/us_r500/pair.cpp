// SPDX-License-Identifier: MIT
/// The address puzzle of one slot (us-isa A3): backtracking over at most six operands and three source numbers.
#include "compiler/us_r500/schedule.h"

namespace pumice::compiler::us {
namespace {

struct Board {
  std::array<bool, 3> rgb_taken{}, alpha_taken{};
  std::array<Address, 3> rgb, alpha;
};

bool put(bool wanted, const Address& address, bool& taken, Address& slot) {
  if (!wanted) return true;
  if (taken) return slot == address;
  taken = true;
  slot = address;
  return true;
}

using Operands = isa::Small<const PhysicalOperand*, 6>;

bool solve(const Operands& operands, size_t i, const Board& board, std::array<uint8_t, 6>& choice, Board& result) {
  if (i == operands.size()) {
    result = board;
    return true;
  }
  const PhysicalOperand& o = *operands[i];
  if (!o.rgb && !o.alpha) {
    choice[i] = 0;
    return solve(operands, i + 1, board, choice, result);
  }
  for (uint8_t n = 0; n < (o.first ? 1 : 3); n++) {
    Board next = board;
    if (!put(o.rgb, o.address, next.rgb_taken[n], next.rgb[n]) || !put(o.alpha, o.address, next.alpha_taken[n], next.alpha[n])) continue;
    choice[i] = n;
    if (solve(operands, i + 1, next, choice, result)) return true;
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
  if (!solve(operands, 0, Board{}, choice, board)) return false;
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
    out.rgb.address[n] = board.rgb_taken[n] ? board.rgb[n] : Address{};
    out.alpha.address[n] = board.alpha_taken[n] ? board.alpha[n] : Address{};
  }
  return true;
}

}  // namespace pumice::compiler::us
