// SPDX-License-Identifier: MIT
/// triangle_words(): thin triangles at any sub-pixel position stay inside the box of their vertices. (Slopes of vertices that are not on
/// the chip's quarter lines shot out of it: streaks beside silhouettes.)
#include "hw/rdp/ref/triangle_setup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hw/db/rdp_commands.h"
#include "hw/rdp/rdp.h"
#include "hw/rdp/tables.h"

namespace pumice::hw::rdp {
namespace {

constexpr uint32_t kWidth = 128, kHeight = 64, kImage = 0x1000;

TEST(RdpTriangleSetup, ThinTrianglesStayInTheirBox) {
  std::mt19937 random(7);
  const auto within = [&](double low, double high) { return low + (high - low) * static_cast<double>(random() % 100000) / 100000; };
  uint32_t painted = 0;
  for (int n = 0; n < 2000; ++n) {
    std::vector<uint8_t> memory(0x8000);
    Rdp rdp{memory, ByteOrder::big_endian, {}};
    std::vector<uint64_t> words;
    const auto put = [&](const auto& command) { words.insert(words.end(), command.raw.begin(), command.raw.end()); };
    put(SetOtherModes().cycle_type(kFill));
    put(SetScissor().xl(kWidth * 4).yl(kHeight * 4));
    put(SetColorImage().size(k16b).width(kWidth - 1).address(kImage));
    put(SetFillColor().color(0xFFFFFFFF));
    std::array<Vertex, 3> v;
    const double x = within(40, 80), y = within(20, 40), height = within(0, n % 2 ? 1.0 : 6.0);
    for (Vertex& p : v) p.x = x + within(-20, 20), p.y = y + within(0, height);
    const auto triangle = triangle_words(v, {});
    words.insert(words.end(), triangle.begin(), triangle.end());
    put(SyncFull());
    rdp.enqueue(words);
    rdp.sync();
    const auto [left, right] = std::minmax({v[0].x, v[1].x, v[2].x});
    const auto [top, bottom] = std::minmax({v[0].y, v[1].y, v[2].y});
    for (uint32_t py = 0; py < kHeight; ++py)
      for (uint32_t px = 0; px < kWidth; ++px) {
        if (!memory[kImage + 2 * (py * kWidth + px)]) continue;
        ++painted;
        EXPECT_TRUE(px + 1 > left - 1 && px < right + 1 && py + 1 > top - 0.25 && py < bottom + 0.25)
            << "triangle " << n << ": pixel " << px << ", " << py << " outside " << left << ".." << right << ", " << top << ".." << bottom;
        if (testing::Test::HasFailure()) return;
      }
  }
  EXPECT_GT(painted, 10000u);
}

}  // namespace
}  // namespace pumice::hw::rdp
