// SPDX-License-Identifier: MIT
// Each invocation stores to and loads from the texel at its place less 4: most of them lie outside of the image of 4 x 4.
#version 450
layout(local_size_x = 12, local_size_y = 12) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
layout(set = 0, binding = 1) buffer Out { uint o[]; };
void main() {
  ivec2 p = ivec2(gl_LocalInvocationID.xy) - 4;
  uint n = gl_LocalInvocationIndex;
  imageStore(image, p, uvec4(n + 1));
  o[n] = imageLoad(image, p).r;
}
