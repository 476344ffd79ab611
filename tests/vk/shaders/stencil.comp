#version 450
// SPDX-License-Identifier: MIT
// The stencil of an image.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(set = 0, binding = 1) uniform usampler2D stencil;
void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  result[at.y * 16 + at.x] = texelFetch(stencil, ivec2(at), 0).x;
}
