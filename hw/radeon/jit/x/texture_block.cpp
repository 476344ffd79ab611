// SPDX-License-Identifier: MIT
/// Texels of cached blocks (block_cache.h).
#include <bit>

#include "hw/radeon/jit/x/args.h"
#include "hw/radeon/jit/x/block_cache.h"
#include "hw/radeon/jit/x/texture_code.h"

namespace pumice::hw::fast::extended {

/// Programs that write memory do not use the cache, because the order of reads and writes counts.
bool TextureCode::keeps_blocks() const { return !changes_ && BlockCache::keeps(format_); }

/// Finds the blocks of texels in the cache: one comparison of tags and one branch for all texels of a lookup.
void TextureCode::find_blocks(std::span<Texel> texels) {
  if (!keeps_blocks()) return;
  const auto shift = uint32_t(std::countr_zero(unsigned{format_.bytes}));
  const lane::Pointer cache = b_.pointer(lane::kArgs, offsetof(GroupArgs, blocks)), tags = b_.pointer(cache, offsetof(BlockTables, tag));
  const Value first_tag = b_.iadd(number(offsetof(TextureView, first_block)), b_.splat(lane::kArgs, offsetof(GroupArgs, first_block)));
  const Value first_slot = number(offsetof(TextureView, first_slot));
  const Mask all = b_.mask_constant(0xFFFF);
  std::array<Value, BlockCache::kMostTexels> at;
  std::array<Value, BlockCache::kMostTexels> slot;
  std::array<Mask, BlockCache::kMostTexels> lacking;
  std::array<lane::Variable, BlockCache::kMostTexels> slots;
  Mask lacks;
  for (size_t n = 0; n < texels.size(); ++n) {
    const Texel& t = texels[n];
    at[n] = b_.iadd(t.row, b_.shl(b_.shr(t.i, 2), shift));
    const Value block = b_.shr(at[n], shift);
    slot[n] = b_.bit_and(b_.iadd(first_slot, block), integer(BlockCache::kSlots - 1));
    lacking[n] = b_.ine(b_.gather_now(tags, b_.shl(slot[n], 2), all), b_.iadd(first_tag, block));
    if (t.inside) lacking[n] = b_.mask_and(lacking[n], t.inside);
    lacks = lacks ? b_.mask_or(lacks, lacking[n]) : lacking[n];
    slots[n] = b_.variable();
    b_.set(slots[n], slot[n]);
  }
  const lane::Label found = b_.make_label();
  b_.jump_none(lacks, found);
  if (!request_) request_ = b_.scratch(sizeof(BlockRequest));
  const auto member = [](size_t offset, size_t n, size_t size) { return uint32_t(offset + n * size); };
  for (size_t n = 0; n < texels.size(); ++n) {
    b_.store(*request_, member(offsetof(BlockRequest, slot), n, sizeof(Lanes)), slot[n]);
    b_.store(*request_, member(offsetof(BlockRequest, lacking), n, sizeof(uint32_t)), lacking[n]);
    b_.store(*request_, member(offsetof(BlockRequest, at), n, sizeof(Lanes)), at[n]);
    b_.store(*request_, member(offsetof(BlockRequest, lanes), n, sizeof(uint32_t)), texels[n].inside ? texels[n].inside : all);
  }
  b_.store_word(*request_, offsetof(BlockRequest, texels), int32_t(texels.size()));
  b_.store_word(*request_, offsetof(BlockRequest, texture), int32_t(at_ / sizeof(TextureView)));
  b_.store_word(*request_, offsetof(BlockRequest, format), int32_t(k_.format));
  b_.call(block_finder(), *request_, lane::kArgs, 0);
  for (size_t n = 0; n < texels.size(); ++n)
    b_.set(slots[n], b_.lanes_now(*request_, member(offsetof(BlockRequest, slot), n, sizeof(Lanes))));
  b_.place(found);
  for (size_t n = 0; n < texels.size(); ++n) texels[n].slot = b_.get(slots[n]);
}

format::Raw TextureCode::kept_raw(const Texel& t) {
  const lane::Pointer cache = b_.pointer(lane::kArgs, offsetof(GroupArgs, blocks));
  const bool wide = BlockCache::is_wide(format_);
  const lane::Pointer texels = b_.pointer(cache, wide ? offsetof(BlockTables, wide) : offsetof(BlockTables, narrow));
  const Value x = b_.bit_and(t.i, integer(3)), y = t.j ? b_.bit_and(t.j, integer(3)) : integer(0);
  const Value place = b_.bit_or(b_.shl(t.slot, 4), b_.bit_or(b_.shl(y, 2), x));
  const uint32_t dwords = wide ? 2 : 1;
  format::Raw raw{{}, dwords};
  const Value at = b_.shl(place, wide ? 3 : 2);
  for (uint32_t n = 0; n < dwords; ++n) raw.dword[n] = b_.gather_now(texels, at, b_.mask_constant(0xFFFF), 4 * n);
  return raw;
}

TextureCode::Values TextureCode::kept_codes(const Texel& t) {
  const bool wide = BlockCache::is_wide(format_), is_srgb = format_.cls == formats::Class::srgb;
  const uint8_t plain = wide ? formats::R16G16B16A16_SFLOAT : is_srgb ? formats::R8G8B8A8_SRGB : formats::R8G8B8A8_UNORM;
  return format::decode(b_, formats::info(plain), false, kept_raw(t));
}

}  // namespace pumice::hw::fast::extended
