// SPDX-License-Identifier: MIT
/// BC6H and BC7 blocks: 128 bits, lowest first; texels in rows. Integer arithmetic, as the formats are defined.
#include <cstring>
#include <string_view>
#include <utility>

#include "hw/radeon/decode/xt/block.h"

namespace pumice::hw::xt {
namespace {

/// The bits of a block, from the lowest up.
class Bits {
 public:
  explicit Bits(const uint8_t* block) {
    std::memcpy(&low_, block, sizeof low_);
    std::memcpy(&high_, block + sizeof low_, sizeof high_);
  }
  uint32_t take(uint32_t n) {  // at most 32
    if (n == 0) return 0;
    const auto v = uint32_t(low_ & ((uint64_t{1} << n) - 1));
    low_ = low_ >> n | high_ << (64 - n), high_ >>= n;
    return v;
  }

 private:
  uint64_t low_ = 0, high_ = 0;
};

// Which subset a texel belongs to: a bit for each of 16 texels with two subsets, two bits with three.
constexpr uint16_t kTwo[64] = {0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8,
                               0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE, 0x088C, 0x3110,
                               0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696,
                               0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720,
                               0xC936, 0x936C, 0x39C6, 0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22};
constexpr uint32_t kThree[64] = {
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050, 0xAA550000, 0xAA555500, 0xAAAA5500,
    0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250, 0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040,
    0xA4A45000, 0x1A1A0500, 0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200, 0xA9A58000,
    0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50, 0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0,
    0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600, 0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414,
    0x96960000, 0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254};
// The texel of each subset but the first whose index lacks its highest bit, which is 0.
constexpr uint8_t kAnchorOfTwo[64] = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2, 2, 8,
                                      8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8, 2, 2,
                                      2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15};
constexpr uint8_t kAnchorsOfThree[2][64] = {
    {3, 3,  15, 15, 8, 3,  15, 15, 8,  8, 6,  6, 6,  5,  3,  3,  3, 3,  8, 15, 3, 3, 6, 10, 5, 8,  8, 6,  8,  5,  15, 15,
     8, 15, 3,  5,  6, 10, 8,  15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5,  5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3,  3},
    {15, 8, 8,  3,  15, 15, 3, 8,  15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15, 3,  15, 8,  15, 8,  3,  15, 6,  10, 15, 15, 10, 8,
     15, 3, 15, 10, 10, 8,  9, 10, 6,  15, 8,  15, 3,  6,  6,  8, 15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8}};

constexpr uint8_t kWeights2[4] = {0, 21, 43, 64};
constexpr uint8_t kWeights3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
constexpr uint8_t kWeights4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
int32_t weight(uint32_t bits, uint32_t index) { return bits == 2 ? kWeights2[index] : bits == 3 ? kWeights3[index] : kWeights4[index]; }
int32_t between(int32_t a, int32_t b, int32_t w) { return ((64 - w) * a + w * b + 32) >> 6; }

struct Partition {
  uint32_t subsets, number;
  uint32_t subset(uint32_t texel) const {
    return subsets == 1 ? 0 : subsets == 2 ? kTwo[number] >> texel & 1u : kThree[number] >> 2 * texel & 3u;
  }
  bool anchor(uint32_t texel) const {
    if (texel == 0) return true;
    if (subsets == 2) return texel == kAnchorOfTwo[number];
    return subsets == 3 && (texel == kAnchorsOfThree[0][number] || texel == kAnchorsOfThree[1][number]);
  }
};

/// The indices of all texels.
std::array<uint8_t, 16> take_indices(Bits& in, const Partition& p, uint32_t bits) {
  std::array<uint8_t, 16> index;
  for (uint32_t i = 0; i < 16; ++i) index[i] = uint8_t(in.take(bits - (p.anchor(i) ? 1u : 0u)));
  return index;
}

struct Mode7 {
  uint8_t subsets, partition_bits, rotation_bits, selection_bits, color_bits, alpha_bits, endpoint_p, subset_p, index_bits, second_bits;
};
constexpr Mode7 kModes7[8] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
                              {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                              {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};

/// A bit of an endpoint: `field` is 4 * channel + endpoint (w, x, y, z).
struct Place {
  uint8_t field, bit;
};
struct Layout6 {
  uint8_t bits = 0;                ///< of an endpoint
  std::array<uint8_t, 3> delta{};  ///< bits of differences; 0: all endpoints are whole
  uint8_t places = 0;
  std::array<Place, 77> place{};
};
/// Fields in the order of their bits: rw9:0 is red of endpoint w from bit 0 up to 9, rw10:15 from bit 15 down to 10.
consteval Layout6 layout6(uint8_t bits, std::array<uint8_t, 3> delta, std::string_view text) {
  Layout6 out{bits, delta, 0, {}};
  const auto number = [&](size_t& i) {
    uint8_t v = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') v = uint8_t(v * 10 + (text[i++] - '0'));
    return v;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const uint8_t channel = text[i] == 'r' ? 0 : text[i] == 'g' ? 1 : 2, field = uint8_t(4 * channel + (text[i + 1] - 'w'));
    i += 2;
    const uint8_t a = number(i);
    uint8_t b = a;
    if (i < text.size() && text[i] == ':') b = number(++i);
    if (a >= b) {
      for (uint8_t bit = b; bit <= a; ++bit) out.place[out.places++] = {field, bit};
    } else {
      for (uint8_t bit = b; bit >= a; --bit) out.place[out.places++] = {field, bit};
    }
  }
  return out;
}
constexpr Layout6 kLayouts6[14] = {
    layout6(10, {5, 5, 5}, "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"),
    layout6(7, {6, 6, 6},
            "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0"),
    layout6(11, {5, 4, 4}, "rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"),
    layout6(11, {4, 5, 4}, "rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3"),
    layout6(11, {4, 4, 5}, "rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3"),
    layout6(9, {5, 5, 5}, "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"),
    layout6(8, {6, 5, 5}, "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0"),
    layout6(8, {5, 6, 5}, "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"),
    layout6(8, {5, 5, 6}, "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3"),
    layout6(6, {0, 0, 0},
            "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0"),
    layout6(10, {0, 0, 0}, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0"),
    layout6(11, {9, 9, 9}, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10"),
    layout6(12, {8, 8, 8}, "rw9:0 gw9:0 bw9:0 rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11"),
    layout6(16, {4, 4, 4}, "rw9:0 gw9:0 bw9:0 rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15")};
static_assert(kLayouts6[0].places == 75 && kLayouts6[1].places == 75 && kLayouts6[2].places == 72 && kLayouts6[9].places == 72);
static_assert(kLayouts6[10].places == 60 && kLayouts6[11].places == 60 && kLayouts6[12].places == 60 && kLayouts6[13].places == 60);

/// The layout by the mode's bits, null for reserved ones.
const Layout6* mode6(Bits& in) {
  const uint32_t low = in.take(2);
  if (low < 2) return &kLayouts6[low];
  const uint32_t high = in.take(3);
  if (low == 2) return &kLayouts6[2 + high];
  return high < 4 ? &kLayouts6[10 + high] : nullptr;
}

int32_t sign_extended(int32_t v, uint32_t bits) { return int32_t(uint32_t(v) << (32 - bits)) >> (32 - bits); }

int32_t unquantized(int32_t v, uint32_t bits, bool is_signed) {
  if (!is_signed) {
    if (bits >= 15 || v == 0) return v;
    return v == (1 << bits) - 1 ? 0xFFFF : ((v << 16) + 0x8000) >> bits;
  }
  if (bits >= 16 || v == 0) return v;
  const int32_t size = v < 0 ? -v : v, out = size >= (1 << (bits - 1)) - 1 ? 0x7FFF : ((size << 15) + 0x4000) >> (bits - 1);
  return v < 0 ? -out : out;
}

/// A block of BC7 but for its texels.
class Block7 {
 public:
  explicit Block7(const uint8_t* block) {
    Bits in(block);
    uint32_t number = 0;
    while (number < 8 && !in.take(1)) ++number;
    if (number == 8) return;
    mode_ = &kModes7[number];
    const Mode7& m = *mode_;
    partition_ = {m.subsets, in.take(m.partition_bits)};
    rotation_ = in.take(m.rotation_bits), selection_ = in.take(m.selection_bits);
    for (uint32_t c = 0; c < 4; ++c)
      for (uint32_t e = 0; e < 2u * m.subsets; ++e) end_[e][c] = int32_t(in.take(c < 3 ? m.color_bits : m.alpha_bits));
    uint32_t color_bits = m.color_bits, alpha_bits = m.alpha_bits;
    if (m.endpoint_p || m.subset_p) {
      uint32_t bit = 0;
      for (uint32_t e = 0; e < 2u * m.subsets; ++e) {
        if (m.endpoint_p || e % 2 == 0) bit = in.take(1);
        for (int32_t& v : end_[e]) v = v << 1 | int32_t(bit);
      }
      ++color_bits;
      if (alpha_bits) ++alpha_bits;
    }
    for (uint32_t e = 0; e < 2u * m.subsets; ++e)
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t n = c < 3 ? color_bits : alpha_bits;
        end_[e][c] = n == 0 ? 255 : end_[e][c] << (8 - n) | end_[e][c] >> (2 * n - 8);
      }
    first_ = take_indices(in, partition_, m.index_bits);
    if (m.second_bits) second_ = take_indices(in, partition_, m.second_bits);
  }
  std::array<uint8_t, 4> texel(uint32_t n) const {
    if (!mode_) return {};
    const Mode7& m = *mode_;
    const int32_t w1 = weight(m.index_bits, first_[n]), w2 = m.second_bits ? weight(m.second_bits, second_[n]) : w1;
    const auto &a = end_[2 * partition_.subset(n)], &b = end_[2 * partition_.subset(n) + 1];
    std::array<uint8_t, 4> out;
    for (uint32_t c = 0; c < 4; ++c) out[c] = uint8_t(between(a[c], b[c], (c < 3) == (selection_ == 0) ? w1 : w2));
    if (rotation_) std::swap(out[3], out[rotation_ - 1]);
    return out;
  }

 private:
  const Mode7* mode_ = nullptr;  ///< none: the reserved one
  Partition partition_{};
  uint32_t rotation_ = 0, selection_ = 0;
  int32_t end_[6][4];
  std::array<uint8_t, 16> first_{}, second_{};
};

/// A block of BC6H but for its texels.
class Block6 {
 public:
  Block6(const uint8_t* block, bool is_signed) : is_signed_(is_signed) {
    Bits in(block);
    const Layout6* m = mode6(in);
    if (!m) return;
    known_ = true;
    int32_t end[12] = {};
    for (uint32_t i = 0; i < m->places; ++i) end[m->place[i].field] |= int32_t(in.take(1) << m->place[i].bit);
    const bool one = m >= &kLayouts6[10];
    partition_ = {one ? 1u : 2u, one ? 0u : in.take(5)};
    bits_ = one ? 4 : 3;
    index_ = take_indices(in, partition_, bits_);
    for (uint32_t e = 0; e < 2 * partition_.subsets; ++e)
      for (uint32_t c = 0; c < 3; ++c) {
        int32_t v = end[4 * c + e];
        if (e > 0 && m->delta[c]) v = (end[4 * c] + sign_extended(v, m->delta[c])) & ((1 << m->bits) - 1);
        end_[e][c] = unquantized(is_signed ? sign_extended(v, m->bits) : v, m->bits, is_signed);
      }
  }
  std::array<uint16_t, 3> texel(uint32_t n) const {
    if (!known_) return {};
    const int32_t w = weight(bits_, index_[n]);
    const auto &a = end_[2 * partition_.subset(n)], &b = end_[2 * partition_.subset(n) + 1];
    std::array<uint16_t, 3> out;
    for (uint32_t c = 0; c < 3; ++c) {
      const int32_t v = between(a[c], b[c], w);
      if (!is_signed_) {
        out[c] = uint16_t(v * 31 >> 6);
      } else {
        out[c] = uint16_t(v < 0 ? (-v * 31 >> 5) | 0x8000 : v * 31 >> 5);
      }
    }
    return out;
  }

 private:
  bool known_ = false;  ///< else of a reserved mode
  bool is_signed_;
  Partition partition_{};
  uint32_t bits_ = 0;
  int32_t end_[4][3];
  std::array<uint8_t, 16> index_{};
};

template <class Texel, class Block>
std::array<Texel, 16> texels_of(const Block& block) {
  std::array<Texel, 16> out;
  for (uint32_t n = 0; n < 16; ++n) out[n] = block.texel(n);
  return out;
}

}  // namespace

std::array<uint8_t, 4> decode_bc7(const uint8_t* block, uint32_t x, uint32_t y) { return Block7(block).texel(4 * y + x); }
std::array<uint16_t, 3> decode_bc6h(const uint8_t* block, uint32_t x, uint32_t y, bool is_signed) {
  return Block6(block, is_signed).texel(4 * y + x);
}
std::array<std::array<uint8_t, 4>, 16> decode_bc7_block(const uint8_t* block) { return texels_of<std::array<uint8_t, 4>>(Block7(block)); }
std::array<std::array<uint16_t, 3>, 16> decode_bc6h_block(const uint8_t* block, bool is_signed) {
  return texels_of<std::array<uint16_t, 3>>(Block6(block, is_signed));
}

}  // namespace pumice::hw::xt
