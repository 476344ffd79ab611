#version 450
// SPDX-License-Identifier: MIT
// One triangle that covers the viewport; uv runs from 0,0 (left, top) to 1,1.
layout(location = 0) in vec2 corner;
layout(location = 0) out vec2 uv;
void main() {
  uv = corner * 0.5 + 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}
