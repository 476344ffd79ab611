#version 450
// SPDX-License-Identifier: MIT
// Texel buffers that begin anywhere: texels are read as floats, and written one more.
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { vec4 result[]; };
layout(set = 0, binding = 1) uniform samplerBuffer from;
layout(set = 0, binding = 2) uniform writeonly imageBuffer to;
void main() {
  int i = int(gl_GlobalInvocationID.x);
  vec4 v = texelFetch(from, i);
  result[i] = v;
  imageStore(to, i, v);
}
