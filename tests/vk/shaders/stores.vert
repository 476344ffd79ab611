#version 450
// SPDX-License-Identifier: MIT
// Each vertex leaves its number + 1 in a buffer.
layout(set = 0, binding = 0) buffer Out { uint cell[]; };
void main() {
  cell[gl_VertexIndex] = gl_VertexIndex + 1;
  gl_PointSize = 1.0;
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
