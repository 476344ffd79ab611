// SPDX-License-Identifier: MIT
/// Textures that a program names in its code, read from their descriptors for one draw or dispatch.
#pragma once
#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/footprint/rows.h"
#include "hw/radeon/jit/x/texture.h"

namespace pumice::hw::fast::extended {

struct Textures {
  std::vector<TextureKey> keys;  ///< by number of texture_uses()
  std::vector<TextureView> views;
  std::vector<ByteRange> read;  ///< what native lookups read
  uint32_t blocks = 0;          ///< of images whose blocks are kept, all together
};

/// Cache of decoded descriptors, by content.
class DecodedTextures {
 public:
  struct Entry {
    TextureKey key;  ///< native only where the texels can be addressed
    TextureView view;
    uint64_t begin = 0, bytes = 0;  ///< what lookups read; the view is made for the host address of `begin`
    uint32_t blocks = 0;            ///< in them, where blocks are kept
  };
  /// `sampler` may be empty. Valid until the next call.
  const Entry& find(std::span<const uint32_t, xt::kImageDwords> image, std::span<const uint32_t> sampler);

 private:
  static constexpr size_t kMost = 4096;  ///< then all are dropped
  using Words = std::array<uint32_t, xt::kImageDwords + xt::kSamplerDwords + 1>;
  struct Hash {
    size_t operator()(const Words& words) const;
  };
  std::unordered_map<Words, Entry, Hash> entries_;
};

/// Textures that are not native (not backed, too large) get a key that says so: the reference's code executes their lookups and reports
/// them. Replaces the contents of `out`. Returns whether its keys changed.
bool read_textures(DrawContext& ctx, const hw::x::Resources& needs, std::span<const TextureUse> uses, DecodedTextures& decoded,
                   Textures& out);

}  // namespace pumice::hw::fast::extended
