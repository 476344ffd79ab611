// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 16 1e-6
#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = position;
  gl_PointSize = 8.0 / position.w;
  color = vec4(position.z);
}
