#version 450
// SPDX-License-Identifier: MIT
// 25 taps with binomial weights.
layout(constant_id = 0) const float unique = 1.0;
layout(location = 0) in vec2 uv;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 color;
const float weight[5] = float[](1.0, 4.0, 6.0, 4.0, 1.0);
void main() {
  vec4 sum = vec4(0.0);
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += texture(picture, uv + vec2(x, y) * (unique / 64.0)) * (weight[x + 2] * weight[y + 2]);
  color = sum / 256.0;
}
