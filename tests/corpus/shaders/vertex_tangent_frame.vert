// SPDX-License-Identifier: MIT
// range: 0.2 1
// precision: 256 2e-5
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 0) out mat3 frame;
void main() {
  gl_Position = position;
  vec3 n = normalize(normal), t = normalize(tangent.xyz - n * 0.25);
  frame = mat3(t, cross(n, t) * tangent.w, n);
}
