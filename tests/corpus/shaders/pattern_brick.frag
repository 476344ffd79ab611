// SPDX-License-Identifier: MIT
// range: 0.05 3.95
// precision: 16 1e-5
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() {
  vec2 q = p / vec2(0.5, 0.25);
  if (fract(q.y * 0.5) > 0.5) q.x += 0.5;
  q = fract(q);
  vec2 b = step(q, vec2(0.9, 0.85));
  color = mix(vec4(0.7), vec4(0.8, 0.3, 0.2, 1.0), b.x * b.y);
}
