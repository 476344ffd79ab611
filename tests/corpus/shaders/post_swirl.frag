// SPDX-License-Identifier: MIT
// range: -1 1
// precision: 64 4e-3
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() {
  float angle = (1.0 - length(p)) * 2.0, s = sin(angle), c = cos(angle);
  color = vec4(mat2(c, s, -s, c) * p, 0.0, 1.0);
}
