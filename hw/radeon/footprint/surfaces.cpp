// SPDX-License-Identifier: MIT
/// See draw.h: depth and colour buffers, mask RAMs.
#include <algorithm>

#include "hw/extents.h"
#include "hw/radeon/decode/rb3d/resolve.h"
#include "hw/radeon/decode/surface/span.h"
#include "hw/radeon/decode/zb/setup.h"
#include "hw/radeon/footprint/draw.h"
#include "hw/radeon/ref/sc/sc.h"

namespace pumice::hw::footprint {

namespace {

/// Whole blocks of a colour mask.
Box whole_blocks(const Box& b) {
  constexpr int32_t kRest = rb3d::ColorMask::kSide - 1;
  return {b.x0 & ~kRest, b.y0 & ~kRest, (b.x1 + kRest) & ~kRest, (b.y1 + kRest) & ~kRest};
}

void add_depth(const ChipState& state, const Box& box, Surfaces& out) {
  const zb::Setup zb = zb::decode(state);
  if (!zb.enabled || zb.reserved_format || zb.sample_tiles) return;
  int64_t x0 = int64_t{box.x0} + zb.x_offset, y0 = int64_t{box.y0} + zb.y_offset;
  int64_t x1 = int64_t{box.x1} + zb.x_offset, y1 = int64_t{box.y1} + zb.y_offset;
  zb::grow_to_tiles(zb.fast_fill, x0, y0, x1, y1);
  if (zb.cb_clear) {  // whole microtiles
    const auto [width, height] = zb::microtile(zb.depth.layout);
    x0 &= -int64_t{width}, y0 &= -int64_t{height};
    x1 = (x1 + width - 1) & -int64_t{width}, y1 = (y1 + height - 1) & -int64_t{height};
  }
  const Surface& s = out.surface[out.count++] = {
      .what = What::depth,
      .writes = zb.z_write || zb.stencil,
      .pixels = zb.depth,
      .samples = zb.samples,
      .x_offset = zb.x_offset,
      .y_offset = zb.y_offset,
      .box = {static_cast<int32_t>(x0), static_cast<int32_t>(y0), static_cast<int32_t>(x1), static_cast<int32_t>(y1)}};
  const zb::FastFill& fill = zb.fast_fill;
  if (!fill.ram || s.leaves()) return;
  const auto dword = [&](int32_t x, int32_t y) { return fill.dword_of(static_cast<uint32_t>(x), static_cast<uint32_t>(y)); };
  out.zmask = {.begin = static_cast<uint32_t>(std::min<uint64_t>(dword(s.box.x0, s.box.y0), fill.dwords)),
               .end = static_cast<uint32_t>(std::min<uint64_t>(dword(s.box.x1 - 1, s.box.y1 - 1) + 1, fill.dwords)),
               .first = fill.first,
               .row = fill.row,
               .shift = fill.shift,
               .x_offset = zb.x_offset,
               .y_offset = zb.y_offset};
}

void add_mask(const rb3d::ColorMask& mask, const Box& box, Surfaces& out) {
  if (!mask.ram) return;
  const auto dword = [&](int32_t x, int32_t y) { return mask.dword_of(static_cast<uint32_t>(x), static_cast<uint32_t>(y)); };
  out.cmask[out.cmasks++] = {.begin = static_cast<uint32_t>(std::min<uint64_t>(dword(box.x0, box.y0), mask.dwords)),
                             .end = static_cast<uint32_t>(std::min<uint64_t>(dword(box.x1 - 1, box.y1 - 1) + 1, mask.dwords)),
                             .first = mask.first,
                             .row = mask.row};
}

void add_resolve(const ChipState& state, const Box& box, Surfaces& out) {
  const rb3d::Resolve r = rb3d::decode_resolve(state);
  if (!r.format.valid()) return;
  out.surface[out.count++] = {.what = What::resolve_source, .pixels = r.from, .samples = r.samples, .box = box};
  out.surface[out.count++] = {.what = What::resolved, .writes = true, .pixels = r.to, .box = box};
  add_mask(r.mask, box, out);
}

void add_targets(const ChipState& state, const Box& box, Surfaces& out) {
  const rb3d::Shared shared = rb3d::decode_shared(state);
  for (uint32_t i = 0; i < rb3d::kTargets; ++i) {
    rb3d::Target t;
    if (!rb3d::decode_target(state, shared, i, t) || !t.format.valid() || t.sample_tiles(shared)) continue;
    const Box b = t.color_mask.ram ? whole_blocks(box) : box;
    out.surface[out.count++] = {.what = What::color, .writes = true, .pixels = t.pixels, .samples = shared.samples, .box = b};
    add_mask(t.color_mask, b, out);
  }
}

}  // namespace

Box pixels(const ChipState& state) {
  const sc::Rectangle s = sc::bounds(state).box;
  const int32_t end = static_cast<int32_t>(state.chip().raster_extent);
  return {std::clamp(s.x0, 0, end), std::clamp(s.y0, 0, end), std::clamp(s.x1, -1, end - 1) + 1, std::clamp(s.y1, -1, end - 1) + 1};
}

Rows Surface::rows() const {
  const int64_t x0 = std::max(box.x0, 0), y0 = int64_t{std::max(box.y0, 0)} * samples;  // each sample has a row
  const int64_t x1 = box.x1, y1 = int64_t{box.y1} * samples;
  if (x0 >= x1 || y0 >= y1) return {};
  const surface::Layout& l = pixels.layout;
  const auto span = [&](int64_t from_x, int64_t from_y, int64_t to_x, int64_t to_y) {
    return surface::span_of(l, static_cast<uint32_t>(from_x), static_cast<uint32_t>(from_y), static_cast<uint32_t>(to_x),
                            static_cast<uint32_t>(to_y));
  };
  if (surface::tile_bytes(l) != l.bytes_per_pixel) {
    const surface::Span s = span(0, y0, x1, y1);  // recordings have digests of these rows: from the left edge on
    return {pixels.base + s.begin, s.end - s.begin, 0, 1};
  }
  const uint64_t pitch = uint64_t{l.pitch_px} * l.bytes_per_pixel;
  const surface::Span s = span(x0, y0, x1, y0 + 1);
  uint64_t first = pixels.base + s.begin, end = pixels.base + s.end;
  if (pitch % 4 == 0)
    first &= ~3ull, end = (end + 3) & ~3ull;
  else  // each row begins at a different position in its dword
    first -= std::min<uint64_t>(first, 3), end += 3;
  return {first, end - first, pitch, static_cast<uint64_t>(y1 - y0)};
}

ByteRange Surface::bytes() const {
  const uint32_t x0 = static_cast<uint32_t>(std::max(box.x0, 0)), y0 = static_cast<uint32_t>(std::max(box.y0, 0)) * samples;
  if (box.x1 <= static_cast<int32_t>(x0) || box.y1 <= std::max(box.y0, 0)) return {};
  const surface::Span s = surface::span_of(pixels.layout, x0, y0, static_cast<uint32_t>(box.x1), static_cast<uint32_t>(box.y1) * samples);
  return {(pixels.base + s.begin) & ~3ull, (pixels.base + s.end + 3) & ~3ull};
}

bool Surface::same_pixels(const Surface& o) const {
  const surface::Layout &a = pixels.layout, &b = o.pixels.layout;
  return pixels.base == o.pixels.base && a.pitch_px == b.pitch_px && a.bytes_per_pixel == b.bytes_per_pixel &&
         a.macro_tiled == b.macro_tiled && a.micro == b.micro && pixels.endian == o.pixels.endian && x_offset == o.x_offset &&
         y_offset == o.y_offset && samples == o.samples;
}

Surfaces surfaces(const ChipState& state) {
  Surfaces out;
  const Box box = pixels(state);
  if (box.empty()) return out;
  add_depth(state, box, out);
  if (rb3d::resolve_mode(state))
    add_resolve(state, box, out);
  else
    add_targets(state, box, out);
  return out;
}

}  // namespace pumice::hw::footprint
