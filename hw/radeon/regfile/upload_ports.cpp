// SPDX-License-Identifier: MIT
/// See upload_ports.h. The index registers read back the cursor; a cursor wraps at the end of its store.
#include "hw/radeon/regfile/upload_ports.h"

#include <algorithm>
#include <bit>

namespace pumice::hw {

namespace {

/// GA_US_VECTOR_INDEX.CLAMP. UNCONFIRMED: a NaN stays what it is.
uint32_t clamp_unit(uint32_t bits) {
  const float v = std::bit_cast<float>(bits);
  return std::bit_cast<uint32_t>(v < -1.0f ? -1.0f : v > 1.0f ? 1.0f : v);
}

/// Shadow windows: base address of each dword of an instruction slot, in the order of ChipState::us_code.
constexpr uint32_t kUsWindows[6] = {regs::US_CMN_INST::window,     regs::US_ALU_RGB_ADDR::window,   regs::US_ALU_ALPHA_ADDR::window,
                                    regs::US_ALU_RGB_INST::window, regs::US_ALU_ALPHA_INST::window, regs::US_ALU_RGBA_INST::window};

}  // namespace

UploadPorts::UploadPorts(ChipState& state, RegisterFile& registers) : state_(state), registers_(registers) {
  registers.on_write<regs::VAP_PVS_VECTOR_INDX_REG>([this](uint32_t, uint32_t) { pvs_component_ = 0; });
  registers.on_write<regs::VAP_PVS_VECTOR_DATA_REG>([this](uint32_t, uint32_t v) { pvs_data(v); });
  registers.on_write<regs::VAP_PVS_VECTOR_DATA_REG_128>([this](uint32_t, uint32_t v) { pvs_data(v); });
  if (state.chip().has_filter4) registers.on_write<regs::TX_FILTER4>([this](uint32_t, uint32_t v) { filter4(v); });
  if (!state.chip().us_slots) {
    registers.on_write<regs::r300::US_CODE_BANK>([this](uint32_t, uint32_t v) { code_bank(regs::r300::US_CODE_BANK{v}.BANK()); });
    return;
  }
  registers.on_write<regs::GA_US_VECTOR_INDEX>([this](uint32_t, uint32_t) { us_word_ = 0; });
  registers.on_write<regs::GA_US_VECTOR_DATA>([this](uint32_t, uint32_t v) { us_data(v); });
  for (uint32_t word = 0; word < 6; ++word)
    registers.attach(kUsWindows[word], state.chip().us_slots, 4,
                     [this, word](uint32_t slot, uint32_t v) { set(state_.us_code[slot][word], v, Changes::kShader); });
}

void UploadPorts::set(uint32_t& word, uint32_t value, uint8_t group) {
  if (word == value) return;
  word = value;
  registers_.changes().groups |= group;
}

void UploadPorts::reset() { pvs_component_ = us_word_ = bank_ = 0; }

/// The registers are a window into one bank of 64 ALU and 32 texture instructions: they keep what they hold in the store and show the
/// other.
void UploadPorts::code_bank(uint32_t bank) {
  namespace r = regs::r300;
  if (bank == bank_) return;
  const auto each = [&](uint32_t b, auto take) {
    constexpr uint32_t kAlu[] = {r::US_ALU_RGB_ADDR::offset, r::US_ALU_ALPHA_ADDR::offset, r::US_ALU_RGB_INST::offset,
                                 r::US_ALU_ALPHA_INST::offset, r::US_ALU_EXT_ADDR::offset};
    constexpr uint32_t kAlus = r::US_ALU_RGB_ADDR::count, kTexs = r::US_TEX_INST::count;
    for (uint32_t i = 0; i < kAlus && b * kAlus < state_.us_code.size(); ++i)
      for (uint32_t word = 0; word < 5; ++word) take(kAlu[word] + 4 * i, state_.us_code[b * kAlus + i][word]);
    for (uint32_t i = 0; i < kTexs; ++i) take(r::US_TEX_INST::at(i), state_.us_code[b * kTexs + i][5]);
  };
  static_assert(16 * r::US_TEX_INST::count <= most::us_slots && 8 * r::US_ALU_RGB_ADDR::count <= most::us_slots);
  each(bank_, [&](uint32_t offset, uint32_t& word) { word = state_.raw(offset); });
  each(bank, [&](uint32_t offset, uint32_t& word) { registers_.poke(offset, word); });
  bank_ = bank;
}

void UploadPorts::pvs_data(uint32_t value) {
  auto index = state_.get<regs::VAP_PVS_VECTOR_INDX_REG>();
  set(state_.pvs[index.OCTWORD_OFFSET() % state_.pvs.size()][pvs_component_], value, pvs_group(index.OCTWORD_OFFSET()));
  if (++pvs_component_ < 4) return;
  pvs_component_ = 0;
  registers_.poke(index.OCTWORD_OFFSET((index.OCTWORD_OFFSET() + 1) % state_.pvs.size()));
}

bool UploadPorts::take(uint32_t offset, std::span<const uint32_t> values) {
  if (values.empty()) return false;
  if (offset == regs::GA_US_VECTOR_DATA::offset && state_.chip().us_slots) {
    for (const uint32_t v : values) us_data(v);
  } else if (offset == regs::VAP_PVS_VECTOR_DATA_REG::offset || offset == regs::VAP_PVS_VECTOR_DATA_REG_128::offset) {
    size_t i = 0;
    for (; i < values.size() && pvs_component_; ++i) pvs_data(values[i]);
    auto index = state_.get<regs::VAP_PVS_VECTOR_INDX_REG>();
    uint32_t at = index.OCTWORD_OFFSET();
    for (; i + 4 <= values.size(); i += 4, at = (at + 1) % state_.pvs.size()) {
      auto& vector = state_.pvs[at % state_.pvs.size()];
      if (std::equal(vector.begin(), vector.end(), values.begin() + static_cast<std::ptrdiff_t>(i))) continue;
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i), 4, vector.begin());
      registers_.changes().groups |= pvs_group(at);
    }
    registers_.poke(index.OCTWORD_OFFSET(at));
    for (; i < values.size(); ++i) pvs_data(values[i]);
  } else {
    return false;
  }
  registers_.poke(offset, values.back());
  return true;
}

