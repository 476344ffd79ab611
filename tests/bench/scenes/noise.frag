#version 450
// SPDX-License-Identifier: MIT
// Value noise, five octaves.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43.5453); }
float noise(vec2 p) {
  vec2 cell = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(cell), hash(cell + vec2(1.0, 0.0)), f.x), mix(hash(cell + vec2(0.0, 1.0)), hash(cell + vec2(1.0, 1.0)), f.x), f.y);
}
void main() {
  vec2 p = uv * 8.0;
  float sum = 0.0, scale = 0.5;
  for (int i = 0; i < 5; ++i) {
    sum += scale * noise(p);
    p *= 2.03;
    scale *= 0.5;
  }
  out_color = vec4(sum, sum * 0.8, 1.0 - sum, 1.0);
}
