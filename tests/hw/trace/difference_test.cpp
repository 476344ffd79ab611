// SPDX-License-Identifier: MIT
/// Two recordings compared: addresses do not matter, and the first packet, state, pixel and step that differ are named.
#include "hw/radeon/trace/inspect/difference.h"
#include "tests/hw/trace/rig.h"

namespace pumice::hw::trace::test {
namespace {

using hw::test::bits;

bool contains(const Difference& d, const std::string& what) {
  for (const std::string& l : d.lines)
    if (l.find(what) != std::string::npos) return true;
  return false;
}
std::string all(const Difference& d) {
  std::string text;
  for (const std::string& l : d.lines) text += l + "\n";
  return text;
}

/// Two draws of a program that puts out c0; the second with the constant `red`.
void record(const File& file, float red, uint32_t shift = 0, bool third = false) {
  auto chip = std::make_unique<Chip>(recording(file));
  if (shift) chip->allocate(shift);  // everything behind it has other addresses
  const hw::test::Target t = hw::test::make_target(*chip, 16, 16);
  Packets p = hw::test::plain_state(t);
  p.append(hw::test::full_quad({0, 0.25f, 0.5f, 1}));
  p.append(hw::test::full_quad({red, 0.25f, 0.5f, 1}));
  if (third) p.append(hw::test::full_quad({0, 0, 0, 1}));
  ASSERT_TRUE(chip->run(p));
  chip.reset();
}

TEST(Differences, AddressesAreNone) {
  File a, b;
  record(a, 0.5f);
  record(b, 0.5f, 50000);
  const Difference d = difference(a.path(), b.path(), {});
  EXPECT_FALSE(d.failed) << all(d);
  EXPECT_FALSE(d.found) << all(d);
  EXPECT_TRUE(contains(d, "no difference")) << all(d);
}

TEST(Differences, AreFoundInPacketsAndPixels) {
  File a, b;
  record(a, 0.5f);
  record(b, 0.75f, 50000);
  const Difference d = difference(a.path(), b.path(), {});
  EXPECT_FALSE(d.failed) << all(d);
  EXPECT_TRUE(d.found);
  EXPECT_TRUE(contains(d, "the first packet that differs is number")) << all(d);
  EXPECT_TRUE(contains(d, "before or of draw 2")) << all(d);
  EXPECT_TRUE(contains(d, "the first draw that writes other bytes is 2")) << all(d);
  EXPECT_TRUE(contains(d, "the first pixel is (0, 0) of target 0")) << all(d);
  EXPECT_TRUE(contains(d, "A    r0 = (0.5, 0.25, 0.5, 1)")) << all(d);
  EXPECT_TRUE(contains(d, "B    r0 = (0.75, 0.25, 0.5, 1)")) << all(d);
  EXPECT_FALSE(contains(d, "state differs")) << all(d);  // the vertices are in the draw packets
}

TEST(Differences, OfStateAreNamed) {
  File a, b;
  const auto with = [](const File& file, uint32_t mask) {
    auto chip = std::make_unique<Chip>(recording(file));
    const hw::test::Target t = hw::test::make_target(*chip, 16, 16);
    Packets p = hw::test::plain_state(t);
    p.set(regs::RB3D_COLOR_CHANNEL_MASK{mask});
    p.append(hw::test::full_quad({1, 1, 1, 1}));
    ASSERT_TRUE(chip->run(p));
    chip.reset();
  };
  with(a, 0xF);
  with(b, 0x3);
  const Difference d = difference(a.path(), b.path(), {});
  EXPECT_TRUE(d.found);
  EXPECT_TRUE(contains(d, "the first draw whose state differs is 1")) << all(d);
  EXPECT_TRUE(contains(d, "RB3D_COLOR_CHANNEL_MASK = 0x00000003")) << all(d);
  EXPECT_TRUE(contains(d, "was RB3D_COLOR_CHANNEL_MASK = 0x0000000F")) << all(d);
  EXPECT_FALSE(contains(d, "RB3D_COLOROFFSET")) << all(d);
}

TEST(Differences, TheShorterRecordingIsOne) {
  File a, b;
  record(a, 0.5f);
  record(b, 0.5f, 0, true);
  const Difference d = difference(a.path(), b.path(), {});
  EXPECT_TRUE(d.found);
  EXPECT_TRUE(contains(d, "A has 2 draws, B 3")) << all(d);
  EXPECT_TRUE(contains(d, "(the recording has no more packets)")) << all(d);
}

TEST(Differences, OfWhatCannotBePlayedAreRefused) {
  File a, b;
  record(a, 0.5f);
  b.set({1, 2, 3});
  const Difference d = difference(a.path(), b.path(), {});
  EXPECT_TRUE(d.failed);
  EXPECT_FALSE(all(d).empty());
}

}  // namespace
}  // namespace pumice::hw::trace::test
