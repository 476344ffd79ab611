// SPDX-License-Identifier: MIT
// range: -0.5 0.5
// precision: 1024 1e-4
#version 450
layout(location = 0) in vec2 p;
layout(location = 0) out vec4 color;
void main() {
  vec3 o = vec3(0.0, 0.0, -3.0), d = normalize(vec3(p, 2.0));
  float b = dot(o, d), c = dot(o, o) - 1.5, h = b * b - c;
  if (h < 0.0) discard;
  vec3 n = normalize(o + d * (-b - sqrt(h)));
  color = vec4(n * 0.5 + 0.5, 1.0);
}
