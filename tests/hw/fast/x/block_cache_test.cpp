// SPDX-License-Identifier: MIT
/// Blocks that are kept decoded: slots that blocks of one request share, bytes that change from draw to draw, tags that begin again.
#include "hw/radeon/jit/x/block_cache.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <random>
#include <vector>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/xt/block.h"
#include "hw/radeon/jit/x/args.h"
#include "hw/radeon/jit/x/texture.h"

namespace pumice::hw::fast::extended {
namespace {

constexpr uint32_t kBlocks = 3 * BlockCache::kSlots, kBytes = 16;

TEST(BlockCache, TexelsAreThoseOfTheBlocks) {
  std::mt19937 random(1);
  std::vector<std::array<uint32_t, 4>> memory(kBlocks);
  BlockCache cache;
  TextureView view;
  view.base = memory.data(), view.first_slot = 5, view.first_block = 3;
  GroupArgs args;
  args.blocks = &cache, args.textures = &view;
  const auto find = reinterpret_cast<void (*)(BlockRequest*, GroupArgs*)>(reinterpret_cast<uintptr_t>(block_finder()));
  uint32_t spares = 0, kept = 0;
  for (uint32_t draw = 0; draw < 60; ++draw) {
    // Draws without an end between them use tags up.
    if (draw == 40) cache.begin(UINT32_MAX - 100'000);
    args.first_block = cache.begin(kBlocks + 16);
    for (uint32_t n = 0; n < 1000; ++n)
      memory[random() % 2 ? random() % kBlocks : random() % 3 * BlockCache::kSlots + random() % 40][random() % 4] = random();
    for (uint32_t round = 0; round < 20; ++round) {
      auto r = std::make_unique<BlockRequest>();
      r->texels = 1 + random() % BlockCache::kMostTexels, r->texture = 0, r->format = formats::BC7_UNORM_BLOCK;
      const uint32_t near = 1 + random() % 40;
      const auto number = [&](uint32_t t, uint32_t l) { return num::bits(r->at[t].v[l]) / kBytes; };
      for (uint32_t t = 0; t < r->texels; ++t) {
        r->lanes[t] = random() % 4 ? 0xFFFF : random() & 0xFFFF, r->lacking[t] = 0;
        for (uint32_t l = 0; l < uint32_t(kLanes); ++l) {
          const uint32_t n = random() % 3 * BlockCache::kSlots + random() % near, slot = (view.first_slot + n) % BlockCache::kSlots;
          r->at[t].v[l] = num::from_bits(n * kBytes), r->slot[t].v[l] = num::from_bits(slot);
          if ((r->lanes[t] >> l & 1u) && cache.tag[slot] != args.first_block + view.first_block + n) r->lacking[t] |= 1u << l;
        }
      }
      find(r.get(), &args);
      for (uint32_t t = 0; t < r->texels; ++t)
        for (uint32_t l = 0; l < uint32_t(kLanes); ++l) {
          if (!(r->lanes[t] >> l & 1u)) continue;
          const uint32_t slot = num::bits(r->slot[t].v[l]);
          ASSERT_LT(slot, BlockCache::kSlots + BlockCache::kSpare);
          ++(slot < BlockCache::kSlots ? kept : spares);
          const auto want = xt::decode_bc7_block(reinterpret_cast<const uint8_t*>(memory[number(t, l)].data()));
          for (uint32_t n = 0; n < BlockCache::kTexels; ++n)
            ASSERT_EQ(std::bit_cast<uint32_t>(want[n]), cache.narrow[slot * BlockCache::kTexels + n]) << "draw " << draw << " lane " << l;
        }
    }
  }
  EXPECT_GT(spares, 1000u);
  EXPECT_GT(kept, 1000u);
}

}  // namespace
}  // namespace pumice::hw::fast::extended
