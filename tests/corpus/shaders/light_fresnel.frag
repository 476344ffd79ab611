// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 2e-5
#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 view;
layout(location = 2) in vec4 base;
layout(location = 0) out vec4 color;
void main() {
  float c = clamp(dot(normalize(normal), normalize(view)), 0.0, 1.0), m = 1.0 - c;
  float f = 0.04 + 0.96 * m * m * m * m * m;
  color = mix(base, vec4(1.0), f);
}
