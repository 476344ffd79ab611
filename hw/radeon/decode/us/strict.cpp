// SPDX-License-Identifier: MIT
/// See strict.h.
#include "hw/radeon/decode/us/strict.h"

#include <algorithm>

namespace pumice::hw::us {

isa::us_r500::Instruction strict_instruction(const isa::us_r500::Words& words) {
  isa::us_r500::Instruction x = isa::us_r500::unpack(words);
  make_strict(x);
  return x;
}

const isa::us_r500::Instruction& StrictPrograms::slot(const ChipState& state, uint32_t pc) {
  if (slots_.size() <= pc) slots_.resize(state.chip().us_slots);
  std::optional<Slot>& s = slots_[pc];
  const isa::us_r500::Words& words = state.us_code[pc];
  if (!s || s->words != words) s = {words, strict_instruction(words)};
  return s->decoded;
}

const us_r300::Program& StrictPrograms::levels(const ChipState& state) {
  const auto key = program_key(state.profile);
  const bool extended = us_r300::extended(state);
  const auto same = [&] {
    auto kept = registers_.begin();
    for (const RegisterRange& r : key) {
      if (!std::equal(kept, kept + r.words(), state.reg.begin() + r.first / 4)) return false;
      kept += r.words();
    }
    return !extended || std::equal(banks_.begin(), banks_.end(), state.us_code.begin(), state.us_code.end());
  };
  if (profile_ == state.profile && same()) return levels_;
  profile_ = state.profile;
  registers_.clear();
  for (const RegisterRange& r : key) registers_.insert(registers_.end(), state.reg.begin() + r.first / 4, state.reg.begin() + r.end / 4);
  if (extended) banks_.assign(state.us_code.begin(), state.us_code.end());
  levels_ = us_r300::program(state);
  return levels_;
}

}  // namespace pumice::hw::us
