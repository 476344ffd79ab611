// SPDX-License-Identifier: MIT
/// The address puzzle of one slot (us-isa A3): backtracking over at most six operands and three source numbers. The inner decisions are
/// computed, not jumped to: they are different for every slot.
#include <bit>

#include "compiler/us/schedule.h"

namespace pumice::compiler::us {
namespace {

using Request = Half::Request;

/// Equal to no key; as an address it is the default one.
constexpr uint32_t kFree = 1u << 24 | static_cast<uint32_t>(Address::File::inline_float) << 16;
Address address(uint32_t key) { return {static_cast<Address::File>(key >> 16 & 0xFF), static_cast<uint8_t>(key), (key >> 8 & 1) != 0}; }

/// By source number.
struct Board {
  std::array<uint32_t, 3> rgb{kFree, kFree, kFree}, alpha{kFree, kFree, kFree};

  /// The source numbers that a request may be assigned, as a bit mask.
  unsigned fits(const Request& w) const {
    unsigned m = 0;
    for (unsigned n = 0; n < 3; n++) {
      const bool rgb_fits = !w.rgb | (rgb[n] == kFree) | (rgb[n] == w.key);
      const bool alpha_fits = !w.alpha | (alpha[n] == kFree) | (alpha[n] == w.key);
      m |= static_cast<unsigned>(rgb_fits & alpha_fits) << n;
    }
    return m & (w.first ? 1u : w.second ? 2u : 7u);
  }
};

/// Backtracking: the first assignment of source numbers, in the order of the requests, without a conflict.
bool solve(const Request* const* request, size_t n, Board& board, uint8_t* choice) {
  std::array<unsigned, 9> tried{};
  std::array<std::array<uint32_t, 2>, 8> before;
  for (size_t k = 0; k < n;) {
    const Request& w = *request[k];
    const unsigned m = board.fits(w) & ~tried[k];
    if (!m) {
      if (k == 0) return false;
      k--;
      board.rgb[choice[k]] = before[k][0];
      board.alpha[choice[k]] = before[k][1];
      continue;
    }
    const unsigned number = static_cast<unsigned>(std::countr_zero(m));
    tried[k] = (2u << number) - 1;
    choice[k] = static_cast<uint8_t>(number);
    uint32_t &rgb = board.rgb[number], &alpha = board.alpha[number];
    before[k] = {rgb, alpha};
    rgb = w.rgb ? w.key : rgb;
    alpha = w.alpha ? w.key : alpha;
    tried[++k] = 0;
  }
  return true;
}

/// More than three addresses at one of the units need no search.
bool too_many(const Request* const* request, size_t n) {
  unsigned rgb = 0, alpha = 0;
  for (size_t i = 0; i < n; i++) {
    bool new_rgb = request[i]->rgb, new_alpha = request[i]->alpha;
    for (size_t k = 0; k < i; k++) {
      const bool same = request[k]->key == request[i]->key;
      new_rgb &= !(same & request[k]->rgb);
      new_alpha &= !(same & request[k]->alpha);
    }
    rgb += new_rgb;
    alpha += new_alpha;
  }
  return rgb > 3 || alpha > 3;
}

}  // namespace

bool place_sources(const Half* rgb, const Half* alpha, Instruction& out) {
  std::array<const Request*, 8> requests;
  size_t n = 0;
  for (const Half* h : {rgb, alpha}) {
    if (!h) continue;
    for (size_t i = 0; i < 4; i++) requests[n + i] = &h->request[i];
    n += h->requests;
  }
  std::array<uint8_t, 8> choice{};
  Board board;
  if (n > 3 && too_many(requests.data(), n)) return false;
  if (!solve(requests.data(), n, board, choice.data())) return false;
  const auto fill = [](const Half& h, const uint8_t* chosen, Unit& unit) {
    unit = h.unit;
    constexpr uint8_t kPresubtractedSelect = 3;
    const std::array<uint8_t, 6> select{0, chosen[0], chosen[1], chosen[2], chosen[3], kPresubtractedSelect};
    for (unsigned i = 0; i < 3; i++) unit.operand[i].select = select[h.request_of[i]];
  };
  // The alpha unit's choices stand behind those of the RGB unit; four are read of either.
  std::array<uint8_t, 12> chosen{};
  std::copy(choice.begin(), choice.end(), chosen.begin());
  if (rgb) fill(*rgb, chosen.data(), out.rgb);
  if (alpha) fill(*alpha, chosen.data() + (rgb ? rgb->requests : 0), out.alpha);
  for (unsigned i = 0; i < 3; i++) {
    out.rgb.address[i] = address(board.rgb[i]);
    out.alpha.address[i] = address(board.alpha[i]);
  }
  return true;
}

}  // namespace pumice::compiler::us
