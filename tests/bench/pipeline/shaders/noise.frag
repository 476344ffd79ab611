#version 450
// SPDX-License-Identifier: MIT
// Five octaves of value noise.
layout(constant_id = 0) const float unique = 1.0;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float value(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  vec2 u = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), u.x), mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0, 1.0)), u.x), u.y);
}
void main() {
  float sum = 0.0, amplitude = 0.5 * unique;
  vec2 p = uv * 8.0;
  for (int i = 0; i < 5; ++i) {
    sum += amplitude * value(p);
    p = mat2(1.6, 1.2, -1.2, 1.6) * p;
    amplitude *= 0.5;
  }
  color = vec4(vec3(sum), 1.0);
}
