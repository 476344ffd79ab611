// SPDX-License-Identifier: MIT
// range: 0.05 1
// precision: 512 1e-5
#version 450
layout(location = 0) in vec4 c;
layout(location = 0) out vec4 color;
void main() {
  vec4 p = mix(vec4(c.bg, -1.0, 2.0 / 3.0), vec4(c.gb, 0.0, -1.0 / 3.0), step(c.b, c.g));
  vec4 q = mix(vec4(p.xyw, c.r), vec4(c.r, p.yzx), step(p.x, c.r));
  float d = q.x - min(q.w, q.y);
  color = vec4(abs(q.z + (q.w - q.y) / (6.0 * d + 0.001)), d / (q.x + 0.001), q.x, c.a);
}
