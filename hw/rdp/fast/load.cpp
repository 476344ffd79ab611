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

typedef uint32_t Words __attribute__((vector_size(32)));  // four
typedef uint32_t Pair __attribute__((vector_size(16)));
typedef uint16_t Halves __attribute__((vector_size(16)));

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
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4) {
    Words v;
    std::memcpy(&v, from + 8 * i, sizeof v);
    if constexpr (host_words) {
      v = v << 16 | v >> 16;
      v = (v & 0x00FF00FF) << 8 | (v >> 8 & 0x00FF00FF);
    }
    if constexpr (odd) v = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
    std::memcpy(to + 8 * i, &v, sizeof v);
  }
  for (; i < count; ++i) copy_word<host_words, odd>(from + 8 * i, to + 8 * i);
}

/// `count` words to word `at` of TMEM and on, which wraps.
template <bool host_words>
inline void copy_run(const uint8_t* from, Tmem& tmem, uint32_t at, uint32_t count, bool odd) {
  at %= kTmemWords;
  if (at + count <= kTmemWords) {
    uint8_t* to = tmem.data() + 8 * at;
    return odd ? copy_words<host_words, true>(from, to, count) : copy_words<host_words, false>(from, to, count);
  }
  while (count) {
    at %= kTmemWords;
    const uint32_t n = std::min(count, kTmemWords - at);
    uint8_t* to = tmem.data() + 8 * at;
    odd ? copy_words<host_words, true>(from, to, n) : copy_words<host_words, false>(from, to, n);
    from += 8 * n, at += n, count -= n;
  }
}

/// A block's words, line by line; t is the line in 11 fractional bits. Lines are of the same length mostly: the one before is tried first.
template <bool host_words>
void copy_block(const uint8_t* from, const Tile& tile, Tmem& tmem, uint32_t words, uint32_t dxt) {
  uint32_t n = 0;
  for (uint32_t word = 0, t = 0; word < words; word += n, t += n * dxt) {
    const uint32_t line = t >> 11, next = (line + 1) << 11;
    if (!n || t + (n - 1) * dxt >= next || t + n * dxt < next) n = (next - t + dxt - 1) / dxt;
    n = std::min(n, words - word);
    copy_run<host_words>(from + 8 * word, tmem, row_of(tile, line) + word, n, line & 1);
  }
}

void copy_run(const Rdram& ram, uint32_t address, Tmem& tmem, uint32_t at, uint32_t count, bool odd) {
  const auto copy = ram.host_words() ? copy_run<true> : copy_run<false>;
  copy(ram.data() + address, tmem, at, count, odd);
}

/// `count` entries of a palette from byte `first` of memory, each four times. Words of host order hold entries in pairs, second one first.
template <bool host_words>
void spread_entries(const uint8_t* ram, uint32_t first, uint8_t* to, uint32_t count) {
  const auto spread = [&](uint32_t n) {
    uint16_t entry;
    std::memcpy(&entry, ram + ((first + 2 * n) ^ (host_words ? 2u : 0u)), 2);
    const uint64_t word = (host_words ? __builtin_bswap16(entry) : entry) * uint64_t{0x0001000100010001};
    std::memcpy(to + 8 * n, &word, 8);
  };
  uint32_t n = 0;
  if (host_words && first & 2 && count) spread(n++);
  for (; n + 8 <= count; n += 8) {
    Halves v;
    std::memcpy(&v, ram + first + 2 * n, 16);
    if constexpr (host_words) {
      v = v << 8 | v >> 8;
      v = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
    }
    const Pair twice[2] = {(Pair)__builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3),
                           (Pair)__builtin_shufflevector(v, v, 4, 4, 5, 5, 6, 6, 7, 7)};
    for (uint32_t i = 0; i < 4; ++i) {
      const Pair two = twice[i / 2];
      const Pair words = i % 2 ? __builtin_shufflevector(two, two, 2, 2, 3, 3) : __builtin_shufflevector(two, two, 0, 0, 1, 1);
      std::memcpy(to + 8 * (n + 2 * i), &words, 16);
    }
  }
  for (; n < count; ++n) spread(n);
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
  const auto spread = ram.host_words() ? spread_entries<true> : spread_entries<false>;
  for (uint32_t n = 0; n < count;) {
    const uint32_t at = (tile.tmem + n) % kTmemWords, run = std::min(count - n, kTmemWords - at);
    spread(ram.data(), uint32_t(first) + 2 * n, tmem.data() + 8 * at, run);
    n += run;
  }
  return true;
}

}  // namespace pumice::hw::rdp::fast
