// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 4 1e-6
#version 450
layout(location = 0) in vec4 position;
layout(location = 0) flat out int number;
layout(location = 1) flat out vec2 pair;
void main() {
  gl_Position = position;
  number = gl_VertexIndex * 2 + 1;
  pair = position.xy * 0.5;
}
