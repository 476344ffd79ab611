#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() {
  first = vec4(1.0, 0.5, 0.25, 1.0);
  second = vec4(-2.0, 0.125, 3.0, 0.5);
}
