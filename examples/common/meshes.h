// SPDX-License-Identifier: MIT
/// Meshes that several examples share.
#pragma once
#include <cstdint>
#include <vector>

namespace example {

struct MeshVertex {
  float position[3];
  float normal[3];
};
struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<uint16_t> indices;
};

/// A cube of edge 2 around the origin, counter-clockwise from outside, a normal for each face.
inline Mesh cube_mesh() {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = -1; side <= 1; side += 2) {
      const auto first = static_cast<uint16_t>(mesh.vertices.size());
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int corner = 0; corner < 4; ++corner) {
        MeshVertex vertex{};
        const float a = (corner == 1 || corner == 2) ? 1.0f : -1.0f, b = corner >= 2 ? 1.0f : -1.0f;
        vertex.position[axis] = vertex.normal[axis] = static_cast<float>(side);
        vertex.position[u] = a * static_cast<float>(side);
        vertex.position[v] = b;
        mesh.vertices.push_back(vertex);
      }
      for (const int i : {0, 1, 2, 0, 2, 3}) mesh.indices.push_back(static_cast<uint16_t>(first + i));
    }
  return mesh;
}

}  // namespace example
