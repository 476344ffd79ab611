// SPDX-License-Identifier: MIT
/// See inspection.h.
#include "hw/radeon/trace/tools/inspection.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "hw/radeon/decode/tx/texture.h"
#include "hw/radeon/decode/zb/setup.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/footprint/draw.h"
#include "hw/radeon/trace/inspect/draw_state.h"

namespace pumice::hw::trace {

namespace {

void print(const std::vector<std::string>& lines, const char* indent = "") {
  for (const std::string& l : lines) std::printf("%s%s\n", indent, l.c_str());
}

uint8_t to_byte(float v) { return static_cast<uint8_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f)); }

float select_component(const Vec4& c, uint32_t code) { return code < 4 ? c[code] : code == 5 ? 1.0f : 0.0f; }

std::string numbered(const char* what, uint64_t draw, const std::string& rest) {
  char text[64];
  std::snprintf(text, sizeof text, "%s-%06llu-%s", what, static_cast<unsigned long long>(draw), rest.c_str());
  return text;
}

}  // namespace

Inspection::Inspection(const PictureOptions& pictures, const InspectOptions& options, Profile profile)
    : Pictures(pictures), draw_(pictures.draw), options_(options), writers_(profile) {
  if (options_.pixel) pixel_.emplace(options_.pixel->x, options_.pixel->y, options_.sample);
  if (options_.vertex) vertex_.emplace(*options_.vertex);
}

void Inspection::packet(const Where& where, std::span<const uint32_t> words) {
  if (draw_ && !options_.life()) writers_.packet(where, words);
}

Inspector* Inspection::inspector(uint64_t draw) {
  if (!draw_ || draw != draw_) return nullptr;
  if (pixel_) return &*pixel_;
  return vertex_ ? &*vertex_ : nullptr;
}

void Inspection::draw(const DrawContext& ctx, const DrawInput& input) {
  if (draw_ && !options_.life()) {
    if (ctx.draw + 1 == draw_) before_ = std::make_unique<ChipState>(ctx.state);
    if (ctx.draw == draw_) {
      if (!before_) reset(*(before_ = std::make_unique<ChipState>()), ctx.state.profile);
      std::printf("registers that do not hold their reset value\n");
      print(register_lines(ctx.state), "  ");
      print(program_lines(ctx.state));
      std::printf(draw_ == 1 ? "differences from a chip after reset\n" : "differences from the draw before\n");
      print(difference_lines(*before_, ctx.state, &writers_), "  ");
      textures(ctx);
    }
  }
  if (!options_.life()) Pictures::draw(ctx, input);
}

void Inspection::drawn(const DrawContext& ctx) {
  if (!draw_ || ctx.draw != draw_) return;
  if (!options_.life()) return depth(ctx);
  if (vertex_) {
    print(vertex_->lines());
    if (vertex_->lines().empty()) std::printf("the draw shades %u vertices, %u is not among them\n", vertex_->shaded(), *options_.vertex);
  }
  if (pixel_) {
    print(pixel_->lines());
    std::printf("primitives: %u, shapes of them that cover pixel (%d, %d): %u\n", pixel_->primitives(), options_.pixel->x,
                options_.pixel->y, pixel_->covering());
  }
}

/// Level 0 of each enabled unit as the program sees it: faces of a cube and slices of a volume are one below the other.
void Inspection::textures(const DrawContext& ctx) {
  const uint32_t enabled = ctx.state.get<regs::TX_ENABLE>().raw;
  for (uint32_t unit = 0; unit < 16; ++unit) {
    if (!(enabled >> unit & 1)) continue;
    tx::Complaints complaints = 0;
    const tx::Texture t = tx::read_registers(ctx.state, unit, complaints);
    const tx::MipLevel level = tx::mip_level(t.mips, 0);
    const uint64_t height = uint64_t{level.height} * level.layers;
    if (complaints || uint64_t{level.width} * height > kMostPixels) {
      std::printf("texture %u: no picture, %s\n", unit, complaints ? "its registers have reserved codes" : "it is too large");
      continue;
    }
    Image image{.name = numbered("texture", draw_, (unit < 10 ? "0" : "") + std::to_string(unit)),
                .what = "texture " + std::to_string(unit),
                .width = level.width,
                .height = uint32_t(height),
                .rgba = {}};
    image.rgba.resize(size_t{4} * image.width * image.height);
    uint8_t* out = image.rgba.data();
    for (uint32_t layer = 0; layer < level.layers; ++layer)
      for (uint32_t y = 0; y < level.height; ++y)
        for (uint32_t x = 0; x < level.width; ++x) {
          const Vec4 c = tx::fetch(ctx.memory, t, t.decoding, level, x, y, layer).c;
          *out++ = to_byte(select_component(c, t.format1.SEL_RED()));
          *out++ = to_byte(select_component(c, t.format1.SEL_GREEN()));
          *out++ = to_byte(select_component(c, t.format1.SEL_BLUE()));
          *out++ = to_byte(select_component(c, t.format1.SEL_ALPHA()));
        }
    ctx.memory.take_fault();
    show(image);
  }
}

/// What the draw left in the depth buffer, the nearest black, where the scissor lets it draw.
void Inspection::depth(const DrawContext& ctx) {
  const zb::Setup s = zb::decode(ctx.state);
  const footprint::Box box = footprint::pixels(ctx.state);
  if (!s.enabled || s.reserved_format || s.sample_tiles || box.empty()) return;
  Image image{.name = numbered("draw", draw_, "depth"), .what = "depth", .width = uint32_t(box.x1), .height = uint32_t(box.y1), .rgba = {}};
  image.width = std::min(image.width, s.depth.layout.pitch_px);
  if (uint64_t{image.width} * image.height > kMostPixels || image.width == 0) return;
  const surface::PixelAccess pixels = s.depth.sample(0, s.samples);
  for (uint32_t y = 0; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x) {
      uint32_t word = 0;
      const int64_t at_x = int64_t{x} + s.x_offset, at_y = int64_t{y} + s.y_offset;
      if (at_x >= 0 && at_y >= 0) pixels.read(ctx.memory, uint32_t(at_x), uint32_t(at_y), &word);
      if (at_x >= 0 && at_y >= 0 && s.fast_fill.cleared(uint32_t(at_x), uint32_t(at_y))) word = s.fast_fill.clear;
      const uint8_t grey = uint8_t(s.format == zb::DepthFormat::z24s8 ? word >> 24 : word >> 8);
      image.rgba.insert(image.rgba.end(), {grey, grey, grey, 255});
    }
  ctx.memory.take_fault();
  show(image);
}

}  // namespace pumice::hw::trace
