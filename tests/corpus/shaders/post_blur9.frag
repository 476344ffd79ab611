// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
  vec4 sum = vec4(0.0);
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) sum += texture(image, uv + vec2(float(x), float(y)) * 0.25) * float((2 - abs(x)) * (2 - abs(y)));
  color = sum * 0.0625;
}
