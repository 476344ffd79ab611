// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 64 1e-5
#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec4 albedo;
layout(binding = 0) uniform Light { vec3 direction; float ambient; vec4 color; } light;
layout(location = 0) out vec4 color;
void main() {
  float d = max(dot(normalize(normal), -normalize(light.direction)), 0.0);
  color = albedo * (light.color * d + abs(light.ambient));
}
