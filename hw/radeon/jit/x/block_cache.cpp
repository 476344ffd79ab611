// SPDX-License-Identifier: MIT
/// See block_cache.h.
#include "hw/radeon/jit/x/block_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hw/radeon/decode/xt/block.h"
#include "hw/radeon/jit/x/args.h"
#include "hw/radeon/jit/x/texture.h"

namespace pumice::hw::fast::extended {

using formats::Code;

bool BlockCache::keeps(const formats::Info& f) {
  switch (f.code) {
    case Code::bc6:
    case Code::bc7:
    case Code::etc2:
    case Code::etc2_a1:
    case Code::etc2_a8: return f.block_width == 4 && f.block_height == 4;
    default: return false;
  }
}

uint32_t BlockCache::begin(uint32_t blocks) {
  if (!tag) {
    // Pages that are not used are never touched.
    tags_ = std::make_unique<uint32_t[]>(kSlots), tag = tags_.get();
    format_ = std::make_unique<uint8_t[]>(kSlots), bytes_ = std::make_unique<Bytes[]>(kSlots);
    narrow_ = std::make_unique_for_overwrite<uint32_t[]>(size_t{kSlots + kSpare} * kTexels), narrow = narrow_.get();
    wide_ = std::make_unique_for_overwrite<uint32_t[]>(size_t{kSlots + kSpare} * kTexels * 2), wide = wide_.get();
  }
  if (blocks >= UINT32_MAX - next_) std::fill_n(tag, kSlots, 0), next_ = 1;
  const uint32_t first = next_;
  next_ += blocks;
  return first;
}

void BlockCache::decode(uint32_t slot, const formats::Info& f, const uint8_t* block) {
  uint32_t* const to = narrow + size_t{slot} * kTexels;
  const auto put = [&](uint32_t n, const std::array<uint8_t, 4>& rgba) { to[n] = std::bit_cast<uint32_t>(rgba); };
  if (f.code == Code::bc6) {
    const auto texels = xt::decode_bc6h_block(block, f.cls == formats::Class::sfloat);
    for (uint32_t n = 0; n < kTexels; ++n) {
      wide[(size_t{slot} * kTexels + n) * 2] = texels[n][0] | uint32_t(texels[n][1]) << 16;
      wide[(size_t{slot} * kTexels + n) * 2 + 1] = texels[n][2];
    }
  } else if (f.code == Code::bc7) {
    const auto texels = xt::decode_bc7_block(block);
    for (uint32_t n = 0; n < kTexels; ++n) put(n, texels[n]);
  } else {
    const bool has_alpha = f.code == Code::etc2_a8;
    for (uint32_t n = 0; n < kTexels; ++n) {
      auto rgba = xt::decode_etc2(block + (has_alpha ? 8 : 0), n % 4, n / 4, f.code == Code::etc2_a1);
      if (has_alpha) rgba[3] = xt::decode_eac8(block, n % 4, n / 4);
      put(n, rgba);
    }
  }
}

namespace {

std::array<uint64_t, 2> bytes_of(const uint8_t* block, uint32_t size) {
  std::array<uint64_t, 2> bytes{};
  std::memcpy(bytes.data(), block, 8);
  if (size == 16) std::memcpy(&bytes[1], block + 8, 8);
  return bytes;
}

}  // namespace

void BlockCache::fill(uint32_t slot, uint32_t wanted, uint32_t format, const uint8_t* block, uint32_t first_tag) {
  const formats::Info& f = formats::info(uint8_t(format));
  const Bytes bytes = bytes_of(block, f.bytes);
  tag[slot] = wanted;
  if (!keeps_already(slot, format, bytes)) {
    format_[slot] = uint8_t(format), bytes_[slot] = bytes;
    return decode(slot, f, block);
  }
  // Usually a whole cache line is unchanged.
  constexpr uintptr_t kLine = 64;
  const uint32_t here = uint32_t(reinterpret_cast<uintptr_t>(block) % kLine) / f.bytes, count = uint32_t(kLine) / f.bytes;
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t other = (slot + n - here) % kSlots;
    if (wanted - first_tag + n < here || tag[other] >= first_tag) continue;
    if (keeps_already(other, format, bytes_of(block + (int64_t{n} - here) * f.bytes, f.bytes))) tag[other] = wanted + n - here;
  }
}

uint32_t BlockCache::fill_spare(uint32_t number, uint32_t format, const uint8_t* block) {
  decode(kSlots + number, formats::info(uint8_t(format)), block);
  return kSlots + number;
}

namespace {

uint32_t bits(const Lanes& lanes, uint32_t l) {
  uint32_t v;
  std::memcpy(&v, &lanes.v[l], sizeof v);
  return v;
}

struct Finder {
  BlockRequest& r;
  BlockCache& cache;
  const TextureView& view;
  uint32_t first_tag, of_texture, shift;

  uint32_t number(uint32_t t, uint32_t l) const { return bits(r.at[t], l) >> shift; }
  uint32_t slot(uint32_t number) const { return (view.first_slot + number) % BlockCache::kSlots; }
  /// Whether a lane needs another block that is in the slot.
  bool is_needed(uint32_t slot_of, uint32_t by) const {
    for (uint32_t t = 0; t < r.texels; ++t)
      for (uint32_t left = r.lanes[t]; left; left &= left - 1) {
        const uint32_t n = number(t, uint32_t(std::countr_zero(left)));
        if (n != by && slot(n) == slot_of) return true;
      }
    return false;
  }
  uint32_t found(uint32_t n, uint32_t at, uint32_t& spares) const {
    const uint32_t s = slot(n), wanted = of_texture + n;
    const auto* const block = static_cast<const uint8_t*>(view.base) + at;
    if (cache.tag[s] == wanted) return s;
    if (cache.tag[s] >= first_tag && is_needed(s, n)) return cache.fill_spare(spares++, r.format, block);
    cache.fill(s, wanted, r.format, block, of_texture);
    return s;
  }
};

/// Lanes in ascending order; slots assigned to earlier lanes are not reused.
void find(BlockRequest* r, GroupArgs* g) {
  const TextureView& view = g->textures[r->texture];
  const Finder finder{*r,
                      static_cast<BlockCache&>(*g->blocks),
                      view,
                      g->first_block,
                      g->first_block + view.first_block,
                      uint32_t(std::countr_zero(unsigned{formats::info(uint8_t(r->format)).bytes}))};
  uint32_t spares = 0;
  for (uint32_t t = 0; t < r->texels; ++t)
    for (uint32_t left = r->lacking[t]; left; left &= left - 1) {
      const auto l = uint32_t(std::countr_zero(left));
      const uint32_t slot = finder.found(finder.number(t, l), bits(r->at[t], l), spares);
      std::memcpy(&r->slot[t].v[l], &slot, sizeof slot);
    }
}

}  // namespace

const void* block_finder() { return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(find)); }

}  // namespace pumice::hw::fast::extended
