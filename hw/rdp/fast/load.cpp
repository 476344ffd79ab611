// SPDX-License-Identifier: MIT
/// Load Tile, Load Block and Load TLUT by runs of words (docs/reference/rdp.md section 13). TMEM holds big-endian words; words of odd lines
/// have their halves exchanged.
#include "hw/rdp/fast/load.h"

#include <algorithm>
#include <cstring>

namespace pumice::hw::rdp::fast {
namespace {

constexpr uint32_t kTmemWords = 512;

/// Whether texel s of a line is in halfword s of 16-bit units or byte s of 8-bit units of that line, so that words follow each other.
bool in_order(const Image& image, const Tile& tile) {
  return tile.format != kYuv && tile.size == image.size && (image.size == k8b || image.size == k16b);
}

bool inside(const Rdram& ram, uint32_t address, uint64_t bytes) { return address % 4 == 0 && uint64_t{address} + bytes <= ram.size(); }

uint32_t row_of(const Tile& tile, uint32_t t) { return ((tile.line * t) & 0x1FF) + tile.tmem; }

template <bool host_words, bool odd>
void copy_word(const uint8_t* from, uint8_t* to) {
  uint64_t v;
  std::memcpy(&v, from, 8);
  if constexpr (host_words) v = __builtin_bswap64(v);
  if constexpr (host_words != odd) v = v << 32 | v >> 32;
  std::memcpy(to, &v, 8);
}

template <bool host_words, bool odd>
void copy_words(const uint8_t* from, uint8_t* to, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) copy_word<host_words, odd>(from + 8 * i, to + 8 * i);
}

/// A block's words while their line has the same number: returns how many of at most `words`. `t` is the line in 11 fractional bits.
template <bool host_words, bool odd>
uint32_t copy_line(const uint8_t* from, Tmem& tmem, uint32_t at, uint32_t words, uint32_t dxt, uint32_t& t) {
  const uint32_t line = t >> 11;
  uint32_t n = 0;
  do {
    copy_word<host_words, odd>(from + 8 * n, tmem.data() + 8 * ((at + n) % kTmemWords));
    ++n, t += dxt;
  } while (n < words && t >> 11 == line);
  return n;
}

template <bool host_words>
void copy_block(const uint8_t* from, const Tile& tile, Tmem& tmem, uint32_t words, uint32_t dxt) {
  for (uint32_t word = 0, t = 0; word < words;) {
    const uint32_t at = row_of(tile, t >> 11) + word;
    const auto copy = t >> 11 & 1 ? copy_line<host_words, true> : copy_line<host_words, false>;
    word += copy(from + 8 * word, tmem, at, words - word, dxt, t);
  }
}

/// `count` words from `address` to word `at` of TMEM and on, which wraps.
void copy_run(const Rdram& ram, uint32_t address, Tmem& tmem, uint32_t at, uint32_t count, bool odd) {
  const uint8_t* from = ram.data() + address;
  while (count) {
    at %= kTmemWords;
    const uint32_t n = std::min(count, kTmemWords - at);
    uint8_t* to = tmem.data() + 8 * at;
    if (ram.host_words())
      odd ? copy_words<true, true>(from, to, n) : copy_words<true, false>(from, to, n);
    else if (odd)
      copy_words<false, true>(from, to, n);
    else
      std::memcpy(to, from, 8 * n);
    from += 8 * n, at += n, count -= n;
  }
}

uint64_t source(const Image& image, uint32_t x, uint32_t y) { return image.address + ((uint64_t{image.width} * y + x) << image.size >> 1); }

}  // namespace

bool load_tile(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem) {
  const Image& image = state.texture_image;
  if (!in_order(image, tile)) return false;
  const uint32_t x = tile.s.low >> 2, x_end = tile.s.high >> 2, y = tile.t.low >> 2, y_end = tile.t.high >> 2;
  if (x > x_end || y > y_end) return true;
  const uint32_t words = (x_end - x) / (16u >> image.size) + 1;
  const uint64_t pitch = uint64_t{image.width} << image.size >> 1, first = source(image, x, y);
  if (pitch % 4 || first > ram.size() || !inside(ram, uint32_t(first), (y_end - y) * pitch + 8 * words)) return false;
  for (uint32_t t = 0; t <= y_end - y; ++t) copy_run(ram, uint32_t(first + t * pitch), tmem, row_of(tile, t), words, t & 1);
  return true;
}

bool load_block(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem) {
  const Image& image = state.texture_image;
  if (!in_order(image, tile)) return false;
  const uint32_t texels = 16u >> image.size, count = (tile.s.high - tile.s.low + 1) & 0xFFF;
  const uint32_t words = (count + texels - 1) / texels, dxt = tile.t.high;
  const uint64_t first = source(image, tile.s.low, tile.t.low & 0x3FF);
  if (first > ram.size() || !inside(ram, uint32_t(first), 8 * words)) return false;
  const uint8_t* from = ram.data() + first;
  if (!dxt)  // one line
    copy_run(ram, uint32_t(first), tmem, tile.tmem, words, false);
  else if (ram.host_words())
    copy_block<true>(from, tile, tmem, words, dxt);
  else
    copy_block<false>(from, tile, tmem, words, dxt);
  return true;
}

bool load_tlut(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem) {
  const Image& image = state.texture_image;
  // Each entry takes a word; texels of four bits are what makes the words follow each other.
  if (tile.size != k4b || tile.format == kYuv) return false;
  const uint32_t x = tile.s.low >> 2, x_end = tile.s.high >> 2;
  const uint64_t first = source(image, x, tile.t.low >> 2);
  if (x > x_end) return true;
  const uint32_t count = x_end - x + 1;
  if (first > ram.size() || !inside(ram, uint32_t(first) & ~3u, 2 * count + 4) || first % 2) return false;
  const uint32_t swap = ram.host_words() ? 2 : 0;
  for (uint32_t n = 0; n < count; ++n) {
    uint16_t entry;
    std::memcpy(&entry, ram.data() + ((uint32_t(first) + 2 * n) ^ swap), 2);
    if (swap) entry = __builtin_bswap16(entry);
    const uint64_t word = entry * uint64_t{0x0001000100010001};
    std::memcpy(tmem.data() + 8 * ((tile.tmem + n) % kTmemWords), &word, 8);
  }
  return true;
}

}  // namespace pumice::hw::rdp::fast
