// SPDX-License-Identifier: MIT
/// Solids with normals and texture coordinates, all in one vertex and one index list.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace example {

struct SolidVertex {
  float position[3];
  float normal[3];
  float uv[2];
};
struct Solid {
  uint32_t first_index = 0, index_count = 0;
};

class Solids {
 public:
  std::vector<SolidVertex> vertices;
  std::vector<uint16_t> indices;

  /// A cube of edge 2 around the origin; the texture once on each face.
  Solid box() {
    const uint32_t first = begin();
    for (size_t axis = 0; axis < 3; ++axis)
      for (const float side : {-1.0f, 1.0f})
        grid(1, 1, [=](float s, float t) {
          SolidVertex v{{}, {}, {s, 1 - t}};
          v.position[axis] = v.normal[axis] = side;
          v.position[(axis + 1) % 3] = (2 * s - 1) * side;
          v.position[(axis + 2) % 3] = 2 * t - 1;
          return v;
        });
    return end(first);
  }
  /// A square of edge 2 in the plane y = 0, seen from above; the texture `repeats` times each way.
  Solid plane(float repeats) {
    const uint32_t first = begin();
    grid(1, 1, [=](float s, float t) { return SolidVertex{{2 * s - 1, 0, 1 - 2 * t}, {0, 1, 0}, {repeats * s, repeats * t}}; });
    return end(first);
  }
  /// Radius 1 around the origin.
  Solid sphere(uint32_t around, uint32_t across) {
    const uint32_t first = begin();
    grid(around, across, [](float s, float t) {
      const float a = -2 * kPi * s, b = kPi * (t - 0.5f);
      const float x = std::cos(a) * std::cos(b), y = std::sin(b), z = std::sin(a) * std::cos(b);
      return SolidVertex{{x, y, z}, {x, y, z}, {4 * s, 2 * t}};
    });
    return end(first);
  }
  /// Around the y axis: a tube of radius `tube` whose middle is at radius 1.
  Solid torus(float tube, uint32_t around, uint32_t across) {
    const uint32_t first = begin();
    grid(around, across, [=](float s, float t) {
      const float a = -2 * kPi * s, b = 2 * kPi * t;
      const float x = std::cos(a) * std::cos(b), y = std::sin(b), z = std::sin(a) * std::cos(b);
      return SolidVertex{{std::cos(a) + tube * x, tube * y, std::sin(a) + tube * z}, {x, y, z}, {8 * s, 2 * t}};
    });
    return end(first);
  }
  /// Around the y axis, radius 1, from y = -1 to 1, without caps.
  Solid cylinder(uint32_t around) {
    const uint32_t first = begin();
    grid(around, 1, [](float s, float t) {
      const float a = -2 * kPi * s;
      return SolidVertex{{std::cos(a), 2 * t - 1, std::sin(a)}, {std::cos(a), 0, std::sin(a)}, {3 * s, 4 * t}};
    });
    return end(first);
  }

 private:
  static constexpr float kPi = 3.14159265f;
  uint32_t begin() const { return static_cast<uint32_t>(indices.size()); }
  Solid end(uint32_t first) const { return {first, begin() - first}; }
  /// columns x rows quads of the surface `at`(s, t), s and t in 0..1, counter-clockwise where s runs right and t runs up.
  void grid(uint32_t columns, uint32_t rows, const std::function<SolidVertex(float, float)>& at) {
    const auto base = static_cast<uint32_t>(vertices.size());
    for (uint32_t j = 0; j <= rows; ++j)
      for (uint32_t i = 0; i <= columns; ++i)
        vertices.push_back(at(static_cast<float>(i) / static_cast<float>(columns), static_cast<float>(j) / static_cast<float>(rows)));
    for (uint32_t j = 0; j < rows; ++j)
      for (uint32_t i = 0; i < columns; ++i)
        for (const uint32_t k : {0u, 1u, columns + 2, 0u, columns + 2, columns + 1})
          indices.push_back(static_cast<uint16_t>(base + j * (columns + 1) + i + k));
  }
};

}  // namespace example
