// SPDX-License-Identifier: MIT
/// ASTC blocks of two dimensions without high dynamic range: 128 bits for 4x4 to 12x12 texels. What decoders must refuse is magenta.
#include <algorithm>
#include <optional>

#include "hw/radeon/decode/xt/block.h"
#include "hw/radeon/decode/xt/block_astc.h"

namespace pumice::hw::xt {
namespace {

using namespace astc;

constexpr Range kWeightRange[12] = {{1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {0, 0, 1}, {1, 1, 0}, {3, 0, 0},
                                    {1, 0, 1}, {2, 1, 0}, {4, 0, 0}, {2, 0, 1}, {3, 1, 0}, {5, 0, 0}};
/// From 256 values down to 6.
constexpr Range kColorRange[17] = {{8, 0, 0}, {6, 1, 0}, {5, 0, 1}, {7, 0, 0}, {5, 1, 0}, {4, 0, 1}, {6, 0, 0}, {4, 1, 0}, {3, 0, 1},
                                   {5, 0, 0}, {3, 1, 0}, {2, 0, 1}, {4, 0, 0}, {2, 1, 0}, {1, 0, 1}, {3, 0, 0}, {1, 1, 0}};

/// The grid of weights.
struct Grid {
  uint32_t width, height;
  Range range;
  bool dual;  ///< two planes of weights
  uint32_t count() const { return width * height * (dual ? 2 : 1); }
};
std::optional<Grid> grid_of(uint32_t mode) {
  uint32_t code = mode >> 4 & 1, high = mode >> 9 & 1, width, height;
  bool dual = mode >> 10 & 1;
  const uint32_t a = mode >> 5 & 3, b = mode >> 7 & 3;
  if (mode & 3) {
    code |= (mode & 3) << 1;
    switch (mode >> 2 & 3) {
      case 0: width = b + 4, height = a + 2; break;
      case 1: width = b + 8, height = a + 2; break;
      case 2: width = a + 2, height = b + 8; break;
      default:
        if (mode & 0x100)
          width = (b & 1) + 2, height = a + 2;
        else
          width = a + 2, height = (b & 1) + 6;
        break;
    }
  } else {
    code |= (mode >> 2 & 3) << 1;
    if (!(mode >> 2 & 3)) return std::nullopt;
    switch (b) {
      case 0: width = 12, height = a + 2; break;
      case 1: width = a + 2, height = 12; break;
      case 2:
        width = a + 6, height = (mode >> 9 & 3) + 6;
        dual = false;
        high = 0;
        break;
      default:
        if (a > 1) return std::nullopt;
        width = a ? 10 : 6, height = a ? 6 : 10;
        break;
    }
  }
  if (code < 2) return std::nullopt;
  return Grid{width, height, kWeightRange[code - 2 + 6 * high], dual};
}

struct Texel {
  uint32_t x, y, width, height;  ///< and the block's extent
};

/// The weight of a texel: the nearest four of the grid, in sixteenths.
uint32_t weight_at(const Bits& weights, const Grid& g, uint32_t bits, uint32_t plane, const Texel& t) {
  const auto place = [](uint32_t at, uint32_t texels, uint32_t steps) {
    return ((1024 + texels / 2) / (texels - 1) * at * (steps - 1) + 32) >> 6;
  };
  const uint32_t s = place(t.x, t.width, g.width), r = place(t.y, t.height, g.height);
  const uint32_t fs = s & 15, fr = r & 15, w11 = (fs * fr + 8) >> 4;
  const auto stored = [&](uint32_t x, uint32_t y) {
    return weight_of(g.range, sequence_value(weights, g.range, 0, bits, (y * g.width + x) * (g.dual ? 2 : 1) + plane));
  };
  const uint32_t factor[4] = {16 - fs - fr + w11, fs - w11, fr - w11, w11};
  uint32_t sum = 8;
  for (uint32_t i = 0; i < 4; ++i)
    if (factor[i]) sum += factor[i] * stored((s >> 4) + (i & 1), (r >> 4) + (i >> 1));
  return sum >> 4;
}

/// A block of one colour; its extent, which says where neighbours are the same, need not be used but must be right.
std::optional<std::array<uint16_t, 4>> one_color(const Bits& block) {
  if (block.field(9, 1) || block.field(10, 2) != 3) return std::nullopt;
  const uint32_t at[4] = {block.field(12, 13), block.field(25, 13), block.field(38, 13), block.field(51, 13)};
  const bool everywhere = (at[0] & at[1] & at[2] & at[3]) == 0x1FFF;
  if (!everywhere && (at[0] >= at[1] || at[2] >= at[3])) return std::nullopt;
  std::array<uint16_t, 4> c;
  for (uint32_t i = 0; i < 4; ++i) c[i] = uint16_t(block.field(64 + 16 * i, 16));
  return c;
}

std::optional<std::array<uint16_t, 4>> decode(const Bits& block, const Texel& t, bool srgb) {
  const uint32_t mode = block.field(0, 11);
  if ((mode & 0x1FF) == 0x1FC) return one_color(block);
  const std::optional<Grid> grid = grid_of(mode);
  if (!grid || grid->count() > 64 || grid->width > t.width || grid->height > t.height) return std::nullopt;
  const uint32_t weight_bits = sequence_bits(grid->range, grid->count()), partitions = block.field(11, 2) + 1;
  if (weight_bits < 24 || weight_bits > 96 || (grid->dual && partitions == 4)) return std::nullopt;

  // Endpoint modes, one for all or each its own.
  std::array<uint32_t, 4> modes{};
  uint32_t begin = 17, end = 128 - weight_bits;
  if (partitions == 1) {
    modes[0] = block.field(13, 4);
  } else {
    begin = 29;
    const uint32_t kind = block.field(23, 2);
    if (kind == 0) {
      modes.fill(block.field(25, 4));
    } else {
      const uint32_t above = 3 * partitions - 4;
      end -= above;
      const uint32_t code = block.field(25, 4) | block.field(end, above) << 4;
      for (uint32_t i = 0; i < partitions; ++i) modes[i] = (kind - 1 + (code >> i & 1)) << 2 | (code >> (partitions + 2 * i) & 3);
    }
  }
  uint32_t second_plane = 4;  // component
  if (grid->dual) {
    end -= 2;
    second_plane = block.field(end, 2);
  }
  const uint32_t own = partitions == 1 ? 0 : partition_of(block.field(13, 10), t.x, t.y, partitions, t.width * t.height < 31);
  uint32_t values = 0, first = 0;
  for (uint32_t i = 0; i < partitions; ++i) {
    if (i == own) first = values;
    values += 2 * (modes[i] / 4 + 1);
  }
  if (!is_low_range(modes[own])) return std::nullopt;  // the texels of such a partition alone
  if (values > 18 || begin >= end || end - begin < (13 * values + 4) / 5) return std::nullopt;
  const Range* range = kColorRange;
  while (sequence_bits(*range, values) > end - begin) ++range;
  std::array<int32_t, 8> v{};
  for (uint32_t i = 0; i < 2 * (modes[own] / 4 + 1); ++i)
    v[i] = int32_t(component_of(*range, sequence_value(block, *range, begin, begin + sequence_bits(*range, values), first + i)));
  const Endpoints e = endpoints_of(modes[own], v);

  const Bits weights = block.reversed();
  std::array<uint16_t, 4> out;
  uint32_t weight[2];
  for (uint32_t plane = 0; plane < (grid->dual ? 2 : 1); ++plane) weight[plane] = weight_at(weights, *grid, weight_bits, plane, t);
  for (uint32_t c = 0; c < 4; ++c) {
    const uint32_t w = weight[c == second_plane];
    const auto wide = [&](int32_t x) { return uint32_t(x) << 8 | (srgb && c < 3 ? 0x80u : uint32_t(x)); };
    out[c] = uint16_t((wide(e.a[c]) * (64 - w) + wide(e.b[c]) * w + 32) >> 6);
  }
  return out;
}

}  // namespace

std::array<uint16_t, 4> decode_astc(const uint8_t* block, uint32_t x, uint32_t y, uint32_t width, uint32_t height, bool srgb) {
  constexpr std::array<uint16_t, 4> kError = {0xFFFF, 0, 0xFFFF, 0xFFFF};
  return decode(Bits(block), {x, y, width, height}, srgb).value_or(kError);
}

}  // namespace pumice::hw::xt
