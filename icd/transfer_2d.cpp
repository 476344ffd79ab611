// SPDX-License-Identifier: MIT
#include "icd/transfer_2d.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <numeric>
#include <vector>

namespace pumice::icd {
namespace {

using Control = regs::DP_GUI_MASTER_CNTL;

constexpr uint32_t kBase = regs::DST_PITCH_OFFSET::OFFSET__UNIT, kPitchStep = regs::DST_PITCH_OFFSET::PITCH__UNIT,
                   kMaxPitch = 255 * kPitchStep;
/// Rows that straight memory is cut into.
constexpr uint32_t kStraight = 4096;
/// Straight copies below this go by GUI DMA, which has the smaller packet.
constexpr uint64_t kSmallCopy = 64 << 10;

/// Rectangles end at most here.
uint32_t max_coordinate(const Cs& cs) { return cs.chip().raster_extent - 1; }

uint32_t destination_type(uint32_t pixel_bytes) {
  return pixel_bytes == 4 ? Control::DST_TYPE__ARGB8888 : pixel_bytes == 2 ? Control::DST_TYPE__RGB565 : Control::DST_TYPE__CI8;
}
uint32_t pitch_offset(hw::GpuAddress address, uint32_t pitch) {
  return regs::DST_PITCH_OFFSET{}.OFFSET(address32(address) / kBase).PITCH(pitch / kPitchStep).raw;
}
uint32_t point(uint32_t x, uint32_t y) { return regs::PM4_2D_POINT_X_Y{}.X(x).Y(y).raw; }

/// Pixels to the left of the address in its surface.
uint32_t column(hw::GpuAddress address, uint32_t pixel_bytes) { return static_cast<uint32_t>(address % kBase / pixel_bytes); }

Control control(uint32_t pixel_bytes) {
  return Control{}
      .DST_PITCH_OFFSET_CNTL(1)
      .DST_TYPE(destination_type(pixel_bytes))
      .SRC_TYPE(Control::SRC_TYPE__COLOR)
      .DP_SRC_SOURCE(Control::DP_SRC_SOURCE__MEMORY)
      .CLR_CMP_CNTL_DIS(1)
      .WR_MSK_DIS(1);
}

/// Rows further apart than a pitch reaches: one rectangle each, all in one packet, on a surface with more rows that are shorter. The chip
/// moves them together.
struct Far {
  uint32_t pitch = 0, step = 0;  ///< of the surface; its rows from one to the next. 0: there is none
  explicit Far(uint32_t distance) {
    const uint32_t units = distance / kPitchStep;
    if (distance % kPitchStep) return;
    for (uint32_t k = (distance + kMaxPitch - 1) / kMaxPitch; k <= kMostSteps; ++k)
      if (units % k == 0) {
        pitch = distance / k, step = k;
        return;
      }
  }
  static constexpr uint32_t kMostSteps = 256, kMostRows = 1024, kWorthwhile = 8;
  /// Rows of a packet.
  static uint32_t rows(const Cs& cs, uint32_t step) { return std::min((max_coordinate(cs) - 1) / step + 1, kMostRows); }
};

/// One rectangle: pitch and coordinates are known to fit.
struct Paint {
  uint32_t value, pixel_bytes;
  void operator()(Cs& cs, hw::GpuAddress to, uint32_t pitch, uint32_t row_bytes, uint32_t rows) const {
    cs.packet(pm4::Op::CNTL_PAINT_MULTI,
              {control(pixel_bytes).BRUSH_TYPE(Control::BRUSH_TYPE__SOLID_FG).ROP3(Control::ROP3__PATCOPY).raw, pitch_offset(to, pitch),
               value, point(column(to, pixel_bytes), 0), point(row_bytes / pixel_bytes, rows)});
  }
  void far_rows(Cs& cs, hw::GpuAddress to, const Far& far, uint32_t row_bytes, uint32_t rows) const {
    std::vector<uint32_t> p{control(pixel_bytes).BRUSH_TYPE(Control::BRUSH_TYPE__SOLID_FG).ROP3(Control::ROP3__PATCOPY).raw,
                            pitch_offset(to, far.pitch), value};
    for (uint32_t y = 0; y < rows; ++y)
      p.insert(p.end(), {point(column(to, pixel_bytes), y * far.step), point(row_bytes / pixel_bytes, 1)});
    cs.packet(pm4::Op::CNTL_PAINT_MULTI, p);
  }
};
void blit(Cs& cs, uint32_t pixel_bytes, const Rows& from, const Rows& to, uint32_t row_bytes, uint32_t rows) {
  cs.packet(pm4::Op::CNTL_BITBLT_MULTI,
            {control(pixel_bytes).SRC_PITCH_OFFSET_CNTL(1).BRUSH_TYPE(Control::BRUSH_TYPE__NONE).ROP3(Control::ROP3__SRCCOPY).raw,
             pitch_offset(from.address, from.pitch), pitch_offset(to.address, to.pitch), point(column(from.address, pixel_bytes), 0),
             point(column(to.address, pixel_bytes), 0), point(row_bytes / pixel_bytes, rows)});
}

void blit_far_rows(Cs& cs, uint32_t pixel_bytes, hw::GpuAddress from, const Far& far_from, hw::GpuAddress to, const Far& far_to,
                   uint32_t row_bytes, uint32_t rows) {
  std::vector<uint32_t> p{
      control(pixel_bytes).SRC_PITCH_OFFSET_CNTL(1).BRUSH_TYPE(Control::BRUSH_TYPE__NONE).ROP3(Control::ROP3__SRCCOPY).raw,
      pitch_offset(from, far_from.pitch), pitch_offset(to, far_to.pitch)};
  for (uint32_t y = 0; y < rows; ++y)
    p.insert(p.end(), {point(column(from, pixel_bytes), y * far_from.step), point(column(to, pixel_bytes), y * far_to.step),
                       point(row_bytes / pixel_bytes, 1)});
  cs.packet(pm4::Op::CNTL_BITBLT_MULTI, p);
}

bool row_fits(const Cs& cs, hw::GpuAddress address, uint32_t row_bytes, uint32_t pixel_bytes) {
  return column(address, pixel_bytes) + row_bytes / pixel_bytes <= max_coordinate(cs);
}

/// How many rows lie between two whose distance is a pitch of the engine.
uint32_t interleave(uint32_t pitch) { return kPitchStep / std::gcd(pitch, kPitchStep); }

/// The widest pixel that all of them are multiples of.
uint32_t common_pixel(uint64_t values) { return values % 4 == 0 ? 4 : values % 2 == 0 ? 2 : 1; }

void fill_straight(Cs& cs, hw::GpuAddress to, uint64_t bytes, const Paint& paint) {
  while (bytes) {
    const auto row = static_cast<uint32_t>(std::min<uint64_t>(bytes, kStraight));
    const auto rows = static_cast<uint32_t>(std::min<uint64_t>(bytes / row, max_coordinate(cs)));
    paint(cs, to, kStraight, row, rows);
    to += uint64_t{row} * rows;
    bytes -= uint64_t{row} * rows;
  }
}

void fill_small_pixels(Cs& cs, const Rows& to, uint32_t row_bytes, uint32_t rows, const Paint& paint) {
  if (row_bytes == to.pitch || rows == 1) return fill_straight(cs, to.address, uint64_t{row_bytes} * rows, paint);
  const uint32_t step = interleave(to.pitch), pitch = to.pitch * step;
  const Far far(pitch);
  const bool fits = step < rows && row_fits(cs, to.address | (kBase - paint.pixel_bytes), row_bytes, paint.pixel_bytes);
  if (!fits || (pitch > kMaxPitch && (!far.step || rows / step < Far::kWorthwhile))) {
    for (uint32_t y = 0; y < rows; ++y) fill_straight(cs, to.address + uint64_t{y} * to.pitch, row_bytes, paint);
    return;
  }
  if (pitch > kMaxPitch) {
    for (uint32_t first = 0; first < step; ++first)
      for (uint32_t y = first; y < rows;) {
        const uint32_t count = std::min((rows - y + step - 1) / step, Far::rows(cs, far.step));
        paint.far_rows(cs, to.address + uint64_t{y} * to.pitch, far, row_bytes, count);
        y += count * step;
      }
    return;
  }
  for (uint32_t first = 0; first < step; ++first)
    for (uint32_t y = first; y < rows;) {
      const uint32_t count = std::min((rows - y + step - 1) / step, max_coordinate(cs));
      paint(cs, to.address + uint64_t{y} * to.pitch, pitch, row_bytes, count);
      y += count * step;
    }
}

/// The shortest byte pattern whose repetition gives the pixel.
std::span<const uint8_t> reduced(std::span<const uint8_t> pixel) {
  while (pixel.size() % 2 == 0 && std::equal(pixel.begin(), pixel.begin() + pixel.size() / 2, pixel.begin() + pixel.size() / 2))
    pixel = pixel.first(pixel.size() / 2);
  return pixel;
}

}  // namespace

void fill_bytes(Cs& cs, hw::GpuAddress to, uint64_t bytes, uint32_t value) { fill_straight(cs, to, bytes, Paint{value, 4}); }

void fill_rows(Cs& cs, const Rows& to, uint32_t row_bytes, uint32_t rows, std::span<const uint8_t> pixel) {
  if (!row_bytes || !rows) return;
  const std::span<const uint8_t> small = reduced(pixel);
  if (small.size() <= 4 && std::has_single_bit(small.size())) {
    // As wide as addresses allow: fewer columns.
    const uint32_t width = std::max(static_cast<uint32_t>(small.size()), common_pixel(to.address | to.pitch | row_bytes));
    uint8_t repeated[4];
    for (uint32_t i = 0; i < 4; ++i) repeated[i] = small[i % small.size()];
    uint32_t value = 0;
    std::memcpy(&value, repeated, width);
    return fill_small_pixels(cs, to, row_bytes, rows, Paint{value, width});
  }
  // The brush has a dword. The first row is copied from the stream, then rows are copied from rows: a block that a cache holds again and
  // again.
  constexpr uint32_t kBlock = 64 << 10, kSeed = 4096;  // bytes of a block, and of what the stream has
  const auto size = static_cast<uint32_t>(pixel.size());
  const uint32_t first = std::min(row_bytes, kSeed / size * size);
  const Cs::Data seed = cs.data(first);
  for (uint32_t at = 0; at < first; at += pixel.size()) std::memcpy(seed.host + at, pixel.data(), pixel.size());
  for (uint32_t at = 0; at < row_bytes; at += first) cs.copy(seed.address, to.address + at, std::min(first, row_bytes - at));
  const uint32_t block = std::max(kBlock / row_bytes, 1u);
  for (uint32_t done = 1; done < rows;) {
    const uint32_t count = std::min({done, block, rows - done});
    copy_rows(cs, to, {to.address + uint64_t{done} * to.pitch, to.pitch}, row_bytes, count);
    done += count;
  }
}

void copy_bytes(Cs& cs, hw::GpuAddress from, hw::GpuAddress to, uint64_t bytes) {
  if (bytes < kSmallCopy) return cs.copy(from, to, bytes);
  const uint32_t pixel_bytes = common_pixel(from | to);
  const uint64_t rows = bytes / kStraight;
  for (uint64_t y = 0; y < rows;) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(rows - y, max_coordinate(cs)));
    const uint64_t at = y * kStraight;
    blit(cs, pixel_bytes, {from + at, kStraight}, {to + at, kStraight}, kStraight, count);
    y += count;
  }
  const uint64_t done = rows * kStraight;
  if (bytes > done) cs.copy(from + done, to + done, bytes - done);
}