uint8_t UploadPorts::pvs_group(uint32_t at) const {
  return at < state_.chip().pvs_constant_base ? Changes::kVertex : Changes::kVertexConstants;
}

void UploadPorts::us_data(uint32_t value) {
  auto index = state_.get<regs::GA_US_VECTOR_INDEX>();
  const bool constant = index.TYPE() == regs::GA_US_VECTOR_INDEX::TYPE__CONSTANTS;
  // Index bits that the store does not need are ignored (Mesa masks them).
  const uint32_t slots = constant ? state_.chip().us_constants : state_.chip().us_slots;
  const uint32_t slot = index.INDEX() % slots;
  if (constant) {
    set(state_.us_const[slot][us_word_], index.CLAMP() ? clamp_unit(value) : value, Changes::kConstants);
    registers_.changes().constants_end = std::max(registers_.changes().constants_end, slot + 1);
  } else {
    set(state_.us_code[slot][us_word_], value, Changes::kShader);
  }
  if (++us_word_ < (constant ? 4u : 6u)) return;
  us_word_ = 0;
  registers_.poke(index.INDEX((slot + 1) % slots));
}

/// A write is a whole pair of weights; phases above 8 do not exist and are dropped.
void UploadPorts::filter4(uint32_t value) {
  const regs::TX_FILTER4 r{value};
  if (r.PHASE() >= state_.filter4[0].size()) return;
  const auto s1_9 = [](uint32_t bits) { return static_cast<int16_t>(static_cast<int32_t>(bits << 21) >> 21); };
  auto& taps = state_.filter4[r.DIRECTION()][r.PHASE()];
  taps[2 * r.WEIGHT_PAIR()] = s1_9(r.WEIGHT_0());
  taps[2 * r.WEIGHT_PAIR() + 1] = s1_9(r.WEIGHT_1());
}

}  // namespace pumice::hw
