// SPDX-License-Identifier: MIT
/// The outline of a point that user clip planes cut (pipeline s.2.4, VAP_CLIP_CNTL.PS_UCP_MODE): a convex polygon in pixels from the
/// point's centre. Internal to GA.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::ga {

class Outline {
 public:
  struct Corner {
    double x = 0, y = 0;
  };
  /// The rectangle of a whole point.
  Outline(double half_width, double half_height)
      : corner_{{{-half_width, -half_height}, {half_width, -half_height}, {half_width, half_height}, {-half_width, half_height}}},
        count_(4) {}

  uint32_t count() const { return count_; }
  const Corner& operator[](uint32_t i) const { return corner_[i]; }
  /// Corners that lie outside.
  uint32_t outside(const CutPlane& p) const {
    return static_cast<uint32_t>(
        std::count_if(corner_.begin(), corner_.begin() + count_, [&](const Corner& c) { return distance(p, c) < 0; }));
  }
  /// Leaves what is inside.
  void cut(const CutPlane& p) {
    const Outline before = *this;
    count_ = 0;
    for (uint32_t i = 0; i < before.count_; ++i) {
      const Corner &a = before[i], &b = before[i + 1 == before.count_ ? 0 : i + 1];
      const double da = distance(p, a), db = distance(p, b);
      if (da >= 0) add(a);
      if ((da < 0) != (db < 0)) {
        const double t = da / (da - db);
        add({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
      }
    }
  }

 private:
  static double distance(const CutPlane& p, const Corner& c) { return p.x * c.x + p.y * c.y + p.c; }
  void add(const Corner& c) {
    if (count_ < corner_.size()) corner_[count_++] = c;
  }
  std::array<Corner, 4 + 6> corner_{};  ///< a plane adds one at most
  uint32_t count_;
};

}  // namespace pumice::hw::ga
