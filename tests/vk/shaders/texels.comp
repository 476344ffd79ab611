// SPDX-License-Identifier: MIT
// Texel buffers and storage images.
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform samplerBuffer floats;
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer words;
layout(set = 0, binding = 2, rgba8) uniform image2D picture;
layout(set = 0, binding = 3) uniform sampler2DArray layers;
void main() {
  int i = int(gl_GlobalInvocationID.x);
  vec4 v = texelFetch(floats, i);
  imageStore(words, i, uvec4(imageLoad(words, i).x + uint(v.x * 255.0 + 0.5)));
  imageAtomicAdd(words, 8, 1u);
  imageStore(picture, ivec2(i, 0), v.wzyx);
  imageStore(picture, ivec2(i, 1), texelFetch(layers, ivec3(i % 4, i / 4, 1), 0));
}
