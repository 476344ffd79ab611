// SPDX-License-Identifier: MIT
/// The texture units of the fast executor against tx::sample, bit for bit, on every instruction set of this machine: seeded random
/// registers, images and coordinates. A failure prints the case (which ones: tests/fuzz.h).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/texture/tx.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"

namespace pumice::hw::fast {
namespace {

using F0 = regs::TX_FORMAT0;
using F1 = regs::TX_FORMAT1;
using Filter0 = regs::TX_FILTER0;
constexpr uint32_t kUnit = 5, kBase = 0x100000, kBytes = 0x200000;

uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }

class TxFast : public ::testing::Test {
 protected:
  TxFast() {
    memory->map(kBase, kBytes);
    std::mt19937 rng(1);
    for (uint32_t i = 0; i < kBytes; i += 4) memory->store(kBase + i, uint32_t(rng()));
    // Floats of all kinds somewhere.
    for (uint32_t i = 0; i < 0x1000; i += 4) memory->store(kBase + i, uint32_t(rng() % 2 ? rng() & 0x807FFFFF : 0x7F800000 | rng()));
  }
  template <class R>
  void set(R r) {
    state->set(r, kUnit);
  }

  /// All kinds of registers that a driver writes, and now and then anything.
  void random_registers(std::mt19937& rng) {
    const auto below = [&](uint32_t n) { return uint32_t(rng() % n); };
    state->reg.fill(0);
    state->set(regs::TX_ENABLE{below(50) ? 1u << kUnit : 0});
    Filter0 filter;
    const auto clamp = [&] { return below(3) ? below(2) * 2 : below(8); };
    filter.CLAMP_S(clamp()).CLAMP_T(clamp()).CLAMP_R(clamp()).MIP_FILTER(below(20) ? below(3) : 3).VOL_FILTER(below(4));
    const uint32_t min = below(30) ? 1 + below(3) : 0;
    filter.MIN_FILTER(min)
        .MAG_FILTER(below(3) ? min : 1 + below(3))
        .MAX_ANISO(below(40) ? below(5) : 7)
        .MAX_MIP_LEVEL(below(4) ? 0 : below(5));
    set(filter);
    regs::TX_FILTER1 filter1;
    filter1.LOD_BIAS(below(2) ? 0 : below(1024)).TRI_PERF(below(2) ? 0 : below(4)).CHROMA_KEY_MODE(below(30) ? 0 : below(4));
    filter1.ANISO_HIGH_QUALITY(below(4) == 0).MAX_ANISO(below(64)).DXTC_SWIZZLE(below(2));
    set(filter1);
    state->set(regs::TX_CHROMA_KEY{below(2) ? 0 : uint32_t(rng())}, kUnit);

    static constexpr uint32_t kCommon[] = {
        F1::TXFORMAT__N8_8_8_8, F1::TXFORMAT__N8_8_8_8,        F1::TXFORMAT__N8, F1::TXFORMAT__N8_8, F1::TXFORMAT__N16F_16F_16F_16F,
        F1::TXFORMAT__N32F,     F1::TXFORMAT__N32F_32F_32F_32F};
    const uint32_t format = below(2) ? kCommon[below(std::size(kCommon))] : below(10) ? below(39) : below(64);
    F1 format1;
    const auto channel = [&] { return below(20) ? below(6) : below(8); };
    format1.TXFORMAT(format & 31).SEL_RED(channel()).SEL_GREEN(channel()).SEL_BLUE(channel()).SEL_ALPHA(channel());
    if (below(4) == 0) format1.raw |= below(16) << 5;
    const uint32_t shape = below(40) ? (below(2) ? 0 : 1 + below(2)) : 3;
    format1.GAMMA(below(5) == 0).TEX_COORD_TYPE(shape);
    set(format1);
    const bool pot = below(3) != 0, big = below(10) == 0;
    uint32_t w = pot ? 1u << below(big ? 9 : 7) : 1 + below(big ? 300 : 80), h = pot && below(2) ? 1u << below(7) : 1 + below(70);
    if (shape == 2) h = w;
    F0 format0;
    format0.TXWIDTH(w - 1).TXHEIGHT(h - 1).TXDEPTH(below(5)).NUM_LEVELS(below(2) ? 0 : below(10)).TXPITCH_EN(below(8) == 0);
    set(format0);
    regs::TX_FORMAT2 format2;
    format2.TXFORMAT_MSB(format >> 5).TXPITCH(below(128)).POW2FIX2FLT(below(10) == 0).SEL_FILTER4(below(4));
    set(format2);
    regs::TX_OFFSET offset{kBase + below(4) * 0x400};
    if (below(12) == 0) offset.MACRO_TILE(below(2)).MICRO_TILE(below(3)).ENDIAN_SWAP(below(4));
    if (below(20) == 0) offset.TXOFFSET((kBase + kBytes - below(0x2000)) >> 5);  // part of it is not there
    set(offset);
    set(regs::TX_BORDER_COLOR{uint32_t(rng())});
    if (below(50) == 0) state->reg[(0x4400 + 0x40 * below(8)) / 4 + kUnit] = uint32_t(rng());
  }

