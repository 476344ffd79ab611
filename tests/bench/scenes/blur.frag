#version 450
// SPDX-License-Identifier: MIT
// 25 taps, weights of a binomial of order 4 in both directions.
layout(location = 0) in vec2 uv;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 out_color;
void main() {
  const float weight[5] = float[](1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0);
  vec4 sum = vec4(0.0);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) sum += weight[x] * weight[y] * texture(image, uv + vec2(float(x - 2), float(y - 2)) / 1024.0);
  out_color = sum;
}
