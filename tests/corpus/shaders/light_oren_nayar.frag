// SPDX-License-Identifier: MIT
// range: 0.2 2
// precision: 4096 2e-4
#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 view;
layout(location = 2) in vec3 light;
layout(location = 0) out vec4 color;
void main() {
  vec3 n = normalize(normal), v = normalize(view), l = normalize(light);
  float nl = dot(n, l), nv = dot(n, v);
  float s = dot(l, v) - nl * nv, t = s > 0.0 ? max(nl, nv) : 1.0;
  color = vec4(vec3(nl * (0.8 + 0.3 * s / t)), 1.0);
}
