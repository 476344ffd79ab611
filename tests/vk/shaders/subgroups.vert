// SPDX-License-Identifier: MIT
// Vertices 0 to 2: a triangle whose edges cut through quads. 3 to 5: a smaller one in front of it.
#version 450
void main() {
  const vec2 corners[3] = vec2[](vec2(-0.9, -0.8), vec2(0.7, -0.5), vec2(-0.3, 0.85));
  gl_Position = vec4(corners[gl_VertexIndex % 3] * (gl_VertexIndex < 3 ? 1.0 : 0.5), gl_VertexIndex < 3 ? 0.5 : 0.25, 1.0);
}
