// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 128 2e-5
#version 450
layout(location = 0) in vec2 p;
layout(binding = 0) uniform sampler2D noise;
layout(location = 0) out vec4 color;
void main() {
  float t = 0.0;
  for (float f = 1.0; f < 9.0; f *= 2.0) t += abs(texture(noise, p * f).g * 2.0 - 1.0) / f;
  color = vec4(t * 0.5);
}
