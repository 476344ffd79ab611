// SPDX-License-Identifier: MIT
// range: 0 8
// precision: 512 2e-4
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
vec2 gradient(vec2 c) {
  float h = mod(c.x * 5.0 + c.y * 3.0 + c.x * c.y, 8.0);
  return vec2(h < 4.0 ? 1.0 : -1.0, mod(h, 4.0) < 2.0 ? 1.0 : -1.0);
}
void main() {
  vec2 i = floor(p), f = fract(p), w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  float a = mix(dot(gradient(i), f), dot(gradient(i + vec2(1.0, 0.0)), f - vec2(1.0, 0.0)), w.x);
  float b = mix(dot(gradient(i + vec2(0.0, 1.0)), f - vec2(0.0, 1.0)), dot(gradient(i + vec2(1.0)), f - vec2(1.0)), w.x);
  color = vec4(mix(a, b, w.y) * 0.5 + 0.5);
}
