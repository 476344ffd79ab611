// SPDX-License-Identifier: MIT
// range: -0.4 0.4
// precision: 512 1e-4
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() {
  vec3 direction = normalize(vec3(p, 1.0));
  float t = 0.0;
  for (int i = 0; i < 8; i++) t += length(direction * t - vec3(0.0, 0.0, 3.0)) - 1.0;
  color = vec4(t * 0.25);
}
