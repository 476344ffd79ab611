// SPDX-License-Identifier: MIT
/// What a replay finds out: bytes that are not the recording's, labels, draws.
#include "hw/radeon/trace/writer.h"
#include "tests/hw/trace/rig.h"

namespace pumice::hw::trace::test {
namespace {

std::vector<uint32_t> write_packet(uint32_t offset, std::initializer_list<uint32_t> values) {
  std::vector<uint32_t> p{0, regs::PM4_TYPE0_HEADER{}.BASE_INDEX(offset / 4).COUNT(static_cast<uint32_t>(values.size()) - 1).raw};
  p.insert(p.end(), values);
  return p;
}

TEST(Player, NamesTheStepThatDiffers) {
  File file;
  std::string error;
  auto writer = Writer::create(file.path(), 0, 0, Profile::r500, 1000, error);
  ASSERT_TRUE(writer) << error;
  writer->record(Kind::map, std::array{0x100000u, 1u});
  writer->record(Kind::write, std::array{0x100000u, 1u, 2u, 3u});
  const auto step = [&](uint32_t from, uint32_t to, uint64_t digest) {
    writer->record(Kind::packet, write_packet(regs::CP_GUI_SRC_ADDR::offset, {from, to, 4}));
    writer->record(Kind::end, std::array{0u, 0u, static_cast<uint32_t>(digest), static_cast<uint32_t>(digest >> 32)});
  };
  const auto digest = [](uint64_t at, uint32_t value) {
    Digest d;
    d.add_number(at);
    d.add(&value, 4);
    return d.value();
  };
  step(0x100000, 0x100100, digest(0x100100, 1));
  step(0x100004, 0x100200, digest(0x100200, 99));
  step(0x100008, 0x100300, digest(0x100300, 3));
  writer.reset();
  const Player::Result r = play(file);
  EXPECT_TRUE(r.ok) << r.error;
  ASSERT_TRUE(r.differs);
  EXPECT_EQ(r.differs->number, 2u);
  EXPECT_EQ(r.differing, 1u);
  EXPECT_EQ(r.steps, 3u);
}

TEST(Player, ShowsLabels) {
  File file;
  auto chip = std::make_unique<Chip>(recording(file));
  const PictureLabel label{.address = 0x123000, .pitch_bytes = 64, .width_height = 16 | 9u << 16, .order = 1};
  Packets p;
  uint32_t payload[sizeof label / 4];
  std::memcpy(payload, &label, sizeof label);
  p.command(pm4::Op::NOP, payload);
  payload[0] = 1;  // of another producer
  p.command(pm4::Op::NOP, payload);
  ASSERT_TRUE(chip->run(p));
  EXPECT_TRUE(chip->reports().empty());
  chip.reset();
  struct Labels : Watcher {
    std::vector<PictureLabel> seen;
    void label(const PictureLabel& l) override { seen.push_back(l); }
  } labels;
  std::string error;
  ASSERT_TRUE(Player::create(Reader::open(file.path(), error), {}, labels)->play().ok);
  ASSERT_EQ(labels.seen.size(), 1u);
  EXPECT_EQ(labels.seen[0].address, label.address);
  EXPECT_EQ(labels.seen[0].width_height, label.width_height);
}

}  // namespace
}  // namespace pumice::hw::trace::test
