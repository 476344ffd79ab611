#version 450
// SPDX-License-Identifier: MIT
// Vertices of uniform data, as vkcube's.
layout(location = 0) out vec2 v;
layout(set = 0, binding = 0) uniform Vertices { vec4 position[12]; vec4 value[12]; } vertices;
void main() {
  v = vertices.value[gl_VertexIndex].xy;
  gl_Position = vertices.position[gl_VertexIndex];
}
