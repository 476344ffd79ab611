// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
const float weight[5] = float[](0.0625, 0.25, 0.375, 0.25, 0.0625);
void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 5; i++) sum += texture(image, uv + vec2(float(i - 2) * 0.25, 0.0)) * weight[i];
  color = sum;
}
