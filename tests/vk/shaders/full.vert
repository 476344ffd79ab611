#version 450
// SPDX-License-Identifier: MIT
// A triangle over everything from gl_VertexIndex alone.
layout(location = 0) out vec2 uv;
layout(push_constant) uniform Push { vec4 tint; float z; } push;
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 2.0 : 0.0, gl_VertexIndex == 2 ? 2.0 : 0.0);
  uv = p;
  gl_Position = vec4(p * 2.0 - 1.0, push.z, 1.0);
}
