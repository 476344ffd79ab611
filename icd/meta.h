// SPDX-License-Identifier: MIT
/// The driver's own draws: rectangles with hand-assembled microcode, for clears, blits and depth/stencil copies.
#pragma once
#include <array>
#include <span>

#include "icd/atoms.h"

namespace pumice::icd {

/// A fragment program that writes nothing.
std::span<const std::array<uint32_t, 6>> meta_no_output();

/// The same of the R3xx: constant 0, or the texel of unit 0 at temp 0, to a target.
compiler::FragmentLevels meta_levels(bool texture, uint32_t target, uint32_t write_mask);

/// A rectangle in pixels with a depth and texture coordinates at its corners.
struct MetaRect {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0, z = 0;
  float s0 = 0, t0 = 0, s1 = 0, t1 = 0, r = 0;
};

/// What the rectangle does to its targets.
struct MetaDraw {
  const FormatInfo* color_format = nullptr;  ///< null: no colour
  uint32_t color_slot = 0;                   ///< RB3D target the program writes
  Plane color;
  uint32_t color_mask = 0xF;  ///< RB3D mask bits of the slot
  const FormatInfo* depth_format = nullptr;
  Plane depth;
  bool write_depth = false, write_stencil = false;
  uint32_t stencil = 0;
  bool expand_depth = false;             ///< writes nothing but what the Z mask holds back (inside a render pass)
  std::array<uint32_t, 4> constant{};    ///< fragment constant 0: the colour (bits of floats)
  const TextureUnit* texture = nullptr;  ///< unit 0; the colour is the texel then
  const Plane* resolve = nullptr;        ///< nothing is drawn: RB3D puts the averages of colour's samples there
  bool color_masked = false;             ///< with emit_surfaces: the colour mask holds for `color`
  uint32_t mask_first = 0;               ///< its first dword
  bool emit_surfaces = true;             ///< false inside a render pass: the pass set them
  bool raw_output = false;               ///< take C0..C3 = R, G, B, A whatever the format says (copies of bytes)
};

class Meta {
 public:
  explicit Meta(RadeonDevice& device);
  /// Records the rectangles; the command buffer's own state is dirty afterwards.
  void draw(CommandBuffer& c, const MetaDraw& d, std::span<const MetaRect> rects) const;
};

}  // namespace pumice::icd
