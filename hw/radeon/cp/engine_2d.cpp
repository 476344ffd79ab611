// SPDX-License-Identifier: MIT
/// See engine_2d.h.
#include "hw/radeon/cp/engine_2d.h"

#include <algorithm>
#include <cstring>

#include "hw/radeon/cp/endian.h"
#include "hw/radeon/cp/transfer.h"

namespace pumice::hw {

namespace {

using Control = regs::DP_GUI_MASTER_CNTL;

constexpr uint32_t kCoordinate = 0x3FFF;

/// Bit 4*P + 2*S + D of the code, for each of 32 bit positions.
uint32_t rop3(uint32_t code, uint32_t p, uint32_t s, uint32_t d) {
  if (code == Control::ROP3__PATCOPY) return p;
  if (code == Control::ROP3__SRCCOPY) return s;
  uint32_t result = 0;
  for (uint32_t i = 0; i < 8; ++i)
    if (code >> i & 1) result |= (i & 4 ? p : ~p) & (i & 2 ? s : ~s) & (i & 1 ? d : ~d);
  return result;
}

bool reads_destination(uint32_t code) { return ((code ^ code >> 1) & 0x55) != 0; }

Rect masked(Rect r) { return {r.x & kCoordinate, r.y & kCoordinate, r.width & kCoordinate, r.height & kCoordinate}; }

}  // namespace

const char* Engine2d::surface(uint32_t pitch_offset, Surface& out) {
  const regs::DST_PITCH_OFFSET r{pitch_offset};
  if (r.TILE_MACRO() || r.TILE_MICRO()) return "2D engine: tiled surface";
  out.base = uint64_t{r.OFFSET()} * r.OFFSET__UNIT;
  out.pitch = uint64_t{r.PITCH()} * r.PITCH__UNIT;
  return nullptr;
}

const char* Engine2d::target(Target& t) const {
  const auto control = state_.get<Control>();
  t.surface.bytes = destination_bytes(control.DST_TYPE());
  if (t.surface.bytes == 0) return "2D engine: destination type";
  t.rop = control.ROP3();
  t.write_mask = control.WR_MSK_DIS() ? 0xFFFFFFFFu : state_.raw(regs::DP_WRITE_MASK::offset);
  t.brush = Brush(state_, pattern_, t.surface.bytes);
  if (control.DST_CLIPPING()) {
    const auto tl = state_.get<regs::SC_TOP_LEFT>();
    const auto br = state_.get<regs::SC_BOTTOM_RIGHT>();
    t.left = tl.LEFT(), t.top = tl.TOP(), t.right = br.RIGHT(), t.bottom = br.BOTTOM();
  } else {
    const auto br = state_.get<regs::DEFAULT_SC_BOTTOM_RIGHT>();
    t.right = br.RIGHT() ? br.RIGHT() : kCoordinate + 1, t.bottom = br.BOTTOM() ? br.BOTTOM() : kCoordinate + 1;
  }
  return surface(state_.raw(control.DST_PITCH_OFFSET_CNTL() ? regs::DST_PITCH_OFFSET::offset : regs::DEFAULT_OFFSET::offset), t.surface);
}

bool Engine2d::read_row(const Surface& s, uint32_t x, uint32_t y, std::span<uint32_t> out) {
  const uint32_t bytes = s.bytes;
  bytes_.resize(out.size() * bytes);
  if (!memory_.read(rows(s, {x, y, 0, 1}).address, bytes_.data(), bytes_.size())) return false;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    std::memcpy(&out[i], &bytes_[i * bytes], bytes);
  }
  return true;
}

