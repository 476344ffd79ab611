// SPDX-License-Identifier: MIT
/// See inspection.h.
#include "hw/radeon/trace/tools/inspection.h"

#include <cstdio>

#include "hw/radeon/decode/tx/texture.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/trace/inspect/draw_state.h"
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
  if (draw_) source_ = make_names();
  if (options_.pixel) pixel_.emplace(options_.pixel->x, options_.pixel->y, options_.sample);
  if (options_.vertex) vertex_.emplace(*options_.vertex);
  if (options_.invocation) compute_.emplace(*options_.invocation);
}

void Inspection::packet(const Where& where, std::span<const uint32_t> words) {
  if (draw_ && !options_.life()) writers_.packet(where, words);
  if (source_) source_->packet(words);
}

Inspector* Inspection::inspector(uint64_t draw) {
  if (!draw_ || draw != draw_ || options_.dispatch) return nullptr;
  if (pixel_) return &*pixel_;
  return vertex_ ? &*vertex_ : nullptr;
}

void Inspection::name(const DrawContext& ctx, bool draw) {
  names_ = source_ ? source_->names(ctx, draw) : nullptr;
  if (!options_.modules.empty()) write_modules();
  if (!names_) return;
  if (vertex_) vertex_->call(&(*names_)[size_t(x::Stage::vertex)]);
  if (pixel_) pixel_->call(&(*names_)[size_t(x::Stage::fragment)]);
  if (compute_) compute_->call(&(*names_)[size_t(x::Stage::compute)]);
}

/// As InspectOptions::modules says.
void Inspection::write_modules() {
  static constexpr const char* kStages[] = {"vertex", "fragment", "compute"};
  if (!names_) std::printf("modules: the recording does not declare those of this program\n");
  for (size_t i = 0; names_ && i < std::size(kStages); ++i) {
    const std::vector<uint32_t>& words = (*names_)[i].words;
    if (words.empty()) continue;
    const std::string path = options_.modules + "/" + numbered(options_.dispatch ? "dispatch" : "draw", draw_, kStages[i]) + ".spv";
    std::FILE* file = std::fopen(path.c_str(), "wb");
    const bool good = file && std::fwrite(words.data(), 4, words.size(), file) == words.size();
    if ((file && std::fclose(file)) || !good)
      std::fprintf(stderr, "pumice-replay: %s: cannot be written\n", path.c_str());
    else
      std::printf("%s\n", path.c_str());
  }
}

void Inspection::draw(const DrawContext& ctx, const DrawInput& input) {
  if (draw_ && ctx.draw == draw_ && !options_.dispatch) name(ctx, true);
  if (options_.life()) return;
  if (draw_ && ctx.draw == draw_ && !options_.dispatch) {
    state(ctx, x::shaders(ctx.state) ? Stages(kDrawStages) : Stages());
    textures(ctx);
  }
  if (ctx.draw + 1 == draw_) before_ = std::make_unique<ChipState>(ctx.state);
  Pictures::draw(ctx, input);
}

/// `stages`: of extended programs; none: the registers hold the programs.
void Inspection::state(const DrawContext& ctx, Stages stages) {
  if (!before_) reset(*(before_ = std::make_unique<ChipState>(ctx.state.profile)), ctx.state.profile);
  std::printf("registers that do not hold their reset value\n");
  print(register_lines(ctx.state), "  ");
  print(stages.empty() ? program_lines(ctx.state, names_) : extended_program_lines(ctx, names_, stages));
  if (!stages.empty()) print(extended_constant_lines(ctx, names_, stages));
  std::printf("differences from %s\n", draw_ == 1          ? "a chip after reset"
                                       : options_.dispatch ? "the draw or dispatch before"
                                                           : "the draw before");
  print(difference_lines(*before_, ctx.state, &writers_), "  ");
}

Inspector* Inspection::dispatch_inspector(uint64_t dispatch) { return compute_ && dispatch == draw_ ? &*compute_ : nullptr; }

void Inspection::dispatch(const DrawContext& ctx, const DispatchInput& input) {
  if (options_.dispatch && ctx.draw == draw_) {
    name(ctx, false);
    const auto size = ctx.state.get<regs::r5x::X_CS_LOCAL_SIZE>();
    std::printf("%ux%ux%u workgroups of %ux%ux%u invocations", input.groups[0], input.groups[1], input.groups[2], size.X() + 1,
                size.Y() + 1, size.Z() + 1);
    const bool first = input.first == std::array<uint32_t, 3>{};
    if (!first) std::printf(", the first is (%u, %u, %u)", input.first[0], input.first[1], input.first[2]);
    std::printf("\n");
    if (!options_.life()) {
      state(ctx, kDispatchStages);
      images(ctx, kDispatchStages);
    }
  }
  if (!options_.life() && ctx.draw + 1 == draw_) before_ = std::make_unique<ChipState>(ctx.state);
}

void Inspection::dispatched(const DrawContext& ctx) {
  if (!compute_ || ctx.draw != draw_) return;
  print(compute_->lines());
  const auto& i = *options_.invocation;
  if (compute_->lines().empty()) std::printf("invocation (%u, %u, %u) is not among them\n", i[0], i[1], i[2]);
}

void Inspection::drawn(const DrawContext& ctx) {
  if (!draw_ || ctx.draw != draw_ || options_.dispatch) return;
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
  if (x::shaders(ctx.state)) return images(ctx, kDrawStages);
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

/// Of an extended draw or a dispatch.
void Inspection::images(const DrawContext& ctx, Stages stages) {
  uint32_t number = 0;
  for (const BoundImage& b : bound_images(ctx, names_, stages)) {
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
  const auto view = DepthView::of(ctx.state, part());
  if (!view || uint64_t{view->width()} * view->height() > kMostPixels || view->width() == 0) return;
  show(numbered("draw", draw_, "depth"), "depth", view->picture(ctx.memory, {0, 0, view->width(), view->height()}));
}

}  // namespace pumice::hw::trace
