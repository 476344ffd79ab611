// SPDX-License-Identifier: MIT
/// Lookups inside one level of an image: address modes, cube edges, linear filter. Private to hw/radeon/ref/xt.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/ref/xt/lookup.h"

namespace pumice::hw::xt {

/// Where a lookup is: normalized coordinates (cubes: inside the face), the layer of the image (cubes: of face 0) and the face.
struct Position {
  std::array<float, 3> at{};
  uint32_t layer = 0, face = 0;
};

/// The texels of one lookup in one level. Values are codes (Decoding::scale is not applied), or results of the comparison.
class LevelReader {
 public:
  /// `share`: the weight in the result of what this level gives, for the inspector.
  LevelReader(const Memory& memory, const Image& image, const Sampler& sampler, const Request& request, uint32_t level, double share = 1);
  Bits4 nearest(const Position& p) const;
  Bits4 linear(const Position& p) const;
  /// Texels (i0,j1), (i1,j1), (i1,j0), (i0,j0) of the linear filter.
  std::array<Bits4, 4> footprint(const Position& p) const;

 private:
  struct Axis {
    int32_t i0 = 0, i1 = 0;
    float weight = 0;  ///< of i1
  };
  float texels(float s, uint32_t axis) const;
  Axis linear_axis(float s, uint32_t axis) const;
  int32_t nearest_axis(float s, uint32_t axis) const;
  int32_t wrap(int32_t i, uint32_t axis) const;
  /// `weight`: its own in the filter.
  Bits4 texel(const Position& p, int32_t i, int32_t j, int32_t k, double weight = 1) const;
  Bits4 cube_corner(const Position& p, int32_t i, int32_t j, double weight) const;
  void tell(uint32_t layer, const std::array<int32_t, 3>& at, bool border, const Bits4& texel, double weight) const;
  Bits4 border() const;
  Bits4 compared(const Bits4& texel) const;
  Bits4 join(const Bits4& a, const Bits4& b, float weight) const;
  /// Whether coordinates beyond a face are those of the adjoining one.
  bool seamless() const { return image_.is_cube() && !sampler_.seams; }

  const Memory& memory_;
  const Image& image_;
  const Sampler& sampler_;
  const Request& request_;
  const formats::Info& format_;
  Decoding decoding_;
  Level level_;
  uint32_t number_;  ///< of the level, from level 0 of the image
  std::array<uint32_t, 3> size_;
  uint32_t dims_;
  double share_;
};

/// fma(weight, b - a, a); a itself where the weight is 0.
float mix(float a, float b, float weight);
/// The smaller or the larger one, the first of two zeros (denormals are some); a NaN gives the other.
float chosen(Reduction reduction, float a, float b);
/// Number of coordinates without the layer: cubes 2, inside the face.
uint32_t dimensions(const Image& image);
/// Reads a texel inside the level; zeros where memory is not backed.
Bits4 read_texel(const Memory& memory, const Image& image, const Level& level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z,
                 uint32_t sample);
Bits4 swizzled(const Image& image, bool integer, const Bits4& v);

}  // namespace pumice::hw::xt
