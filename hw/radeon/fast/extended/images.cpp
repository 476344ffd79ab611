// SPDX-License-Identifier: MIT
/// See images.h.
#include "hw/radeon/fast/extended/images.h"

namespace pumice::hw::fast::extended {

bool read_images(const DrawContext& ctx, const hw::x::Resources& needs, std::span<const ImageUse> uses, Images& out) {
  bool changed = out.keys.size() != uses.size();
  out.keys.resize(uses.size());
  out.views.resize(uses.size());
  for (size_t i = 0; i < uses.size(); ++i) {
    const auto read = [&]() -> ImageKey {
      // As load_descriptor() of hw/radeon/ref/us: for a texel buffer half of the descriptor is enough.
      const uint64_t at = needs.descriptor(uses[i].descriptor);
      std::array<uint32_t, xt::kImageDwords> words{};
      constexpr uint64_t kShort = xt::kBufferDwords * sizeof(uint32_t);
      if (!ctx.memory.backed(at, kShort)) return {};
      ctx.memory.read(at, words.data(), kShort);
      if (xt::Dim(words[1] >> 24 & 7u) != xt::Dim::buffer) {
        if (!ctx.memory.backed(at, sizeof words)) return {};
        ctx.memory.read(at, words.data(), sizeof words);
      }
      const xt::Image image = xt::decode_image(words);
      const ImageKey key = image_key(image);
      if (!key.native) return {};
      uint64_t begin = 0;
      const uint64_t bytes = key.format ? image_bytes(image, begin) : 0;
      if (bytes) {
        if (!ctx.memory.backed(begin, bytes)) return {};
        out.views[i] = image_view(image, ctx.memory.host_pointer(begin));
      }
      return key;
    };
    out.views[i] = {};
    const ImageKey key = read();
    changed |= !(key == out.keys[i]);
    out.keys[i] = key;
  }
  return changed;
}

}  // namespace pumice::hw::fast::extended
