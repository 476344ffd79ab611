#version 450
// SPDX-License-Identifier: MIT
// A triangle over everything; `place` is the position in pixels of a target of 16x16.
layout(location = 0) out vec2 place;
layout(push_constant) uniform Push { vec4 tint; float z; } push;
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
  place = p * 8.0 + 8.0;
  gl_Position = vec4(p, push.z, 1.0);
}
