// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 64 2e-5
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 weight;
layout(location = 2) in vec4 bone;
layout(binding = 0) uniform U { mat4 bones[8]; } u;
void main() {
  ivec4 i = ivec4(abs(bone) * 7.9);
  gl_Position = u.bones[i.x] * position * weight.x + u.bones[i.y] * position * weight.y + u.bones[i.z] * position * weight.z + u.bones[i.w] * position * weight.w;
}
