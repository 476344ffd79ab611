// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 64 2e-6
#version 450
layout(location = 0) in vec2 p;
layout(location = 1) in vec2 size;
layout(location = 0) out vec4 color;
void main() {
  vec2 d = abs(p) - abs(size);
  color = vec4(length(max(d, 0.0)) + min(max(d.x, d.y), 0.0));
}
