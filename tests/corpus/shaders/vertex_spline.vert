// SPDX-License-Identifier: MIT
// range: 0 1
// precision: 64 4e-6
#version 450
layout(location = 0) in float t;
layout(binding = 0) uniform U { vec4 p[4]; } u;
void main() {
  float s = 1.0 - t;
  gl_Position = u.p[0] * s * s * s + u.p[1] * 3.0 * s * s * t + u.p[2] * 3.0 * s * t * t + u.p[3] * t * t * t;
}
