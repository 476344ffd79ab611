// SPDX-License-Identifier: MIT
/// The projection of a direction onto a cube's face (pipeline s.6, docs/r5x.md "XT"), for texture units and extended textures.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

#include "hw/common/numerics/arithmetic.h"

namespace pumice::hw::tx {

class CubeProjection {
 public:
  /// A direction, or its change: x, y, z.
  using Direction = std::array<float, 3>;

  explicit CubeProjection(const Direction& c) : face_(face_of(c)) {
    const Axes a = on_face(c);
    const float inverse = num::div(1.0f, a.major);
    s_ = num::mul(a.s, inverse);
    t_ = num::mul(a.t, inverse);
    half_ = num::mul(0.5f, inverse);
  }

  uint32_t face() const { return face_; }  ///< DX order
  /// Inside the face, 0..1.
  float s() const { return num::fma(s_, 0.5f, 0.5f); }
  float t() const { return num::fma(t_, 0.5f, 0.5f); }

  struct Step {
    float s, t;
  };
  /// The derivative of the projection onto this direction's face.
  Step step(const Direction& d) const {
    const Axes a = on_face(d);
    return {num::mul(num::fma(-s_, a.major, a.s), half_), num::mul(num::fma(-t_, a.major, a.t), half_)};
  }

 private:
  /// s and t run along the face, the major axis is positive on it.
  struct Axes {
    float s, t, major;
  };

  /// Ties go to z, then y.
  static uint32_t face_of(const Direction& c) {
    const float x = std::fabs(c[0]), y = std::fabs(c[1]), z = std::fabs(c[2]);
    if (z >= x && z >= y) return c[2] < 0 ? 5 : 4;
    if (y >= x) return c[1] < 0 ? 3 : 2;
    return c[0] < 0 ? 1 : 0;
  }
  Axes on_face(const Direction& c) const {
    switch (face_) {
      case 0: return {-c[2], -c[1], c[0]};
      case 1: return {c[2], -c[1], -c[0]};
      case 2: return {c[0], c[2], c[1]};
      case 3: return {c[0], -c[2], -c[1]};
      case 4: return {c[0], -c[1], c[2]};
      default: return {-c[0], -c[1], -c[2]};
    }
  }

  uint32_t face_;
  float s_, t_, half_;
};

}  // namespace pumice::hw::tx
