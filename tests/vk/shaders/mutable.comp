#version 450
// SPDX-License-Identifier: MIT
// Descriptors of one binding, each of its own type. at: which element is of which type.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) buffer Storage { uint v; } storage[5];
layout(set = 0, binding = 1) uniform Uniform { uint v; } block[5];
layout(set = 0, binding = 1, r32ui) uniform uimage2D image[5];
layout(set = 0, binding = 1) uniform usampler2D texel[5];
layout(set = 0, binding = 1) uniform usamplerBuffer texels[5];
layout(push_constant) uniform Push { int at[5]; } push;
void main() {
  o[0] = storage[push.at[0]].v;
  o[1] = block[push.at[1]].v;
  o[2] = imageLoad(image[push.at[2]], ivec2(1, 1)).x;
  o[3] = textureLod(texel[push.at[3]], vec2(0.75), 0.0).x;
  o[4] = texelFetch(texels[push.at[4]], 1).x;
  storage[push.at[0]].v = 1000u + o[0];
}
