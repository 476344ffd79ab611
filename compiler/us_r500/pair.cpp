// SPDX-License-Identifier: MIT
/// The address puzzle of one slot (us-isa A3): backtracking over at most six operands and three source numbers.
#include <algorithm>

#include "compiler/us_r500/schedule.h"

namespace pumice::compiler::us {
namespace {

/// Addresses as numbers, by source number; what is free equals nothing.
constexpr uint32_t kFree = ~0u;
struct Board {
  std::array<uint32_t, 3> rgb{kFree, kFree, kFree}, alpha{kFree, kFree, kFree};
};
struct Wish {
  uint32_t key;
  bool rgb, alpha, first;
};
uint32_t key(const Address& a) { return static_cast<uint32_t>(a.file) << 16 | uint32_t{a.relative} << 8 | a.value; }
Address address(uint32_t key) {
  if (key == kFree) return {};
  return {static_cast<Address::File>(key >> 16), static_cast<uint8_t>(key), (key >> 8 & 1) != 0};
}

bool solve(const Wish* wish, const Wish* end, Board& board, uint8_t* choice) {
  if (wish == end) return true;
  const unsigned numbers = wish->first ? 1 : 3;
  for (unsigned n = 0; n < numbers; n++) {
    const uint32_t rgb = board.rgb[n], alpha = board.alpha[n];
    if ((wish->rgb && rgb != kFree && rgb != wish->key) || (wish->alpha && alpha != kFree && alpha != wish->key)) continue;
    if (wish->rgb) board.rgb[n] = wish->key;
    if (wish->alpha) board.alpha[n] = wish->key;
    *choice = static_cast<uint8_t>(n);
    if (solve(wish + 1, end, board, choice + 1)) return true;
    board.rgb[n] = rgb;
    board.alpha[n] = alpha;
  }
  return false;
}

/// More than three addresses at one of the units need no search.
bool too_many(const Wish* wishes, size_t n) {
  isa::Small<uint32_t, 6> rgb, alpha;
  const auto add = [](isa::Small<uint32_t, 6>& seen, uint32_t k) {
    if (std::find(seen.begin(), seen.end(), k) == seen.end()) seen.push_back(k);
  };
  for (size_t i = 0; i < n; i++) {
    if (wishes[i].rgb) add(rgb, wishes[i].key);
    if (wishes[i].alpha) add(alpha, wishes[i].key);
  }
  return rgb.size() > 3 || alpha.size() > 3;
}

}  // namespace

bool place_sources(const Half* rgb, const Half* alpha, Instruction& out) {
  std::array<Wish, 6> wishes;
  std::array<uint8_t, 6> of{};  // by operand: the wish that stands for it; without a register any number does
  size_t operands = 0, n = 0;
  for (const Half* h : {rgb, alpha}) {
    for (unsigned i = 0; h && i < h->sources; i++) {
      const PhysicalOperand& o = h->operand[i];
      of[operands] = 0xFF;
      if (o.rgb || o.alpha) {
        of[operands] = static_cast<uint8_t>(n);
        wishes[n++] = {key(o.address), o.rgb, o.alpha, o.first};
      }
      operands++;
    }
  }
  std::array<uint8_t, 6> choice{};
  Board board;
  if (n > 3 && too_many(wishes.data(), n)) return false;
  if (!solve(wishes.data(), wishes.data() + n, board, choice.data())) return false;
  size_t k = 0;
  const auto fill = [&](const Half* h, Unit& unit) {
    if (!h) return;
    unit = h->unit;
    for (unsigned i = 0; i < h->sources; i++) {
      unit.operand[i] = h->operand[i].text;
      unit.operand[i].select = of[k] == 0xFF ? uint8_t{0} : choice[of[k]];
      k++;
    }
  };
  fill(rgb, out.rgb);
  fill(alpha, out.alpha);
  for (unsigned i = 0; i < 3; i++) {
    out.rgb.address[i] = address(board.rgb[i]);
    out.alpha.address[i] = address(board.alpha[i]);
  }
  return true;
}

}  // namespace pumice::compiler::us
