// SPDX-License-Identifier: MIT
/// See one_draw.h.
#include "hw/radeon/trace/inspect/one_draw.h"

#include <algorithm>

#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/trace/inspect/extended_state.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

namespace {

constexpr uint64_t kMostPixels = 1u << 24;

}  // namespace

void OneDraw::draw(const DrawContext& ctx, const DrawInput&) {
  if (ctx.draw != number_) return;
  state = std::make_unique<ChipState>(ctx.state);
  if (!x::shaders(ctx.state)) return;
  programs = extended_program_lines(ctx, nullptr);
  for (std::string& l : extended_constant_lines(ctx, nullptr)) programs.push_back(std::move(l));
}

void OneDraw::drawn(const DrawContext& ctx) {
  if (ctx.draw != number_) return;
  done_ = true;
  for (const TargetView& view : color_targets(ctx.state)) {
    Picture p{view, std::min(view.x1, view.target.pixels.layout.pitch_px), {}};
    if (uint64_t{p.width} * view.y1 > kMostPixels) continue;
    if (view.image) {
      image(p);
      continue;
    }
    const surface::PixelAccess pixels = view.target.pixels.sample(0, view.samples);
    for (uint32_t y = 0; y < view.y1; ++y)
      for (uint32_t x = 0; x < p.width; ++x) {
        rb3d::PixelBits bits{};
        pixels.read(*memory_, x, y, bits.data());
        auto& kept = p.pixels.emplace_back();
        std::copy_n(bits.begin(), std::min(bits.size(), kept.size()), kept.begin());
      }
    pictures.push_back(std::move(p));
  }
  memory_->take_fault();
}

void OneDraw::image(Picture& p) {
  const xt::Image& from = *p.view.image;
  for (uint32_t y = 0; y < from.height; ++y)
    for (uint32_t x = 0; x < from.width; ++x) {
      auto& bits = p.pixels.emplace_back();
      memory_->read(xt::address_of(from, xt::level_of(from, 0), from.first_layer, x, y, 0, 0), bits.data(),
                    formats::info(from.format).bytes);
    }
  pictures.push_back(std::move(p));
}

std::string value_text(const TargetView& view, const std::array<uint32_t, 4>& bits) {
  if (!view.image) {
    rb3d::PixelBits pixel{};
    std::copy_n(bits.begin(), std::min(bits.size(), pixel.size()), pixel.begin());
    return numbers(rb3d::unpack(view.target.format, pixel));
  }
  const formats::Info& f = formats::info(view.image->format);
  const auto* bytes = reinterpret_cast<const uint8_t*>(bits.data());
  return bits_text(xt::finish_texel(xt::decoding_of(f, false), xt::decode_texel(f, false, bytes, 0, 0)));
}

}  // namespace pumice::hw::trace