  void random_coordinates(std::mt19937& rng, tx::SampleArgs& a) {
    const auto any = [&]() -> float {
      static constexpr float kOdd[] = {0.0f,    -0.0f,  NAN,       INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f,
                                       -1e-40f, 1e-38f, -1.2e-38f, 0.5f,     1.0f,      -1.0f, 1e6f};
      switch (rng() % 12) {
        case 0: return kOdd[rng() % std::size(kOdd)];
        case 1: return std::bit_cast<float>(uint32_t(rng()));
        case 2: return float(int32_t(rng() % 256) - 128) / 16;
        default: return float(int32_t(rng())) * 0x1p-29f;
      }
    };
    const bool smooth = rng() % 2, flat = rng() % 16 == 0, far = rng() % 8 == 0;
    for (int c = 0; c < 4; ++c) {
      float base = float(int32_t(rng())) * 0x1p-30f;
      if (far) base = rng() % 4 ? std::ldexp(base, int(rng() % 32)) : any();
      float x = float(int32_t(rng())) * std::ldexp(1.0f, -33 - int(rng() % 8)),
            y = float(int32_t(rng())) * std::ldexp(1.0f, -33 - int(rng() % 8));
      if (flat) x = y = 0;
      for (int lane = 0; lane < kLanes; ++lane) {
        a.coord[c].v[lane] = smooth ? base + float(lane_x(lane)) * x + float(lane_y(lane)) * y : any();
        a.dx[c].v[lane] = smooth ? x : any();
        a.dy[c].v[lane] = smooth ? y : any();
      }
    }
    if (rng() % 4 == 0) on_a_grid(rng, a);
    a.active = rng() % 4 ? 0xFFFF : with_helpers(LaneMask(rng()));
    a.killed = 0;
  }

  /// Texels of level 0 in even steps, as copies and scaled pictures look at them: whole and half texels, all or some fractions zero; turned
  /// by quarters. Of a cube: inside a face or over an edge.
  void on_a_grid(std::mt19937& rng, tx::SampleArgs& a) {
    static constexpr float kSteps[] = {0.25f, 0.5f, 0.75f, 1, 1, 1.25f, 1.5f, 2, 3, -1, -0.5f, -2};
    const float size[2] = {float(state->get<F0>(kUnit).TXWIDTH() + 1), float(state->get<F0>(kUnit).TXHEIGHT() + 1)};
    const bool turned = rng() % 4 == 0, cube = state->get<F1>(kUnit).TEX_COORD_TYPE() == 2;
    const float drift = rng() % 4 ? 0 : std::ldexp(1.0f, -int(rng() % 24));
    const uint32_t axis = rng() % 3;
    const float major = rng() % 2 ? 1.0f : -2.0f;
    for (uint32_t c = 0; c < 2; ++c) {
      const float step = kSteps[rng() % std::size(kSteps)], first = float(int32_t(rng() % 200) - 40) + float(rng() % 4) / 4;
      const float other = rng() % 3 ? 0 : kSteps[rng() % std::size(kSteps)] * 0.25f;
      for (int lane = 0; lane < kLanes; ++lane) {
        const int x = lane_x(lane), y = lane_y(lane), i = (c == 1) != turned ? y : x, j = i == x ? y : x;
        const float v = (first + step * float(i) + (other + drift) * float(j)) / size[c];
        if (cube) {
          a.coord[(axis + 1 + c) % 3].v[lane] = 2 * v - 1;
          a.coord[axis].v[lane] = major;
        } else {
          a.coord[c].v[lane] = v;
        }
      }
    }
  }

