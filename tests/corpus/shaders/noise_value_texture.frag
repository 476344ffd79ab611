// SPDX-License-Identifier: MIT
// range: 0 2
// precision: 64 1e-5
#version 450
layout(location = 0) in vec2 p;
layout(binding = 0) uniform sampler2D noise;
layout(location = 0) out vec4 color;
void main() {
  vec2 i = floor(p * 4.0), f = fract(p * 4.0), w = f * f * (3.0 - 2.0 * f);
  vec2 s = (i + 0.5) * 0.25;
  float a = mix(texture(noise, s).r, texture(noise, s + vec2(0.25, 0.0)).r, w.x);
  float b = mix(texture(noise, s + vec2(0.0, 0.25)).r, texture(noise, s + 0.25).r, w.x);
  color = vec4(mix(a, b, w.y));
}
