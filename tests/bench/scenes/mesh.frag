#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 uv;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 out_color;
void main() {
  vec3 n = normalize(normal);
  float diffuse = max(dot(n, vec3(0.48, 0.6, 0.64)), 0.0);
  out_color = texture(image, uv) * vec4(vec3(0.2 + 0.8 * diffuse), 1.0);
}
