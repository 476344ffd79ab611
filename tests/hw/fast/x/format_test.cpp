// SPDX-License-Identifier: MIT
/// Texels of every plain format in the lane IR against hw/radeon/decode/xt, bit for bit, on every back end.
#include "hw/radeon/jit/x/format.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/hw/fast/lane/backends.h"
#include "tests/hw/fast/x/values.h"

namespace pumice::hw::fast::extended {
namespace {

using formats::Channel;
using formats::Info;

constexpr uint32_t kMost = 16;  ///< bytes of a texel

struct alignas(64) Args {
  lane::BufferView from, to;
  Lanes in[4], out[4];
  uint32_t mask = 0;
  alignas(64) uint8_t texels[kLanes * kMost + 4], stored[kLanes * kMost + 4];
};
constexpr uint32_t row(size_t at, uint32_t c) { return uint32_t(at + c * sizeof(Lanes)); }

/// Texels of all lanes side by side; colours to the texels' bits of one aspect.
lane::Program program_of(const Info& f, bool stencil, uint32_t unit) {
  lane::Builder b;
  std::array<uint32_t, kLanes> places;
  for (uint32_t l = 0; l < kLanes; ++l) places[l] = l * f.bytes;
  const lane::Value offset = b.table(places);
  const lane::Mask mask = b.mask_load(lane::kArgs, offsetof(Args, mask));
  const format::Raw raw =
      format::load(b, f, b.buffer(lane::kArgs, offsetof(Args, from)), offset, mask, lane::Builder::Memory::changes, unit);
  const format::Color c = format::finish(b, xt::decoding_of(f, stencil), format::decode(b, f, stencil, raw));
  format::Color in;
  for (uint32_t i = 0; i < 4; ++i) {
    b.store(lane::kArgs, row(offsetof(Args, out), i), c[i]);
    in[i] = b.lanes(lane::kArgs, row(offsetof(Args, in), i));
  }
  const format::Raw fresh = format::merge_aspect(b, f, stencil, format::encode(b, f, stencil, in), raw);
  format::store(b, f, b.buffer(lane::kArgs, offsetof(Args, to)), offset, fresh, mask, unit);
  lane::remove_dead(b.program());
  EXPECT_EQ(lane::validate(b.program()), "");
  return std::move(b.program());
}

bool has_wide_components(const Info& f) {
  for (uint32_t i = 0; i < f.count; ++i)
    if (f.component[i].bits > 8) return true;
  return false;
}

void check(const Info& f, bool stencil, uint32_t unit) {
  std::mt19937 random(1);
  const lane::Backends backends(program_of(f, stencil, unit));
  const xt::Decoding how = xt::decoding_of(f, stencil);
  Args a;
  a.from = {a.texels, uint32_t{f.bytes} * kLanes};
  a.to = {a.stored, a.from.size};
  // Every code of up to 16 bits is in each word once.
  const uint32_t rounds = has_wide_components(f) ? 65536 / kLanes : 256;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (uint32_t l = 0; l < kLanes; ++l)
      for (uint32_t w = 0; w < f.bytes; w += 2) {
        const auto code = uint16_t((round * kLanes + l) * (2 * w + 1) + 0x3579 * w);
        std::memcpy(a.texels + l * f.bytes + w, &code, f.bytes - w < 2 ? 1 : 2);
      }
    for (Lanes& in : a.in)
      for (float& v : in.v) v = std::bit_cast<float>(any_number(random));
    a.mask = round % 8 ? 0xFFFF : random() & 0xFFFF;
    std::array<xt::Bits4, kLanes> colors;
    std::array<uint8_t, sizeof a.stored> stored;
    std::array<uint8_t, sizeof a.stored> blank;
    blank.fill(0x5A);
    stored = blank;
    for (uint32_t l = 0; l < kLanes; ++l) {
      const bool on = a.mask >> l & 1u;
      std::array<uint8_t, kMost> bytes{};
      if (on) std::memcpy(bytes.data(), a.texels + l * f.bytes, f.bytes);
      colors[l] = xt::finish_texel(how, xt::decode_texel(f, stencil, bytes.data(), 0, 0));
      xt::Bits4 in;
      for (uint32_t c = 0; c < 4; ++c) in[c] = std::bit_cast<uint32_t>(a.in[c].v[l]);
      xt::encode_texel(f, stencil, in, bytes.data());
      if (on) std::memcpy(stored.data() + l * f.bytes, bytes.data(), f.bytes);
    }
    for (size_t i = 0; i < backends.count(); ++i) {
      if (i == 0 && round % 64) continue;  // the scalar interpreter
      std::memcpy(a.stored, blank.data(), blank.size());
      backends.run(i, &a);
      for (uint32_t l = 0; l < kLanes; ++l)
        for (uint32_t c = 0; c < 4; ++c)
          ASSERT_EQ(std::bit_cast<uint32_t>(a.out[c].v[l]), colors[l][c])
              << f.name.c_str() << (stencil ? " stencil" : "") << " on " << backends.name(i) << ": component " << c << ", lane " << l
              << ", round " << round;
      for (uint32_t n = 0; n < stored.size(); ++n)
        ASSERT_EQ(a.stored[n], stored[n]) << f.name.c_str() << (stencil ? " stencil" : "") << " on " << backends.name(i) << ": stored byte "
                                          << n << ", round " << round << std::hex << " from "
                                          << std::bit_cast<uint32_t>(a.in[0].v[n / f.bytes]) << " "
                                          << std::bit_cast<uint32_t>(a.in[1].v[n / f.bytes]) << " "
                                          << std::bit_cast<uint32_t>(a.in[2].v[n / f.bytes]);
    }
  }
}

TEST(XFormat, EveryPlainFormatLikeTheReference) {
  for (uint32_t n = 1; n < formats::kFormats; ++n) {
    const Info& f = formats::info(n);
    if (!formats::is_known(n) || f.compressed()) continue;
    EXPECT_TRUE(format::can_decode(f));
    for (const bool stencil : {false, true}) {
      if (stencil && !f.find(Channel::s)) continue;
      check(f, stencil, 0);
      if (HasFatalFailure()) return;
    }
  }
}

/// Each lane has its own block.
TEST(XFormat, EveryBlockLikeTheReference) {
  struct alignas(64) BlockArgs {
    lane::BufferView from;
    Lanes x, y, out[4];
    alignas(64) uint8_t blocks[kLanes * kMost];
  };
  std::mt19937 random(2);
  for (uint32_t n = 1; n < formats::kFormats; ++n) {
    const Info& f = formats::info(n);
    if (!f.compressed()) continue;
    lane::Builder b;
    std::array<uint32_t, kLanes> places;
    for (uint32_t l = 0; l < kLanes; ++l) places[l] = l * f.bytes;
    const format::Raw raw = format::load(b, f, b.buffer(lane::kArgs, offsetof(BlockArgs, from)), b.table(places), b.mask_constant(0xFFFF));
    const format::Color c =
        format::decode(b, f, false, raw, b.lanes(lane::kArgs, offsetof(BlockArgs, x)), b.lanes(lane::kArgs, offsetof(BlockArgs, y)));
    for (uint32_t i = 0; i < 4; ++i) b.store(lane::kArgs, row(offsetof(BlockArgs, out), i), c[i]);
    lane::remove_dead(b.program());
    EXPECT_EQ(lane::validate(b.program()), "");
    const lane::Backends backends(b.program());
    BlockArgs a;
    a.from = {a.blocks, uint32_t{f.bytes} * kLanes};
    for (uint32_t round = 0; round < 4000; ++round) {
      for (uint32_t at = 0; at < sizeof a.blocks; at += 4) {
        const uint32_t word = random();
        std::memcpy(a.blocks + at, &word, 4);
      }
      // Equal and extreme ends, few bits set, which are the rarer modes.
      for (uint32_t at = 0; at < sizeof a.blocks; ++at)
        if (random() % 4 == 0)
          a.blocks[at] = round % 3 ? uint8_t(random() % 2 ? 0xFF : 0x80 * (random() % 2)) : uint8_t(1u << random() % 8);
      for (uint32_t l = 0; l < kLanes; ++l) {
        if (l && random() % 4 == 0) std::memcpy(a.blocks + l * f.bytes, a.blocks + (l - 1) * f.bytes, f.bytes);
        a.x.v[l] = std::bit_cast<float>(uint32_t(random() % 4)), a.y.v[l] = std::bit_cast<float>(uint32_t(random() % 4));
      }
      for (size_t i = 0; i < backends.count(); ++i) {
        if (i == 0 && round % 64) continue;  // the scalar interpreter
        backends.run(i, &a);
        for (uint32_t l = 0; l < kLanes; ++l) {
          const auto x = std::bit_cast<uint32_t>(a.x.v[l]), y = std::bit_cast<uint32_t>(a.y.v[l]);
          const xt::Bits4 expected = xt::decode_texel(f, false, a.blocks + l * f.bytes, x, y);
          for (uint32_t k = 0; k < 4; ++k)
            if (xt::decoding_of(f, false).present[k]) {
              ASSERT_EQ(std::bit_cast<uint32_t>(a.out[k].v[l]), expected[k])
                  << f.name.c_str() << " on " << backends.name(i) << ": component " << k << " of (" << x << ", " << y << "), lane " << l
                  << ", round " << round;
            }
        }
      }
    }
  }
}

TEST(XFormat, BytesAndWordsAreEnough) {
  for (const uint8_t n : {formats::R8G8B8A8_UNORM, formats::R16G16_SFLOAT, formats::R32G32B32_SFLOAT, formats::R16G16B16_SNORM})
    for (const uint32_t unit : {1u, 2u}) check(formats::info(n), false, unit);
}

}  // namespace
}  // namespace pumice::hw::fast::extended
