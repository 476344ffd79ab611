#version 450
// SPDX-License-Identifier: MIT
// One texel of a buffer, and how many it has.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform samplerBuffer texels;
layout(set = 0, binding = 1) buffer Out { vec4 texel; int count; } to;
void main() {
  to.texel = texelFetch(texels, 5);
  to.count = textureSize(texels);
}
