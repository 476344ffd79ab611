// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 128 2e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
float at(float x, float y) { return dot(texture(image, uv + vec2(x, y) * 0.25).rgb, vec3(0.299, 0.587, 0.114)); }
void main() {
  float gx = at(-1.0, -1.0) + 2.0 * at(-1.0, 0.0) + at(-1.0, 1.0) - at(1.0, -1.0) - 2.0 * at(1.0, 0.0) - at(1.0, 1.0);
  float gy = at(-1.0, -1.0) + 2.0 * at(0.0, -1.0) + at(1.0, -1.0) - at(-1.0, 1.0) - 2.0 * at(0.0, 1.0) - at(1.0, 1.0);
  color = vec4(sqrt(gx * gx + gy * gy));
}
