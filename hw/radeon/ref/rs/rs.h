// SPDX-License-Identifier: MIT
/// Interpolation routing: which interpolated components go to which register of the fragment program (pipeline s.5). The register program
/// is read once per shape, with all plane equations; run() then only evaluates them. Internal to SU, SC and RS.
#pragma once
#include "hw/radeon/ref/ga/packet.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw::rs {

enum class Interpolation : uint8_t { constant, affine, perspective, pixel_x, pixel_y };

struct Channel {
  Interpolation how;
  su::Interpolant value;  ///< perspective: of value/w
};

struct Output {
  uint8_t address;
  bool adjusted = false;  ///< taken at a covered sample (RS_INST.TEX_ADJ)
  std::array<Channel, 4> channel;
};

class Program {
 public:
  Program(const ChipState& state, const Shape& shape, const su::Planes& planes);
  /// A place in the pixel where attributes are taken, in grid steps from its centre.
  struct Place {
    double x = 0, y = 0;
  };
  /// Writes the routed registers of all four pixels, helpers included, W and the fog source. bx, by: centre of the first pixel of the 4x4
  /// block that the quad lies in, relative to the planes' origin. `samples`: where they lie, when multisampled.
  void run(PixelQuad& q, double bx, double by, std::span<const Place> samples = {}) const;

 private:
  void read_r300(const ChipState& state, const ga::Packet& packet, const su::Planes& planes);
  void read_r500(const ChipState& state, const ga::Packet& packet, const su::Planes& planes, bool back_facing);
  /// `nudge`: this part of the range of the three values is added to them (RS_INST_COUNT.TX_OFFSET).
  Channel channel(const ga::Packet::Component& c, const su::Planes& planes, double nudge = 0) const;
  Output& add(uint32_t address);
  void select_fog(const ChipState& state, const ga::Packet& packet, const su::Planes& planes);
  float value(const Channel& c, int32_t i, int32_t j, double bx, double by, float w) const;
  float w(int32_t i, int32_t j, double bx, double by) const;
  void add_color(uint32_t address, uint32_t pointer, uint32_t format, const ga::Packet& packet, const su::Planes& planes);

  std::array<Output, 32> output_;  // 16 steps, a texcoord and a colour each
  uint32_t count_ = 0;
  std::array<double, 3> inv_w_;
  bool needs_w_ = false, produces_w_ = false;  ///< W is evaluated; it goes to PixelQuad::w
  bool has_fog_ = false, fog_is_w_ = false;
  Channel fog_{};
  su::Interpolant inv_w_plane_;
  int32_t unit_;
  bool perspective_ = false;
};

}  // namespace pumice::hw::rs
