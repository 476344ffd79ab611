// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 512 2e-5
#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 view;
layout(location = 2) in vec3 to_light;
layout(location = 0) out vec4 color;
void main() {
  vec3 n = normalize(normal), h = normalize(normalize(to_light) + normalize(view));
  float d = max(dot(n, normalize(to_light)), 0.0);
  color = vec4(vec3(0.1, 0.2, 0.3) * d + pow(max(dot(n, h), 0.0), 16.0), 1.0);
}
