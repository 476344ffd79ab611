// SPDX-License-Identifier: MIT
// Corners, and numbers of the instance, to which its index is added.
#version 450
layout(location = 0) in vec2 at;
layout(location = 1) in ivec2 numbers;  // per instance
layout(location = 0) flat out ivec2 number;
layout(location = 1) out vec2 place;
void main() {
  number = numbers + ivec2(gl_InstanceIndex, 0);
  place = at;
  gl_Position = vec4(at, 0.5, 1);
}
