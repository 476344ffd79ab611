// SPDX-License-Identifier: MIT
/// See textures.h.
#include "hw/radeon/fast/extended/textures.h"

#include <algorithm>

#include "hw/db/formats.h"

namespace pumice::hw::fast::extended {

namespace {

using isa::us_r500::Selector;

/// Offsets of lookups are signed.
constexpr uint64_t kMostBytes = 1ull << 31;

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

}  // namespace

Textures read_textures(DrawContext& ctx, const hw::x::Resources& needs, std::span<const TextureUse> uses) {
  Textures out;
  out.keys.resize(uses.size());
  out.views.resize(uses.size());
  for (size_t i = 0; i < uses.size(); ++i) {
    std::array<uint32_t, xt::kImageDwords> words;
    std::array<uint32_t, xt::kSamplerDwords> sampler_words;
    if (!read_words(ctx, needs, uses[i].image, words)) continue;
    if (uses[i].has_sampler && !read_words(ctx, needs, uses[i].sampler, sampler_words)) continue;
    const xt::Image image = xt::decode_image(words);
    xt::Sampler sampler;
    if (uses[i].has_sampler) sampler = xt::decode_sampler(sampler_words);
    const TextureKey key = texture_key(image, uses[i].has_sampler ? &sampler : nullptr);
    if (!key.native) continue;
    if (key.format) {
      const uint64_t skipped = image.first_layer * image.layer_pitch, begin = image.base + skipped, bytes = reach_of(image);
      const bool aligned = begin % 4 == 0 && (formats::info(key.format).bytes != 2 || image.pitch % 2 == 0);
      if (!aligned || bytes >= kMostBytes || !ctx.memory.backed(begin, bytes)) continue;
      fill_view(out.views[i], image, uses[i].has_sampler ? &sampler : nullptr, ctx.memory.host_pointer(begin));
      out.read.push_back({begin, begin + bytes});
    }
    out.keys[i] = key;
  }
  return out;
}

}  // namespace pumice::hw::fast::extended
