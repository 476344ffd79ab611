// SPDX-License-Identifier: MIT
// range: 0 8
// precision: 128 1e-4
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
float hash(vec2 c) { return mod((c.x * 7.0 + c.y * 11.0) * (c.x + 3.0) + 5.5, 31.0) / 31.0; }
void main() {
  vec2 i = floor(p), f = fract(p), w = f * f * (3.0 - 2.0 * f);
  float a = mix(hash(i), hash(i + vec2(1.0, 0.0)), w.x), b = mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0)), w.x);
  color = vec4(mix(a, b, w.y));
}
