#version 450
// SPDX-License-Identifier: MIT
// The colour of the provoking vertex.
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 0) flat out vec4 out_color;
void main() {
  out_color = color;
  gl_Position = vec4(position, 1.0);
}
