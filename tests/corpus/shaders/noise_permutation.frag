// SPDX-License-Identifier: MIT
// range: 0 16
// precision: 64 1e-4
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
float permute(float x) { return floor(mod((3.0 * x + 1.0) * x + 0.5, 29.0)); }
void main() {
  vec2 i = floor(p);
  float a = permute(permute(mod(i.x, 29.0)) + i.y);
  color = vec4(a, permute(a), permute(a + 1.0), 29.0) / 29.0;
}
