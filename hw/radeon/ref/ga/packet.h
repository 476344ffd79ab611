// SPDX-License-Identifier: MIT
/// The vertex packet GA sends to the setup unit: texture coordinate components in numbered slots, colours numbered apart, shading mode,
/// two-sided selection, clamping and generated coordinates applied (pipeline s.3, s.5). Internal to GA and RS.
#pragma once
#include "hw/radeon/draw/shape.h"

namespace pumice::hw::ga {

class Packet {
 public:
  Packet(const ChipState& state, const Shape& shape);

  /// One component at the shape's three points. Generated coordinates are linear on the screen, all others in space.
  struct Component {
    std::array<float, 3> value{};
    bool perspective = true;
  };
  /// Slots beyond the packet give 0.
  Component texcoord(uint32_t slot) const;
  Component color(uint32_t pointer, uint32_t channel) const;
  /// The pointer of colour `number` (0..3); one behind the packet when it is absent.
  uint32_t color_pointer(uint32_t number) const;
  /// The source of texcoord(slot): determined by registers alone.
  struct TexcoordSource {
    bool present = false;  ///< else 0
    bool generated = false, flat = false, wraps = false;
    bool fog = false;  ///< the fog takes its place (GB_SELECT.FOG_STUFF_ENABLE)
    uint8_t set = 0, component = 0;
  };
  TexcoordSource texcoord_source(uint32_t slot) const;

 private:
  struct Slot {
    uint8_t set, component;
    bool stuffed;
  };
  Component fog() const;
  void lay_out_texcoords();
  void lay_out_colors();

  const ChipState& state_;
  const Shape& shape_;
  const Capabilities& chip_;
  bool ps3_;
  std::array<Slot, 4 * kMaxTexcoords> slot_;
  uint32_t slots_ = 0;
  struct Color {
    uint8_t number;  ///< 0..3
    uint8_t source;  ///< the vertex colour that supplies it: number, or number + 2 on back faces
  };
  std::array<Color, kMaxColors> color_;
  uint32_t colors_ = 0;
};

}  // namespace pumice::hw::ga
