// SPDX-License-Identifier: MIT
/// Clipping in homogeneous clip space: user planes, view volume, guard band (pipeline s.2.4).
///
/// Planes in this order: near, far, left, right, bottom, top, user 0..5, w. x and y are clipped against the guard band (CLIP_ADJ*w),
/// but a primitive that lies beyond DISC_ADJ*w of one side as a whole is discarded. A point on a plane is inside.
/// The last plane is w >= 2^-80: every other plane already leaves w >= 0, this one keeps the divide finite.
/// A new vertex is always interpolated from the inside end of the edge to the outside one, in double, and its clipped coordinate is
/// then set to the plane exactly: the same edge in two triangles gives the same vertex, bit for bit.
#pragma once
#include <span>

#include "hw/radeon/ref/vap/outputs.h"

namespace pumice::hw::vap {

inline constexpr float kSmallestW = 0x1p-80f;
inline constexpr uint32_t kMaxPlanes = 13;
inline constexpr uint32_t kMaxPolygon = 3 + kMaxPlanes;

struct ClipPolygon {
  std::array<ClipVertex, kMaxPolygon> v;
  std::array<bool, kMaxPolygon> edge{};  ///< the edge v[i] -> v[i+1] is drawn by polygon mode
  uint32_t count = 0;
};

class Clipper {
 public:
  explicit Clipper(const ChipState& state);
  /// True when a vertex position cannot be used at all: the primitive is dropped (also with CLIP_DISABLE).
  static bool unusable(const ClipVertex& v);

  /// A point by its centre; `user`: user planes count.
  bool keep_point(const ClipVertex& v, bool user = true) const;
  /// Of user plane `i`: the distance of a position, and its change with x and y.
  struct UserPlane {
    double distance, dx, dy;
  };
  uint32_t user_planes() const { return user_count_; }
  UserPlane user_plane(uint32_t i, const ClipVertex& v) const {
    return {distance(user_[i], v.position), user_[i].normal[0], user_[i].normal[1]};
  }
  /// False: nothing is left. The ends are replaced in place.
  bool clip_line(ClipVertex& a, ClipVertex& b) const;
  /// True when no vertex lies outside a clip plane.
  bool triangle_inside(std::span<const ClipVertex* const, 3> v) const;
  /// count 0..: what is left of the polygon, in the same winding.
  void clip_polygon(ClipPolygon& polygon) const;
  /// True when one discard or cull plane rejects the whole primitive.
  bool discards(std::span<const ClipVertex* const> v, bool user = true) const;
  bool enabled() const { return enabled_; }

 private:
  struct Plane {
    std::array<double, 4> normal{};
    bool user = false;
    double offset = 0;
    int snap_axis = -1;  ///< position[snap_axis] = snap_w * w + snap_constant for a new vertex
    double snap_w = 0, snap_constant = 0;
  };
  static double distance(const Plane& p, const Vec4& position);
  static ClipVertex cut(const Plane& p, const ClipVertex& inside, const ClipVertex& outside);
  void add_axis(uint32_t axis, double sign, double adjust);

  bool enabled_;
  bool boundary_edges_;
  std::array<Plane, kMaxPlanes> clip_;
  uint32_t clip_count_ = 0;
  std::array<Plane, 4 + 6> discard_;
  uint32_t discard_count_ = 0;
  std::array<Plane, 6> user_;  ///< those of either array that are user planes
  uint32_t user_count_ = 0;
};

}  // namespace pumice::hw::vap
