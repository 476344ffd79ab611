#version 450
// SPDX-License-Identifier: MIT
// A slice of a volume through a sampler, and as a storage image.
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform sampler2D slice;
layout(set = 0, binding = 1, r32f) uniform image2D stored;
layout(set = 0, binding = 2) buffer Out { float o[]; };
void main() {
  ivec2 p = ivec2(gl_LocalInvocationID.xy);
  o[gl_LocalInvocationIndex] = texelFetch(slice, p, 0).r + float(textureSize(slice, 0).x * 1000);
  imageStore(stored, p, vec4(imageLoad(stored, p).r + 0.5));
}
