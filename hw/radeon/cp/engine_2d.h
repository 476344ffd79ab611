// SPDX-License-Identifier: MIT
/// The 2D engine (cp-pm4 s.3, s.4): rectangles and lines in linear and tiled surfaces, with a brush, a source in memory or in the packet,
/// of colours or bits, any ROP3 and the colour compare.
/// Coordinates are 14 bits. Reads DP_*, SC_*, CLR_CMP_*, BRUSH_* and *_PITCH_OFFSET, which the packet's settings block has written before.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hw/radeon/cp/brush_2d.h"
#include "hw/radeon/cp/compare_2d.h"
#include "hw/radeon/cp/observer.h"
#include "hw/radeon/cp/packet.h"
#include "hw/radeon/cp/surface_2d.h"
#include "hw/radeon/memory/memory.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw {

class Crew;

/// Bit 4*P + 2*S + D of the code, for each of 32 bit positions.
uint32_t rop3(uint32_t code, uint32_t p, uint32_t s, uint32_t d);
constexpr bool rop3_reads_destination(uint32_t code) { return ((code ^ code >> 1) & 0x55) != 0; }

class Engine2d {
 public:
  Engine2d(const ChipState& state, Memory& memory, Crew& crew, Observer* observer = nullptr)
      : state_(state), memory_(memory), observer_(observer), crew_(crew) {}

  /// Each executes, or returns what it refuses, with register, field and value (empty: done). Memory faults end the rectangle and stay in
  /// Memory's fault record.
  std::string paint(const Rect& rect);
  std::string blit(const Blit& blit);
  std::string host_blit(const HostBlit& blit);
  std::string polyline(std::span<const Point2d> points);
  /// Rectangles of one packet, in order. Single rows at equal distances are merged into one rectangle with that distance as its pitch, even
  /// if no surface has such a pitch.
  std::string paint(std::span<const Rect> rects);
  std::string blit(std::span<const Blit> blits);
  /// Called with what is about to be written.
  std::function<void(const ByteRange&)> on_write = [](const ByteRange&) {};

 private:
  using Control = regs::DP_GUI_MASTER_CNTL;
  using Surface = Surface2d;
  struct Target {
    Surface surface;
    uint32_t left = 0, top = 0, right = 0, bottom = 0;  ///< clip, exclusive at right and bottom
    uint32_t rop = 0, write_mask = 0;
    Brush brush;
    Compare2d compare;
    uint32_t pixel_mask() const { return 0xFFFFFFFFu >> (32 - 8 * surface.bytes); }
    /// Whole pixels of a linear surface are stored, whatever they hold now.
    bool plain() const {
      return !brush.patterned() && !compare.active() && !surface.tiled() && surface.bytes != 3 &&
             (write_mask | ~pixel_mask()) == 0xFFFFFFFFu;
    }
  };
  /// Pixels of one row: all with one value, or one each, of which some may be transparent.
  struct Source {
    std::span<const uint32_t> pixels;
    std::span<const uint8_t> opaque;
    uint32_t at(uint32_t column) const { return pixels.size() == 1 ? pixels[0] : pixels[column]; }
  };
  struct Window {
    uint32_t x = 0, y = 0, width = 0, height = 0;
    bool empty() const { return width == 0 || height == 0; }
  };

  std::string target(Target& out, bool has_source) const;
  std::string source(Surface& out, const Target& t) const;
  /// All setup except the pixel size.
  static Surface surface(uint32_t pitch_offset);
  static bool colour(uint32_t source_type) { return source_type == Control::SRC_TYPE__COLOR; }
  /// Tells on_write and the observer.
  void announce(const Target& t, const Rect& r, bool fill = false) const;
  static Window clipped(const Target& t, const Rect& r);
  static Rows rows(const Surface& s, const Window& w) { return footprint::rows(s, w.x, w.y, w.width, w.height); }

  /// Combines one row of source pixels with brush and destination.
  bool row(const Target& t, uint32_t x, uint32_t y, uint32_t count, const Source& source);
  bool read_row(const Surface& s, uint32_t x, uint32_t y, std::span<uint32_t> out);
  bool write_row(const Surface& s, uint32_t x, uint32_t y, std::span<const uint32_t> pixels);
  /// Bits of a mono source, the first at bit `first` of the bytes, become colours.
  Source expand(std::span<const uint8_t> bits, uint32_t first, uint32_t count);
  bool fill(const Target& t, const Rect& r);
  std::string mono_blit(const Target& t, const Surface& from, uint32_t sx, uint32_t sy, const Rect& r);

  /// engine_2d_rows.cpp: paths where pixels are stored unmodified, row by row at memory speed; the general path is row(). Each returns
  /// false when the general path must be taken.
  static bool holds(const Target& t, const Rect& first, const Rect& last);
  /// The first byte of the rows; null unless they and all between them are backed.
  std::byte* host(const Rows& rows) const;
  bool fill_rows(const Target& t, const Rect& r);
  bool copy_rows(const Target& t, const Rect& r, const Surface& source, uint32_t sx, uint32_t sy, bool upwards);
  bool fill_together(std::span<const Rect> rects);
  bool copy_together(std::span<const Blit> blits);
  bool upload_rows(const Target& t, const Rect& r, const uint8_t* data, uint64_t row_bytes);

  const ChipState& state_;
  Memory& memory_;
  Observer* const observer_;
  Crew& crew_;
  std::vector<uint32_t> pixels_, results_;
  std::vector<uint8_t> bytes_, bits_, opaque_;
};

}  // namespace pumice::hw
