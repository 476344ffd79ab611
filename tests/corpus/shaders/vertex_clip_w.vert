// SPDX-License-Identifier: MIT
// range: 0.2 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec3 device;
void main() {
  gl_Position = position;
  device = position.xyz / position.w;
}
