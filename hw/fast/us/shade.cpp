// SPDX-License-Identifier: MIT
/// Keys of fragment programs, and the choice between native code and the interpreter.
#include "hw/fast/us/shade.h"

#include "hw/fast/us/reach.h"

namespace pumice::hw::fast::us {

ShadeKey::ShadeKey(const ChipState& state, const RsLayout& layout, Cpu cpu) {
  const Reach r = reach(state);
  words_.reserve(512);
  words_.push_back(uint32_t(cpu) | uint32_t(state.profile) << 8 | uint32_t(layout.perspective) << 16 | uint32_t(layout.count) << 24);
  for (const uint32_t reg : {regs::US_CONFIG::at(), regs::US_PIXSIZE::at(), regs::US_FC_CTRL::at(), regs::US_CODE_RANGE::at(),
                             regs::US_CODE_ADDR::at(), regs::US_CODE_OFFSET::at()})
    words_.push_back(state.raw(reg));
  for (uint32_t i = 0; i < layout.count; ++i) {
    words_.push_back(layout.reg[i].address);
    for (const RsSource& s : layout.reg[i].channel)
      words_.push_back(uint32_t(s.kind) | uint32_t(s.index) << 8 | uint32_t(s.perspective) << 16);
  }
  for (uint32_t pc = 0; pc < r.slot.size(); ++pc)
    if (r.slot[pc]) {
      words_.push_back(pc);
      words_.insert(words_.end(), state.us_code[pc].begin(), state.us_code[pc].end());
    }
  hash_ = 0x9E3779B97F4A7C15u;
  for (const uint32_t w : words_) {
    hash_ = (hash_ ^ w) * 0xD6E8FEB86659FD93u;
    hash_ ^= hash_ >> 32;
  }
}

namespace {

class Interpreted : public CompiledShade {
 public:
  Interpreted(const RsLayout& layout, const ShadeTraits& traits, std::string why) {
    routine_ = interpret;
    layout_ = layout;
    traits_ = traits;
    why_ = std::move(why);
  }
};

}  // namespace

std::shared_ptr<const CompiledShade> compile(const ChipState& state, const RsLayout& layout, Cpu) {
  return std::make_shared<Interpreted>(layout, traits(state, reach(state)), "no native code yet");
}

}  // namespace pumice::hw::fast::us
