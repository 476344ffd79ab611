// SPDX-License-Identifier: MIT
/// See picture.h.
#include "hw/radeon/trace/inspect/picture.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/decode/zb/setup.h"
#include "hw/radeon/draw/extended.h"

namespace pumice::hw::trace {

namespace {

uint8_t to_byte(float v) { return static_cast<uint8_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f)); }

float select_component(const Vec4& c, uint32_t code) { return code < 4 ? c[code] : code == 5 ? 1.0f : 0.0f; }

Picture empty(uint32_t width, uint32_t height) {
  return {.width = width, .height = height, .rgba = std::vector<uint8_t>(size_t{4} * width * height)};
}

/// Unbacked memory is 0.
std::vector<std::byte> bytes_at(const Memory& memory, uint64_t base, uint64_t size) {
  std::vector<std::byte> out(size);
  memory.read(base, out.data(), out.size());
  return out;
}
uint32_t layer_of(const xt::Image& image, const Part& part) {
  return image.first_layer + std::min(part.layer, std::max(image.layers, 1u) - 1);
}
uint32_t sample_of(uint32_t samples, const Part& part) { return std::min(part.sample, samples - 1); }
std::vector<std::byte> bytes_of(const Memory& memory, const xt::Image& image, const Part& part) {
  return bytes_at(memory, image.base + layer_of(image, part) * image.layer_pitch,
                  uint64_t{image.pitch} * image.height << image.samples_log2);
}
/// Whole rows of tiles, which have at most 16 rows of pixels.
std::vector<std::byte> bytes_of(const Memory& memory, const surface::PixelAccess& pixels, uint32_t samples, uint32_t height) {
  const uint32_t rows = pixels.layout.macro_tiled || pixels.layout.micro ? (height + 15) & ~15u : height * samples;
  return bytes_at(memory, pixels.base, uint64_t{pixels.layout.pitch_px} * pixels.layout.bytes_per_pixel * rows);
}

}  // namespace

std::string part_text(const Part& part, uint32_t samples, uint32_t layers) {
  const auto text = [](const char* what, uint32_t n, uint32_t of) {
    return of > 1 ? std::string(", ") + what + " " + std::to_string(std::min(n, of - 1)) + " of " + std::to_string(of) : std::string();
  };
  return text("sample", part.sample, samples) + text("layer", part.layer, layers);
}

std::vector<std::byte> bytes_of(const Memory& memory, const TargetView& view, const Part& part) {
  if (view.image) return bytes_of(memory, *view.image, part);
  std::vector<std::byte> out = bytes_of(memory, view.target.pixels, view.samples, view.y1);
  if (const rb3d::ColorMask& m = view.target.color_mask; m.ram) {
    const auto* mask = reinterpret_cast<const std::byte*>(m.ram);
    out.insert(out.end(), mask, mask + size_t{m.dwords} * 4);
  }
  return out;
}

Picture picture_of(Memory& memory, const xt::Image& image, const Area& area, const Part& part) {
  Picture out = empty(area.width, area.height);
  const formats::Info& f = formats::info(image.format);
  const xt::Decoding how = xt::decoding_of(f, image.stencil);
  const xt::Level level = xt::level_of(image, 0);
  const uint32_t layer = layer_of(image, part), sample = sample_of(1u << image.samples_log2, part);
  uint8_t* to = out.rgba.data();
  std::array<uint8_t, 16> before{};  // neighbours are often equal
  for (uint32_t y = area.y; y < area.y + area.height; ++y)
    for (uint32_t x = area.x; x < area.x + area.width; ++x, to += 4) {
      std::array<uint8_t, 16> bytes{};
      memory.read(xt::address_of(image, level, layer, x, y, 0, sample), bytes.data(), f.bytes);
      if (x > area.x && bytes == before && !f.compressed()) {
        std::copy_n(to - 4, 4, to);
        continue;
      }
      before = bytes;
      const xt::Bits4 c = xt::finish_texel(how, xt::decode_texel(f, image.stencil, bytes.data(), x % f.block_width, y % f.block_height));
      for (uint32_t i = 0; i < 4; ++i)
        to[i] = how.integer ? static_cast<uint8_t>(std::min(c[i], 255u)) : to_byte(std::bit_cast<float>(c[i]));
      if (!how.present[3] || how.integer) to[3] = 255;
    }
  memory.take_fault();
  return out;
}

Picture picture_of(Memory& memory, const TargetView& view, const Area& area, const Part& part) {
  if (view.image) return picture_of(memory, *view.image, area, part);
  Picture out = empty(area.width, area.height);
  const rb3d::Target& t = view.target;
  // Of blocks that the mask calls compressed, sample 0 is all samples.
  const surface::PixelAccess first = t.pixels.sample(0, view.samples),
                             wanted = t.pixels.sample(sample_of(view.samples, part), view.samples);
  // Which channel of the shader went into component i, as index of r, g, b, a.
  const uint32_t sel[4] = {t.out.C0_SEL(), t.out.C1_SEL(), t.out.C2_SEL(), t.out.C3_SEL()};
  constexpr uint8_t kChannel[4] = {3, 0, 1, 2};  // ALPHA, RED, GREEN, BLUE
  bool stored[4] = {};
  for (uint32_t f = 0; f < t.format.field_count; ++f) stored[t.format.field[f].component] = true;
  uint8_t* to = out.rgba.data();
  for (uint32_t y = area.y; y < area.y + area.height; ++y)
    for (uint32_t x = area.x; x < area.x + area.width; ++x, to += 4) {
      rb3d::PixelBits bits = t.color_mask.clear;
      const uint32_t code = t.color_mask.code(x, y);
      if (code != rb3d::ColorMask::kCleared) (code == rb3d::ColorMask::kCompressed ? first : wanted).read(memory, x, y, bits.data());
      const rb3d::Components c = rb3d::unpack(t.format, bits);
      to[3] = 255;
      for (uint32_t i = 0; i < 4; ++i)
        if (stored[i]) to[kChannel[sel[i]]] = to_byte(c[i]);
    }
  memory.take_fault();
  return out;
}

