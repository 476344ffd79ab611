// SPDX-License-Identifier: MIT
#include "hw/radeon/decode/vap/vertex_state.h"

#include <algorithm>
#include <array>
#include <bit>

namespace pumice::hw::vap {
namespace {

constexpr uint32_t kFirst = regs::VAP_VTX_ST_POS_0_X_4::offset, kLast = regs::VAP_VTX_ST_END_OF_PKT::offset;
constexpr uint32_t kOne = 0x3F800000u;
constexpr uint32_t kPosition = 0, kNormal = 1, kColor = 2, kColors = 8;
constexpr uint32_t kUserColor = (regs::VAP_VTX_ST_USR_CLR_R::offset - kFirst) / 16;
static_assert(kUserColor == kStateVectors - 1);

uint32_t selected(const ChipState& state) { return state.get<regs::VAP_VSM_VTX_ASSM>().raw & ((1u << kStateVectors) - 1); }

}  // namespace

uint32_t state_vertex_dwords(const ChipState& state) { return 4 * uint32_t(std::popcount(selected(state))); }

VertexState::VertexState(const ChipState& state, RegisterFile& registers, Vertex vertex, std::function<void()> end)
    : state_(state), registers_(registers), vertex_(std::move(vertex)), end_(std::move(end)) {
  registers.attach(kFirst, (kLast - kFirst) / 4 + 1, 4, [this](uint32_t i, uint32_t v) { write(kFirst + 4 * i, v); });
}

void VertexState::send() const {
  std::array<uint32_t, 4 * kStateVectors> vertex;
  uint32_t n = 0;
  for (uint32_t i = 0; i < kStateVectors; ++i) {
    if (!(selected(state_) >> i & 1)) continue;
    uint32_t from = i;
    if (i >= kColor && i < kColor + kColors) {
      const regs::VAP_VTX_STATE_CNTL shifted{state_.get<regs::VAP_VTX_STATE_CNTL>().raw >> (2 * (i - kColor))};
      if (shifted.COLOR_0_ASSEMBLY_CNTL() != 0) from = kUserColor;  // 2, user colour 1, has no register: the same
    }
    for (uint32_t c = 0; c < 4; ++c) vertex[n++] = state_.raw(kFirst + 16 * from + 4 * c);
  }
  vertex_(std::span(vertex).first(n));
}

void VertexState::write(uint32_t offset, uint32_t value) {
  const auto put = [&](uint32_t vector, uint32_t component, uint32_t v) { registers_.poke(kFirst + 16 * vector + 4 * component, v); };
  const auto unpack = [&](uint32_t vector, uint32_t components, bool is_signed) {
    for (uint32_t c = 0; c < components; ++c) {
      const uint32_t byte = value >> (8 * c) & 0xFFu;
      const float x = is_signed ? std::max(float(int8_t(byte)) / 127.0f, -1.0f) : float(byte) / 255.0f;
      put(vector, c, std::bit_cast<uint32_t>(x));
    }
  };
  switch (offset) {
    case regs::VAP_VTX_ST_POS_0_W_4::offset: return send();
    case regs::VAP_VTX_ST_POS_0_X_2::offset: return put(kPosition, 0, value);
    case regs::VAP_VTX_ST_POS_0_Y_2::offset:
      put(kPosition, 1, value);
      put(kPosition, 2, 0);
      put(kPosition, 3, kOne);
      return send();
    case regs::VAP_VTX_ST_POS_0_X_3::offset: return put(kPosition, 0, value);
    case regs::VAP_VTX_ST_POS_0_Y_3::offset: return put(kPosition, 1, value);
    case regs::VAP_VTX_ST_POS_0_Z_3::offset:
      put(kPosition, 2, value);
      put(kPosition, 3, kOne);
      return send();
    case regs::VAP_VTX_ST_NORM_0_PKD::offset: return unpack(kNormal, 3, true);
    case regs::VAP_VTX_ST_USR_CLR_PKD::offset: return unpack(kUserColor, 4, false);
    case regs::VAP_VTX_ST_END_OF_PKT::offset: return end_();
    default: break;
  }
  constexpr uint32_t packed = regs::VAP_VTX_ST_CLR_PKD::offset;
  if (offset >= packed && offset < packed + 4 * kColors) unpack(kColor + (offset - packed) / 4, 4, false);
}

}  // namespace pumice::hw::vap
