// SPDX-License-Identifier: MIT
/// Just enough linear algebra: column-major 4x4 matrices for Vulkan's clip space (y down, depth 0..1).
#pragma once
#include <array>
#include <cmath>

namespace example {

using Vec3 = std::array<float, 3>;
struct Mat4 {
  std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};  ///< m[column * 4 + row]
};

inline Mat4 operator*(const Mat4& a, const Mat4& b) {
  Mat4 r;
  for (int c = 0; c < 4; ++c)
    for (int row = 0; row < 4; ++row) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += a.m[k * 4 + row] * b.m[c * 4 + k];
      r.m[c * 4 + row] = sum;
    }
  return r;
}

inline Mat4 translate(Vec3 t) { return {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, t[0], t[1], t[2], 1}}; }
inline Mat4 scale(Vec3 s) { return {{s[0], 0, 0, 0, 0, s[1], 0, 0, 0, 0, s[2], 0, 0, 0, 0, 1}}; }
inline Mat4 rotate_x(float a) {
  const float c = std::cos(a), s = std::sin(a);
  return {{1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1}};
}
inline Mat4 rotate_y(float a) {
  const float c = std::cos(a), s = std::sin(a);
  return {{c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1}};
}

/// Right-handed view space looking down -z, y up; clip space y points down, as in Vulkan.
inline Mat4 perspective(float fov_y, float aspect, float near_plane, float far_plane) {
  const float f = 1.0f / std::tan(fov_y / 2);
  return {{f / aspect, 0, 0, 0, 0, -f, 0, 0, 0, 0, far_plane / (near_plane - far_plane), -1, 0, 0,
           near_plane * far_plane / (near_plane - far_plane), 0}};
}

}  // namespace example
