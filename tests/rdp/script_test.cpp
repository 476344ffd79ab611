// SPDX-License-Identifier: MIT
/// Dumps (RDPDUMP1, RDPDUMP2): written here, played; cut off at every byte; damaged.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "hw/rdp/tools/random_list.h"
#include "hw/rdp/tools/script.h"

namespace pumice::hw::rdp {
namespace {

constexpr uint32_t kRdram = 0x4000, kImage = 0x1000, kSource = 0x3000;

/// What emulators' dump writers do: little-endian 32-bit numbers, memory in host words.
class DumpWriter {
 public:
  explicit DumpWriter(bool second) : second_(second) {
    for (char c : std::string(second ? "RDPDUMP2" : "RDPDUMP1")) bytes_.push_back(static_cast<uint8_t>(c));
    number(kRdram);
    if (second) number(kRdram / 2);
  }
  /// `data` in the order of RDRAM.
  void memory(uint32_t address, const std::vector<uint8_t>& data) {
    number(1);
    number(address);
    number(static_cast<uint32_t>(data.size()));
    for (size_t i = 0; i < data.size(); ++i) bytes_.push_back(data[i ^ 3]);
    if (second_) number(7);
  }
  void hidden(uint32_t halfword, const std::vector<uint8_t>& bits) {
    number(8);
    number(halfword);
    number(static_cast<uint32_t>(bits.size()));
    bytes_.insert(bytes_.end(), bits.begin(), bits.end());
    number(9);
  }
  void command(const uint64_t* words, size_t n) {
    if (!second_) number(2);
    number(second_ ? 2 : 4);
    number(static_cast<uint32_t>(words[0] >> 56 & 0x3F));
    number(static_cast<uint32_t>(2 * n));
    for (size_t i = 0; i < n; ++i) {
      number(static_cast<uint32_t>(words[i] >> 32));
      number(static_cast<uint32_t>(words[i]));
    }
    if (!second_) number(3);
  }
  template <typename Command>
  void command(const Command& c) {
    command(c.raw.data(), c.raw.size());
  }
  void vi_register(uint32_t index, uint32_t value) {
    number(3);
    number(index);
    number(value);
  }
  void frame() { number(4); }
  std::vector<uint8_t> end() {
    if (second_) number(5);
    number(second_ ? 6 : 5);
    return std::move(bytes_);
  }

 private:
  void number(uint32_t v) {
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>(v >> 8 * i));
  }

  bool second_;
  std::vector<uint8_t> bytes_;
};

/// Two frames: the first fills an image, the second copies a texture over a part of it.
std::vector<uint8_t> dump(bool second) {
  DumpWriter w(second);
  std::vector<uint8_t> texels(64);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<uint8_t>(7 * i + 1);
  w.memory(kSource, texels);
  if (second) {
    w.hidden(0x20, {1, 2, 3, 0});
    w.vi_register(1, kImage);
  }
  w.command(SetScissor().xl(4 * 16).yl(4 * 16));
  w.command(SetColorImage().size(k16b).width(15).address(kImage));
  w.command(SetOtherModes().cycle_type(kFill));
  w.command(SetFillColor().color(0x12345679));
  w.command(FillRectangle().xl(4 * 15).yl(4 * 15));
  w.command(SyncFull());
  if (second) w.frame();
  w.command(SetOtherModes().cycle_type(kCopy));
  w.command(SetTextureImage().size(k16b).width(7).address(kSource));
  w.command(SetTile().size(k16b).line(2));
  w.command(LoadTile().sh(7 * 4).th(3 * 4));
  w.command(TextureRectangle().xl(4 * 7).yl(4 * 3).dsdx(4 << 10).dtdy(1 << 10));
  w.command(SyncFull());
  if (second) w.frame();
  return w.end();
}

class RdpDump : public testing::Test {
 protected:
  std::string path_ = (std::filesystem::path(testing::TempDir()) / ("pumice-rdp-" + std::to_string(::getpid()) + ".dump")).string();
  ~RdpDump() override { std::remove(path_.c_str()); }

  bool read(const std::vector<uint8_t>& bytes, Script& script) {
    std::ofstream(path_, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    std::string error;
    const bool ok = read_script(path_, "", script, error);
    EXPECT_EQ(ok, error.empty());
    return ok;
  }
};

TEST_F(RdpDump, BothVersionsPlay) {
  for (bool second : {false, true}) {
    Script script;
    ASSERT_TRUE(read(dump(second), script));
    EXPECT_EQ(script.rdram_size, kRdram);
    Player player(script);
    EXPECT_EQ(player.play(), second ? 2u : 0u);
    EXPECT_EQ(player.faults(), 0u);
    const Rdram& ram = player.rdp().rdram();
    // Texel (1, 1) of the copied texture, then what was filled.
    EXPECT_EQ(ram.read16(kImage / 2 + 16 + 1), (7u * 18 + 1) << 8 | (7u * 19 + 1));
    EXPECT_EQ(ram.read32(kImage / 4 + 8 * 8), 0x12345679u);
    EXPECT_EQ(ram.hidden(kImage / 2 + 8 * 16 + 1), 3u);
    if (second) {
      EXPECT_EQ(ram.hidden(0x21), 2u);
      Player first(script);
      EXPECT_EQ(first.play(0), 1u);
      EXPECT_EQ(first.rdp().rdram().read32(kImage / 4), 0x12345679u);
    }
  }
}

TEST_F(RdpDump, CutOffAnywhere) {
  for (bool second : {false, true}) {
    const std::vector<uint8_t> whole = dump(second);
    for (size_t n = 8; n < whole.size(); n += 3) {
      Script script;
      EXPECT_FALSE(read({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)}, script)) << n;
    }
  }
}

/// Damage is refused, or plays to some end.
TEST_F(RdpDump, Damaged) {
  unsigned refused = 0, played = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random r(seed);
    std::vector<uint8_t> bytes = dump(seed & 1);
    for (uint32_t n = 1 + r.below(4); n; --n)
      bytes[8 + r.below(static_cast<uint32_t>(bytes.size()) - 8)] ^= static_cast<uint8_t>(1 << r.below(8));
    Script script;
    if (!read(bytes, script)) {
      ++refused;
    } else if (script.rdram_size <= 1 << 20) {
      Player(script).play();
      ++played;
    }
  }
  EXPECT_GT(refused, 20u);
  EXPECT_GT(played, 50u);
}

}  // namespace
}  // namespace pumice::hw::rdp
