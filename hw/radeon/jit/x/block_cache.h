// SPDX-License-Identifier: MIT
/// Blocks whose decoding is long, decoded as a whole and kept by each worker: BC6H, BC7, ETC2. Generated code looks a block up by its place
/// in memory and reads its texels like those of an image; a call brings what lacks (texture_block.cpp).
///
/// Memory may have changed between draws, so begin() makes all entries old. An old one is taken again when the block's bytes are still the
/// same, so nothing has to tell the cache of writes.
#pragma once
#include <array>
#include <memory>

#include "hw/common/simd/lanes.h"
#include "hw/db/formats.h"

namespace pumice::hw::fast::extended {

/// What generated code reads.
struct BlockTables {
  uint32_t* tag = nullptr;     ///< by slot
  uint32_t* narrow = nullptr;  ///< by slot and texel
  uint32_t* wide = nullptr;    ///< two dwords each
};

class BlockCache : public BlockTables {
 public:
  static constexpr uint32_t kSlots = 16384;   ///< an image of 512x512
  static constexpr uint32_t kMostTexels = 8;  ///< of each lane in one request
  /// Behind the slots: for blocks of one request that would need the same slot.
  static constexpr uint32_t kSpare = kMostTexels * uint32_t(kLanes);
  static constexpr uint32_t kTexels = 16;

  /// Formats that are kept.
  static bool keeps(const formats::Info& f);
  /// Those of 64 bits a texel, R16G16B16A16_SFLOAT; the others are R8G8B8A8 of the format's class.
  static bool is_wide(const formats::Info& f) { return f.code == formats::Code::bc6; }

  /// Tags of so many blocks begin at the result; there are none yet.
  uint32_t begin(uint32_t blocks);

  /// `block` is in `slot` from now on, by the tag `wanted`; those beside it in memory that were kept before have their tags then, too.
  /// `first_tag`: of the draw; slots with tags from there on stay as they are, `slot` itself must be another one's.
  void fill(uint32_t slot, uint32_t wanted, uint32_t format, const uint8_t* block, uint32_t first_tag);
  /// Decodes into a slot of its own, until the next request.
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
  // What is decoded in a slot, whatever its tag is.
  std::unique_ptr<uint8_t[]> format_;
  std::unique_ptr<Bytes[]> bytes_;
};

/// What generated code hands over for texels some of whose blocks lack, and gets back.
struct alignas(64) BlockRequest {
  Lanes at[BlockCache::kMostTexels];          ///< bytes from the texture's base to the block
  Lanes slot[BlockCache::kMostTexels];        ///< out
  uint32_t lanes[BlockCache::kMostTexels];    ///< that want it, in the low 16 bits
  uint32_t lacking[BlockCache::kMostTexels];  ///< those whose block is not there
  uint32_t texels = 0, texture = 0, format = 0;
};

/// (BlockRequest*, GroupArgs*)
const void* block_finder();

}  // namespace pumice::hw::fast::extended
