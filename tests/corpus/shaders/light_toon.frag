// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 64 1e-5
#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 light;
layout(location = 0) out vec4 color;
void main() {
  float d = dot(normalize(normal), normalize(light));
  float band = d > 0.75 ? 1.0 : d > 0.3 ? 0.6 : d > 0.0 ? 0.3 : 0.1;
  color = vec4(vec3(0.9, 0.6, 0.2) * band, 1.0);
}
