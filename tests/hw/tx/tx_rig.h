// SPDX-License-Identifier: MIT
/// A test bench for texture lookups: one unit, its registers, memory at 1 MiB.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::tx_test {

using F0 = regs::TX_FORMAT0;
using F1 = regs::TX_FORMAT1;
using Filter0 = regs::TX_FILTER0;

inline constexpr uint32_t kUnit = 3, kBase = 0x100000;

inline float flt(uint32_t x) { return std::bit_cast<float>(x); }
inline uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

class TxRig : public ::testing::Test {
 protected:
  TxRig() {
    config.on_report = [this](const Report& r) { reports.push_back(r.text); };
    memory->map(kBase, 0x100000);
    state->set(regs::TX_ENABLE{1u << kUnit});
    state->set(regs::TX_OFFSET{}.TXOFFSET(kBase >> 5), kUnit);
    format(F1::TXFORMAT__N8_8_8_8);
    size(4, 4);
    filter(1, 1, 0);
    clamp(0, 0, 0);
  }
  /// R,G,B,A = C0..C3.
  void format(uint32_t code) {
    edit<F1>([&](F1& r) { r.TXFORMAT(code & 31).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3); });
    edit<regs::TX_FORMAT2>([&](regs::TX_FORMAT2& r) { r.TXFORMAT_MSB(code >> 5); });
  }
  void size(uint32_t w, uint32_t h, uint32_t levels = 0, uint32_t log2_depth = 0) {
    edit<F0>([&](F0& r) { r.TXWIDTH((w - 1) & 2047).TXHEIGHT((h - 1) & 2047).NUM_LEVELS(levels).TXDEPTH(log2_depth); });
    edit<regs::TX_FORMAT2>([&](regs::TX_FORMAT2& r) { r.TXWIDTH_11((w - 1) >> 11).TXHEIGHT_11((h - 1) >> 11); });
  }
  /// 1 point, 2 linear; mip 0 none, 1 point, 2 linear.
  void filter(uint32_t mag, uint32_t min, uint32_t mip) {
    edit<Filter0>([&](Filter0& r) { r.MAG_FILTER(mag).MIN_FILTER(min).MIP_FILTER(mip); });
  }
  void clamp(uint32_t s, uint32_t t, uint32_t r) {
    edit<Filter0>([&](Filter0& f) { f.CLAMP_S(s).CLAMP_T(t).CLAMP_R(r); });
  }
  void type(uint32_t t) {
    edit<F1>([&](F1& r) { r.TEX_COORD_TYPE(t); });
  }
  template <class R, class Fn>
  void edit(Fn f) {
    R r = state->get<R>(kUnit);
    f(r);
    state->set(r, kUnit);
  }
  void store8(uint32_t offset, uint8_t v) { memory->store(kBase + offset, v); }
  void store(uint32_t offset, uint32_t v) { memory->store(kBase + offset, v); }

  std::array<Vec4, 4> sample(const tx::Request& r) {
    counters.reported = 0;
    reports.clear();
    DrawContext ctx{*state, *memory, counters, config};
    std::array<Vec4, 4> out;
    killed = tx::sample(ctx, r, out);
    return out;
  }
  /// All four pixels at one place.
  Vec4 at(float s, float t = 0, float r = 0, float q = 1, tx::Lookup lookup = tx::Lookup::ld) {
    tx::Request request{.unit = kUnit, .lookup = lookup};
    request.coord.fill({s, t, r, q});
    return sample(request)[0];
  }
  Vec4 at_texel(float s, float t = 0.5f, float r = 0.5f) {
    tx::Request request{.unit = kUnit, .unscaled = true};
    request.coord.fill({s, t, r, 1});
    return sample(request)[0];
  }

  std::unique_ptr<ChipState> state = std::make_unique<ChipState>(Profile::r500);
  std::unique_ptr<Memory> memory = Memory::create();
  DrawCounters counters;
  Listener config;
  std::vector<std::string> reports;
  uint8_t killed = 0;  ///< by the last sample()
};

}  // namespace pumice::hw::tx_test
