// SPDX-License-Identifier: MIT
/// See inspection.h.
#include "hw/radeon/trace/tools/inspection.h"

#include <cstdio>

#include "hw/radeon/decode/tx/texture.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/trace/inspect/draw_state.h"
#include "hw/radeon/trace/inspect/extended_state.h"
#include "hw/radeon/trace/inspect/picture.h"

namespace pumice::hw::trace {

namespace {

void print(const std::vector<std::string>& lines, const char* indent = "") {
  for (const std::string& l : lines) std::printf("%s%s\n", indent, l.c_str());
}

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
      if (!before_) reset(*(before_ = std::make_unique<ChipState>(ctx.state.profile)), ctx.state.profile);
      std::printf("registers that do not hold their reset value\n");
      print(register_lines(ctx.state), "  ");
      const bool extended = x::shaders(ctx.state);
      print(extended ? extended_program_lines(ctx) : program_lines(ctx.state));
      if (extended) print(extended_constant_lines(ctx));
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

void Inspection::textures(const DrawContext& ctx) {
  if (x::shaders(ctx.state)) return images(ctx);
  const uint32_t enabled = ctx.state.get<regs::TX_ENABLE>().raw;
  for (uint32_t unit = 0; unit < ctx.state.chip().texture_units; ++unit) {
    if (!(enabled >> unit & 1)) continue;
    tx::Complaints complaints = 0;
    const tx::Texture t = tx::read_registers(ctx.state, unit, complaints);
    const tx::MipLevel level = tx::mip_level(t.mips, 0);
    if (complaints || uint64_t{level.width} * level.height * level.layers > kMostPixels) {
      std::printf("texture %u: no picture, %s\n", unit, complaints ? "its registers have reserved codes" : "it is too large");
      continue;
    }
    show(numbered("texture", draw_, (unit < 10 ? "0" : "") + std::to_string(unit)), "texture " + std::to_string(unit),
         picture_of(ctx.memory, t));
  }
}

/// Of an extended draw.
void Inspection::images(const DrawContext& ctx) {
  uint32_t number = 0;
  for (const BoundImage& b : bound_images(ctx)) {
    const uint32_t n = number++;
    if (b.image.dim == xt::Dim::buffer || uint64_t{b.image.width} * b.image.height > kMostPixels) {
      std::printf("%s: no picture, %s\n", b.name.c_str(), b.image.dim == xt::Dim::buffer ? "it is a texel buffer" : "it is too large");
      continue;
    }
    show(numbered("texture", draw_, (n < 10 ? "0" : "") + std::to_string(n)), "image " + b.name,
         picture_of(ctx.memory, b.image, {0, 0, b.image.width, b.image.height}));
  }
}

/// What the draw left in the depth buffer, where the scissor lets it draw.
void Inspection::depth(const DrawContext& ctx) {
  const auto view = DepthView::of(ctx.state);
  if (!view || uint64_t{view->width()} * view->height() > kMostPixels || view->width() == 0) return;
  show(numbered("draw", draw_, "depth"), "depth", view->picture(ctx.memory, {0, 0, view->width(), view->height()}));
}

}  // namespace pumice::hw::trace
