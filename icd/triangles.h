// SPDX-License-Identifier: MIT
/// Draws whose vertex program reads attributes of all three vertices of its triangle (compiler/driver/slopes.h, derivatives of the R3xx).
/// The chip's vertices know nothing of each other, so strips, fans and indexed triangles become lists, and for each vertex the attributes
/// of the two that follow it in its triangle are fetched like its own, of arrays that the driver writes.
#pragma once
#include <vector>

#include "icd/cs.h"
#include "icd/vertex_input.h"

namespace pumice::icd {

/// Three for each triangle of `count` vertices, in the order in which they face the same way.
std::vector<uint32_t> triangle_list(VkPrimitiveTopology topology, uint32_t count);

/// The array becomes one of as many vertices as there are in `vertices`, vertex i with the data of vertices[j], j being a.corner places
/// after i around its triangle. Those of instances, and those that give the same to all vertices, stay.
void spread(RadeonDevice& device, Cs& cs, VertexArray& a, std::span<const uint32_t> vertices);

}  // namespace pumice::icd
