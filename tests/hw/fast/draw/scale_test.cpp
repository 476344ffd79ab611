// SPDX-License-Identifier: MIT
/// X_SCALE by rows (hw/radeon/fast/blit/scale.h) against the reference, bit for bit, on every instruction set: sources and destinations of
/// all small sizes, steps of either sign and of any magnitude, coordinates far outside. Which cases: tests/fuzz.h.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "hw/radeon/fast/blit/scale.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"

namespace pumice::hw::fast {
namespace {

struct Case {
  ScaleInput input;
  std::vector<std::byte> source;
  RowsPart part;
  explicit Case(uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const auto size = [&](uint32_t most) { return below(4) ? 1 + below(40) : 1 + below(most); };
    ScaleInput& in = input;
    in.width = size(300), in.height = size(80), in.columns = size(200), in.rows = size(150);
    in.from_pitch = in.width * 4 + 4 * below(20), in.pitch = in.columns * 4 + 4 * below(20);
    in.linear = below(3) != 0, in.swap = below(3) == 0;
    const auto axis = [&](uint32_t from, uint32_t to, float& at, float& step) {
      step = static_cast<float>(from) / static_cast<float>(to);
      at = step / 2;
      switch (below(8)) {
        case 0: at = static_cast<float>(from) - at, step = -step; break;
        case 1: step = 2, at = 1; break;
        case 2: step = 0.5f, at = 0.25f; break;
        case 3:
          step = std::ldexp(static_cast<float>(below(1000)) - 500.0f, -static_cast<int>(below(12))),
          at = static_cast<float>(below(64)) - 20;
          break;
        case 4: at = std::ldexp(1.0f, static_cast<int>(below(40))), step = below(2) ? 1.0f : -0.75f; break;
        case 5:
          if (below(8) == 0) at = below(2) ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::infinity();
          if (below(8) == 0) step = below(2) ? 1e-40f : -1e-42f, at = 0;
          break;
        default: break;
      }
    };
    axis(in.width, in.columns, in.s, in.s_step);
    axis(in.height, in.rows, in.t, in.t_step);
    source.resize((in.height - 1) * in.from_pitch + in.width * 4);
    const bool halves = below(4) == 0;  // sums that lie half way between two codes
    for (std::byte& b : source) b = static_cast<std::byte>(halves ? below(2) + 127 : below(256));
    in.from = source.data();
    part.y = below(2) ? 0 : below(in.rows);
    part.rows = below(2) ? in.rows - part.y : 1 + below(in.rows - part.y);
    part.x = below(2) ? 0 : below(in.columns);
    part.columns = below(2) ? in.columns - part.x : 1 + below(in.columns - part.x);
    in.passes = below(3) == 0;
  }
};

constexpr std::byte kUntouched{0xA5};
std::vector<std::byte> empty(const ScaleInput& in) { return std::vector<std::byte>(in.rows * in.pitch, kUntouched); }

TEST(Scale, RowsAsTheReference) {
  const FuzzRange seeds = fuzz_range(6000);
  bool moved = false;
  for (uint32_t seed = seeds.first; seed < seeds.end(); ++seed) {
    Case c(seed);
    std::vector<std::byte> wanted = empty(c.input);
    c.input.to = wanted.data();
    execute_scale(c.input, c.part);
    moved |= wanted[c.part.y * c.input.pitch + c.part.x * 4] != kUntouched;
    for (const Cpu cpu : cpus()) {
      std::vector<std::byte> got = empty(c.input);
      c.input.to = got.data();
      scale(cpu, c.input, c.part);
      ASSERT_EQ(got, wanted) << "seed " << seed << rerun(seed);
    }
  }
  EXPECT_TRUE(moved);
}

}  // namespace
}  // namespace pumice::hw::fast
