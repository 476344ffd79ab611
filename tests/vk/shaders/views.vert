#version 450
#extension GL_EXT_multiview : require
// SPDX-License-Identifier: MIT
// A triangle over everything.
layout(location = 0) flat out int view;
void main() {
  vec2 p = vec2(gl_VertexIndex == 1 ? 2.0 : 0.0, gl_VertexIndex == 2 ? 2.0 : 0.0);
  view = gl_ViewIndex;
  gl_Position = vec4(p * 2.0 - 1.0, 0.5, 1.0);
}
