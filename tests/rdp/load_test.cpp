// SPDX-License-Identifier: MIT
/// Loads by runs of words against the reference's loads (docs/reference/rdp.md section 13).
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "hw/rdp/fast/load.h"
#include "hw/rdp/ref/load.h"

namespace pumice::hw::rdp {
namespace {

using Load = void (*)(const State&, const Tile&, const Rdram&, Tmem&);
using FastLoad = bool (*)(const State&, const Tile&, const Rdram&, Tmem&);

struct Loads : testing::TestWithParam<ByteOrder> {
  Loads() {
    for (uint8_t& b : memory) b = static_cast<uint8_t>(random());
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random() % n); }

  /// Returns whether the run of words took it.
  bool same(Load reference, FastLoad fast) {
    Tmem expected{}, tmem{};
    reference(state, tile, ram, expected);
    const bool taken = fast(state, tile, ram, tmem);
    EXPECT_TRUE(!taken || !std::memcmp(expected.data(), tmem.data(), 4096))
        << "image " << state.texture_image.size << " at " << state.texture_image.address << ", width " << state.texture_image.width
        << ", line " << tile.line << ", tmem " << tile.tmem << ", s " << tile.s.low << " to " << tile.s.high << ", t " << tile.t.low
        << " to " << tile.t.high;
    return taken;
  }

  std::mt19937 random{7};
  std::vector<uint8_t> memory = std::vector<uint8_t>(0x8000);
  Rdram ram{memory, GetParam()};
  State state;
  Tile tile;
};

TEST_P(Loads, TilesAndBlocks) {
  int taken = 0;
  for (int i = 0; i < 4000; ++i) {
    const uint32_t size = i % 3 ? k16b : k8b;
    state.texture_image = {0, size, 1 + below(64), below(0x800) * (i % 5 ? 4 : 2)};
    tile.size = size;
    tile.line = below(i % 7 ? 17 : 512);
    tile.tmem = below(512);
    tile.s.set_range(4 * below(8), 4 * (8 + below(56)));
    tile.t.set_range(4 * below(4), 4 * (4 + below(12)));
    taken += same(load_tile, fast::load_tile);
    tile.s.set_range(below(64), 64 + below(1000));
    tile.t.set_range(below(4), i % 4 ? below(2049) : below(9));  // lines of less than a word, of one length, of two, and one alone
    taken += same(load_block, fast::load_block);
  }
  EXPECT_GT(taken, 2000);
}

TEST_P(Loads, Palettes) {
  int taken = 0;
  tile.size = k4b;
  for (int i = 0; i < 2000; ++i) {
    state.texture_image = {0, k16b, 1 + below(64), 2 * below(0x1000)};
    tile.tmem = below(512);
    const uint32_t first = below(4);
    tile.s.set_range(4 * first, 4 * (first + below(256)));
    taken += same(load_tlut, fast::load_tlut);
  }
  EXPECT_EQ(taken, 2000);
}

INSTANTIATE_TEST_SUITE_P(Orders, Loads, testing::Values(ByteOrder::big_endian, ByteOrder::host_words));

}  // namespace
}  // namespace pumice::hw::rdp
