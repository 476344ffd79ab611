// SPDX-License-Identifier: MIT
/// See engine_2d.h.
#include "hw/radeon/cp/engine_2d.h"

#include <algorithm>
#include <cstring>

#include "hw/radeon/memory/endian.h"

namespace pumice::hw {

namespace {

Rect masked(Rect r) { return {r.x & kMost2d, r.y & kMost2d, r.width & kMost2d, r.height & kMost2d}; }

}  // namespace

uint32_t rop3(uint32_t code, uint32_t p, uint32_t s, uint32_t d) {
  using Control = regs::DP_GUI_MASTER_CNTL;
  if (code == Control::ROP3__PATCOPY) return p;
  if (code == Control::ROP3__SRCCOPY) return s;
  uint32_t result = 0;
  for (uint32_t i = 0; i < 8; ++i)
    if (code >> i & 1) result |= (i & 4 ? p : ~p) & (i & 2 ? s : ~s) & (i & 1 ? d : ~d);
  return result;
}

Engine2d::Surface Engine2d::surface(uint32_t pitch_offset) {
  const regs::DST_PITCH_OFFSET r{pitch_offset};
  Surface s;
  s.base = uint64_t{r.OFFSET()} * r.OFFSET__UNIT;
  s.pitch = uint64_t{r.PITCH()} * r.PITCH__UNIT;
  s.tiles.macro_tiled = r.TILE_MACRO() != 0;
  s.tiles.micro = static_cast<uint8_t>(r.TILE_MICRO());
  return s;
}

std::string Engine2d::target(Target& t, bool has_source) const {
  const auto control = state_.get<Control>();
  if (control.FCN_3D_EN()) return "DP_GUI_MASTER_CNTL.FCN_3D_EN 1: no document describes the legacy scaler";
  t.surface = surface(state_.raw(control.DST_PITCH_OFFSET_CNTL() ? regs::DST_PITCH_OFFSET::offset : regs::DEFAULT_OFFSET::offset));
  const uint32_t bytes = destination_bytes(control.DST_TYPE());
  if (bytes == 0) return "DP_GUI_MASTER_CNTL.DST_TYPE " + std::to_string(control.DST_TYPE()) + " is reserved";
  if (!t.surface.pixels(bytes)) return "DST_PITCH_OFFSET.TILE_*: no document has tiles of pixels of 24 bits";
  t.rop = control.ROP3();
  t.write_mask = control.WR_MSK_DIS() ? 0xFFFFFFFFu : state_.raw(regs::DP_WRITE_MASK::offset);
  t.brush = Brush(state_, bytes);
  t.compare = Compare2d(state_, t.pixel_mask());
  if (control.DST_CLIPPING()) {
    const auto tl = state_.get<regs::SC_TOP_LEFT>();
    const auto br = state_.get<regs::SC_BOTTOM_RIGHT>();
    t.left = tl.LEFT(), t.top = tl.TOP(), t.right = br.RIGHT(), t.bottom = br.BOTTOM();
  } else {
    const auto br = state_.get<regs::DEFAULT_SC_BOTTOM_RIGHT>();
    t.right = br.RIGHT() ? br.RIGHT() : kMost2d + 1, t.bottom = br.BOTTOM() ? br.BOTTOM() : kMost2d + 1;
  }
  return t.compare.refusal(has_source);
}

std::string Engine2d::source(Surface& s, const Target& t) const {
  const auto control = state_.get<Control>();
  if (control.DP_SRC_SOURCE() != Control::DP_SRC_SOURCE__MEMORY)
    return "DP_GUI_MASTER_CNTL.DP_SRC_SOURCE " + std::to_string(control.DP_SRC_SOURCE()) + ": the source of a blit is not memory";
  s = surface(state_.raw(control.SRC_PITCH_OFFSET_CNTL() ? regs::SRC_PITCH_OFFSET::offset : regs::DEFAULT_OFFSET::offset));
  if (s.tiled() && !colour(control.SRC_TYPE())) return "SRC_PITCH_OFFSET.TILE_*: no document has tiles of mono pixels";
  if (!s.pixels(t.surface.bytes)) return "SRC_PITCH_OFFSET.TILE_*: no document has tiles of pixels of 24 bits";
  return {};
}

bool Engine2d::read_row(const Surface& s, uint32_t x, uint32_t y, std::span<uint32_t> out) {
  const uint32_t bytes = s.bytes;
  std::fill(out.begin(), out.end(), 0);
  if (s.tiled()) {
    for (size_t i = 0; i < out.size(); ++i)
      if (!memory_.read(s.address(x + static_cast<uint32_t>(i), y), &out[i], bytes)) return false;
    return true;
  }
  bytes_.resize(out.size() * bytes);
  if (!memory_.read(s.address(x, y), bytes_.data(), bytes_.size())) return false;
  for (size_t i = 0; i < out.size(); ++i) std::memcpy(&out[i], &bytes_[i * bytes], bytes);
  return true;
}

bool Engine2d::write_row(const Surface& s, uint32_t x, uint32_t y, std::span<const uint32_t> pixels) {
  const uint32_t bytes = s.bytes;
  if (s.tiled()) {
    for (size_t i = 0; i < pixels.size(); ++i)
      if (!memory_.write(s.address(x + static_cast<uint32_t>(i), y), &pixels[i], bytes)) return false;
    return true;
  }
  bytes_.resize(pixels.size() * bytes);
  for (size_t i = 0; i < pixels.size(); ++i) std::memcpy(&bytes_[i * bytes], &pixels[i], bytes);
  return memory_.write(s.address(x, y), bytes_.data(), bytes_.size());
}

bool Engine2d::row(const Target& t, uint32_t x, uint32_t y, uint32_t count, const Source& source) {
  const uint32_t first = std::max(x, t.left), end = std::min(x + count, t.right);
  if (y < t.top || y >= t.bottom || first >= end) return true;
  results_.resize(end - first);
  const bool keeps = !source.opaque.empty() || t.write_mask != 0xFFFFFFFFu || t.brush.patterned() || t.compare.active();
  if ((rop3_reads_destination(t.rop) || keeps) && !read_row(t.surface, first, y, results_)) return false;
  for (uint32_t i = 0; i < results_.size(); ++i) {
    const uint32_t column = first - x + i, d = results_[i];
    if (!source.opaque.empty() && !source.opaque[column]) continue;
    const std::optional<uint32_t> brush = t.brush.at(x + column, y);
    const uint32_t s = source.at(column);
    if (!brush || (t.compare.active() && t.compare.keeps(s, d))) continue;
    results_[i] = (rop3(t.rop, *brush, s, d) & t.write_mask) | (d & ~t.write_mask);
  }
  return write_row(t.surface, first, y, results_);
}

Engine2d::Window Engine2d::clipped(const Target& t, const Rect& r) {
  const uint32_t x0 = std::max(r.x, t.left), x1 = std::min(r.x + r.width, t.right);
  const uint32_t y0 = std::max(r.y, t.top), y1 = std::min(r.y + r.height, t.bottom);
  return {x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

void Engine2d::announce(const Target& t, const Rect& r, bool fill) const {
  const Window w = clipped(t, r);
  if (w.empty()) return;
  const Rows to = t.surface.memory(w.x, w.y, w.width, w.height);
  on_write(to.hull());
  if (!observer_) return;
  observer_->settled();  // nothing is queued; the following effects may be visible to the host
  observer_->writes(to);
  if (fill && !t.surface.tiled() && t.surface.bytes != 3) observer_->fills(to, t.surface.bytes);
}

bool Engine2d::fill(const Target& t, const Rect& r) {
  const uint32_t no_source = 0;
  for (uint32_t y = 0; y < r.height; ++y)
    if (!row(t, r.x, r.y + y, r.width, {{&no_source, 1}, {}})) return false;
  return true;
}

std::string Engine2d::paint(const Rect& rect) {
  Target t;
  if (std::string refused = target(t, false); !refused.empty()) return refused;
  const Rect r = masked(rect);
  announce(t, r, !t.brush.patterned() && !t.compare.active());
  if (!fill_rows(t, r)) fill(t, r);
  return {};
}

std::string Engine2d::polyline(std::span<const Point2d> points) {
  Target t;
  if (std::string refused = target(t, false); !refused.empty()) return refused;
  for (size_t i = 1; i < points.size(); ++i) {
    const Point2d a{points[i - 1].x & kMost2d, points[i - 1].y & kMost2d}, b{points[i].x & kMost2d, points[i].y & kMost2d};
    const auto [left, right] = std::minmax(a.x, b.x);
    const auto [top, bottom] = std::minmax(a.y, b.y);
    announce(t, {left, top, right - left + 1, bottom - top + 1});
    bool backed = true;
    line_runs(a, b, [&](uint32_t x, uint32_t y, uint32_t width) { backed = backed && fill(t, {x, y, width, 1}); });
    if (!backed) break;
  }
  return {};
}

std::string Engine2d::blit(const Blit& blit) {
  Target t;
  Surface from;
  if (std::string refused = target(t, true); !refused.empty()) return refused;
  const auto control = state_.get<Control>();
  if (control.SRC_TYPE() == 2) return "DP_GUI_MASTER_CNTL.SRC_TYPE 2 is reserved";
  if (std::string refused = source(from, t); !refused.empty()) return refused;
  Rect r = masked(blit.destination);
  const uint32_t sx = blit.source_x & kMost2d, sy = blit.source_y & kMost2d;
  if (control.SRC_CLIPPING()) {
    const auto clip = state_.get<regs::SRC_SC_BOTTOM_RIGHT>();
    r.width = std::min(r.width, clip.RIGHT() > sx ? clip.RIGHT() - sx : 0);
    r.height = std::min(r.height, clip.BOTTOM() > sy ? clip.BOTTOM() - sy : 0);
  }
  if (!colour(control.SRC_TYPE())) return mono_blit(t, from, sx, sy, r);
  // As if the whole source were read first: rows go bottom up when the destination lies behind the source.
  const bool tiled = from.tiled() || t.surface.tiled();
  const bool upwards = tiled ? r.y > sy : t.surface.address(r.x, r.y) > from.address(sx, sy);
  if (observer_ && r.width && r.height) observer_->reads(from.memory(sx, sy, r.width, r.height));
  announce(t, r);
  if (copy_rows(t, r, from, sx, sy, upwards)) return {};
  pixels_.resize(r.width);
  for (uint32_t i = 0; i < r.height; ++i) {
    const uint32_t y = upwards ? r.height - 1 - i : i;
    if (!read_row(from, sx, sy + y, pixels_) || !row(t, r.x, r.y + y, r.width, {pixels_, {}})) break;
  }
  return {};
}

std::string Engine2d::mono_blit(const Target& t, const Surface& from, uint32_t sx, uint32_t sy, const Rect& r) {
  const uint32_t first = sx % 8, bytes = (first + r.width + 7) / 8;
  const Rows bits{from.base + sy * from.pitch + sx / 8, bytes, from.pitch, r.height};
  if (observer_ && r.width && r.height) observer_->reads(bits);
  announce(t, r);
  bits_.resize(bytes);
  for (uint32_t y = 0; y < r.height && r.width; ++y)
    if (!memory_.read(bits.address + y * bits.pitch, bits_.data(), bytes) || !row(t, r.x, r.y + y, r.width, expand(bits_, first, r.width)))
      break;
  return {};
}

Engine2d::Source Engine2d::expand(std::span<const uint8_t> bits, uint32_t first, uint32_t count) {
  const auto control = state_.get<Control>();
  const uint32_t colours[] = {state_.raw(regs::DP_SRC_BKGD_CLR::offset), state_.raw(regs::DP_SRC_FRGD_CLR::offset)};
  const uint32_t flip = control.BYTE_PIX_ORDER() == Control::BYTE_PIX_ORDER__LSB_TO_MSB ? 0 : 7;
  const bool transparent = control.SRC_TYPE() == Control::SRC_TYPE__MONO_TRANSPARENT;
  pixels_.resize(count);
  opaque_.resize(transparent ? count : 0);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t n = first + i;
    const bool set = bits[n / 8] >> (n % 8 ^ flip) & 1;
    pixels_[i] = colours[set];
    if (transparent) opaque_[i] = set;
  }
  return {pixels_, opaque_};
}

std::string Engine2d::host_blit(const HostBlit& blit) {
  Target t;
  if (std::string refused = target(t, true); !refused.empty()) return refused;
  const auto control = state_.get<Control>();
  if (control.SRC_TYPE() == 2) return "DP_GUI_MASTER_CNTL.SRC_TYPE 2 is reserved";
  const bool colours = colour(control.SRC_TYPE()), bytewise = control.DP_SRC_SOURCE() == Control::DP_SRC_SOURCE__HOST_DATA_BYTE;
  if (!bytewise && control.DP_SRC_SOURCE() != Control::DP_SRC_SOURCE__HOST_DATA)
    return "DP_GUI_MASTER_CNTL.DP_SRC_SOURCE " + std::to_string(control.DP_SRC_SOURCE()) + ": the source of host data is not the packet";
  const Rect r = masked(blit.destination);
  uint64_t row_bytes = colours ? uint64_t{r.width} * t.surface.bytes : (uint64_t{r.width} + 7) / 8;
  if (!bytewise) row_bytes = (row_bytes + 3) & ~3ull;
  if (row_bytes * r.height > blit.data.size_bytes()) return "less host data than the rectangle needs";
  std::vector<uint32_t> swapped;
  std::span<const uint32_t> dwords = blit.data;
  if (const uint32_t swap = state_.get<regs::RBBM_GUICNTL>().HOST_DATA_SWAP()) {
    for (const uint32_t v : dwords) swapped.push_back(swap_endian(v, swap));
    dwords = swapped;
  }
  const auto* data = reinterpret_cast<const uint8_t*>(dwords.data());
  announce(t, r);
  if (colours && upload_rows(t, r, data, row_bytes)) return {};
  for (uint32_t y = 0; y < r.height && r.width; ++y, data += row_bytes) {
    Source s;
    if (colours) {
      pixels_.assign(r.width, 0);
      for (uint32_t x = 0; x < r.width; ++x) std::memcpy(&pixels_[x], data + size_t{x} * t.surface.bytes, t.surface.bytes);
      s = {pixels_, {}};
    } else {
      s = expand({data, row_bytes}, 0, r.width);
    }
    if (!row(t, r.x, r.y + y, r.width, s)) break;
  }
  return {};
}

}  // namespace pumice::hw
