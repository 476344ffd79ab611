#version 450
// SPDX-License-Identifier: MIT
// Floats of 64 bits from every sort of memory; sums over the subgroup.
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 16) in;
layout(constant_id = 0) const double special = 0.1lf;
layout(push_constant) uniform Push { double pushed; };
layout(std140, binding = 0) uniform U { dmat2x3 m; dvec2 v; } u;
layout(std430, binding = 1) buffer B { double data[]; };
layout(std430, binding = 2) buffer C { double sums[]; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
  const double x = data[i];
  const dvec3 w = u.m * dvec2(x, u.v.y);
  sums[2u * i] = subgroupAdd(x);
  sums[2u * i + 1u] = subgroupInclusiveMax(x);
  data[i] = sqrt(abs(w.z)) * special / pushed + w.x;
}
