// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 4096 1e-4
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() {
  float r = length(p) + 0.1, t = atan(r, sqrt(4.0 - r * r)) / 3.14159265;
  float phi = atan(p.y, p.x + 2.0);
  color = vec4(t, phi, r, 1.0);
}
