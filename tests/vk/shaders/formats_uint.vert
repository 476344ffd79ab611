#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in uvec4 value;
layout(location = 0) flat out vec4 color;
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 2.0 : 0.0, gl_VertexIndex == 2 ? 2.0 : 0.0);
  color = vec4(value);
  gl_Position = vec4(p * 2.0 - 1.0, 0.5, 1.0);
}
