// SPDX-License-Identifier: MIT
/// See descriptor.h (docs/r5x.md 4.1).
#include "hw/radeon/decode/xt/descriptor.h"

#include <algorithm>
#include <bit>

#include "hw/radeon/decode/xt/texel.h"

namespace pumice::hw::xt {
namespace {

constexpr uint32_t bits(uint32_t word, uint32_t low, uint32_t count) { return word >> low & ((1u << count) - 1u); }
constexpr uint64_t kLevelAlign = 64;
constexpr uint64_t align(uint64_t v) { return (v + kLevelAlign - 1) / kLevelAlign * kLevelAlign; }
constexpr uint32_t shifted(uint32_t extent, uint32_t level) { return std::max(1u, extent >> level); }

}  // namespace

BufferDescriptor decode_buffer(std::span<const uint32_t, kBufferDwords> words) {
  return {words[0] | uint64_t{words[1] & 0xFFFFu} << 32, words[2], uint8_t(bits(words[1], 16, 8))};
}

Image decode_image(std::span<const uint32_t, kImageDwords> words) {
  Image i;
  i.base = words[0] | uint64_t{words[1] & 0xFFFFu} << 32;
  i.format = uint8_t(bits(words[1], 16, 8));
  if (!formats::is_known(i.format)) i.format = 0;
  i.dim = Dim(bits(words[1], 24, 3));
  if (i.dim == Dim::buffer) {
    const formats::Info& f = formats::info(i.format);
    i.width = f.bytes ? words[2] / f.bytes : 0;
    if (i.width == 0) i.format = 0;  // no texel
    i.element = bits(words[3], 0, 2);
    return i;
  }
  i.samples_log2 = uint8_t(bits(words[1], 27, 3));
  i.stencil = bits(words[1], 31, 1);
  i.width = bits(words[2], 0, 16) + 1;
  i.height = bits(words[2], 16, 16) + 1;
  if (i.dim == Dim::d3)
    i.depth = bits(words[3], 0, 16) + 1;
  else
    i.first_layer = bits(words[3], 0, 16);
  i.layers = bits(words[3], 16, 16) + 1;
  i.first_level = uint8_t(bits(words[4], 0, 4));
  i.last_level = uint8_t(bits(words[4], 4, 4));
  i.levels = uint8_t(bits(words[4], 8, 4) + 1);
  for (uint32_t c = 0; c < 4; ++c) i.swizzle[c] = uint8_t(bits(words[4], 12 + 3 * c, 3));
  i.pitch = words[5];
  i.layer_pitch = uint64_t{words[6]} * 64;
  return i;
}

Level level_of(const Image& image, uint32_t level) {
  const formats::Info& f = formats::info(image.format);
  Level l;
  for (uint32_t n = 0;; ++n) {
    l.width = shifted(image.width, n);
    l.height = shifted(image.height, n);
    l.depth = shifted(image.depth, n);
    const uint64_t columns = (l.width + f.block_width - 1) / f.block_width;
    const uint64_t rows = uint64_t{(l.height + f.block_height - 1) / f.block_height} << image.samples_log2;
    l.pitch = n ? uint32_t(align(columns * f.bytes)) : image.pitch;
    l.slice_pitch = rows * l.pitch;
    if (n == level) return l;
    l.offset = align(l.offset + l.slice_pitch * l.depth);
  }
}

uint64_t address_of(const Image& image, const Level& level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z, uint32_t sample) {
  const formats::Info& f = formats::info(image.format);
  const uint64_t row = (uint64_t{y / f.block_height} << image.samples_log2) + sample;
  return image.base + layer * image.layer_pitch + level.offset + z * level.slice_pitch + row * level.pitch +
         uint64_t{x / f.block_width} * f.bytes;
}

uint64_t extent_of(const Image& image) {
  if (image.is_null()) return 0;
  if (image.dim == Dim::buffer) return uint64_t{image.width} * formats::info(image.format).bytes;
  const Level l = level_of(image, image.levels - 1u);
  return image.layer_pitch * (image.first_layer + image.layers - 1) + l.offset + l.slice_pitch * l.depth;
}

Sampler decode_sampler(std::span<const uint32_t, kSamplerDwords> words) {
  Sampler s;
  const uint32_t w = words[0];
  s.mag_linear = bits(w, 0, 1);
  s.min_linear = bits(w, 1, 1);
  s.mip_linear = bits(w, 2, 1);
  for (uint32_t i = 0; i < 3; ++i) s.address[i] = Address(std::min(bits(w, 3 + 3 * i, 3), uint32_t(Address::mirror_clamp_to_edge)));
  s.compare = Compare(bits(w, 12, 3));
  s.compare_enable = bits(w, 15, 1);
  s.unnormalized = bits(w, 16, 1);
  s.max_anisotropy = uint8_t(std::min(bits(w, 17, 5), 16u));
  s.border = Border(bits(w, 22, 2));
  if (s.border == Border::custom) std::copy_n(words.begin() + 4, 4, s.border_color.begin());
  s.mip_off = bits(w, 24, 1);
  s.seams = bits(w, 25, 1);
  s.reduction = Reduction(std::min(bits(w, 26, 2), uint32_t(Reduction::max)));
  s.min_lod = float(bits(words[1], 0, 16)) / 256.0f;
  s.max_lod = float(bits(words[1], 16, 16)) / 256.0f;
  s.lod_bias = std::bit_cast<float>(words[2]);
  return s;
}

}  // namespace pumice::hw::xt
