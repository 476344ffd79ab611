// SPDX-License-Identifier: MIT
/// See engine_2d.h.
#include "hw/radeon/cp/engine_2d.h"

#include <algorithm>
#include <cstring>

#include "hw/radeon/cp/transfer.h"

namespace pumice::hw {

namespace {

using Control = regs::DP_GUI_MASTER_CNTL;

constexpr uint32_t kCoordinate = 0x3FFF;

/// Bytes of a destination pixel, 0 where the engine has no such type.
uint32_t pixel_bytes(uint32_t dst_type) {
  switch (dst_type) {
    case Control::DST_TYPE__CI8:
    case Control::DST_TYPE__RGB332:
    case Control::DST_TYPE__Y8:
    case Control::DST_TYPE__RGB8: return 1;
    case Control::DST_TYPE__ARGB1555:
    case Control::DST_TYPE__RGB565:
    case Control::DST_TYPE__VYUY:
    case Control::DST_TYPE__YVYU:
    case Control::DST_TYPE__ARGB4444: return 2;
    case Control::DST_TYPE__ARGB8888:
    case Control::DST_TYPE__AYUV444: return 4;
    default: return 0;
  }
}

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
  out = {uint64_t{r.OFFSET()} * 1024, uint64_t{r.PITCH()} * 64};
  return nullptr;
}

const char* Engine2d::target(Target& t) const {
  const auto control = state_.get<Control>();
  t.bytes = pixel_bytes(control.DST_TYPE());
  if (t.bytes == 0) return "2D engine: destination type";
  t.rop = control.ROP3();
  t.write_mask = control.WR_MSK_DIS() ? 0xFFFFFFFFu : state_.raw(regs::DP_WRITE_MASK::offset);
  t.brush = state_.raw(regs::DP_BRUSH_FRGD_CLR::offset);
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

bool Engine2d::read_row(const Surface& s, uint32_t bytes, uint32_t x, uint32_t y, std::span<uint32_t> out) {
  bytes_.resize(out.size() * bytes);
  if (!memory_.read(s.base + y * s.pitch + uint64_t{x} * bytes, bytes_.data(), bytes_.size())) return false;
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
  const bool masked_write = t.write_mask != 0xFFFFFFFFu || !opaque.empty();
  if ((reads_destination(t.rop) || masked_write) && !read_row(t.surface, t.bytes, first, y, result)) return false;
  for (uint32_t i = 0; i < result.size(); ++i) {
    const uint32_t column = first - x + i;
    if (!opaque.empty() && !opaque[column]) continue;
    const uint32_t d = result[i];
    const uint32_t v = rop3(t.rop, t.brush, source.size() == 1 ? source[0] : source[column], d);
    result[i] = (v & t.write_mask) | (d & ~t.write_mask);
  }
  bytes_.resize(result.size() * t.bytes);
  for (size_t i = 0; i < result.size(); ++i) std::memcpy(&bytes_[i * t.bytes], &result[i], t.bytes);
  return memory_.write(t.surface.base + y * t.surface.pitch + uint64_t{first} * t.bytes, bytes_.data(), bytes_.size());
}

Engine2d::Window Engine2d::clipped(const Target& t, const Rect& r) {
  const uint32_t x0 = std::max(r.x, t.left), x1 = std::min(r.x + r.width, t.right);
  const uint32_t y0 = std::max(r.y, t.top), y1 = std::min(r.y + r.height, t.bottom);
  return {x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

std::byte* Engine2d::host(const Surface& s, uint32_t bytes, const Window& w) const {
  const uint64_t first = s.base + w.y * s.pitch + uint64_t{w.x} * bytes;
  const uint64_t size = (w.height - 1) * s.pitch + uint64_t{w.width} * bytes;
  return memory_.backed(first, size) ? memory_.host_pointer(static_cast<GpuAddress>(first)) : nullptr;
}

void Engine2d::announce(const Target& t, const Rect& r, bool fill) const {
  const Window w = clipped(t, r);
  if (!observer_ || w.empty()) return;
  observer_->settled();  // nothing is queued; what follows may be seen by the host
  const Rows rows{t.surface.base + w.y * t.surface.pitch + uint64_t{w.x} * t.bytes, uint64_t{w.width} * t.bytes, t.surface.pitch, w.height};
  observer_->writes(rows);
  if (fill) observer_->fills(rows, t.bytes);
}

bool Engine2d::fill_rows(const Target& t, const Rect& r) {
  if (reads_destination(t.rop) || !t.writes_all()) return false;
  const Window w = clipped(t, r);
  if (w.empty()) return true;
  std::byte* to = host(t.surface, t.bytes, w);
  if (!to) return false;
  const uint32_t value = rop3(t.rop, t.brush, 0, 0);
  transfer::fill(crew_, to, t.surface.pitch, uint64_t{w.width} * t.bytes, w.height, value, t.bytes);
  return true;
}

bool Engine2d::copy_rows(const Target& t, const Rect& r, const Surface& source, uint32_t sx, uint32_t sy, bool upwards) {
  if (t.rop != Control::ROP3__SRCCOPY || !t.writes_all() || r.width == 0 || r.height == 0) return false;
  const Window w = clipped(t, r);
  // The general path reads clipped pixels too, so they must be there.
  const std::byte* from = host(source, t.bytes, {sx, sy, r.width, r.height});
  if (w.empty() || !from) return false;
  std::byte* to = host(t.surface, t.bytes, w);
  if (!to) return false;
  from += (w.y - r.y) * source.pitch + uint64_t{w.x - r.x} * t.bytes;
  transfer::copy(crew_, to, t.surface.pitch, from, source.pitch, uint64_t{w.width} * t.bytes, w.height, upwards);
  return true;
}

bool Engine2d::upload_rows(const Target& t, const Rect& r, const uint8_t* data, uint64_t row_bytes) {
  if (t.rop != Control::ROP3__SRCCOPY || !t.writes_all()) return false;
  const Window w = clipped(t, r);
  if (w.empty()) return true;
  std::byte* to = host(t.surface, t.bytes, w);
  if (!to) return false;
  data += (w.y - r.y) * row_bytes + uint64_t{w.x - r.x} * t.bytes;
  for (size_t i = 0; i < w.height; ++i, to += t.surface.pitch, data += row_bytes) std::memcpy(to, data, size_t{w.width} * t.bytes);
  return true;
}

const char* Engine2d::paint(const Rect& rect) {
  Target t;
  if (const char* unsupported = target(t)) return unsupported;
  const Rect r = masked(rect);
  announce(t, r, true);
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
  Rect r = masked(blit.destination);
  const uint32_t sx = blit.source_x & kCoordinate, sy = blit.source_y & kCoordinate;
  if (control.SRC_CLIPPING()) {
    const auto clip = state_.get<regs::SRC_SC_BOTTOM_RIGHT>();
    r.width = std::min(r.width, clip.RIGHT() > sx ? clip.RIGHT() - sx : 0);
    r.height = std::min(r.height, clip.BOTTOM() > sy ? clip.BOTTOM() - sy : 0);
  }
  // As if the whole source were read first: rows go bottom up when the destination lies behind the source.
  const bool upwards =
      t.surface.base + (r.y * t.surface.pitch) + uint64_t{r.x} * t.bytes > source.base + sy * source.pitch + uint64_t{sx} * t.bytes;
  if (observer_ && r.width && r.height)
    observer_->reads({source.base + sy * source.pitch + uint64_t{sx} * t.bytes, uint64_t{r.width} * t.bytes, source.pitch, r.height});
  announce(t, r);
  if (copy_rows(t, r, source, sx, sy, upwards)) return nullptr;
  pixels_.resize(r.width);
  for (uint32_t i = 0; i < r.height; ++i) {
    const uint32_t y = upwards ? r.height - 1 - i : i;
    if (!read_row(source, t.bytes, sx, sy + y, pixels_) || !row(t, r.x, r.y + y, r.width, pixels_, {})) break;
  }
  return nullptr;
}

// ---- Many rows of one packet -----------------------------------------------------------------------------------------------------

namespace {

constexpr size_t kTogether = 8;  ///< rows that are worth a closer look

/// How many of them, from the first on, are single rows at even distances.
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

/// Whether nothing of the rows is clipped away.
bool Engine2d::holds(const Target& t, const Rect& first, const Rect& last) {
  return first.width > 0 && first.x >= t.left && first.x + first.width <= t.right && first.y >= t.top && last.y < t.bottom;
}

bool Engine2d::fill_together(std::span<const Rect> rects) {
  Target t;
  const Rect &first = rects.front(), &last = rects.back();
  if (target(t) || reads_destination(t.rop) || !t.writes_all() || !holds(t, first, last)) return false;
  const Rows rows{t.surface.base + first.y * t.surface.pitch + uint64_t{first.x} * t.bytes, uint64_t{first.width} * t.bytes,
                  (rects[1].y - first.y) * t.surface.pitch, rects.size()};
  if (rows.pitch < rows.bytes || !memory_.backed(rows.address, (rows.count - 1) * rows.pitch + rows.bytes)) return false;
  if (observer_) observer_->settled(), observer_->writes(rows), observer_->fills(rows, t.bytes);
  transfer::fill(crew_, memory_.host_pointer(static_cast<GpuAddress>(rows.address)), rows.pitch, rows.bytes, rows.count,
                 rop3(t.rop, t.brush, 0, 0), t.bytes);
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
  const uint64_t bytes = uint64_t{first.width} * t.bytes;
  const Rows to{t.surface.base + first.y * t.surface.pitch + uint64_t{first.x} * t.bytes, bytes,
                (blits[1].destination.y - first.y) * t.surface.pitch, blits.size()};
  const Rows from{source.base + blits[0].source_y * source.pitch + uint64_t{blits[0].source_x} * t.bytes, bytes,
                  (blits[1].source_y - blits[0].source_y) * source.pitch, blits.size()};
  const auto end = [](const Rows& r) { return r.address + (r.count - 1) * r.pitch + r.bytes; };
  // Row after row: only where no row reads what another one wrote.
  if (to.pitch < bytes || !(end(to) <= from.address || end(from) <= to.address)) return false;
  if (!memory_.backed(to.address, end(to) - to.address) || !memory_.backed(from.address, end(from) - from.address)) return false;
  if (observer_) observer_->reads(from), observer_->settled(), observer_->writes(to);
  transfer::copy(crew_, memory_.host_pointer(static_cast<GpuAddress>(to.address)), to.pitch,
                 memory_.host_pointer(static_cast<GpuAddress>(from.address)), from.pitch, bytes, to.count, false);
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
  uint64_t row_bytes = colour ? uint64_t{r.width} * t.bytes : (uint64_t{r.width} + 7) / 8;
  if (!bytewise) row_bytes = (row_bytes + 3) & ~3ull;
  if (row_bytes * r.height > blit.data.size_bytes()) return "2D engine: less host data than the rectangle needs";
  const auto* data = reinterpret_cast<const uint8_t*>(blit.data.data());
  announce(t, r);
  if (colour && upload_rows(t, r, data, row_bytes)) return nullptr;
  const uint32_t foreground = state_.raw(regs::DP_SRC_FRGD_CLR::offset), background = state_.raw(regs::DP_SRC_BKGD_CLR::offset);
  std::vector<uint8_t> opaque(transparent ? r.width : 0);
  pixels_.resize(r.width);
  for (uint32_t y = 0; y < r.height; ++y, data += row_bytes) {
    for (uint32_t x = 0; x < r.width; ++x) {
      if (colour) {
        pixels_[x] = 0;
        std::memcpy(&pixels_[x], data + size_t{x} * t.bytes, t.bytes);
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