Picture picture_of(Memory& memory, const Rows& rows, bool bgra) {
  Picture out = empty(static_cast<uint32_t>(rows.bytes / 4), static_cast<uint32_t>(rows.count));
  for (uint32_t y = 0; y < out.height; ++y) {
    uint8_t* row = &out.rgba[size_t{4} * out.width * y];
    memory.read(rows.address + y * rows.pitch, row, size_t{4} * out.width);
    for (uint32_t x = 0; bgra && x < out.width; ++x) {
      std::swap(row[4 * x], row[4 * x + 2]);
      row[4 * x + 3] = 255;
    }
  }
  memory.take_fault();
  return out;
}

Picture picture_of(Memory& memory, const tx::Texture& t) {
  const tx::MipLevel level = tx::mip_level(t.mips, 0);
  Picture out = empty(level.width, level.height * level.layers);
  uint8_t* to = out.rgba.data();
  for (uint32_t layer = 0; layer < level.layers; ++layer)
    for (uint32_t y = 0; y < level.height; ++y)
      for (uint32_t x = 0; x < level.width; ++x) {
        const Vec4 c = tx::fetch(memory, t, t.decoding, level, x, y, layer).c;
        *to++ = to_byte(select_component(c, t.format1.SEL_RED()));
        *to++ = to_byte(select_component(c, t.format1.SEL_GREEN()));
        *to++ = to_byte(select_component(c, t.format1.SEL_BLUE()));
        *to++ = to_byte(select_component(c, t.format1.SEL_ALPHA()));
      }
  memory.take_fault();
  return out;
}

std::optional<DepthView> DepthView::of(const ChipState& state, const Part& part) {
  DepthView v;
  v.part_ = part;
  if (x::shaders(state)) {
    const xz::DepthTarget target = xz::decode(state);
    if (target.passes_all() || !target.has_depth) return {};
    v.image_ = target.image;
    v.base_ = target.image.base + target.image.first_layer * target.image.layer_pitch;
    v.width_ = target.image.width, v.height_ = target.image.height;
    v.format_ =
        std::string(formats::info(target.image.format).name) + part_text(part, 1u << target.image.samples_log2, target.image.layers);
    return v;
  }
  const zb::Setup s = zb::decode(state);
  const footprint::Box box = footprint::pixels(state);
  if (!s.enabled || s.reserved_format || s.sample_tiles || box.empty()) return {};
  v.base_ = s.depth.base;
  v.width_ = std::min(uint32_t(box.x1), s.depth.layout.pitch_px), v.height_ = uint32_t(box.y1);
  v.format_ = std::string(s.format == zb::DepthFormat::z24s8 ? "Z24S8" : "Z16") + part_text(part, s.samples, 1);
  v.setup_ = s;
  return v;
}

float DepthView::depth(const Memory& memory, uint32_t x, uint32_t y) const {
  if (image_) {
    const formats::Info& f = formats::info(image_->format);
    std::array<uint8_t, 16> bytes{};
    const uint32_t sample = sample_of(1u << image_->samples_log2, part_);
    memory.read(xt::address_of(*image_, xt::level_of(*image_, 0), layer_of(*image_, part_), x, y, 0, sample), bytes.data(), f.bytes);
    return std::bit_cast<float>(xt::finish_texel(xt::decoding_of(f, false), xt::decode_texel(f, false, bytes.data(), 0, 0))[0]);
  }
  uint32_t word = 0;
  const int64_t at_x = int64_t{x} + setup_->x_offset, at_y = int64_t{y} + setup_->y_offset;
  if (at_x < 0 || at_y < 0) return 0;
  setup_->depth.sample(sample_of(setup_->samples, part_), setup_->samples).read(memory, uint32_t(at_x), uint32_t(at_y), &word);
  if (setup_->fast_fill.cleared(uint32_t(at_x), uint32_t(at_y))) word = setup_->fast_fill.clear;
  return setup_->format == zb::DepthFormat::z24s8 ? float(word >> 8) / 16777215.0f : float(word) / 65535.0f;
}

std::vector<std::byte> DepthView::bytes(const Memory& memory) const {
  if (image_) return bytes_of(memory, *image_, part_);
  std::vector<std::byte> out = bytes_of(memory, setup_->depth, setup_->samples, height_);
  if (const zb::FastFill& f = setup_->fast_fill; f.ram) {
    const auto* mask = reinterpret_cast<const std::byte*>(f.ram);
    out.insert(out.end(), mask, mask + size_t{f.dwords} * 4);
  }
  return out;
}

Picture DepthView::picture(Memory& memory, const Area& area) const {
  Picture out = empty(area.width, area.height);
  uint8_t* to = out.rgba.data();
  for (uint32_t y = area.y; y < area.y + area.height; ++y)
    for (uint32_t x = area.x; x < area.x + area.width; ++x, to += 4) {
      to[0] = to[1] = to[2] = to_byte(depth(memory, x, y));
      to[3] = 255;
    }
  memory.take_fault();
  return out;
}

}  // namespace pumice::hw::trace
