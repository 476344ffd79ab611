#version 450
// SPDX-License-Identifier: MIT
// Uniform blocks that lie in their descriptor set.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(set = 0, binding = 1) uniform First { uvec4 first[2]; };
layout(set = 0, binding = 2) uniform Plain { uvec4 plain; };
layout(set = 0, binding = 5) uniform Second { uvec4 head; uvec4 list[15]; } second;
layout(push_constant) uniform Push { uint at; };
void main() {
  result[0] = first[0].x + first[1].w;
  result[1] = plain.y;
  result[2] = second.head.z;
  result[3] = second.list[at].y;
}