bool Engine2d::row(const Target& t, uint32_t x, uint32_t y, uint32_t count, std::span<const uint32_t> source,
                   std::span<const uint8_t> opaque) {
  const uint32_t first = std::max(x, t.left), end = std::min(x + count, t.right);
  if (y < t.top || y >= t.bottom || first >= end) return true;
  std::vector<uint32_t> result(end - first);
  const bool masked_write = t.write_mask != 0xFFFFFFFFu || !opaque.empty() || t.brush.patterned();
  if ((reads_destination(t.rop) || masked_write) && !read_row(t.surface, first, y, result)) return false;
  for (uint32_t i = 0; i < result.size(); ++i) {
    const uint32_t column = first - x + i;
    if (!opaque.empty() && !opaque[column]) continue;
    const uint32_t d = result[i];
    const std::optional<uint32_t> brush = t.brush.at(x + column, y);
    if (!brush) continue;
    const uint32_t v = rop3(t.rop, *brush, source.size() == 1 ? source[0] : source[column], d);
    result[i] = (v & t.write_mask) | (d & ~t.write_mask);
  }
  const uint32_t bytes = t.surface.bytes;
  bytes_.resize(result.size() * bytes);
  for (size_t i = 0; i < result.size(); ++i) std::memcpy(&bytes_[i * bytes], &result[i], bytes);
  return memory_.write(rows(t.surface, {first, y, 0, 1}).address, bytes_.data(), bytes_.size());
}

