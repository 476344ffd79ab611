#version 450
// SPDX-License-Identifier: MIT
// Element push.n of everything; their ends are before it, or in the middle of it.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { vec4 value[8]; } to;
layout(set = 0, binding = 1) buffer Storage { vec4 value[]; } storage;
layout(set = 0, binding = 2) uniform Uniform { vec4 value[16]; } uniforms;
layout(set = 0, binding = 3) uniform samplerBuffer rgba_texels;
layout(set = 0, binding = 4) uniform samplerBuffer r_texels;
layout(set = 0, binding = 5) uniform sampler2D rgba_image;
layout(set = 0, binding = 6, r32f) uniform image2D r_image;
layout(set = 0, binding = 7, r32f) uniform imageBuffer r_stored;
layout(push_constant) uniform Push { int n; } push;
void main() {
  to.value[0] = storage.value[push.n];
  to.value[1] = uniforms.value[push.n];
  to.value[2] = texelFetch(rgba_texels, push.n);
  to.value[3] = texelFetch(r_texels, push.n);
  to.value[4] = texelFetch(rgba_image, ivec2(push.n, 0), 0);
  to.value[5] = imageLoad(r_image, ivec2(push.n, 0));
  to.value[6] = imageLoad(r_stored, push.n);
  to.value[7] = texelFetch(rgba_image, ivec2(0), push.n);
  storage.value[push.n] = vec4(9.0);
  imageStore(r_image, ivec2(push.n, 1), vec4(9.0));
  imageStore(r_stored, push.n, vec4(9.0));
}
