// SPDX-License-Identifier: MIT
/// See packet_2d.h.
#include "hw/radeon/cp/packet_2d.h"

#include <array>
#include <vector>

#include "hw/radeon/cp/brush_2d.h"

namespace pumice::hw {

namespace {

using Words = std::span<const uint32_t>;
using pm4::Op;
using Control = regs::DP_GUI_MASTER_CNTL;

/// Reads the payload front to back.
struct Reader {
  Words words;
  size_t position = 0;
  bool short_of(size_t n) const { return words.size() - position < n; }
  uint32_t next() { return words[position++]; }
};

struct Settings {
  std::array<RegisterValue, 9 + regs::BRUSH_DATA::count> values;  ///< the first `count` are set
  size_t count = 0;
  void add(uint32_t offset, uint32_t value) { values[count++] = {offset, value}; }
};

/// Returns what is wrong, or null.
const char* read_settings(Reader& r, Settings& out) {
  const Control control{r.next()};
  const BrushShape& brush = kBrushShapes[control.BRUSH_TYPE()];
  if (!brush.known) return "reserved brush";
  const size_t pattern = brush.dwords(destination_bytes(control.DST_TYPE()));
  const size_t more = control.SRC_PITCH_OFFSET_CNTL() + control.DST_PITCH_OFFSET_CNTL() + control.SRC_CLIPPING() +
                      2 * control.DST_CLIPPING() + brush.background + brush.foreground + pattern + control.BRUSH_Y_X_PRESENT();
  if (r.short_of(more)) return "settings block is cut off";
  out.add(Control::offset, control.raw);
  if (control.SRC_PITCH_OFFSET_CNTL()) out.add(regs::SRC_PITCH_OFFSET::offset, r.next());
  if (control.DST_PITCH_OFFSET_CNTL()) out.add(regs::DST_PITCH_OFFSET::offset, r.next());
  if (control.SRC_CLIPPING()) out.add(regs::SRC_SC_BOTTOM_RIGHT::offset, r.next());
  if (control.DST_CLIPPING()) {
    out.add(regs::SC_TOP_LEFT::offset, r.next());
    out.add(regs::SC_BOTTOM_RIGHT::offset, r.next());
  }
  if (brush.background) out.add(regs::DP_BRUSH_BKGD_CLR::offset, r.next());
  if (brush.foreground) out.add(regs::DP_BRUSH_FRGD_CLR::offset, r.next());
  for (uint32_t i = 0; i < pattern; ++i) out.add(regs::BRUSH_DATA::at(i), r.next());
  if (control.BRUSH_Y_X_PRESENT()) out.add(regs::BRUSH_Y_X::offset, r.next());
  return nullptr;
}

regs::PM4_2D_POINT_X_Y x_y(uint32_t word) { return {word}; }
regs::PM4_2D_POINT_Y_X y_x(uint32_t word) { return {word}; }

Rect rect_xy_wh(Reader& r) {
  const auto at = x_y(r.next()), size = x_y(r.next());
  return {at.X(), at.Y(), size.X(), size.Y()};
}

/// {top|left}{bottom|right}, bottom and right exclusive (UNCONFIRMED).
Rect rect_tl_br(Reader& r) {
  const auto tl = y_x(r.next()), br = y_x(r.next());
  return {tl.X(), tl.Y(), br.X() > tl.X() ? br.X() - tl.X() : 0, br.Y() > tl.Y() ? br.Y() - tl.Y() : 0};
}

constexpr uint32_t kMostDwords = 0x3FFF;  ///< of the data for one rectangle: what a packet can have
void host_data(Reader& r, PacketVisitor& v) {
  if (r.short_of(2)) return v.bad("no colours");
  const uint32_t foreground = r.next(), background = r.next();
  const RegisterValue colours[] = {{regs::DP_SRC_FRGD_CLR::offset, foreground}, {regs::DP_SRC_BKGD_CLR::offset, background}};
  v.settings_2d(colours);
  while (!r.short_of(1)) {
    if (r.short_of(3)) return v.bad("rectangle is cut off");
    const auto at = y_x(r.next()), size = y_x(r.next());
    const uint32_t count = r.next() & kMostDwords;
    if (r.short_of(count)) return v.bad("host data is cut off");
    v.host_blit({{at.X(), at.Y(), size.X(), size.Y()}, r.words.subspan(r.position, count)});
    r.position += count;
  }
}

/// Behind an h|top: `count` times end|start, as rectangles.
bool spans(Reader& r, uint32_t count, std::vector<Rect>& out) {
  if (r.short_of(count)) return false;
  const auto rows = y_x(r.words[r.position - 1]);
  for (uint32_t i = 0; i < count; ++i) {
    const regs::PM4_2D_SPAN span{r.next()};
    out.push_back({span.START(), rows.X(), span.END() > span.START() ? span.END() - span.START() : 0, rows.Y()});
  }
  return true;
}

void scan_lines(Reader& r, PacketVisitor& v) {
  if (r.short_of(1)) return v.bad("no scan lines");
  const uint32_t groups = r.next();
  std::vector<Rect> rects;
  for (uint32_t i = 0; i < groups; ++i) {
    if (r.short_of(2)) return v.bad("scan lines are cut off");
    const uint32_t n = r.next();
    r.next();
    if (!spans(r, n, rects)) return v.bad("scan lines are cut off");
  }
  if (!r.short_of(1)) return v.bad("more dwords than scan lines");
  v.paints(rects);
}

void lines(Reader& r, PacketVisitor& v) {
  if (r.short_of(2)) return v.bad("a line needs two points");
  std::vector<Point2d> points;
  while (!r.short_of(1)) {
    const auto at = y_x(r.next());
    points.push_back({at.X(), at.Y()});
  }
  v.polyline(points);
}

Blit read_blit(Reader& r) {
  const auto source = x_y(r.next());
  return {source.X(), source.Y(), rect_xy_wh(r)};
}

template <class Read>
auto read_all(Reader& r, Read read, size_t count) {
  std::vector<decltype(read(r))> all(count);
  for (auto& one : all) one = read(r);
  return all;
}

void blits(Reader& r, PacketVisitor& v) {
  const size_t rest = r.words.size() - r.position;
  if (rest == 3) return v.blit(read_blit(r));
  v.blits(read_all(r, read_blit, rest / 3));
}

}  // namespace

void visit_2d(Op op, Words payload, PacketVisitor& v) {
  Reader r{payload};
  Settings settings;
  if (const char* wrong = read_settings(r, settings)) return v.bad(wrong);
  if (op == Op::CNTL_TRANS_BITBLT) {
    if (r.short_of(3)) return v.bad("colour compare is cut off");
    for (const uint32_t offset : {regs::CLR_CMP_CNTL::offset, regs::CLR_CMP_CLR_SRC::offset, regs::CLR_CMP_CLR_DST::offset})
      settings.add(offset, r.next());
  }
  const bool blit = op == Op::CNTL_BITBLT || op == Op::CNTL_BITBLT_MULTI || op == Op::CNTL_TRANS_BITBLT;
  const bool paint = op == Op::CNTL_PAINT || op == Op::CNTL_PAINT_MULTI;
  const size_t rest = payload.size() - r.position;
  if ((blit || paint) && (rest == 0 || rest % (blit ? 3 : 2) != 0)) return v.bad("rectangle is cut off");
  v.settings_2d(std::span(settings.values).first(settings.count));
  if (op == Op::CNTL_HOSTDATA_BLT) return host_data(r, v);
  if (op == Op::CNTL_POLYLINE) return lines(r, v);
  if (op == Op::CNTL_POLYSCANLINES) return scan_lines(r, v);
  if (blit) return blits(r, v);
  const auto read_paint = [&](Reader& from) { return op == Op::CNTL_PAINT ? rect_tl_br(from) : rect_xy_wh(from); };
  if (rest == 2) return v.paint(read_paint(r));
  v.paints(read_all(r, read_paint, rest / 2));
}

void visit_2d_next(Op op, Words payload, PacketVisitor& v) {
  Reader r{payload};
  if (op == Op::BITBLT_MULTI) {
    if (payload.size() % 3 != 0) return v.bad("rectangle is cut off");
    return blits(r, v);
  }
  if (op == Op::NEXT_CHAR) {
    if (r.short_of(2)) return v.bad("rectangle is cut off");
    const auto at = y_x(r.next()), size = y_x(r.next());
    return v.host_blit({{at.X(), at.Y(), size.X(), size.Y()}, payload.subspan(2)});
  }
  r.next();
  std::vector<Rect> rects;
  spans(r, static_cast<uint32_t>(payload.size() - 1), rects);
  v.paints(rects);
}

}  // namespace pumice::hw
