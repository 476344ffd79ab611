#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 value;
layout(location = 0) out vec2 v;
void main() {
  v = value;
  gl_Position = position;
}
