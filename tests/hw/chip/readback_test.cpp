// SPDX-License-Identifier: MIT
/// The registers that hw/db marks readback: they keep what is written, whatever they hold changes no picture, and those that only read
/// have their reset value. And registers whose read value is not what was written.
#include <gtest/gtest.h>

#include <random>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

enum class Access { rw, ro, wo };
struct Row {
  const char* name;
  uint32_t offset, count, stride;
  Access access;
  uint32_t mask;  ///< of its fields
  uint32_t reset;
};
const Row kR300[] = {
#include "readback_r300.inc"
};
const Row kR500[] = {
#include "readback_r500.inc"
};
std::span<const Row> rows(Profile p) { return p == Profile::r300 ? std::span<const Row>(kR300) : std::span<const Row>(kR500); }

/// Streams may not write the ring's registers; the host may write all.
constexpr uint32_t kStreamRegisters = 0x1000;

class Readback : public ::testing::TestWithParam<Profile> {};

TEST_P(Readback, RegistersKeepWhatIsWritten) {
  Chip chip(GetParam());
  std::mt19937 random(1);
  for (const Row& r : rows(GetParam()))
    for (uint32_t i = 0; i < r.count; ++i) {
      const uint32_t at = r.offset + i * r.stride;
      if (r.access == Access::ro) {
        EXPECT_EQ(chip.gpu->mmio_read(at), r.reset) << r.name;
        continue;
      }
      for (uint32_t value : {0u, ~0u, uint32_t(random()), r.reset}) {
        value &= r.mask;
        if (at < kStreamRegisters) {
          chip.gpu->mmio_write(at, value);
        } else {
          Packets p;
          p.write(at, {&value, 1});
          ASSERT_TRUE(chip.run(p));
        }
        EXPECT_EQ(chip.gpu->mmio_read(at), r.access == Access::wo ? 0 : value) << r.name << "[" << i << "]";
      }
    }
  for (const Report& report : chip.reports()) ADD_FAILURE() << report.text;
}
INSTANTIATE_TEST_SUITE_P(Strict, Readback, ::testing::Values(Profile::r300, Profile::r500));

TEST(Readback, NothingThatIsDrawnDependsOnThem) {
  const auto picture = [](uint32_t seed) {
    Chip chip(Profile::r500);
    const Target t = make_target(chip);
    std::mt19937 random(seed);
    Packets p = plain_state(t);
    for (const Row& r : rows(Profile::r500))
      for (uint32_t i = 0; seed && i < r.count; ++i) {
        const uint32_t at = r.offset + i * r.stride, value = uint32_t(random()) & r.mask;
        if (r.access == Access::ro) continue;
        if (at < kStreamRegisters)
          chip.gpu->mmio_write(at, value);
        else
          p.write(at, {&value, 1});
      }
    p.append(gradient_quad({{{0, 0, 0, 1}, {1, 0, 0, 1}, {1, 1, 0, 0.5f}, {0, 0.5f, 1, 1}}}));
    const TestVertex triangle[] = {
        {{-1.5f, -0.8f, 0.5f, 1}, {1, 0, 0, 1}}, {{0.8f, -0.8f, 0.5f, 2}, {0, 1, 0, 1}}, {{0, 3, 0.5f, 1}, {0, 0, 1, 1}}};
    p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST, triangle));
    EXPECT_TRUE(chip.run(p));
    return std::vector<uint32_t>(chip.memory(t.color), chip.memory(t.color) + size_t{t.width} * t.height);
  };
  const auto plain = picture(0);
  for (uint32_t seed = 1; seed <= 4; ++seed) EXPECT_EQ(picture(seed), plain) << seed;
}

TEST(ReadValues, OfCommandsAndFuses) {
  Chip chip;
  using Cache = regs::ZB_ZCACHE_CTLSTAT;
  using Select = regs::GB_PIPE_SELECT;
  const auto after = [&](uint32_t offset, uint32_t value) {
    Packets p;
    p.write(offset, {&value, 1});
    EXPECT_TRUE(chip.run(p));
    return chip.gpu->mmio_read(offset);
  };
  EXPECT_EQ(after(Cache::offset, Cache().ZC_FLUSH(1).ZC_FREE(1).raw), 0u) << "the bits clear themselves";
  const Select read{after(Select::offset, Select{0}.PIPE0_ID(2).PIPE_MASK(5).CONFIG_PIPES(1).raw)};
  EXPECT_EQ(read.PIPE0_ID(), 2u);
  EXPECT_EQ(read.PIPE_MASK(), 5u);
  EXPECT_EQ(read.MAX_PIPE(), Select{Select::reset}.MAX_PIPE()) << "read only";
  EXPECT_EQ(read.BAD_PIPES(), Select{Select::reset}.BAD_PIPES()) << "read only";
  EXPECT_EQ(read.CONFIG_PIPES(), 0u);
}

TEST(ReadValues, OfTheMicroEnginesControl) {
  Chip chip;
  using Control = regs::CP_ME_CNTL;
  for (const uint32_t mux : {0u, 9u}) {
    const Control c = Control{}.ME_STATMUX(mux).ME_MODE(Control::ME_MODE__FREE_RUNNING);
    chip.gpu->mmio_write(Control::offset, c.raw);
    EXPECT_EQ(chip.gpu->mmio_read(Control::offset), c.raw);
  }
}

TEST(ReadValues, OfTheOldAddressesOfTheViewport) {
  Chip chip;
  const std::pair<uint32_t, uint32_t> pairs[] = {
      {regs::SE_VPORT_XSCALE::offset, regs::VAP_VPORT_XSCALE::offset}, {regs::SE_VPORT_XOFFSET::offset, regs::VAP_VPORT_XOFFSET::offset},
      {regs::SE_VPORT_YSCALE::offset, regs::VAP_VPORT_YSCALE::offset}, {regs::SE_VPORT_YOFFSET::offset, regs::VAP_VPORT_YOFFSET::offset},
      {regs::SE_VPORT_ZSCALE::offset, regs::VAP_VPORT_ZSCALE::offset}, {regs::SE_VPORT_ZOFFSET::offset, regs::VAP_VPORT_ZOFFSET::offset}};
  uint32_t value = bits(3.5f);
  for (const auto& [a, b] : pairs)
    for (const auto& [to, from] : {std::pair{a, b}, std::pair{b, a}}) {
      Packets p;
      p.write(to, {&++value, 1});
      ASSERT_TRUE(chip.run(p));
      EXPECT_EQ(chip.gpu->mmio_read(from), value);
      EXPECT_EQ(chip.gpu->mmio_read(to), value);
    }
}

TEST(VideoDma, CopiesAsGuiDmaDoes) {
  Chip chip(Profile::r500);
  const uint32_t from = chip.allocate(64), to = chip.allocate(64);
  for (uint32_t i = 0; i < 64; ++i) chip.memory(from)[i] = 0x1000 + i;
  const uint32_t command = regs::CP_GUI_COMMAND{}.BYTE_COUNT(100).raw;
  Packets p;
  p.write(regs::CP_VID_SRC_ADDR::offset, {&from, 1});
  p.write(regs::CP_VID_DST_ADDR::offset, {&to, 1});
  p.write(regs::CP_VID_COMMAND::offset, {&command, 1});
  ASSERT_TRUE(chip.run(p));
  for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(chip.memory(to)[i], i < 25 ? 0x1000 + i : 0) << i;
}

}  // namespace
}  // namespace pumice::hw::test
