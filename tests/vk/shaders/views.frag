#version 450
#extension GL_EXT_multiview : require
// SPDX-License-Identifier: MIT
layout(location = 0) flat in int view;
layout(location = 0) out vec4 color;
void main() {
  if (int(gl_FragCoord.x) > gl_ViewIndex) discard;
  color = vec4(gl_ViewIndex, view, 50, 255) / 255.0;
}
