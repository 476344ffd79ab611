// SPDX-License-Identifier: MIT
/// Load Tile, Load Block and Load TLUT (docs/reference/rdp.md section 13).
#include "hw/rdp/ref/load.h"

namespace pumice::hw::rdp {
namespace {

struct Loader {
  const State& state;
  const Tile& tile;
  Tmem& tmem;

  /// Puts one 64-bit source word at texel (s, t) of the tile.
  void store(uint64_t word, uint32_t s, uint32_t t) {
    const uint32_t row = ((tile.line * t) & 0x1FF) + tile.tmem;
    const bool yuv = tile.format == kYuv;
    uint32_t h = 0;
    if (tile.size == k8b || yuv)
      h = s >> 1;
    else
      h = tile.size == k4b ? s >> 2 : s;
    h &= 0x7FF;
    const uint32_t a = (row * 4 + h) & 0x7FD;
    const bool odd = t & 1;
    const bool split = yuv || (tile.format == kRgba && tile.size == k32b);
    if (!split && a % 4 == 0) return tmem.set_word(a, odd ? word << 32 | word >> 32 : word);
    std::array<uint32_t, 4> v{};
    for (int i = 0; i < 4; ++i) v[i] = static_cast<uint32_t>(word >> (48 - 16 * i)) & 0xFFFF;
    if (yuv) {
      const auto pack = [&](int i, int shift) { return (v[i] >> shift & 0xFF) << 8 | (v[i + 1] >> shift & 0xFF); };
      store_pair(a, h, odd, {pack(0, 8), pack(2, 8)}, {pack(0, 0), pack(2, 0)});
    } else if (tile.format == kRgba && tile.size == k32b) {
      store_pair(a, h, odd, {v[0], v[2]}, {v[1], v[3]});
    } else {
      // Each halfword has its bank; a run that does not start on a word wraps into the next one.
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t at = (a + i) & 0x7FF;
        tmem.set_half(at, v[(at & 3) ^ (odd ? 2 : 0)]);
      }
    }
  }

  /// 32-bit RGBA and YUV: one pair of halfwords into each half of TMEM.
  void store_pair(uint32_t a, uint32_t h, bool odd, std::array<uint32_t, 2> low, std::array<uint32_t, 2> high) {
    const uint32_t p = (a & 0x3FC) + (((h >> 1 & 1) != 0) != odd ? 2 : 0);
    for (uint32_t i = 0; i < 2; ++i) {
      tmem.set_half(p + i, low[i]);
      tmem.set_half(0x400 + p + i, high[i]);
    }
  }

  uint32_t source(const Image& image, uint32_t x, uint32_t y) const { return image.address + ((image.width * y + x) << image.size >> 1); }
};

}  // namespace

void load_tile(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem) {
  Loader loader{state, tile, tmem};
  const Image& image = state.texture_image;
  const uint32_t texels = 16u >> image.size;  // in 64 bits
  const uint32_t x = tile.s.low >> 2, x_end = tile.s.high >> 2, y = tile.t.low >> 2, y_end = tile.t.high >> 2;
  for (uint32_t j = y; j <= y_end; ++j)
    for (uint32_t s = 0; x + s <= x_end; s += texels) loader.store(ram.read64(loader.source(image, x + s, j)), s, j - y);
}

void load_block(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem) {
  Loader loader{state, tile, tmem};
  const Image& image = state.texture_image;
  const uint32_t texels = 16u >> image.size;
  const uint32_t count = (tile.s.high - tile.s.low + 1) & 0xFFF;
  const uint32_t address = loader.source(image, tile.s.low, tile.t.low & 0x3FF);
  uint32_t t = 0;
  for (uint32_t s = 0, word = 0; s < count; s += texels, ++word, t += tile.t.high) loader.store(ram.read64(address + 8 * word), s, t >> 11);
}

void load_tlut(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem) {
  Loader loader{state, tile, tmem};
  const Image& image = state.texture_image;
  const uint32_t x = tile.s.low >> 2, x_end = tile.s.high >> 2;
  for (uint32_t n = 0; x + n <= x_end; ++n) {
    const uint32_t address = loader.source(image, x + n, tile.t.low >> 2);
    const uint64_t entry = ram.read8(address) << 8 | ram.read8(address + 1);
    loader.store(entry * 0x0001000100010001u, 16 * n, 0);
  }
}

}  // namespace pumice::hw::rdp
