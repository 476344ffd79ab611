#version 450
#extension GL_EXT_scalar_block_layout : require
// SPDX-License-Identifier: MIT
// Vectors at multiples of four bytes, arrays of vec3 without padding, and a uniform array of floats without padding.
layout(local_size_x = 1) in;
struct Part { float a; vec3 b; vec2 c; };
layout(set = 0, binding = 0, scalar) buffer In { Part part[2]; vec3 list[3]; };
layout(set = 0, binding = 1, scalar) buffer Out { vec3 sum; Part copy; };
layout(set = 0, binding = 2, scalar) uniform Factors { float factor[4]; vec3 last; };
void main() {
  sum = list[0] * factor[1] + list[1] * factor[2] + list[2] * factor[3] + last;
  copy.a = part[1].a;
  copy.b = part[1].b;
  copy.c = part[1].c;
}
