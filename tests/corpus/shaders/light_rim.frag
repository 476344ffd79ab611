// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 2e-5
#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 view;
layout(location = 0) out vec4 color;
void main() {
  float rim = 1.0 - max(dot(normalize(normal), normalize(view)), 0.0);
  color = vec4(vec3(pow(rim + 0.1, 3.0)) * vec3(0.2, 0.5, 1.0), 1.0);
}
