// SPDX-License-Identifier: MIT
/// Random registers and quads: nothing may crash or leave the mapped memory (the sanitizer build sees that), and the same input
/// gives the same bytes.
#include <gtest/gtest.h>

#include <random>

#include "tests/hw/pixel/color_chip.h"

namespace pumice::hw::test {
namespace {

uint64_t hash(Memory& memory, uint32_t at, uint32_t size) {
  uint64_t h = 0xCBF29CE484222325ull;
  for (uint32_t i = 0; i < size; i += 8) h = (h ^ memory.load<uint64_t>(at + i)) * 0x100000001B3ull;
  return h;
}

uint64_t run_case(uint32_t seed) {
  std::mt19937 rng(seed);
  Chip chip;
  constexpr uint32_t ranges[][2] = {{0x4000, 0x4040}, {0x4290, 0x42A0}, {0x46A4, 0x46C8}, {0x4BC0, 0x4BEC}, {0x4E00, 0x5000}};
  auto quad = std::make_unique<PixelQuad>();
  for (int draw = 0; draw < 40; ++draw) {
    for (auto [begin, end] : ranges)
      for (uint32_t r = begin; r < end; r += 4) chip.state.reg[r / 4] = rng();
    chip.state.profile = rng() % 4 ? Profile::r500 : Profile::r300;
    // Most draws aim at memory and are free of the few bits that forbid everything.
    if (rng() % 8) {
      for (uint32_t t = 0; t < 4; ++t) {
        chip.set(regs::RB3D_COLOROFFSET{0}.COLOROFFSET((Chip::kColor + t * Chip::kTargetStride) >> 5), t);
        auto pitch = chip.state.get<Color>(t);
        chip.set(pitch.COLORPITCH(64 >> 1), t);
      }
      chip.set(regs::ZB_DEPTHOFFSET{0}.DEPTHOFFSET(Chip::kDepth >> 5));
      auto pitch = chip.state.get<regs::ZB_DEPTHPITCH>();
      chip.set(pitch.DEPTHPITCH(64 >> 2));
      chip.set(regs::RB3D_AARESOLVE_CTL{0});
      chip.set(regs::ZB_BW_CNTL{0});
      chip.set(regs::ZB_FORMAT{0}.DEPTHFORMAT(rng() % 3).INVERT(rng() % 2));
      chip.set(regs::ZB_DEPTHXY_OFFSET{0});
    }
    for (int n = 0; n < 8; ++n) {
      quad->quad.x = rng() % 8 ? int32_t(rng() % 128) & ~1 : int32_t(rng());
      quad->quad.y = rng() % 8 ? int32_t(rng() % 128) & ~1 : int32_t(rng());
      quad->quad.back_facing = rng() & 1;
      const auto number = [&] { return rng() % 4 ? float(rng()) / 4294967296.0f : std::bit_cast<float>(uint32_t(rng())); };
      for (auto& z : quad->quad.z) z = number();
      for (auto& target : quad->color)
        for (auto& pixel : target)
          for (float& c : pixel) c = number();
      uint8_t mask = fg::run(chip.ctx, *quad, uint8_t(rng()));
      EXPECT_LE(mask, 0xF);
      mask = zb::test_and_write(chip.ctx, quad->quad, mask, quad->quad.z);
      EXPECT_LE(mask, 0xF);
      rb3d::write(chip.ctx, *quad, mask);
    }
  }
  return hash(*chip.memory, Chip::kColor, 4 * Chip::kTargetStride) ^ hash(*chip.memory, Chip::kDepth, Chip::kTargetStride) * 3 ^
         chip.counters.zpass;
}

TEST(Fuzz, RandomRegistersAreHarmlessAndRepeatable) {
  const uint64_t untouched = [] {
    Chip chip;
    return hash(*chip.memory, Chip::kColor, 4 * Chip::kTargetStride) ^ hash(*chip.memory, Chip::kDepth, Chip::kTargetStride) * 3;
  }();
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    const uint64_t first = run_case(seed);
    EXPECT_NE(first, untouched) << "seed " << seed;
    if (seed % 20 == 0) {
      EXPECT_EQ(first, run_case(seed)) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace pumice::hw::test
