// SPDX-License-Identifier: MIT
// range: 0.05 3.95
// precision: 64 2e-5
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() {
  vec2 c = floor(p), f = fract(p);
  if (mod(c.x + c.y, 2.0) > 0.5) f.x = 1.0 - f.x;
  float d = min(abs(length(f) - 0.5), abs(length(f - 1.0) - 0.5));
  color = vec4(smoothstep(0.1, 0.2, d));
}
