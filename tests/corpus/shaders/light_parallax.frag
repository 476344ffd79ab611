// SPDX-License-Identifier: MIT
// range: 0.3 2
// precision: 64 1e-5
#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 view;
layout(binding = 0) uniform sampler2D height;
layout(binding = 1) uniform sampler2D albedo;
layout(location = 0) out vec4 color;
void main() {
  float h = texture(height, uv).r * 0.0625 - 0.03125;
  vec2 p = uv + view.xy / view.z * h * 0.015625;
  color = texture(albedo, p);
}
