// SPDX-License-Identifier: MIT
/// See engine_2d.h: whole rows, and many rows of one packet.
#include <cstring>

#include "hw/radeon/cp/engine_2d.h"
#include "hw/radeon/cp/transfer.h"

namespace pumice::hw {

std::byte* Engine2d::host(const Rows& rows) const {
  return memory_.backed(rows.address, rows.hull().size()) ? memory_.host_pointer(rows.address) : nullptr;
}

bool Engine2d::fill_rows(const Target& t, const Rect& r) {
  if (rop3_reads_destination(t.rop) || !t.plain()) return false;
  const Window w = clipped(t, r);
  if (w.empty()) return true;
  const Rows area = rows(t.surface, w);
  std::byte* to = host(area);
  if (!to) return false;
  transfer::fill(crew_, to, area.pitch, area.bytes, area.count, rop3(t.rop, t.brush.color(), 0, 0), t.surface.bytes);
  return true;
}

bool Engine2d::copy_rows(const Target& t, const Rect& r, const Surface& source, uint32_t sx, uint32_t sy, bool upwards) {
  if (t.rop != Control::ROP3__SRCCOPY || !t.plain() || source.tiled() || r.width == 0 || r.height == 0) return false;
  const Window w = clipped(t, r);
  // The general path reads clipped pixels too, so they must be backed.
  const std::byte* from = host(rows(source, {sx, sy, r.width, r.height}));
  if (w.empty() || !from) return false;
  const Rows area = rows(t.surface, w);
  std::byte* to = host(area);
  if (!to) return false;
  from += (w.y - r.y) * source.pitch + uint64_t{w.x - r.x} * source.bytes;
  transfer::copy(crew_, to, area.pitch, from, source.pitch, area.bytes, area.count, upwards);
  return true;
}

bool Engine2d::upload_rows(const Target& t, const Rect& r, const uint8_t* data, uint64_t row_bytes) {
  if (t.rop != Control::ROP3__SRCCOPY || !t.plain()) return false;
  const Window w = clipped(t, r);
  if (w.empty()) return true;
  const Rows area = rows(t.surface, w);
  std::byte* to = host(area);
  if (!to) return false;
  data += (w.y - r.y) * row_bytes + uint64_t{w.x - r.x} * t.surface.bytes;
  for (size_t i = 0; i < area.count; ++i, to += area.pitch, data += row_bytes) std::memcpy(to, data, area.bytes);
  return true;
}

// ---- Many rows of one packet -----------------------------------------------------------------------------------------------------

namespace {

constexpr size_t kTogether = 8;  ///< minimum number of rows for this optimization

/// The number of leading rectangles that are single rows at equal distances.
template <class T, class Follows>
size_t even_rows(std::span<const T> list, Follows follows) {
  size_t n = 1;
  while (n < list.size() && follows(list[n - 1], list[n])) ++n;
  return n;
}

bool below(const Rect& a, const Rect& b, uint32_t step) {
  return a.height == 1 && b.height == 1 && a.x == b.x && a.width == b.width && b.y - a.y == step && b.y > a.y;
}

}  // namespace

std::string Engine2d::paint(std::span<const Rect> rects) {
  while (!rects.empty()) {
    const uint32_t step = rects.size() > 1 ? rects[1].y - rects[0].y : 0;
    const size_t n = even_rows(rects, [&](const Rect& a, const Rect& b) { return below(a, b, step); });
    if (n < kTogether || !fill_together(rects.first(n)))
      for (const Rect& r : rects.first(n))
        if (std::string refused = paint(r); !refused.empty()) return refused;
    rects = rects.subspan(n);
  }
  return {};
}

std::string Engine2d::blit(std::span<const Blit> blits) {
  while (!blits.empty()) {
    const uint32_t step = blits.size() > 1 ? blits[1].destination.y - blits[0].destination.y : 0;
    const uint32_t source_step = blits.size() > 1 ? blits[1].source_y - blits[0].source_y : 0;
    const size_t n = even_rows(blits, [&](const Blit& a, const Blit& b) {
      return below(a.destination, b.destination, step) && a.source_x == b.source_x && b.source_y - a.source_y == source_step &&
             b.source_y > a.source_y;
    });
    if (n < kTogether || !copy_together(blits.first(n)))
      for (const Blit& b : blits.first(n))
        if (std::string refused = blit(b); !refused.empty()) return refused;
    blits = blits.subspan(n);
  }
  return {};
}

/// Whether the rows are entirely inside the clip rectangle.
bool Engine2d::holds(const Target& t, const Rect& first, const Rect& last) {
  return first.width > 0 && first.x >= t.left && first.x + first.width <= t.right && first.y >= t.top && last.y < t.bottom;
}

bool Engine2d::fill_together(std::span<const Rect> rects) {
  Target t;
  const Rect &first = rects.front(), &last = rects.back();
  if (!target(t, false).empty() || rop3_reads_destination(t.rop) || !t.plain() || !holds(t, first, last)) return false;
  const Rows to = footprint::rows(t.surface, first.x, first.y, first.width, static_cast<uint32_t>(rects.size()), rects[1].y - first.y);
  std::byte* const at = to.pitch < to.bytes ? nullptr : host(to);
  if (!at) return false;
  on_write(to.hull());
  if (observer_) observer_->settled(), observer_->writes(to), observer_->fills(to, t.surface.bytes);
  transfer::fill(crew_, at, to.pitch, to.bytes, to.count, rop3(t.rop, t.brush.color(), 0, 0), t.surface.bytes);
  return true;
}

bool Engine2d::copy_together(std::span<const Blit> blits) {
  Target t;
  Surface from_surface;
  const Rect &first = blits.front().destination, &last = blits.back().destination;
  if (!target(t, true).empty() || t.rop != Control::ROP3__SRCCOPY || !t.plain() || !holds(t, first, last)) return false;
  const auto control = state_.get<Control>();
  if (!colour(control.SRC_TYPE()) || control.SRC_CLIPPING() || !source(from_surface, t).empty() || from_surface.tiled()) return false;
  if (blits[0].source_x > kMost2d || blits.back().source_y > kMost2d) return false;
  const auto count = static_cast<uint32_t>(blits.size());
  const Rows to = footprint::rows(t.surface, first.x, first.y, first.width, count, blits[1].destination.y - first.y);
  const Rows from =
      footprint::rows(from_surface, blits[0].source_x, blits[0].source_y, first.width, count, blits[1].source_y - blits[0].source_y);
  // Row by row: only valid where no row reads bytes that another one wrote.
  if (to.pitch < to.bytes || to.hull().overlaps(from.hull())) return false;
  std::byte* const at = host(to);
  const std::byte* const source_at = host(from);
  if (!at || !source_at) return false;
  on_write(to.hull());
  if (observer_) observer_->reads(from), observer_->settled(), observer_->writes(to);
  transfer::copy(crew_, at, to.pitch, source_at, from.pitch, to.bytes, to.count, false);
  return true;
}

}  // namespace pumice::hw
