// SPDX-License-Identifier: MIT
/// Files that are no traces, cut off or damaged, and well-formed nonsense: an error in words or a shorter replay, never more.
#include <random>

#include "hw/radeon/trace/writer.h"
#include "tests/hw/trace/rig.h"

namespace pumice::hw::trace::test {
namespace {

/// A recording with a bit of everything.
std::vector<unsigned char> recorded(const File& file) {
  auto chip = std::make_unique<Chip>(recording(file));
  const uint32_t a = chip->allocate(4096), b = chip->allocate(4096);
  for (uint32_t i = 0; i < 20; ++i) {
    for (uint32_t k = 0; k < 200; ++k) chip->memory(a)[k + i] = k * i * 2654435761u;
    Packets p;
    const uint32_t values[] = {a, b, 2000 + i};
    p.write(regs::CP_GUI_SRC_ADDR::offset, values);
    EXPECT_TRUE(chip->run(p));
  }
  chip.reset();
  return file.bytes();
}

TEST(File, Foreign) {
  File file;
  std::string error;
  EXPECT_FALSE(Reader::open(file.path() + ".absent", error));
  for (const char* text : {"", "PMTRACE", "GIF89a and some more bytes that have nothing to do with traces, but are many enough"}) {
    file.set(std::vector<unsigned char>(text, text + std::strlen(text)));
    EXPECT_FALSE(Reader::open(file.path(), error));
    EXPECT_NE(error.find("not a Pumice trace"), std::string::npos) << error;
  }
  auto bytes = recorded(file);
  bytes[8] = 99;
  file.set(bytes);
  EXPECT_FALSE(Reader::open(file.path(), error));
  EXPECT_NE(error.find("version 99"), std::string::npos) << error;
}

TEST(File, CutOffAnywhere) {
  File file;
  const auto bytes = recorded(file);
  std::mt19937 random(5);
  uint64_t last = 0;
  for (size_t size = sizeof(Header); size < bytes.size(); size += 1 + random() % (bytes.size() / 60)) {
    file.set({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
    const Player::Result r = play(file);
    EXPECT_TRUE(r.ok) << r.error;
    EXPECT_FALSE(r.differs);
    EXPECT_NE(r.remark, "");
    EXPECT_GE(r.steps, last);
    last = r.steps;
  }
  EXPECT_GT(last, 40u);
}

TEST(File, DamagedAnywhere) {
  File file;
  const auto bytes = recorded(file);
  std::mt19937 random(6);
  int failed = 0;
  for (int i = 0; i < 150; ++i) {
    auto damaged = bytes;
    damaged[random() % bytes.size()] ^= static_cast<unsigned char>(1 + random() % 255);
    file.set(damaged);
    failed += !play(file).ok;
  }
  EXPECT_GT(failed, 140);  // all but reserved bytes and what looks like the end of the file
}

/// Records with right digests and wrong contents.
TEST(File, WellFormedNonsense) {
  std::mt19937 random(8);
  const auto number = [&]() -> uint32_t {
    constexpr uint32_t kSome[] = {0,        1,          2,          4,          0x1000,     0x2000,    0x100000,
                                  0x101000, 0xFFFFF000, 0xFFFFFFFF, 0xC0001000, 0x80000000, 0x000001C8};
    return random() % 2 ? kSome[random() % std::size(kSome)] : random();
  };
  for (int round = 0; round < 300; ++round) {
    File file;
    std::string error;
    auto writer = Writer::create(file.path(), 0, 0, Profile::r500, 10000, error);
    ASSERT_TRUE(writer) << error;
    writer->record(Kind::map, std::array{0x100000u, 16u});
    for (int i = 0; i < 30; ++i) {
      const Kind kind = static_cast<Kind>(1 + random() % 10);
      if (kind == Kind::close) continue;
      std::vector<uint32_t> words(random() % 12);
      for (uint32_t& w : words) w = number();
      // Mostly as it should be: MAP small, packets complete, steps that end.
      if ((kind == Kind::map || kind == Kind::unmap) && words.size() > 1 && random() % 8) words[1] = random() % 64;
      if (kind == Kind::packet && words.size() > 1 && random() % 8) {
        const uint32_t registers[] = {regs::CP_IB_BASE::offset, regs::CP_GUI_SRC_ADDR::offset, regs::GUI_SCRATCH_REG::offset,
                                      regs::VAP_VF_CNTL::offset};
        words[1] = random() % 2 ? registers[random() % 4] / 4 | static_cast<uint32_t>(words.size() - 2) << 16
                                : (words[1] & 0xC000FFFF) | static_cast<uint32_t>(words.size()) << 16;
        words.resize(words.size() + 2);
      }
      writer->record(kind, words);
      if ((kind == Kind::packet || kind == Kind::host_register) && random() % 8) writer->record(Kind::end, std::array{0u, 0u, 0u, 0u});
    }
    writer.reset();
    (void)play(file);
  }
}

}  // namespace
}  // namespace pumice::hw::trace::test
