// SPDX-License-Identifier: MIT
// range: -0.7 0.7
// precision: 512 1e-4
// r300: 262144 0.05
#version 450
layout(location = 0) in vec2 c;
layout(location = 0) out vec4 color;
void main() {
  vec2 z = vec2(0.0);
  float n = 0.0;
  for (int i = 0; i < 8; i++) {
    if (dot(z, z) > 4.0) break;
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    n += 1.0;
  }
  color = vec4(n * 0.125);
}