  /// Runs case `number`; false after the first difference.
  bool run(uint32_t number) {
    std::mt19937 rng(number * 7919 + 13);
    random_registers(rng);
    for (auto& direction : state->filter4)
      for (auto& phase : direction)
        for (int16_t& w : phase) w = int16_t(int(rng() % 2048) - 1024);
    tx::SampleArgs args;
    random_coordinates(rng, args);
    const auto kind = tx::LookupKind(rng() % 5);
    const bool unscaled = rng() % 4 == 0;

    // The reference, quad by quad.
    DrawCounters counters;
    Listener config;
    std::vector<std::string> said, said_fast;
    config.on_report = [&](const Report& r) { said.push_back(r.text); };
    DrawContext ctx{*state, *memory, counters, config};
    Lanes want[4];
    LaneMask killed = 0;
    memory->take_fault();
    for (int first = 0; first < kLanes; first += 4) {
      if (!(args.active >> first & 15)) continue;
      hw::tx::Request r{.unit = kUnit, .lookup = hw::tx::Lookup(kind), .unscaled = unscaled};
      for (int p = 0; p < 4; ++p)
        for (int c = 0; c < 4; ++c) {
          r.coord[size_t(p)][size_t(c)] = args.coord[c].v[first + p];
          r.dx[size_t(p)][size_t(c)] = args.dx[c].v[first + p];
          r.dy[size_t(p)][size_t(c)] = args.dy[c].v[first + p];
        }
      std::array<Vec4, 4> out;
      killed |= LaneMask(hw::tx::sample(ctx, r, out) << first);
      for (int p = 0; p < 4; ++p)
        for (int c = 0; c < 4; ++c) want[c].v[first + p] = out[size_t(p)][size_t(c)];
    }
    const uint64_t faults = memory->take_fault().count;

    for (const Cpu cpu : cpus()) {
      tx::prepare(unit, *state, *memory, kUnit, cpu);
      direct += unit.direct;
      ++total;
      args.killed = 0;
      for (Lanes& l : args.out) std::fill(std::begin(l.v), std::end(l.v), -77.0f);
      {
        FlushDenormals flush;
        (unscaled ? unit.routine_unscaled : unit.routine)[size_t(kind)](unit, args);
      }
      EXPECT_EQ(memory->take_fault().count, faults) << describe(number, cpu);
      EXPECT_EQ(args.killed, killed & args.active) << describe(number, cpu);
      for (int c = 0; c < 4; ++c)
        for (int lane = 0; lane < kLanes; ++lane) {
          if (!(args.active >> lane & 1)) continue;
          const float w = want[c].v[lane], g = args.out[c].v[lane];
          if (bits(w) == bits(g) || (std::isnan(w) && std::isnan(g))) continue;
          ADD_FAILURE() << describe(number, cpu) << "lane " << lane << " channel " << c << ": " << g << " (" << std::hex << bits(g)
                        << "), reference " << std::dec << w << " (" << std::hex << bits(w) << ")\ncoordinate " << std::dec
                        << args.coord[0].v[lane] << " " << args.coord[1].v[lane] << " " << args.coord[2].v[lane] << " "
                        << args.coord[3].v[lane];
          return false;
        }
      counters.reported = 0;
      config.on_report = [&](const Report& r) { said_fast.push_back(r.text); };
      said_fast.clear();
      take_reports(unit, ctx);
      EXPECT_EQ(said, said_fast) << describe(number, cpu);
    }
    return !HasFailure();
  }
  std::string describe(uint32_t number, Cpu cpu) {
    std::string s = "cpu " + std::to_string(int(cpu)) + (unit.direct ? " direct" : " slow") + " format " +
                    std::to_string(state->get<F1>(kUnit).TXFORMAT() | state->get<regs::TX_FORMAT2>(kUnit).TXFORMAT_MSB() << 5);
    for (uint32_t r = 0x4400; r < 0x4600; r += 0x40)
      s += " " + [](uint32_t v) {
        char t[12];
        snprintf(t, sizeof t, "%08x", v);
        return std::string(t);
      }(state->reg[r / 4 + kUnit]);
    return s + rerun(number);
  }

  std::unique_ptr<ChipState> state = std::make_unique<ChipState>(Profile::r500);
  std::unique_ptr<Memory> memory = Memory::create();
  tx::Prepared unit;
  uint64_t direct = 0, total = 0;
};

TEST_F(TxFast, RandomUnitsMatchTheReference) {
  const FuzzRange range = fuzz_range(20000);
  for (uint32_t i = range.first; i < range.end(); ++i) ASSERT_TRUE(run(i));
  if (range.usual) {
    EXPECT_GT(direct, total / 2);  // the test is about the SIMD routines
  }
}

}  // namespace
}  // namespace pumice::hw::fast
