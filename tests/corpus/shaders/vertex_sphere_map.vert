// SPDX-License-Identifier: MIT
// range: 0.1 2
// precision: 256 1e-5
#version 450
layout(location = 0) in vec3 view;
layout(location = 1) in vec3 n;
layout(location = 0) out vec2 uv;
void main() {
  vec3 r = reflect(normalize(view), normalize(n));
  float m = 2.0 * sqrt(r.x * r.x + r.y * r.y + (r.z + 1.5) * (r.z + 1.5));
  uv = r.xy / m + 0.5;
  gl_Position = vec4(view, 1.0);
}
