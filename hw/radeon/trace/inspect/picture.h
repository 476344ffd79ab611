// SPDX-License-Identifier: MIT
/// Surfaces in memory as pictures of four bytes per pixel, R G B A.
#pragma once
#include <optional>
#include <vector>

#include "hw/radeon/cp/observer.h"
#include "hw/radeon/decode/tx/texture.h"
#include "hw/radeon/decode/zb/setup.h"
#include "hw/radeon/trace/touched.h"

namespace pumice::hw::trace {

struct Picture {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

/// A part of a surface, in its pixels: begins at (x, y).
struct Area {
  uint32_t x = 0, y = 0, width = 0, height = 0;
  uint64_t pixels() const { return uint64_t{width} * height; }
};

/// The sample and, of images, the layer of the view that is shown. What has fewer shows its last.
struct Part {
  uint32_t sample = 0, layer = 0;
};

/// A colour target (cleared blocks of the colour mask too); what is not stored reads as 0, alpha as 255.
Picture picture_of(Memory& memory, const TargetView& view, const Area& area, const Part& part = {});
/// Level 0; integers as if 255 were the most. Depth: `area` as for targets.
Picture picture_of(Memory& memory, const xt::Image& image, const Area& area, const Part& part = {});
/// Rows of four bytes per pixel, as B G R A or R G B A.
Picture picture_of(Memory& memory, const Rows& rows, bool bgra);
/// Level 0 of a texture as programs see it: faces of a cube and slices of a volume one below the other.
Picture picture_of(Memory& memory, const tx::Texture& texture);

/// All bytes that a target's picture is made of, to see whether they change; colour mask included.
std::vector<std::byte> bytes_of(const Memory& memory, const TargetView& view, const Part& part = {});
/// ", sample 1 of 4, layer 2 of 6", what there is one of left out.
std::string part_text(const Part& part, uint32_t samples, uint32_t layers);

/// The depth buffer of a draw.
class DepthView {
 public:
  /// Nothing: the draw has none, or none that can be read.
  static std::optional<DepthView> of(const ChipState& state, const Part& part = {});
  uint64_t base() const { return base_; }
  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  /// "Z24S8", "Z16", or the name of the format, with part_text().
  const std::string& format() const { return format_; }
  /// 0 to 1.
  float depth(const Memory& memory, uint32_t x, uint32_t y) const;
  /// All that depth() is made of, as of targets; cleared tiles too.
  std::vector<std::byte> bytes(const Memory& memory) const;
  /// The nearest black.
  Picture picture(Memory& memory, const Area& area) const;

 private:
  uint64_t base_ = 0;
  uint32_t width_ = 0, height_ = 0;
  std::string format_;
  Part part_;
  std::optional<xt::Image> image_;  ///< of an extended draw, else
  std::optional<zb::Setup> setup_;
};

}  // namespace pumice::hw::trace
