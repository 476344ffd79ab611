// SPDX-License-Identifier: MIT
/// Whole-row paths of the 2D engine against the definition, a pixel at a time: random rectangles, clips, pitches and overlaps.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "hw/common/threads/crew.h"
#include "hw/radeon/cp/engine_2d.h"
#include "hw/radeon/cp/transfer.h"

namespace pumice::hw::test {
namespace {

using Control = regs::DP_GUI_MASTER_CNTL;
constexpr uint32_t kBase = 0x100000;
constexpr uint32_t kSize = 0x8000;

struct Model {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(kSize);
  uint32_t pixel = 4;
  uint32_t left = 0, top = 0, right = 0x4000, bottom = 0x4000;

  bool fits(uint64_t base, uint64_t pitch, uint32_t x, uint32_t y, uint32_t width) const {
    return base + y * pitch + uint64_t{x + width} * pixel <= kSize;
  }
  /// False when the row is not all there: the rectangle ends.
  bool row(uint64_t base, uint64_t pitch, uint32_t x, uint32_t y, const std::vector<uint8_t>& source) {
    const uint32_t count = static_cast<uint32_t>(source.size()) / pixel, first = std::max(x, left), end = std::min(x + count, right);
    if (y < top || y >= bottom || first >= end) return true;
    if (!fits(base, pitch, first, y, end - first)) return false;
    std::memcpy(&bytes[base + y * pitch + uint64_t{first} * pixel], &source[(first - x) * pixel], (end - first) * pixel);
    return true;
  }
};

TEST(Engine2d, RowsAreWhatPixelsWouldBe) {
  constexpr uint32_t kTypes[][2] = {{Control::DST_TYPE__CI8, 1}, {Control::DST_TYPE__RGB565, 2}, {Control::DST_TYPE__ARGB8888, 4}};
  auto state = std::make_unique<ChipState>(Profile::r500);
  auto memory = Memory::create();
  memory->map(kBase, kSize);
  Team team(1);
  Crew crew(team, transfer::kMostHelpers);
  Engine2d engine(*state, *memory, crew);
  for (uint32_t seed = 1; seed <= 4000; ++seed) {
    std::mt19937 rng(seed);
    const auto& type = kTypes[rng() % 3];
    Model m;
    m.pixel = type[1];
    for (uint8_t& b : m.bytes) b = static_cast<uint8_t>(rng());
    memory->write(kBase, m.bytes.data(), kSize);
    const uint32_t from = rng() % 4 * 1024, to = rng() % 3 ? rng() % 4 * 1024 : from;
    const uint32_t from_pitch = 64 * (1 + rng() % 4), to_pitch = rng() % 2 ? from_pitch : 64 * (1 + rng() % 4);
    const bool clip = rng() % 2;
    Control c;
    c.BRUSH_TYPE(Control::BRUSH_TYPE__SOLID)
        .DST_PITCH_OFFSET_CNTL(1)
        .SRC_PITCH_OFFSET_CNTL(1)
        .DST_TYPE(type[0])
        .SRC_TYPE(Control::SRC_TYPE__COLOR)
        .DST_CLIPPING(clip);
    c.WR_MSK_DIS(rng() % 2);
    state->reg[regs::DP_WRITE_MASK::offset / 4] = m.pixel == 4 ? 0xFFFFFFFFu : rng() | (m.pixel == 2 ? 0xFFFFu : 0xFFu);
    state->set(regs::DST_PITCH_OFFSET{}.OFFSET((kBase + to) / 1024).PITCH(to_pitch / 64));
    state->reg[regs::SRC_PITCH_OFFSET::offset / 4] = regs::DST_PITCH_OFFSET{}.OFFSET((kBase + from) / 1024).PITCH(from_pitch / 64).raw;
    if (clip) {
      m.left = rng() % 16, m.top = rng() % 16, m.right = rng() % 80, m.bottom = rng() % 40;
      state->set(regs::SC_TOP_LEFT{}.LEFT(m.left).TOP(m.top));
      state->set(regs::SC_BOTTOM_RIGHT{}.RIGHT(m.right).BOTTOM(m.bottom));
    }
    // Half the rectangles are as wide as the pitch: one run of memory. Some leave the memory.
    const uint32_t whole = std::min(from_pitch, to_pitch) / m.pixel;
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(rng() % n); };
    Rect r{below(12), below(12), below(64), below(below(8) ? 24 : 300)};
    if (rng() % 2) r.x = 0, r.width = whole;
    const uint32_t sx = r.width == whole && r.x == 0 ? 0 : below(12), sy = below(12);
    const uint32_t what = rng() % 3;
    std::vector<uint8_t> line(r.width * m.pixel);
    if (what == 0) {
      const uint32_t brush = rng();
      state->reg[regs::DP_BRUSH_FRGD_CLR::offset / 4] = brush;
      state->set(Control{c.raw}.ROP3(Control::ROP3__PATCOPY));
      ASSERT_EQ(engine.paint(r), "");
      for (uint32_t i = 0; i < r.width; ++i) std::memcpy(&line[i * m.pixel], &brush, m.pixel);
      for (uint32_t y = 0; y < r.height && m.row(to, to_pitch, r.x, r.y + y, line); ++y) {
      }
    } else if (what == 1) {
      state->set(Control{c.raw}.ROP3(Control::ROP3__SRCCOPY).DP_SRC_SOURCE(Control::DP_SRC_SOURCE__MEMORY));
      ASSERT_EQ(engine.blit({sx, sy, r}), "");
      const bool upwards = to + r.y * to_pitch + r.x * m.pixel > from + sy * from_pitch + sx * m.pixel;
      for (uint32_t i = 0; i < r.height && r.width; ++i) {
        const uint32_t y = upwards ? r.height - 1 - i : i;
        if (!m.fits(from, from_pitch, sx, sy + y, r.width)) break;
        std::memcpy(line.data(), &m.bytes[from + (sy + y) * from_pitch + sx * m.pixel], line.size());
        if (!m.row(to, to_pitch, r.x, r.y + y, line)) break;
      }
    } else {
      const size_t row_bytes = (line.size() + 3) & ~size_t{3};
      std::vector<uint32_t> data(row_bytes / 4 * r.height);
      for (uint32_t& w : data) w = rng();
      state->set(Control{c.raw}.ROP3(Control::ROP3__SRCCOPY).DP_SRC_SOURCE(Control::DP_SRC_SOURCE__HOST_DATA));
      ASSERT_EQ(engine.host_blit({r, data}), "");
      for (uint32_t y = 0; y < r.height && r.width; ++y) {
        std::memcpy(line.data(), reinterpret_cast<const uint8_t*>(data.data()) + y * row_bytes, line.size());
        if (!m.row(to, to_pitch, r.x, r.y + y, line)) break;
      }
    }
    ASSERT_EQ(std::memcmp(memory->host_pointer(kBase), m.bytes.data(), kSize), 0) << "seed " << seed << " operation " << what;
  }
}

/// Without clipping and offsets of its own an operation takes the default ones; sources have a clip rectangle; bits of host data choose
/// between two colours.
TEST(Engine2d, DefaultsSourceClipAndTwoColours) {
  auto state = std::make_unique<ChipState>(Profile::r500);
  auto memory = Memory::create();
  memory->map(kBase, kSize);
  Team team(1);
  Crew crew(team, transfer::kMostHelpers);
  Engine2d engine(*state, *memory, crew);
  const auto raw = [&](uint32_t offset, uint32_t value) { state->reg[offset / 4] = value; };
  const auto pixel = [&](uint32_t x, uint32_t y) { return memory->load<uint32_t>(kBase + 1024 + y * 128 + x * 4); };
  raw(regs::DEFAULT_OFFSET::offset, regs::DST_PITCH_OFFSET{}.OFFSET((kBase + 1024) / 1024).PITCH(2).raw);
  raw(regs::DP_WRITE_MASK::offset, ~0u);
  raw(regs::DP_BRUSH_FRGD_CLR::offset, 0x11223344);
  const Control c =
      Control{}.BRUSH_TYPE(Control::BRUSH_TYPE__SOLID).DST_TYPE(Control::DST_TYPE__ARGB8888).SRC_TYPE(Control::SRC_TYPE__COLOR);
  state->set(regs::DEFAULT_SC_BOTTOM_RIGHT{}.RIGHT(5).BOTTOM(3));
  state->set(Control{c}.ROP3(Control::ROP3__PATCOPY));
  ASSERT_EQ(engine.paint({2, 1, 10, 10}), "");
  for (uint32_t y = 0; y < 8; ++y)
    for (uint32_t x = 0; x < 16; ++x) EXPECT_EQ(pixel(x, y), x >= 2 && x < 5 && y >= 1 && y < 3 ? 0x11223344u : 0u) << x << "," << y;

  state->set(regs::DEFAULT_SC_BOTTOM_RIGHT{});  // none
  state->set(regs::SRC_SC_BOTTOM_RIGHT{}.RIGHT(4).BOTTOM(2));
  state->set(Control{c}.ROP3(Control::ROP3__SRCCOPY).DP_SRC_SOURCE(Control::DP_SRC_SOURCE__MEMORY).SRC_CLIPPING(1));
  ASSERT_EQ(engine.blit({2, 1, {20, 5, 3, 2}}), "");
  for (uint32_t y = 4; y < 8; ++y)
    for (uint32_t x = 18; x < 26; ++x) EXPECT_EQ(pixel(x, y), x >= 20 && x < 22 && y == 5 ? 0x11223344u : 0u) << x << "," << y;

  raw(regs::DP_SRC_FRGD_CLR::offset, 0xAAAAAAAA);
  raw(regs::DP_SRC_BKGD_CLR::offset, 0xBBBBBBBB);
  state->set(Control{c}
                 .ROP3(Control::ROP3__SRCCOPY)
                 .SRC_TYPE(Control::SRC_TYPE__MONO_OPAQUE)
                 .DP_SRC_SOURCE(Control::DP_SRC_SOURCE__HOST_DATA)
                 .BYTE_PIX_ORDER(Control::BYTE_PIX_ORDER__LSB_TO_MSB));
  const uint32_t bits[] = {0b0101};
  ASSERT_EQ(engine.host_blit({{0, 8, 4, 1}, bits}), "");
  for (uint32_t x = 0; x < 4; ++x) EXPECT_EQ(pixel(x, 8), x % 2 ? 0xBBBBBBBBu : 0xAAAAAAAAu);

  // RBBM_GUICNTL swaps the bytes of host data.
  const std::pair<uint32_t, uint32_t> swaps[] = {{0, 0x11223344}, {1, 0x22114433}, {2, 0x44332211}, {3, 0x33441122}};
  for (const auto& [code, wanted] : swaps) {
    state->set(regs::RBBM_GUICNTL{}.HOST_DATA_SWAP(code));
    state->set(Control{c}.ROP3(Control::ROP3__SRCCOPY).DP_SRC_SOURCE(Control::DP_SRC_SOURCE__HOST_DATA));
    const uint32_t word[] = {0x11223344};
    ASSERT_EQ(engine.host_blit({{7, 9, 1, 1}, word}), "");
    EXPECT_EQ(pixel(7, 9), wanted) << code;
  }
}

}  // namespace
}  // namespace pumice::hw::test