Engine2d::Window Engine2d::clipped(const Target& t, const Rect& r) {
  const uint32_t x0 = std::max(r.x, t.left), x1 = std::min(r.x + r.width, t.right);
  const uint32_t y0 = std::max(r.y, t.top), y1 = std::min(r.y + r.height, t.bottom);
  return {x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

std::byte* Engine2d::host(const Rows& rows) const {
  return memory_.backed(rows.address, rows.hull().size()) ? memory_.host_pointer(rows.address) : nullptr;
}

void Engine2d::announce(const Target& t, const Rect& r, bool fill) const {
  const Window w = clipped(t, r);
  if (!observer_ || w.empty()) return;
  observer_->settled();  // nothing is queued; the following effects may be visible to the host
  const Rows to = rows(t.surface, w);
  observer_->writes(to);
  if (fill) observer_->fills(to, t.surface.bytes);
}

bool Engine2d::fill_rows(const Target& t, const Rect& r) {
  if (reads_destination(t.rop) || !t.writes_all()) return false;
  const Window w = clipped(t, r);
  if (w.empty()) return true;
  const Rows area = rows(t.surface, w);
  std::byte* to = host(area);
  if (!to) return false;
  transfer::fill(crew_, to, area.pitch, area.bytes, area.count, rop3(t.rop, t.brush.color(), 0, 0), t.surface.bytes);
  return true;
}

bool Engine2d::copy_rows(const Target& t, const Rect& r, const Surface& source, uint32_t sx, uint32_t sy, bool upwards) {
  if (t.rop != Control::ROP3__SRCCOPY || !t.writes_all() || r.width == 0 || r.height == 0) return false;
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
  if (t.rop != Control::ROP3__SRCCOPY || !t.writes_all()) return false;
  const Window w = clipped(t, r);
  if (w.empty()) return true;
  const Rows area = rows(t.surface, w);
  std::byte* to = host(area);
  if (!to) return false;
  data += (w.y - r.y) * row_bytes + uint64_t{w.x - r.x} * t.surface.bytes;
  for (size_t i = 0; i < area.count; ++i, to += area.pitch, data += row_bytes) std::memcpy(to, data, area.bytes);
  return true;
}

const char* Engine2d::paint(const Rect& rect) {
  Target t;
  if (const char* unsupported = target(t)) return unsupported;
  const Rect r = masked(rect);
  announce(t, r, !t.brush.patterned());
  if (fill_rows(t, r)) return nullptr;
  const uint32_t no_source = 0;
  for (uint32_t y = 0; y < r.height; ++y)
    if (!row(t, r.x, r.y + y, r.width, {&no_source, 1}, {})) break;
  return nullptr;
}

const char* Engine2d::blit(const Blit& blit) {
  Target t;
  if (const char* unsupported = target(t)) return unsupported;
  const auto control = state_.get<Control>();
  if (control.SRC_TYPE() != Control::SRC_TYPE__COLOR) return "2D engine: mono source in memory";
  if (control.DP_SRC_SOURCE() != Control::DP_SRC_SOURCE__MEMORY) return "2D engine: the source of a blit is not memory";
  Surface source;
  if (const char* unsupported =
          surface(state_.raw(control.SRC_PITCH_OFFSET_CNTL() ? regs::SRC_PITCH_OFFSET::offset : regs::DEFAULT_OFFSET::offset), source))
    return unsupported;
  source.bytes = t.surface.bytes;
  Rect r = masked(blit.destination);
  const uint32_t sx = blit.source_x & kCoordinate, sy = blit.source_y & kCoordinate;
  if (control.SRC_CLIPPING()) {
    const auto clip = state_.get<regs::SRC_SC_BOTTOM_RIGHT>();
    r.width = std::min(r.width, clip.RIGHT() > sx ? clip.RIGHT() - sx : 0);
    r.height = std::min(r.height, clip.BOTTOM() > sy ? clip.BOTTOM() - sy : 0);
  }
  // As if the whole source were read first: rows go bottom up when the destination lies behind the source.
  const Rows from = rows(source, {sx, sy, r.width, r.height});
  const bool upwards = rows(t.surface, {r.x, r.y, r.width, r.height}).address > from.address;
  if (observer_ && r.width && r.height) observer_->reads(from);
  announce(t, r);
  if (copy_rows(t, r, source, sx, sy, upwards)) return nullptr;
  pixels_.resize(r.width);
  for (uint32_t i = 0; i < r.height; ++i) {
    const uint32_t y = upwards ? r.height - 1 - i : i;
    if (!read_row(source, sx, sy + y, pixels_) || !row(t, r.x, r.y + y, r.width, pixels_, {})) break;
  }
  return nullptr;
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

const char* Engine2d::paint(std::span<const Rect> rects) {
  while (!rects.empty()) {
    const uint32_t step = rects.size() > 1 ? rects[1].y - rects[0].y : 0;
    const size_t n = even_rows(rects, [&](const Rect& a, const Rect& b) { return below(a, b, step); });
    if (n < kTogether || !fill_together(rects.first(n)))
      for (const Rect& r : rects.first(n))
        if (const char* unsupported = paint(r)) return unsupported;
    rects = rects.subspan(n);
  }
  return nullptr;
}

const char* Engine2d::blit(std::span<const Blit> blits) {
  while (!blits.empty()) {
    const uint32_t step = blits.size() > 1 ? blits[1].destination.y - blits[0].destination.y : 0;
    const uint32_t source_step = blits.size() > 1 ? blits[1].source_y - blits[0].source_y : 0;
    const size_t n = even_rows(blits, [&](const Blit& a, const Blit& b) {
      return below(a.destination, b.destination, step) && a.source_x == b.source_x && b.source_y - a.source_y == source_step &&
             b.source_y > a.source_y;
    });
    if (n < kTogether || !copy_together(blits.first(n)))
      for (const Blit& b : blits.first(n))
        if (const char* unsupported = blit(b)) return unsupported;
    blits = blits.subspan(n);
  }
  return nullptr;
}

/// Whether the rows are entirely inside the clip rectangle.
bool Engine2d::holds(const Target& t, const Rect& first, const Rect& last) {
  return first.width > 0 && first.x >= t.left && first.x + first.width <= t.right && first.y >= t.top && last.y < t.bottom;
}

bool Engine2d::fill_together(std::span<const Rect> rects) {
  Target t;
  const Rect &first = rects.front(), &last = rects.back();
  if (target(t) || reads_destination(t.rop) || !t.writes_all() || !holds(t, first, last)) return false;
  const Rows to = footprint::rows(t.surface, first.x, first.y, first.width, static_cast<uint32_t>(rects.size()), rects[1].y - first.y);
  std::byte* const at = to.pitch < to.bytes ? nullptr : host(to);
  if (!at) return false;
  if (observer_) observer_->settled(), observer_->writes(to), observer_->fills(to, t.surface.bytes);
  transfer::fill(crew_, at, to.pitch, to.bytes, to.count, rop3(t.rop, t.brush.color(), 0, 0), t.surface.bytes);
  return true;
}

bool Engine2d::copy_together(std::span<const Blit> blits) {
  Target t;
  Surface source;
  const auto control = state_.get<Control>();
  const Rect &first = blits.front().destination, &last = blits.back().destination;
  if (target(t) || t.rop != Control::ROP3__SRCCOPY || !t.writes_all() || !holds(t, first, last)) return false;
  if (control.SRC_TYPE() != Control::SRC_TYPE__COLOR || control.DP_SRC_SOURCE() != Control::DP_SRC_SOURCE__MEMORY ||
      control.SRC_CLIPPING() ||
      surface(state_.raw(control.SRC_PITCH_OFFSET_CNTL() ? regs::SRC_PITCH_OFFSET::offset : regs::DEFAULT_OFFSET::offset), source))
    return false;
  if (blits[0].source_x > kCoordinate || blits.back().source_y > kCoordinate) return false;
  source.bytes = t.surface.bytes;
  const auto count = static_cast<uint32_t>(blits.size());
  const Rows to = footprint::rows(t.surface, first.x, first.y, first.width, count, blits[1].destination.y - first.y);
  const Rows from =
      footprint::rows(source, blits[0].source_x, blits[0].source_y, first.width, count, blits[1].source_y - blits[0].source_y);
  // Row by row: only valid where no row reads bytes that another one wrote.
  if (to.pitch < to.bytes || to.hull().overlaps(from.hull())) return false;
  std::byte* const at = host(to);
  const std::byte* const source_at = host(from);
  if (!at || !source_at) return false;
  if (observer_) observer_->reads(from), observer_->settled(), observer_->writes(to);
  transfer::copy(crew_, at, to.pitch, source_at, from.pitch, to.bytes, to.count, false);
  return true;
}

const char* Engine2d::host_blit(const HostBlit& blit) {
  Target t;
  if (const char* unsupported = target(t)) return unsupported;
  const auto control = state_.get<Control>();
  const bool colour = control.SRC_TYPE() == Control::SRC_TYPE__COLOR,
             transparent = control.SRC_TYPE() == Control::SRC_TYPE__MONO_TRANSPARENT;
  if (!colour && !transparent && control.SRC_TYPE() != Control::SRC_TYPE__MONO_OPAQUE) return "2D engine: source type";
  const bool bytewise = control.DP_SRC_SOURCE() == Control::DP_SRC_SOURCE__HOST_DATA_BYTE;
  if (!bytewise && control.DP_SRC_SOURCE() != Control::DP_SRC_SOURCE__HOST_DATA)
    return "2D engine: the source of HOSTDATA_BLT is not host data";
  const Rect r = masked(blit.destination);
  uint64_t row_bytes = colour ? uint64_t{r.width} * t.surface.bytes : (uint64_t{r.width} + 7) / 8;
  if (!bytewise) row_bytes = (row_bytes + 3) & ~3ull;
  if (row_bytes * r.height > blit.data.size_bytes()) return "2D engine: less host data than the rectangle needs";
  std::vector<uint32_t> swapped;
  std::span<const uint32_t> dwords = blit.data;
  if (const uint32_t swap = state_.get<regs::RBBM_GUICNTL>().HOST_DATA_SWAP()) {
    for (const uint32_t v : dwords) swapped.push_back(swap_endian(v, swap));
    dwords = swapped;
  }
  const auto* data = reinterpret_cast<const uint8_t*>(dwords.data());
  announce(t, r);
  if (colour && upload_rows(t, r, data, row_bytes)) return nullptr;
  const uint32_t foreground = state_.raw(regs::DP_SRC_FRGD_CLR::offset), background = state_.raw(regs::DP_SRC_BKGD_CLR::offset);
  std::vector<uint8_t> opaque(transparent ? r.width : 0);
  pixels_.resize(r.width);
  for (uint32_t y = 0; y < r.height; ++y, data += row_bytes) {
    for (uint32_t x = 0; x < r.width; ++x) {
      if (colour) {
        pixels_[x] = 0;
        std::memcpy(&pixels_[x], data + size_t{x} * t.surface.bytes, t.surface.bytes);
        continue;
      }
      const uint32_t bit = control.BYTE_PIX_ORDER() == Control::BYTE_PIX_ORDER__LSB_TO_MSB ? x % 8 : 7 - x % 8;
      const bool set = data[x / 8] >> bit & 1;
      pixels_[x] = set ? foreground : background;
      if (transparent) opaque[x] = set;
    }
    if (!row(t, r.x, r.y + y, r.width, pixels_, opaque)) break;
  }
  return nullptr;
}

}  // namespace pumice::hw
