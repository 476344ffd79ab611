// SPDX-License-Identifier: MIT
/// The varyings that the fragment program of an extended draw reads: the layout of what records carry.
#pragma once
#include <cstdint>
#include <vector>

namespace pumice::hw::fast::raster {

struct PixelInputs {
  /// Component of a varying. Number kPoint: the coordinates of points, components 0 and 1, behind all others; 0 in lines and triangles.
  struct Component {
    uint8_t varying = 0, component = 0;
    bool operator==(const Component&) const = default;
  };
  static constexpr uint8_t kPoint = 32;
  std::vector<Component> planes;  ///< interpolated: Record::values()
  std::vector<Component> flat;    ///< of the provoking vertex: Extended::flat
  uint32_t stride() const { return (static_cast<uint32_t>(planes.size()) + 7) & ~7u; }
  bool operator==(const PixelInputs&) const = default;
};

}  // namespace pumice::hw::fast::raster
