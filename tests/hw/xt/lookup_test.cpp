// SPDX-License-Identifier: MIT
// Lookups of r5x images against values computed here from Vulkan's equations.
#include "hw/radeon/ref/xt/lookup.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "hw/db/formats.h"

namespace pumice::hw::xt {
namespace {

constexpr uint64_t kBase = 0x10000;

float f(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t b(float v) { return std::bit_cast<uint32_t>(v); }

class Lookup : public ::testing::Test {
 protected:
  Lookup() : memory(Memory::create(32)) { memory->map(kBase, 1 << 20); }

  /// An image of R32_SFLOAT whose texel (x, y, layer) of level l is x + 10 y + 100 layer + 1000 l.
  Image image(Dim dim, uint32_t width, uint32_t height, uint32_t layers, uint8_t levels = 1) {
    Image i;
    i.base = kBase;
    i.format = formats::R32_SFLOAT;
    i.dim = dim;
    i.width = width;
    i.height = height;
    (dim == Dim::d3 ? i.depth : i.layers) = layers;
    i.levels = levels;
    i.last_level = uint8_t(levels - 1);
    i.pitch = width * 4;
    i.layer_pitch = 1 << 14;
    for (uint32_t l = 0; l < levels; ++l) {
      const Level level = level_of(i, l);
      for (uint32_t n = 0; n < (dim == Dim::d3 ? level.depth : layers); ++n)
        for (uint32_t y = 0; y < level.height; ++y)
          for (uint32_t x = 0; x < level.width; ++x) {
            const bool volume = dim == Dim::d3;
            memory->store(address_of(i, level, volume ? 0 : n, x, y, volume ? n : 0, 0),
                          float(x) + 10 * float(y) + 100 * float(n) + 1000 * float(l));
          }
    }
    return i;
  }
  static Sampler sampler(bool linear, Address address) {
    Sampler s;
    s.mag_linear = s.min_linear = linear;
    s.address = {address, address, address};
    s.max_lod = 100;
    return s;
  }
  static Request at(float x, float y, float z = 0, float w = 0) {
    Request r;
    r.coord = {b(x), b(y), b(z), b(w)};
    r.mode = Lod::level;
    return r;
  }
  float value(const Image& i, const Sampler& s, const Request& r) { return f(sample(*memory, i, s, r)[0]); }

  std::unique_ptr<Memory> memory;
};

TEST_F(Lookup, TexelBuffersEndWhereTheirBytesEnd) {
  const uint32_t words[3] = {7, 8, 9};
  memory->write(kBase, words, sizeof words);
  for (const uint32_t bytes : {0u, 3u, 4u, 11u}) {
    const std::array<uint32_t, kImageDwords> descriptor = {uint32_t(kBase), formats::R32_UINT << 16 | uint32_t(Dim::buffer) << 24, bytes,
                                                           2};
    const Image i = decode_image(descriptor);
    const uint32_t count = bytes / 4;
    EXPECT_EQ(query_size(i, 0), (count ? Bits4{count, 2, 0, 0} : Bits4{}));
    for (int32_t x = 0; x < 3; ++x) {
      const bool inside = uint32_t(x) < count;
      EXPECT_EQ(load(*memory, i, {x, 0, 0, 0}), (count ? Bits4{inside ? words[x] : 0, 0, 0, 1} : Bits4{}))
          << bytes << " bytes, texel " << x;
      EXPECT_EQ(texel_address(i, {x, 0, 0, 0}, 4), inside ? kBase + 4 * uint32_t(x) : 0);
      EXPECT_EQ(texel_address(i, {x, 0, 0, 0}, 8), 0u);
      store(*memory, i, {x, 0, 0, 0}, {100, 0, 0, 0});
      EXPECT_EQ(memory->load<uint32_t>(kBase + 4 * uint32_t(x)), inside ? 100u : words[x]);
      memory->write(kBase, words, sizeof words);
    }
  }
}

TEST_F(Lookup, NearestTakesTheTexelThatTheCoordinateLiesIn) {
  const Image i = image(Dim::d2, 5, 3, 1);
  const Sampler s = sampler(false, Address::clamp_to_edge);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) EXPECT_EQ(value(i, s, at((float(x) + 0.9f) / 5, (float(y) + 0.1f) / 3)), float(x + 10 * y));
}

TEST_F(Lookup, AddressModesOfSizesThatAreNoPowersOfTwo) {
  const Image i = image(Dim::d1, 5, 1, 1);
  const auto texel = [&](Address a, int x) { return value(i, sampler(false, a), at((float(x) + 0.5f) / 5, 0)); };
  for (int x = -12; x < 12; ++x) {
    EXPECT_EQ(texel(Address::repeat, x), float(((x % 5) + 5) % 5)) << x;
    const int m = ((x % 10) + 10) % 10;
    EXPECT_EQ(texel(Address::mirrored_repeat, x), float(m < 5 ? m : 9 - m)) << x;
    EXPECT_EQ(texel(Address::clamp_to_edge, x), float(std::clamp(x, 0, 4))) << x;
    EXPECT_EQ(texel(Address::clamp_to_border, x), x < 0 || x > 4 ? 0.0f : float(x)) << x;
    EXPECT_EQ(texel(Address::mirror_clamp_to_edge, x), float(std::min(x < 0 ? -1 - x : x, 4))) << x;
  }
}

TEST_F(Lookup, LinearBlendsTwoFourAndEightTexels) {
  const Sampler s = sampler(true, Address::clamp_to_edge);
  EXPECT_EQ(value(image(Dim::d1, 4, 1, 1), s, at(1.75f / 4, 0)), 1.25f);
  EXPECT_EQ(value(image(Dim::d2, 4, 4, 1), s, at(2.0f / 4, 1.75f / 4)), 1.5f + 12.5f);
  EXPECT_EQ(value(image(Dim::d3, 4, 4, 4), s, at(2.0f / 4, 2.0f / 4, 2.5f / 4)), 1.5f + 15 + 200);
  EXPECT_EQ(value(image(Dim::d1, 4, 1, 1), sampler(true, Address::repeat), at(0, 0)), 1.5f);  // across the seam: 3 and 0
}

TEST_F(Lookup, LayersAreRoundedAndClamped) {
  const Image i = image(Dim::d2_array, 2, 2, 4);
  const Sampler s = sampler(false, Address::repeat);
  for (const auto& [layer, expected] : {std::pair{0.4f, 0.0f}, {0.6f, 100.0f}, {2.5f, 200.0f}, {-3.0f, 0.0f}, {9.0f, 300.0f}, {NAN, 0.0f}})
    EXPECT_EQ(value(i, s, at(0.1f, 0.1f, layer)), expected) << layer;
}

TEST_F(Lookup, LevelsByGradientsBiasAndClamps) {
  const Image i = image(Dim::d2, 16, 16, 1, 5);
  Sampler s = sampler(false, Address::repeat);
  Request r = at(0.01f, 0.01f);
  r.mode = Lod::gradients;
  r.dx = {4.0f / 16, 0, 0};
  EXPECT_EQ(value(i, s, r), 2000.0f);
  s.mip_linear = true;
  r.dx = {6.0f / 16, 0, 0};  // log2 6 = 2.585
  EXPECT_NEAR(value(i, s, r), 2585, 6);
  r.mode = Lod::bias;
  r.lod = -1;
  EXPECT_NEAR(value(i, s, r), 1585, 6);
  s.max_lod = 1;
  EXPECT_EQ(value(i, s, r), 1000.0f);
  s.min_lod = s.max_lod = 3;
  EXPECT_EQ(value(i, s, r), 3000.0f);
}

TEST_F(Lookup, CubeEdgesBlendWithTheNeighbour) {
  const Image i = image(Dim::cube, 2, 2, 6);
  const Sampler s = sampler(true, Address::clamp_to_edge);
  // On the edge between +X (layer 0) and +Z (layer 4), half way down: +X's s = 0 meets +Z's s = 1.
  const float left = 0 + (0 + 10) / 2.0f, right = 400 + 1 + (0 + 10) / 2.0f;
  EXPECT_NEAR(value(i, s, at(1, 0, 1)), (left + right) / 2, 1e-3);
  // At the corner +X +Y +Z the mean of three texels: +X (0,0), +Y (1,1) of layer 2, +Z (1,0).
  EXPECT_NEAR(value(i, s, at(1, 1, 1)), (0 + (200 + 1 + 10) + (400 + 1)) / 3.0f, 0.2);
}

TEST_F(Lookup, ComparisonIsFilteredAfterwards) {
  const Image i = image(Dim::d2, 4, 1, 1);
  Sampler s = sampler(true, Address::clamp_to_edge);
  s.compare = Compare::less;
  Request r = at(2.25f / 4, 0.5f);  // texels 1 and 2, weights 1/4 and 3/4
  r.compare = true;
  r.reference = 1.5f;
  EXPECT_EQ(value(i, s, r), 0.75f);
}

TEST_F(Lookup, BorderColorsOfOnesOwn) {
  Image i = image(Dim::d2, 4, 4, 1);
  Sampler s = sampler(true, Address::clamp_to_border);
  s.border = Border::custom;
  s.border_color = {b(-40.0f), b(0.25f), b(7.0f), b(0.5f)};
  const Request beyond = at(-2, 0.5f), half = at(0, 0.125f);
  EXPECT_EQ(value(i, s, beyond), -40.0f);
  EXPECT_EQ(value(i, s, half), -20.0f);  // of texel 0 and the border
  const auto color = [&](uint8_t format) {
    i.format = format;
    const Bits4 v = sample(*memory, i, s, beyond);
    return std::array{f(v[0]), f(v[1]), f(v[2]), f(v[3])};
  };
  EXPECT_EQ(color(formats::R8G8B8A8_UNORM), (std::array{0.0f, 0.25f, 1.0f, 0.5f}));
  EXPECT_EQ(color(formats::R8G8_SNORM), (std::array{-1.0f, 0.25f, 0.0f, 1.0f}));
  i.swizzle = {3, 1, 0, 2};
  EXPECT_EQ(color(formats::R8G8B8A8_UNORM), (std::array{0.5f, 0.25f, 0.0f, 1.0f}));
  i.swizzle = {0, 1, 2, 3}, i.format = formats::R8G8B8A8_UINT;
  s.border_color = {1, 2, 3, 4};
  EXPECT_EQ(sample(*memory, i, s, beyond), (Bits4{1, 2, 3, 4}));
}

TEST_F(Lookup, MinimumAndMaximum) {
  const Image i = image(Dim::d2, 4, 4, 1, 2);
  Sampler s = sampler(true, Address::clamp_to_edge);
  const Request r = at(1.25f / 4, 2.25f / 4);  // texels 0 and 1, 1 and 2
  s.reduction = Reduction::min;
  EXPECT_EQ(value(i, s, r), 10.0f);
  s.reduction = Reduction::max;
  EXPECT_EQ(value(i, s, r), 21.0f);
  EXPECT_EQ(value(i, s, at(1.5f / 4, 2.25f / 4)), 21.0f);  // texel 2 has no weight
  s.mip_linear = true;
  Request between = r;
  between.lod = 0.5f;
  EXPECT_EQ(value(i, s, between), 1011.0f);
}

TEST_F(Lookup, FacesWithSeams) {
  const Image i = image(Dim::cube, 4, 4, 6);
  Sampler s = sampler(true, Address::clamp_to_edge);
  // On face +x: the edge towards +z, s = 0.
  const auto towards = [](float z) { return at(1, -0.25f, z); };
  s.seams = true;
  EXPECT_EQ(value(i, s, towards(0.9999f)), value(i, s, towards(0.75f)));  // the first texel, up to its centre
  s.address = {Address::repeat, Address::repeat, Address::repeat};
  EXPECT_EQ(value(i, s, towards(0.9999f)), value(i, s, towards(0.75f)) + 1.5f);  // and the last one
  s.seams = false;
  EXPECT_GT(value(i, s, towards(0.9999f)), 100.0f);  // of another face
}

TEST_F(Lookup, FetchAndStoreStayInside) {
  const Image i = image(Dim::d2_array, 4, 4, 2);
  const Bits4 kNothing = {0, 0, 0, b(1.0f)};  // as a texel of zeros
  EXPECT_EQ(f(fetch(*memory, i, {3, 2, 1, 0}, 0, 0, {})[0]), 123.0f);
  EXPECT_EQ(f(fetch(*memory, i, {3, 2, 1, 0}, 0, 0, {-1, 1, 0})[0]), 132.0f);
  for (const std::array<int32_t, 4>& outside : {std::array{4, 0, 0, 0}, {-1, 0, 0, 0}, {0, 0, 2, 0}})
    EXPECT_EQ(fetch(*memory, i, outside, 0, 0, {}), kNothing) << outside[0];
  EXPECT_EQ(fetch(*memory, i, {0, 0, 0, 0}, 1, 0, {}), kNothing);  // no such level
  EXPECT_EQ(load(*memory, i, {4, 0, 0, 0}), kNothing);
  EXPECT_EQ(fetch(*memory, Image{}, {0, 0, 0, 0}, 0, 0, {}), Bits4{});
  store(*memory, i, {1, 1, 1, 0}, {b(7.0f), 0, 0, 0});
  store(*memory, i, {1, 1, 5, 0}, {b(9.0f), 0, 0, 0});
  EXPECT_EQ(f(load(*memory, i, {1, 1, 1, 0})[0]), 7.0f);
  EXPECT_EQ(query_size(i, 0), (Bits4{4, 4, 2, 0}));
}

TEST_F(Lookup, GatherTakesTheFootprintCounterClockwiseFromBelowLeft) {
  const Image i = image(Dim::d2, 4, 4, 1);
  const Bits4 g = gather(*memory, i, sampler(true, Address::clamp_to_edge), at(2.0f / 4, 2.0f / 4), 0);
  EXPECT_EQ(f(g[0]), 21.0f);
  EXPECT_EQ(f(g[1]), 22.0f);
  EXPECT_EQ(f(g[2]), 12.0f);
  EXPECT_EQ(f(g[3]), 11.0f);
}

TEST_F(Lookup, NullDescriptorsReadZero) {
  EXPECT_EQ(sample(*memory, Image{}, Sampler{}, at(0, 0)), Bits4{});
  EXPECT_EQ(fetch(*memory, Image{}, {}, 0, 0, {}), Bits4{});
}

}  // namespace
}  // namespace pumice::hw::xt
