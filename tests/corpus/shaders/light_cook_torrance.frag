// SPDX-License-Identifier: MIT
// range: 0.2 2
// precision: 4096 2e-4
#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 view;
layout(location = 2) in vec3 light;
layout(location = 3) in vec2 material;
layout(location = 0) out vec4 color;
void main() {
  vec3 n = normalize(normal), v = normalize(view), l = normalize(light), h = normalize(v + l);
  float a = material.x * 0.5, nh = dot(n, h), nv = dot(n, v), nl = dot(n, l), vh = dot(v, h);
  float t = nh * nh * (a * a - 1.0) + 1.0;
  float d = a * a / (3.14159265 * t * t + 0.01);
  float k = (a + 1.0) * (a + 1.0) * 0.125;
  float g = nv / (nv * (1.0 - k) + k) * nl / (nl * (1.0 - k) + k);
  vec3 f = vec3(0.04) + vec3(0.96) * pow(1.0 - vh + 0.01, 5.0);
  color = vec4(d * g * f / (4.0 * nv * nl + 0.01), 1.0);
}
