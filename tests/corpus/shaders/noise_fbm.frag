// SPDX-License-Identifier: MIT
// range: 0 4
// precision: 128 1e-5
#version 450
layout(location = 0) in vec2 p;
layout(binding = 0) uniform sampler2D noise;
layout(location = 0) out vec4 color;
void main() {
  float sum = 0.0, amplitude = 0.5;
  vec2 q = p;
  for (int i = 0; i < 4; i++) {
    sum += amplitude * texture(noise, q).r;
    q = q * 2.0 + 0.0625;
    amplitude *= 0.5;
  }
  color = vec4(sum);
}
