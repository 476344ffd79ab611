// SPDX-License-Identifier: MIT
// Texels of r5x formats: every plain format stores what it loads, and values that Vulkan fixes come out exactly.
#include "hw/radeon/decode/xt/texel.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace pumice::hw::xt {
namespace {

float f(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t b(float v) { return std::bit_cast<uint32_t>(v); }

Bits4 loaded(const formats::Info& info, const std::array<uint8_t, 16>& bytes, bool stencil = false) {
  return finish_texel(decoding_of(info, stencil), decode_texel(info, stencil, bytes.data(), 0, 0));
}

/// Bit patterns without NaN and denormals that a store would change: snorm's lowest code and halves are made from values.
TEST(Texel, StoringWhatWasLoadedChangesNothing) {
  std::mt19937 random(1);
  for (uint32_t n = 1; n < formats::kFormats; ++n) {
    const formats::Info& info = formats::info(n);
    if (!formats::is_known(n) || info.compressed()) continue;
    for (int round = 0; round < 200; ++round) {
      std::array<uint8_t, 16> bytes{};
      for (uint8_t& x : bytes) x = uint8_t(random());
      for (const bool stencil : {false, true}) {
        if (stencil && !info.find(formats::Channel::s)) continue;
        const Bits4 first = loaded(info, bytes, stencil);
        std::array<uint8_t, 16> again = bytes;
        encode_texel(info, stencil, first, again.data());
        const Bits4 second = loaded(info, again, stencil);
        for (uint32_t c = 0; c < 4; ++c)
          if (!std::isnan(f(first[c])) || info.is_integer()) {
            EXPECT_EQ(first[c], second[c]) << info.name.c_str() << " component " << c;
          }
      }
    }
  }
}

TEST(Texel, TheLargestCodeIsOneAndTheLowestMinusOne) {
  for (uint32_t n = 1; n < formats::kFormats; ++n) {
    const formats::Info& info = formats::info(n);
    if (!formats::is_known(n) || info.compressed() || info.find(formats::Channel::s)) continue;
    std::array<uint8_t, 16> ones;
    ones.fill(0xFF);
    if (info.cls == formats::Class::unorm || info.cls == formats::Class::srgb)
      for (uint32_t c = 0; c < 4; ++c)
        if (decoding_of(info, false).present[c]) {
          EXPECT_EQ(f(loaded(info, ones)[c]), 1.0f) << info.name.c_str();
        }
    if (info.cls != formats::Class::snorm) continue;
    std::array<uint8_t, 16> bytes{};
    const float minus = -1;
    encode_texel(info, false, {b(minus), b(minus), b(minus), b(minus)}, bytes.data());
    for (uint32_t c = 0; c < 4; ++c)
      if (decoding_of(info, false).present[c]) {
        EXPECT_EQ(f(loaded(info, bytes)[c]), -1.0f) << info.name.c_str();
      }
  }
}

/// Codes are kept; the curve is the one of the standard within a hundredth of a code, and rises.
TEST(Texel, SrgbIsTheCurve) {
  const formats::Info& info = formats::info(formats::R8_SRGB);
  double last = -1;
  for (uint32_t code = 0; code < 256; ++code) {
    std::array<uint8_t, 16> bytes{uint8_t(code)};
    const float v = f(loaded(info, bytes)[0]);
    const double x = code / 255.0, exact = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    const double step = x <= 0.04045 ? 1 / 12.92 / 255 : 2.4 / 1.055 / 255 * std::pow((x + 0.055) / 1.055, 1.4);
    EXPECT_NEAR(v, exact, 0.013 * step) << code;
    EXPECT_GT(v, last) << code;
    last = v;
    encode_texel(info, false, {b(v), 0, 0, 0}, bytes.data());
    EXPECT_EQ(bytes[0], code);
  }
  EXPECT_EQ(last, 1.0);
}

TEST(Texel, ComponentsThatAFormatLacks) {
  const std::array<uint8_t, 16> bytes{0x80};
  const Bits4 r8 = loaded(formats::info(formats::R8_UNORM), bytes), r8i = loaded(formats::info(formats::R8_SINT), bytes);
  EXPECT_EQ(f(r8[1]), 0.0f);
  EXPECT_EQ(f(r8[3]), 1.0f);
  EXPECT_EQ(int32_t(r8i[0]), -128);
  EXPECT_EQ(r8i[3], 1u);
}

TEST(Texel, SmallFloatsAndSharedExponent) {
  std::array<uint8_t, 16> bytes{};
  const formats::Info& small = formats::info(formats::B10G11R11_UFLOAT_PACK32);
  encode_texel(small, false, {b(1.5f), b(0.25f), b(-3.0f), 0}, bytes.data());
  EXPECT_EQ(f(loaded(small, bytes)[0]), 1.5f);
  EXPECT_EQ(f(loaded(small, bytes)[1]), 0.25f);
  EXPECT_EQ(f(loaded(small, bytes)[2]), 0.0f);
  encode_texel(small, false, {b(1e9f), 0, 0, 0}, bytes.data());
  EXPECT_EQ(f(loaded(small, bytes)[0]), 65024.0f);  // the largest finite one
  const formats::Info& shared = formats::info(formats::E5B9G9R9_UFLOAT_PACK32);
  encode_texel(shared, false, {b(100.0f), b(1.0f), b(0.0f), 0}, bytes.data());
  EXPECT_EQ(f(loaded(shared, bytes)[0]), 100.0f);
  EXPECT_EQ(f(loaded(shared, bytes)[1]), 1.0f);
}

TEST(Texel, AspectsOfCombinedFormatsAreApart) {
  for (const uint32_t n : {formats::D24_UNORM_S8_UINT, formats::D32_SFLOAT_S8_UINT}) {
    const formats::Info& info = formats::info(n);
    std::array<uint8_t, 16> bytes{};
    encode_texel(info, false, {b(0.5f), 0, 0, 0}, bytes.data());
    encode_texel(info, true, {0xA5, 0, 0, 0}, bytes.data());
    EXPECT_NEAR(f(loaded(info, bytes)[0]), 0.5f, 1e-6f) << info.name.c_str();
    EXPECT_EQ(loaded(info, bytes, true)[0], 0xA5u) << info.name.c_str();
  }
}

}  // namespace
}  // namespace pumice::hw::xt
