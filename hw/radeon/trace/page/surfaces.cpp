// SPDX-License-Identifier: MIT
/// See surfaces.h.
#include "hw/radeon/trace/page/surfaces.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hw/db/formats.h"

namespace pumice::hw::trace {

namespace {

std::string format_of(const TargetView& view, const Part& part) {
  const std::string which = part_text(part, view.samples, view.image ? view.image->layers : 1);
  if (view.image) return std::string(formats::info(view.image->format).name) + which;
  return std::to_string(8 * view.target.format.bytes) + " bits" + which;
}

/// The tile's part of a surface.
Area area_of(const Surfaces::Known& s, uint32_t x, uint32_t y) {
  return {x * kTile, y * kTile, std::min(kTile, s.width - x * kTile), std::min(kTile, s.height - y * kTile)};
}

/// Marks, then `fresh` in planes. mark(pixel of the tile, changed).
template <class Mark>
Tile tile_of(Surfaces::Known& s, uint32_t x, uint32_t y, const Bytes& fresh, const Area& area, Mark mark, bool& any) {
  const uint32_t planes = planes_of(s.depth ? LayerKind::depth : LayerKind::color);
  Tile t{x, y, Bytes(size_t{planes} * kTilePixels)};
  any = false;
  for (uint32_t j = 0; j < area.height; ++j)
    for (uint32_t i = 0; i < area.width; ++i) {
      const uint8_t* from = &fresh[4 * (size_t{j} * area.width + i)];
      uint8_t* kept = &s.values[4 * (size_t{area.y + j} * s.width + area.x + i)];
      const uint32_t pixel = j * kTile + i;
      t.planes[pixel] = mark(pixel, std::memcmp(from, kept, 4) != 0);
      any |= t.planes[pixel] != 0;
      std::copy_n(from, 4, kept);
      for (uint32_t c = 1; c < planes; ++c) t.planes[c * kTilePixels + pixel] = from[c - 1];
    }
  return t;
}

}  // namespace

std::vector<SurfaceView> surfaces_of(const DrawContext& ctx, uint64_t most, const Part& part) {
  std::vector<SurfaceView> out;
  Memory& memory = ctx.memory;
  for (const TargetView& v : color_targets(ctx.state)) {
    SurfaceView s;
    s.base = v.target.pixels.base;
    s.width = std::min(v.x1, v.target.pixels.layout.pitch_px), s.height = v.y1;
    s.format = format_of(v, part);
    s.read = [&memory, v, part](const Area& area) { return picture_of(memory, v, area, part).rgba; };
    s.bytes = [&memory, v, part] { return bytes_of(memory, v, part); };
    out.push_back(std::move(s));
  }
  if (const auto v = DepthView::of(ctx.state, part)) {
    SurfaceView s;
    s.depth = true;
    s.base = v->base();
    s.width = v->width(), s.height = v->height();
    s.format = v->format();
    s.read = [&memory, v = *v](const Area& area) {
      Bytes bytes(4 * area.pixels());
      uint8_t* to = bytes.data();
      for (uint32_t y = area.y; y < area.y + area.height; ++y)
        for (uint32_t x = area.x; x < area.x + area.width; ++x, to += 4) {
          const auto z = uint32_t(std::lround(std::clamp(v.depth(memory, x, y), 0.0f, 1.0f) * 16777215.0));
          for (uint32_t c = 0; c < 3; ++c) to[c] = uint8_t(z >> 8 * c);
        }
      memory.take_fault();
      return bytes;
    };
    s.bytes = [&memory, v = *v] { return v.bytes(memory); };
    out.push_back(std::move(s));
  }
  std::erase_if(out, [&](const SurfaceView& s) { return !s.width || !s.height || uint64_t{s.width} * s.height > most; });
  return out;
}

uint32_t Surfaces::number(const SurfaceView& view) const {
  const auto at = std::find_if(known_.begin(), known_.end(),
                               [&](const Known& k) { return k.base == view.base && k.depth == view.depth && k.format == view.format; });
  return uint32_t(at - known_.begin());
}

uint32_t Surfaces::before(const SurfaceView& view, uint64_t frame, Layers& out) {
  const uint32_t number = this->number(view);
  if (number == known_.size()) {
    Known& k = known_.emplace_back();
    k.depth = view.depth, k.base = view.base, k.format = view.format;
  }
  Known& s = known_[number];
  const bool grows = view.width > s.width || view.height > s.height;
  const bool complete = s.complete == frame && !grows;
  // A view that is narrower than the surface (a scissor) sees only that part of it.
  if (grows) {
    s.width = std::max(s.width, view.width), s.height = std::max(s.height, view.height);
    s.values.assign(size_t{4} * s.width * s.height, 0);
  }
  compare(number, view, complete, out);
  s.complete = frame;
  return number;
}

/// Tiles that changed; all of them unless `complete`.
void Surfaces::compare(uint32_t number, const SurfaceView& view, bool complete, Layers& out) {
  Known& s = known_[number];
  std::vector<std::byte> bytes = view.bytes();
  if (complete && bytes == s.bytes) return;
  for (uint32_t y = 0; y * kTile < view.height; ++y)
    for (uint32_t x = 0; x * kTile < view.width; ++x) {
      Area area = area_of(s, x, y);
      area.width = std::min(area.width, view.width - area.x), area.height = std::min(area.height, view.height - area.y);
      bool any = false;
      Tile t = tile_of(
          s, x, y, view.read(area), area, [&](uint32_t, bool changed) { return uint8_t(complete && changed ? 2 : 0); }, any);
      if (any || !complete) out.add(number, view.depth ? LayerKind::depth : LayerKind::color, std::move(t));
    }
  s.bytes = std::move(bytes);
}

void Surfaces::after(uint32_t number, const SurfaceView& view, const std::vector<std::unique_ptr<WorkTile>>& work, Layers& out) {
  Known& s = known_[number];
  for (const auto& w : work) {
    if (w->x * kTile >= view.width || w->y * kTile >= view.height) continue;
    Area area = area_of(s, w->x, w->y);
    area.width = std::min(area.width, view.width - area.x), area.height = std::min(area.height, view.height - area.y);
    bool any = false;
    const auto mark = [&](uint32_t pixel, bool changed) { return uint8_t(changed ? 2 : !view.depth && w->written[pixel] ? 1 : 0); };
    Tile t = tile_of(s, w->x, w->y, view.read(area), area, mark, any);
    if (any) out.add(number, view.depth ? LayerKind::depth : LayerKind::color, std::move(t));
  }
  s.bytes = view.bytes();
}

}  // namespace pumice::hw::trace
