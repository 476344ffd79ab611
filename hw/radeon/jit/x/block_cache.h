// SPDX-License-Identifier: MIT
/// Blocks that are expensive to decode (BC6H, BC7, ETC2), decoded as a whole and cached by each worker. Generated code finds a block by its
/// address and reads its texels like those of an image; a call fetches missing blocks (texture_block.cpp).
///
/// Memory may have changed between draws, so begin() marks all entries stale. A stale entry is valid again if the block's bytes are still
/// the same, so writes need not be reported to the cache.
#pragma once
#include <array>
#include <memory>

#include "hw/common/simd/lanes.h"
#include "hw/db/formats.h"

namespace pumice::hw::fast::extended {

/// The tables that generated code reads.
struct BlockTables {
  uint32_t* tag = nullptr;     ///< by slot
  uint32_t* narrow = nullptr;  ///< by slot and texel
  uint32_t* wide = nullptr;    ///< two dwords each
};

class BlockCache : public BlockTables {
 public:
  static constexpr uint32_t kSlots = 16384;   ///< an image of 512x512
  static constexpr uint32_t kMostTexels = 8;  ///< of each lane in one request
  /// After the slots: spare ones for blocks of one request that map to the same slot.
  static constexpr uint32_t kSpare = kMostTexels * uint32_t(kLanes);
  static constexpr uint32_t kTexels = 16;

  /// Formats that are cached.
  static bool keeps(const formats::Info& f);
  /// Those decoded to 64 bits per texel (R16G16B16A16_SFLOAT); the others are decoded to R8G8B8A8 of the format's class.
  static bool is_wide(const formats::Info& f) { return f.code == formats::Code::bc6; }

  /// Reserves tags for this many blocks and returns the first; no slot has one yet.
  uint32_t begin(uint32_t blocks);

  /// Puts `block` into `slot` under the tag `wanted`; cached neighbours of it in memory get their tags as well.
  /// `first_tag` is the draw's: slots with a tag from there on are not replaced; `slot` must not have one.
  void fill(uint32_t slot, uint32_t wanted, uint32_t format, const uint8_t* block, uint32_t first_tag);
  /// Decodes into a spare slot, which is valid until the next request.
  uint32_t fill_spare(uint32_t number, uint32_t format, const uint8_t* block);

 private:
  using Bytes = std::array<uint64_t, 2>;
  /// A comparison of arrays would be a call.
  bool keeps_already(uint32_t slot, uint32_t format, const Bytes& bytes) const {
    return format_[slot] == format && ((bytes_[slot][0] ^ bytes[0]) | (bytes_[slot][1] ^ bytes[1])) == 0;
  }
  void decode(uint32_t slot, const formats::Info& f, const uint8_t* block);

  uint32_t next_ = 1;
  std::unique_ptr<uint32_t[]> tags_, narrow_, wide_;
  // The block decoded in each slot, whatever the slot's tag.
  std::unique_ptr<uint8_t[]> format_;
  std::unique_ptr<Bytes[]> bytes_;
};

/// Arguments and results of the call for texels of which some blocks are missing.
struct alignas(64) BlockRequest {
  Lanes at[BlockCache::kMostTexels];          ///< bytes from the texture's base to the block
  Lanes slot[BlockCache::kMostTexels];        ///< out
  uint32_t lanes[BlockCache::kMostTexels];    ///< lanes that use it, in the low 16 bits
  uint32_t lacking[BlockCache::kMostTexels];  ///< those of them whose block is missing
  uint32_t texels = 0, texture = 0, format = 0;
};

/// (BlockRequest*, GroupArgs*)
const void* block_finder();

}  // namespace pumice::hw::fast::extended
