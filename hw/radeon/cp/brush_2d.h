// SPDX-License-Identifier: MIT
/// Brushes of the 2D engine (cp-pm4 s.4): a colour, or a pattern that the packet carries behind its colours (BRUSH_DATA).
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw {

/// Bytes of a destination pixel, 0 where the engine has no such type.
constexpr uint32_t destination_bytes(uint32_t dst_type) {
  using Control = regs::DP_GUI_MASTER_CNTL;
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
    case Control::DST_TYPE__RGB888: return 3;
    case Control::DST_TYPE__ARGB8888:
    case Control::DST_TYPE__AYUV444: return 4;
    default: return 0;
  }
}

/// What a code of DP_GUI_MASTER_CNTL.BRUSH_TYPE means. `known` false: reserved.
struct BrushShape {
  bool known = false, background = false, foreground = false, color = false;
  uint32_t width = 0, height = 0;  ///< 0: no pattern

  static constexpr BrushShape of(uint32_t type) {
    using Control = regs::DP_GUI_MASTER_CNTL;
    switch (type) {
      case Control::BRUSH_TYPE__MONO_8X8_FG_BG: return {true, true, true, false, 8, 8};
      case Control::BRUSH_TYPE__MONO_8X8_FG: return {true, false, true, false, 8, 8};
      case Control::BRUSH_TYPE__MONO_1X8_FG_BG: return {true, true, true, false, 1, 8};
      case Control::BRUSH_TYPE__MONO_1X8_FG: return {true, false, true, false, 1, 8};
      case Control::BRUSH_TYPE__MONO_32X1_FG_BG: return {true, true, true, false, 32, 1};
      case Control::BRUSH_TYPE__MONO_32X1_FG: return {true, false, true, false, 32, 1};
      case Control::BRUSH_TYPE__MONO_32X32_FG_BG: return {true, true, true, false, 32, 32};
      case Control::BRUSH_TYPE__MONO_32X32_FG: return {true, false, true, false, 32, 32};
      case Control::BRUSH_TYPE__COLOR_8X8: return {true, false, false, true, 8, 8};
      case Control::BRUSH_TYPE__SOLID:
      case Control::BRUSH_TYPE__SOLID_FG: return {true, false, true, false, 0, 0};
      case Control::BRUSH_TYPE__NONE: return {true, false, false, false, 0, 0};
      default: return {};
    }
  }
  constexpr bool patterned() const { return width != 0; }
  /// Dwords of the pattern for pixels of `pixel_bytes`.
  constexpr uint32_t dwords(uint32_t pixel_bytes) const { return (width * height * (color ? 8 * pixel_bytes : 1) + 31) / 32; }
};

/// BrushShape::of() of all codes: every packet of the engine looks one up.
inline constexpr auto kBrushShapes = [] {
  std::array<BrushShape, regs::DP_GUI_MASTER_CNTL::BRUSH_TYPE__NONE + 1> all{};
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = BrushShape::of(i);
  return all;
}();

/// A brush over the pixels of a surface. UNCONFIRMED: BRUSH_Y_X is the pixel where the pattern begins, rows of a mono pattern follow one
/// another bit by bit, in bytes as BYTE_PIX_ORDER says of mono sources.
class Brush {
 public:
  Brush() = default;
  Brush(const ChipState& state, uint32_t pixel_bytes)
      : pattern_(&state.reg[regs::BRUSH_DATA::offset / 4]),
        pixel_bytes_(pixel_bytes),
        foreground_(state.raw(regs::DP_BRUSH_FRGD_CLR::offset)),
        background_(state.raw(regs::DP_BRUSH_BKGD_CLR::offset)) {
    const auto control = state.get<regs::DP_GUI_MASTER_CNTL>();
    shape_ = kBrushShapes[control.BRUSH_TYPE()];
    lsb_first_ = control.BYTE_PIX_ORDER() == regs::DP_GUI_MASTER_CNTL::BYTE_PIX_ORDER__LSB_TO_MSB;
    if (!control.BRUSH_Y_X_PRESENT()) return;
    const auto origin = state.get<regs::BRUSH_Y_X>();
    x_ = origin.BRUSH_X(), y_ = origin.BRUSH_Y();
  }

  bool patterned() const { return shape_.patterned(); }
  uint32_t color() const { return foreground_; }
  /// Of the pixel (x, y); none where the background is transparent.
  std::optional<uint32_t> at(uint32_t x, uint32_t y) const {
    if (!patterned()) return foreground_;
    const uint32_t n = (y - y_) % shape_.height * shape_.width + (x - x_) % shape_.width;
    const auto* const bytes = reinterpret_cast<const uint8_t*>(pattern_);
    if (shape_.color) {
      uint32_t v = 0;
      std::memcpy(&v, bytes + size_t{n} * pixel_bytes_, pixel_bytes_);
      return v;
    }
    if (bytes[n / 8] >> (lsb_first_ ? n % 8 : 7 - n % 8) & 1) return foreground_;
    return shape_.background ? std::optional(background_) : std::nullopt;
  }

 private:
  BrushShape shape_;
  const uint32_t* pattern_ = nullptr;
  uint32_t pixel_bytes_ = 4, foreground_ = 0, background_ = 0, x_ = 0, y_ = 0;
  bool lsb_first_ = false;
};

}  // namespace pumice::hw
