// SPDX-License-Identifier: MIT
// range: -1.5 1.5
// precision: 64 6e-3
#version 450
layout(location = 0) in vec2 p;
layout(location = 1) in float t;
layout(location = 0) out vec4 color;
void main() {
  float v = sin(p.x + t) + sin(p.y * 0.5 - t) + sin((p.x + p.y) * 0.5);
  color = vec4(v * 0.25 + 0.5, cos(v), sin(v), 1.0);
}
