// SPDX-License-Identifier: MIT
/// See textures.h.
#include "hw/radeon/fast/extended/textures.h"

#include <algorithm>
#include <optional>

#include "hw/common/numerics/hash.h"
#include "hw/db/formats.h"
#include "hw/radeon/jit/x/block_cache.h"

namespace pumice::hw::fast::extended {

namespace {

using isa::us_r500::Selector;

/// Offsets of lookups are signed.
constexpr uint64_t kMostBytes = 1ull << 31;
/// Of all textures of a stage: tags are numbers of 32 bits.
constexpr uint32_t kMostKept = 1u << 31;
/// BlockCache::fill looks at a whole cache line.
constexpr uint32_t kBlocksOfLine = 8;

template <size_t N>
bool read_words(DrawContext& ctx, const hw::x::Resources& needs, const Selector& s, std::array<uint32_t, N>& words) {
  if (s.set >= needs.set.size()) return false;
  const uint64_t at = needs.set[s.set] + 16ull * s.offset;
  if (!ctx.memory.backed(at, sizeof words)) return false;
  ctx.memory.read(at, words.data(), sizeof words);
  return true;
}

/// From the image's base to behind the last texel that the view reaches.
uint64_t reach_of(const xt::Image& image) {
  const formats::Info& f = formats::info(image.format);
  uint64_t end = 0;
  for (uint32_t n = 0; n <= image.top_level(); ++n) {
    const xt::Level l = xt::level_of(image, image.first_level + n);
    const uint64_t columns = (l.width + f.block_width - 1) / f.block_width;
    const uint64_t last_row = l.slice_pitch ? l.slice_pitch - l.pitch : 0;
    end = std::max(end, l.offset + l.slice_pitch * (l.depth - 1) + last_row + columns * f.bytes);
  }
  const uint32_t layers = image.is_cube() ? std::max(image.layers, 6u) : image.layers;
  return end + image.layer_pitch * (layers - 1);
}

/// Whether blocks can be numbered: all pitches are whole blocks.
bool has_whole_blocks(const xt::Image& image, uint32_t bytes) {
  if (image.layer_pitch % bytes) return false;
  for (uint32_t n = 0; n <= image.top_level(); ++n) {
    const xt::Level l = xt::level_of(image, image.first_level + n);
    if (l.offset % bytes || l.pitch % bytes || l.slice_pitch % bytes) return false;
  }
  return true;
}

}  // namespace

size_t DecodedTextures::Hash::operator()(const Words& words) const { return size_t(num::hash_words(words)); }

const DecodedTextures::Entry& DecodedTextures::find(std::span<const uint32_t, xt::kImageDwords> image_words,
                                                    std::span<const uint32_t> sampler_words) {
  Words words{};
  std::ranges::copy(image_words, words.begin());
  std::ranges::copy(sampler_words, words.begin() + image_words.size());
  words.back() = !sampler_words.empty();
  if (entries_.size() >= kMost) entries_.clear();
  const auto [found, is_new] = entries_.try_emplace(words);
  Entry& e = found->second;
  if (!is_new) return e;
  const xt::Image image = xt::decode_image(image_words);
  std::optional<xt::Sampler> sampler;
  if (!sampler_words.empty()) sampler = xt::decode_sampler(sampler_words.first<xt::kSamplerDwords>());
  e.key = texture_key(image, sampler ? &*sampler : nullptr);
  if (!e.key.native || !e.key.format) return e;
  e.begin = image.base + image.first_layer * image.layer_pitch, e.bytes = reach_of(image);
  const formats::Info& f = formats::info(e.key.format);
  const bool keeps = BlockCache::keeps(f);
  const bool aligned = e.begin % 4 == 0 && (f.bytes != 2 || image.pitch % 2 == 0) && (!keeps || has_whole_blocks(image, f.bytes));
  if (!aligned || e.bytes >= kMostBytes)
    e.key = {};
  else
    fill_view(e.view, image, sampler ? &*sampler : nullptr, nullptr);
  if (keeps) e.view.first_slot = uint32_t(e.begin / f.bytes), e.blocks = uint32_t(e.bytes / f.bytes) + kBlocksOfLine;
  return e;
}

bool read_textures(DrawContext& ctx, const hw::x::Resources& needs, std::span<const TextureUse> uses, DecodedTextures& decoded,
                   Textures& out) {
  bool changed = out.keys.size() != uses.size();
  out.keys.resize(uses.size());
  out.views.resize(uses.size());
  out.read.clear();
  out.blocks = 0;
  for (size_t i = 0; i < uses.size(); ++i) {
    const auto read = [&]() -> TextureKey {
      std::array<uint32_t, xt::kImageDwords> words;
      std::array<uint32_t, xt::kSamplerDwords> sampler;
      if (!read_words(ctx, needs, uses[i].image, words)) return {};
      if (uses[i].has_sampler && !read_words(ctx, needs, uses[i].sampler, sampler)) return {};
      const DecodedTextures::Entry& e =
          decoded.find(words, std::span<const uint32_t>(sampler).first(uses[i].has_sampler ? sampler.size() : 0));
      if (!e.key.native) return {};
      if (e.key.format) {
        if (!ctx.memory.backed(e.begin, e.bytes) || e.blocks > kMostKept - out.blocks) return {};
        out.views[i] = e.view;
        out.views[i].base = ctx.memory.host_pointer(e.begin);
        out.views[i].first_block = out.blocks;
        out.blocks += e.blocks;
        out.read.push_back({e.begin, e.begin + e.bytes});
      }
      return e.key;
    };
    const TextureKey key = read();
    if (!key.format) out.views[i] = {};
    changed |= !(key == out.keys[i]);
    out.keys[i] = key;
  }
  return changed;
}

}  // namespace pumice::hw::fast::extended
