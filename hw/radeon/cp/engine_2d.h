// SPDX-License-Identifier: MIT
/// The 2D engine (cp-pm4 s.4): rectangles in linear surfaces, with a brush, a memory source or host data, and any ROP3.
/// Coordinates are 14 bits. Reads DP_*, SC_* and *_PITCH_OFFSET, which the packet's settings block has written before.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hw/radeon/cp/brush_2d.h"
#include "hw/radeon/cp/observer.h"
#include "hw/radeon/cp/packet.h"
#include "hw/radeon/footprint/copy.h"
#include "hw/radeon/memory/memory.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw {

class Crew;

class Engine2d {
 public:
  Engine2d(const ChipState& state, Memory& memory, Crew& crew, Observer* observer = nullptr)
      : state_(state), memory_(memory), observer_(observer), crew_(crew) {}

  /// The pattern of the packet that begins; empty: none. Valid until its end.
  void brush(std::span<const uint32_t> pattern) { pattern_ = pattern; }
  /// Each executes, or returns a text naming the unsupported feature (null: done). Memory faults end the rectangle and stay in Memory's
  /// fault record.
  const char* paint(const Rect& rect);
  const char* blit(const Blit& blit);
  const char* host_blit(const HostBlit& blit);
  /// Rectangles of one packet, in order. Single rows at equal distances are merged into one rectangle with that distance as its pitch, even
  /// if no surface has such a pitch.
  const char* paint(std::span<const Rect> rects);
  const char* blit(std::span<const Blit> blits);

 private:
  using Surface = footprint::Linear;
  struct Target {
    Surface surface;
    uint32_t left = 0, top = 0, right = 0, bottom = 0;  ///< clip, exclusive at right and bottom
    uint32_t rop = 0, write_mask = 0;
    Brush brush;
    bool writes_all() const { return !brush.patterned() && (write_mask | ~(0xFFFFFFFFu >> (32 - 8 * surface.bytes))) == 0xFFFFFFFFu; }
  };
  const char* target(Target& out) const;
  /// Fast paths where pixels are stored unmodified, row by row at memory speed; the general path is row().
  struct Window {
    uint32_t x = 0, y = 0, width = 0, height = 0;
    bool empty() const { return width == 0 || height == 0; }
  };
  /// Notifies the observer.
  void announce(const Target& t, const Rect& r, bool fill = false) const;
  static bool holds(const Target& t, const Rect& first, const Rect& last);
  static Window clipped(const Target& t, const Rect& r);
  static Rows rows(const Surface& s, const Window& w) { return footprint::rows(s, w.x, w.y, w.width, w.height); }
  /// The first byte of the rows; null unless they and all between them are backed.
  std::byte* host(const Rows& rows) const;
  /// Each returns false when the general path must be taken.
  bool fill_rows(const Target& t, const Rect& r);
  bool copy_rows(const Target& t, const Rect& r, const Surface& source, uint32_t sx, uint32_t sy, bool upwards);
  bool fill_together(std::span<const Rect> rects);
  bool copy_together(std::span<const Blit> blits);
  bool upload_rows(const Target& t, const Rect& r, const uint8_t* data, uint64_t row_bytes);
  /// All setup except the pixel size.
  static const char* surface(uint32_t pitch_offset, Surface& out);
  /// Combines one row of source pixels (one value for all when `source` has one) with brush and destination.
  bool row(const Target& t, uint32_t x, uint32_t y, uint32_t count, std::span<const uint32_t> source, std::span<const uint8_t> opaque);
  bool read_row(const Surface& s, uint32_t x, uint32_t y, std::span<uint32_t> out);

  const ChipState& state_;
  Memory& memory_;
  Observer* const observer_;
  Crew& crew_;
  std::span<const uint32_t> pattern_;
  std::vector<uint32_t> pixels_;
  std::vector<uint8_t> bytes_;
};

}  // namespace pumice::hw
