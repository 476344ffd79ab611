// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 64 1e-5
#version 450
layout(location = 0) in vec3 p;
layout(location = 0) out vec4 color;
void main() {
  float a = length(p) - 0.8, b = length(p - vec3(0.7, 0.2, 0.1)) - 0.5;
  float h = clamp(0.5 + 0.5 * (b - a) / 0.25, 0.0, 1.0);
  color = vec4(mix(b, a, h) - 0.25 * h * (1.0 - h));
}
