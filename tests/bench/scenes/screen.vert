#version 450
// SPDX-License-Identifier: MIT
// One triangle that covers the screen.
layout(location = 0) out vec2 uv;
layout(location = 0) in vec2 position;
void main() {
  uv = position * 0.5 + 0.5;
  gl_Position = vec4(position, 0.5, 1.0);
}
