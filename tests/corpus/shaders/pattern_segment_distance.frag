// SPDX-License-Identifier: MIT
// range: -2 2
// precision: 256 1e-5
#version 450
layout(location = 0) in vec2 p;
layout(location = 1) in vec4 ends;
layout(location = 0) out vec4 color;
void main() {
  vec2 a = p - ends.xy, b = ends.zw - ends.xy;
  color = vec4(length(a - b * clamp(dot(a, b) / (dot(b, b) + 0.1), 0.0, 1.0)));
}