void copy_rows(Cs& cs, const Rows& from, const Rows& to, uint32_t row_bytes, uint32_t rows) {
  if (!row_bytes || !rows) return;
  if (rows == 1 || (from.pitch == to.pitch && from.pitch == row_bytes))
    return copy_bytes(cs, from.address, to.address, uint64_t{row_bytes} * rows);
  const uint32_t step = std::max(interleave(from.pitch), interleave(to.pitch));
  const uint32_t pixel_bytes = common_pixel(from.address | to.address | from.pitch | to.pitch | row_bytes);
  const uint32_t from_pitch = from.pitch * step, to_pitch = to.pitch * step;
  const bool fits = row_fits(cs, (from.address | to.address) | (kBase - pixel_bytes), row_bytes, pixel_bytes);
  // A row by DMA is 4 dwords, a rectangle 7.
  const Far far_from(from_pitch), far_to(to_pitch);
  const bool far = from_pitch > kMaxPitch || to_pitch > kMaxPitch;
  if (step * 2 > rows || !fits || (far && (!far_from.step || !far_to.step || rows / step < Far::kWorthwhile))) {
    for (uint32_t y = 0; y < rows; ++y)
      copy_bytes(cs, from.address + uint64_t{y} * from.pitch, to.address + uint64_t{y} * to.pitch, row_bytes);
    return;
  }
  for (uint32_t first = 0; first < step; ++first)
    for (uint32_t y = first; y < rows;) {
      const uint32_t left = (rows - y + step - 1) / step;
      const uint32_t count = far ? std::min(left, Far::rows(cs, std::max(far_from.step, far_to.step))) : std::min(left, max_coordinate(cs));
      if (far)
        blit_far_rows(cs, pixel_bytes, from.address + uint64_t{y} * from.pitch, far_from, to.address + uint64_t{y} * to.pitch, far_to,
                      row_bytes, count);
      else
        blit(cs, pixel_bytes, {from.address + uint64_t{y} * from.pitch, from_pitch}, {to.address + uint64_t{y} * to.pitch, to_pitch},
             row_bytes, count);
      y += count * step;
    }
}

}  // namespace pumice::icd
