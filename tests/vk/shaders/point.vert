#version 450
// SPDX-License-Identifier: MIT
void main() {
  gl_PointSize = 8.0;
  gl_Position = vec4(0.0, 0.0, 0.5, 1.0);
}
